#include "tests/support/dense.hpp"
#include "tests/support/random_mechanism.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <Eigen/Core>

using namespace tactus;

namespace {

double relative(const Eigen::MatrixXd& a, const Eigen::MatrixXd& b) {
    return (a - b).cwiseAbs().maxCoeff() / (1.0 + b.cwiseAbs().maxCoeff());
}

}  // namespace

TEST_CASE("forward dynamics, inverse dynamics and mass matrix belong together, for every joint in either direction") {
    for (int kind = -1; kind < test::joint_kinds; ++kind)
        for (unsigned seed = 1; seed <= 20; ++seed) {
            CAPTURE(kind);
            CAPTURE(seed);
            World world;
            world.scene({.gravity = {0.3, 0.2, -9.81}});
            test::random_mechanism(world, seed, 12, kind);
            const Eigen::VectorXd rates = world.speed_rates();
            const Eigen::Index n = rates.size();
            REQUIRE(static_cast<std::size_t>(n) == world.speed_names().size());
            // No torque is missing for the accelerations that the forces cause.
            const Eigen::VectorXd zero = Eigen::VectorXd::Zero(n);
            const Eigen::VectorXd h = world.inverse_dynamics(zero);
            CHECK(world.inverse_dynamics(rates).cwiseAbs().maxCoeff() < 1e-12 * (1.0 + h.cwiseAbs().maxCoeff()));

            // Column by column from unit accelerations.
            Eigen::MatrixXd columns(n, n);
            for (Eigen::Index i = 0; i < n; ++i)
                columns.col(i) = world.inverse_dynamics(Eigen::VectorXd::Unit(n, i)) - h;
            const Eigen::MatrixXd M = world.mass_matrix();
            CHECK(relative(M, columns) < 1e-12);
            CHECK(M == M.transpose());
            REQUIRE(test::is_positive_definite(M));
            CHECK(relative(test::solve_dense(M, -h), rates) < 1e-10);  // a dense solution; M may be badly conditioned

            // Kinetic energy from the mass matrix and from the bodies.
            const Eigen::VectorXd v = world.speeds();
            CHECK(0.5 * v.dot(M * v) == doctest::Approx(world.energies().kinetic).epsilon(1e-12));
        }
}

TEST_CASE("velocities and accelerations are the derivatives of poses and velocities along the motion") {
    // Central differences of the motion itself, integrated over +-h from the same state: error h^2 / 6 times a third
    // derivative of about 1e2, and rounding 1e-16 / h.
    constexpr double h = 1e-5;
    for (int kind = -1; kind < test::joint_kinds; ++kind)
        for (unsigned seed = 1; seed <= 6; ++seed) {
            CAPTURE(kind);
            CAPTURE(seed);
            World world;
            world.scene({.gravity = {0, 0, -9.81}});
            world.set_simulation({.solver = Solver::CvodeAdams, .tolerance = 1e-12});
            test::random_mechanism(world, seed, 6, kind);
            std::vector<Entity> bodies;
            for (int i = 0; i < 6; ++i) bodies.push_back(world.at("body" + std::to_string(i) + ".b"));

            struct Sample {
                Pose X;
                Twist v;
            };
            const auto sample = [&](double t) {
                world.reset();
                world.advance(t);
                std::vector<Sample> found;
                for (const Entity e : bodies) found.push_back({world.pose(e), world.velocity(e)});
                return found;
            };
            const auto before = sample(0), after = sample(2 * h);
            world.reset();
            world.advance(h);
            for (std::size_t i = 0; i < bodies.size(); ++i) {
                const Twist v = world.velocity(bodies[i]), a = world.acceleration(bodies[i]);
                const Vec3 dp = (after[i].X.p - before[i].X.p) / (2 * h);
                const Eigen::AngleAxisd turn{after[i].X.q * before[i].X.q.conjugate()};
                CHECK((dp - v.v).norm() < 1e-6);
                CHECK((turn.axis() * turn.angle() / (2 * h) - v.w).norm() < 1e-6);
                CHECK(((after[i].v.v - before[i].v.v) / (2 * h) - a.v).norm() < 1e-5 * (1 + a.v.norm()));
                CHECK(((after[i].v.w - before[i].v.w) / (2 * h) - a.w).norm() < 1e-5 * (1 + a.w.norm()));
            }
        }
}

TEST_CASE("a bead on a turning rod feels the whole Coriolis force") {
    // r'' = r w^2, (I + m r^2) w' = -2 m r r' w. The original program has half of it.
    for (const bool backwards : {false, true}) {
        CAPTURE(backwards);
        const double I = 0.7, m = 2.0, r = 0.4, dr = 1.5, w = 3.0;
        World world;
        world.scene({.gravity = NoGravity{}});
        world.add({.name = "rod",
                   .parent = ParentRef::none(),
                   .mass_properties = MassProperties{1.0, Vec3::Zero(), I * Mat3::Identity()}});
        world.add({.name = "bead",
                   .parent = ParentRef::none(),
                   .mass_properties = MassProperties{m, Vec3::Zero(), 1e-30 * Mat3::Identity()}});
        const double sign = backwards ? -1.0 : 1.0;  // frame 1 is then the bead: the rod moves the other way in it
        world.add_joint({.name = "turn", .object1 = "world", .object2 = "rod", .type = Revolute{.axis = 3, .w = w}});
        world.add_joint({.name = "slide",
                         .object1 = backwards ? "bead" : "rod",
                         .object2 = backwards ? "rod" : "bead",
                         .type = Prismatic{.axis = 1, .s = sign * r, .v = sign * dr}});
        const Eigen::VectorXd rates = world.speed_rates();
        REQUIRE(world.speed_names() == std::vector<std::string>{"turn.w", "slide.v"});
        CHECK(rates[0] == doctest::Approx(-2 * m * r * dr * w / (I + m * r * r)).epsilon(1e-13));
        CHECK(sign * rates[1] == doctest::Approx(r * w * w).epsilon(1e-13));
    }
}

TEST_CASE("a free tree without gravity keeps energy, momentum and angular momentum within ten times the tolerance") {
    for (const Solver solver : {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk})
        for (const double tolerance : {1e-4, 1e-6, 1e-8})
            for (unsigned seed = 1; seed <= 5; ++seed) {
                CAPTURE(solver_name(solver));
                CAPTURE(tolerance);
                CAPTURE(seed);
                World world;
                world.scene({.gravity = NoGravity{}});
                world.set_simulation({.solver = solver, .tolerance = tolerance});
                test::random_mechanism(world, seed, 5, 2, false);  // spherical joints: bounded motion
                const double energy = world.energies().balance();
                const Momentum before = world.momentum();
                world.run(100.0, {.record = false});
                const Momentum after = world.momentum();
                const double speed = std::sqrt(2 * energy / before.mass);
                // About the centre of mass: about a fixed point, 100 m of flight would multiply the error of the momentum.
                const auto spin = [](const Momentum& m) {
                    return Vec3{m.angular_W - m.center_of_mass_W.cross(m.linear_W)};
                };
                CHECK(std::abs(world.energies().balance() - energy) < 10 * tolerance * energy);
                CHECK((after.linear_W - before.linear_W).norm() < 10 * tolerance * before.mass * speed);
                CHECK((spin(after) - spin(before)).norm() < 10 * tolerance * spin(before).norm());
            }
}
