// Pointing at solids with a ray, and the pair that is nearest to touching, by the engine's own distances.
#pragma once

#include <tactus/engine/mpr/signed_distance.hpp>
#include <tactus/engine/world.hpp>

#include <optional>
#include <vector>

namespace demos::app {

struct Hit {
    tactus::Entity object = entt::null;
    tactus::Vec3 point = tactus::Vec3::Zero();  // [m]
    double distance = 0.0;                      // [m] from the eye
};

// The solid that a ray meets first. A point marches along the ray, each time as far as nothing can be in its way.
std::optional<Hit> first_hit(tactus::World& world, const tactus::Vec3& eye, const tactus::Vec3& direction);

// The collidable solid of another super-object that is nearest to an object, and the last portal of MPR between the two:
// a triangle of their difference, so three pairs of points.
struct NearestPair {
    tactus::Entity object1 = entt::null, object2 = entt::null;
    tactus::SignedDistance distance;
    std::vector<tactus::Vec3> portal1, portal2;  // [m] world axes; empty if none was needed
};
std::optional<NearestPair> nearest_pair(tactus::World& world, tactus::Entity object);

}  // namespace demos::app
