// Where an Object3D is fixed on the links of a tree, and how it moves with them.
#pragma once

#include <tactus/components/super_object.hpp>
#include <tactus/systems/kinematics/kinematics.hpp>

namespace tactus::systems {

struct Attachment {
    int link = 0;
    Pose X_BM;  // the object M in the link's frame
    Mat3 R_BM = Mat3::Identity();
};

struct PointMotion {
    Vec3 r_W;  // [m] from the link's origin
    Vec3 p_W;  // [m]
    Vec3 v_W, w_W;
};

inline Attachment attachment(const entt::registry& registry, const Tree& tree, Entity object) {
    const auto& member = registry.get<MemberOf>(object);
    return {tree.index_of(member.root), member.X_RB, member.X_RB.R()};
}

inline PointMotion point_motion(const Attachment& a, const TreeMotion& motion) {
    const LinkMotion& B = motion.links[static_cast<std::size_t>(a.link)];
    const Vec3 r = B.R_WB * a.X_BM.p;
    return {r, B.p_W + r, B.velocity.v + B.velocity.w.cross(r), B.velocity.w};
}

inline Mat3 axes_W(const Attachment& a, const TreeMotion& motion) {
    return motion.links[static_cast<std::size_t>(a.link)].R_WB * a.R_BM;
}

}  // namespace tactus::systems
