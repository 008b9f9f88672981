// Contact laws of the host's: what acts where two solids touch, from how they touch and move.
#pragma once

#include <tactus/engine/math.hpp>

#include <functional>
#include <map>
#include <string>
#include <utility>

namespace tactus {

struct ContactMotion {
    double penetration = 0.0;      // [m] > 0
    Vec3 normal = Vec3::Zero();    // from the first to the second
    Vec3 velocity = Vec3::Zero();  // [m/s] of the second's contact point against the first's
    Vec3 spin = Vec3::Zero();      // [rad/s] of the second against the first
    double rate = 1.0;  // [1] by how much the penetration grows as they approach by 1 at the contact point: 1 or, where
                        // edges and faces touch, a little more
    double pitch =
        0.0;  // [m] torque about the normal for each newton along it: only where the middles of two solids cross
    Mat3 spread =
        Mat3::Zero();       // [m^2] mean of r r^T over the touching edge or face, r from the contact point; 0: a point
    double gyration = 0.0;  // [m] radius of gyration of that, sqrt(trace) but for what rounding makes of a point

    // [m/s] how fast the two part: against it the penetration grows, times `rate`.
    double separating() const { return velocity.dot(normal) + (pitch == 0.0 ? 0.0 : pitch * spin.dot(normal)); }
};

struct ContactForce {
    double normal_force = 0.0;   // [N] >= 0: they never pull
    Vec3 force = Vec3::Zero();   // [N] on the second, at the contact point; the first feels the opposite
    Vec3 torque = Vec3::Zero();  // [N m] on the second, likewise
    double dissipation = 0.0;    // [W] by damping, friction and resistance
};

// What the host's law is told besides the motion.
struct ContactStart {
    double impact_speed = 0.0;  // [m/s] with which the two approached each other when they touched
    double radius = 0.0;        // [m] of a sphere on a plane that touches as they do (the thesis, Table 7.2)
};

// A law must be continuous, zero at zero penetration, and depend on its arguments only. `energy` [J] is what is stored at a
// penetration; without it everything counts as dissipated or given back by `dissipation`.
struct UserContactLaw {
    std::function<ContactForce(const ContactMotion&, const ContactStart&)> force;
    std::function<double(double penetration, const ContactStart&)> energy = {};
};

using ContactLaws = std::map<std::pair<std::string, std::string>, UserContactLaw>;  // names of materials, in order

}  // namespace tactus
