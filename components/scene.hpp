// Scene: the feature of the one Object3D that is the world (the inertial frame W, root of all others).
#pragma once

#include <tactus/engine/math.hpp>

#include <limits>
#include <string>
#include <variant>

namespace tactus {

struct NoGravity {
    bool operator==(const NoGravity&) const = default;
};

struct UniformGravity {
    Vec3 acceleration{0, 0, -9.81};  // [m/s^2] in W axes
    bool operator==(const UniformGravity&) const = default;
};

struct PointGravity {           // attraction to the world's origin: -mu r / |r|^3 at the centre of mass
    double mu = 3.98591196e14;  // [m^3/s^2] gravitational constant times mass; the default is the earth's
    bool operator==(const PointGravity&) const = default;
};

struct Gravity : std::variant<UniformGravity, NoGravity, PointGravity> {
    using variant::variant;
    Gravity() = default;
    Gravity(double x, double y, double z) : variant{UniformGravity{{x, y, z}}} {}
};

struct Camera {                             // where a viewer starts; angles around the up axis (against gravity)
    double distance = 10.0;                 // [m]
    double longitude = 0.5235987755982988;  // [rad]
    double latitude = 0.2617993877991494;   // [rad]
    bool operator==(const Camera&) const = default;
};

// Written by World::scene and World::change_scene.
struct Scene {
    std::string name = "world";  // of its Object3D
    Gravity gravity;
    bool contact_detection = true;
    double elastic_contact_reduction_factor = 1.0;  // multiplies every contact stiffness
    double maximum_contact_damping = 2000.0;        // [s/m] upper limit of the damping of a contact
    double mpr_tolerance = 1e-20;                   // termination tolerance of the narrow phase
    int mpr_iter_max = 120;
    double gap = 0.001;           // [m] distance up to which lockables can be attached
    double nominal_length = 1.0;  // [m] size of what is modelled; scales drawing
    double frame_length = 0.0;    // [m] of drawn coordinate systems; 0: a fifth of nominal_length
    bool show_frames = false, show_bounding_boxes = false, show_contact_points = false, show_support_points = false;
    Camera camera;

    bool operator==(const Scene&) const = default;
};

}  // namespace tactus
