// Closeness: how near a lock is to what shall take it, and how they move relative to each other.
#pragma once

#include <tactus/components/action.hpp>
#include <tactus/components/entity.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/shapes/collision_shape.hpp>
#include <tactus/engine/spatial.hpp>

#include <optional>
#include <string>

namespace tactus::systems {

struct Closeness {
    double gap = 0.0;            // [m] below zero: penetrating
    double speed = 0.0;          // [m/s] of the lock's origin, as seen from the other's frame
    double angular_speed = 0.0;  // [rad/s]
    double angle = 0.0;          // [rad] between the axes
};

// Two lockables. Distances are those of their shapes where both have one, else of their origins.
class LockPair {
public:
    LockPair(const entt::registry& registry, Entity lock, Entity to);

    Closeness closeness(const Pose& X_lock, const Twist& V_lock, const Pose& X_to, const Twist& V_to) const;

private:
    std::optional<CollisionShape> lock_, to_;
};

// Which of the conditions do not hold, in words; empty if all do.
std::string unmet(const Closeness& found, const AttachConditions& conditions, double gap);

// >= 0 if they all hold; continuous, in shares of the tolerances.
double margin(const Closeness& found, const AttachConditions& conditions, double gap);

}  // namespace tactus::systems
