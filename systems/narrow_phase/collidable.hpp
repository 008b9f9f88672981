// Collidables: the solids that may touch, as flat arrays, and where they are at an instant.
#pragma once

#include <tactus/engine/mpr/signed_distance.hpp>
#include <tactus/engine/workers.hpp>
#include <tactus/systems/kinematics/kinematics.hpp>

#include <cstdint>
#include <span>
#include <vector>

namespace tactus::systems {

struct Collidable {
    Entity object = entt::null;
    std::uint32_t link = 0;  // of the tree; 0 does not move
    CollisionShape shape;
    Frame X_BM;          // axes M of the Object3D in the link's frame
    bool offset = true;  // which is another frame
    int round_axis =
        -1;  // 0, 1, 2: a solid of revolution about this axis of M, which goes through its centroid; -1: none
    bool jointed = false;   // its link hangs on a joint, or on another link
    double orbit = 0.0;     // [m] of the centroid from the link's origin
    double from_axis = -1;  // [m] of the centroid from the axis of the link's revolute joint; -1: the joint is none
    double leverage = 0.0;  // [m] greatest speed of approach that turning with 1 rad/s about the centroid can give

    void belong_to(const Link& carrier);  // what depends on the link's joint, and on X_BM
};

// Of the super-objects of this tree: its links in order, the world first; in each in the order of the structure.
std::vector<Collidable> build_collidables(const entt::registry& registry, Entity world, const Tree& tree);

// One collidable at one instant. World axes.
struct Placed {
    Frame X_WM;
    Vec3 center = Vec3::Zero();    // [m] centroid
    Vec3 velocity = Vec3::Zero();  // [m/s] of the centroid
    Vec3 spin = Vec3::Zero();      // [rad/s]
    Vec3 tilting = Vec3::Zero();   // [rad/s] spin, without what turns a solid of revolution about its own axis
    double turning = 0.0;          // [rad/s] see LinkMotion; likewise the next
    double carrying = 0.0;
};

// placed[i] belongs to collidables[i]. Those of the world are placed once, with `all`.
void place(std::span<const Collidable> collidables, const TreeMotion& motion, bool all, Workers& workers,
           std::span<Placed> placed);

// Written where it stays: a copy would wait until all of it has reached the memory.
inline void frame_of(const Collidable& c, const LinkMotion& B, Frame& X_WM) {
    if (!c.offset) {
        X_WM.R = B.R_WB;
        X_WM.p = B.p_W;
        return;
    }
    X_WM.R.noalias() = B.R_WB * c.X_BM.R;
    X_WM.p.noalias() = B.R_WB * c.X_BM.p;
    X_WM.p += B.p_W;
}
inline Frame frame_of(const Collidable& c, const LinkMotion& B) {
    Frame X_WM;
    frame_of(c, B, X_WM);
    return X_WM;
}

inline void place(const Collidable& c, const LinkMotion& B, Placed& p) {
    frame_of(c, B, p.X_WM);
    p.center.noalias() = p.X_WM.R * c.shape.centroid;
    p.center += p.X_WM.p;
    p.velocity = B.velocity.v + B.velocity.w.cross(p.center - B.p_W);
    p.spin = B.velocity.w;
    p.tilting = B.velocity.w;
    if (c.round_axis >= 0) {
        const Vec3 axis = p.X_WM.R.col(c.round_axis);
        p.tilting -= axis.dot(p.spin) * axis;
    }
    p.turning = B.turning;
    p.carrying = B.carrying;
}

}  // namespace tactus::systems
