// The elastic response where two solids touch, the thesis, eq. (7.1) to (7.13): Hertz' stiffness with damping that follows from
// the coefficient of restitution, friction against sliding, and a torque against relative turning.
#pragma once

#include <tactus/engine/contact_law.hpp>
#include <tactus/engine/materials/material.hpp>
#include <tactus/engine/math.hpp>

#include <Eigen/Core>

#include <limits>

namespace tactus::systems {

// (7.4): |v|, but never below v_min / 3; with continuous first and second derivatives.
double regularized(double v, double v_min);

// What stays the same for a pair of solids.
struct ContactConstants {
    double stiffness = 0.0;           // [N/m^1.5] 4/3 E* sqrt(R_geo), times the reduction factor
    double radius = 0.0;              // [m] R_geo
    double restitution = 0.0;         // [1]
    double friction = 0.0;            // [1] mu_k
    double resistance = 0.0;          // [1] mu_r
    double v_small = 0.01;            // [m/s]
    double w_small = 0.01;            // [rad/s]
    double hold_time = 0.0;           // [s] 0: friction does not hold
    double maximum_damping = 2000.0;  // [s/m]
    ContactLaw law = ContactLaw::Flores;
};

// (7.1), (7.2). Young's moduli [Pa] and Poisson's ratios of the two, R_geo [m], and k_red.
double hertz_stiffness(double E1, double nu1, double E2, double nu2, double radius, double reduction = 1.0);

// Damping d [s/m] of a contact that starts with this speed of approach [m/s] >= 0. Flores: (7.11) to (7.13). Exact: with
// a = d v the restitution e that comes out solves (1 + e) a = ln((1 + a) / (1 - a e)), so a is found for the e that was
// asked for; e and v are regularised as in (7.11), (7.12).
double contact_damping(const ContactConstants& constants, double v_start);

// a of the equation above, for 0 < e <= 1.
double exact_damping_number(double e);

// How a contact is damped. What was decided at its start holds for impacts up to the speed that it started with. An impact
// that reaches solids which touch already (a chain of balls) shows in v_E, the speed that the two would have if they gave
// back what is stored between them:
//
//   v_E^2 = p'^2 + 0.8 K p^2.5 / m,   1 / m = inverse_mass
//
// It is the impact speed all the time if nothing is lost. As soon as v_E^2 exceeds that of the start by more than v_small^2
// (less is no impact but a load), d is that of an impact with the speed sqrt(v_E^2 - v_small^2).
struct ContactDamping {
    double d = 0.0;                                          // [s/m] decided at the start
    double speed = std::numeric_limits<double>::infinity();  // [m/s] of the start; infinity: d holds for all impacts
    double inverse_mass = 0.0;  // [1/kg] of the pair at the contact point, along the normal
    double depth = std::numeric_limits<double>::infinity();  // [m] beyond it the elastic force does not grow any more

    ContactDamping() = default;
    ContactDamping(double fixed) : d{fixed} {}
};

// That of a contact which starts with this speed of approach [m/s] and penetration [m]. If more is stored in it than its
// approach could have brought, the two were put into each other. They part with v_out = penetration / 0.1 s at most, and
// never faster than 1 m/s: d = 1 / v_out, if that is less than what a contact at rest has. Deep inside the elastic force is
// what accelerates the two to 1 m/s within 10 us, so that steel can be computed like rubber.
ContactDamping damping_at_start(const ContactConstants& constants, double speed, double penetration,
                                double inverse_mass);

// d [s/m] now, and how it changes with v_E^2 [s^3/m^3].
struct DampingNow {
    double d = 0.0, by_square = 0.0;
};
DampingNow damping_now(const ContactConstants& constants, const ContactDamping& damping, const ContactMotion& motion);

// What friction remembers, so that it holds: s, along the face (world axes) and about its normal.
//
// Sliding and spinning on a face are one motion w = (slip, radius spin), and friction is -mu f F with
//
//   F = D(w + v_small s),   D(z) = z / regularized(|z|)
//   s' = (w - |F|^8 |w| s) / ((v_small + |w|) hold_time), and s turns with the two solids
//
// Without a memory s this is the regularised law, which lets everything creep that it holds. While solids stick, s is a spring
// that the way w is stretches; what sticks under a steady load stands still, with D(v_small s) = F. The limit |F| <= 1 holds
// at every instant, and the spring gives way there (Dahl 1968, with a damper in parallel). What slides faster than v_small
// does not notice: F has the direction of w.
using Grip = Eigen::Vector4d;

// (7.3)
ContactForce contact_force(const ContactConstants& constants, const ContactDamping& damping,
                           const ContactMotion& motion, const Grip& held = Grip::Zero());

// [1/s] s' if the two solids turn about the normal with this mean speed [rad/s].
Grip grip_rate(const ContactConstants& constants, const ContactMotion& motion, const Grip& held, double turning);

// Derivatives of force and torque: by the penetration (of the elastic force only), by the velocity, by the spin.
struct ContactSlopes {
    Vec3 force_by_depth = Vec3::Zero(), torque_by_depth = Vec3::Zero();        // [N/m], [N]
    Mat3 force_by_velocity = Mat3::Zero(), torque_by_velocity = Mat3::Zero();  // [N s/m], [N s]
    Mat3 force_by_spin = Mat3::Zero(), torque_by_spin = Mat3::Zero();          // [N s], [N m s]
    // Of the memory of friction, set only if it has one: the wrench (torque, force) by it, its rate by the speeds (spin,
    // velocity), and its decay.
    Eigen::Matrix<double, 6, 4> wrench_by_grip;
    Eigen::Matrix<double, 4, 6> rate_by_speed;
    double decay = 0.0;  // [1/s]
};
ContactSlopes contact_slopes(const ContactConstants& constants, const ContactDamping& damping,
                             const ContactMotion& motion, const Grip& held = Grip::Zero());

// The same for a law of the host's, by differences.
ContactSlopes contact_slopes(const UserContactLaw& law, const ContactStart& start, const ContactMotion& motion);

// [N] without damping, for a rate of 1.
double elastic_force(const ContactConstants& constants, const ContactDamping& damping, double penetration);

// [J] stored in the contact: the integral of the undamped force, which does not grow beyond the depth.
double contact_energy(const ContactConstants& constants, double penetration,
                      double depth = std::numeric_limits<double>::infinity());

}  // namespace tactus::systems
