// A spinning ellipsoid that falls on a large fixed ball and bounces off it (the thesis, figure B.6).
#pragma once

#include <tactus/engine/world.hpp>

namespace scenes {

struct EllipsoidOnSphere {
    double spin = 1.0;    // factor on the angular velocity
    double offset = 0.0;  // [m] sideways, from above the middle
    double tolerance = 1e-6;
};

// Objects "globe", "ellipsoid", and "dish" with four walls "fence1" .. "fence4", which catch it.
tactus::Entity ellipsoid_on_sphere(tactus::World& world, const EllipsoidOnSphere& options = {});

}  // namespace scenes
