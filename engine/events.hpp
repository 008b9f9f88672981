// Events: instants at which the integrator stops exactly.
#pragma once

#include <tactus/components/entity.hpp>

#include <functional>
#include <string>
#include <vector>

namespace tactus {

class Instant;

enum class EventKind {
    time,           // World::add_time_event
    zero_crossing,  // World::add_zero_crossing
    force,          // a given force, or the law of a force element, goes over to another piece of its table
    stop            // a joint reaches or leaves a stop
};

struct Event {
    double time = 0.0;  // [s]
    EventKind kind = EventKind::time;
    std::string name;             // of the time event, the zero crossing, or the element
    Entity element = entt::null;  // force element or joint; null for the host's own
    int direction = 0;            // of a zero crossing: +1 it rises, -1 it falls
};

enum class Direction { rising, falling, both };

// A function of the motion whose zeros are found exactly. It must be continuous, and should depend on motion and time
// only. It is called many times for each step: keep it cheap. What it throws ends the simulation.
struct ZeroCrossing {
    std::string name;
    std::function<double(const Instant&)> function;
    Direction direction = Direction::both;
    std::vector<Ref> objects = {};  // what it looks at; empty: anything
};

}  // namespace tactus
