// Queries on pairs whose last result tells nearly everything: two boxes by the features that were closest, two ellipsoids
// (or an ellipsoid and a sphere) by a few steps from the last normal. Each result is proven where the shapes are now; false
// if it is not: then all is to be done anew.
#pragma once

#include <tactus/engine/mpr/pair.hpp>

namespace tactus::mpr {

// Two boxes with a cache: a vertex on a face, or two edges that cross. If the cache does not prove that they are still the
// closest ones, all fifteen directions are compared.
bool boxes_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                 PairCache& cache, SignedDistance& result);

// Two boxes that are apart: two vertices, or a vertex and an edge (PairCache::State::apart).
bool box_corners_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                       const DistanceOptions& options, const PairCache& cache, SignedDistance& result);

// Cores that are smooth all around (PairCache::State::smooth).
bool smooth_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                  PairCache& cache, SignedDistance& result);

}  // namespace tactus::mpr
