// Impacts: what bounces for ever, what comes to rest, how a blow runs through a chain, and how solids that start inside each
// other part.
#include "tests/support/ground.hpp"
#include "tests/support/random.hpp"
#include "tests/support/solids.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::test;

namespace {

constexpr double g = 9.81;  // [m/s^2]

// [J] of motion, place and springs: what is left if nothing is lost.
double mechanical(World& world) {
    const Energies e = world.energies();
    return e.kinetic + e.potential + e.elastic;
}

// ---- bounces -------------------------------------------------------------------------------------------------------

void check_bounces_for_ever(Solver solver) {
    constexpr int bounces = 10000;
    for (const double height : {0.1, 1e-3}) {
        CAPTURE(solver_name(solver));
        CAPTURE(height);
        World world{{.workers = 1}};
        world.scene({.gravity = {0, 0, -g}});
        world.set_simulation({.solver = solver, .tolerance = 1e-6});
        add_material(world, 1.0, ContactLaw::Exact);
        add_ground(world);
        const double mgh = 7850.0 * 3.14159265358979 / 6.0 * 1e-3 * g * height;
        world.add(free_body("ball", Sphere{0.1}, {0, 0, 0.05 + height}));
        int starts = 0;
        world.on_contact([&](const ContactEvent& e) { starts += e.start; });
        const double before = mechanical(world);
        double worst = 0.0;
        const double period = 2.0 * std::sqrt(2.0 * height / g);
        while (starts < bounces && world.time() < 1.2 * bounces * period) {
            world.advance(37.3 * period);  // at all places of the flight
            worst = std::max(worst, std::abs(mechanical(world) - before));
        }
        CHECK(starts >= bounces);
        CHECK(worst < 1e-3 * mgh);
    }
}

}  // namespace

TEST_CASE("a ball that loses nothing keeps its height for ten thousand bounces: cvode-bdf") {
    check_bounces_for_ever(Solver::CvodeBdf);
}
TEST_CASE("a ball that loses nothing keeps its height for ten thousand bounces: cvode-adams") {
    check_bounces_for_ever(Solver::CvodeAdams);
}
TEST_CASE("a ball that loses nothing keeps its height for ten thousand bounces: ida") {
    check_bounces_for_ever(Solver::Ida);
}
TEST_CASE("a ball that loses nothing keeps its height for ten thousand bounces: arkode-erk") {
    check_bounces_for_ever(Solver::ArkodeErk);
}

TEST_CASE("a ball that loses something at each bounce comes to rest, after finitely many of them") {
    // Without v_small there would be infinitely many until sqrt(2h/g) (1 + e) / (1 - e); impacts below v_small take all.
    const double height = 0.2, speed = std::sqrt(2 * g * height);
    for (const double e : {0.1, 0.5, 0.7, 0.9}) {
        CAPTURE(e);
        World world{{.workers = 1}};
        world.scene({.gravity = {0, 0, -g}});
        world.set_simulation({.tolerance = 1e-6});
        add_material(world, e, ContactLaw::Exact);
        add_ground(world);
        Object3DDef def = free_body("ball", Sphere{0.1}, {0, 0, 0.05 + height});
        def.mass = 1.0;
        const Entity ball = world.add(def);
        int starts = 0, ends = 0;
        double last = 0.0;
        world.on_contact([&](const ContactEvent& event) {
            ++(event.start ? starts : ends);
            last = event.time;
        });
        const double all = std::sqrt(2 * height / g) * (1 + e) / (1 - e);
        world.advance(all + 0.5);
        CHECK(starts == ends + 1);  // it stays
        CHECK(last < all);
        CHECK(starts < 3 + std::log(0.01 / speed) / std::log(e));  // bounces faster than v_small, and a few
        CHECK(world.velocity(ball).v.norm() < 1e-6);
        const double K = 4.0 / 3.0 * 2e11 / (2 * 0.91) * std::sqrt(0.05), depth = std::cbrt(std::pow(g / K, 2));
        CHECK(0.05 - world.pose(ball).p.z() == doctest::Approx(depth).epsilon(1e-3));
    }
}

TEST_CASE("contacts start and end at the surface, with every solver and at every tolerance") {
    const std::uint64_t seed = 4101;
    for (int i = 0; i < 400; ++i) {
        Random random{seed + static_cast<std::uint64_t>(i)};
        const auto solver = static_cast<Solver>(i % 4);
        const double tolerance = std::pow(10.0, random.uniform(-10, -3));
        CAPTURE(seed);
        CAPTURE(i);
        CAPTURE(solver_name(solver));
        CAPTURE(tolerance);
        World world{{.workers = 1}};
        world.scene({.gravity = UniformGravity{{0, 0, random.number(2) ? -g : 0.0}}});
        world.set_simulation({.solver = solver, .tolerance = tolerance});
        add_material(world, random.number(2) ? 1.0 : 0.5, ContactLaw::Exact);
        world.set_material("Test", SolidMaterial{.density = 1000.0,
                                                 .youngs_modulus = std::pow(10.0, random.uniform(6, 11)),
                                                 .poissons_ratio = 0.3});
        add_ground(world);
        const Shape shape = random.number(2) ? Shape{Sphere{0.2}} : Shape{Box{0.2, 0.2, 0.2}};
        Object3DDef def = free_body("body", shape, {0, 0, 0.3}, {0, 0, -random.uniform(0.5, 3)});
        def.rotation = random.orientation();
        const Entity body = world.add(def), ground = world.at("ground");
        const auto shape_of = [&](Entity e) {
            const auto& solid = world.registry().get<Solid>(e);
            return collision_shape(*solid.shape, solid.smoothing_radius);
        };
        const CollisionShape A = shape_of(ground), B = shape_of(body);
        int events = 0;
        world.on_contact([&](const ContactEvent& e) {
            const double gap = signed_distance(A, Frame{world.pose(ground)}, B, Frame{world.pose(body)}).distance;
            CHECK(std::abs(gap) < 1e-11);
            CHECK((e.start ? -gap : gap) > 0.0);
            ++events;
        });
        world.advance(0.5);
        CHECK(events >= 2);
    }
}

// ---- a chain of balls ----------------------------------------------------------------------------------------------

namespace {

// Speeds after the first of n equal balls that touch has hit the second at 1 m/s: m x'' of K max(0, overlap)^1.5 between
// neighbours, by Runge and Kutta. K and m change the scale of time only.
std::vector<double> hertz_chain(std::size_t n) {
    std::vector<double> x(n, 0.0), v(n, 0.0);  // from where they touch
    v[0] = 1.0;
    const auto accelerations = [n](const std::vector<double>& at) {
        std::vector<double> a(n, 0.0);
        for (std::size_t i = 0; i + 1 < n; ++i) {
            const double f = std::pow(std::max(0.0, at[i] - at[i + 1]), 1.5);
            a[i] -= f, a[i + 1] += f;
        }
        return a;
    };
    const auto plus = [n](std::vector<double> a, double h, const std::vector<double>& b) {
        for (std::size_t i = 0; i < n; ++i) a[i] += h * b[i];
        return a;
    };
    const double h = 2e-3;
    for (int step = 0; step < 20000; ++step) {  // an impact of two takes 3.2
        const auto a1 = accelerations(x);
        const auto v2 = plus(v, h / 2, a1), a2 = accelerations(plus(x, h / 2, v));
        const auto v3 = plus(v, h / 2, a2), a3 = accelerations(plus(x, h / 2, v2));
        const auto v4 = plus(v, h, a3), a4 = accelerations(plus(x, h, v3));
        for (std::size_t i = 0; i < n; ++i) {
            x[i] += h / 6 * (v[i] + 2 * v2[i] + 2 * v3[i] + v4[i]);
            v[i] += h / 6 * (a1[i] + 2 * a2[i] + 2 * a3[i] + a4[i]);
        }
    }
    return v;
}

}  // namespace

TEST_CASE("a blow runs through balls that touch as through the Hertz chain, with the usual v_small") {
    for (const std::size_t n : {3U, 4U, 5U})
        for (const ContactLaw law : {ContactLaw::Exact, ContactLaw::Flores}) {
            CAPTURE(n);
            CAPTURE(law == ContactLaw::Exact);
            World world{{.workers = 1}};
            world.scene({.gravity = NoGravity{}});
            world.set_simulation({.tolerance = 1e-6});
            add_material(world, 1.0, law);
            std::vector<Entity> balls;
            for (std::size_t i = 0; i < n; ++i)
                balls.push_back(
                    world.add(free_body("b" + std::to_string(i), Sphere{0.02}, {0.02 * static_cast<double>(i), 0, 0},
                                        {i == 0 ? 1.0 : 0.0, 0, 0})));
            world.advance(0.01);
            const std::vector<double> expected = hertz_chain(n);
            for (std::size_t i = 0; i < n; ++i) {
                CAPTURE(i);
                CHECK(std::abs(world.velocity(balls[i]).v.x() - expected[i]) < 1e-3);
            }
            CHECK(world.touches().empty());
        }
}

// ---- overlaps ------------------------------------------------------------------------------------------------------

namespace {

struct Parting {
    double height = 0.0, speed = 0.0;  // [m] of the centre in the end, [m/s] the greatest on the way, upwards
};

// A body of 0.1 m whose lowest point is this deep in the ground, after this time.
Parting part(const Shape& shape, double E, double depth, double seconds) {
    World world{{.workers = 1}};
    world.scene({.gravity = {0, 0, -g}});
    world.set_simulation({.tolerance = 1e-6});
    add_material(world, 0.5, ContactLaw::Exact);
    world.set_material("Test", SolidMaterial{.density = 1000.0, .youngs_modulus = E, .poissons_ratio = 0.3});
    add_ground(world);
    const Entity b = world.add(free_body("body", shape, {0, 0, 0.05 - depth}));
    Parting result;
    for (int i = 0; i < 400; ++i) {
        world.advance(seconds / 400);
        result.speed = std::max(result.speed, world.velocity(b).v.norm());
    }
    result.height = world.pose(b).p.z();
    return result;
}

}  // namespace

TEST_CASE("solids that start 10 mm inside the floor come out of it within 0.2 s, and are not thrown") {
    const Shape shapes[] = {Sphere{0.1}, Box{0.1, 0.1, 0.1}, Cylinder{.axis = 3, .diameter = 0.1, .length = 0.1},
                            Cylinder{.axis = 1, .diameter = 0.1, .length = 0.1}};
    for (const Shape& shape : shapes)
        for (const double E : {1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12}) {
            CAPTURE(shape.index());
            CAPTURE(E);
            const Parting parted = part(shape, E, 0.01, 0.2), rest = part(shape, E, 0.0, 1.0);
            CHECK(parted.speed < 1.05);
            CHECK(rest.height < 0.05);
            CHECK(0.05 - parted.height == doctest::Approx(0.05 - rest.height).epsilon(1e-2));
        }
}

TEST_CASE("solids that start deep inside each other go on with every solver") {
    const std::uint64_t seed = 9301;
    for (int i = 0; i < 400; ++i) {
        Random random{seed + static_cast<std::uint64_t>(i)};
        const auto solver = static_cast<Solver>(i % 4);
        const int kind = random.number(kinds), other = random.number(kinds);
        World world{{.workers = 1}};
        world.scene({.gravity = NoGravity{}, .nominal_length = random.number(2) ? 1.0 : 10.0});
        world.set_simulation({.solver = solver, .tolerance = std::pow(10.0, random.uniform(-7, -3))});
        add_material(world, random.uniform(0, 1), random.number(2) ? ContactLaw::Exact : ContactLaw::Flores,
                     random.number(2) ? 0.8 : 0.0);
        world.set_material("Test", SolidMaterial{.density = 2000.0,
                                                 .youngs_modulus = std::pow(10.0, random.uniform(5, 12)),
                                                 .poissons_ratio = 0.3});
        Object3DDef a = free_body("a", solid_shape(kind, random), Vec3::Zero());
        Object3DDef b = free_body("b", solid_shape(other, random), random.vector(random.number(2) ? 0.03 : 1e-3));
        a.rotation = random.orientation();
        b.rotation = random.orientation();
        a.smoothing_radius = b.smoothing_radius = random.number(2) ? 0.0 : 1e-3;
        world.add(a);
        const Entity body = world.add(b);
        CAPTURE(seed);
        CAPTURE(i);
        CAPTURE(solver_name(solver));
        CAPTURE(kind_name(kind));
        CAPTURE(kind_name(other));
        CHECK_NOTHROW(world.advance(0.002));
        CHECK(world.velocity(body).v.norm() < 3.0);
    }
}

TEST_CASE("a force that sets in at once makes a step as short as it has to be: a capsule in the middle of a box") {
    World world{{.workers = 1}};
    world.scene({.gravity = NoGravity{}, .nominal_length = 4.346});
    world.set_simulation({.solver = Solver::ArkodeErk, .tolerance = 3.323e-5});
    add_material(world, 0.2786, ContactLaw::Exact, 0.7768);
    world.set_material("Test", SolidMaterial{.density = 2680.25, .youngs_modulus = 2.6187e7, .poissons_ratio = 0.3});
    world.add({.name = "a", .shape = Box{13.04, 13.04, 13.04}, .material = "Test", .collidable = true});
    Object3DDef b = free_body("b", Capsule{1, 1.5547, 1.1508}, {0.005655, -0.194712, 1.47129});
    b.rotation = Quat{Quat{-0.01165, 0.41269, 0.05595, 0.90907}.normalized()};
    world.add(b);
    CHECK_NOTHROW(world.advance(0.01));
}
