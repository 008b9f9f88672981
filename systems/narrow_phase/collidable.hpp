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
    Frame X_BM;             // axes M of the Object3D in the link's frame
    bool jointed = false;   // its link hangs on a joint, or on another link
    double orbit = 0.0;     // [m] of the centroid from the link's origin
    double leverage = 0.0;  // [m] greatest speed of approach that turning with 1 rad/s about the centroid can give
};

// Of the super-objects of this tree: its links in order, the world first; in each in the order of the structure.
std::vector<Collidable> build_collidables(const entt::registry& registry, Entity world, const Tree& tree);

// One collidable at one instant. World axes.
struct Placed {
    Frame X_WM;
    Vec3 center = Vec3::Zero();    // [m] centroid
    Vec3 velocity = Vec3::Zero();  // [m/s] of the centroid
    Vec3 spin = Vec3::Zero();      // [rad/s]
    double turning = 0.0;          // [rad/s] see LinkMotion
};

// placed[i] belongs to collidables[i]. Those of the world are placed once, with `all`.
void place(std::span<const Collidable> collidables, const TreeMotion& motion, bool all, Workers& workers,
           std::span<Placed> placed);

inline Placed place(const Collidable& c, const LinkMotion& B) {
    Placed p;
    p.X_WM.R.noalias() = B.R_WB * c.X_BM.R;
    p.X_WM.p.noalias() = B.R_WB * c.X_BM.p;
    const Vec3 r = p.X_WM.p + p.X_WM.R * c.shape.centroid;
    p.X_WM.p += B.p_W;
    p.center = B.p_W + r;
    p.velocity = B.velocity.v + B.velocity.w.cross(r);
    p.spin = B.velocity.w;
    p.turning = B.turning;
    return p;
}

}  // namespace tactus::systems
