// Force elements: forces and torques between two Object3Ds, or from the world on one.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/engine/functions.hpp>
#include <tactus/engine/math.hpp>

#include <array>
#include <variant>

namespace tactus {

struct WorldForce {  // acts at the origin of `object`
    Ref object;
    TimeVector force;  // [N]
    Ref coordinates;   // Object3D in whose axes the force is given; empty: the world
    bool operator==(const WorldForce&) const = default;
};

struct WorldTorque {
    Ref object;
    TimeVector torque;  // [N m]
    Ref coordinates;    // Object3D in whose axes the torque is given; empty: the world
    bool operator==(const WorldTorque&) const = default;
};

struct
    SpringDamper {  // along the line between two origins; F = spring(L - L0) + F0 + damper(dL/dt) pulls them together
    Ref object1, object2;
    double nominal_length = 0.0;  // [m] L0
    double nominal_force = 0.0;   // [N] F0
    Law spring;                   // elongation [m] -> [N]; a number is a stiffness [N/m]
    Law damper;                   // rate [m/s] -> [N]; a number is a damping [N s/m]
    bool operator==(const SpringDamper&) const = default;
};

struct Bushing {  // object2 against object1, per axis of object1
    Ref object1, object2;
    Vec3 nominal_force = Vec3::Zero();                        // [N]
    std::array<Law, 3> spring, damper;                        // [m] -> [N], [m/s] -> [N]
    Vec3 nominal_torque = Vec3::Zero();                       // [N m]
    std::array<Law, 3> rotational_spring, rotational_damper;  // [rad] -> [N m], [rad/s] -> [N m]
    bool large_angles = false;                                // Cardan angles instead of small ones
    bool operator==(const Bushing&) const = default;
};

// Elastic layers on two triangle surfaces; E is object1, F is object2.
struct PolygonalContact {
    Ref object1, object2;
    int task = 1;  // 1: both directions, halved; 2: base E; 3: base F
    bool flip_faces1 = false, flip_faces2 = false;
    double maximum_penetration = 0.01;                          // [m] search depth
    double youngs_modulus1 = 0.0, youngs_modulus2 = 0.0;        // [Pa] 0: rigid
    double poissons_ratio1 = 0.0, poissons_ratio2 = 0.0;        // [1]
    double layer_depth1 = 0.0, layer_depth2 = 0.0;              // [m] 0: rigid
    double compression_damping = 0.0, expansion_damping = 0.0;  // [N s/m^3] per area
    int expansion_damping_mode = 0;                             // 0: clip total force, 1: none, 2: full
    int damping_transition_mode = 0;                            // 1: damping grows over damping_transition_depth
    double damping_transition_depth = 0.0;                      // [m]
    double friction_coefficient = 0.0;                          // [1]
    double friction_regularization_velocity = 1e-3;             // [m/s]
    bool operator==(const PolygonalContact&) const = default;
};

using ForceType = std::variant<WorldForce, WorldTorque, SpringDamper, Bushing, PolygonalContact>;

// Written by World.
struct ForceElement {
    ForceType type;
};

}  // namespace tactus
