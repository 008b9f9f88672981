#include "demos/scenes/rocket.hpp"

#include <cmath>

namespace scenes {

using namespace tactus;

namespace {

constexpr double g = 9.81;                        // [m/s^2]
constexpr double stage_mass = 100.0;              // [kg] of each stage
constexpr double thrust1 = 10000.0, burn1 = 5.0;  // [N], [s]
constexpr double thrust2 = 2000.0, burn2 = 10.0;  // [N], [s]
constexpr double length1 = 2.0, length2 = 1.0;    // [m]
constexpr double start_height = length1 + 0.5 * length2;

// Speed and way under a thrust that falls linearly from F to zero within T, minus gravity.
double speed_gain(double F, double T, double m, double t) { return F / m * (t - 0.5 * t * t / T) - g * t; }
double way(double F, double T, double m, double t) {
    return F / m * (0.5 * t * t - t * t * t / (6.0 * T)) - 0.5 * g * t * t;
}

Program flight(World&) {
    co_await attach("stage1.top", "stage2.bottom");
    co_await after(Rocket::separation_time);
    co_await release("stage1.top");
    co_await after(Rocket::deletion_time - Rocket::separation_time);
    co_await delete_assembly("stage1.top");
}

Entity add_stage(World& world, const std::string& name, int up, double length, double diameter, double height,
                 Table<Vec3> thrust) {
    const Vec3 along = Vec3::Unit(up - 1);
    for (Vec3& force : thrust.values) force = force.norm() * along;
    const Entity body = world.add({.name = name + ".body",
                                   .parent = "world",
                                   .free = true,
                                   .translation = height * along,
                                   .assembly_root = true,
                                   .shape = Cylinder{.axis = up, .diameter = diameter, .length = length},
                                   .mass_properties = MassProperties{stage_mass, Vec3::Zero(), Mat3::Identity()}});
    world.add({.name = name + ".bottom", .parent = body, .translation = -0.5 * length * along, .lockable = true});
    world.add({.name = name + ".top", .parent = body, .translation = 0.5 * length * along, .lockable = true});
    world.add_force({.name = name + ".thrust", .type = WorldForce{.object = name + ".bottom", .force = thrust}});
    return body;
}

}  // namespace

double Rocket::speed(double t) {
    const double v1 = speed_gain(thrust1, burn1, 2.0 * stage_mass, std::min(t, burn1));
    return t <= burn1 ? v1 : v1 + speed_gain(thrust2, burn2, stage_mass, std::min(t - burn1, burn2));
}

double Rocket::height(double t) {
    const double y1 = start_height + way(thrust1, burn1, 2.0 * stage_mass, std::min(t, burn1));
    if (t <= burn1) return y1;
    const double since = t - burn1;
    return y1 + speed(burn1) * since + way(thrust2, burn2, stage_mass, since);
}

Rocket rocket(World& world, RocketProgram program, double tolerance, int up) {
    world.scene({.gravity = UniformGravity{-g * Vec3::Unit(up - 1)}});
    world.set_simulation({.stop_time = Rocket::end_time, .tolerance = tolerance});
    Rocket rocket;
    rocket.stage1 = add_stage(world, "stage1", up, length1, 0.2, 0.5 * length1,
                              Table<Vec3>{{0, burn1}, {{0, thrust1, 0}, {0, 0, 0}}});
    rocket.stage2 = add_stage(world, "stage2", up, length2, 0.15, start_height,
                              Table<Vec3>{{burn1, burn1, burn1 + burn2}, {{0, 0, 0}, {0, thrust2, 0}, {0, 0, 0}}});
    const Quantity height = up == 1 ? Quantity::X : up == 2 ? Quantity::Y : Quantity::Z;
    const Action take{Attach{.lock = "stage1.top", .to = "stage2.bottom"}};
    switch (program) {
    case RocketProgram::None: break;
    case RocketProgram::Actions:
        world.set_actions({take, EventAfterPeriod{Rocket::separation_time}, Release{.lock = "stage1.top"},
                           EventAfterPeriod{Rocket::deletion_time - Rocket::separation_time},
                           Delete{.lock = "stage1.top"}});
        break;
    case RocketProgram::Coroutine: world.add_program("flight", flight); break;
    case RocketProgram::Conditions:
        world.set_actions(
            {take, Until{.quantity = height, .of = "stage2.body", .limit = Rocket::height(Rocket::separation_time)},
             Release{.lock = "stage1.top"},
             Until{.quantity = height, .of = "stage2.body", .limit = Rocket::height(Rocket::deletion_time)},
             Delete{.lock = "stage1.top"}});
        break;
    }
    return rocket;
}

}  // namespace scenes
