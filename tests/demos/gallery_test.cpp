// The demos as values: their texts, their scenes, and that what they say happens.
#include "demos/demo.hpp"
#include "demos/scenes/bouncing_ball.hpp"
#include "demos/scenes/newtons_cradle.hpp"
#include "demos/scenes/pendulums.hpp"
#include "demos/scenes/rattleback.hpp"
#include "demos/scenes/rolling_balls.hpp"
#include "demos/scenes/wing_nut.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>
#include <set>

using namespace tactus;

TEST_CASE("every demo has a name of its own, says what it teaches, and has the objects that it names") {
    std::set<std::string> names;
    REQUIRE(demos::all().size() >= 15);
    for (const demos::Demo* demo : demos::all()) {
        CAPTURE(demo->name);
        CHECK(names.insert(demo->name).second);
        CHECK(!demo->title.empty());
        CHECK(demo->lesson.ends_with('.'));
        CHECK(demo->look_for.ends_with('.'));
        World world{{.workers = 1}};
        demos::Set set{world, demo->parameters};
        demo->build(set);
        world.update_structure();
        for (const std::string& object : demo->follow) CHECK((world.find(object) != entt::null));
        for (const demos::Signal& signal : set.signals) CHECK(std::isfinite(signal.value(world)));
    }
}

TEST_CASE("every demo can be built with each of its parameters at both ends") {
    for (const demos::Demo* demo : demos::all())
        for (std::size_t i = 0; i < demo->parameters.size(); ++i)
            for (const bool high : {false, true}) {
                std::vector<demos::Parameter> values = demo->parameters;
                values[i].value = high ? values[i].most : values[i].least;
                CAPTURE(demo->name);
                CAPTURE(values[i].name);
                CHECK(values[i].least < values[i].most);
                CHECK(values[i].step > 0.0);
                World world{{.workers = 1}};
                demos::Set set{world, values};
                demo->build(set);
                world.update_structure();
            }
}

TEST_CASE("a pendulum with a large swing has the period of the elliptic integral") {
    // 2 pi sqrt(l/g) (1 + a^2/16 + 11 a^4/3072 + 173 a^6/737280 + ...)
    const double a = 0.3, small = 2.0 * std::numbers::pi * std::sqrt(0.5 / 9.81);
    const double series = small * (1 + a * a / 16 + 11 * std::pow(a, 4) / 3072 + 173 * std::pow(a, 6) / 737280);
    CHECK(scenes::pendulum_period(0.5, a) == doctest::Approx(series).epsilon(1e-8));
}

TEST_CASE("pendulums of the wave are all back at their start after its period") {
    World world{{.workers = 1}};
    const scenes::PendulumWave options{.pendulums = 5, .swings = 6, .period = 8.0, .angle = 0.9, .tolerance = 1e-8};
    const auto hinges = scenes::pendulum_wave(world, options);
    world.advance(options.period);
    for (const Entity hinge : hinges) {
        CHECK(world.state(hinge).q[0] == doctest::Approx(options.angle).epsilon(1e-5));
        CHECK(std::abs(world.state(hinge).v[0]) < 1e-3);
    }
}

TEST_CASE("fast bounces give back the restitution that was asked for, slow ones less; impulses always the same") {
    World world{{.workers = 1}};
    const auto measured = scenes::bouncing_ball(world, {.restitution = 0.7, .height = 0.5});
    world.advance(0.5);  // one bounce at 3.1 m/s
    CHECK(measured->elastic == doctest::Approx(0.7).epsilon(0.01));
    CHECK(measured->impulsive == doctest::Approx(0.7));
    // Heights after the first bounce are e^2 times those before, at the same time for both.
    CHECK(world.pose(world.at("elastic")).p.z() ==
          doctest::Approx(world.pose(world.at("impulsive")).p.z()).epsilon(0.01));
    world.advance(2.5);
    CHECK(measured->elastic < 0.5);
    CHECK(world.pose(world.at("impulsive")).p.z() == doctest::Approx(0.05).epsilon(1e-6));
    CHECK(std::abs(world.velocity(world.at("impulsive")).v.z()) < 1e-9);
    CHECK(world.pose(world.at("elastic")).p.z() == doctest::Approx(0.05).epsilon(1e-3));
}

TEST_CASE("as many balls leave Newton's cradle as arrive") {
    for (const int lifted : {1, 2}) {
        CAPTURE(lifted);
        World world{{.workers = 1}};
        const auto hinges = scenes::newtons_cradle(world, {.lifted = lifted, .angle = 0.3});
        std::vector<double> highest(hinges.size(), 0.0);
        for (int i = 0; i < 70; ++i) {  // half a swing and a little more
            world.advance(0.01);
            for (std::size_t k = 0; k < hinges.size(); ++k)
                highest[k] = std::max(highest[k], world.state(hinges[k]).q[0]);
        }
        for (std::size_t k = 0; k < hinges.size(); ++k) {
            const bool leaves = k + static_cast<std::size_t>(lifted) >= hinges.size();
            CAPTURE(k);
            if (leaves)
                CHECK(highest[k] > 0.27);
            else
                CHECK(highest[k] < 0.05);
        }
    }
}

TEST_CASE("a rattleback turns back") {
    World world{{.workers = 1}};
    const Entity body = scenes::rattleback(world);
    CHECK(world.velocity(body).w.z() > 4.0);
    double least = 0.0;
    for (int i = 0; i < 40; ++i) {
        world.advance(0.1);
        least = std::min(least, world.velocity(body).w.z());
    }
    CHECK(least < -0.5);
}

TEST_CASE("a ball that slides at first rolls with five sevenths of its speed") {
    World world{{.workers = 1}};
    world.set_contact_pair({.material1 = "BilliardBall",
                            .material2 = "BilliardTable",
                            .sliding_friction_coefficient = 0.8,
                            .rotational_resistance_coefficient = 0.0});
    scenes::rolling_balls(world, {.speed = 1.0, .gap = 2.0});
    world.advance(0.4);
    const Twist cue = world.velocity(world.at("cue"));
    CHECK(cue.v.x() == doctest::Approx(5.0 / 7.0).epsilon(2e-3));
    CHECK(0.03 * cue.w.y() == doctest::Approx(cue.v.x()).epsilon(5e-3));
}

TEST_CASE("a wing nut flips again and again, and keeps its angular momentum") {
    World world{{.workers = 1}};
    const Entity nut = scenes::wing_nut(world);
    const Vec3 before = world.momentum().angular_W;
    const auto own = [&] { return (world.pose(nut).q.conjugate() * world.velocity(nut).w).x(); };
    int flips = 0;
    bool forward = true;
    for (int i = 0; i < 200; ++i) {
        world.advance(0.1);
        if (std::abs(own()) < 3.0 || (own() > 0.0) == forward) continue;
        forward = !forward;
        ++flips;
    }
    CHECK(flips >= 4);
    CHECK((world.momentum().angular_W - before).norm() < 1e-6 * before.norm());
    CHECK(world.momentum().center_of_mass_W.norm() < 1e-9);
}
