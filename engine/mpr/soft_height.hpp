// Soft height: how far a convex solid reaches beyond a plane, as a number that changes smoothly when the plane moves.
#pragma once

#include <tactus/engine/mpr/shrinking.hpp>
#include <tactus/engine/mpr/signed_distance.hpp>
#include <tactus/engine/mpr/vec.hpp>
#include <tactus/engine/shapes/collision_shape.hpp>

#include <Eigen/Core>

namespace tactus::mpr {

// The plane n.y = c between the two, y from the origin o of the query. Small motions of it: y1, y2, c, with
// n + y1 e1 + y2 e2. The first solid is free where n.y < c and has the sign +1, the second where n.y > c, with -1.
struct CuttingPlane {
    V3<double> n, e1, e2;
    double c = 0.0;  // [m]
};

// A symmetric matrix, by the motions of a plane.
struct Sym3 {
    double m00 = 0, m01 = 0, m02 = 0, m11 = 0, m12 = 0, m22 = 0;

    TACTUS_ALWAYS_INLINE void add_square(double w, double x, double y, double z) {  // w v v^T
        const double wx = w * x, wy = w * y;
        m00 += wx * x, m01 += wx * y, m02 += wx * z, m11 += wy * y, m12 += wy * z, m22 += w * z * z;
    }
    TACTUS_ALWAYS_INLINE void add(double w, const Sym3& s) {
        m00 += w * s.m00, m01 += w * s.m01, m02 += w * s.m02, m11 += w * s.m11, m12 += w * s.m12, m22 += w * s.m22;
    }
    Mat3 matrix() const {
        Mat3 m;
        m << m00, m01, m02, m01, m11, m12, m02, m12, m22;
        return m;
    }
};

// The soft height S of a solid beyond a plane: the norm (sum of h^8)^(1/8) of the heights h > 0 of its corners and rims, with
// its derivatives by the motions of the plane. Weights of corners are dS/dh.
struct Height {
    double value = 0.0;         // [m]
    V3<double> slope;           // by the plane; the last is -sign times the sum of the weights
    Sym3 curvature;             // likewise, but for that of the sphere of unit vectors n
    double along = 0.0;         // [m] sum of the weights times n.y
    V3<double> second;          // [m^2] sums of the weights times y1 y1, y1 y2, y2 y2, coordinates along the plane
    double by_shrinking = 0.0;  // by `shrunk` of the solid
};

// One of the two. Its core may be shrunk, by as much as the ball around it grows: faces stay where they are, edges become
// rounder.
class Convex {
public:
    Convex(const CollisionShape& shape, const Frame& X_WB, const Vec3& o, double sign);

    double size() const { return shape_.size; }
    double room() const { return room_; }  // [m] by which it can be shrunk
    void shrink(double by) { shrunk_ = by; }

    Height beyond(const CuttingPlane& plane) const;

    double depth(const CuttingPlane& plane) const;  // [m] of its lowest point; 0 if all of it is on its own side

    // [m] of its core's lowest point beyond the plane
    double core_depth(const CuttingPlane& plane) const { return depth(plane) - shape_.radius - shrunk_; }

private:
    class Sum;

    const CollisionShape& shape_;
    double sign_;
    ShrinkingEnds ends_;   // round cores only
    double room_;          // [m]
    double shrunk_ = 0.0;  // [m]
    V3<double> axis_[3];   // core axes in the world
    V3<double> origin_;    // o in core axes

    V3<double> in_axes(const V3<double>& v) const { return {dot(axis_[0], v), dot(axis_[1], v), dot(axis_[2], v)}; }
    V3<double> core_axes(const Vec3& v) const {  // from those of the shape
        const int x = shape_.axis;
        return {v[x], v[(x + 1) % 3], v[(x + 2) % 3]};
    }
    template<class Corner, class Rim> void each(Corner&& corner, Rim&& rim) const;
    double highest_corner(const Sum& sum) const;
    void add_corners(Sum& sum) const;
};

}  // namespace tactus::mpr
