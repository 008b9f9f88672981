#include "demos/scenes/rain.hpp"

#include "demos/scenes/parts.hpp"

#include <algorithm>
#include <cmath>
#include <random>

namespace scenes {

using namespace tactus;

namespace {

constexpr double spacing = 0.15;  // [m] of the bodies at the start

Shape shape_of(int kind, double s) {
    switch (kind) {
    case 0: return Sphere{s};
    case 1: return Ellipsoid{1.2 * s, 0.9 * s, 0.7 * s};
    case 2: return Capsule{3, 0.6 * s, 0.6 * s};
    case 3: return Box{0.85 * s, 0.7 * s, 0.6 * s};
    case 4: return Cylinder{3, 0.8 * s, 0.7 * s};
    default: return Cone{3, 0.9 * s, 0.9 * s, 0.3 * s};
    }
}

int side_of(int bodies) { return std::max(2, static_cast<int>(std::ceil(std::cbrt(0.6 * bodies)))); }

}  // namespace

double rain_bin(int bodies) { return side_of(bodies) * spacing + 0.06; }

std::vector<Entity> rain(World& world, const Rain& options) {
    std::mt19937 random{options.seed};
    const auto uniform = [&](double a, double b) { return a + (b - a) * static_cast<double>(random() >> 5) * 0x1p-27; };
    world.scene({.gravity = {0, 0, -9.81}, .elastic_contact_reduction_factor = 1e-2, .nominal_length = 0.1});
    world.set_simulation({.stop_time = 2.0, .tolerance = options.tolerance, .interval = 0.01});

    const double inside = rain_bin(options.bodies);
    add_bin(world, inside, 0.75 * inside, 0.03, "DryWood");

    std::vector<Entity> all;
    const int side = side_of(options.bodies);
    for (int i = 0; i < options.bodies; ++i) {
        const int layer = i / (side * side), row = i / side % side, column = i % side;
        const double shake = 0.012;
        all.push_back(world.add(
            {.name = "body" + std::to_string(i),
             .parent = "world",
             .free = true,
             .translation = {(column - 0.5 * (side - 1)) * spacing + uniform(-shake, shake),
                             (row - 0.5 * (side - 1)) * spacing + uniform(-shake, shake), 0.16 + layer * spacing},
             .rotation = {uniform(-3, 3), uniform(-1, 1), uniform(-3, 3)},
             .angular_velocity = {uniform(-2, 2), uniform(-2, 2), uniform(-2, 2)},
             .shape = shape_of(i % std::clamp(options.kinds, 1, 6), uniform(0.085, 0.11)),
             .material = "DryWood",
             .collidable = true,
             .smoothing_radius = 0.005}));
    }
    return all;
}

}  // namespace scenes
