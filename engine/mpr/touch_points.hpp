// Touch points: all places where two shapes with edges and faces are near each other, not only the closest one.
//
// A box that rests on a floor touches it with four corners. The closest one alone is not enough: which of them that is
// changes with the least tilt, and what it carries would jump. Here every corner of a core, and every crossing of two of
// their edges, is a place of its own with its own distance, which changes smoothly as the shapes move: that of a point from a
// convex body, or that of two lines.
//
// Circles (rims of cylinders and cones, the round ends of beams) count as four points, the first of which is nearest to the
// other shape: they move along the rim as the shape rolls, and all four are level where it lies flat.
#pragma once

#include <tactus/engine/mpr/signed_distance.hpp>

#include <cstddef>
#include <cstdint>
#include <vector>

namespace tactus {

struct TouchPoint {
    std::uint32_t key = 0;             // which corner, or which two edges: the same at the next instant
    double weight = 1.0;               // [0, 1] fades out where another point stands for the same place
    Vec3 weight_slope = Vec3::Zero();  // [1/m] change of it as the second shape moves along the first, world axes
    double distance = 0.0;             // [m] signed, here
    Vec3 normal = Vec3::Zero();        // unit vector from the first to the second shape, world axes
    Vec3 point = Vec3::Zero();         // [m] between the two surfaces, world axes
};

// Whether two shapes can touch in more than one place: not if one of them is a sphere or an ellipsoid.
bool may_touch_flat(const CollisionShape& A, const CollisionShape& B);

// [m] how near a corner or crossing must be to count: a fraction of how much edges are rounded.
double touch_reach(const CollisionShape& A, const CollisionShape& B);

// The points whose distance is below touch_reach, in place of what `points` held. `closest` is the signed distance of the
// pair. None if the shapes are so deep in each other that a corner may have come out on another side: then the closest is
// all there is. Allocates nothing once `points` has grown.
void find_touch_points(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                       const SignedDistance& closest, std::vector<TouchPoint>& points);

}  // namespace tactus
