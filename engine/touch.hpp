// What touches at an instant, as a host sees it.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/engine/math.hpp>

#include <cstddef>

namespace tactus {

// Two collidable solids that touch now. World axes.
struct Touch {
    Entity object1 = entt::null, object2 = entt::null;
    Vec3 point = Vec3::Zero();   // [m] middle of the normal forces
    Vec3 normal = Vec3::Zero();  // from object1 to object2
    double penetration = 0.0;    // [m]
    Vec3 force = Vec3::Zero();   // [N] on object2, friction included
    Vec3 torque = Vec3::Zero();  // [N m] on object2, against relative turning
    double start_time = 0.0;     // [s]
    double impact_speed = 0.0;   // [m/s] with which they met
};

// How much collision detection has to look at now.
struct CollisionCounts {
    std::size_t solids = 0;    // that can collide
    std::size_t pairs = 0;     // whose boxes overlap: what the broad phase leaves
    std::size_t contacts = 0;  // of those, pairs that touch
};

}  // namespace tactus
