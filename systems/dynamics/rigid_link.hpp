// One link as a rigid body at its own origin, world axes.
#pragma once

#include <tactus/engine/spatial.hpp>
#include <tactus/systems/kinematics/kinematics.hpp>

namespace tactus::systems {

inline SpatialInertia rigid_inertia(const Link& link, const LinkMotion& B) {
    SpatialInertia I;
    const Vec3 mc = link.mass * B.com_W;
    I.A = B.inertia_W - mc * B.com_W.transpose();
    I.A.diagonal().array() += mc.dot(B.com_W);
    I.B = skew(mc);
    I.C = link.mass * Mat3::Identity();
    return I;
}

// What it takes to keep a link from accelerating while it moves as it does: gyroscopic and centrifugal.
inline Wrench velocity_wrench(const Link& link, const LinkMotion& B) {
    const Vec3& w = B.velocity.w;
    const Vec3 f = link.mass * w.cross(w.cross(B.com_W));
    return {w.cross(B.inertia_W * w) + B.com_W.cross(f), f};
}

// Wrench at the origin that gives the link this acceleration.
inline Wrench inertia_wrench(const Link& link, const LinkMotion& B, const Twist& a) {
    const Vec3& w = B.velocity.w;
    const Vec3 f = link.mass * (a.v + a.w.cross(B.com_W) + w.cross(w.cross(B.com_W)));
    return {B.inertia_W * a.w + w.cross(B.inertia_W * w) + B.com_W.cross(f), f};
}

}  // namespace tactus::systems
