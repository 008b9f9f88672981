// Knucklebones: concave bodies that are made of convex mesh parts, rigidly connected.
#pragma once

#include <tactus/engine/world.hpp>

#include <vector>

namespace scenes {

struct Jacks {
    int jacks = 4;
    double tolerance = 1e-3;
};

// Bodies "jack0", ... each of six spikes with a convex mesh of its own, thrown into a tray. Gives the jacks back.
std::vector<tactus::Entity> jacks(tactus::World& world, const Jacks& options = {});

}  // namespace scenes
