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
    double gyration = 0.0;       // [m] its radius of gyration, without what a point has of it by rounding

    // Of the least energy, by motions of the plane between two solids with edges: tilts against e1 and e2, and along the
    // normal. `softer` is that of one side, `both` that of both; x1, x2 is where the pressure acts.
    struct Stiffness {
        Vec3 e1 = Vec3::Zero(), e2 = Vec3::Zero();
        double x1 = 0.0, x2 = 0.0;  // [m]
        Mat3 softer = Mat3::Zero(), both = Mat3::Identity();
        double factor = 1.0;
    } stiffness;

    // Second derivatives of depth^2.5 by small motions (turning, moving) of the second shape at the point; positive
    // semidefinite. What the turning normal adds is left out. Two solids with edges only.
    Eigen::Matrix<double, 6, 6> curvature() const;
};

// What a pair may keep from one query to the next, so that one on slightly moved shapes is faster. It never changes a result
// beyond rounding.
struct DepthCache {
    // Two solids with edges: the plane between them, through the centre of pressure, in the axes of each; how it follows them
    // (soft_depth.cpp); and the depth, with its rate.
    struct Plane {
        bool known = false;
        Vec3 point_A = Vec3::Zero(), normal_A = Vec3::Zero(), tilt_A = Vec3::Zero();
        Vec3 point_B = Vec3::Zero(), normal_B = Vec3::Zero();
        Mat3 with_b = Mat3::Zero();  // [1] its motion, by what carries B's copy of it away from A's
        Eigen::Matrix<double, 3, 2> with_c =
            Eigen::Matrix<double, 3, 2>::Zero();  // [1/m] and by what takes B's copy of the centre of pressure along it
        double depth = 0.0, rate = 1.0;           // [m], [1]
    } plane;

    // One of them is a sphere or an ellipsoid: how deep they were, and with smaller cores.
    struct Smooth {
        double penetration = 0.0;  // [m] at which ...
        double depth = 0.0;        // [m] ... it was that deep; 0: nothing is known
        double rate = 1.0;         // [1] growth of the depth with the penetration
        PairCache shrunk;

        double guess(double now) const {  // [m] depth
            const double depth_now = depth + rate * (now - penetration);
            return depth_now > 0.5 * depth && depth_now < 2.0 * depth ? depth_now : now;
        }
    } smooth;
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
                                      const Frame& X_WB, const SignedDistance& closest, DepthCache* cache = nullptr);

// The same without the distance, for two solids with edges, if what the cache holds leads to it. Else nothing is said.
TACTUS_API bool contact_depth_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B,
                                    const Frame& X_WB, DepthCache& cache, ContactDepth& result);

}  // namespace tactus
