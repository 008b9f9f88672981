// A row of dominoes that a ball knocks over.
#pragma once

#include <tactus/engine/world.hpp>

#include <vector>

namespace scenes {

// Along x on a floor, 3 cm from one to the next, each 1 x 4 x 8 cm. The ball comes first.
std::vector<tactus::Entity> dominoes(tactus::World& world, int count, double tolerance = 1e-4);

}  // namespace scenes
