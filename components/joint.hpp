// Joints between two Object3Ds. Frame 1 and frame 2 are the frames of object1 and object2; at zero they coincide.
// Either side may turn out to be the one nearer to the world: the structure system decides and turns the joint around.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/rotation.hpp>

#include <optional>
#include <variant>

namespace tactus {

// Elastic stops of one degree of freedom; units are those of its coordinate (m or rad), forces in N or N m.
struct JointLimits {
    double lower = 0.0, upper = 0.0;
    double stiffness = 1e5;  // [N/m] or [N m/rad] beyond a stop
    double damping = 0.0;    // [N s/m] or [N m s/rad] while beyond a stop
    bool operator==(const JointLimits&) const = default;
};

// What resists one degree of freedom.
struct JointResistance {
    double damping = 0.0;    // [N s/m] or [N m s/rad]
    double friction = 0.0;   // [N] or [N m] Coulomb
    double v_small = 0.01;   // [m/s] or [rad/s] below it friction is regularised
    double stiffness = 0.0;  // [N/m] or [N m/rad] spring about `rest`
    double rest = 0.0;       // [m] or [rad]
    std::optional<JointLimits> limits;
    bool operator==(const JointResistance&) const = default;
};

struct Fix {                          // frame 2 is fixed in frame 1
    Vec3 translation = Vec3::Zero();  // [m] in frame 1
    Rotation rotation;                // from frame 2 to frame 1
    bool operator==(const Fix&) const = default;
};

struct Revolute {  // frame 2 turns by phi about an axis that both frames share
    Axis axis = 3;
    double phi = 0.0;  // [rad] initial
    double w = 0.0;    // [rad/s] initial
    JointResistance resistance;
    bool operator==(const Revolute&) const = default;
};

struct Prismatic {  // frame 2 slides by s along an axis of frame 1
    Axis axis = 1;
    double s = 0.0;  // [m] initial
    double v = 0.0;  // [m/s] initial
    JointResistance resistance;
    bool operator==(const Prismatic&) const = default;
};

struct Spherical {                         // origins coincide
    Rotation rotation;                     // initial, from frame 2 to frame 1
    Vec3 angular_velocity = Vec3::Zero();  // [rad/s] initial, in frame 1
    double damping = 0.0;                  // [N m s/rad]
    bool operator==(const Spherical&) const = default;
};

struct Universal {  // turn by phi1 about axis1 of frame 1, then by phi2 about axis2 of frame 2
    Axis axis1 = 1, axis2 = 2;
    double phi1 = 0.0, phi2 = 0.0;  // [rad] initial
    double w1 = 0.0, w2 = 0.0;      // [rad/s] initial
    JointResistance resistance1, resistance2;
    bool operator==(const Universal&) const = default;
};

struct Cylindrical {  // slide by s along and turn by phi about the same axis
    Axis axis = 3;
    double s = 0.0, phi = 0.0;  // [m], [rad] initial
    double v = 0.0, w = 0.0;    // [m/s], [rad/s] initial
    JointResistance sliding, turning;
    bool operator==(const Cylindrical&) const = default;
};

struct Planar {     // slide in the plane normal to the axis of frame 1, turn about the axis
    Axis axis = 3;  // the plane's directions follow cyclically: axis 3 slides along x (s1) and y (s2)
    double s1 = 0.0, s2 = 0.0, phi = 0.0;  // [m], [m], [rad] initial
    double v1 = 0.0, v2 = 0.0, w = 0.0;    // [m/s], [m/s], [rad/s] initial
    JointResistance sliding1, sliding2, turning;
    bool operator==(const Planar&) const = default;
};

struct Free {                              // six degrees of freedom
    Vec3 translation = Vec3::Zero();       // [m] initial, in frame 1
    Rotation rotation;                     // initial, from frame 2 to frame 1
    Vec3 velocity = Vec3::Zero();          // [m/s] initial, in frame 1
    Vec3 angular_velocity = Vec3::Zero();  // [rad/s] initial, in frame 1
    bool operator==(const Free&) const = default;
};

using JointType = std::variant<Fix, Revolute, Prismatic, Spherical, Universal, Cylindrical, Planar, Free>;

// Written by World.
struct Joint {
    Ref object1, object2;  // resolved
    JointType type;
    bool can_collide = false;  // may the two super-objects that it joins touch each other?

    bool rigid() const { return std::holds_alternative<Fix>(type); }
};

}  // namespace tactus
