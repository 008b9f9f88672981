#include <tactus/engine/mpr/shrinking.hpp>

#include <tactus/engine/mpr/core.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::mpr {
namespace {

// A shape whose core is smaller by this and whose ball is larger. A hull keeps its core: see shrunk_distance.
CollisionShape shrunk(const CollisionShape& shape, double by) {
    CollisionShape s = shape;
    if (by == 0.0) return s;
    s.radius += by;
    s.inner = std::max(0.0, s.inner - by);
    switch (s.kind) {
    case CoreKind::box: s.half.array() -= by; break;
    case CoreKind::stadium: s.half.tail<2>().array() -= by; break;
    case CoreKind::ellipsoid:  // towards its middle, as hulls do
        s.half *= 1.0 - by / shape.inner;
        s.roundness = s.half.minCoeff() * s.half.minCoeff() / s.half.maxCoeff() + s.radius;
        return s;
    case CoreKind::round: {
        const ShrinkingEnds e{shape};
        s.z1 += by * e.z1_rate;
        s.z2 += by * e.z2_rate;
        s.r1 = std::max(0.0, s.r1 + by * e.r1_rate);
        s.r2 = std::max(0.0, s.r2 + by * e.r2_rate);
        s.centroid[s.axis] = 0.5 * (s.z1 + s.z2);
        s.inner = 0.0;
        break;
    }
    default: break;
    }
    s.roundness = s.radius;
    return s;
}

// All lengths of a sphere or an ellipsoid, multiplied.
CollisionShape scaled(CollisionShape s, double factor) {
    for (double* length : {&s.radius, &s.size, &s.inner, &s.roundness}) *length *= factor;
    s.half *= factor;
    return s;
}

}  // namespace

double reach_rate(const CollisionShape& shape, double by, const Vec3& direction) {
    const CollisionShape s = shrunk(shape, by);
    const int x = s.axis, y = (x + 1) % 3, z = (x + 2) % 3;
    const V3<double> n{direction[x], direction[y], direction[z]};
    switch (s.kind) {
    case CoreKind::box: return 1.0 - (std::abs(n.x) + std::abs(n.y) + std::abs(n.z));
    case CoreKind::stadium: return 1.0 - std::hypot(n.x, n.y) - std::abs(n.z);
    case CoreKind::ellipsoid: return 1.0 - direction.cwiseProduct(shape.half).norm() / shape.inner;
    case CoreKind::round: {
        Feature top = 0;
        support(s, n, top);
        const ShrinkingEnds e{shape};
        const double across = std::hypot(n.y, n.z);
        return 1.0 + (top ? n.x * e.z2_rate + across * e.r2_rate : n.x * e.z1_rate + across * e.r1_rate);
    }
    case CoreKind::hull: {
        Feature vertex = 0;
        const V3<double> v = support(s, n, vertex);
        return 1.0 +
               (n.x * (s.centroid[x] - v.x) + n.y * (s.centroid[y] - v.y) + n.z * (s.centroid[z] - v.z)) / shape.inner;
    }
    default: return 0.0;
    }
}

// A hull shrinks towards its middle; instead of it, everything else grows.
SignedDistance shrunk_distance(const CollisionShape& A, const Frame& X_WA, double by_A, const CollisionShape& B,
                               const Frame& X_WB, double by_B, PairCache* cache) {
    // What it knows of other directions holds for shapes that have not changed.
    if (cache && cache->state == PairCache::State::penetrating) cache->state = PairCache::State::empty;
    if (A.kind == CoreKind::hull) {
        SignedDistance d = shrunk_distance(B, X_WB, by_B, A, X_WA, by_A, cache);
        d.normal = -d.normal;
        std::swap(d.point1, d.point2);
        return d;
    }
    if (B.kind != CoreKind::hull) return signed_distance(shrunk(A, by_A), X_WA, shrunk(B, by_B), X_WB, {}, cache);
    const double factor = 1.0 - by_B / B.inner;
    const Vec3 middle = X_WB.p + X_WB.R * B.centroid;
    CollisionShape hull = B;
    hull.radius = hull.roundness = (B.radius + by_B) / factor;
    const Frame X_A{X_WA.R, middle + (X_WA.p - middle) / factor};
    SignedDistance d = signed_distance(scaled(shrunk(A, by_A), 1.0 / factor), X_A, hull, X_WB, {}, cache);
    d.distance *= factor;
    d.point1 = middle + factor * (d.point1 - middle);
    d.point2 = middle + factor * (d.point2 - middle);
    return d;
}

}  // namespace tactus::mpr
