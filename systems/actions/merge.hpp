// Merge: what becomes of momentum when bodies that moved relative to each other are one.
//
// Constraints that arise in an instant exert impulses that do no work on motions that they allow. So among all speeds v of
// the new tree the actual ones fulfil  M(q) v = sum over bodies of J^T (momentum before).  Of what nothing holds, momentum
// and angular momentum are kept exactly; kinetic energy can only become less (Carnot's theorem).
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/spatial.hpp>

#include <vector>

namespace tactus::systems {

// Of one Object3D with mass, at its centre of mass. World axes.
struct BodyMomentum {
    Entity object = entt::null;
    Vec3 center_W = Vec3::Zero();  // [m]
    Vec3 linear = Vec3::Zero();    // [kg m/s]
    Vec3 angular = Vec3::Zero();   // [kg m^2/s] about the centre of mass
    double kinetic = 0.0;          // [J]
};
BodyMomentum body_momentum(const entt::registry& registry, Entity object, const Pose& X_W, const Twist& velocity);

// Speeds of the super-objects with these roots (all that are connected, parents first) into their joints' states, from
// momenta before. Returns the kinetic energy that is lost [J].
double merge(entt::registry& registry, Entity world, const std::vector<Entity>& roots,
             const std::vector<BodyMomentum>& momenta);

}  // namespace tactus::systems
