// Multibody problems with known solutions, each at tolerances from 1e-4 to 1e-10, with every integrator.
#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <numbers>

using namespace tactus;

namespace {

constexpr Solver solvers[] = {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk};
constexpr double tolerances[] = {1e-4, 1e-6, 1e-8, 1e-10};

// The error must keep within `factor` times the tolerance at each of them, and be smaller at a hundredth of it. Where it is
// a hundredth of what is allowed, parts of it have cancelled out by chance, and the next one may be larger.
template<class Error> void check_refinement(double factor, double floor, Error&& error_at) {
    for (const Solver solver : solvers) {
        CAPTURE(solver_name(solver));
        double before = std::numeric_limits<double>::infinity();
        for (const double tolerance : tolerances) {
            CAPTURE(tolerance);
            const double error = error_at(Simulation{.solver = solver, .tolerance = tolerance});
            CHECK(error < std::max(factor * tolerance, floor));
            CHECK((error < std::max(0.5 * before, 0.01 * factor * tolerance) || error < floor));
            before = error;
        }
    }
}

// An instant of a zero crossing, the n-th from now.
double crossing_time(World& world, std::function<double(const Instant&)> function, Direction direction, int n,
                     double until) {
    double found = std::numeric_limits<double>::quiet_NaN();
    world.add_zero_crossing({.name = "crossing", .function = std::move(function), .direction = direction});
    world.on_event([&, n](const Event& event) mutable {
        if (event.kind == EventKind::zero_crossing && --n == 0) found = event.time;
    });
    world.run(until,
              {.record = false, .interval = until});  // so that the tolerance, and nothing else, bounds the steps
    return found;
}

}  // namespace

TEST_CASE("a pendulum from the horizontal swings with its period of 2.36784194757624 s") {
    // IFToMM benchmark A01: 1 kg at 1 m on a massless rod; T = 4 K(sin(pi/4)) sqrt(l/g), g = 9.81. Roots are located to some
    // hundred roundings of the time: 1e-12 is as good as it gets.
    constexpr double period = 2.36784194757624;
    check_refinement(2.0, 1e-12, [&](const Simulation& simulation) {
        World world;
        world.scene({.gravity = {0, 0, -9.81}});
        world.set_simulation(simulation);
        world.add({.name = "rod", .parent = ParentRef::none()});
        world.add(
            {.name = "mass", .parent = "rod", .translation = {1, 0, 0}, .mass_properties = MassProperties{.mass = 1}});
        const Entity hinge =
            world.add_joint({.name = "hinge", .object1 = "world", .object2 = "rod", .type = Revolute{.axis = 2}});
        // Back at rest for the first time after a whole period: the speed falls through zero there. (A fall about y
        // is a positive turn.)
        const double t = crossing_time(
            world, [hinge](const Instant& now) { return now.state(hinge).v[0]; }, Direction::rising, 1, 3.0);
        return std::abs(t - period) / period;
    });
}

TEST_CASE("a wing nut flips every 7.484343233 s, without losing energy or angular momentum") {
    // Dzhanibekov effect. From this start the spin about x passes zero after a quarter of the periodic motion, half a
    // flip; the closed form 2 K(k) / tau of the moments below (Landau and Lifshitz, Mechanics, 37.8 to 37.12), evaluated
    // with 60 digits, is 7.484343233090755 s. (A published 7.48434325427 s has moments with more digits than it prints.)
    // Only the first flip is determined: the next one depends on what is left of 1e-10 rad/s after rounding.
    constexpr double flip = 7.484343233090755;
    const Mat3 inertia = Vec3{0.0612666667, 0.0644666667, 0.0055333333}.asDiagonal();
    check_refinement(2.0, 2e-11, [&](const Simulation& simulation) {
        World world;
        world.scene({.gravity = NoGravity{}});
        world.set_simulation(simulation);
        const Entity nut = world.add({.name = "nut",
                                      .free = true,
                                      .angular_velocity = {10, 0, 1e-10},
                                      .mass_properties = MassProperties{1.0, Vec3::Zero(), inertia}});
        const double energy = world.energies().kinetic;
        const double L = world.momentum().angular_W.norm();
        const double half = crossing_time(
            world, [nut](const Instant& now) { return (now.pose(nut).q.conjugate() * now.velocity(nut).w).x(); },
            Direction::falling, 1, 5.0);
        CHECK(std::abs(world.energies().kinetic / energy - 1) < 10 * simulation.tolerance);
        CHECK(std::abs(world.momentum().angular_W.norm() / L - 1) < 10 * simulation.tolerance);
        return std::abs(2 * half - flip) / flip;
    });
}

TEST_CASE("the centre of a heavy top is at (0.6055505614, 0.5989576818, -0.5239830274) m after 0.2 s") {
    const Vec3 wanted{0.6055505614, 0.5989576818, -0.5239830274};
    const Mat3 inertia = Vec3{0.234375, 0.46875, 0.234375}.asDiagonal();
    check_refinement(50.0, 2e-10, [&](const Simulation& simulation) {  // ten digits are given; 30 rad of spin
        World world;
        world.scene({.gravity = {0, 0, -9.81}});
        world.set_simulation(simulation);
        world.add(
            {.name = "top", .parent = ParentRef::none(), .mass_properties = MassProperties{15, {0, 1, 0}, inertia}});
        const Entity center = world.add({.name = "center", .parent = "top", .translation = {0, 1, 0}});
        world.add_joint({.name = "tip",
                         .object1 = "world",
                         .object2 = "top",
                         .type = Spherical{.angular_velocity = {0, 150, -4.61538}}});
        world.run(0.2, {.record = false});
        return (world.pose(center).p - wanted).norm();
    });
}
