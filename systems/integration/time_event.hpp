// Instants that a host asked for.
#pragma once

#include <string>

namespace tactus::systems {

struct TimeEvent {
    std::string name;
    double time = 0.0;  // [s]
};

}  // namespace tactus::systems
