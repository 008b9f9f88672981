// Contact depth: how deep two solids are in each other, as a number that changes without a jump or a kink as they move, from
// the first touch to full overlap. Contact energy is a function of it, so force and torque are exactly the negative gradient
// of an energy (docs/contact.md, "Edges and faces").
#pragma once

#include <tactus/engine/mpr/signed_distance.hpp>

#include <Eigen/Core>

#include <algorithm>

namespace tactus {

// World axes. The gradient of the depth is a wrench: `rate` along the normal at the point, and `pitch` times that about it.
struct ContactDepth {
    double depth = 0.0;          // [m] > 0
    Vec3 normal = Vec3::Zero();  // unit vector from the first to the second shape
    Vec3 point = Vec3::Zero();   // [m] centre of pressure
    double rate = 1.0;           // [1] growth of the depth as the second moves against the normal by 1
    double pitch = 0.0;          // [m] only where the middles of two solids cross
    Mat3 spread = Mat3::Zero();  // [m^2] of the pressure about the point, along the face: mean of r r^T; 0 for a point
    // Second derivatives of depth^2.5 by small motions (turning, moving) of the second shape at the point; positive
    // semidefinite. What the turning normal adds is left out.
    Eigen::Matrix<double, 6, 6> curvature = Eigen::Matrix<double, 6, 6>::Zero();
};

// Whether two shapes can touch along an edge or a face: not if one of them is a sphere or an ellipsoid.
bool touch_along_edges(const CollisionShape& A, const CollisionShape& B);

// Whether the depth of two shapes of which one is a sphere or an ellipsoid is their penetration, and acts at the deepest point
// alone: up to half of their radii of curvature, as long as that point is one of both.
inline bool acts_as_point(const CollisionShape& A, const CollisionShape& B, double distance) {
    return -distance <= std::min({0.5 * (A.roundness + B.roundness), A.size, B.size});
}

// Of two shapes that penetrate; `closest` is their signed distance.
TACTUS_API ContactDepth contact_depth(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B,
                                      const Frame& X_WB, const SignedDistance& closest);

}  // namespace tactus
