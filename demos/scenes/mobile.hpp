// A mobile: a tree of bars, each hung by a thread on the end of the one above.
#pragma once

#include <tactus/engine/world.hpp>

#include <vector>

namespace scenes {

struct Mobile {
    int levels = 4;         // of bars: 2^levels - 1 of them, with as many ornaments at the lowest ends and one more
    double push = 1.2;      // [rad/s] about the vertical, of the uppermost bar; the levels below turn the other way
    double damping = 2e-4;  // [N m s/rad] of each joint
    double tolerance = 1e-5;
};

// Bars are "bar" with a path of l and r, e.g. "bar", "barl", "barlr"; ornaments "ornamentlrl". It hangs from (0, 0, 2).
// Gives the bars back.
std::vector<tactus::Entity> mobile(tactus::World& world, const Mobile& options = {});

}  // namespace scenes
