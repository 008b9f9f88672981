// Equal bodies that land together: nothing tells one from another, so all must touch in the same instant and move alike.
#include "tests/support/ground.hpp"
#include "tests/support/solids.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::test;

namespace {

struct Landing {
    int kind = 0, count = 0;
    Solver solver = Solver::CvodeBdf;
    double youngs_modulus = 0.0, restitution = 0.0, friction = 0.0, smoothing = 0.0, height = 0.0;
    Shape shape;
    Quat orientation = Quat::Identity();
    Vec3 spin = Vec3::Zero();

    explicit Landing(std::uint64_t seed) {
        Random random{seed};
        kind = static_cast<int>(seed % kinds);
        count = 2 + random.number(49);
        solver = static_cast<Solver>(random.number(4));
        youngs_modulus = std::pow(10.0, random.uniform(8, 11.3));
        restitution = std::array{0.0, 0.3, 0.7, 1.0}[static_cast<std::size_t>(random.number(4))];
        friction = random.number(2) ? 0.3 : 0.0;
        smoothing = random.number(2) ? 1e-3 : 0.0;
        height = random.uniform(0.4, 1.0);
        shape = solid_shape(kind, random);
        orientation = random.orientation();
        if (random.number(2)) spin = random.vector(5.0);
    }

    std::string text() const {
        char line[200];
        std::snprintf(line, sizeof line, "%d of %s, %s, E = %.1e, e = %g, mu = %g, smoothing %g, %s", count,
                      kind_name(kind).c_str(), std::string{solver_name(solver)}.c_str(), youngs_modulus, restitution,
                      friction, smoothing, spin.norm() > 0 ? "spinning" : "not spinning");
        return line;
    }

    static Vec3 place(int i) { return {0.5 * (i % 7) - 1.5, 0.5 * (i / 7) - 1.75, 0.0}; }

    static void add_floor(World& world, const std::string& name, const Vec3& below, double width) {
        world.add({.name = name,
                   .translation = below - Vec3{0, 0, 0.5},
                   .shape = Box{width, width, 1},
                   .material = "Test",
                   .collidable = true});
    }

    std::vector<Entity> build(World& world, bool own_floors) const {
        world.scene({.gravity = {0, 0, -9.81}});
        world.set_simulation({.solver = solver, .tolerance = 1e-6});
        add_material(world, restitution, ContactLaw::Exact, friction);
        world.set_material("Test",
                           SolidMaterial{.density = 1000, .youngs_modulus = youngs_modulus, .poissons_ratio = 0.3});
        if (!own_floors) add_floor(world, "floor", Vec3::Zero(), 10.0);
        std::vector<Entity> bodies;
        for (int i = 0; i < count; ++i) {
            if (own_floors) add_floor(world, "floor" + std::to_string(i), place(i), 0.45);
            Object3DDef def{.name = "b" + std::to_string(i), .free = true};
            def.translation = place(i) + Vec3{0, 0, height};
            def.rotation = orientation;
            def.angular_velocity = spin;
            def.shape = shape;
            def.material = "Test";
            def.collidable = true;
            def.smoothing_radius = smoothing;
            bodies.push_back(world.add(def));
        }
        return bodies;
    }
};

struct Seen {
    int starts = 0, second_starts = 0;  // until all have left; of bodies that had touched before
    double spread = 0.0;                // [m] times of the first starts, times the impact speed
    double difference = 0.0;            // [m] between the ways of any body and the first one
    double lasted = 0.0;                // [s]
};

// Until all first impacts are over, or for 50 ms: what comes to rest stays.
Seen land(const Landing& landing, bool own_floors) {
    World world{{.workers = 1}};
    const std::vector<Entity> bodies = landing.build(world, own_floors);
    std::map<Entity, int> started, left;
    double first = 1e300, last = 0.0, speed = 0.0;
    Seen seen;
    world.on_contact([&](const ContactEvent& e) {
        const Entity body = std::find(bodies.begin(), bodies.end(), e.object1) != bodies.end() ? e.object1 : e.object2;
        if (!e.start) {
            ++left[body];
            return;
        }
        if (left.size() < bodies.size()) ++seen.starts;
        if (++started[body] > 1) return;
        first = std::min(first, e.time), last = std::max(last, e.time);
        speed = std::max(speed, e.impact_speed);
    });
    std::vector<Vec3> from;
    for (const Entity b : bodies) from.push_back(world.pose(b).p);
    while (started.empty() && world.time() < 1.0) world.advance(1e-3);
    const auto compare = [&] {
        const Vec3 way = world.pose(bodies[0]).p - from[0];
        for (std::size_t i = 1; i < bodies.size(); ++i)
            seen.difference = std::max(seen.difference, (world.pose(bodies[i]).p - from[i] - way).norm());
    };
    compare();
    while (left.size() < bodies.size() && world.time() < first + 0.05) {
        world.advance(1e-4);
        compare();
    }
    seen.second_starts = seen.starts - static_cast<int>(started.size());
    seen.spread = (last - first) * speed;
    seen.lasted = world.time() - first;
    return seen;
}

void check_landings(bool own_floors) {
    for (int run = 0, n = runs(45); run < n; ++run) {
        const auto seed = static_cast<std::uint64_t>(run + 1);
        const Landing landing{seed};
        CAPTURE(seed);
        CAPTURE(landing.text());
        const Seen seen = land(landing, own_floors);
        CHECK(seen.starts == landing.count);
        CHECK(seen.second_starts == 0);
        CHECK(seen.spread < 1e-12);  // [m] less than the hysteresis
        CHECK(seen.difference < 1e-9);
    }
}

}  // namespace

TEST_CASE("equal bodies that land together on one floor touch it in the same instant, once each") {
    check_landings(false);
}

TEST_CASE(
    "equal bodies that land together on equal floors touch in the same instant, and move alike until they leave") {
    check_landings(true);
}

TEST_CASE("a body that spins hits the floor with the speed of the corner that touches it") {
    for (std::uint64_t seed = 1; seed <= 50; ++seed) {
        CAPTURE(seed);
        Random random{seed};
        const double smoothing = seed % 2 ? 1e-3 : 0.0;
        Landing landing{seed};
        landing.count = 1;
        landing.smoothing = smoothing;
        const Box box{random.uniform(0.1, 0.2), random.uniform(0.1, 0.2), random.uniform(0.1, 0.2)};
        landing.shape = box;
        landing.spin = random.vector(10.0);
        World world{{.workers = 1}};
        const Entity body = landing.build(world, false).front();
        double seen = -1.0, wanted = 0.0;
        world.on_contact([&](const ContactEvent& e) {
            if (seen >= 0.0) return;
            seen = e.impact_speed;
            const Mat3 R = world.pose(body).R();
            const Vec3 half = 0.5 * Vec3{box.length_x, box.length_y, box.length_z} - Vec3::Constant(smoothing);
            const Vec3 down = -R.row(2).transpose();
            const Vec3 arm = R * half.cwiseProduct(down.cwiseSign()) - smoothing * Vec3::UnitZ();
            wanted = -(world.velocity(body).v + world.velocity(body).w.cross(arm)).z();
        });
        while (seen < 0.0 && world.time() < 1.0) world.advance(1e-3);
        CHECK(seen == doctest::Approx(wanted).epsilon(1e-9));
    }
}
