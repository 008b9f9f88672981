// Spheres that are dropped into a bin and come to rest on each other.
#pragma once

#include <tactus/engine/world.hpp>

#include <vector>

namespace scenes {

// The bin stands on the origin, z up; its width follows the number of spheres (10 cm each), so that the pile is about as
// high as it is wide.
std::vector<tactus::Entity> pile(tactus::World& world, int spheres, double tolerance = 1e-3);

}  // namespace scenes
