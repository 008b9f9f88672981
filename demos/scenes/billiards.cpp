#include "demos/scenes/billiards.hpp"

#include <cmath>
#include <string>

namespace scenes {

using namespace tactus;

namespace {

constexpr double length = 2.24, width = 1.12;  // [m] of the cloth, cushions included
constexpr double diameter = billiard_ball_diameter;

struct Place {
    int row, column;
};

Place place_in_rack(int ball) {  // 1, 2, ...
    int row = 0;
    while ((row + 1) * (row + 2) / 2 < ball) ++row;
    return {row, ball - 1 - row * (row + 1) / 2};
}

void add_cushion(World& world, const std::string& name, const Vec3& center, const Vec3& size) {
    world.add({.name = name,
               .parent = "world",
               .translation = center,
               .shape = Box{size.x(), size.y(), size.z()},
               .material = "BilliardCushion",
               .collidable = true});
}

}  // namespace

std::vector<Entity> billiards(World& world, const Billiards& options) {
    // The nose of a cushion is 7/5 of a ball's radius above the cloth: a ball that rolls against it is not lifted.
    constexpr double nose = 0.7 * diameter, thickness = 0.014, depth = 0.075, middle = nose + 0.5 * thickness;
    world.scene({.gravity = {0, 0, -9.81}, .nominal_length = 0.336});
    world.set_simulation({.stop_time = 5.0, .tolerance = options.tolerance, .interval = 0.01});
    world.add({.name = "table",
               .parent = "world",
               .translation = {0, 0, -0.025},
               .shape = Box{length, width, 0.05},
               .material = "BilliardTable",
               .collidable = true});
    add_cushion(world, "cushion_right", {0.5 * length - 0.5 * depth, 0, middle}, {depth, width, thickness});
    add_cushion(world, "cushion_left", {-0.5 * length + 0.5 * depth, 0, middle}, {depth, width, thickness});
    add_cushion(world, "cushion_far", {0, 0.5 * width - 0.5 * depth, middle}, {length, depth, thickness});
    add_cushion(world, "cushion_near", {0, -0.5 * width + 0.5 * depth, middle}, {length, depth, thickness});

    std::vector<Entity> balls;
    for (int i = 0; i < options.balls; ++i) {
        const double spacing = diameter + options.gap;
        Vec3 p{-0.8, 0, 0.5 * diameter};
        if (i > 0) {
            const auto [row, column] = place_in_rack(i);
            p.x() = length / 6.0 + row * spacing * std::sqrt(3.0) / 2.0;
            p.y() = (0.5 * row - column) * spacing;
        }
        Object3DDef ball{.name = "ball" + std::to_string(i),
                         .parent = "world",
                         .free = true,
                         .translation = p,
                         .shape = Sphere{diameter},
                         .material = "BilliardBall",
                         .collidable = true};
        if (i == 0) ball.velocity = {options.speed, options.sideways, 0};
        balls.push_back(world.add(ball));
    }
    return balls;
}

int mirrored_ball(int ball) {
    if (ball == 0) return 0;
    const auto [row, column] = place_in_rack(ball);
    return ball + (row - 2 * column);
}

}  // namespace scenes
