#include "demos/scenes/bouncing_ball.hpp"

#include "demos/scenes/parts.hpp"

namespace scenes {

using namespace tactus;

std::shared_ptr<const MeasuredRestitution> bouncing_ball(World& world, const BouncingBall& options) {
    constexpr double diameter = 0.1, g = 9.81, at_rest_below = 0.02;  // [m], [m/s^2], [m/s]
    world.scene({.gravity = {0, 0, -g}, .nominal_length = diameter});
    world.set_simulation({.stop_time = 3.0, .tolerance = options.tolerance});
    world.set_contact_pair({.material1 = "Steel",
                            .material2 = "DryWood",
                            .law = ContactLaw::Exact,
                            .coefficient_of_restitution = options.restitution,
                            .sliding_friction_coefficient = 0.4});
    add_floor(world, "table", 0.8, 0.4, 0.05, "DryWood");
    const double z = options.height + 0.5 * diameter;
    const Entity elastic = world.add({.name = "elastic",
                                      .parent = "world",
                                      .free = true,
                                      .translation = {-0.16, 0, z},
                                      .shape = Sphere{diameter},
                                      .material = "Steel",
                                      .collidable = true});
    const Entity impulsive = world.add({.name = "impulsive",
                                        .parent = "world",
                                        .free = true,
                                        .translation = {0.16, 0, z},
                                        .shape = Sphere{diameter},
                                        .material = "Steel"});

    auto measured = std::make_shared<MeasuredRestitution>();
    world.add_zero_crossing(
        {.name = "impulse",
         .function = [impulsive](const Instant& now) { return now.pose(impulsive).p.z() - 0.5 * diameter; },
         .direction = Direction::falling});
    world.on_event([&world, impulsive, measured, e = options.restitution](const Event& event) {
        if (event.name != "impulse") return;
        JointState state = world.state(impulsive);
        const double speed = -state.v[2];
        const bool rests = speed < at_rest_below;
        state.q[2] = 0.5 * diameter;
        state.v[2] = rests ? 0.0 : e * speed;
        world.set_state(impulsive, state);
        measured->impulsive = rests ? 0.0 : e;
        if (!rests) return;
        world.remove_event("impulse");
        world.add_force(
            {.name = "support",
             .type = WorldForce{.object = impulsive, .force = Vec3{0, 0, g * world.mass_of(impulsive)->mass}}});
    });
    world.on_contact([&world, elastic, measured](const ContactEvent& event) {
        if (event.start)
            measured->elastic_before = event.impact_speed;
        else if (measured->elastic_before > 0.0)
            measured->elastic = world.velocity(elastic).v.z() / measured->elastic_before;
    });
    return measured;
}

}  // namespace scenes
