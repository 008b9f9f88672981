// Sliding, rolling and spinning at many tolerances: every solver is as right as it was asked to be.
#include "tests/support/random.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <string>
#include <vector>

using namespace tactus;

namespace {

// A steel ball of 4 kg and radius 0.05 m on a sphere so large that it is nearly a plane, where it rests as deep as it would
// under its weight.
struct Motion {
    const char* name;
    double slope;                 // [rad]
    double friction, resistance;  // coefficients
    double v_small, w_small;      // [m/s], [rad/s]
    Vec3 velocity, spin;          // [m/s], [rad/s] at the start
    double above = -1.082e-6;     // [m] the ground
};

const std::vector<Motion> motions{
    {"slides down a slope", 0.349, 0.05, 0.0, 1e-4, 0.01, Vec3::Zero(), Vec3::Zero()},
    {"slides down a slope, softer friction", 0.349, 0.05, 0.0, 1e-2, 0.01, Vec3::Zero(), Vec3::Zero()},
    {"rolls down a slope", 0.175, 0.5, 0.001, 1e-3, 0.01, Vec3::Zero(), Vec3::Zero()},
    {"slides, then rolls", 0.0, 0.1, 0.0, 1e-4, 0.01, {2, 0, 0}, Vec3::Zero()},
    {"slides, then rolls, then stops", 0.0, 0.1, 0.01, 1e-2, 0.01, {2, 0, 0}, Vec3::Zero()},
    {"spins on the spot", 0.0, 0.2, 0.02, 1e-3, 0.01, Vec3::Zero(), {0, 0, 50}},
    {"spins and slides", 0.0, 0.2, 0.02, 1e-2, 0.01, {1, 0.5, 0}, {10, -20, 50}},
    {"falls, spins and slides", 0.0, 0.2, 0.02, 1e-2, 0.01, {1, 0.5, 0}, {10, -20, 50}, 0.02},
    {"comes back up a slope", 0.0873, 0.1, 0.002, 1e-3, 0.001, {0, 1, 0}, {0, -60, 30}},
};

struct Result {
    Vec3 p, v, w;
    Statistics statistics;
};

Result simulate(const Motion& m, Solver solver, double tolerance, double seconds) {
    World world{{.workers = 1}};
    const Vec3 up{std::sin(m.slope), 0.0, std::cos(m.slope)};
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.solver = solver, .tolerance = tolerance});
    world.set_material("Steel", SolidMaterial{.density = 7800.0, .youngs_modulus = 2e11, .poissons_ratio = 0.3});
    world.set_contact_pair({.material1 = "Steel",
                            .material2 = "Steel",
                            .law = ContactLaw::Exact,
                            .coefficient_of_restitution = 0.5,
                            .sliding_friction_coefficient = m.friction,
                            .rotational_resistance_coefficient = m.resistance,
                            .v_small = m.v_small,
                            .w_small = m.w_small});
    world.add({.name = "ground",
               .parent = "world",
               .translation = -1000.0 * up,
               .shape = Sphere{2000.0},
               .material = "Steel",
               .collidable = true});
    const Entity ball = world.add({.name = "ball",
                                   .parent = "world",
                                   .free = true,
                                   .translation = (0.05 + m.above) * up,
                                   .velocity = m.velocity,
                                   .angular_velocity = m.spin,
                                   .shape = Sphere{0.1},
                                   .material = "Steel",
                                   .mass = 4.0,
                                   .collidable = true});
    world.run(seconds, {.record = false});
    return {world.pose(ball).p, world.velocity(ball).v, world.velocity(ball).w, world.statistics()};
}

double difference(const Result& a, const Result& b) {
    const auto relative = [](const Vec3& x, const Vec3& y) { return (x - y).norm() / std::max(1.0, y.norm()); };
    return std::max({relative(a.p, b.p), relative(a.v, b.v), relative(a.w, b.w)});
}

}  // namespace

TEST_CASE("a ball that slides, rolls or spins: the error is within ten times the tolerance, whichever it is") {
    constexpr double seconds = 1.0;
    for (const Motion& motion : motions) {
        CAPTURE(motion.name);
        const Result right = simulate(motion, Solver::CvodeAdams, 1e-10, seconds);
        REQUIRE(difference(simulate(motion, Solver::ArkodeErk, 1e-9, seconds), right) < 1e-8);
        for (const Solver solver : {Solver::CvodeBdf, Solver::Ida, Solver::CvodeAdams, Solver::ArkodeErk}) {
            const bool implicit = solver == Solver::CvodeBdf || solver == Solver::Ida;
            const int count = test::runs(implicit ? 15 : 3);
            CAPTURE(solver_name(solver));
            std::int64_t steps = 0, most = 0;
            for (int i = 0; i < count; ++i) {
                const double tolerance = std::pow(10.0, -3.0 - 3.0 * i / (count - 1));
                CAPTURE(tolerance);
                const Result result = simulate(motion, solver, tolerance, seconds);
                CHECK(difference(result, right) < 10.0 * tolerance);
                steps += result.statistics.integrator.steps;
                most = std::max(most, result.statistics.integrator.steps);
            }
            // Steps grow again after friction has changed from sliding to rolling.
            if (implicit) CHECK(steps < 1200 * count);
            if (implicit) CHECK(most < 5000);
        }
    }
}
