// Orbit: a camera that looks at a point from a distance; z is up.
#pragma once

#include "demos/app/gpu_mesh.hpp"
#include "demos/demo.hpp"

#include <algorithm>
#include <cmath>

namespace demos::app {

struct Orbit {
    tactus::Vec3 target = tactus::Vec3::Zero();            // [m]
    double distance = 5.0, longitude = 0, latitude = 0.3;  // [m], [rad] of the eye, seen from the target
    double angle = 32.0;                                   // [degrees] from the lower to the upper edge

    static Orbit of(const View& view) {
        const tactus::Vec3 d = view.eye - view.target;
        return {view.target, d.norm(), std::atan2(d.y(), d.x()), std::asin(d.z() / d.norm()), view.angle};
    }
    tactus::Vec3 direction() const {
        return {std::cos(latitude) * std::cos(longitude), std::cos(latitude) * std::sin(longitude), std::sin(latitude)};
    }
    tactus::Vec3 eye() const { return target + distance * direction(); }
    tactus::Vec3 right() const { return {-std::sin(longitude), std::cos(longitude), 0}; }
    tactus::Vec3 up() const { return direction().cross(right()); }

    void turn(double dx, double dy) {  // [rad]
        longitude -= dx;
        latitude = std::clamp(latitude + dy, -1.5, 1.5);
    }
    // The eye does not go below a floor [m], unless what it looks at is there.
    void stay_above(double floor) {
        const double lowest = std::min(0.0, (floor - target.z()) / distance + 0.02);
        latitude = std::max(latitude, std::asin(std::clamp(lowest, -1.0, 1.0)));
    }
    void pan(double dx, double dy) { target += distance * (-dx * right() + dy * up()); }  // shares of the distance
    void zoom(double factor) { distance = std::clamp(distance * factor, 0.02, 500.0); }

    // A narrow picture sees as much from side to side as one of 16:9 does.
    Camera3D camera(int width, int height) const {
        const double aspect = static_cast<double>(width) / std::max(1, height), wide = 16.0 / 9.0;
        const double half = std::tan(angle * 3.14159265358979 / 360.0) * std::max(1.0, wide / aspect);
        return {to_raylib(eye()),
                to_raylib(target),
                {0, 0, 1},
                static_cast<float>(std::atan(half) * 360.0 / 3.14159265358979),
                CAMERA_PERSPECTIVE};
    }
};

}  // namespace demos::app
