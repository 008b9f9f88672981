// Pairs of cores whose signed distance is a formula. Double precision.
#pragma once

#include <tactus/engine/mpr/pair.hpp>

namespace tactus::mpr {

// A sphere and another shape. False if there is no formula for the pair. Everything in world axes.
bool point_form(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                SignedDistance& result);

// Two segments, in A's core axes.
void segment_segment(const Pair<double>& pair, Contact<double>& contact);

// Two boxes, in A's core axes: the fifteen directions that can separate them (three faces each, nine pairs of edges). True if
// the result is final: they penetrate, or the direction of the largest gap is that of a vertex on a face or of two crossing
// edges. Else contact.n is a direction that separates them. `axis`: which direction, 0-2 a face of A, 3-5 of B, 6-14 edges.
bool box_box(const Pair<double>& pair, Contact<double>& contact, int& axis);

}  // namespace tactus::mpr
