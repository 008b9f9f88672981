// Events: instants at which the integrator stops exactly.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/engine/math.hpp>

#include <functional>
#include <memory>
#include <string>
#include <vector>

namespace tactus {

class Instant;

enum class EventKind {
    time,           // World::add_time_event
    zero_crossing,  // World::add_zero_crossing
    force,          // a given force, the law of a force element or a drive's Ramp goes over to another piece
    path,           // a reference path reaches a corner of its profile
    stop,           // a joint reaches or leaves a stop
    contact,        // two solids begin or cease to touch
    condition,      // what a program waits for has come true
    action          // an action has changed the structure, or was skipped
};

// Two collidable solids begin to touch, or cease to. World axes.
struct ContactEvent {
    bool start = true;
    double time = 0.0;  // [s] found exactly
    Entity object1 = entt::null, object2 = entt::null;
    Vec3 point = Vec3::Zero();   // [m] where they touch
    Vec3 normal = Vec3::Zero();  // from object1 to object2
    double impact_speed = 0.0;   // [m/s] with which they approached each other when the contact started
    double largest_force = 0.0;  // [N] normal force so far: at the end, the largest of the whole contact
    double duration = 0.0;       // [s] since the start
    bool alarm = false;          // an observed pair that is to be reported (ContactPair::alarm)
};

// What an action did, and how it found things.
struct ActionReport {
    double time = 0.0;                        // [s]
    std::string action;                       // e.g. "Attach 'stage1.top' to 'stage2.bottom'"
    bool done = true;                         // false: its conditions did not hold, and it was to be skipped then
    std::string unmet;                        // which of them, in words; empty if all held
    double gap = 0.0;                         // [m] between lock and what takes it; below zero: penetrating
    double speed = 0.0, angular_speed = 0.0;  // [m/s], [rad/s] relative
    double angle = 0.0;                       // [rad] between their axes
    double energy_lost = 0.0;                 // [J] of relative motion that an attach ended; counts as dissipated
    std::size_t states_before = 0, states_after = 0;
};

struct Event {
    double time = 0.0;  // [s]
    EventKind kind = EventKind::time;
    std::string name;             // of the time event, the zero crossing, or the element; "ball, table" of a contact;
                                  // the program's; "Attach" and so on
    Entity element = entt::null;  // force element, drive, path or joint; null for the host's own
    int direction = 0;            // of a zero crossing: +1 it rises, -1 it falls
    ContactEvent contact = {};    // of a contact
    std::shared_ptr<const ActionReport> action = {};  // of an action
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
