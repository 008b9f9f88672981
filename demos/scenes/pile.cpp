#include "demos/scenes/pile.hpp"

#include "demos/scenes/parts.hpp"

#include <algorithm>
#include <cmath>
#include <string>

namespace scenes {

using namespace tactus;

std::vector<Entity> pile(World& world, int spheres, double tolerance) {
    constexpr double diameter = 0.1, spacing = 0.11;  // [m]
    const int side = std::max(2, static_cast<int>(std::ceil(std::cbrt(spheres))));
    const double inside = side * spacing + 0.02, wall = 0.1, height = 2.0 * inside;

    world.scene({.gravity = {0, 0, -9.81}, .nominal_length = diameter});
    world.set_simulation({.stop_time = 2.0, .tolerance = tolerance, .interval = 0.01});
    add_bin(world, inside, height, wall, "DryWood");

    std::vector<Entity> all;
    for (int i = 0; i < spheres; ++i) {
        const int layer = i / (side * side), row = i / side % side, column = i % side;
        // Layers are shifted a little against each other, else the spheres would balance on one another.
        const double shift = 0.3 * (spacing - diameter) * std::sin(2.4 * layer), turn = 1.7 * layer;
        all.push_back(world.add({.name = "sphere" + std::to_string(i),
                                 .parent = "world",
                                 .free = true,
                                 .translation = {(column - 0.5 * (side - 1)) * spacing + shift * std::cos(turn),
                                                 (row - 0.5 * (side - 1)) * spacing + shift * std::sin(turn),
                                                 0.5 * diameter + 0.05 + layer * spacing},
                                 .shape = Sphere{diameter},
                                 .material = "DryWood",
                                 .collidable = true}));
    }
    return all;
}

}  // namespace scenes
