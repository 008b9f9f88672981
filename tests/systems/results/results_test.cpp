#include "tests/support/compare.hpp"
#include "tests/support/ground.hpp"
#include "tests/support/moving.hpp"
#include "tests/support/random_mechanism.hpp"

#include <tactus/systems/results/recorder.hpp>
#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace tactus;
using namespace tactus::test;

namespace {

const MassProperties body{1.0, Vec3::Zero(), Vec3{0.2, 0.3, 0.4}.asDiagonal()};

double value(const Results& results, const std::string& name, std::size_t sample, std::size_t part = 0) {
    const Signal* signal = results.find(name);
    REQUIRE_MESSAGE(signal, name);
    return signal->values.at(sample * signal->size + part);
}
Vec3 vector(const Results& results, const std::string& name, std::size_t sample) {
    return {value(results, name, sample, 0), value(results, name, sample, 1), value(results, name, sample, 2)};
}

}  // namespace

TEST_CASE("signals are sampled at communication points, and before and after every event") {
    World world;
    world.scene({.gravity = NoGravity{}});
    world.add({.name = "body", .free = true, .mass_properties = body});
    const Table<Vec3> step{{0.35, 0.35}, {{0, 0, 0}, {2, 0, 0}}};
    world.add_force({.name = "push", .type = WorldForce{.object = "body", .force = step}});
    world.run(1.0, {.interval = 0.1});
    const Results& r = world.results();
    REQUIRE(r.time.size() == 13);
    for (std::size_t i = 0; i < 4; ++i) CHECK(r.time[i] == 0.1 * static_cast<double>(i));
    CHECK(r.time[4] == 0.35);
    CHECK(r.time[5] == 0.35);
    CHECK(r.time[6] == 0.4);
    CHECK(r.time.back() == 1.0);
    CHECK(value(r, "push.force", 4) == 0);  // before
    CHECK(value(r, "push.force", 5) == 2);  // and after
    for (std::size_t i = 6; i < 13; ++i) {
        const double t = r.time[i] - 0.35;
        CHECK(value(r, "body.position", i) == doctest::Approx(t * t).epsilon(1e-7));
        CHECK(value(r, "body.translation", i) == value(r, "body.position", i));
        CHECK(value(r, "body.velocityAbsolute", i) == doctest::Approx(2 * t).epsilon(1e-7));
    }
}

TEST_CASE("angles go on over whole turns, and through positions where Cardan angles are singular") {
    World world;
    world.scene({.gravity = NoGravity{}});
    const double w = 5.0;
    world.add({.name = "z", .free = true, .angular_velocity = {0, 0, w}, .mass_properties = body});
    world.add({.name = "y", .free = true, .angular_velocity = {0, w, 0}, .mass_properties = body});
    world.run(4.0);
    for (std::size_t i = 0; i < world.results().time.size(); ++i) {
        const double angle = w * world.results().time[i];
        CHECK((vector(world.results(), "z.rotation", i) - Vec3{0, 0, angle}).norm() < 1e-5);
        CHECK((vector(world.results(), "y.orientation", i) - Vec3{0, angle, 0}).norm() < 1e-5);
    }
}

TEST_CASE("of all triples of Cardan angles the nearest is found") {
    test::Random random{5};
    for (int i = 0; i < 1000; ++i) {
        const Vec3 angles = random.vector(10);
        const Vec3 found = systems::nearest_cardan_xyz(from_cardan_xyz(angles), angles + random.vector(0.1));
        CHECK((found - angles).norm() < 1e-6);
    }
}

TEST_CASE("a sensor sees the motion from a turning table with all its terms") {
    // A body that flies straight on, seen from a table that turns with W about z: r' = R^T (p - ..), derivatives of the
    // closed form. The original drops the Coriolis, centrifugal and Euler terms of the acceleration.
    World world;
    world.scene({.gravity = NoGravity{}});
    world.set_simulation({.tolerance = 1e-9});
    const double W = 2.0;
    world.add({.name = "table", .free = true, .angular_velocity = {0, 0, W}, .mass_properties = body});
    world.add({.name = "flyer",
               .free = true,
               .translation = {1, 0, 0.5},
               .velocity = {0.3, 0.4, 0},
               .mass_properties = body});
    world.add_record({.name = "seen", .type = SensorRecord{.object = "flyer", .origin = "table"}});
    world.run(1.0, {.interval = 0.25});
    const auto exact = [&](double t) {
        const Vec3 p{1 + 0.3 * t, 0.4 * t, 0.5};
        return Vec3{rotation_about(Vec3::UnitZ(), -W * t) * p};
    };
    const double h = 1e-4;
    for (std::size_t i = 0; i < world.results().time.size(); ++i) {
        const double t = world.results().time[i];
        const Vec3 v = (exact(t + h) - exact(t - h)) / (2 * h);
        const Vec3 a = (exact(t + h) - 2 * exact(t) + exact(t - h)) / (h * h);
        CHECK((vector(world.results(), "seen.translation", i) - exact(t)).norm() < 1e-8);
        CHECK((vector(world.results(), "seen.velocity", i) - v).norm() < 1e-6);
        CHECK((vector(world.results(), "seen.acceleration", i) - a).norm() < 1e-5);
        CHECK((vector(world.results(), "seen.angularVelocity", i) - Vec3{0, 0, -W}).norm() < 1e-8);
        CHECK(value(world.results(), "seen.distance", i) == doctest::Approx(exact(t).norm()).epsilon(1e-8));
        const double rate = (exact(t + h).norm() - exact(t - h).norm()) / (2 * h);
        const double change = (exact(t + h).norm() - 2 * exact(t).norm() + exact(t - h).norm()) / (h * h);
        CHECK(value(world.results(), "seen.distanceVelocity", i) == doctest::Approx(rate).epsilon(1e-6));
        CHECK(value(world.results(), "seen.distanceAcceleration", i) == doctest::Approx(change).epsilon(1e-5));
    }
}

TEST_CASE("a sensor on a table that turns faster and faster sees Euler's term, and how a spin turns with it") {
    // The table's angle is W t + A t^2 / 2. The flyer spins about an axis that is fixed in the world.
    World world;
    world.scene(weightless());
    world.set_simulation({.tolerance = 1e-9});
    const double W = 0.5, A = 1.5;
    const Vec3 spin{0.7, -0.2, 0.3};
    world.add({.name = "table", .free = true, .angular_velocity = {0, 0, W}, .mass_properties = body});
    world.add_force({.name = "motor", .type = WorldTorque{.object = "table", .torque = Vec3{0, 0, 0.4 * A}}});
    world.add({.name = "flyer",
               .free = true,
               .translation = {1, 0, 0.5},
               .velocity = {0.3, 0.4, 0},
               .angular_velocity = spin,
               .mass_properties = MassProperties{1.0, Vec3::Zero(), 0.2 * Mat3::Identity()}});
    world.add_record({.name = "seen", .type = SensorRecord{.object = "flyer", .origin = "table"}});
    world.run(1.0, {.interval = 0.25});
    const auto turned_back = [&](double t, const Vec3& v) {
        return Vec3{rotation_about(Vec3::UnitZ(), -(W * t + 0.5 * A * t * t)) * v};
    };
    const auto place = [&](double t) { return turned_back(t, Vec3{1 + 0.3 * t, 0.4 * t, 0.5}); };
    const auto turning = [&](double t) { return turned_back(t, spin - Vec3{0, 0, W + A * t}); };
    const double h = 1e-4;
    REQUIRE(world.results().time.size() == 5);
    for (std::size_t i = 0; i < 5; ++i) {
        const double t = world.results().time[i];
        const Vec3 a = (place(t + h) - 2 * place(t) + place(t - h)) / (h * h);
        const Vec3 dw = (turning(t + h) - turning(t - h)) / (2 * h);
        CHECK((vector(world.results(), "seen.acceleration", i) - a).norm() < 1e-5);
        CHECK((vector(world.results(), "seen.angularVelocity", i) - turning(t)).norm() < 1e-8);
        CHECK((vector(world.results(), "seen.angularAcceleration", i) - dw).norm() < 1e-6);
    }
}

TEST_CASE(
    "a contact record tells the force and torque on its first object, from its coordinates' origin and in their axes") {
    World world{{.workers = 1}};
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.tolerance = 1e-8});
    add_material(world, 0.1, ContactLaw::Flores, 0.0, 0.01);
    add_ground(world);
    const double m = 2.0, r = 0.1;
    const Entity ball = world.add({.name = "ball",
                                   .free = true,
                                   .translation = {0.3, 0.2, r},
                                   .angular_velocity = {0, 0, 20},
                                   .shape = Sphere{2 * r},
                                   .material = "Test",
                                   .mass = m,
                                   .collidable = true});
    const Pose X_WC{{0.1, -0.4, 0.7}, rotation_about(Vec3{1, 2, 2}.normalized(), 0.8)};
    world.add({.name = "frame", .parent = "world", .translation = X_WC.p, .rotation = X_WC.q});
    world.add_record({.name = "on_ball", .type = ContactRecord{"ball", "ground", "frame"}});
    world.add_record({.name = "on_ground", .type = ContactRecord{"ground", "ball", "frame"}});
    world.run(0.5);
    const double w_before = world.velocity(ball).w.z();
    world.run(0.6);
    const double torque = 0.4 * m * r * r * (world.velocity(ball).w.z() - w_before) / 0.1;  // what slows it down
    CHECK(torque < -1e-3);
    const auto in_frame = [&](const Vec3& v) { return Vec3{X_WC.q.conjugate() * v}; };
    const std::size_t last = world.results().time.size() - 1;
    for (const double on : {1.0, -1.0}) {
        CAPTURE(on);
        const std::string name = on > 0.0 ? "on_ball." : "on_ground.";
        const auto off = [&](const std::string& signal, const Vec3& expected) {
            return (vector(world.results(), name + signal, last) - expected).norm();
        };
        CHECK(off("position", in_frame(Vec3{0.3, 0.2, 0} - X_WC.p)) < 1e-5);  // as deep as they are in each other
        CHECK(off("normal", in_frame({0, 0, on})) < 1e-9);
        CHECK(off("forceVector", in_frame({0, 0, on * m * 9.81})) < 1e-4);
        CHECK(off("torqueVector", in_frame({0, 0, on * torque})) < 1e-5);
        CHECK(value(world.results(), name + "normalForce", last) == doctest::Approx(m * 9.81).epsilon(1e-5));
        CHECK(value(world.results(), name + "torque", last) / -torque == doctest::Approx(1.0).epsilon(1e-3));
    }
}

TEST_CASE("the penetration velocity of a contact record is the rate of its penetration, into each other first") {
    World world{{.workers = 1}};
    world.scene(weightless());
    world.set_simulation({.tolerance = 1e-9});
    add_material(world, 0.5);
    add_ground(world);
    world.add({.name = "ball",
               .free = true,
               .translation = {0, 0, 0.1001},
               .velocity = {0, 0, -1},
               .shape = Sphere{0.2},
               .material = "Test",
               .collidable = true});
    world.add_record({.name = "hit", .type = ContactRecord{"ball", "ground"}});
    world.run(2e-3, {.interval = 1e-5});
    const Results& results = world.results();
    int in = 0, out = 0;
    for (std::size_t i = 1; i + 1 < results.time.size(); ++i) {
        const double dt = results.time[i + 1] - results.time[i - 1];
        const double rate = (value(results, "hit.penetration", i + 1) - value(results, "hit.penetration", i - 1)) / dt;
        if (!(dt > 1.9e-5) || std::isnan(rate)) continue;  // at an event, or while they do not touch
        const double v = value(results, "hit.penetrationVelocity", i);
        CHECK(v == doctest::Approx(rate).epsilon(1e-2));
        ++(v > 0.0 ? in : out);
    }
    CHECK(in > 10);
    CHECK(out > 10);
}

TEST_CASE("states of joints have the meaning of their definition, whichever side carries the other") {
    for (int kind = 0; kind < test::joint_kinds; ++kind)
        for (unsigned seed = 1; seed <= 4; ++seed) {
            CAPTURE(kind);
            CAPTURE(seed);
            test::Random random{seed};
            World world;
            world.scene({.gravity = NoGravity{}});
            test::add_random_body(world, random, "body");
            const bool backwards = seed % 2 == 0;
            const Entity joint = world.add_joint({.name = "j",
                                                  .object1 = backwards ? "body" : "world",
                                                  .object2 = backwards ? "world" : "body",
                                                  .type = test::random_joint(random, kind)});
            world.set_simulation({.tolerance = 1e-9});
            const JointState start = world.state(joint);
            // The pose of frame 2 in frame 1 is that of the definition.
            const Pose X = backwards ? world.pose(world.at("body")).inverse() : world.pose(world.at("body"));
            if (kind == 6) {
                CHECK((X.p - Vec3{start.q[0], start.q[1], start.q[2]}).norm() < 1e-12);
                CHECK(X.q.angularDistance(Quat{start.q.data() + 3}) < 1e-7);
            }
            if (kind == 2) CHECK(X.q.angularDistance(Quat{start.q.data()}) < 1e-7);
            world.advance(0.7);
            // What was read and is set again changes nothing.
            const Pose before = world.pose(world.at("body"));
            const Twist v = world.velocity(world.at("body"));
            world.set_state(joint, world.state(joint));
            CHECK((world.pose(world.at("body")).p - before.p).norm() < 1e-13);
            CHECK((world.velocity(world.at("body")).v - v.v).norm() < 1e-13);
            CHECK((world.velocity(world.at("body")).w - v.w).norm() < 1e-13);
        }
}

TEST_CASE("missing values are empty in CSV and null in JSON") {
    Results results;
    results.time = {0, 0.5};
    results.signals = {{"a", "m", 1, {1.5, std::nan("")}},
                       {"b,\"x\"", "", 3, {1, 2, 3, std::nan(""), std::nan(""), std::nan("")}}};
    CHECK(to_csv(results) == "time,a,\"b,\"\"x\"\"[1]\",\"b,\"\"x\"\"[2]\",\"b,\"\"x\"\"[3]\"\n0,1.5,1,2,3\n0.5,,,,\n");
    CHECK(
        to_json(results) ==
        R"({"time":[0.0,0.5],"signals":{"a":{"unit":"m","values":[1.5,null]},"b,\"x\"":{"unit":"","values":[[1.0,2.0,3.0],null]}}})"
        "\n");
}
