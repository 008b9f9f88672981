// An ellipsoid whose axes of inertia are turned against its shape: spun one way it rattles, stops, and turns back.
#pragma once

#include <tactus/engine/world.hpp>

namespace scenes {

struct Rattleback {
    double spin = 5.0;  // [rad/s] about the vertical
    double skew = 5.0;  // [degrees] between the axes of inertia and those of the shape
    double tolerance = 1e-5;
};

// Objects "ground" and "rattleback", of the sizes of the published scenario.
tactus::Entity rattleback(tactus::World& world, const Rattleback& options = {});

}  // namespace scenes
