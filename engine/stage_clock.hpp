// Where the time goes: seconds and calls of each stage of an evaluation, while somebody wants to know.
#pragma once

#include <array>
#include <chrono>
#include <cstdint>
#include <string_view>

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

}  // namespace tactus
