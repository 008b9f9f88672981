// Each test is a motion with a closed form, or an energy balance that must hold whatever the motion is.
#include "tests/support/moving.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace tactus;
using test::weightless;

namespace {

constexpr double pi = std::numbers::pi;
constexpr Simulation tight{.tolerance = 1e-10};

MassProperties ball(double mass) { return {mass, Vec3::Zero(), 0.1 * mass * Mat3::Identity()}; }

Entity add_body(World& world, const std::string& name, const Vec3& at, const Vec3& velocity = Vec3::Zero(),
                const Vec3& angular_velocity = Vec3::Zero(), const MassProperties& mass = ball(1)) {
    return world.add({.name = name,
                      .free = true,
                      .translation = at,
                      .velocity = velocity,
                      .angular_velocity = angular_velocity,
                      .mass_properties = mass});
}

Entity add_slider(World& world, const std::string& name, double mass, const Prismatic& joint) {
    world.add({.name = name + ".body", .parent = ParentRef::none(), .mass_properties = ball(mass)});
    return world.add_joint({.name = name, .object1 = "world", .object2 = name + ".body", .type = joint});
}

}  // namespace

TEST_CASE("a throw in uniform gravity is a parabola, also of the centre of mass of a tumbling body") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation(tight);
    const MassProperties offset{2.0, {0.1, -0.2, 0.3}, Vec3{0.2, 0.3, 0.4}.asDiagonal()};
    const Entity body = add_body(world, "body", {1, 2, 3}, {4, 5, 6}, {1, 2, -1}, offset);
    const Vec3 c0 = world.momentum().center_of_mass_W, v0 = world.momentum().linear_W / 2.0;
    world.run(2.0, {.record = false});
    CHECK((world.momentum().center_of_mass_W - (c0 + 2.0 * v0 + 0.5 * 4.0 * Vec3{0, 0, -9.81})).norm() < 1e-9);
    CHECK((world.pose(body) * offset.center_of_mass - world.momentum().center_of_mass_W).norm() < 1e-12);
}

TEST_CASE("a satellite comes back after Kepler's period, and gravity acts on its centre of mass") {
    // r = 7e6 m circular and an ellipse with the same half axis: T = 2 pi sqrt(a^3 / mu).
    const double mu = 3.98591196e14, a = 7e6;
    const double period = 2 * pi * std::sqrt(a * a * a / mu);
    for (const double e : {0.0, 0.3}) {
        CAPTURE(e);
        World world;
        world.scene({.gravity = PointGravity{mu}, .nominal_length = a});
        world.set_simulation({.solver = Solver::CvodeAdams, .tolerance = 1e-9});
        const double r = a * (1 - e), v = std::sqrt(mu / a * (1 + e) / (1 - e));
        const MassProperties offset{10.0, {2, 0, 0}, Vec3{10, 10, 10}.asDiagonal()};  // the frame is beside the centre
        const Entity satellite = add_body(world, "satellite", {r - 2, 0, 0}, {0, v, 0}, Vec3::Zero(), offset);
        world.run(period, {.record = false});
        CHECK((world.pose(satellite).p - Vec3{r - 2, 0, 0}).norm() < 1e-6 * a);
    }
}

TEST_CASE("a force from a table acts as its closed form says: kinks and steps are events") {
    // 0 until 1 s, rises to 2 N at 2 s, stays, falls at once to -1 N at 3 s, stays. m = 1 kg.
    for (const Solver solver : {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk}) {
        CAPTURE(solver_name(solver));
        World world;
        world.scene(weightless());
        world.set_simulation({.solver = solver, .tolerance = 1e-6});
        const Entity body = add_body(world, "body", Vec3::Zero());
        const Table<Vec3> table{{1, 2, 3, 3}, {{0, 0, 0}, {2, 0, 0}, {2, 0, 0}, {-1, 0, 0}}};
        world.add_force({.name = "push", .type = WorldForce{.object = "body", .force = table}});
        std::vector<double> times;
        world.on_event([&](const Event& event) {
            CHECK(event.kind == EventKind::force);
            CHECK(event.name == "push");
            times.push_back(event.time);
        });
        world.run(5.0, {.record = false});
        CHECK(times == std::vector<double>{1, 2, 3});
        // v: 1 at 2 s, 3 at 3 s, 1 at 5 s; x: 1/3 at 2 s, 2 + 1/3 at 3 s, 4 more until 5 s. A tenth of the tolerance: all
        // pieces are polynomials. (The original, without events, is off by eight times the tolerance in such a case.)
        CHECK(world.velocity(body).v.x() == doctest::Approx(1.0).epsilon(1e-7));
        CHECK(world.pose(body).p.x() == doctest::Approx(19.0 / 3.0).epsilon(1e-7));
        CHECK(world.energies().work == doctest::Approx(0.5).epsilon(1e-6));
    }
}

TEST_CASE("forces and torques are given in the axes of any object, also of one that moves") {
    // A rocket that turns with w about z, thrust along its own x: v' = (F/m)(cos wt, sin wt).
    World world;
    world.scene(weightless());
    world.set_simulation(tight);
    const double w = 2.0, F = 3.0, t = 1.7;
    const Entity rocket = add_body(world, "rocket", Vec3::Zero(), Vec3::Zero(), {0, 0, w});
    world.add_force(
        {.name = "thrust", .type = WorldForce{.object = "rocket", .force = Vec3{F, 0, 0}, .coordinates = "rocket"}});
    world.run(t, {.record = false});
    CHECK((world.velocity(rocket).v - F / w * Vec3{std::sin(w * t), 1 - std::cos(w * t), 0}).norm() < 1e-9);

    World turned;
    turned.scene(weightless());
    turned.set_simulation(tight);
    turned.add({.name = "frame", .rotation = {0, 0, pi / 2}});
    const Entity wheel = add_body(turned, "wheel", Vec3::Zero());
    turned.add_force(
        {.name = "drive", .type = WorldTorque{.object = "wheel", .torque = Vec3{0.1, 0, 0}, .coordinates = "frame"}});
    turned.run(1.0, {.record = false});
    CHECK((turned.velocity(wheel).w - Vec3{0, 1, 0}).norm() < 1e-12);
}

TEST_CASE("functions of the host's give forces and laws") {
    World world;
    world.scene(weightless());
    world.set_simulation(tight);
    const Entity body = add_body(world, "body", Vec3::Zero());
    world.add_force({.name = "wave", .type = WorldForce{.object = "body", .force = Callback{"sine"}}});
    world.set_function("sine", [](double t) { return Vec3{std::sin(t), 0, 0}; });
    world.run(2.0, {.record = false});
    CHECK(world.velocity(body).v.x() == doctest::Approx(1 - std::cos(2.0)).epsilon(1e-9));

    // A cubic spring: x'' = -k x^3 with amplitude A has the period 4 K(1/sqrt 2) / (A sqrt k), K = 1.854074677301372.
    World cubic;
    cubic.scene(weightless());
    cubic.set_simulation(tight);
    const double k = 9.0, A = 0.5;
    add_slider(cubic, "slider", 1.0, {.axis = 1, .s = A});
    cubic.add_force({.name = "spring",
                     .type = SpringDamper{.object1 = "world", .object2 = "slider.body", .spring = Callback{"cube"}}});
    cubic.set_function("cube", [k](double x) { return k * x * x * x; });
    const double energy = cubic.energies().balance();
    CHECK(energy == doctest::Approx(0.25 * k * A * A * A * A).epsilon(1e-13));
    // A quarter before it passes the anchor, where the direction of a point-to-point spring turns around
    cubic.run(0.9 * 1.854074677301372 / (A * std::sqrt(k)), {.record = false});
    CHECK(cubic.energies().balance() == doctest::Approx(energy).epsilon(1e-9));
}

TEST_CASE("a damped oscillator follows its closed form, by force element, joint and drive alike") {
    const double m = 2.0, c = 50.0, d = 3.0, x0 = 0.3, t = 1.3;
    const double delta = d / (2 * m), w = std::sqrt(c / m - delta * delta);
    const double x = x0 * std::exp(-delta * t) * (std::cos(w * t) + delta / w * std::sin(w * t));
    const auto run = [&](auto&& prepare, const JointResistance& resistance) {
        World world;
        world.scene(weightless());
        world.set_simulation(tight);
        const Entity slider = add_slider(world, "slider", m, {.axis = 2, .s = x0, .resistance = resistance});
        prepare(world);
        const double energy = world.energies().balance();
        CHECK(energy == doctest::Approx(0.5 * c * x0 * x0).epsilon(1e-13));
        world.run(t, {.record = false});
        CHECK(world.state(slider).q[0] == doctest::Approx(x).epsilon(1e-9));
        CHECK(world.energies().balance() == doctest::Approx(energy).epsilon(1e-9));
        CHECK(world.energies().dissipated > 0.1 * energy);
    };
    run([](World&) {}, {.damping = d, .stiffness = c});
    run(
        [&](World& world) {
            world.add_drive({.name = "damper", .type = Damper{.flange1 = "slider", .d = d}});
            world.add_drive({.name = "spring", .type = LinearSpring{.flange2 = "slider", .c = c}});
        },
        {});
    run(
        [&](World& world) {  // far away, so that the spring's line keeps its direction and its length does not vanish
            world.add({.name = "wall", .translation = {0, -5, 0}});
            world.add_force(
                {.name = "spring",
                 .type = SpringDamper{
                     .object1 = "wall", .object2 = "slider.body", .nominal_length = 5, .spring = c, .damper = d}});
        },
        {});
    run(
        [&](World& world) {
            world.add_force(
                {.name = "bushing",
                 .type = Bushing{
                     .object1 = "world", .object2 = "slider.body", .spring = {0.0, c, 0.0}, .damper = {0.0, d, 0.0}}});
        },
        {});
}

TEST_CASE("springs and bushings between two moving bodies keep momentum, angular momentum and the energy balance") {
    for (const bool large : {false, true})
        for (const double damping : {0.0, 0.3}) {
            CAPTURE(large);
            CAPTURE(damping);
            World world;
            world.scene(weightless());
            world.set_simulation({.tolerance = 1e-9});
            const MassProperties offset{1.5, {0.05, 0, -0.1}, Vec3{0.2, 0.3, 0.4}.asDiagonal()};
            add_body(world, "a", {0, 0, 0}, {0.1, 0.2, 0}, {0.4, -0.3, 0.2});
            add_body(world, "b", {0.5, 0.1, 0}, {-0.1, 0, 0.3}, {-0.2, 0.1, 0.5}, offset);
            world.add({.name = "a.end", .parent = "a", .translation = {0.2, 0.1, 0}, .rotation = {0.1, 0.2, 0.3}});
            world.add({.name = "b.end", .parent = "b", .translation = {-0.2, 0.1, 0}, .rotation = {0.3, 0.1, 0}});
            world.add_force({.name = "bushing",
                             .type = Bushing{.object1 = "a.end",
                                             .object2 = "b.end",
                                             .nominal_force = {0.5, 0, 0},
                                             .spring = {20.0, 30.0, 40.0},
                                             .damper = {damping, damping, damping},
                                             .rotational_spring = {4.0, 3.0, 2.0},
                                             .rotational_damper = {damping, damping, damping},
                                             .large_angles = large}});
            world.add_force({.name = "spring",
                             .type = SpringDamper{.object1 = "a",
                                                  .object2 = "b.end",
                                                  .nominal_length = 0.3,
                                                  .nominal_force = 0.2,
                                                  .spring = 10.0,
                                                  .damper = damping}});
            const double energy = world.energies().balance();
            const Momentum before = world.momentum();
            world.run(5.0, {.record = false});
            const Momentum after = world.momentum();
            CHECK((after.linear_W - before.linear_W).norm() < 1e-8);
            CHECK((after.angular_W - before.angular_W).norm() < 1e-8);
            CHECK(world.energies().balance() == doctest::Approx(energy).epsilon(1e-8));
        }
}

TEST_CASE("a spring between turned objects pulls along the line between them") {
    // The original takes the direction in world axes for one in those of object1: wrong as soon as object1 is turned.
    World world;
    world.scene(weightless());
    world.add({.name = "anchor", .rotation = {0.4, 1.1, -0.7}});
    const Entity body = add_body(world, "body", {0, 2, 0});
    world.add_force({.name = "spring", .type = SpringDamper{.object1 = "anchor", .object2 = "body", .spring = 3.0}});
    CHECK((world.acceleration(body).v - Vec3{0, -6, 0}).norm() < 1e-14);
}

TEST_CASE("a law that is a table is followed piece by piece, with an event at each kink and step") {
    // Dead play of +-0.1 m, then 100 N/m: half periods of an oscillator joined by straight flights.
    const Table<double> play{{-1.1, -0.1, 0.1, 1.1}, {-100, 0, 0, 100}};
    World world;
    world.scene(weightless());
    world.set_simulation(tight);
    const double v = 2.0;
    const Entity slider = add_slider(world, "slider", 1.0, {.axis = 1, .s = 0.0, .v = v});
    world.add_force(
        {.name = "play", .type = Bushing{.object1 = "world", .object2 = "slider.body", .spring = {play, 0.0, 0.0}}});
    std::vector<double> times;
    world.on_event([&](const Event& event) { times.push_back(event.time); });
    world.run(1.0, {.record = false});
    const double flight = 0.1 / v, swing = pi / 10;  // half a period of sqrt(100 N/m / 1 kg)
    const std::vector<double> wanted{flight, flight + swing, 3 * flight + swing, 3 * flight + 2 * swing,
                                     5 * flight + 2 * swing};
    REQUIRE(times.size() == wanted.size());
    for (std::size_t i = 0; i < wanted.size(); ++i) CHECK(times[i] == doctest::Approx(wanted[i]).epsilon(1e-9));
    const double rest = 1.0 - wanted.back();  // in the spring again
    CHECK(world.state(slider).q[0] == doctest::Approx(0.1 + v / 10 * std::sin(10 * rest)).epsilon(1e-8));
}

TEST_CASE("joint stops are found exactly, push back and never hold") {
    // A slider at 1 m/s hits an elastic stop at 0.5 m: half a period of the stop's spring, then back.
    World world;
    world.scene(weightless());
    world.set_simulation(tight);
    const JointLimits limits{.lower = -0.25, .upper = 0.5, .stiffness = 4e4};
    const Entity slider =
        add_slider(world, "slider", 1.0, {.axis = 1, .s = 0, .v = 1, .resistance = {.limits = limits}});
    std::vector<double> times;
    world.on_event([&](const Event& event) {
        CHECK(event.kind == EventKind::stop);
        CHECK(event.name == "slider");
        times.push_back(event.time);
    });
    world.run(1.4, {.record = false});
    const double contact = pi / 200;
    REQUIRE(times.size() == 4);
    CHECK(times[0] == doctest::Approx(0.5).epsilon(1e-11));  // a stop is passed by 1e-12 to be called so
    CHECK(times[1] == doctest::Approx(0.5 + contact).epsilon(1e-10));
    CHECK(times[2] == doctest::Approx(0.5 + contact + 0.75).epsilon(1e-10));
    CHECK(times[3] == doctest::Approx(0.5 + 2 * contact + 0.75).epsilon(1e-10));
    CHECK(world.state(slider).v[0] == doctest::Approx(1).epsilon(1e-9));

    // With damping it loses energy, and all of it is accounted for.
    World damped;
    damped.scene(weightless());
    damped.set_simulation(tight);
    JointLimits lossy = limits;
    lossy.damping = 50;
    const Entity lossy_slider = add_slider(damped, "slider", 1.0, {.axis = 1, .v = 1, .resistance = {.limits = lossy}});
    damped.run(0.7, {.record = false});
    CHECK(damped.state(lossy_slider).v[0] < -0.1);
    CHECK(damped.state(lossy_slider).v[0] > -0.9);
    CHECK(damped.energies().balance() == doctest::Approx(0.5).epsilon(1e-8));
}

TEST_CASE("dry friction stops a slider after v^2 / (2 mu) and holds it there") {
    World world;
    world.scene(weightless());
    world.set_simulation({.tolerance = 1e-8});
    const double friction = 2.0, v = 3.0, v_small = 1e-3;
    const Entity slider =
        add_slider(world, "slider", 1.0, {.axis = 1, .v = v, .resistance = {.friction = friction, .v_small = v_small}});
    world.run(4.0, {.record = false});
    // Below v_small it creeps on: up to about v_small^2 / friction more
    CHECK(world.state(slider).q[0] == doctest::Approx(v * v / (2 * friction)).epsilon(1e-6));
    CHECK(std::abs(world.state(slider).v[0]) < 1e-9);
    CHECK(world.energies().dissipated == doctest::Approx(0.5 * v * v).epsilon(1e-7));
}

TEST_CASE("a ball joint's damper turns a spin into heat") {
    World world;
    world.scene(weightless());
    world.set_simulation(tight);
    world.add({.name = "body", .parent = ParentRef::none(), .mass_properties = ball(1)});
    const Entity joint = world.add_joint({.name = "joint",
                                          .object1 = "world",
                                          .object2 = "body",
                                          .type = Spherical{.angular_velocity = {1, 2, 3}, .damping = 0.05}});
    world.run(2.0, {.record = false});
    const JointState state = world.state(joint);
    const double left = std::exp(-0.05 / 0.1 * 2.0);
    CHECK((Vec3{state.v[0], state.v[1], state.v[2]} - left * Vec3{1, 2, 3}).norm() < 1e-9);
    CHECK(world.energies().balance() == doctest::Approx(0.5 * 0.1 * 14).epsilon(1e-9));
}

// ---- what starts exactly on a limit, jumps against the motion, or happens twice within a step ----

TEST_CASE("a motion that starts exactly on a stop or on a knot of a law is held there") {
    for (const Solver solver : {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk}) {
        CAPTURE(solver_name(solver));
        // Rests on its lower stop under gravity: sinks in by m g / k, and swings by as much.
        World world;
        world.scene({.gravity = {0, 0, -9.81}});
        world.set_simulation({.solver = solver});
        const Entity slider =
            add_slider(world, "slider", 1.0,
                       {.axis = 3, .resistance = {.limits = JointLimits{.lower = 0, .upper = 1, .stiffness = 1e4}}});
        world.run(1.0, {.record = false});
        CHECK(world.state(slider).q[0] <= 1e-9);
        CHECK(world.state(slider).q[0] > -2.01 * 9.81e-4);
        JointState onto{};
        onto.v[0] = -1;
        world.set_state(slider, onto);
        world.run(1.005, {.record = false});
        CHECK(world.state(slider).q[0] > -0.02);

        // A spring that only pushes, started at the length where it begins to.
        World spring;
        spring.scene(weightless());
        spring.set_simulation({.solver = solver, .tolerance = 1e-8});
        const Entity pushed = add_slider(spring, "slider", 1.0, {.axis = 1, .v = -1});
        spring.add_force({.name = "push",
                          .type = Bushing{.object1 = "world",
                                          .object2 = "slider.body",
                                          .spring = {Table<double>{{-1, 0, 1}, {-100, 0, 0}}, 0.0, 0.0}}});
        spring.run(0.5 * pi / 10, {.record = false});
        CHECK(spring.state(pushed).q[0] == doctest::Approx(-0.1).epsilon(1e-6));

        // A damper that only resists one direction, from rest: v' = -g - d v.
        World damper;
        damper.scene({.gravity = {-2, 0, 0}});
        damper.set_simulation({.solver = solver, .tolerance = 1e-8});
        const Entity damped = add_slider(damper, "slider", 1.0, {.axis = 1});
        damper.add_force({.name = "resist",
                          .type = Bushing{.object1 = "world",
                                          .object2 = "slider.body",
                                          .damper = {Table<double>{{-1, 0, 1}, {-20, 0, 0}}, 0.0, 0.0}}});
        damper.run(1.0, {.record = false});
        CHECK(damper.state(damped).v[0] == doctest::Approx(-0.1).epsilon(1e-6));
    }
}

TEST_CASE("a law that jumps against the motion is refused when it is met, with its name") {
    for (const Solver solver : {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk}) {
        CAPTURE(solver_name(solver));
        World world;
        world.scene(weightless());
        world.set_simulation({.solver = solver});
        add_slider(world, "slider", 1.0, {.axis = 1, .v = 0.9});
        world.add_force({.name = "dry",
                         .type = Bushing{.object1 = "world",
                                         .object2 = "slider.body",
                                         .damper = {Table<double>{{-1, 0, 0, 1}, {-1, -1, 1, 1}}, 0.0, 0.0}}});
        try {
            world.run(2.0);
            FAIL("no error");
        } catch (const SimulationError& error) {
            CHECK(std::string{error.what()}.find("'dry' switches to and fro without end") != std::string::npos);
            CHECK(error.time == doctest::Approx(0.9).epsilon(1e-6));
        }
    }
}

TEST_CASE("a stop is not missed by a step that passes it twice") {
    for (const Solver solver : {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk})
        for (const double upper : {3.0, 5.0, 5.09}) {
            CAPTURE(solver_name(solver));
            CAPTURE(upper);
            World world;
            world.scene({.gravity = {0, 0, -9.81}});
            world.set_simulation({.solver = solver});
            add_slider(world, "slider", 1.0,
                       {.axis = 3,
                        .v = 10,
                        .resistance = {.limits = JointLimits{.lower = -100, .upper = upper, .stiffness = 1e5}}});
            int events = 0;
            world.on_event([&](const Event&) { ++events; });
            world.run(1.5, {.record = false});
            CHECK(events == 2);
        }
}
