// Cardan angles that do not jump.
#pragma once

#include <tactus/engine/math.hpp>

#include <numbers>

namespace tactus::systems {

// Cardan angles mean the same rotation when any of them changes by whole turns, and when they become (a + pi, pi - b, c + pi);
// for x-y-z and x-z-y alike. Of all these the triple nearest to `before`.
inline Vec3 nearest_angles(const Vec3& angles, const Vec3& before) {
    constexpr double pi = std::numbers::pi;
    const auto near = [&](const Vec3& a) {  // by whole turns
        return Vec3{a + 2 * pi * ((before - a) / (2 * pi)).array().round().matrix()};
    };
    const Vec3 a = near(angles), b = near(Vec3{angles[0] + pi, pi - angles[1], angles[2] + pi});
    return (a - before).squaredNorm() <= (b - before).squaredNorm() ? a : b;
}

inline Vec3 nearest_cardan_xyz(const Quat& q, const Vec3& before) { return nearest_angles(to_cardan_xyz(q), before); }

}  // namespace tactus::systems
