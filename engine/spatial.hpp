// Pairs of an angular and a linear vector, all in world axes. They refer to a point that is said where they are used,
// mostly the origin of a super-object's root. Accelerations are those of material points (not the spatial-vector kind).
#pragma once

#include <tactus/engine/math.hpp>

namespace tactus {

struct Twist {              // a motion: velocity, acceleration, or a joint's direction of motion
    Vec3 w = Vec3::Zero();  // angular
    Vec3 v = Vec3::Zero();  // of the reference point

    Twist operator+(const Twist& o) const { return {w + o.w, v + o.v}; }
    Twist operator*(double s) const { return {w * s, v * s}; }
};

struct Wrench {             // a torque about and a force at the reference point
    Vec3 t = Vec3::Zero();  // [N m]
    Vec3 f = Vec3::Zero();  // [N]

    Wrench& operator+=(const Wrench& o) {
        t += o.t;
        f += o.f;
        return *this;
    }
    // The same wrench about a point from which the old one is at r.
    Wrench moved_by(const Vec3& r) const { return {t + r.cross(f), f}; }
    double power(const Twist& m) const { return t.dot(m.w) + f.dot(m.v); }
};

// Inertia of everything that hangs rigidly, or through joints (articulated), on a frame: (t, f) = [A B; B^T C] (w', v').
struct SpatialInertia {
    Mat3 A = Mat3::Zero(), B = Mat3::Zero(), C = Mat3::Zero();

    Wrench operator*(const Twist& a) const { return {A * a.w + B * a.v, B.transpose() * a.w + C * a.v}; }
    // Adds an inertia whose reference point is at r from this one's.
    void add_moved_by(const SpatialInertia& I, const Vec3& r) {
        const Mat3 rx = skew(r);
        const Mat3 rC = rx * I.C;
        const Mat3 Brx = I.B * rx;
        A += I.A - Brx - Brx.transpose() - rC * rx;  // [r] B^T = -(B [r])^T
        B += I.B + rC;
        C += I.C;
    }
};

}  // namespace tactus
