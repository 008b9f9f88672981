// CollisionShape: a solid shape as the narrow phase sees it, a convex core plus a ball of `radius`, in the axes of its
// Object3D. A sphere is a point plus a ball, a capsule a segment plus a ball; other shapes are shrunk by their smoothing
// radius, so that core plus ball keeps the nominal outer size (the thesis, section 6.2.2; edges are rounded).
#pragma once

#include <tactus/engine/export.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/shapes/convex_hull.hpp>
#include <tactus/engine/shapes/shape.hpp>

#include <cstdint>
#include <memory>

namespace tactus {

enum class CoreKind : std::uint8_t {
    point,      // centre
    segment,    // -half.x .. half.x along the axis
    box,        // half lengths
    ellipsoid,  // half lengths
    round,      // convex hull of two circles about the axis (cylinder, cone, frustum)
    stadium,    // beam: segment along the axis, swept by a disc, thickened
    hull        // convex polytope
};

struct CollisionShape {
    CoreKind kind = CoreKind::point;
    std::uint8_t axis = 0;  // 0, 1, 2: local direction of the first core coordinate; the others follow cyclically
    double radius = 0.0;    // [m] of the ball around the core
    Vec3 half = Vec3::
        Zero();  // [m] box, ellipsoid: half lengths; segment: x; stadium: half length, disc radius, half thickness
    double r1 = 0, z1 = 0, r2 = 0, z2 = 0;  // [m] round: radii and places of base and top circle on the axis, z1 < z2
    double flank_x = 0, flank_r = 1;        // round: normal of the flank, along the axis and away from it
    Vec3 centroid = Vec3::Zero();           // [m] of the nominal shape: an inner point, where the origin ray starts
    double size = 0.0;                      // [m] largest distance of a point of the shape from the centroid
    double inner = 0.0;                     // [m] radius of a ball around the centroid within the core
    double roundness = 0.0;  // [m] a ball of this radius rolls inside everywhere: smallest radius of curvature
    std::shared_ptr<const ConvexHull> hull;
};

// The collision shape of a solid shape. The smoothing radius is reduced to a tenth of the shape's smallest length (seed
// 000, section 6.2.2), spheres, ellipsoids and capsules need none. An InputError for a shape that has no volume.
TACTUS_API CollisionShape collision_shape(const Shape& shape, double smoothing_radius);

// Farthest point in a direction (any length but zero), in local axes.
TACTUS_API Vec3 support_point(const CollisionShape& shape, const Vec3& direction);

// Axis-aligned box in world axes from support points, enlarged on every side so that it is left before anything touches
// (the thesis, section 5.2): by 1 % of a sphere's radius / 2, by 0.5 % of the largest extent of another shape.
struct Aabb {
    Vec3 min = Vec3::Zero(), max = Vec3::Zero();  // [m]
};
TACTUS_API Aabb loose_aabb(const CollisionShape& shape, const Mat3& R_WB, const Vec3& p_WB);

}  // namespace tactus
