// A demo that runs: its clock, its failures, workers that change, dragging, and pointing at things.
#include "demos/session/pointing.hpp"
#include "demos/session/session.hpp"

#include <doctest/doctest.h>

#include <chrono>
#include <cmath>
#include <stdexcept>

using namespace tactus;
using demos::Demo, demos::Set, demos::app::Session;

namespace {

Demo ball_demo() {
    Demo demo;
    demo.name = "test";
    demo.build = [](Set& set) {
        set.world.scene({.gravity = {0, 0, -9.81}});
        set.world.add({.name = "floor",
                       .parent = "world",
                       .translation = {0, 0, -0.05},
                       .shape = Box{4, 4, 0.1},
                       .material = "Steel",
                       .collidable = true});
        set.world.add({.name = "ball",
                       .parent = "world",
                       .free = true,
                       .translation = {0, 0, 1.0},
                       .shape = Sphere{0.2},
                       .material = "Steel",
                       .collidable = true});
    };
    return demo;
}

}  // namespace

TEST_CASE("a demo whose scene cannot be built keeps its error, and others go on") {
    Demo bad = ball_demo();
    bad.build = [](Set& set) { set.world.add({.name = "ball", .shape = Sphere{-1.0}}); };
    Session session{bad, 1};
    CHECK(session.world() == nullptr);
    CHECK(session.error().find("ball") != std::string::npos);
    session.frame(0.1, 0.01);  // nothing happens
    session.step(0.1);
    session.restart();
    CHECK(!session.error().empty());
    const Demo good = ball_demo();
    Session other{good, 1};
    other.step(0.1);
    CHECK(other.error().empty());
    CHECK(other.world()->time() == doctest::Approx(0.1));
}

TEST_CASE("a scene that fails only with some value of a parameter comes back with another one") {
    Demo demo = ball_demo();
    demo.parameters = {{"size", 0.2, -1.0, 1.0, 0.1}};
    demo.build = [build = demo.build](Set& set) {
        build(set);
        set.signals = {{"height", "m", [](World& w) { return w.pose(w.at("ball")).p.z(); }}};
        set.world.add({.name = "other", .parent = "world", .shape = Sphere{set.value("size")}, .material = "Steel"});
    };
    Session session{demo, 1};
    CHECK(session.own_curves() == 1);
    session.parameters[0].value = -0.5;
    session.restart();
    CHECK(session.world() == nullptr);
    CHECK(session.error().find("other") != std::string::npos);
    CHECK(session.own_curves() == 0);  // nothing is left of the former scene
    CHECK(session.curves().empty());
    session.set_workers(2);
    session.parameters[0].value = 0.5;
    session.restart();
    CHECK(session.error().empty());
    CHECK(session.own_curves() == 1);
}

TEST_CASE("a motion that fails stands still with its error, and starts again") {
    Demo demo = ball_demo();
    const auto build = demo.build;
    demo.build = [build](Set& set) {
        build(set);
        set.world.on_contact([](const ContactEvent&) { throw std::runtime_error("no such bounce"); });
    };
    Session session{demo, 1};
    for (int i = 0; i < 60; ++i) session.frame(1.0 / 60, 1.0);
    CHECK(session.error().find("no such bounce") != std::string::npos);
    CHECK(session.paused);
    CHECK(session.world()->time() < 0.5);
    session.restart();
    CHECK(session.error().empty());
    CHECK(session.world()->time() == 0.0);
}

TEST_CASE("a frame keeps to its budget, is caught up in part, and never asks for more than a quarter of a second") {
    Demo demo = ball_demo();
    demo.speed = 1000.0;  // no machine is that fast
    const auto build = demo.build;
    demo.build = [build](Set& set) {
        build(set);
        set.world.set_simulation({.tolerance = 1e-10, .maximum_step = 1e-6});
    };
    Session session{demo, 1};
    const auto began = std::chrono::steady_clock::now();
    for (int i = 0; i < 5; ++i) session.frame(1.0 / 60, 0.01);
    CHECK(std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count() < 2.0);
    CHECK(session.behind() > 0.0);
    CHECK(session.behind() <= 0.25 * 1000.0);
    CHECK(session.profile().back().steps > 0);
}

TEST_CASE(
    "the number of workers may change while a demo runs, also where the structure changes: to the last bit the same") {
    struct Case {
        const char* demo;
        std::vector<std::pair<std::string, double>> parameters;
        double begin, frame;  // [s]
        int frames;
    };
    // The rocket lets go of a stage at 5 s and deletes it at 10 s; the robot takes the sphere at about 4 s. From 100 solids
    // on there are threads.
    for (const Case& c : {Case{"rocket", {}, 0.0, 0.25, 44},
                          {"gripping_robot", {{"variant", 3}}, 0.0, 0.25, 24},
                          {"rain", {{"bodies", 120}}, 0.0, 1.0 / 60, 12},
                          {"billiards", {}, 0.0, 1.0 / 60, 20}}) {
        CAPTURE(c.demo);
        const Demo& demo = *demos::find(c.demo);
        Session one{demo, 1}, changed{demo, 1};
        for (Session* session : {&one, &changed}) {
            for (const auto& [name, value] : c.parameters)
                for (demos::Parameter& parameter : session->parameters)
                    if (parameter.name == name) parameter.value = value;
            session->restart();
        }
        for (int i = 0; i < c.frames; ++i) {
            if (i % 3 == 1) changed.set_workers(1 + i % 4);
            one.step(c.frame);
            changed.step(c.frame);
        }
        CHECK(changed.error().empty());
        CHECK(changed.world()->time() == one.world()->time());
        CHECK(changed.world()->segments().size() == one.world()->segments().size());
        const auto states = one.world()->states(), others = changed.world()->states();
        REQUIRE(states.size() == others.size());
        for (std::size_t i = 0; i < states.size(); ++i) CHECK((states[i].values == others[i].values));
        // What is remembered stays, too.
        CHECK(changed.contacts().size() == one.contacts().size());
        CHECK((changed.curves().front().points == one.curves().front().points));
    }
}

TEST_CASE("a body that an action deletes is not in the hand any more, and the demo goes on") {
    Session session{*demos::find("rocket"), 1};
    World& world = *session.world();
    session.step(9.9);
    const Entity stage = world.at("stage1.body");
    session.grab(stage, world.pose(stage).p);
    REQUIRE(session.grabbing());
    for (int i = 0; i < 12; ++i) session.step(1.0 / 60);
    CHECK(world.time() > 10.0);
    CHECK(session.error().empty());
    CHECK(!session.grabbing());
    CHECK((world.find("hand") == entt::null));
    CHECK(!demos::app::nearest_pair(world, world.at("stage2.body")));
    session.restart();
    CHECK(session.error().empty());
}

TEST_CASE("a hand pulls a ball to where it is, a little lower because of its weight, and lets go of it") {
    const Demo demo = ball_demo();
    Session session{demo, 1};
    World& world = *session.world();
    const Entity ball = world.at("ball");
    session.grab(world.at("floor"), Vec3::Zero());
    CHECK(!session.grabbing());  // what does not move cannot be dragged
    session.grab(ball, world.pose(ball).p);
    REQUIRE(session.grabbing());
    session.move_hand({0.5, 0, 1.5});
    for (int i = 0; i < 240; ++i) session.step(1.0 / 60);
    CHECK(session.error().empty());
    // A spring of 2 Hz: it is stretched by g / omega^2.
    const double omega = 2.0 * 3.14159265358979 * 2.0;
    CHECK(world.pose(ball).p.x() == doctest::Approx(0.5).epsilon(1e-3));
    CHECK(world.pose(ball).p.z() == doctest::Approx(1.5 - 9.81 / (omega * omega)).epsilon(1e-3));
    session.let_go();
    CHECK((world.find("hand") == entt::null));
    session.step(0.1);
    CHECK(world.velocity(ball).v.z() == doctest::Approx(-0.981).epsilon(0.02));
}

TEST_CASE("a ray meets a ball where the equation of the sphere says, and the nearest of two things") {
    const Demo demo = ball_demo();
    Session session{demo, 1};
    World& world = *session.world();
    const Vec3 eye{3, 0.02, 1.03};
    const auto hit = demos::app::first_hit(world, eye, {-1, 0, 0});
    REQUIRE(hit);
    CHECK(hit->object == world.at("ball"));
    CHECK(hit->distance == doctest::Approx(3.0 - std::sqrt(0.01 - 0.02 * 0.02 - 0.03 * 0.03)).epsilon(1e-4));
    const auto below = demos::app::first_hit(world, {1, 0, 2}, {0, 0, -1});
    REQUIRE(below);
    CHECK(below->object == world.at("floor"));
    CHECK(std::abs(below->point.z()) < 1e-3);
    CHECK(!demos::app::first_hit(world, eye, {1, 0, 0}));
    const auto pair = demos::app::nearest_pair(world, world.at("ball"));
    REQUIRE(pair);
    CHECK(pair->object2 == world.at("floor"));
    CHECK(pair->distance.distance == doctest::Approx(0.9));
}
