// Vectors of the narrow phase in world axes, and results from them: for queries that do without the axes of a core.
#pragma once

#include <tactus/engine/mpr/signed_distance.hpp>
#include <tactus/engine/mpr/vec.hpp>

namespace tactus::mpr {

inline V3<double> column(const Mat3& m, int i) { return {m(0, i), m(1, i), m(2, i)}; }
inline V3<double> between(const Vec3& from, const Vec3& to) {
    return {to[0] - from[0], to[1] - from[1], to[2] - from[2]};
}
inline V3<double> turned(const Mat3& R, const V3<double>& v) {
    return v.x * column(R, 0) + v.y * column(R, 1) + v.z * column(R, 2);
}

// Points p + a of the first core and p + a + distance n of the second, all in world axes, as a result for the shapes.
inline void set_result(const CollisionShape& A, const CollisionShape& B, const Vec3& p, const V3<double>& a,
                       const V3<double>& n, double distance, SignedDistance& result) {
    const double to_b = distance - B.radius;
    result.distance = to_b - A.radius;
    result.normal = {n.x, n.y, n.z};
    result.point1 = {p[0] + (a.x + A.radius * n.x), p[1] + (a.y + A.radius * n.y), p[2] + (a.z + A.radius * n.z)};
    result.point2 = {p[0] + (a.x + to_b * n.x), p[1] + (a.y + to_b * n.y), p[2] + (a.z + to_b * n.z)};
    result.guarantee = Guarantee::exact;
}

}  // namespace tactus::mpr
