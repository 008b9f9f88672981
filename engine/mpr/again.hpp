// Queries on pairs whose last result tells nearly everything: two boxes by the features that were closest, a capsule by
// its end, two ellipsoids (or an ellipsoid and a sphere) by a few steps from the last normal. Each result is proven where
// the shapes are now; false if it is not: then all is to be done anew.
#pragma once

#include <tactus/engine/mpr/pair.hpp>

namespace tactus::mpr {

// Two boxes: a vertex on a face, or two edges that cross (PairCache::State::boxes). Two pairs, both with a face or both with
// edges, take little longer than one: which of them are proven, the first in bit 0.
bool boxes_again(const DistancePair& pair, SignedDistance& result);
unsigned boxes_again(const DistancePair* const (&pairs)[2], SignedDistance* const (&results)[2]);

// Two boxes that are apart: two vertices, or a vertex and an edge (PairCache::State::apart).
bool box_corners_again(const DistancePair& pair, const DistanceOptions& options, SignedDistance& result);

// A capsule that is closest with its end, or a sphere, where that has a foot on the other core (PairCache::State::apart): a
// formula in world axes. One of the cores is a segment or a point, the other is not.
bool end_again(const DistancePair& pair, SignedDistance& result);

// Cores that are smooth all around (PairCache::State::smooth); one pair or two.
bool smooth_again(const DistancePair& pair, SignedDistance& result);
unsigned smooth_again(const DistancePair* const (&pairs)[2], SignedDistance* const (&results)[2]);

}  // namespace tactus::mpr
