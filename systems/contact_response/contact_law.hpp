// The elastic response where two solids touch, seed 000 eq. (7.1) to (7.13): Hertz' stiffness with damping that follows from
// the coefficient of restitution, friction against sliding, and a torque against relative turning.
#pragma once

#include <tactus/engine/contact_law.hpp>
#include <tactus/engine/materials/material.hpp>
#include <tactus/engine/math.hpp>

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

// (7.3)
ContactForce contact_force(const ContactConstants& constants, double damping, const ContactMotion& motion);

// Derivatives of force and torque: by the penetration, by the velocity, by the spin.
struct ContactSlopes {
    Vec3 force_by_depth = Vec3::Zero(), torque_by_depth = Vec3::Zero();        // [N/m], [N]
    Mat3 force_by_velocity = Mat3::Zero(), torque_by_velocity = Mat3::Zero();  // [N s/m], [N s]
    Mat3 torque_by_spin = Mat3::Zero();                                        // [N m s]
};
ContactSlopes contact_slopes(const ContactConstants& constants, double damping, const ContactMotion& motion);

// The same for a law of the host's, by differences.
ContactSlopes contact_slopes(const UserContactLaw& law, const ContactStart& start, const ContactMotion& motion);

// [J] stored in the contact: the integral of the undamped force.
double contact_energy(const ContactConstants& constants, double penetration);

}  // namespace tactus::systems
