// Random trees of bodies with joints of every kind, defined in either direction.
#pragma once

#include "tests/support/random.hpp"

#include <tactus/tactus.hpp>

namespace tactus::test {

inline JointType random_joint(Random& random, int kind) {
    const auto axis = [&] { return Axis{Vec3{random.vector(1) + Vec3{0, 0, 1.5}}}; };
    const auto x = [&] { return random.uniform(-1, 1); };
    switch (kind) {
    case 0: return Revolute{.axis = axis(), .phi = x(), .w = x()};
    case 1: return Prismatic{.axis = axis(), .s = x(), .v = x()};
    case 2: return Spherical{.rotation = random.orientation(), .angular_velocity = random.vector(1)};
    case 3: {
        const Vec3 first = axis().unit();
        const Vec3 second = first.cross(random.vector(1) + Vec3{1, 0, 0}) + 0.3 * first;  // need not be perpendicular
        return Universal{.axis1 = Axis{first}, .axis2 = Axis{second}, .phi1 = x(), .phi2 = x(), .w1 = x(), .w2 = x()};
    }
    case 4: return Cylindrical{.axis = axis(), .s = x(), .phi = x(), .v = x(), .w = x()};
    case 5: return Planar{.axis = axis(), .s1 = x(), .s2 = x(), .phi = x(), .v1 = x(), .v2 = x(), .w = x()};
    default:
        return Free{.translation = random.vector(1),
                    .rotation = random.orientation(),
                    .velocity = random.vector(1),
                    .angular_velocity = random.vector(1)};
    }
}

inline constexpr int joint_kinds = 7;

// A body of mass about 1 kg and size about 1 m, with two frames at which joints may hold.
inline Entity add_random_body(World& world, Random& random, const std::string& name) {
    const Quat q = random.orientation();
    const Vec3 moments{random.uniform(0.2, 0.3), random.uniform(0.2, 0.3), random.uniform(0.2, 0.3)};
    const Mat3 inertia = q.toRotationMatrix() * moments.asDiagonal() * q.toRotationMatrix().transpose();
    const MassProperties mass{random.uniform(0.5, 2), random.vector(0.3), 0.5 * (inertia + inertia.transpose())};
    const Entity body = world.add({.name = name, .parent = ParentRef::none(), .mass_properties = mass});
    for (const char* frame : {".a", ".b"})
        world.add({.name = name + frame,
                   .parent = name,
                   .translation = random.vector(0.5),
                   .rotation = random.orientation()});
    return body;
}

// `bodies` bodies, each on an earlier one or on the world. With `kind` every joint is of that kind, else all kinds occur;
// `anchored` false: the first moves freely, and carries all others.
inline void random_mechanism(World& world, unsigned seed, int bodies, int kind = -1, bool anchored = true) {
    Random random{seed};
    for (int i = 0; i < bodies; ++i) {
        const std::string name = "body" + std::to_string(i);
        add_random_body(world, random, name);
        const int carrier = i == 0 ? -1 : anchored ? random.number(i + 1) - 1 : random.number(i);
        const std::string on =
            carrier < 0 ? "world" : "body" + std::to_string(carrier) + (random.number(2) ? ".a" : "");
        const std::string own = name + (random.number(2) ? ".b" : "");
        const bool backwards = random.number(2) == 1;
        const int type = !anchored && i == 0 ? 6 : kind >= 0 ? kind : random.number(joint_kinds);
        world.add_joint({.name = "joint" + std::to_string(i),
                         .object1 = backwards ? own : on,
                         .object2 = backwards ? on : own,
                         .type = random_joint(random, type)});
    }
}

}  // namespace tactus::test
