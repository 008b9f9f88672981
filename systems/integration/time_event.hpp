// When to stop: instants that a host asked for, and its patience.
#pragma once

#include <chrono>
#include <optional>
#include <string>

namespace tactus::systems {

using Deadline = std::optional<std::chrono::steady_clock::time_point>;

struct TimeEvent {
    std::string name;
    double time = 0.0;  // [s]
};

}  // namespace tactus::systems
