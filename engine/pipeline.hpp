// Pipeline: the stages of an evaluation, in the order of the physics, as a Taskflow graph; and where the time goes.
//
//   derivative:     kinematics -> narrow phase of the contacts -> response -> forces -> dynamics
//   zero crossings: kinematics -> broad phase -> narrow phase
//
// A stage is a task of the graph; loops inside of it are spread over the workers in chunks (Workers). Without workers, and
// for a few bodies, the stages just run one after the other: tasks would cost more than they do.
#pragma once

#include <tactus/engine/workers.hpp>

#include <array>
#include <chrono>
#include <cstdint>
#include <functional>
#include <memory>
#include <string_view>
#include <vector>

namespace tactus {

enum class Stage : std::uint8_t {
    kinematics,
    broad_phase,
    narrow_phase,
    response,
    forces,
    dynamics,
    jacobian,
    factorisation,
};
inline constexpr std::array<std::string_view, 8> stage_names{
    "kinematics", "broad phase", "narrow phase", "response", "forces", "dynamics", "jacobian", "factorisation"};

// Time per stage, while somebody wants to know.
class StageClock {
public:
    struct Entry {
        double seconds = 0.0;
        std::int64_t calls = 0;
    };

    bool on = false;
    std::array<Entry, stage_names.size()> entries{};

    // Calls work, and adds the time that it takes.
    template<class Work> void measure(Stage stage, Work&& work) {
        if (!on) {
            work();
            return;
        }
        const auto begin = std::chrono::steady_clock::now();
        work();
        Entry& entry = entries[static_cast<std::size_t>(stage)];
        entry.seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
        ++entry.calls;
    }
};

class Pipeline {
public:
    struct Task {
        Stage stage;
        std::function<void()> work;
    };

    Pipeline();
    ~Pipeline();
    Pipeline(const Pipeline&) = delete;
    Pipeline& operator=(const Pipeline&) = delete;

    // `parallel`: as a graph on the workers, whichever there are when it runs. They and the clock must outlive this.
    void declare(std::vector<Task> tasks, Workers& workers, bool parallel, StageClock& clock);

    void run();  // what a stage throws comes out; later stages do not run then

private:
    struct Graph;
    std::vector<Task> tasks_;
    Workers* workers_ = nullptr;
    StageClock* clock_ = nullptr;
    std::unique_ptr<Graph> graph_;
};

}  // namespace tactus
