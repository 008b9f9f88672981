// The cores of collision shapes as the kernel sees them: support mappings with the identity of the feature they hit, and
// the directions in which features are extreme. Core axes: the shape's axis of symmetry is x.
#pragma once

#include <tactus/engine/mpr/vec.hpp>
#include <tactus/engine/shapes/collision_shape.hpp>

#include <bit>
#include <cstdint>
#include <type_traits>

namespace tactus::mpr {

using Feature = std::uint32_t;

inline bool is_curved(const CollisionShape& s) {
    return s.kind == CoreKind::ellipsoid || s.kind == CoreKind::round || s.kind == CoreKind::stadium;
}

// A point, or what ends in two of them.
inline bool is_rod(const CollisionShape& s) { return s.kind == CoreKind::point || s.kind == CoreKind::segment; }

// Whether a feature is a single point, whatever the direction.
inline bool is_vertex(const CollisionShape& s, Feature feature) {
    switch (s.kind) {
    case CoreKind::segment:
    case CoreKind::box:
    case CoreKind::hull: return true;
    case CoreKind::round: return (feature ? s.r2 : s.r1) == 0;
    default: return false;
    }
}

// The extreme vertex of a hull in the direction d, along edges that go up from the vertex `best`.
template<class T> Feature climb(const ConvexHull& hull, const V3<T>& d, Feature best) {
    const auto value = [&](Feature i) { return d.x * T(hull.x[i]) + d.y * T(hull.y[i]) + d.z * T(hull.z[i]); };
    T high = value(best);
    for (Feature from = hull.count; from != best;) {
        from = best;
        for (std::uint32_t k = hull.first[from]; k < hull.first[from + 1]; ++k)
            if (const T v = value(hull.neighbour[k]); v > high) high = v, best = hull.neighbour[k];
    }
    return best;
}

// Support point of a hull: small ones are scanned, large ones climbed along edges from `hint`.
Feature support_vertex(const ConvexHull& hull, double x, double y, double z, Feature hint);

template<class T> Feature support_vertex(const ConvexHull& hull, const V3<T>& d, Feature hint) {
    if constexpr (std::is_same_v<T, double>) {
        return support_vertex(hull, d.x, d.y, d.z, hint);
    } else {  // from the vertex that double finds on to the best one
        return climb(hull, d, support_vertex(hull, double(d.x), double(d.y), double(d.z), hint));
    }
}

// Choices that change from one direction to the next, without a branch that would have to guess them.
TACTUS_ALWAYS_INLINE double turned(bool negative, double value) {
    return std::bit_cast<double>(std::bit_cast<std::uint64_t>(value) ^ std::uint64_t{negative} << 63);
}
TACTUS_ALWAYS_INLINE double either(bool first, double a, double b) {
    const std::uint64_t from_a = std::uint64_t{0} - std::uint64_t{first};
    return std::bit_cast<double>((std::bit_cast<std::uint64_t>(a) & from_a) |
                                 (std::bit_cast<std::uint64_t>(b) & ~from_a));
}

// Farthest point of the core in direction d (any length but zero).
template<class T> TACTUS_ALWAYS_INLINE V3<T> support(const CollisionShape& s, const V3<T>& d, Feature& feature) {
    using std::abs;
    using std::sqrt;
    switch (s.kind) {
    case CoreKind::point: return {};
    case CoreKind::segment: feature = d.x < T(0); return {T(turned(d.x < T(0), s.half[0])), T(0), T(0)};
    case CoreKind::box: {
        const bool x = d.x < T(0), y = d.y < T(0), z = d.z < T(0);
        feature = Feature(x) | Feature(y) << 1 | Feature(z) << 2;
        return {T(turned(x, s.half[0])), T(turned(y, s.half[1])), T(turned(z, s.half[2]))};
    }
    case CoreKind::ellipsoid: {
        const V3<T> q{T(s.half[0]) * d.x, T(s.half[1]) * d.y, T(s.half[2]) * d.z};
        const T f = T(1) / norm(q);
        return {T(s.half[0]) * q.x * f, T(s.half[1]) * q.y * f, T(s.half[2]) * q.z * f};
    }
    case CoreKind::round: {
        // The top where (r2 - r1) across + (z2 - z1) x > 0, by squares with their signs: known before the root is.
        const T across2 = d.y * d.y + d.z * d.z, dr = T(s.r2 - s.r1), along = T(s.z2 - s.z1) * d.x;
        const bool top = dr * abs(dr) * across2 + along * abs(along) > T(0);
        feature = top;
        const T f = across2 > T(0) ? T(either(top, s.r2, s.r1)) / sqrt(across2) : T(0);
        return {T(either(top, s.z2, s.z1)), f * d.y, f * d.z};
    }
    case CoreKind::stadium: {
        const T across = sqrt(d.x * d.x + d.y * d.y);
        const bool x = d.x < T(0), z = d.z < T(0);
        feature = Feature(x) | Feature(z) << 2;
        const T f = across > T(0) ? T(s.half[1]) / across : T(0);
        return {T(turned(x, s.half[0])) + f * d.x, f * d.y, T(turned(z, s.half[2]))};
    }
    case CoreKind::hull: {
        feature = support_vertex(*s.hull, d, feature);
        return {T(s.hull->x[feature]), T(s.hull->y[feature]), T(s.hull->z[feature])};
    }
    }
    return {};
}

// The point that a feature stands for when the direction is d: like support(), for a given feature.
template<class T> inline V3<T> feature_point(const CollisionShape& s, const V3<T>& d, Feature feature) {
    using std::sqrt;
    switch (s.kind) {
    case CoreKind::point: return {};
    case CoreKind::segment: return {T(turned(feature & 1, s.half[0])), T(0), T(0)};
    case CoreKind::box:
        return {T(turned(feature & 1, s.half[0])), T(turned(feature & 2, s.half[1])),
                T(turned(feature & 4, s.half[2]))};
    case CoreKind::ellipsoid: return support(s, d, feature);
    case CoreKind::round: {
        const T across = sqrt(d.y * d.y + d.z * d.z);
        const T f = across > T(0) ? T(either(feature, s.r2, s.r1)) / across : T(0);
        return {T(either(feature, s.z2, s.z1)), f * d.y, f * d.z};
    }
    case CoreKind::stadium: {
        const T across = sqrt(d.x * d.x + d.y * d.y);
        const T f = across > T(0) ? T(s.half[1]) / across : T(0);
        return {T(turned(feature & 1, s.half[0])) + f * d.x, f * d.y, T(turned(feature & 4, s.half[2]))};
    }
    case CoreKind::hull: {
        const Feature i = feature < s.hull->count ? feature : 0;
        return {T(s.hull->x[i]), T(s.hull->y[i]), T(s.hull->z[i])};
    }
    }
    return {};
}

// The directions in which a set of features of a core is extreme all at once: any near n; a circle n.w = c; one.
enum class Directions : std::uint8_t { any, circle, one, unknown };
template<class T> struct Extreme {
    Directions kind = Directions::any;
    V3<T> w{};  // circle: its axis; one: the direction itself
    T c{};
    Feature first = 0, second = 0;  // any: that feature; circle: the two ends of the edge
    T r = T(1);                     // circle: its radius, c^2 + r^2 = 1
};

// A rim also stands for the flat it goes around. Which of them is meant is a guess where n is about the axis.
enum class Cap : std::uint8_t { guess, no, yes };

// For the features that a simplex holds at the direction n.
template<class T>
inline Extreme<T> extreme(const CollisionShape& s, const Feature* features, int count, const V3<T>& n,
                          Cap cap = Cap::guess) {
    using std::sqrt;
    const Feature f0 = features[0];
    const auto axis = [](int i, const T& sign) {
        return V3<T>{i == 0 ? sign : T(0), i == 1 ? sign : T(0), i == 2 ? sign : T(0)};
    };
    const auto on_cap = [cap](const T& across2) {  // 1 degree
        return cap == Cap::yes || (cap == Cap::guess && across2 < T(3e-4));
    };
    Feature differ = 0;
    for (int i = 1; i < count; ++i) differ |= features[i] ^ f0;
    switch (s.kind) {
    case CoreKind::point:
    case CoreKind::ellipsoid: return {Directions::any, {}, {}, 0, 0};
    case CoreKind::segment:
        if (differ) return {Directions::circle, axis(0, T(1)), T(0), 0, 1};
        return {Directions::any, {}, {}, f0, f0};
    case CoreKind::box: {
        const int bits = int(differ & 1) + int(differ >> 1 & 1) + int(differ >> 2 & 1);
        if (bits == 0) return {Directions::any, {}, {}, f0, f0};
        if (bits == 1)
            return {Directions::circle, axis(differ == 1 ? 0 : differ == 2 ? 1 : 2, T(1)), T(0), f0, f0 ^ differ};
        if (bits == 3) return {Directions::unknown};
        const int i = differ == 6 ? 0 : differ == 5 ? 1 : 2;
        return {Directions::one, axis(i, f0 >> i & 1 ? T(-1) : T(1))};
    }
    case CoreKind::round: {
        if (differ) {
            if constexpr (std::is_same_v<T, double>) {
                return {Directions::circle, axis(0, T(1)), s.flank_x, 0, 1, s.flank_r};
            } else {
                const T dr = T(s.r1 - s.r2), dz = T(s.z2 - s.z1), side = sqrt(dr * dr + dz * dz);
                return {Directions::circle, axis(0, T(1)), dr / side, 0, 1, dz / side};
            }
        }
        if ((f0 ? s.r2 : s.r1) > 0 && on_cap(n.y * n.y + n.z * n.z))
            return {Directions::one, axis(0, f0 ? T(1) : T(-1))};
        return {Directions::any, {}, {}, f0, f0};
    }
    case CoreKind::stadium: {
        if ((differ & 5) == 5) return {Directions::one, axis(1, n.y < T(0) ? T(-1) : T(1))};
        if (s.half[2] > 0 && on_cap(n.x * n.x + n.y * n.y)) return {Directions::one, axis(2, f0 & 4 ? T(-1) : T(1))};
        if (differ & 1) return {Directions::circle, axis(0, T(1)), T(0), f0, f0 ^ 1};
        if (differ & 4) return {Directions::circle, axis(2, T(1)), T(0), f0, f0 ^ 4};
        return {Directions::any, {}, {}, f0, f0};
    }
    case CoreKind::hull: {
        Feature f1 = f0, f2 = f0;
        for (int i = 1; i < count; ++i) {
            if (features[i] == f0 || features[i] == f1) continue;
            if (f1 == f0)
                f1 = features[i];
            else
                f2 = features[i];
        }
        if (f1 == f0) return {Directions::any, {}, {}, f0, f0};
        const V3<T> p0 = feature_point(s, n, f0), u = feature_point(s, n, f1) - p0;
        if (f2 == f0) return {Directions::circle, normalized(u), T(0), f0, f1};
        const V3<T> across = cross(u, feature_point(s, n, f2) - p0);
        const T length = norm(across);
        if (!(length > T(0))) return {Directions::unknown};
        return {Directions::one, (dot(across, n) < T(0) ? T(-1) / length : T(1) / length) * across};
    }
    }
    return {Directions::unknown};
}

// Whether a point lies in the core, but for `slack`.
template<class T> inline bool contains(const CollisionShape& s, const V3<T>& p, const T& slack) {
    using std::abs;
    using std::sqrt;
    switch (s.kind) {
    case CoreKind::point: return norm2(p) <= slack * slack;
    case CoreKind::segment: return abs(p.x) <= T(s.half[0]) + slack && p.y * p.y + p.z * p.z <= slack * slack;
    case CoreKind::box:
        return abs(p.x) <= T(s.half[0]) + slack && abs(p.y) <= T(s.half[1]) + slack && abs(p.z) <= T(s.half[2]) + slack;
    case CoreKind::ellipsoid: {
        const V3<T> q{p.x / T(s.half[0]), p.y / T(s.half[1]), p.z / T(s.half[2])};
        return norm(q) <= T(1) + slack / T(s.half.maxCoeff());
    }
    case CoreKind::round: {
        if (p.x < T(s.z1) - slack || p.x > T(s.z2) + slack) return false;
        const T dr = T(s.r1 - s.r2), dz = T(s.z2 - s.z1), r = sqrt(p.y * p.y + p.z * p.z);
        if (r > T(s.r1 > s.r2 ? s.r1 : s.r2) + slack) return false;  // beside a sharp rim the flank is close for long
        return ((r - T(s.r1)) * dz + (p.x - T(s.z1)) * dr) <= slack * sqrt(dr * dr + dz * dz);
    }
    case CoreKind::stadium: {
        if (abs(p.z) > T(s.half[2]) + slack) return false;
        const T x = abs(p.x) - T(s.half[0]);
        const T over = x > T(0) ? x : T(0);
        return sqrt(over * over + p.y * p.y) <= T(s.half[1]) + slack;
    }
    case CoreKind::hull:
        for (const auto& plane : s.hull->planes)
            if (T(plane[0]) * p.x + T(plane[1]) * p.y + T(plane[2]) * p.z > T(plane[3]) + slack) return false;
        return true;
    }
    return false;
}

}  // namespace tactus::mpr
