// Vectors, rotations and poses, on Eigen.
//
// Frames in names: p_W is a position in world axes; R_PB (or the quaternion q_PB) turns coordinates of frame B into
// coordinates of frame P; X_PB is the pose of B in P. A product reads as X_WB = X_WP * X_PB.
#pragma once

#include <Eigen/Core>
#include <Eigen/Geometry>

#include <cmath>

namespace tactus {

using Vec3 = Eigen::Vector3d;
using Mat3 = Eigen::Matrix3d;
// Unaligned on purpose: a quaternion then has the same layout whatever vector instructions a host compiles with.
using Quat = Eigen::Quaternion<double, Eigen::DontAlign>;

// Pose of a frame B in a frame P.
struct Pose {
    Vec3 p = Vec3::Zero();      // [m] origin of B, in P axes
    Quat q = Quat::Identity();  // turns coordinates of B into coordinates of P

    Mat3 R() const { return q.toRotationMatrix(); }
    Vec3 operator*(const Vec3& point_B) const { return p + q * point_B; }
    Pose operator*(const Pose& X_BC) const { return {p + q * X_BC.p, (q * X_BC.q).normalized()}; }
    Pose inverse() const { return {q.conjugate() * -p, q.conjugate()}; }
};

// [r]x with [r]x s = r x s.
inline Mat3 skew(const Vec3& r) {
    Mat3 m;
    m << 0, -r.z(), r.y(), r.z(), 0, -r.x(), -r.y(), r.x(), 0;
    return m;
}

inline Quat rotation_about(const Vec3& unit_axis, double angle_rad) {
    return Quat{Eigen::AngleAxisd{angle_rad, unit_axis}};
}

// Turn about the own x axis, then the new own y axis, then the new own z axis (intrinsic x-y-z Cardan angles, [rad]).
inline Quat from_cardan_xyz(const Vec3& angles) {
    return rotation_about(Vec3::UnitX(), angles.x()) * rotation_about(Vec3::UnitY(), angles.y()) *
           rotation_about(Vec3::UnitZ(), angles.z());
}

// Turn about the own x, then z, then y axis; angles in that order [rad].
inline Quat from_cardan_xzy(const Vec3& angles) {
    return rotation_about(Vec3::UnitX(), angles[0]) * rotation_about(Vec3::UnitZ(), angles[1]) *
           rotation_about(Vec3::UnitY(), angles[2]);
}

// Inverse of from_cardan_xyz; the middle angle lies in [-pi/2, pi/2]. The later angles are taken relative to the first,
// so that the result is the same rotation to rounding even where the first one is hardly determined (middle +-pi/2).
inline Vec3 to_cardan_xyz(const Quat& q_PB) {
    const Mat3 R = q_PB.toRotationMatrix();
    const double x = std::atan2(-R(1, 2), R(2, 2));
    const double s = std::sin(x), c = std::cos(x);
    return {x, std::atan2(R(0, 2), c * R(2, 2) - s * R(1, 2)),
            std::atan2(c * R(1, 0) + s * R(2, 0), c * R(1, 1) + s * R(2, 1))};
}

}  // namespace tactus
