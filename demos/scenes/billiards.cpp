#include "demos/scenes/billiards.hpp"

#include "demos/scenes/parts.hpp"

#include <cmath>
#include <string>

namespace scenes {

using namespace tactus;

namespace {

constexpr double diameter = billiard_ball_diameter;

struct Spot {
    int row, column;
};

Spot place_in_rack(int ball) {  // 1, 2, ...
    int row = 0;
    while ((row + 1) * (row + 2) / 2 < ball) ++row;
    return {row, ball - 1 - row * (row + 1) / 2};
}

// Cloth on the cushions, a wooden frame around them, marks at eighths of its length, and legs.
void add_furniture(World& world) {
    constexpr double rail = 0.13, top = 0.058, deep = 0.14, lip = 0.03;  // [m]
    const double x = 0.5 * billiard_length + 0.5 * rail - lip, y = 0.5 * billiard_width + 0.5 * rail - lip;
    const double outer_x = billiard_length + 2 * rail - 2 * lip, outer_y = billiard_width + 2 * rail - 2 * lip;
    for (const int side : {-1, 1}) {
        const std::string n = side < 0 ? "1" : "2";
        add_visual(world, "table.rail_long" + n, "world", {0, side * y, top - 0.5 * deep}, Box{outer_x, rail, deep});
        add_visual(world, "table.rail_short" + n, "world", {side * x, 0, top - 0.5 * deep},
                   Box{rail, outer_y - 2 * rail, deep});
        add_visual(world, "cushion.long" + n, "world", {0, side * (0.5 * billiard_width - 0.035), 0.026},
                   Box{billiard_length, 0.066, 0.052});
        add_visual(world, "cushion.short" + n, "world", {side * (0.5 * billiard_length - 0.035), 0, 0.026},
                   Box{0.066, billiard_width, 0.052});
        for (int i = 1; i < 8; ++i)
            if (i != 4)
                add_visual(world, "diamond.long" + n + std::to_string(i), "world",
                           {(i / 8.0 - 0.5) * billiard_length, side * y, top}, Cylinder{3, 0.012, 0.002});
        for (int i = 1; i < 4; ++i)
            add_visual(world, "diamond.short" + n + std::to_string(i), "world",
                       {side * x, (i / 4.0 - 0.5) * billiard_width, top}, Cylinder{3, 0.012, 0.002});
        for (const int end : {-1, 1})
            add_visual(world, "table.leg" + n + (end < 0 ? "a" : "b"), "world",
                       {side * (0.5 * billiard_length - 0.1), end * (0.5 * billiard_width - 0.1), -0.44},
                       Cylinder{3, 0.13, 0.72});
    }
    add_visual(world, "table.apron", "world", {0, 0, -0.11}, Box{billiard_length, billiard_width, 0.1});
}

}  // namespace

std::vector<Entity> billiards(World& world, const Billiards& options) {
    // The nose of a cushion is 7/5 of a ball's radius above the cloth: a ball that rolls against it is not lifted.
    constexpr double nose = 0.7 * diameter, thickness = 0.014, depth = billiard_cushion_depth,
                     middle = nose + 0.5 * thickness;
    world.scene({.gravity = {0, 0, -9.81}, .nominal_length = 0.336});
    world.set_simulation({.stop_time = 5.0, .tolerance = options.tolerance, .interval = 0.01});
    add_floor(world, "table", billiard_length, billiard_width, 0.05, "BilliardTable");
    add_block(world, "cushion_right", {0.5 * billiard_length - 0.5 * depth, 0, middle},
              {depth, billiard_width, thickness}, "BilliardCushion");
    add_block(world, "cushion_left", {-0.5 * billiard_length + 0.5 * depth, 0, middle},
              {depth, billiard_width, thickness}, "BilliardCushion");
    add_block(world, "cushion_far", {0, 0.5 * billiard_width - 0.5 * depth, middle},
              {billiard_length, depth, thickness}, "BilliardCushion");
    add_block(world, "cushion_near", {0, -0.5 * billiard_width + 0.5 * depth, middle},
              {billiard_length, depth, thickness}, "BilliardCushion");

    if (options.furniture) add_furniture(world);
    std::vector<Entity> balls;
    for (int i = 0; i < options.balls; ++i) {
        const double spacing = diameter + options.gap;
        Vec3 p{-0.8, 0, 0.5 * diameter};
        if (i > 0) {
            const auto [row, column] = place_in_rack(i);
            p.x() = billiard_length / 6.0 + row * spacing * std::sqrt(3.0) / 2.0;
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
