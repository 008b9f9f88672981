// Solids that touch with edges and faces: statics and motion in closed form.
#include "tests/support/ground.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace tactus;
using tactus::test::add_material;
using tactus::test::free_body;

namespace {

constexpr double g = 9.81;  // [m/s^2]

// Steel on steel with this friction and restitution, on the ground.
void add_ground(World& world, double friction, double restitution, const Vec3& gravity = {0, 0, -g},
                double v_small = 0.001) {
    world.scene({.gravity = UniformGravity{gravity}});
    add_material(world, restitution, ContactLaw::Flores, friction, 0.0, v_small);
    test::add_ground(world);
}

double tilt(World& world, Entity e) { return std::acos(std::min(1.0, world.pose(e).R()(2, 2))); }

}  // namespace

TEST_CASE("a box that slides on its face stops after v^2 / (2 mu g)") {
    for (const double mu : {0.1, 0.4}) {
        CAPTURE(mu);
        World world{{.workers = 1}};
        add_ground(world, mu, 0.5);
        const Entity box = world.add(free_body("box", Box{0.2, 0.2, 0.1}, {0, 0, 0.05}, {1, 0, 0}));
        world.set_simulation({.tolerance = 1e-6});
        world.advance(2.0);
        const Vec3 p = world.pose(box).p;
        CHECK(p.x() == doctest::Approx(1.0 / (2 * mu * g)).epsilon(1e-3));
        CHECK(std::abs(p.y()) < 1e-9);
        CHECK(tilt(world, box) < 1e-5);
        CHECK(world.velocity(box).v.norm() < 1e-6);
        CHECK(world.statistics().integrator.evaluations < 3000);
    }
}

TEST_CASE("a box tips over when the slope is steeper than its diagonal, and stands when it is not") {
    // Base 0.1 m, centre of mass 0.1 m above it: the limit is tan(slope) = 0.5.
    for (const double slope : {0.485, 0.505}) {
        CAPTURE(slope);
        World world{{.workers = 1}};
        const double angle = std::atan(slope);
        add_ground(world, 2.0, 0.1, g * Vec3{std::sin(angle), 0, -std::cos(angle)});
        Object3DDef def = free_body("box", Box{0.1, 0.1, 0.2}, {0, 0, 0.1});
        def.smoothing_radius = 1e-4;  // the edge that it tips over is that much nearer
        const Entity box = world.add(def);
        world.set_simulation({.tolerance = 1e-6});
        world.advance(1.5);
        if (slope < 0.5)
            CHECK(tilt(world, box) < 1e-4);
        else
            CHECK(tilt(world, box) > 0.1);
    }
}

TEST_CASE("a plank on two rollers loads them by the lever rule") {
    World world{{.workers = 1}};
    add_ground(world, 0.3, 0.1);
    const double span = 0.8, off = 0.13;
    for (const double side : {-1.0, 1.0})
        world.add({.name = side < 0 ? "left" : "right",
                   .parent = "world",
                   .translation = {0.5 * side * span, 0, 0.25},
                   .shape = Cylinder{.axis = 2, .diameter = 0.1, .length = 0.6},
                   .material = "Test",
                   .collidable = true});
    const Entity plank = world.add(free_body("plank", Box{1.2, 0.2, 0.04}, {off, 0, 0.32}));
    world.add_record({.name = "on_left", .type = ContactRecord{"plank", "left"}});
    world.add_record({.name = "on_right", .type = ContactRecord{"plank", "right"}});
    world.set_simulation({.tolerance = 1e-7});
    world.run(1.0);
    const double weight = 7850.0 * 1.2 * 0.2 * 0.04 * g;
    const double x = world.pose(plank).p.x();
    const double left = world.results().find("on_left.normalForce")->values.back();
    const double right = world.results().find("on_right.normalForce")->values.back();
    CHECK(left == doctest::Approx(weight * (0.5 * span - x) / span).epsilon(1e-5));
    CHECK(right == doctest::Approx(weight * (0.5 * span + x) / span).epsilon(1e-5));
}

// A block that stands on an edge falls back: half m R^2 * 4/3 theta'^2 gains m g R (cos(alpha - theta0) - cos(alpha -
// theta)), R half its diagonal and alpha the angle of that; the time follows by quadrature (Housner 1963, eq. 1).
TEST_CASE("a block that stands on an edge falls back as a pendulum on its edge") {
    const double b = 0.1, h = 0.3, start = 0.08;
    const double R = 0.5 * std::hypot(b, h), alpha = std::atan(b / h);
    // theta = start (1 - u^2) takes the square root at the start out of the integrand.
    double expected = 0.0;
    const int n = 20000;
    for (int i = 0; i < n; ++i) {
        const double u = (i + 0.5) / n, theta = start * (1 - u * u);
        const double rate = std::sqrt(1.5 * g / R * (std::cos(alpha - start) - std::cos(alpha - theta)));
        expected += 2.0 * start * u / rate / n;
    }
    World world{{.workers = 1}};
    add_ground(world, 1.0, 0.1, {0, 0, -g}, 1e-4);
    // The edge along y at x = b / 2 stays where it is.
    Object3DDef def = free_body("block", Box{b, 0.2, h}, Vec3::Zero());
    def.smoothing_radius = 2e-5;
    def.rotation = {0, start, 0};
    const double c = std::cos(start), s = std::sin(start);
    def.translation = {-(c * 0.5 * b + s * -0.5 * h) + 0.5 * b, 0, s * 0.5 * b + c * 0.5 * h};
    const Entity block = world.add(def);
    double fallen = 0.0;
    world.add_zero_crossing({.name = "upright",
                             .function = [block](const Instant& now) { return now.pose(block).R()(0, 2); },
                             .direction = Direction::falling,
                             .objects = {block}});
    world.on_event([&](const Event& e) {
        if (e.kind == EventKind::zero_crossing && fallen == 0.0) fallen = e.time;
    });
    world.set_simulation({.tolerance = 1e-7});
    world.advance(0.6);
    CHECK(fallen == doctest::Approx(expected).epsilon(2e-3));
}

TEST_CASE("a cylinder rolls on a line without loss") {
    World world{{.workers = 1}};
    add_ground(world, 0.3, 0.5);
    Object3DDef def = free_body("roller", Cylinder{.axis = 2, .diameter = 0.2, .length = 0.3}, {0, 0, 0.1}, {1, 0, 0});
    def.angular_velocity = {0, 10, 0};
    const Entity roller = world.add(def);
    world.set_simulation({.tolerance = 1e-7});
    world.advance(2.0);
    CHECK(world.velocity(roller).v.x() == doctest::Approx(1.0).epsilon(1e-4));
    CHECK(world.velocity(roller).w.y() == doctest::Approx(10.0).epsilon(1e-4));
    CHECK(world.pose(roller).p.x() == doctest::Approx(2.0).epsilon(1e-4));
    CHECK(std::abs(world.velocity(roller).w.x()) < 1e-6);
}

TEST_CASE("towers of boxes, cylinders and beams stand still") {
    const Shape shapes[] = {Box{0.1, 0.12, 0.1}, Cylinder{.axis = 3, .diameter = 0.1, .length = 0.1},
                            Beam{.axis = 1, .length = 0.1, .width = 0.08, .thickness = 0.1}};
    for (const Shape& shape : shapes) {
        CAPTURE(shape.index());
        World world{{.workers = 1}};
        add_ground(world, 0.5, 0.5);
        std::vector<Entity> bodies;
        for (int i = 0; i < 8; ++i)
            bodies.push_back(
                world.add(free_body("b" + std::to_string(i), shape, {0.003 * (i % 3), 0, 0.05 + 0.1 * i})));
        world.set_simulation({.tolerance = 1e-5});
        world.advance(5.0);
        for (std::size_t i = 0; i < bodies.size(); ++i) {
            const Vec3 p = world.pose(bodies[i]).p;
            CHECK(std::abs(p.x() - 0.003 * static_cast<double>(i % 3)) < 1e-4);
            CHECK(std::abs(p.z() - 0.05 - 0.1 * static_cast<double>(i)) < 1e-4);
            CHECK(tilt(world, bodies[i]) < 1e-4);
        }
        CHECK(world.statistics().integrator.evaluations < 10000);
    }
}

TEST_CASE("boxes that hit each other with faces keep momentum, angular momentum and, if elastic, energy") {
    // The second time their edges are in line: points fade out there.
    for (const auto& [beside, accuracy] : {std::pair{0.06, 1e-6}, {0.05, 1e-4}}) {
        CAPTURE(beside);
        World world{{.workers = 1}};
        add_ground(world, 0.0, 1.0, Vec3::Zero());
        world.add(free_body("a", Box{0.2, 0.2, 0.2}, {-0.2, 0, 3}, {1, 0, 0}));
        world.add(free_body("b", Box{0.2, 0.3, 0.1}, {0.2, beside, 3.02}, {-0.5, 0, 0}));
        world.set_simulation({.tolerance = 1e-8});
        const Momentum before = world.momentum();
        const double energy = world.energies().kinetic;
        int hits = 0;
        world.on_contact([&](const ContactEvent& e) { hits += e.start; });
        world.advance(1.0);
        REQUIRE(hits > 0);
        const Momentum after = world.momentum();
        CHECK((after.linear_W - before.linear_W).norm() < 1e-9 * before.linear_W.norm());
        CHECK((after.angular_W - before.angular_W).norm() < 1e-6 * before.angular_W.norm());
        CHECK(world.energies().kinetic == doctest::Approx(energy).epsilon(accuracy));
    }
}

TEST_CASE("a disc that spins on its face is braked by the friction of its rim") {
    World world{{.workers = 1}};
    const double mu = 0.2, w0 = 20.0;
    add_ground(world, mu, 0.1);
    Object3DDef def = free_body("disc", Cylinder{.axis = 3, .diameter = 0.2, .length = 0.04}, {0, 0, 0.02});
    def.angular_velocity = {0, 0, w0};
    const Entity disc = world.add(def);
    world.set_simulation({.tolerance = 1e-7});
    world.advance(0.1);
    // Four points of the rim, less the rounding of 1 mm, carry a quarter each: I w' = -mu m g r, I = m R^2 / 2.
    const double rate = 2.0 * mu * g * 0.099 / (0.1 * 0.1);
    CHECK(world.velocity(disc).w.z() == doctest::Approx(w0 - 0.1 * rate).epsilon(1e-3));
    CHECK(tilt(world, disc) < 1e-5);
}
