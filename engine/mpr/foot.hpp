// The point of a core that is closest to a given point.
#pragma once

#include <tactus/engine/mpr/core.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::mpr {

// Of a point q in core axes: its signed distance from the core, the closest point of the surface, and the unit normal
// there (outwards).
struct Foot {
    double distance = 0.0;
    V3<double> n, point;
};

inline V3<double> over(const V3<double>& v, double by, const V3<double>& otherwise) {
    return by > 0 ? (1 / by) * v : otherwise;
}

inline double length(double x, double y) { return std::sqrt(x * x + y * y); }

inline Foot from_segment(double half, const V3<double>& q) {
    const V3<double> foot{std::clamp(q.x, -half, half), 0, 0};
    const V3<double> d = q - foot;
    const double distance = norm(d);
    return {distance, over(d, distance, {0, 1, 0}), foot};
}

inline Foot from_box(const Vec3& half, const V3<double>& q) {
    const V3<double> foot{std::clamp(q.x, -half[0], half[0]), std::clamp(q.y, -half[1], half[1]),
                          std::clamp(q.z, -half[2], half[2])};
    const V3<double> d = q - foot;
    const double distance = norm(d);
    if (distance > 0) return {distance, (1 / distance) * d, foot};
    const double depth[3] = {half[0] - std::abs(q.x), half[1] - std::abs(q.y), half[2] - std::abs(q.z)};
    const int i = static_cast<int>(std::min_element(depth, depth + 3) - depth);
    const double c[3] = {q.x, q.y, q.z};
    const double sign = c[i] < 0 ? -1 : 1;
    const V3<double> n{i == 0 ? sign : 0, i == 1 ? sign : 0, i == 2 ? sign : 0};
    return {-depth[i], n, q + depth[i] * n};
}

// In the half plane of the axis and the point: a trapezoid with the sides base, flank and top.
inline Foot from_round(const CollisionShape& s, const V3<double>& q) {
    const double r = length(q.y, q.z);
    const V3<double> out = over({0, q.y, q.z}, r, {0, 1, 0});
    const double dr = s.r1 - s.r2, dz = s.z2 - s.z1, fx = s.flank_x, fr = s.flank_r;
    const double base = s.z1 - q.x, top = q.x - s.z2, flank = (r - s.r1) * fr + (q.x - s.z1) * fx;
    const auto in_plane = [&](double distance, double nx, double nr, double x, double rr) {
        return Foot{distance, V3<double>{nx, 0, 0} + nr * out, V3<double>{x, 0, 0} + rr * out};
    };
    if (base <= 0 && top <= 0 && flank <= 0) {
        if (flank >= base && flank >= top) return in_plane(flank, fx, fr, q.x - flank * fx, r - flank * fr);
        return base >= top ? in_plane(base, -1, 0, s.z1, r) : in_plane(top, 1, 0, s.z2, r);
    }
    if (base > 0 && r <= s.r1) return in_plane(base, -1, 0, s.z1, r);
    if (top > 0 && r <= s.r2) return in_plane(top, 1, 0, s.z2, r);
    const double t = std::clamp(((q.x - s.z1) * dz - (r - s.r1) * dr) / (dr * dr + dz * dz), 0.0, 1.0);
    const double x = t < 1 ? s.z1 + t * dz : s.z2, rr = t < 1 ? s.r1 - t * dr : s.r2;
    if (t > 0 && t < 1) return in_plane(flank, fx, fr, x, rr);
    // On a rim or the apex: away from it, but between the normals of cap and flank, however small the distance is.
    const double d = length(q.x - x, r - rr), cap = t < 1 ? -1 : 1;
    const double nx = d > 0 ? (q.x - x) / d : 0, nr = d > 0 ? (r - rr) / d : 0;
    if (d > 0 && nr >= 0 && cap * (nx * fr - nr * fx) >= 0) return in_plane(d, nx, nr, x, rr);
    return nr < 0 ? in_plane(d, cap, 0, x, rr) : in_plane(d, fx, fr, x, rr);
}

inline Foot from_stadium(const CollisionShape& s, const V3<double>& q) {
    const V3<double> spine{std::clamp(q.x, -s.half[0], s.half[0]), 0, 0};
    const double r = length(q.x - spine.x, q.y), side = r - s.half[1], flat = std::abs(q.z) - s.half[2];
    const V3<double> out = over({q.x - spine.x, q.y, 0}, r, {0, 1, 0});
    const V3<double> up{0, 0, q.z < 0 ? -1.0 : 1.0};
    if (side <= 0 && flat <= 0) return side >= flat ? Foot{side, out, q - side * out} : Foot{flat, up, q - flat * up};
    if (side <= 0) return {flat, up, q - flat * up};
    if (flat <= 0) return {side, out, q - side * out};
    const double d = length(side, flat);
    const V3<double> n = (side / d) * out + (flat / d) * up;
    return {d, n, q - d * n};
}

inline bool has_foot(const CollisionShape& s) {
    return s.kind == CoreKind::segment || s.kind == CoreKind::box || s.kind == CoreKind::round ||
           s.kind == CoreKind::stadium;
}

// False if there is no formula: ellipsoids and hulls.
inline bool foot_of(const CollisionShape& s, const V3<double>& q, Foot& foot) {
    switch (s.kind) {
    case CoreKind::segment: foot = from_segment(s.half[0], q); return true;
    case CoreKind::box: foot = from_box(s.half, q); return true;
    case CoreKind::round: foot = from_round(s, q); return true;
    case CoreKind::stadium: foot = from_stadium(s, q); return true;
    default: return false;
    }
}

}  // namespace tactus::mpr
