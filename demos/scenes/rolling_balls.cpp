#include "demos/scenes/rolling_balls.hpp"

#include "demos/scenes/parts.hpp"

namespace scenes {

using namespace tactus;

void rolling_balls(World& world, const RollingBalls& options) {
    constexpr double diameter = 0.06;  // [m]
    world.scene({.gravity = {0, 0, -9.81}, .nominal_length = 0.3});
    world.set_simulation({.stop_time = 3.0, .tolerance = options.tolerance});
    add_floor(world, "table", 9.0, 0.5, 0.05, "BilliardTable");
    Object3DDef ball{.name = "cue",
                     .parent = "world",
                     .free = true,
                     .translation = {-0.6, 0, 0.5 * diameter},
                     .velocity = {options.speed, 0, 0},
                     .shape = Sphere{diameter},
                     .material = "BilliardBall",
                     .collidable = true};
    world.add(ball);
    ball.name = "object";
    ball.translation.x() += options.gap + diameter;
    ball.velocity.setZero();
    world.add(ball);
}

}  // namespace scenes
