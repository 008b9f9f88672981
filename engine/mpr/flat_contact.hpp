// Flat contacts: where an edge or a face of one shape lies along an edge or a face of the other, every point of the overlap
// is as close as any other. The middle of it is the one that keeps a resting body in balance.
#pragma once

#include <tactus/engine/mpr/pair.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::mpr {

// What of a core is extreme in a direction n: a point (0), the edge from p to q (1), or a face with the middle p (2).
struct Flat {
    int dimension = 0;
    V3<double> p, q;
};

// Dimension of what is extreme of a hull if `hint` is, from its neighbours alone; at least that if it is not quite.
inline int hull_dimension(const ConvexHull& hull, const V3<double>& n, Feature hint, double slack) {
    const auto value = [&](Feature i) { return n.x * hull.x[i] + n.y * hull.y[i] + n.z * hull.z[i]; };
    if (hint >= hull.count) return 2;
    const double most = value(hint);
    int dimension = 0;
    for (std::uint32_t k = hull.first[hint]; k < hull.first[hint + 1]; ++k) {
        const double v = value(hull.neighbour[k]);
        if (v > most + slack) return 2;
        dimension += v >= most - slack;
    }
    return std::min(dimension, 2);
}

// `hint`: a vertex of a hull that is extreme in a direction near n.
inline Flat flat_at(const CollisionShape& s, const V3<double>& n, Feature hint) {
    constexpr double level = 1e-12;  // [rad]
    const auto side = [](double component, double half) { return component < 0 ? -half : half; };
    switch (s.kind) {
    case CoreKind::segment:
        if (std::abs(n.x) > level) return {};
        return {1, {-s.half[0], 0, 0}, {s.half[0], 0, 0}};
    case CoreKind::box: {
        const bool x = std::abs(n.x) <= level, y = std::abs(n.y) <= level, z = std::abs(n.z) <= level;
        Flat flat{x + y + z, {}, {}};
        flat.p = flat.q = {x ? 0 : side(n.x, s.half[0]), y ? 0 : side(n.y, s.half[1]), z ? 0 : side(n.z, s.half[2])};
        if (flat.dimension != 1) return flat;
        if (x) flat.p.x = -s.half[0], flat.q.x = s.half[0];
        if (y) flat.p.y = -s.half[1], flat.q.y = s.half[1];
        if (z) flat.p.z = -s.half[2], flat.q.z = s.half[2];
        return flat;
    }
    case CoreKind::round: {
        // Neither along the cap nor along the flank, by squares: what most are.
        const double across2 = n.y * n.y + n.z * n.z, dr = s.r2 - s.r1, dz = s.z2 - s.z1;
        const double far = std::abs(dr * dr * across2 - dz * dz * n.x * n.x);
        if (across2 > level * level && far > 4 * level * s.size * s.size) return {};
        const double across = std::sqrt(across2);
        if (across <= level) {
            const double r = n.x > 0 ? s.r2 : s.r1;
            return {r > 0 ? 2 : 0, {n.x > 0 ? s.z2 : s.z1, 0, 0}, {}};
        }
        if (std::abs((s.r2 - s.r1) * across + (s.z2 - s.z1) * n.x) > level * s.size) return {};
        return {1, feature_point(s, n, 0), feature_point(s, n, 1)};
    }
    case CoreKind::stadium: {
        if (n.x * n.x + n.y * n.y <= level * level) return {2, {0, 0, side(n.z, s.half[2])}, {}};
        const bool x = std::abs(n.x) <= level, z = std::abs(n.z) <= level;
        if (x && z) return {2, {0, side(n.y, s.half[1]), 0}, {}};
        if (x) return {1, feature_point(s, n, n.z < 0 ? 4 : 0), feature_point(s, n, n.z < 0 ? 5 : 1)};
        if (z) return {1, feature_point(s, n, n.x < 0 ? 1 : 0), feature_point(s, n, n.x < 0 ? 5 : 4)};
        return {};
    }
    case CoreKind::hull: {
        const ConvexHull& hull = *s.hull;
        const auto value = [&](Feature i) { return n.x * hull.x[i] + n.y * hull.y[i] + n.z * hull.z[i]; };
        const auto vertex = [&](Feature i) { return V3<double>{hull.x[i], hull.y[i], hull.z[i]}; };
        const Feature best = climb(hull, n, hint < hull.count ? hint : 0);
        const double least = value(best) - level * s.size;
        Flat flat{0, vertex(best), {}};
        int count = 1;
        for (Feature i = 0; i < hull.count; ++i)
            if (i != best && value(i) >= least) flat.q = vertex(i), flat.p = flat.p + flat.q, ++count;
        flat.dimension = std::min(count - 1, 2);
        if (count == 2) flat.p = vertex(best);
        if (count > 2) flat.p = (1.0 / count) * flat.p;
        return flat;
    }
    default: return {};
    }
}

// The part of the line p + t u that lies in a core, within [low, high]. Exact for boxes and hulls; elsewhere all or nothing.
inline void clip(const CollisionShape& s, const V3<double>& p, const V3<double>& u, double& low, double& high) {
    const double slack = 1e-12 * s.size, parallel = 1e-12 * norm(u);
    const auto cut = [&](double height, double slope, double limit) {  // height + t slope <= limit
        if (slope > parallel)
            high = std::min(high, (limit + slack - height) / slope);
        else if (slope < -parallel)
            low = std::max(low, (limit + slack - height) / slope);
        else if (height > limit + slack + parallel)  // beside it all along
            high = low - 1;
    };
    if (s.kind == CoreKind::box) {
        const double at[3] = {p.x, p.y, p.z}, along[3] = {u.x, u.y, u.z};
        for (int i = 0; i < 3; ++i) {
            cut(at[i], along[i], s.half[i]);
            cut(-at[i], -along[i], s.half[i]);
        }
    } else if (s.kind == CoreKind::hull) {
        for (const auto& plane : s.hull->planes) {
            const V3<double> n{plane[0], plane[1], plane[2]};
            cut(dot(n, p), dot(n, u), plane[3]);
        }
    } else if (!contains(s, p + low * u, slack) || !contains(s, p + high * u, slack)) {
        high = low - 1;
    }
}

// True only if a single point of a core is extreme in the direction n: what most contacts are, without roots.
TACTUS_ALWAYS_INLINE bool is_pointed(const CollisionShape& s, const V3<double>& n) {
    constexpr double level = 1e-12;  // [rad] as in flat_at
    switch (s.kind) {
    case CoreKind::segment: return std::abs(n.x) > level;
    case CoreKind::box: return std::abs(n.x) > level && std::abs(n.y) > level && std::abs(n.z) > level;
    case CoreKind::round: {
        const double across2 = n.y * n.y + n.z * n.z, dr = s.r2 - s.r1, dz = s.z2 - s.z1;
        return across2 > level * level &&
               std::abs(dr * dr * across2 - dz * dz * n.x * n.x) > 4 * level * s.size * s.size;
    }
    case CoreKind::stadium: return std::abs(n.x) > level && std::abs(n.z) > level;
    case CoreKind::hull: return false;
    default: return true;
    }
}

// Moves the points of a contact to the middle of the overlap, if there is one.
inline void center_flat_contact(const Pair<double>& pair, Contact<double>& contact) {
    if (is_pointed(pair.A, contact.n)) return;
    // A point, or two edges that cross, are what most hulls meet in: cheap to know.
    const auto at_most = [](const CollisionShape& shape, const V3<double>& n, Feature hint) {
        return shape.kind == CoreKind::hull ? hull_dimension(*shape.hull, n, hint, 1e-12 * shape.size) : 2;
    };
    const int most_a = at_most(pair.A, contact.n, pair.hint_a);
    if (most_a == 0) return;
    const V3<double> n_B = -pair.R.transposed_times(contact.n);
    if (is_pointed(pair.B, n_B)) return;
    if (most_a + at_most(pair.B, n_B, pair.hint_b) < 3) return;
    const Flat a = flat_at(pair.A, contact.n, pair.hint_a);
    if (a.dimension == 0) return;
    const Flat b = flat_at(pair.B, n_B, pair.hint_b);
    if (b.dimension == 0) return;
    if (a.dimension + b.dimension < 3) return;  // two edges: their crossing, or the middle, is known already
    const double d = contact.distance, slack = 1e-12 * pair.scale;
    const auto to_b = [&](const V3<double>& v) { return pair.R.transposed_times(v - pair.p); };
    const auto to_a = [&](const V3<double>& v) { return pair.R * v + pair.p; };
    V3<double> middle;  // on A
    if (a.dimension == 2 && b.dimension == 2) {
        const V3<double> from_b = to_a(b.p) - d * contact.n;
        const bool a_inside = contains(pair.B, to_b(a.p + d * contact.n), slack),
                   b_inside = contains(pair.A, from_b, slack);
        if (a_inside && (!b_inside || pair.A.size <= pair.B.size))
            middle = a.p;
        else if (b_inside)
            middle = from_b;
        else
            return;
    } else {
        double low = 0, high = 1;
        if (a.dimension == 2) {
            const V3<double> p = to_a(b.p) - d * contact.n, u = pair.R * (b.q - b.p);
            clip(pair.A, p, u, low, high);
            middle = p + 0.5 * (low + high) * u;
        } else {
            const V3<double> p = to_b(a.p + d * contact.n), u = pair.R.transposed_times(a.q - a.p);
            clip(pair.B, p, u, low, high);
            middle = a.p + 0.5 * (low + high) * (a.q - a.p);
        }
        if (low > high) return;
    }
    contact.a = middle;
    contact.b = middle + d * contact.n;
}

}  // namespace tactus::mpr
