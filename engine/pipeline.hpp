// Pipeline: the stages of an evaluation, in the order of the physics, as a Taskflow graph.
//
//   derivative:     kinematics -> narrow phase of the contacts -> response -> forces -> dynamics
//   zero crossings: kinematics -> broad phase -> narrow phase
//
// A stage is a task of the graph; loops inside of it are spread over the workers in chunks (Workers). Without workers, and
// for a few bodies, the stages just run one after the other: tasks would cost more than they do.
#pragma once

#include <tactus/engine/stage_clock.hpp>
#include <tactus/engine/workers.hpp>

#include <functional>
#include <memory>
#include <vector>

namespace tactus {

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
