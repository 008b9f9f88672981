// Drives: one-dimensional parts that act on joints. A flange is a joint with one degree of freedom, a RotorInertia or
// SlidingMass, or nothing at all: the ground. Quantities are rotational or translational as the flange is.
#pragma once

#include <tactus/components/entity.hpp>

#include <string>
#include <variant>
#include <vector>

namespace tactus {

struct Damper {  // tau = d (w2 - w1)
    Ref flange1, flange2;
    double d = 0.0;  // [N m s/rad] or [N s/m]
    bool operator==(const Damper&) const = default;
};

struct LinearSpring {  // tau = c (phi2 - phi1 - rest)
    Ref flange1, flange2;
    double c = 0.0;     // [N m/rad] or [N/m]
    double rest = 0.0;  // [rad] or [m]
    bool operator==(const LinearSpring&) const = default;
};

// Rotors and sliding masses have a degree of freedom of their own, unless a Gear couples them to a joint: then they follow
// it from the start. They act along that degree of freedom only, not on what their bearings are fixed to.
struct RotorInertia {      // a flange of its own
    double inertia = 0.0;  // [kg m^2]
    double phi = 0.0;      // [rad] initial
    double w = 0.0;        // [rad/s] initial
    bool operator==(const RotorInertia&) const = default;
};

struct SlidingMass {    // a flange of its own
    double mass = 0.0;  // [kg]
    double s = 0.0;     // [m] initial
    double v = 0.0;     // [m/s] initial
    bool operator==(const SlidingMass&) const = default;
};

struct Gear {  // phi1 = ratio phi2, without loss and play: what is behind it has no states of its own
    Ref flange1, flange2;
    double ratio = 1.0;
    bool operator==(const Gear&) const = default;
};

struct Ramp {                           // from offset by `height` within `duration`, from start_time on
    double offset = 0.0, height = 0.0;  // [rad] or [m]
    double start_time = 0.0;            // [s]
    double duration = 1.0;              // [s]
    bool operator==(const Ramp&) const = default;
};

struct PathColumn {    // the running reference of one joint of a path
    std::string path;  // name of a ReferencePath
    int column = 1;    // from 1
    bool operator==(const PathColumn&) const = default;
};

struct GivenMotion {       // a function of the host's
    std::string function;  // name, see World::set_function: t [s] -> (position, velocity, acceleration)
    bool operator==(const GivenMotion&) const = default;
};

using Reference = std::variant<Ramp, PathColumn, GivenMotion>;

// Motor behind a gear with a cascaded controller, i = gear_ratio, flange coordinate phi and rate w:
// u = position_gain (i ref - i phi) - i w;  dx/dt = u / integral_time;  tau_motor = gain (x + u);
// flange torque = i (tau_motor - motor_inertia i dw/dt).
struct Servo {
    Ref flange;
    Reference reference;
    double gear_ratio = 1.0;
    double motor_inertia = 0.0;   // [kg m^2] or [kg]
    double position_gain = 50.0;  // [1/s]
    double gain = 0.1;            // [N m s/rad] or [N s/m]
    double integral_time = 1.0;   // [s]
    double x = 0.0;               // initial state of the integrator
    bool operator==(const Servo&) const = default;
};

// Spring and damper to a reference r that moves: tau = stiffness (r - phi) + damping (dr/dt - w) + inertia d2r/dt2.
struct PdDrive {
    Ref flange;
    Reference reference;
    double stiffness = 0.0;  // [N m/rad] or [N/m]
    double damping = 0.0;    // [N m s/rad] or [N s/m]
    double inertia = 0.0;    // [kg m^2] or [kg] moved by feed-forward; nothing of it moves here
    bool operator==(const PdDrive&) const = default;
};

// The flange follows the reference exactly, whatever that takes: its joint has no states. No Ramp: its speed jumps.
struct PrescribedMotion {
    Ref flange;
    Reference reference = PathColumn{};
    bool operator==(const PrescribedMotion&) const = default;
};

using DriveType = std::variant<Damper, LinearSpring, RotorInertia, SlidingMass, Gear, Servo, PdDrive, PrescribedMotion>;

// Written by World.
struct Drive {
    DriveType type;
};

// What a drive follows, if it follows anything.
inline const Reference* reference_of(const DriveType& drive) {
    return std::visit(
        []<class T>(const T& d) -> const Reference* {
            if constexpr (requires { d.reference; }) return &d.reference;
            return nullptr;
        },
        drive);
}
inline const PathColumn* path_column(const DriveType& drive) {
    const Reference* reference = reference_of(drive);
    return reference ? std::get_if<PathColumn>(reference) : nullptr;
}

// Reference motion of several joints from point to point. Written by World.
struct ReferencePath {
    std::vector<double> position;             // [rad] or [m] initial, one for each column
    std::vector<double> v_max;                // [rad/s] or [m/s]
    std::vector<double> a_max;                // [rad/s^2] or [m/s^2]
    std::vector<std::vector<double>> points;  // via points followed from the start; actions can add more
    bool operator==(const ReferencePath&) const = default;
};

}  // namespace tactus
