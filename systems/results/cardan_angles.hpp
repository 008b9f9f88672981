// Cardan angles that do not jump.
#pragma once

#include <tactus/engine/math.hpp>

#include <numbers>

namespace tactus::systems {

// Cardan angles x-y-z of a rotation, of all their equivalents those nearest to `before`.
inline Vec3 nearest_cardan_xyz(const Quat& q, const Vec3& before) {
    constexpr double pi = std::numbers::pi;
    const auto near = [&](const Vec3& a) {  // by whole turns
        return Vec3{a + 2 * pi * ((before - a) / (2 * pi)).array().round().matrix()};
    };
    const Vec3 first = to_cardan_xyz(q);
    const Vec3 a = near(first), b = near(Vec3{first[0] + pi, pi - first[1], first[2] + pi});
    return (a - before).squaredNorm() <= (b - before).squaredNorm() ? a : b;
}

}  // namespace tactus::systems
