// Drops of every kind of shape, soft and stiff, sharp and smoothed, with and without losses.
#include "tests/support/ground.hpp"
#include "tests/support/solids.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <string>

using namespace tactus;
using namespace tactus::test;

namespace {

constexpr double g = 9.81, tolerance = 1e-6;

struct Drop {
    int kind = 0;
    double smoothing = 0.0, youngs_modulus = 0.0, restitution = 0.0, friction = 0.0, height = 0.0;
    Shape shape;
    Quat orientation = Quat::Identity();

    Drop(std::uint64_t seed, double radius) : smoothing{radius} {
        Random random{seed};
        kind = static_cast<int>(seed % kinds);
        youngs_modulus = std::pow(10.0, 5 + static_cast<int>(seed / kinds % 8));
        restitution = std::array{0.0, 0.3, 0.7, 1.0}[static_cast<std::size_t>(random.number(4))];
        friction = random.number(2) ? 0.3 : 0.0;
        height = random.uniform(0.1, 0.5);
        shape = solid_shape(kind, random);
        orientation = random.orientation();
    }

    std::string text() const {
        char line[160];
        std::snprintf(line, sizeof line, "%s, smoothing %g, E = %.0e, e = %g, mu = %g, h = %.3f m",
                      kind_name(kind).c_str(), smoothing, youngs_modulus, restitution, friction, height);
        return line;
    }

    Entity build(World& world) const {
        world.scene({.gravity = {0, 0, -g}});
        world.set_simulation({.tolerance = tolerance});
        add_material(world, restitution, ContactLaw::Exact, friction);
        world.set_material("Test",
                           SolidMaterial{.density = 1000, .youngs_modulus = youngs_modulus, .poissons_ratio = 0.3});
        const Shape floor = Box{10, 10, 1};
        world.add(
            {.name = "ground", .translation = {0, 0, -0.5}, .shape = floor, .material = "Test", .collidable = true});
        const Frame X{orientation.toRotationMatrix(), Vec3{0, 0, 1}};
        const double above = signed_distance(collision_shape(floor, 1e-3), Frame{Mat3::Identity(), {0, 0, -0.5}},
                                             collision_shape(shape, smoothing), X)
                                 .distance;
        Object3DDef def{.name = "body", .free = true};
        def.translation = {0, 0, 1 - above + height};
        def.rotation = orientation;
        def.shape = shape;
        def.material = "Test";
        def.collidable = true;
        def.smoothing_radius = smoothing;
        return world.add(def);
    }
};

struct Dropped {
    std::string error;
    double energy = 0.0;   // the largest change, relative to m g h
    double lowest = 0.0;   // [m] of the centre of mass
    double rebound = 0.0;  // [m] height of the first rebound
    double size = 0.0;     // [m]
};

Dropped run(const Drop& drop, double seconds = 1.0) {
    Dropped result;
    World world{{.workers = 1}};
    const Entity body = drop.build(world);
    result.size = collision_shape(drop.shape, drop.smoothing).size;
    bool left = false;
    world.on_contact([&](const ContactEvent& e) {
        if (e.start || left) return;
        left = true;
        result.rebound = std::pow(world.velocity(body).v.z(), 2) / (2 * g);
    });
    const double before = world.energies().balance();
    const double mgh = world.momentum().mass * g * drop.height;
    result.lowest = world.pose(body).p.z();
    try {
        for (int i = 0; i < 100; ++i) {
            world.advance(seconds / 100);
            result.energy = std::max(result.energy, std::abs(world.energies().balance() - before) / mgh);
            result.lowest = std::min(result.lowest, world.momentum().center_of_mass_W.z());
        }
    } catch (const std::exception& error) { result.error = error.what(); }
    return result;
}

// [m] The same of a ball in one dimension, by Runge and Kutta: m z'' = K p^1.5 (1 + d p') - m g. Its weight acts on it all
// the time; the softer it is, the less of e^2 h is left.
double rebound(const Drop& drop) {
    const double e = drop.restitution, radius = 0.5 * std::get<Sphere>(drop.shape).diameter;
    if (e == 0.0) return 0.0;
    const double v0 = std::sqrt(2 * g * drop.height),
                 mass = 4.0 / 3.0 * 3.14159265358979 * std::pow(radius, 3) * 1000.0;
    const double K = 4.0 / 3.0 * drop.youngs_modulus / (2 * (1 - 0.3 * 0.3)) * std::sqrt(radius);
    double low = 1e-9, high = 1.0 / e - 1e-12;  // a = d v0 of (1 + e) a = ln((1 + a) / (1 - a e))
    for (int i = 0; i < 100; ++i) {
        const double a = 0.5 * (low + high);
        (std::log((1 + a) / (1 - a * e)) > (1 + e) * a ? high : low) = a;
    }
    const double d = e == 1.0 ? 0.0 : low / v0;
    const auto force = [&](double p, double v) { return p > 0 ? K / mass * std::pow(p, 1.5) * (1 + d * v) : 0.0; };
    double p = 0.0, v = v0;  // into the floor
    const double h = 1e-3 * std::pow(1.25 * mass * v0 * v0 / K, 0.4) / v0;
    do {
        const double a1 = g - force(p, v), v2 = v + h / 2 * a1, a2 = g - force(p + h / 2 * v, v2);
        const double v3 = v + h / 2 * a2, a3 = g - force(p + h / 2 * v2, v3);
        const double v4 = v + h * a3, a4 = g - force(p + h * v3, v4);
        p += h / 6 * (v + 2 * v2 + 2 * v3 + v4);
        v += h / 6 * (a1 + 2 * a2 + 2 * a3 + a4);
    } while (p > 0.0);
    return v * v / (2 * g);
}

void check_drops(double smoothing) {
    for (int i = 0, n = runs(288); i < n; ++i) {
        const auto seed = static_cast<std::uint64_t>(i + 1);
        const Drop drop{seed, smoothing};
        CAPTURE(seed);
        CAPTURE(drop.text());
        const Dropped dropped = run(drop);
        CHECK(dropped.error == "");
        CHECK(dropped.lowest > -dropped.size);
        if (drop.friction == 0.0) CHECK(dropped.energy < 100 * tolerance);
        if (drop.kind != sphere_kind) continue;
        CHECK(std::abs(dropped.rebound - rebound(drop)) < 1e-3 * drop.height);
        if (drop.youngs_modulus > 5e10 || drop.restitution == 1.0)
            CHECK(std::abs(dropped.rebound - drop.restitution * drop.restitution * drop.height) < 1e-3 * drop.height);
    }
}

}  // namespace

TEST_CASE("drops of sharp solids end well") { check_drops(0.0); }
TEST_CASE("drops of smoothed solids end well") { check_drops(1e-3); }
