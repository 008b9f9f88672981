#include "demos/scenes/newtons_cradle.hpp"

#include "demos/scenes/parts.hpp"

#include <cmath>

namespace scenes {

using namespace tactus;

namespace {

constexpr double axle = 0.3, half_width = 0.07;  // [m] height of the hinges; of the frame, across

void add_frame(World& world, double half_length) {
    add_visual(world, "frame.base", "world", {0, 0, 0.01}, Box{2 * half_width + 0.06, 2 * half_length + 0.06, 0.02});
    for (const int side : {-1, 1}) {
        const double x = side * half_width;
        const std::string name = side < 0 ? "frame.front" : "frame.back";
        add_visual(world, name + ".rail", "world", {x, 0, axle}, Capsule{2, 0.01, 2 * half_length});
        for (const int end : {-1, 1})
            add_visual(world, name + (end < 0 ? ".left" : ".right"), "world", {x, end * half_length, 0.5 * axle},
                       Cylinder{3, 0.01, axle});
    }
}

}  // namespace

std::vector<Entity> newtons_cradle(World& world, const NewtonsCradle& options) {
    world.scene({.gravity = {0, 0, -9.81}, .nominal_length = 0.1});
    world.set_simulation({.stop_time = 5.0, .tolerance = options.tolerance});
    world.set_contact_pair({.material1 = "Steel",
                            .material2 = "Steel",
                            .law = ContactLaw::Exact,
                            .coefficient_of_restitution = options.restitution});
    const double spacing = cradle_ball_diameter + options.gap, middle = 0.5 * (options.balls - 1);
    add_frame(world, middle * spacing + 0.12);

    std::vector<Entity> hinges;
    for (int i = 0; i < options.balls; ++i) {
        const std::string number = std::to_string(i), ball = "ball" + number;
        const double y = (i - middle) * spacing;
        world.add({.name = "anchor" + number, .parent = "world", .translation = {0, y, axle}});
        world.add({.name = ball,
                   .parent = ParentRef::none(),
                   .shape = Sphere{cradle_ball_diameter},
                   .material = "Steel",
                   .collidable = true});
        world.add({.name = ball + ".top", .parent = ball, .translation = {0, 0, cradle_wire}});
        // Two wires from the rails to the ball, as on the real thing.
        const double length = std::hypot(half_width, cradle_wire), tilt = std::atan2(half_width, cradle_wire);
        for (const int side : {-1, 1})
            add_visual(world, ball + (side < 0 ? ".wire_front" : ".wire_back"), ball,
                       {0.5 * side * half_width, 0, 0.5 * cradle_wire}, Cylinder{3, 0.0012, length},
                       Vec3{0, side * tilt, 0});
        // About x: a positive angle swings the ball towards +y.
        hinges.push_back(
            world.add_joint({.name = "hinge" + number,
                             .object1 = "anchor" + number,
                             .object2 = ball + ".top",
                             .type = Revolute{.axis = 1, .phi = i < options.lifted ? -options.angle : 0.0}}));
    }
    return hinges;
}

}  // namespace scenes
