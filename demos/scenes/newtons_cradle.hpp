// Newton's cradle: equal balls on wires that nearly touch.
#pragma once

#include <tactus/engine/world.hpp>

#include <vector>

namespace scenes {

struct NewtonsCradle {
    int balls = 5;
    int lifted = 1;      // of them, at the left
    double angle = 0.8;  // [rad] by which they are lifted
    double gap = 2e-4;   // [m] between balls that hang
    double restitution = 1.0;
    double tolerance = 1e-6;
};

inline constexpr double cradle_ball_diameter = 0.05, cradle_wire = 0.2;  // [m]

// Balls "ball0", ... from left to right along y, and their joints "hinge0", ...; a frame that only is seen. The floor is
// at z = 0. Gives the joints back.
std::vector<tactus::Entity> newtons_cradle(tactus::World& world, const NewtonsCradle& options = {});

}  // namespace scenes
