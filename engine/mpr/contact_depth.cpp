#include <tactus/engine/mpr/contact_depth.hpp>

#include <tactus/engine/mpr/shrinking.hpp>
#include <tactus/engine/mpr/soft_depth.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace tactus {

namespace mpr {
namespace {

bool has_edges(const CollisionShape& s) { return s.kind != CoreKind::point && s.kind != CoreKind::ellipsoid; }

// ---- spheres and ellipsoids that are deep in others ----

// As the soft depth, but with the penetration of the shrunk solids instead of the least energy of a plane.
ContactDepth round_depth(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                         const SignedDistance& closest, DepthCache* cache) {
    const double radii = A.roundness + B.roundness, room_A = room(A), room_B = room(B), room = room_A + room_B;
    // Balls must be larger than the depth; ellipsoids have none, but their curvature lets them do with a little less.
    const double more = A.kind == CoreKind::ellipsoid || B.kind == CoreKind::ellipsoid ? 2.5 : 1.2;
    ContactDepth s{.depth = -closest.distance, .normal = closest.normal};
    if (cache) s.depth = cache->smooth.guess(-closest.distance);
    SignedDistance found = closest;
    DepthSearch search;
    for (int i = 0; room > 0.0 && i < 100; ++i) {
        const Shrinking shrinking{s.depth, radii, room, more};
        const double by_A = shrinking.value * room_A / room, by_B = shrinking.value * room_B / room;
        found = shrunk_distance(A, X_WA, by_A, B, X_WB, by_B, cache ? &cache->smooth.shrunk : nullptr);
        const double by_shrinking = reach_rate(A, by_A, X_WA.R.transpose() * found.normal) * room_A / room +
                                    reach_rate(B, by_B, -(X_WB.R.transpose() * found.normal)) * room_B / room;
        const double resistance = 1.0 - by_shrinking * shrinking.slope;
        s.depth = search.next(s.depth, -found.distance, resistance);  // if they do not touch, so small, then less
        s.rate = 1.0 / resistance;
        if (search.found()) break;
    }
    if (cache) {
        cache->smooth.penetration = -closest.distance;
        cache->smooth.depth = s.depth;
        cache->smooth.rate = s.rate;
    }
    s.normal = found.normal;
    s.point = 0.5 * (found.point1 + found.point2);
    return s;
}

// ---- where middles cross ----

// Cores that are shrunk as far as there is room are apart as long as the depth is less than `full`. Where they cross, there is
// no shortest way apart that would not jump. So the depth grows ever less before that, and what it lacks is made up for by how
// near the middles m of the two solids are to each other:
//
//   depth' = depth - (1 - start) full G(b) + share full w(b) (1 - sqrt(|m_B - m_A|^2 + s^2) / size)
//
// with b from 0 (depth = start full) to 1 (depth = full), G' = w = b^2 (3 - 2 b). At b = 1 only the last term is left.
void ease(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB, ContactDepth& s) {
    constexpr double start = 0.7, share = 0.3, rounding = 0.1;
    const double full = A.radius + B.radius + room(A) + room(B);
    const double b = std::min(1.0, (s.depth / full - start) / (1.0 - start));
    if (!(b > 0.0)) return;
    const double w = b * b * (3.0 - 2.0 * b), bent = b * b * b * (1.0 - 0.5 * b);
    const Vec3 m_A = X_WA.p + X_WA.R * middle(A), m_B = X_WB.p + X_WB.R * middle(B), way = m_B - m_A;
    const double size = A.size + B.size, length = std::hypot(way.norm(), rounding * full), near = 1.0 - length / size;
    const double depth = std::min(s.depth, full) - (1.0 - start) * full * bent + share * full * w * near;
    const double by_depth = 1.0 - w + share * near * 6.0 * b * (1.0 - b) / (1.0 - start);
    const Vec3 along = (by_depth * s.rate) * s.normal, apart = (share * full * w / (size * length)) * way;
    const Vec3 force = along + apart;                  // against which the depth grows
    const Vec3 torque = (s.point - m_A).cross(along);  // about m_A, where the other one acts
    s.stiffness.factor *= by_depth * std::pow(depth / s.depth, 1.5);
    s.depth = depth;
    s.rate = force.norm();
    if (!(s.rate > 0.0)) {
        s.point = 0.5 * (m_A + m_B);
        return;
    }
    // As a screw: along its axis, and about it.
    s.normal = force / s.rate;
    s.pitch = s.normal.dot(torque) / s.rate;
    const Vec3 axis = m_A + s.normal.cross(torque) / s.rate;
    s.point = axis + s.normal.dot(s.point - axis) * s.normal;
}

// A force may act anywhere on its line. Friction acts on the same place, which must be one of both solids: the surface of a
// large one may be far above a small one that is deep in it.
void act_within(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                ContactDepth& s) {
    const double at = s.normal.dot(s.point);
    const double a = s.normal.dot(X_WA.p + X_WA.R * A.centroid), b = s.normal.dot(X_WB.p + X_WB.R * B.centroid);
    const double low = std::max(a - A.size, b - B.size), high = std::min(a + A.size, b + B.size);
    if (low <= high) s.point += (std::clamp(at, low, high) - at) * s.normal;
}

}  // namespace
}  // namespace mpr

bool touch_along_edges(const CollisionShape& A, const CollisionShape& B) {
    return mpr::has_edges(A) && mpr::has_edges(B);
}

ContactDepth contact_depth(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                           const SignedDistance& closest, DepthCache* cache) {
    ContactDepth s;
    if (touch_along_edges(A, B)) {
        if (cache && contact_depth_again(A, X_WA, B, X_WB, *cache, s)) return s;
        s = mpr::soft_depth(A, X_WA, B, X_WB, closest, cache ? &cache->plane : nullptr);
    } else if (acts_as_point(A, B, closest.distance)) {
        return {.depth = -closest.distance, .normal = closest.normal, .point = 0.5 * (closest.point1 + closest.point2)};
    } else {
        s = mpr::round_depth(A, X_WA, B, X_WB, closest, cache);
    }
    mpr::ease(A, X_WA, B, X_WB, s);
    mpr::act_within(A, X_WA, B, X_WB, s);
    return s;
}

bool contact_depth_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                         DepthCache& cache, ContactDepth& result) {
    if (!cache.plane.known || !mpr::soft_depth_again(A, X_WA, B, X_WB, cache.plane, result)) return false;
    mpr::ease(A, X_WA, B, X_WB, result);
    mpr::act_within(A, X_WA, B, X_WB, result);
    return true;
}

Eigen::Matrix<double, 6, 6> ContactDepth::curvature() const {
    const Mat3 k = stiffness.softer - stiffness.softer * stiffness.both.inverse() * stiffness.softer;
    Mat3 about = Mat3::Identity();  // tilts about the centre of pressure
    about(0, 2) = stiffness.x1;
    about(1, 2) = stiffness.x2;
    const Vec3 n = stiffness.e1.cross(stiffness.e2);
    Eigen::Matrix<double, 3, 6> motion = Eigen::Matrix<double, 3, 6>::Zero();  // of the plane, as the second moves
    motion.block<1, 3>(0, 0) = stiffness.e1.cross(n).transpose();
    motion.block<1, 3>(1, 0) = stiffness.e2.cross(n).transpose();
    motion.block<1, 3>(2, 3) = -n.transpose();
    return motion.transpose() * ((0.5 * stiffness.factor) * about * (k + k.transpose()) * about.transpose()) * motion;
}

}  // namespace tactus
