// Kinematics: from coordinates and speeds to poses, velocities and accelerations of the links, parents first. World axes.
#pragma once

#include <tactus/engine/spatial.hpp>
#include <tactus/engine/workers.hpp>
#include <tactus/systems/kinematics/tree.hpp>

#include <span>
#include <vector>

namespace tactus::systems {

// Of one link at one instant. Written by compute_motion.
struct LinkMotion {
    Mat3 R_WB = Mat3::Identity();
    Vec3 p_W = Vec3::Zero();  // [m] origin
    Vec3 r_W = Vec3::Zero();  // [m] origin as seen from the parent's origin: never a difference of absolute positions
    Twist velocity;           // of the origin
    double turning = 0.0;     // [rad/s] speeds at which all joints up to here turn, added up: nothing turns faster
    double carrying = 0.0;    // [rad/s] the same without its own joint
    Twist bias;  // its acceleration beyond that of the parent's frame while the joint's speeds are constant
    Vec3 com_W = Vec3::Zero();      // [m] centre of mass from the origin
    Mat3 inertia_W = Mat3::Zero();  // [kg m^2] about the centre of mass
};

struct TreeMotion {
    std::vector<LinkMotion> links;
    std::vector<Twist> columns;  // motion of the link per unit of each speed

    void resize(const Tree& tree);
    std::span<const Twist> columns_of(const Link& link) const {
        return {columns.data() + link.v0, static_cast<std::size_t>(speeds(link.kind))};
    }
};

// Everything at the level of positions and velocities.
void compute_motion(const Tree& tree, std::span<const double> q, std::span<const double> v, TreeMotion& motion);
void compute_motion(const Tree& tree, std::span<const double> q, std::span<const double> v, TreeMotion& motion,
                    Workers& workers);

// Of one link whose parent's motion is known.
void compute_link(const Tree& tree, std::span<const double> q, std::span<const double> v, std::size_t link,
                  TreeMotion& motion);

// dq = N(q) v of what is integrated
void coordinate_rates(const Tree& tree, std::span<const double> q, std::span<const double> v, std::span<double> dq);

// Accelerations of the links' origins from those of the joints.
void compute_accelerations(const Tree& tree, const TreeMotion& motion, std::span<const double> dv,
                           std::span<Twist> accelerations);

}  // namespace tactus::systems
