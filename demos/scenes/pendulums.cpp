#include "demos/scenes/pendulums.hpp"

#include "demos/scenes/parts.hpp"

#include <cmath>
#include <numbers>

namespace scenes {

using namespace tactus;

namespace {

constexpr double g = 9.81;  // [m/s^2]

}  // namespace

double pendulum_period(double length, double angle) {
    double a = 1.0, b = std::cos(0.5 * angle);
    while (std::abs(a - b) > 1e-15 * a) {
        const double mean = 0.5 * (a + b);
        b = std::sqrt(a * b);
        a = mean;
    }
    return 2.0 * std::numbers::pi / a * std::sqrt(length / g);
}

std::vector<Entity> pendulum_wave(World& world, const PendulumWave& options) {
    constexpr double rail = 1.0, spacing = 0.09, diameter = 0.06, mass = 0.5;  // [m], [kg]
    world.scene({.gravity = {0, 0, -g}});
    world.set_simulation({.solver = Solver::CvodeAdams, .stop_time = options.period, .tolerance = options.tolerance});
    const double half = 0.5 * spacing * (options.pendulums + 1);
    add_visual(world, "frame.rail", "world", {0, 0, rail}, Capsule{2, 0.025, 2 * half});
    for (const int end : {-1, 1})
        for (const int leg : {-1, 1})
            add_visual(world, std::string{"frame.leg"} + (end < 0 ? "1" : "2") + (leg < 0 ? "a" : "b"), "world",
                       {0.15 * leg, end * half, 0.5 * rail}, Cylinder{3, 0.022, std::hypot(rail, 0.3)},
                       Vec3{0, -leg * std::atan2(0.3, rail), 0});
    const double unit = pendulum_period(1.0, options.angle);
    std::vector<Entity> hinges;
    for (int i = 0; i < options.pendulums; ++i) {
        const std::string number = std::to_string(i), ball = "ball" + number;
        const double length = std::pow(options.period / (options.swings + i) / unit, 2);
        world.add({.name = "anchor" + number,
                   .parent = "world",
                   .translation = {0, (i - 0.5 * (options.pendulums - 1)) * spacing, rail}});
        // A point mass, as in the formula; the ball is what is seen.
        world.add({.name = ball,
                   .parent = ParentRef::none(),
                   .mass_properties = MassProperties{.mass = mass, .center_of_mass = {0, 0, -length}}});
        add_visual(world, ball + ".bob", ball, {0, 0, -length}, Sphere{diameter});
        add_visual(world, ball + ".thread", ball, {0, 0, -0.5 * length}, Cylinder{3, 0.003, length});
        hinges.push_back(world.add_joint({.name = "hinge" + number,
                                          .object1 = "anchor" + number,
                                          .object2 = ball,
                                          .type = Revolute{.axis = 2, .phi = options.angle}}));
    }
    return hinges;
}

std::vector<Entity> double_pendulums(World& world, const DoublePendulums& options) {
    constexpr double length = 0.5, width = 0.05, thickness = 0.02, spacing = 0.06;  // [m]
    world.scene({.gravity = {0, 0, -g}});
    world.set_simulation({.solver = Solver::CvodeAdams, .stop_time = 10.0, .tolerance = options.tolerance});
    const double half = 0.5 * spacing * (options.pendulums - 1);
    add_visual(world, "axle", "world", {0, 0, 0}, Cylinder{2, 0.02, 2 * half + 0.14});
    std::vector<Entity> shoulders;
    for (int i = 0; i < options.pendulums; ++i) {
        const std::string number = std::to_string(i), upper = "upper" + number, lower = "lower" + number;
        const double y = half - i * spacing, step = 0.5 * thickness;  // the lower arm swings beside the upper one
        world.add({.name = "anchor" + number, .parent = "world", .translation = {0, y, 0}});
        for (const std::string& arm : {upper, lower}) {
            const bool first = arm == upper;
            world.add({.name = arm, .parent = ParentRef::none()});  // its upper end
            world.add({.name = arm + ".arm",
                       .parent = arm,
                       .translation = {0, first ? step : -step, -0.5 * length},
                       .shape = Beam{3, length, width, 0.9 * thickness},
                       .material = "Aluminium"});
            world.add({.name = arm + ".end", .parent = arm, .translation = {0, 0, -length}});
        }
        add_visual(world, upper + ".pin", upper + ".end", {0, 0, 0}, Cylinder{2, 0.018, 2.4 * thickness});
        const double angle = options.angle + i * options.difference;
        shoulders.push_back(world.add_joint({.name = "shoulder" + number,
                                             .object1 = "anchor" + number,
                                             .object2 = upper,
                                             .type = Revolute{.axis = 2, .phi = angle}}));
        world.add_joint({.name = "elbow" + number,
                         .object1 = upper + ".end",
                         .object2 = lower,
                         .type = Revolute{.axis = 2, .phi = 0.0}});
    }
    return shoulders;
}

}  // namespace scenes
