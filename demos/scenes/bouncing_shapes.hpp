// Shapes of every kind that are thrown on a plate (the thesis, appendix B).
#pragma once

#include <tactus/engine/world.hpp>

#include <vector>

namespace scenes {

struct BouncingShapes {
    double height = 1.2;       // [m] of the lowest of them
    double spin = 0.4;         // factor on their angular velocities
    double restitution = 0.6;  // [1] between the shapes, and with the plate
    double friction = 0.3;     // [1] likewise
    double tolerance = 1e-4;
};

// Objects "plate", "ellipsoid", "capsule", "beam", "cone", "frustum", "cylinder".
std::vector<tactus::Entity> bouncing_shapes(tactus::World& world, const BouncingShapes& options = {});

}  // namespace scenes
