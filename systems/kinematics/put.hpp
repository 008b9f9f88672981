// Vectors among the numbers of a state or a result.
#pragma once

#include <tactus/engine/math.hpp>

#include <algorithm>

namespace tactus::systems {

inline void put(double* to, const Vec3& x) { std::copy_n(x.data(), 3, to); }
inline void put(double* to, const Quat& q) { std::copy_n(q.coeffs().data(), 4, to); }  // x, y, z, w

}  // namespace tactus::systems
