// The two-stage rocket of the thesis, section 12.1, against its closed form.
#include "demos/scenes/rocket.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace tactus;
using scenes::Rocket;
using scenes::RocketProgram;

TEST_CASE("the closed form of the rocket is that of the published scenario") {
    CHECK(Rocket::height(15.0) == doctest::Approx(1232.208333333333).epsilon(1e-13));
    CHECK(Rocket::speed(15.0) == doctest::Approx(77.85).epsilon(1e-13));
}

TEST_CASE("the rocket flies as its closed form says, whatever makes its stages one and two") {
    for (const RocketProgram program : {RocketProgram::Actions, RocketProgram::Coroutine, RocketProgram::Conditions})
        for (const Solver solver : {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk}) {
            CAPTURE(static_cast<int>(program));
            CAPTURE(solver_name(solver));
            World world;
            const Rocket rocket = scenes::rocket(world, program, 1e-8);
            Simulation simulation = world.simulation();
            simulation.solver = solver;
            world.set_simulation(simulation);
            std::vector<double> times;
            world.on_event([&](const Event& e) {
                if (e.kind == EventKind::action) times.push_back(e.time);
            });
            for (const double t : {2.5, 5.0, 7.5, 10.0, 15.0}) {
                world.run(t, {.record = false});
                CHECK(std::abs(world.pose(rocket.stage2).p.y() - Rocket::height(t)) < 1e-6 * Rocket::height(t));
                CHECK(std::abs(world.velocity(rocket.stage2).v.y() - Rocket::speed(t)) < 1e-6 * Rocket::speed(t));
            }
            CHECK(world.pose(rocket.stage2).p.y() == doctest::Approx(1232.208333333).epsilon(1e-6));
            // Where heights decide, the times follow.
            REQUIRE(times.size() == 3);
            CHECK(times[0] == 0.0);
            CHECK(times[1] == doctest::Approx(Rocket::separation_time).epsilon(1e-7));
            CHECK(times[2] == doctest::Approx(Rocket::deletion_time).epsilon(1e-7));
        }
}

TEST_CASE("the lower stage goes on as a stone, and is gone when it is deleted") {
    World world;
    const Rocket rocket = scenes::rocket(world, RocketProgram::Actions, 1e-8);
    world.run(9.0, {.record = false});
    const double v = Rocket::speed(5.0);
    const double y = Rocket::height(5.0) - 1.5 + v * 4.0 - 0.5 * 9.81 * 16.0;  // its centre is 1.5 m lower
    CHECK(world.pose(rocket.stage1).p.y() == doctest::Approx(y).epsilon(1e-8));
    CHECK(world.velocity(rocket.stage1).v.y() == doctest::Approx(v - 9.81 * 4.0).epsilon(1e-8));
    CHECK(world.momentum().mass == doctest::Approx(200.0));
    world.run(11.0, {.record = false});
    CHECK(world.momentum().mass == doctest::Approx(100.0));
    CHECK_THROWS_AS(world.pose(rocket.stage1), InputError);
}

TEST_CASE("signals of the rocket are missing where its stages have no states, or do not exist") {
    World world;
    scenes::rocket(world, RocketProgram::Actions);
    world.run(15.0);
    const Results& results = world.results();
    const Signal* state = results.find("stage1.body.translation");
    const Signal* place = results.find("stage1.body.position");
    const Signal* other = results.find("stage2.body.position");
    REQUIRE(state);
    REQUIRE(place);
    REQUIRE(other);
    for (std::size_t i = 0; i < results.time.size(); ++i) {
        const double t = results.time[i];
        const bool state_missing = std::isnan(state->values[3 * i + 1]);
        if ((t > 0.0 && t < 5.0) || t > 10.0) CHECK(state_missing);
        if (t > 5.0 && t < 10.0) CHECK_FALSE(state_missing);
        if (t < 10.0) CHECK_FALSE(std::isnan(place->values[3 * i + 1]));
        if (t > 10.0) CHECK(std::isnan(place->values[3 * i + 1]));
        CHECK_FALSE(std::isnan(other->values[3 * i + 1]));
    }
    // 13 states for each free stage, and two energies, because thrust does work.
    std::vector<std::size_t> states;
    for (const Segment& segment : world.segments()) states.push_back(segment.states);
    CHECK(states == std::vector<std::size_t>{28, 15, 28, 15});
    CHECK(world.segments()[1].start == 0.0);
    CHECK(world.segments()[2].start == 5.0);
    CHECK(world.segments()[3].start == 10.0);
}

TEST_CASE("after a reset the rocket flies the same flight again") {
    for (const RocketProgram program : {RocketProgram::Actions, RocketProgram::Coroutine, RocketProgram::Conditions}) {
        World world;
        const Rocket rocket = scenes::rocket(world, program);
        const std::string definition = write_document(to_document(world, "."));
        world.run(7.0, {.record = false});  // in the middle of it
        CHECK(write_document(to_document(world, ".")) == definition);
        world.reset();
        world.run(15.0, {.record = false});
        const double y = world.pose(rocket.stage2).p.y();
        CHECK(write_document(to_document(world, ".")) == definition);
        world.reset();
        CHECK(world.pose(rocket.stage1).p.y() == 1.0);
        world.run(15.0, {.record = false});
        CHECK(world.pose(rocket.stage2).p.y() == y);  // to the bit
    }
}
