// Chains of joints and of stiff springs: what an implicit step costs, in evaluations, does not grow with their length.
#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>

using namespace tactus;

namespace {

// Capsules of 0.1 m on spherical joints, one after the other from the world, that start to fall from the horizontal.
void add_chain(World& world, int links) {
    world.scene({.gravity = {0, 0, -9.81}});
    std::string end = "world";
    for (int i = 0; i < links; ++i) {
        const std::string name = "l" + std::to_string(i);
        world.add({.name = name,
                   .parent = ParentRef::none(),
                   .shape = Capsule{.axis = 1, .diameter = 0.02, .length = 0.08},
                   .mass = 0.05});
        world.add({.name = name + ".a", .parent = name, .translation = {-0.05, 0, 0}});
        world.add({.name = name + ".b", .parent = name, .translation = {0.05, 0, 0}});
        world.add_joint({.name = "j" + std::to_string(i), .object1 = end, .object2 = name + ".a", .type = Spherical{}});
        end = name + ".b";
    }
}

// A rope: masses of 1 kg, 0.1 m apart, each held to the one before by a spring of 1e9 N/m; it starts to fall from the
// horizontal.
void add_springs(World& world, int masses) {
    world.scene({.gravity = {0, 0, -9.81}});
    world.add({.name = "m0", .parent = "world"});
    for (int i = 1; i <= masses; ++i) {
        const std::string name = "m" + std::to_string(i), before = "m" + std::to_string(i - 1);
        world.add({.name = name,
                   .parent = "world",
                   .free = true,
                   .translation = {0.1 * i, 0, 0},
                   .shape = Sphere{0.02},
                   .mass = 1.0});
        world.add_force({.name = "s" + std::to_string(i),
                         .type = SpringDamper{
                             .object1 = before, .object2 = name, .nominal_length = 0.1, .spring = 1e9, .damper = 1e5}});
    }
}

}  // namespace

TEST_CASE("a chain of spherical joints: evaluations do not grow with the number of its states") {
    for (const Solver solver : {Solver::CvodeBdf, Solver::Ida}) {
        CAPTURE(solver_name(solver));
        World world{{.workers = 1}};
        world.set_simulation({.solver = solver, .tolerance = 1e-4});
        add_chain(world, 50);
        const double before = world.energies().balance();
        world.run(0.2, {.record = false});
        const IntegratorStatistics s = world.statistics().integrator;
        CHECK(s.evaluations < 4 * s.steps);  // 350 states: a Jacobian by differences would take as many
        CHECK(std::abs(world.energies().balance() - before) < 1e-3);
    }
}

TEST_CASE("fifty springs of 1e9 N/m, one after the other") {
    World world{{.workers = 1}};
    world.set_simulation({.tolerance = 1e-4});
    add_springs(world, 50);
    world.run(0.1, {.record = false});
    const IntegratorStatistics s = world.statistics().integrator;
    CHECK(s.evaluations < 4 * s.steps);
    const Energies e = world.energies();
    CHECK(e.balance() == doctest::Approx(0.5 * 0.01).epsilon(1e-2));
}
