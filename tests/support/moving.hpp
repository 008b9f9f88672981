// Motion that tests share.
#pragma once

#include <tactus/tactus.hpp>

#include <algorithm>

namespace tactus::test {

inline Scene weightless() { return {.gravity = NoGravity{}}; }

// Makes a free body move as if it were a part of what an object belongs to.
inline void move_with(World& world, Entity body, Entity object) {
    const Twist V = world.velocity(object);
    const Vec3 v = V.v + V.w.cross(world.pose(body).p - world.pose(object).p);
    JointState state = world.state(body);
    std::copy_n(v.data(), 3, state.v.begin());
    std::copy_n(V.w.data(), 3, state.v.begin() + 3);
    world.set_state(body, state);
}

}  // namespace tactus::test
