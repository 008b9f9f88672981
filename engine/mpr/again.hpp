// Queries on pairs whose last result tells nearly everything: two boxes by the features that were closest, a capsule by
// its end, two ellipsoids (or an ellipsoid and a sphere) by a few steps from the last normal. Each result is proven where
// the shapes are now; false if it is not: then all is to be done anew.
#pragma once

#include <tactus/engine/mpr/pair.hpp>

namespace tactus::mpr {

// Polytopes that penetrate: whether there is no shorter way out than through a given face of A - B.
//
// When the cache was filled, every face whose normal was farther than an angle from that of the given one was at least
// `clearance` away from the origin, and no face was closer than it. Meanwhile no point moved by more than `moved`: A - B
// still holds a ball that is so much smaller, but for what faces near the given one in direction cut off above some height.
// It also holds a disc of radius `room` around the foot of the origin in the face. A plane that cuts off less than `depth`
// must miss both: the disc excludes normals near that of the face, the ball all others.
struct Face {
    double depth;     // [m]
    double room;      // [m] from the foot of the origin to the rim
    double turn = 0;  // bound of how much its normal has changed, in the axes of A
};
struct Angle {
    double cosine, sine;
};
inline bool is_shortest(const Face& face, const Angle& angle, double clearance, double moved) {
    const double d = face.depth, ball = clearance - moved;
    const double cut = d - 2 * moved - ball * face.turn, rim2 = ball * ball - cut * cut;
    if (!(ball > d) || !(rim2 > 0)) return false;
    // The disc reaches normals up to the angle 2 atan(r / d); all scaled by d^2 + r^2.
    const double r = face.room < d ? face.room : d, d2 = d * d, r2 = r * r, up = d2 - r2, out = 2 * d * r;
    const double along = up * angle.cosine + out * angle.sine, across = out * angle.cosine - up * angle.sine;
    const double missing = d * (d2 + r2) - cut * along;
    return across > 0 && (missing <= 0 || missing * missing <= rim2 * (across * across));
}

// Two boxes with a cache: a vertex on a face, or two edges that cross. If the cache does not prove that they are still the
// closest ones, all fifteen directions are compared.
bool boxes_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                 PairCache& cache, SignedDistance& result);

// Two boxes that are apart: two vertices, or a vertex and an edge (PairCache::State::apart).
bool box_corners_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                       const DistanceOptions& options, const PairCache& cache, SignedDistance& result);

// A capsule that is closest with its end, where that has a foot on the other core (PairCache::State::apart): a formula in
// world axes. One of the cores is a segment, the other is not.
bool end_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB, PairCache& cache,
               SignedDistance& result);

// Cores that are smooth all around (PairCache::State::smooth). Two pairs take little longer than one: which of them are
// proven, the first in bit 0.
bool smooth_again(const DistancePair& pair, SignedDistance& result);
unsigned smooth_again(const DistancePair& pair0, SignedDistance& result0, const DistancePair& pair1,
                      SignedDistance& result1);

}  // namespace tactus::mpr
