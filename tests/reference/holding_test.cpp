// Friction that holds: what sticks stays where it is, for as long as the load is less than mu times the normal force.
#include "tests/support/ground.hpp"
#include "tests/support/random.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <numbers>
#include <string>
#include <vector>

using namespace tactus;

namespace {

constexpr double g = 9.81;  // [m/s^2]

// Gravity leans by an angle [rad], so that the ground at z = 0 is a slope down along x.
void add_slope(World& world, double angle, double friction) {
    world.scene({.gravity = UniformGravity{{g * std::sin(angle), 0, -g * std::cos(angle)}}});
    test::add_material(world, 0.3, ContactLaw::Flores, friction);
    test::add_ground(world);
}

Entity add_body(World& world, const std::string& name, const Shape& shape, const Vec3& p,
                const Vec3& v = Vec3::Zero()) {
    return world.add(test::free_body(name, shape, p, v));
}

}  // namespace

TEST_CASE("a box on a slope that is less steep than its friction moves by less than 1 mm in 100 s") {
    for (const Solver solver : {Solver::CvodeBdf, Solver::Ida})
        for (const double degrees : {2.0, 11.5, 16.0}) {  // the limit is 16.7
            CAPTURE(solver_name(solver));
            CAPTURE(degrees);
            World world{{.workers = 1}};
            add_slope(world, degrees * std::numbers::pi / 180.0, 0.3);
            const Entity box = add_body(world, "box", Box{0.2, 0.2, 0.1}, {0, 0, 0.05});
            world.set_simulation({.solver = solver, .tolerance = 1e-5});
            world.advance(1.0);
            const double early = world.pose(box).p.x();
            world.advance(99.0);
            CHECK(world.pose(box).p.x() < 1e-3);
            CHECK(std::abs(world.pose(box).p.x() - early) < 1e-6);  // all of it is the spring of friction
            CHECK(world.statistics().integrator.steps < 20000);
        }
}

TEST_CASE("a box on a slope that is steeper than its friction slides with g (sin - mu cos)") {
    const double angle = 0.35, mu = 0.3, a = g * (std::sin(angle) - mu * std::cos(angle));
    World world{{.workers = 1}};
    add_slope(world, angle, mu);
    const Entity box = add_body(world, "box", Box{0.2, 0.2, 0.1}, {0, 0, 0.05});
    world.set_simulation({.tolerance = 1e-6});
    world.advance(0.5);
    const double before = world.velocity(box).v.x();
    world.advance(0.5);
    CHECK(world.velocity(box).v.x() - before == doctest::Approx(0.5 * a).epsilon(1e-4));
}

TEST_CASE("towers of ten soft boxes do not creep: less than 10 um in 30 s; what is left of sways is as small as the "
          "tolerance") {
    for (const double aside : {0.0, 0.004}) {
        CAPTURE(aside);
        World world{{.workers = 1}};
        world.scene({.gravity = UniformGravity{{0, 0, -g}}});
        test::add_material(world, 0.3, ContactLaw::Flores, 0.5);
        world.set_material("Test", SolidMaterial{.density = 1000.0, .youngs_modulus = 1e8, .poissons_ratio = 0.3});
        test::add_ground(world);
        std::vector<Entity> boxes;
        for (int i = 0; i < 10; ++i)
            boxes.push_back(
                add_body(world, "b" + std::to_string(i), Box{0.1, 0.1, 0.1}, {aside * (i % 3), 0, 0.05 + 0.1 * i}));
        world.set_simulation({.tolerance = aside == 0.0 ? 1e-5 : 1e-6});
        const auto moved_in_30_s = [&] {
            std::vector<Vec3> before;
            for (const Entity e : boxes) before.push_back(world.pose(e).p);
            world.advance(30.0);
            double most = 0.0;
            for (std::size_t i = 0; i < boxes.size(); ++i)
                most = std::max(most, (world.pose(boxes[i]).p - before[i]).head<2>().norm());
            return most;
        };
        const double first = moved_in_30_s();
        if (aside == 0.0) CHECK(first < 10e-6);
        CHECK(moved_in_30_s() < 1e-6);
    }
}

TEST_CASE("small solids at rest on a large floor cost little, however small the tolerance") {
    for (const double size : {0.1, 0.01, 0.001})
        for (const Shape& shape : {Shape{Sphere{size}}, Shape{Box{size, size, size}}})
            for (const double tolerance : {1e-5, 1e-7, 1e-9, 1e-10}) {
                CAPTURE(size);
                CAPTURE(shape.index());
                CAPTURE(tolerance);
                World world{{.workers = 1}};
                world.scene({.gravity = UniformGravity{{0, 0, -g}}});
                world.add({.name = "floor",
                           .translation = {0, 0, -0.5},
                           .shape = Box{10, 10, 1},
                           .material = "Steel",
                           .collidable = true});
                const Entity body = world.add({.name = "body",
                                               .free = true,
                                               .translation = {0, 0, 0.5 * size},
                                               .shape = shape,
                                               .material = "Steel",
                                               .collidable = true});
                world.set_simulation({.tolerance = tolerance});
                world.advance(2.0);
                CHECK(world.velocity(body).v.norm() < 1e-9);
                CHECK(world.statistics().integrator.evaluations < 30000);
            }
}

TEST_CASE("a block on a turntable goes round with it, and leaves it where friction ends") {
    // mu g = 2.94 m/s^2 carries w^2 r: at 0.3 m that is 3.13 rad/s.
    for (const bool fast : {false, true}) {
        CAPTURE(fast);
        World world{{.workers = 1}};
        world.scene({.gravity = UniformGravity{{0, 0, -g}}});
        test::add_material(world, 0.0, ContactLaw::Flores, 0.3);
        world.add({.name = "table",
                   .parent = ParentRef::none(),
                   .shape = Cylinder{.axis = 3, .diameter = 2.0, .length = 0.1},
                   .material = "Test",
                   .collidable = true});
        const double w = fast ? 3.4 : 2.5;
        world.add_joint({.name = "axle", .object1 = "world", .object2 = "table", .type = Revolute{.axis = 3, .w = w}});
        const Entity block = world.add({.name = "block",
                                        .parent = "world",
                                        .free = true,
                                        .translation = {0.3, 0, 0.1},
                                        .velocity = {0, 0.3 * w, 0},
                                        .angular_velocity = {0, 0, w},
                                        .shape = Box{0.1, 0.1, 0.1},
                                        .material = "Test",
                                        .collidable = true});
        world.set_simulation({.tolerance = 1e-6});
        world.advance(1.0);
        const double early = world.pose(block).p.head<2>().norm();
        world.advance(5.0);
        const double late = world.pose(block).p.head<2>().norm();
        if (fast)
            CHECK(late > 0.4);
        else
            CHECK(std::abs(late - early) < 2e-6);
    }
}

TEST_CASE("a box that slides up a slope stops, is held there, and its energy is accounted for") {
    const double angle = 0.2, mu = 0.3, v = 0.5;
    World world{{.workers = 1}};
    add_slope(world, angle, mu);
    const Entity box = add_body(world, "box", Box{0.2, 0.2, 0.1}, {0, 0, 0.05}, {-v, 0, 0});
    world.set_simulation({.tolerance = 1e-7});
    const double before = world.energies().balance(), kinetic = world.energies().kinetic;
    world.advance(1.0);
    const double x = world.pose(box).p.x();
    CHECK(x == doctest::Approx(-v * v / (2.0 * g * (std::sin(angle) + mu * std::cos(angle)))).epsilon(5e-3));
    world.advance(10.0);
    CHECK(std::abs(world.pose(box).p.x() - x) < 1e-6);
    CHECK(world.velocity(box).v.norm() < 1e-6);
    CHECK(std::abs(world.energies().balance() - before) < 1e-4 * kinetic);
}

TEST_CASE("friction that remembers takes about as many steps as friction that does not, however small the tolerance") {
    // A radius of gyration that is made of rounding (of a tip, a corner, a rim) would be a motion to it: steps of 1e-5 s.
    const std::uint64_t seed = 6101;
    for (int i = 0; i < 12; ++i) {
        test::Random random{seed + static_cast<std::uint64_t>(i)};
        const double size = i < 3 ? 100.0 : std::pow(10.0, random.uniform(-1, 1.5));
        const double tolerance = i % 2 ? 1e-8 : 1e-9;
        const Shape shapes[] = {Cone{.axis = 1, .diameter = 1.05 * size, .length = size},
                                Beam{.axis = 1, .length = size, .width = 0.4 * size, .thickness = 0.2 * size},
                                Box{size, 0.9 * size, 0.8 * size}, Capsule{1, 0.5 * size, 0.5 * size}};
        const Vec3 spin = random.vector(0.1), velocity = random.vector(2.0) * std::sqrt(size);
        const Quat orientation = random.orientation();
        const auto evaluations = [&](double hold_time) {
            World world{{.workers = 1}};
            world.scene({.gravity = UniformGravity{{0, 0, -g}}, .nominal_length = size});
            world.set_material("Test",
                               SolidMaterial{.density = 2900.0, .youngs_modulus = 1.7e9, .poissons_ratio = 0.3});
            world.set_contact_pair({.material1 = "Test",
                                    .material2 = "Test",
                                    .law = ContactLaw::Exact,
                                    .coefficient_of_restitution = 0.02,
                                    .sliding_friction_coefficient = 0.7,
                                    .hold_time = hold_time});
            world.add({.name = "floor",
                       .translation = {0, 0, -0.5 * size},
                       .shape = Box{40 * size, 40 * size, size},
                       .material = "Test",
                       .collidable = true});
            Object3DDef def = test::free_body("body", shapes[i % 4], {0, 0, 0.9 * size}, velocity);
            def.angular_velocity = spin;
            def.rotation = orientation;
            world.add(def);
            world.set_simulation({.tolerance = tolerance});
            world.run(2.0 * std::sqrt(size), {.record = false});
            return static_cast<double>(world.statistics().integrator.evaluations);
        };
        CAPTURE(seed);
        CAPTURE(i);
        CAPTURE(size);
        const double remembers = evaluations(0.01), forgets = evaluations(0.0);
        CHECK(remembers < 3.0 * forgets + 3000.0);
    }
}
