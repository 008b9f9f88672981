// World::advance and World::run: time, events, budgets, changes while moving, and failures.
#include "tests/support/allocation_counter.hpp"
#include "tests/support/compare.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <atomic>
#include <cmath>
#include <stdexcept>
#include <thread>

using namespace tactus;
using namespace tactus::test;

namespace {

constexpr Solver solvers[] = {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk};
const MassProperties ball{1.0, Vec3::Zero(), Mat3::Identity()};

// A ball that falls from 1 m.
Entity falling_ball(World& world, const Simulation& simulation = {}) {
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation(simulation);
    return world.add({.name = "ball", .free = true, .translation = {0, 0, 1}, .mass_properties = ball});
}

}  // namespace

TEST_CASE("advance reaches the times that it was asked for, and the state there is right") {
    for (const Solver solver : solvers) {
        CAPTURE(solver_name(solver));
        World world;
        const Entity e = falling_ball(world, {.solver = solver, .start_time = 2.0, .stop_time = 9.0});
        CHECK(world.time() == 2.0);
        CHECK(world.pose(e).p.z() == 1.0);
        double t = 2.0;
        for (int i = 0; i < 120; ++i) {
            const Advance advance = world.advance(1.0 / 60);
            t += 1.0 / 60;
            CHECK(advance.complete);
            CHECK(advance.time == t);
            CHECK(world.time() == t);
        }
        CHECK(world.pose(e).p.z() == doctest::Approx(1 - 0.5 * 9.81 * (t - 2) * (t - 2)).epsilon(1e-6));
        CHECK(world.velocity(e).v.z() == doctest::Approx(-9.81 * (t - 2)).epsilon(1e-6));
        CHECK(world.acceleration(e).v.z() == doctest::Approx(-9.81));
        CHECK(world.statistics().integrator.restarts == 1);  // frames do not disturb the integrator
        world.advance(0);
        CHECK(world.time() == t);
    }
    World world;
    falling_ball(world);
    CHECK(contains(input_error([&] { world.advance(-1); }), "dt = -1: must be a finite number >= 0"));
    CHECK(contains(input_error([&] { world.advance(std::nan("")); }), "dt"));
    world.advance(1.0);
    CHECK(
        contains(input_error([&] { world.run(0.5); }), "until = 0.5: must be a finite number >= the present time (1)"));
}

TEST_CASE("frames, one run, and any mixture of them end in the same state within the tolerance") {
    const auto end = [](auto&& go) {
        World world;
        world.scene({.gravity = {0, 0, -9.81}});
        world.set_simulation({.tolerance = 1e-8});
        world.add({.name = "rod",
                   .parent = ParentRef::none(),
                   .mass_properties = MassProperties{1, {0.5, 0, 0}, 0.1 * Mat3::Identity()}});
        const Entity joint =
            world.add_joint({.name = "j", .object1 = "world", .object2 = "rod", .type = Revolute{.axis = 2}});
        go(world);
        CHECK(world.time() == doctest::Approx(3.0).epsilon(1e-14));
        return world.state(joint).q[0];
    };
    const double once = end([](World& w) { w.run(3.0, {.record = false}); });
    CHECK(end([](World& w) {
              for (int i = 0; i < 300; ++i) w.advance(0.01);
          }) == doctest::Approx(once).epsilon(1e-8));
    CHECK(end([](World& w) {
              for (int i = 0; i < 3; ++i) w.advance(1);
          }) == doctest::Approx(once).epsilon(1e-8));
    CHECK(end([](World& w) { w.advance(0.7), w.run(1.1), w.advance(0.9), w.run(3.0); }) ==
          doctest::Approx(once).epsilon(1e-8));
}

TEST_CASE("the same world moves to the same bits every time") {
    const auto end = [](int workers) {
        World world{{.workers = workers}};
        world.scene({.gravity = {0, 0, -9.81}});
        for (int i = 0; i < 5; ++i)
            world.add({.name = "b" + std::to_string(i),
                       .free = true,
                       .velocity = {1.0 * i, 0, 0},
                       .angular_velocity = {0.1 * i, 1, 2},
                       .mass_properties = MassProperties{1, {0.1, 0.2, 0}, Vec3{1, 1.5, 2}.asDiagonal()}});
        world.add_force({.name = "s",
                         .type = SpringDamper{
                             .object1 = "b1", .object2 = "b2", .nominal_length = 1, .spring = 20.0, .damper = 0.1}});
        world.run(2.0);
        std::vector<double> bits;
        for (const StateValue& s : world.states()) bits.insert(bits.end(), s.values.begin(), s.values.end());
        for (const Signal& s : world.results().signals) bits.insert(bits.end(), s.values.begin(), s.values.end());
        return bits;
    };
    const auto first = end(1);
    CHECK(first == end(1));
    CHECK(first == end(2));
    CHECK(first == end(4));
}

TEST_CASE("a zero crossing is found at its exact time, with its direction, by every integrator") {
    for (const Solver solver : solvers) {
        CAPTURE(solver_name(solver));
        World world;
        const Entity e = falling_ball(world, {.solver = solver, .tolerance = 1e-8});
        const auto height = [e](const Instant& now) { return now.pose(e).p.z(); };
        world.add_zero_crossing({.name = "ground", .function = height});
        world.add_zero_crossing({.name = "never", .function = height, .direction = Direction::rising});
        world.add_zero_crossing(
            {.name = "fast", .function = [e](const Instant& now) { return now.velocity(e).v.norm() - 2; }});
        std::vector<Event> events;
        world.on_event([&](const Event& event) {
            CHECK(world.time() == event.time);  // the World is there, too
            if (event.name == "ground") CHECK(std::abs(world.pose(e).p.z()) < 1e-8);
            events.push_back(event);
        });
        while (world.time() < 1.0) world.advance(0.3);
        REQUIRE(events.size() == 2);
        CHECK(events[0].name == "fast");
        CHECK(events[0].direction == 1);
        CHECK(events[0].time == doctest::Approx(2 / 9.81).epsilon(1e-8));
        CHECK(events[1].name == "ground");
        CHECK(events[1].direction == -1);
        CHECK(events[1].time == doctest::Approx(std::sqrt(2 / 9.81)).epsilon(1e-8));
        CHECK(world.statistics().events == 2);
        CHECK(world.statistics().integrator.restarts == 1);  // to look is not to touch
        world.remove_event("never");
        CHECK(
            contains(input_error([&] { world.remove_event("never"); }), "there is no time event and no zero crossing"));
    }
}

TEST_CASE("time events come at their times, in order, between frames or on them") {
    World world;
    falling_ball(world);
    std::vector<std::string> names;
    world.on_event([&](const Event& event) {
        CHECK(event.kind == EventKind::time);
        CHECK(world.time() == event.time);
        names.push_back(event.name);
    });
    world.add_time_event("c", 0.5);
    world.add_time_event("a", 0.25);
    world.add_time_event("b", 0.31);
    world.add_time_event("later", 10);
    world.advance(0.25);
    CHECK(names == Names{"a"});
    world.advance(0.75);
    CHECK(names == Names{"a", "b", "c"});
    CHECK(contains(input_error([&] { world.add_time_event("past", 0.5); }),
                   "must be a finite number > the present time"));
}

TEST_CASE("an event handler may change the motion: an impulsive bounce follows its geometric law") {
    // Drop height 1 m, restitution 0.8: t_k = t_0 (1 + 2 sum e^i).
    World world;
    const Entity e = falling_ball(world, {.tolerance = 1e-9});
    world.add_zero_crossing({.name = "ground",
                             .function = [e](const Instant& now) { return now.pose(e).p.z(); },
                             .direction = Direction::falling});
    std::vector<double> times;
    world.on_event([&](const Event& event) {
        times.push_back(event.time);
        JointState state = world.state(e);
        state.v[2] *= -0.8;
        state.q[2] = 0.0;
        world.set_state(e, state);
    });
    world.run(2.5, {.record = false});
    const double t0 = std::sqrt(2 / 9.81);
    double t = t0, rise = 0.8;
    REQUIRE(times.size() >= 4);
    for (std::size_t i = 0; i < 4; ++i, rise *= 0.8) {
        CAPTURE(i);
        CHECK(times[i] == doctest::Approx(t).epsilon(1e-8));
        t += 2 * t0 * rise;
    }
}

TEST_CASE("bodies come, change and go while the others move on undisturbed") {
    World world;
    const Entity a = falling_ball(world, {.tolerance = 1e-9});
    world.run(0.5);
    const Entity b = world.add(
        {.name = "late", .free = true, .translation = {5, 0, 0}, .velocity = {1, 0, 0}, .mass_properties = ball});
    CHECK(world.pose(b).p.x() == 5);
    world.run(1.0);
    CHECK(world.pose(b).p.x() == doctest::Approx(5.5).epsilon(1e-8));
    CHECK(world.pose(a).p.z() == doctest::Approx(1 - 0.5 * 9.81).epsilon(1e-8));
    world.change(a, [](Object3DDef& o) { o.mass_properties->mass = 3; });  // moves on as it did
    CHECK(world.velocity(a).v.z() == doctest::Approx(-9.81).epsilon(1e-8));
    CHECK(world.momentum().mass == 4);
    world.remove(b);
    world.run(1.5);
    CHECK(world.pose(a).p.z() == doctest::Approx(1 - 0.5 * 9.81 * 2.25).epsilon(1e-8));
    world.change(a, [](Object3DDef& o) { o.translation = {0, 0, 7}; });  // put somewhere else, with its first velocity
    CHECK(world.pose(a).p.z() == 7);
    CHECK(world.velocity(a).v.z() == 0);
    CHECK(world.statistics().segments == 5);

    // Results: missing where it did not exist
    const Signal* late = world.results().find("late.position");
    REQUIRE(late);
    REQUIRE(late->values.size() == 3 * world.results().time.size());
    int present = 0;
    for (std::size_t k = 0; k < world.results().time.size(); ++k) {
        const double t = world.results().time[k];
        if (!std::isnan(late->values[3 * k])) {
            ++present;
            CHECK(t >= 0.5);
            CHECK(t <= 1.0);
            CHECK(late->values[3 * k] == doctest::Approx(5 + (t - 0.5)).epsilon(1e-8));
        }
    }
    CHECK(present > 400);
}

TEST_CASE("reset goes back to the start") {
    World world;
    const Entity e = falling_ball(world);
    world.run(1.0);
    world.reset();
    CHECK(world.time() == 0);
    CHECK(world.pose(e).p.z() == 1);
    CHECK(world.results().time.empty());
    CHECK(world.statistics().integrator.steps == 0);
}

TEST_CASE("a budget ends a call after at most one internal step, and the next call goes on from there") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.tolerance = 1e-9});
    const Entity e = world.add({.name = "ball", .free = true, .mass_properties = ball});
    std::atomic<int> calls = 0;
    world.add_force({.name = "slow", .type = WorldForce{.object = "ball", .force = Callback{"slow"}}});
    world.set_function("slow", [&](double t) {
        ++calls;
        std::this_thread::sleep_for(std::chrono::milliseconds{1});
        return Vec3{std::sin(50 * t), 0, 0};
    });
    const Advance first = world.advance(10.0, std::chrono::milliseconds{20});
    CHECK_FALSE(first.complete);
    CHECK(first.time == world.time());
    CHECK(first.behind == doctest::Approx(10.0 - first.time));
    CHECK(first.time > 0);
    const int of_first = calls;
    CHECK(of_first < 400);  // 20 ms, and one step, which may take a Jacobian of fifteen columns or so
    const Advance none =
        world.advance(1.0, std::chrono::seconds{0});  // no time at all: nothing, or what is there already
    CHECK_FALSE(none.complete);
    CHECK(none.time >= first.time);
    world.set_function("slow", [](double t) { return Vec3{std::sin(50 * t), 0, 0}; });
    const double from = world.time();
    const Advance rest = world.advance(2.0 - from);
    CHECK(rest.complete);
    // x'' = sin(50 t) from rest: v = (1 - cos(50 t)) / 50
    CHECK(world.velocity(e).v.x() == doctest::Approx((1 - std::cos(100.0)) / 50).epsilon(1e-6));
}

TEST_CASE("a settled motion takes no memory") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    world.add({.name = "rod",
               .parent = ParentRef::none(),
               .mass_properties = MassProperties{1, {0.5, 0, 0}, 0.1 * Mat3::Identity()}});
    world.add_joint({.name = "j",
                     .object1 = "world",
                     .object2 = "rod",
                     .type = Revolute{.axis = 2, .resistance = {.damping = 0.01}}});
    world.add({.name = "ball", .free = true, .mass_properties = ball});
    world.add_force({.name = "s", .type = SpringDamper{.object1 = "rod", .object2 = "ball", .spring = 5.0}});
    world.advance(1.0);
    const long before = allocations();
    for (int i = 0; i < 60; ++i) world.advance(1.0 / 60);
    CHECK(allocations() - before == 0);
}

TEST_CASE("energies, momenta and joint forces of a pendulum are those of the book") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.tolerance = 1e-9});
    world.add({.name = "rod", .parent = ParentRef::none()});
    world.add(
        {.name = "mass", .parent = "rod", .translation = {2, 0, 0}, .mass_properties = MassProperties{.mass = 3}});
    const Entity joint =
        world.add_joint({.name = "j", .object1 = "world", .object2 = "rod", .type = Revolute{.axis = 2}});
    CHECK(world.joint_wrench(joint).f.norm() < 1e-12);  // falls freely in the first instant
    double lowest = 0;
    world.add_zero_crossing(
        {.name = "lowest", .function = [joint](const Instant& now) { return now.state(joint).q[0] - std::acos(0.0); }});
    world.on_event([&](const Event&) {
        ++lowest;
        CHECK(world.joint_wrench(joint).f.z() ==
              doctest::Approx(3 * 3 * 9.81).epsilon(1e-8));  // three times the weight
        CHECK(world.energies().kinetic == doctest::Approx(3 * 9.81 * 2).epsilon(1e-8));
        CHECK(world.energies().potential == doctest::Approx(-3 * 9.81 * 2).epsilon(1e-8));
    });
    world.run(1.5, {.record = false});
    CHECK(lowest == 1);
}

// ---- failures: a clear error, the World at the last good instant, results kept ----

TEST_CASE("a free body without mass is refused with its name") {
    World world;
    world.scene({});
    world.add({.name = "ghost", .free = true});
    const SimulationError error = simulation_error([&] { world.run(1.0); });
    CHECK(contains(error.what(), "the free motion of 'ghost' moves no mass"));
    CHECK(error.elements == Names{"ghost"});

    World point;
    point.scene({});
    point.add({.name = "point", .free = true, .mass_properties = MassProperties{.mass = 1}});
    CHECK(contains(simulation_error([&] { point.run(1.0); }).what(), "turns no moment of inertia"));

    World joint;
    joint.scene({});
    joint.add({.name = "arm", .parent = ParentRef::none()});
    joint.add_joint({.name = "hinge", .object1 = "world", .object2 = "arm", .type = Revolute{}});
    CHECK(contains(simulation_error([&] { joint.advance(1.0); }).what(), "joint 'hinge' moves no mass"));
}

TEST_CASE("a force that is not finite ends the simulation with its name, at its time, and results are kept") {
    for (const Solver solver : solvers) {
        CAPTURE(solver_name(solver));
        World world;
        falling_ball(world, {.solver = solver});
        world.add_force({.name = "burst", .type = WorldForce{.object = "ball", .force = Callback{"burst"}}});
        world.set_function("burst", [](double t) {
            return Vec3{t < 0.5 ? 0.0 : std::numeric_limits<double>::infinity(), 0, 0};
        });
        const SimulationError error = simulation_error([&] { world.run(1.0); });
        CHECK(contains(error.what(), "burst"));
        CHECK(error.time == doctest::Approx(0.5).epsilon(1e-3));
        CHECK(error.time <= 0.5);
        CHECK(world.time() <= 0.5);
        CHECK(world.results().time.size() > 200);
        CHECK(world.results().time.back() <= 0.5);
        const Signal* z = world.results().find("ball.position");
        REQUIRE(z);
        CHECK(z->values.size() == 3 * world.results().time.size());
    }
}

TEST_CASE("a function that throws ends the simulation with its words, its name and its time") {
    for (const Solver solver : solvers) {
        CAPTURE(solver_name(solver));
        World world;
        const Entity e = falling_ball(world, {.solver = solver});
        world.add_force({.name = "broken", .type = WorldForce{.object = "ball", .force = Callback{"bad"}}});
        world.set_function("bad", [](double t) -> Vec3 {
            if (t > 0.5) throw std::runtime_error("out of fuel");
            return {0, 0, 0};
        });
        const SimulationError error = simulation_error([&] { world.run(1.0); });
        CHECK(contains(error.what(), "function 'bad': out of fuel"));
        CHECK(error.elements == Names{"broken"});
        CHECK(world.time() <= 0.5);
        CHECK(world.time() > 0.2);
        // It is where it was, and goes on once the function is mended.
        const double t = world.time();
        CHECK(world.pose(e).p.z() == doctest::Approx(1 - 0.5 * 9.81 * t * t).epsilon(1e-6));
        world.set_function("bad", [](double) { return Vec3{0, 0, 0}; });
        world.run(1.0);
        CHECK(world.pose(e).p.z() == doctest::Approx(1 - 0.5 * 9.81).epsilon(1e-6));
    }
    World world;
    falling_ball(world);
    world.add_force({.name = "f", .type = WorldForce{.object = "ball", .force = Callback{"missing"}}});
    CHECK(contains(simulation_error([&] { world.advance(0.1); }).what(),
                   "function 'missing': there is no such function"));
}

TEST_CASE("a motion that runs away in finite time ends with a collapsed step, the time and the joint") {
    for (const Solver solver : solvers) {
        CAPTURE(solver_name(solver));
        // x'' = 6 x^2 with x = 1, v = 2: x = 1 / (1 - t)^2
        World world;
        world.scene({.gravity = NoGravity{}});
        world.set_simulation({.solver = solver, .tolerance = 1e-6});
        world.add({.name = "body", .parent = ParentRef::none(), .mass_properties = ball});
        world.add_joint(
            {.name = "slide", .object1 = "world", .object2 = "body", .type = Prismatic{.axis = 1, .s = 1, .v = 2}});
        world.add_force(
            {.name = "law",
             .type = Bushing{.object1 = "world", .object2 = "body", .spring = {Callback{"away"}, 0.0, 0.0}}});
        world.set_function("away", [](double x) { return -6 * x * x; });
        const SimulationError error = simulation_error([&] { world.run(2.0); });
        CHECK(error.time == doctest::Approx(1.0).epsilon(1e-3));
        CHECK(contains(error.what(), "slide."));
        CHECK_FALSE(world.results().time.empty());
    }
}

TEST_CASE("a World that moves refuses to be moved, reset or cleared from within, and goes on") {
    World world;
    falling_ball(world);
    world.add_time_event("now", 0.5);
    int refused = 0;
    world.on_event([&](const Event&) {
        for (const auto& call : std::vector<std::function<void()>>{[&] { world.reset(); }, [&] { world.clear(); },
                                                                   [&] { world.advance(1); }, [&] { world.run(2); }})
            refused += contains(input_error(call), "cannot be called by what is called while the World moves");
    });
    world.run(1.0);
    CHECK(refused == 4);
    CHECK(world.time() == 1.0);
    CHECK(world.results().time.back() == 1.0);
    const auto samples = std::count(world.results().time.begin(), world.results().time.end(), 0.5);
    CHECK(samples == 2);  // before, and after: a communication point
    CHECK(contains(input_error([&] { world.add_time_event("now", world.time()); }),
                   "must be a finite number > the present time"));
}

TEST_CASE("a handler that throws stops the call, but no handler misses an event") {
    World world;
    falling_ball(world);
    world.add_time_event("a", 0.5);
    world.add_time_event("b", 0.5);
    std::string heard;
    world.on_event([](const Event& e) {
        if (e.name == "a") throw std::runtime_error("enough");
    });
    world.on_event([&](const Event& e) { heard += e.name; });
    CHECK_THROWS_WITH(world.run(1.0), "enough");
    CHECK(heard == "ab");
    CHECK(world.time() == 0.5);
    CHECK(world.run(1.0).complete);
    CHECK(heard == "ab");
}

TEST_CASE("a law that threw can be mended, and energies go on over segments") {
    World world;
    world.scene({.gravity = NoGravity{}});
    world.add({.name = "body", .parent = ParentRef::none(), .mass_properties = ball});
    world.add_joint({.name = "slide", .object1 = "world", .object2 = "body", .type = Prismatic{.axis = 1, .v = 2}});
    world.add_force({.name = "law",
                     .type = Bushing{.object1 = "world", .object2 = "body", .damper = {Callback{"drag"}, 0.0, 0.0}}});
    world.set_function("drag", [](double v) -> double {
        if (v < 1.5) throw std::runtime_error("too slow");
        return 1.0;
    });
    CHECK(contains(simulation_error([&] { world.run(1.0); }).what(), "function 'drag': too slow"));
    world.set_function("drag", [](double) { return 1.0; });
    world.run(1.0);
    CHECK(world.velocity(world.at("body")).v.x() == doctest::Approx(1.0).epsilon(1e-6));
    CHECK(world.energies().dissipated == doctest::Approx(1.5).epsilon(1e-6));
    CHECK(world.results().find("energy.dissipated")->values.back() == doctest::Approx(1.5).epsilon(1e-6));
}

TEST_CASE("the name of a removed element may come back with another kind of signal") {
    World world;
    falling_ball(world);
    world.add_force({.name = "e", .type = SpringDamper{.object1 = "world", .object2 = "ball", .spring = 1.0}});
    world.run(0.1);
    world.remove(world.at("e"));
    world.add_force({.name = "e", .type = WorldForce{.object = "ball", .force = Vec3{1, 2, 3}}});
    world.run(0.2);
    REQUIRE(world.results().find("e.force"));
    REQUIRE(world.results().find("e.force'"));
    CHECK(world.results().find("e.force")->size == 1);
    CHECK(std::isnan(world.results().find("e.force")->values.back()));
    CHECK(world.results().find("e.force'")->values.back() == 3);
}

TEST_CASE("a new velocity in flight pushes a body where it is") {
    World world;
    const Entity e = falling_ball(world, {.tolerance = 1e-9});
    world.advance(0.5);
    const double z = world.pose(e).p.z();
    world.change(e, [](Object3DDef& o) { o.velocity = {1, 0, 0}; });
    CHECK(world.pose(e).p.z() == doctest::Approx(z).epsilon(1e-14));
    CHECK((world.velocity(e).v - Vec3{1, 0, 0}).norm() < 1e-14);
}

TEST_CASE("zero-crossing functions: all crossings of a turning rotor, errors with the function's name, objects kept") {
    World world;
    world.scene({.gravity = NoGravity{}});
    const Entity rotor =
        world.add({.name = "rotor", .free = true, .angular_velocity = {0, 0, 1}, .mass_properties = ball});
    world.add_zero_crossing({.name = "half turn",
                             .function = [rotor](const Instant& now) { return now.pose(rotor).R()(1, 0); },
                             .objects = {"rotor"}});
    std::vector<double> times;
    world.on_event([&](const Event& event) { times.push_back(event.time); });
    world.run(100.0, {.record = false});
    REQUIRE(times.size() == 31);
    for (std::size_t i = 0; i < times.size(); ++i)
        CHECK(times[i] == doctest::Approx(std::acos(-1.0) * static_cast<double>(i + 1)).epsilon(1e-6));
    CHECK(contains(input_error([&] { world.remove(rotor); }), "the zero crossing 'half turn' looks at 'rotor'"));
    world.add_zero_crossing(
        {.name = "bad", .function = [](const Instant& now) { return now.time() < 101 ? 1.0 : std::nan(""); }});
    const SimulationError error = simulation_error([&] { world.run(110.0); });
    CHECK(contains(error.what(), "the zero-crossing function 'bad' is not a finite number"));
    CHECK(error.elements == Names{"bad"});

    World still;  // nothing moves but time
    still.scene({});
    still.add_zero_crossing({.name = "noon", .function = [](const Instant& now) { return now.time() - 12; }});
    double noon = 0;
    still.on_event([&](const Event& event) { noon = event.time; });
    still.run(20.0, {.record = false});
    CHECK(noon == doctest::Approx(12).epsilon(1e-12));
}

TEST_CASE("what this version cannot simulate is said, not skipped") {
    World world;
    world.scene({});
    world.add({.name = "ball", .free = true, .shape = Sphere{1}, .material = "Steel"});
    world.add({.name = "rod", .parent = ParentRef::none(), .shape = Sphere{1}, .material = "Steel"});
    world.add_joint({.name = "first", .object1 = "world", .object2 = "rod", .type = Revolute{}});
    const Entity second = world.add_joint({.name = "second", .object1 = "world", .object2 = "rod", .type = Revolute{}});
    CHECK(contains(input_error([&] { world.advance(1); }),
                   "closes a kinematic loop: is not simulated by this version yet"));
    world.remove(second);
    CHECK(world.advance(1).complete);
}

TEST_CASE("without contact detection solids pass through each other") {
    World world;
    world.scene({.contact_detection = false});
    world.add({.name = "floor", .shape = Box{1, 1, 1}, .material = "Steel", .collidable = true});
    const Entity ball = world.add({.name = "ball",
                                   .free = true,
                                   .translation = {0, 0, 2},
                                   .shape = Sphere{1},
                                   .material = "Steel",
                                   .collidable = true});
    CHECK(world.advance(1).complete);
    CHECK(world.pose(ball).p.z() == doctest::Approx(2 - 0.5 * 9.81));
}
