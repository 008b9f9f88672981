// Contact against closed forms and published numbers.
#include "demos/scenes/billiards.hpp"
#include "tests/support/ground.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <array>
#include <cmath>
#include <numeric>
#include <vector>

using namespace tactus;
using namespace tactus::test;

namespace {

Object3DDef ball(const std::string& name, const Vec3& p, const Vec3& v, double radius, double mass) {
    return {.name = name,
            .parent = "world",
            .free = true,
            .translation = p,
            .velocity = v,
            .shape = Sphere{2 * radius},
            .material = "Test",
            .mass = mass,
            .collidable = true};
}

struct Impact {
    ContactEvent start, end;
    double restitution = 0.0;
};

// A ball of 1 g and radius 0.1 m that falls from 1 m.
Impact fall(double restitution, ContactLaw law, double tolerance) {
    World world{{.workers = 1}};
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.tolerance = tolerance});
    add_material(world, restitution, law);
    add_ground(world);
    const Entity b = world.add(ball("ball", {0, 0, 1.1}, Vec3::Zero(), 0.1, 1e-3));
    Impact impact;
    bool over = false;
    world.on_contact([&](const ContactEvent& e) {
        if (over) return;
        (e.start ? impact.start : impact.end) = e;
        if (!e.start) {
            impact.restitution = world.velocity(b).v.z() / impact.start.impact_speed;
            over = true;
        }
    });
    world.run(0.46, {.record = false});
    REQUIRE(over);
    return impact;
}

}  // namespace

TEST_CASE("a steel ball that falls on steel touches when the law of falling says, as long and as deep as Hertz says") {
    // v = sqrt(2 g h); K = 4/3 E* sqrt(R); depth = (5/4 m v^2 / K)^(2/5); duration 2.943275 depth / v.
    const double v = std::sqrt(2 * 9.81), K = 4.6333739e10;
    const double depth = std::pow(1.25 * 1e-3 * v * v / K, 0.4);
    CHECK(depth == doctest::Approx(1.2288e-5).epsilon(1e-4));
    for (const double tolerance : {1e-4, 1e-6}) {
        CAPTURE(tolerance);
        const Impact impact = fall(1.0, ContactLaw::Flores, tolerance);
        CHECK(std::abs(impact.start.time - std::sqrt(2 / 9.81)) < 1e-9);
        CHECK(std::abs(impact.start.impact_speed - v) < 1e-8);
        CHECK(impact.end.duration == doctest::Approx(2.943275 * depth / v).epsilon(1e-3));
        CHECK(impact.end.largest_force == doctest::Approx(K * std::pow(depth, 1.5)).epsilon(1e-3));
        CHECK(impact.start.normal.z() == doctest::Approx(1.0));  // from the ground to the ball
        CHECK(std::abs(impact.restitution - 1.0) < 100 * tolerance);
    }
}

TEST_CASE("restitution: the exact law returns what it is asked for, Flores' law what its equation says") {
    const std::array asked{0.1, 0.3, 0.5, 0.7, 0.9};
    const std::array flores{0.06944, 0.25621, 0.47044, 0.68318, 0.89392};  // (1+e)a = ln((1+a)/(1-ae)), a = 8(1-c)/(5c)
    for (std::size_t i = 0; i < asked.size(); ++i) {
        CAPTURE(asked[i]);
        CHECK(fall(asked[i], ContactLaw::Exact, 1e-6).restitution == doctest::Approx(asked[i]).epsilon(1e-3));
        CHECK(fall(asked[i], ContactLaw::Flores, 1e-6).restitution == doctest::Approx(flores[i]).epsilon(1e-3));
    }
    CHECK(fall(1.0, ContactLaw::Exact, 1e-6).restitution == doctest::Approx(1.0).epsilon(1e-3));
}

TEST_CASE("a bouncing ball follows the geometric law of bounces") {
    // Impulses would take no time; the contacts take microseconds. Third impact at sqrt(2h/g) (1 + 2e + 2e^2).
    const double e = 0.7, h = 1.0, t1 = std::sqrt(2 * h / 9.81);
    World world{{.workers = 1}};
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.tolerance = 1e-5});
    add_material(world, e, ContactLaw::Exact);
    add_ground(world);
    world.add(ball("ball", {0, 0, h + 0.1}, Vec3::Zero(), 0.1, 1e-3));
    std::vector<double> impacts;
    world.on_contact([&](const ContactEvent& event) {
        if (event.start) impacts.push_back(event.time);
    });
    const double balance = world.energies().balance();
    world.run(2.0, {.record = false});
    REQUIRE(impacts.size() >= 4);
    CHECK(std::abs(impacts[2] - t1 * (1 + 2 * e + 2 * e * e)) < 1e-4);
    CHECK(std::abs(world.energies().balance() - balance) < 1e-4 * balance);
}

TEST_CASE("Newton's cradle of touching balls ends with the speeds of the Hertz chain") {
    // Equal balls, F = K d^1.5, e = 1: the end speeds do not depend on K, m or v.
    const std::vector<std::vector<double>> wanted{{-0.07095235, 0.07640304, 0.99454931},
                                                  {-0.07108502, -0.03027376, -0.01446363, 0.12704499, 0.98877742}};
    for (const auto& final : wanted) {
        const int n = static_cast<int>(final.size());
        CAPTURE(n);
        World world{{.workers = 1}};
        world.scene({.gravity = NoGravity{}});
        world.set_simulation({.tolerance = 1e-7});
        // The inner contacts start with next to no speed: below v_small the law would take it for a ball at rest.
        add_material(world, 1.0, ContactLaw::Flores, 0.0, 0.0, 1e-12);
        std::vector<Entity> balls;
        for (int i = 0; i < n; ++i)
            balls.push_back(
                world.add(ball("ball" + std::to_string(i), {0.1 * i, 0, 0}, {i == 0 ? 1.0 : 0.0, 0, 0}, 0.05, 1.0)));
        world.run(0.01, {.record = false});
        double momentum = 0, energy = 0;
        for (int i = 0; i < n; ++i) {
            const double v = world.velocity(balls[static_cast<std::size_t>(i)]).v.x();
            CHECK(std::abs(v - final[static_cast<std::size_t>(i)]) < 1e-4);
            momentum += v, energy += v * v;
        }
        CHECK(std::abs(momentum - 1.0) < 1e-10);
        CHECK(std::abs(energy - 1.0) < 1e-5);
    }
}

TEST_CASE("a sliding ball begins to roll with 5/7 of its speed where Coulomb says") {
    const double mu = 0.3, v0 = 2.0, g = 9.81;
    World world{{.workers = 1}};
    world.scene({.gravity = {0, 0, -g}});
    world.set_simulation({.tolerance = 1e-7});
    add_material(world, 0.0, ContactLaw::Flores, mu);
    add_ground(world);
    const Entity b = world.add(ball("ball", {0, 0, 0.1}, {v0, 0, 0}, 0.1, 1.0));
    const double t_roll = 2 * v0 / (7 * mu * g);
    world.run(0.5 * t_roll, {.record = false});
    CHECK(world.velocity(b).v.x() == doctest::Approx(v0 - mu * g * 0.5 * t_roll).epsilon(1e-3));  // it slides
    world.run(1.5 * t_roll, {.record = false});
    CHECK(world.velocity(b).v.x() == doctest::Approx(5.0 / 7.0 * v0).epsilon(1e-3));
    CHECK(world.velocity(b).w.y() == doctest::Approx(5.0 / 7.0 * v0 / 0.1).epsilon(2e-3));
    const double x = 12 * v0 * v0 / (49 * mu * g) + 5.0 / 7.0 * v0 * 0.5 * t_roll;
    CHECK(world.pose(b).p.x() == doctest::Approx(x).epsilon(2e-3));
}

TEST_CASE("rolling resistance slows a rolling ball as its torque says") {
    // The torque mu_r R f acts against the spin, friction keeps it rolling: a = -(5/7) mu_r g.
    const double mu_r = 0.01, v0 = 1.0, g = 9.81;
    World world{{.workers = 1}};
    world.scene({.gravity = {0, 0, -g}});
    world.set_simulation({.tolerance = 1e-7});
    add_material(world, 0.0, ContactLaw::Flores, 0.5, mu_r);
    add_ground(world);
    Object3DDef def = ball("ball", {0, 0, 0.1}, {v0, 0, 0}, 0.1, 1.0);
    def.angular_velocity = {0, v0 / 0.1, 0};
    const Entity b = world.add(def);
    world.run(1.0, {.record = false});
    CHECK(world.velocity(b).v.x() == doctest::Approx(v0 - 5.0 / 7.0 * mu_r * g * 1.0).epsilon(1e-3));
}

TEST_CASE("a ball at rest stays at rest for a minute: no drift, no energy from nowhere") {
    World world{{.workers = 1}};
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.tolerance = 1e-5});
    add_material(world, 0.5, ContactLaw::Flores, 0.3, 0.01);
    add_ground(world);
    const Entity b = world.add(ball("ball", {0.3, 0.2, 0.1}, Vec3::Zero(), 0.1, 1.0));
    world.run(0.5, {.record = false});
    const Vec3 p = world.pose(b).p;
    const double depth = std::pow(9.81 / 4.6333739e10, 2.0 / 3.0);  // K d^1.5 = m g
    CHECK(0.1 - p.z() == doctest::Approx(depth).epsilon(1e-3));
    const auto steps = world.statistics().integrator.steps;
    world.run(60.0, {.record = false});
    CHECK((world.pose(b).p - p).norm() < 1e-3 * depth);
    CHECK(world.energies().kinetic < 1e-16);
    CHECK(world.statistics().integrator.steps - steps < 2000);
}

TEST_CASE("ten minutes of a bouncing ball: the endless bounces at the end do not stall") {
    World world{{.workers = 1}};
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.tolerance = 1e-5});
    add_material(world, 0.7);
    add_ground(world);
    const Entity b = world.add(ball("ball", {0, 0, 1.1}, Vec3::Zero(), 0.1, 1.0));
    int contacts = 0;
    world.on_contact([&](const ContactEvent& e) { contacts += e.start; });
    world.run(600.0, {.record = false});
    CHECK(contacts < 100);
    CHECK(std::abs(world.velocity(b).v.z()) < 1e-6);
    CHECK(world.statistics().integrator.steps < 50000);
}

TEST_CASE("billiards: momentum and energy close, and a centred break stays symmetric") {
    for (const int count : {2, 4, 16}) {
        CAPTURE(count);
        World world{{.workers = 1}};
        const auto balls = scenes::billiards(world, {.balls = count});
        const double mass = 4.0 / 3.0 * 3.14159265358979 * 0.03 * 0.03 * 0.03 * 1768.0;
        const Energies before = world.energies();
        const double kinetic = before.kinetic;
        CHECK(kinetic == doctest::Approx(0.5 * mass * 9.0));
        world.run(0.8, {.record = false});  // the break is at 0.53 s
        const Energies after = world.energies();
        CHECK(std::abs(after.balance() - before.balance()) < 1e-3 * kinetic);
        double sideways = 0, mirror = 0;
        for (std::size_t i = 0; i < balls.size(); ++i) {
            sideways += world.velocity(balls[i]).v.y();
            const Vec3 p = world.pose(balls[i]).p;
            Vec3 q = world.pose(balls[static_cast<std::size_t>(scenes::mirrored_ball(static_cast<int>(i)))]).p;
            q.y() = -q.y();
            mirror = std::max(mirror, (p - q).norm());
        }
        CHECK(std::abs(sideways) < 1e-6);
        CHECK(mirror < 1e-6);
        CHECK(world.velocity(balls.back()).v.norm() > 0.05);  // the break has reached the last ball
    }
}
