// What each kind of joint means: pose and motion of its frame 2 in its frame 1, all in frame 1 axes.
//
// Turning speeds of Spherical and Free joints are those in frame 2 axes, unlike in JointState: Euler's equations of a
// body that nothing holds are then apart from its orientation, and a spin of 1e-10 rad/s about one axis is not lost in the
// rounding of 10 rad/s about another (the wing nut of tests/reference/multibody_test.cpp cannot be had otherwise).
#pragma once

#include <tactus/engine/spatial.hpp>
#include <tactus/systems/kinematics/tree.hpp>

namespace tactus::systems {

struct JointMotion {
    Mat3 R_12 = Mat3::Identity();
    Vec3 r_12 = Vec3::Zero();    // [m]
    Twist rate;                  // of frame 2 in frame 1: sum of columns times speeds
    Vec3 bias_w = Vec3::Zero();  // [rad/s^2] angular acceleration of frame 2 in frame 1 while the speeds are constant;
                                 // the origin has none in any joint here
    Twist columns[6];            // motion for a unit of each speed
};

inline Quat quaternion_of(const double* q) { return Quat{q[3], q[0], q[1], q[2]}; }

// Rodrigues' formula with the sine and cosine once.
inline Mat3 rotation_matrix(const Vec3& e, double angle) {
    const double s = std::sin(angle), c = std::cos(angle), k = 1.0 - c;
    Mat3 R;
    R << c + k * e.x() * e.x(), k * e.x() * e.y() - s * e.z(), k * e.x() * e.z() + s * e.y(),
        k * e.x() * e.y() + s * e.z(), c + k * e.y() * e.y(), k * e.y() * e.z() - s * e.x(),
        k * e.x() * e.z() - s * e.y(), k * e.y() * e.z() + s * e.x(), c + k * e.z() * e.z();
    return R;
}

inline void joint_motion(const Link& link, const double* q, const double* v, JointMotion& m) {
    m.R_12.setIdentity();
    m.r_12.setZero();
    m.bias_w.setZero();
    switch (link.kind) {
    case JointKind::revolute:
        m.R_12 = rotation_matrix(link.axis[0], q[0]);
        m.columns[0] = {link.axis[0], Vec3::Zero()};
        m.rate = {link.axis[0] * v[0], Vec3::Zero()};
        break;
    case JointKind::prismatic:
        m.r_12 = link.axis[0] * q[0];
        m.columns[0] = {Vec3::Zero(), link.axis[0]};
        m.rate = {Vec3::Zero(), link.axis[0] * v[0]};
        break;
    case JointKind::cylindrical:  // s, phi
        m.R_12 = rotation_matrix(link.axis[0], q[1]);
        m.r_12 = link.axis[0] * q[0];
        m.columns[0] = {Vec3::Zero(), link.axis[0]};
        m.columns[1] = {link.axis[0], Vec3::Zero()};
        m.rate = {link.axis[0] * v[1], link.axis[0] * v[0]};
        break;
    case JointKind::universal: {  // axis[0] is fixed in frame 1, axis[1] in frame 2
        const Mat3 R1 = rotation_matrix(link.axis[0], q[0]);
        const Vec3 second = R1 * link.axis[1];
        m.R_12 = R1 * rotation_matrix(link.axis[1], q[1]);
        m.columns[0] = {link.axis[0], Vec3::Zero()};
        m.columns[1] = {second, Vec3::Zero()};
        m.rate = {link.axis[0] * v[0] + second * v[1], Vec3::Zero()};
        m.bias_w = link.axis[0].cross(second) * (v[0] * v[1]);  // the second axis is carried by the first turn
        break;
    }
    case JointKind::planar:  // s1, s2 along axis[0], axis[1], phi about axis[2]
        m.R_12 = rotation_matrix(link.axis[2], q[2]);
        m.r_12 = link.axis[0] * q[0] + link.axis[1] * q[1];
        m.columns[0] = {Vec3::Zero(), link.axis[0]};
        m.columns[1] = {Vec3::Zero(), link.axis[1]};
        m.columns[2] = {link.axis[2], Vec3::Zero()};
        m.rate = {link.axis[2] * v[2], link.axis[0] * v[0] + link.axis[1] * v[1]};
        break;
    case JointKind::spherical:
        m.R_12 = quaternion_of(q).normalized().toRotationMatrix();
        m.rate = {m.R_12 * Vec3{v[0], v[1], v[2]}, Vec3::Zero()};
        for (int i = 0; i < 3; ++i) m.columns[i] = {m.R_12.col(i), Vec3::Zero()};
        break;
    case JointKind::free:
        m.R_12 = quaternion_of(q + 3).normalized().toRotationMatrix();
        m.r_12 = {q[0], q[1], q[2]};
        m.rate = {m.R_12 * Vec3{v[3], v[4], v[5]}, Vec3{v[0], v[1], v[2]}};
        for (int i = 0; i < 3; ++i) {
            m.columns[i] = {Vec3::Zero(), Vec3::Unit(i)};
            m.columns[3 + i] = {m.R_12.col(i), Vec3::Zero()};
        }
        break;
    }
}

// q' = N(q) v of one joint. A quaternion's rate is linear in it, so that its length does not matter to the rotation and
// need not be controlled: joint_motion normalises, restarts do so for good.
inline void coordinate_rates(JointKind kind, const double* q, const double* v, double* dq) {
    const auto quaternion_rate = [](const double* p, const double* w, double* dp) {
        dp[0] = 0.5 * (w[0] * p[3] - w[1] * p[2] + w[2] * p[1]);
        dp[1] = 0.5 * (w[1] * p[3] - w[2] * p[0] + w[0] * p[2]);
        dp[2] = 0.5 * (w[2] * p[3] - w[0] * p[1] + w[1] * p[0]);
        dp[3] = -0.5 * (w[0] * p[0] + w[1] * p[1] + w[2] * p[2]);
    };
    switch (kind) {
    case JointKind::revolute:
    case JointKind::prismatic: dq[0] = v[0]; break;
    case JointKind::universal:
    case JointKind::cylindrical: dq[0] = v[0], dq[1] = v[1]; break;
    case JointKind::planar: dq[0] = v[0], dq[1] = v[1], dq[2] = v[2]; break;
    case JointKind::spherical: quaternion_rate(q, v, dq); break;
    case JointKind::free:
        dq[0] = v[0], dq[1] = v[1], dq[2] = v[2];
        quaternion_rate(q + 3, v + 3, dq + 3);
        break;
    }
}

}  // namespace tactus::systems
