// Joints that are driven: closed forms, independent equations, and balances of energy.
#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/moving.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <Eigen/Core>

#include <cmath>
#include <numbers>

using namespace tactus;
using test::weightless;

namespace {

constexpr double pi = std::numbers::pi;
constexpr std::array all_solvers{Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk};

// A rod of mass 2 kg and length 1 m that turns about y at its upper end; hangs down at 0.
constexpr double rod_mass = 2.0, rod_arm = 0.5, rod_inertia = 2.0 / 12.0;
Entity add_pendulum(World& world, const std::string& name, const Ref& carrier, double phi = 0.0, double w = 0.0) {
    world.add({.name = name + ".rod",
               .parent = ParentRef::none(),
               .mass_properties = MassProperties{rod_mass, {0, 0, -rod_arm}, rod_inertia * Mat3::Identity()}});
    world.add({.name = name + ".end", .parent = name + ".rod", .translation = {0, 0, -2 * rod_arm}});
    return world.add_joint(
        {.name = name, .object1 = carrier, .object2 = name + ".rod", .type = Revolute{.axis = 2, .phi = phi, .w = w}});
}
constexpr double about_hinge = rod_inertia + rod_mass * rod_arm * rod_arm;

}  // namespace

TEST_CASE("a pendulum whose swing is prescribed takes the torque of its equation of motion, and has no states") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    const Entity hinge = add_pendulum(world, "hinge", "world", 3.0, 1.0);
    world.set_function("swing", [](double t) {
        return Vec3{0.5 + std::sin(2 * t), 2 * std::cos(2 * t), -4 * std::sin(2 * t)};
    });
    const Entity drive = world.add_drive(
        {.name = "drive", .type = PrescribedMotion{.flange = "hinge", .reference = GivenMotion{"swing"}}});
    for (int i = 0; i < 20; ++i) {
        const double t = world.time();
        const double phi = 0.5 + std::sin(2 * t), a = -4 * std::sin(2 * t);
        CAPTURE(t);
        CHECK(world.state(hinge).q[0] == phi);
        CHECK(world.state(hinge).v[0] == 2 * std::cos(2 * t));
        const double torque = about_hinge * a + rod_mass * 9.81 * rod_arm * std::sin(phi);
        CHECK(world.drive_torque(drive) == doctest::Approx(torque).epsilon(1e-13));
        CHECK(world.joint_wrench(hinge).t.y() == doctest::Approx(torque).epsilon(1e-13));
        CHECK(world.inverse_dynamics(Eigen::VectorXd::Constant(1, a))[0] == doctest::Approx(torque).epsilon(1e-13));
        CHECK(world.speed_rates()[0] == doctest::Approx(a).epsilon(1e-15));
        world.advance(0.17);
    }
    CHECK(world.statistics().states == 2);  // energies only
    CHECK_THROWS_WITH_AS(world.set_state(hinge, {}), doctest::Contains("prescribes"), InputError);
}

TEST_CASE("a motion that is prescribed behind a gear takes the torque of the joint divided by its ratio") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    const Entity hinge = add_pendulum(world, "hinge", "world", 0.1);
    const double ratio = -5.0, rotor = 0.01;
    world.set_function("swing", [&](double t) {
        return Vec3{ratio * Vec3{0.5 + std::sin(2 * t), 2 * std::cos(2 * t), -4 * std::sin(2 * t)}};
    });
    world.add_drive({.name = "rotor", .type = RotorInertia{.inertia = rotor}});
    world.add_drive({.name = "gear", .type = Gear{.flange1 = "rotor", .flange2 = "hinge", .ratio = ratio}});
    const Entity drive = world.add_drive(
        {.name = "drive", .type = PrescribedMotion{.flange = "rotor", .reference = GivenMotion{"swing"}}});
    for (int i = 0; i < 10; ++i) {
        const double t = world.time(), phi = 0.5 + std::sin(2 * t), a = -4 * std::sin(2 * t);
        CAPTURE(t);
        CHECK(world.state(hinge).q[0] == doctest::Approx(phi).epsilon(1e-14));
        const double torque = about_hinge * a + rod_mass * 9.81 * rod_arm * std::sin(phi);
        CHECK(world.drive_torque(drive) == doctest::Approx(torque / ratio + rotor * ratio * a).epsilon(1e-12));
        world.advance(0.17);
    }
}

TEST_CASE("a pendulum on a slide that is moved swings as in the frame of the slide") {
    // In the accelerated frame: (I + m l^2) phi'' = -m l (g sin phi + a cos phi). Runge-Kutta with steps between corners.
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        World world;
        world.scene({.gravity = {0, 0, -9.81}});
        world.set_simulation({.solver = solver, .tolerance = 1e-9});
        world.add({.name = "slide", .parent = ParentRef::none()});  // without mass: it needs none
        world.add_joint({.name = "rail", .object1 = "world", .object2 = "slide", .type = Prismatic{.axis = 1}});
        const Entity hinge = add_pendulum(world, "hinge", "slide", 0.3);
        // 0.5 m with 1 m/s^2 up to 0.5 m/s: corners at 0.5 s, 1 s, 1.5 s
        world.add_path({.name = "path", .path = {{0.0}, {0.5}, {1.0}, {{0.5}}}});
        world.add_drive(
            {.name = "drive", .type = PrescribedMotion{.flange = "rail", .reference = PathColumn{"path", 1}}});
        const double before = world.energies().balance();
        world.run(2.0, {.record = false});

        double phi = 0.3, w = 0.0;
        const double h = 1e-3;
        for (int step = 0; step < 2000; ++step) {
            // The hinge turns about +y: the rod's end moves towards -x.
            const double a = step < 500 ? 1.0 : step >= 1000 && step < 1500 ? -1.0 : 0.0;
            const auto f = [&](double angle) {
                return -rod_mass * rod_arm * (9.81 * std::sin(angle) - a * std::cos(angle)) / about_hinge;
            };
            const double k1 = f(phi), k2 = f(phi + 0.5 * h * w), k3 = f(phi + 0.5 * h * w + 0.25 * h * h * k1),
                         k4 = f(phi + h * w + 0.5 * h * h * k2);
            phi += h * w + h * h / 6.0 * (k1 + k2 + k3);
            w += h / 6.0 * (k1 + 2 * k2 + 2 * k3 + k4);
        }
        CHECK(world.state(hinge).q[0] == doctest::Approx(phi).epsilon(1e-8));
        CHECK(world.state(hinge).v[0] == doctest::Approx(w).epsilon(1e-8));
        CHECK(world.state(world.at("rail")).q[0] == 0.5);
        CHECK(world.statistics().states == 4);
        CHECK(world.energies().work != 0.0);
        CHECK(std::abs(world.energies().balance() - before) < 1e-7);
    }
}

TEST_CASE("prescribed joints anywhere in a tree: free ones accelerate as the full mass matrix says") {
    // M_ff v_f' = tau_f - h_f - M_fp v_p', and the drives exert what is left in the rows of p.
    World world;
    world.scene({.gravity = {1, 2, -9.81}});
    world.add({.name = "ship",
               .free = true,
               .angular_velocity = {0.3, -0.2, 0.5},
               .mass_properties = MassProperties{3.0, {0.1, 0, 0.2}, Vec3{0.4, 0.5, 0.6}.asDiagonal()}});
    add_pendulum(world, "j1", "ship", 0.4, 1.0);
    add_pendulum(world, "j2", "j1.end", -0.7, 0.5);
    // This one is written the other way round.
    world.add({.name = "j3.rod",
               .parent = ParentRef::none(),
               .mass_properties = MassProperties{1.0, {0.2, 0.1, -0.3}, Vec3{0.2, 0.1, 0.3}.asDiagonal()}});
    world.add_joint({.name = "j3",
                     .object1 = "j3.rod",
                     .object2 = "j2.end",
                     .type = Revolute{.axis = Axis{Vec3{1, 1, 0}}, .phi = 0.2, .w = -1.0}});
    add_pendulum(world, "j4", "j3.rod", 0.1, 2.0);
    world.add({.name = "fork.rod",
               .parent = ParentRef::none(),
               .mass_properties = MassProperties{1.5, {0, 0.1, -0.3}, Vec3{0.3, 0.1, 0.3}.asDiagonal()}});
    world.add_joint({.name = "fork",
                     .object1 = "j1.end",
                     .object2 = "fork.rod",
                     .type = Prismatic{.axis = 1, .s = 0.1, .v = 0.3, .resistance = {.damping = 0.7}}});
    const auto given = [](double t) { return Vec3{0.3 + t + 0.35 * t * t, 1.0 + 0.7 * t, 0.7}; };
    world.set_function("given", given);
    std::vector<Entity> drives;
    for (const char* joint : {"j1", "j3", "fork"})
        drives.push_back(
            world.add_drive({.name = std::string{joint} + ".drive",
                             .type = PrescribedMotion{.flange = joint, .reference = GivenMotion{"given"}}}));
    world.add_drive({.name = "rotor", .type = RotorInertia{.inertia = 0.02}});
    world.add_drive({.name = "gear", .type = Gear{.flange1 = "rotor", .flange2 = "j4", .ratio = 5.0}});
    world.add_drive({.name = "rotor2", .type = RotorInertia{.inertia = 0.03}});
    world.add_drive({.name = "gear2", .type = Gear{.flange1 = "rotor2", .flange2 = "j3", .ratio = -3.0}});

    const std::vector<std::string> names = world.speed_names();
    const Eigen::Index n = static_cast<Eigen::Index>(names.size()), p = 3, f = n - p;
    REQUIRE(n == 6 + 5);
    CHECK(std::vector<std::string>(names.end() - 3, names.end()) == std::vector<std::string>{"j1.w", "fork.v", "j3.w"});
    const Eigen::MatrixXd M = world.mass_matrix();
    CHECK((M - M.transpose()).norm() < 1e-13 * M.norm());
    const Eigen::VectorXd h = world.inverse_dynamics(Eigen::VectorXd::Zero(n));
    const Eigen::VectorXd given_rates = Eigen::VectorXd::Constant(p, 0.7);
    const Eigen::VectorXd free_rates =
        test::solve_dense(M.topLeftCorner(f, f), -h.head(f) - M.topRightCorner(f, p) * given_rates);
    const Eigen::VectorXd rates = world.speed_rates();
    CHECK((rates.head(f) - free_rates).norm() < 1e-11 * free_rates.norm());
    CHECK((rates.tail(p) - given_rates).norm() < 1e-14);
    const Eigen::VectorXd tau = M * rates + h;
    CHECK(world.drive_torque(drives[0]) == doctest::Approx(tau[f]).epsilon(1e-11));      // j1
    CHECK(world.drive_torque(drives[2]) == doctest::Approx(tau[f + 1]).epsilon(1e-11));  // fork
    CHECK(world.drive_torque(drives[1]) == doctest::Approx(tau[f + 2]).epsilon(1e-11));  // j3
    CHECK(world.speeds().tail(p) == Eigen::VectorXd::Constant(p, 1.0));

    // All of it goes on: energies balance.
    world.set_simulation({.tolerance = 1e-9});
    const double before = world.energies().balance();
    world.run(1.0, {.record = false});
    CHECK(std::abs(world.energies().balance() - before) < 2e-6);
}

TEST_CASE("a prescribed joint that moves a free body on it conserves the momentum of the pair") {
    World world;
    world.scene(weightless());
    world.set_simulation({.tolerance = 1e-9});
    world.add({.name = "ship", .free = true, .mass_properties = MassProperties{3.0, {0.1, 0, 0.2}, Mat3::Identity()}});
    add_pendulum(world, "arm", "ship");
    world.add_path({.name = "path", .path = {{0.0}, {2.0}, {1.5}, {{2.0}, {-1.0}}}});
    world.add_drive({.name = "drive", .type = PrescribedMotion{.flange = "arm", .reference = PathColumn{"path", 1}}});
    world.run(3.3, {.record = false});
    CHECK(world.velocity(world.at("ship")).w.norm() > 0.01);  // it does move
    CHECK(world.momentum().linear_W.norm() < 1e-8);
    CHECK(world.momentum().angular_W.norm() < 1e-8);
}

TEST_CASE("a lift whose motion is prescribed carries what lies on it: it takes m (g + a), and its work is the gain of "
          "energy") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.tolerance = 1e-6});
    world.add({.name = "floor",
               .parent = ParentRef::none(),
               .shape = Box{1, 1, 0.1},
               .material = "Steel",
               .mass = 3.0,
               .collidable = true});
    world.add_joint({.name = "shaft", .object1 = "world", .object2 = "floor", .type = Prismatic{.axis = 3}});
    // Where 2 kg rest on it: pressed in by (F / stiffness)^(2/3)
    const Entity ball = world.add({.name = "ball",
                                   .free = true,
                                   .translation = {0, 0, 0.15 - 1e-7},
                                   .shape = Sphere{0.2},
                                   .material = "Steel",
                                   .mass = 2.0,
                                   .collidable = true});
    world.add_path({.name = "path", .path = {{0.0}, {1.0}, {2.0}, {}}});
    const Entity lift = world.add_drive(
        {.name = "lift", .type = PrescribedMotion{.flange = "shaft", .reference = PathColumn{"path", 1}}});
    world.run(1.0, {.record = false});  // at rest
    CHECK(world.drive_torque(lift) == doctest::Approx(5.0 * 9.81).epsilon(1e-4));
    const Energies before = world.energies();
    const double depth = world.pose(ball).p.z();
    CHECK(world.move_along_path(world.at("path"), {{1.0}}) == 2.5);
    world.run(1.45, {.record = false});  // speeding up with 2 m/s^2: mean over many swings of the contact
    double mean = 0.0;
    for (int i = 0; i < 400; ++i) {
        world.advance(0.04 / 400);
        mean += world.drive_torque(lift) / 400;
    }
    CHECK(mean == doctest::Approx(5.0 * 11.81).epsilon(2e-2));
    world.run(4.0, {.record = false});
    CHECK(world.pose(ball).p.z() - depth == doctest::Approx(1.0).epsilon(1e-5));
    const Energies after = world.energies();
    CHECK(after.work - before.work ==
          doctest::Approx(5.0 * 9.81 * 1.0 + after.dissipated - before.dissipated).epsilon(1e-4));
    CHECK(std::abs(after.balance() - before.balance()) < 1e-3);
}

TEST_CASE("driven joints do not allocate between corners of their path") {
    World world{{.workers = 1}};
    world.scene({.gravity = {0, 0, -9.81}});
    add_pendulum(world, "a", "world");
    add_pendulum(world, "b", "a.end", 0.2);
    add_pendulum(world, "c", "b.end", 0.2);
    world.add_path({.name = "path", .path = {{0.0, 0.1, 0.2}, {0.1, 0.1, 0.1}, {2.0, 2.0, 2.0}, {{1.0, -0.8, 1.0}}}});
    world.add_drive({.name = "given", .type = PrescribedMotion{.flange = "a", .reference = PathColumn{"path", 1}}});
    world.add_drive(
        {.name = "pd",
         .type = PdDrive{.flange = "b", .reference = PathColumn{"path", 2}, .stiffness = 80, .damping = 6}});
    world.add_drive({.name = "servo",
                     .type = Servo{.flange = "c",
                                   .reference = PathColumn{"path", 3},
                                   .gear_ratio = 50,
                                   .motor_inertia = 1e-4,
                                   .gain = 0.02}});
    world.advance(1.0);
    const long before = test::allocations();
    for (int i = 0; i < 60; ++i) world.advance(1.0 / 60);
    CHECK(test::allocations() - before == 0);
}

TEST_CASE("a PD law answers a step like a damped oscillator") {
    // J phi'' = -k (phi - 1) - d phi': delta = d / 2J, omega^2 = k/J - delta^2
    const double J = 0.5, k = 50.0, d = 4.0, delta = d / (2 * J), omega = std::sqrt(k / J - delta * delta);
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        World world;
        world.scene(weightless());
        world.set_simulation({.solver = solver, .tolerance = 1e-8});
        const Entity rotor = world.add_drive({.name = "rotor", .type = RotorInertia{.inertia = J}});
        world.add_path({.name = "path", .path = {{1.0}, {1.0}, {1.0}, {}}});
        world.add_drive(
            {.name = "pd",
             .type = PdDrive{.flange = "rotor", .reference = PathColumn{"path", 1}, .stiffness = k, .damping = d}});
        for (int i = 1; i <= 10; ++i) {
            world.run(0.1 * i, {.record = false});
            const double t = 0.1 * i, decay = std::exp(-delta * t);
            const double phi = 1 - decay * (std::cos(omega * t) + delta / omega * std::sin(omega * t));
            const double w = decay * (omega + delta * delta / omega) * std::sin(omega * t);
            CHECK(world.state(rotor).q[0] == doctest::Approx(phi).epsilon(1e-7));
            CHECK(std::abs(world.state(rotor).v[0] - w) < 1e-6);
        }
        // At rest: it has taken from the motor what damping swallowed, nothing is left in the motion.
        CHECK(std::abs(world.energies().balance()) < 1e-7);
    }
}

TEST_CASE("with the inertia of its load fed forward a PD law does not lag behind its path") {
    for (const bool feed : {true, false}) {
        World world;
        world.scene(weightless());
        world.set_simulation({.tolerance = 1e-9});
        world.add({.name = "sled",
                   .parent = ParentRef::none(),
                   .mass_properties = MassProperties{4.0, Vec3::Zero(), Mat3::Identity()}});
        const Entity slide =
            world.add_joint({.name = "slide", .object1 = "world", .object2 = "sled", .type = Prismatic{.axis = 1}});
        const Entity path = world.add_path({.name = "path", .path = {{0.0}, {1.0}, {2.0}, {{1.0}, {0.2}}}});
        world.add_drive({.name = "pd",
                         .type = PdDrive{.flange = "slide",
                                         .reference = PathColumn{"path", 1},
                                         .stiffness = 400,
                                         .damping = 80,
                                         .inertia = feed ? 4.0 : 0.0}});
        double largest = 0.0;
        while (world.time() < 3.0) {
            world.advance(0.05);
            largest = std::max(largest, std::abs(world.state(slide).q[0] - world.path_state(path).position[0]));
        }
        // Without: up to m a / k = 0.02 m
        if (feed)
            CHECK(largest < 1e-8);
        else
            CHECK(largest > 5e-3);
    }
}

TEST_CASE("a servo follows a ramp as the exponential of its linear system says") {
    // States (phi, w, x), i = gear ratio: (J + i^2 Jm) w' = i gain (x + u), u = i (kp (ref - phi) - w), x' = u / Ti
    const double J = 0.32, Jm = 1.3909e-5, i = 156, kp = 20, gain = 0.05, Ti = 0.3;
    const double height = 2.0, duration = 0.8, total = J + i * i * Jm;
    Eigen::Matrix3d A;
    A << 0, 1, 0,                                                             //
        -i * i * gain * kp / total, -i * i * gain / total, i * gain / total,  //
        -i * kp / Ti, -i / Ti, 0;
    const Eigen::Vector3d b{0, i * i * gain * kp / total, i * kp / Ti};  // times ref
    // y' = A y + b (r + s t) is linear in (y, r + s t, s): its exponential, by series of a part of t that is squared.
    using Matrix5 = Eigen::Matrix<double, 5, 5>;
    const auto propagate = [&](const Eigen::Vector3d& y0, double t, double r, double s) -> Eigen::Vector3d {
        Matrix5 M = Matrix5::Zero();
        M.topLeftCorner<3, 3>() = A;
        M.block<3, 1>(0, 3) = b;
        M(3, 4) = 1.0;
        const int squarings = 12;  // the largest rate is 2000 / s
        M *= std::ldexp(t, -squarings);
        Matrix5 exponential = Matrix5::Identity(), term = Matrix5::Identity();
        for (int k = 1; k < 20; ++k) {
            term = (term * M / k).eval();
            exponential += term;
        }
        for (int k = 0; k < squarings; ++k) exponential = (exponential * exponential).eval();
        const Eigen::Vector<double, 5> start{y0[0], y0[1], y0[2], r, s};
        return (exponential * start).head<3>();
    };
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        World world;
        world.scene(weightless());
        world.set_simulation({.solver = solver, .tolerance = 1e-8});
        const Entity load =
            world.add_drive({.name = "load", .type = RotorInertia{.inertia = J, .phi = 0.1, .w = -0.2}});
        world.add_drive({.name = "servo",
                         .type = Servo{.flange = "load",
                                       .reference = Ramp{.height = height, .start_time = 0.0, .duration = duration},
                                       .gear_ratio = i,
                                       .motor_inertia = Jm,
                                       .position_gain = kp,
                                       .gain = gain,
                                       .integral_time = Ti,
                                       .x = 0.3}});
        std::vector<double> events;
        world.on_event([&](const Event& e) {
            CHECK(e.name == "servo");
            events.push_back(e.time);
        });
        const auto check = [&](const Eigen::Vector3d& y) {
            CHECK(std::abs(world.state(load).q[0] - y[0]) < 1e-7);
            CHECK(std::abs(world.state(load).v[0] - y[1]) < 1e-6);
            CHECK(std::abs(world.states().back().values[0] - y[2]) < 1e-5);
        };
        CHECK(world.states().back().name == "servo.x");
        const Eigen::Vector3d start{0.1, -0.2, 0.3};
        world.run(0.05, {.record = false});
        check(propagate(start, 0.05, 0, height / duration));
        world.run(duration, {.record = false});
        const Eigen::Vector3d corner = propagate(start, duration, 0, height / duration);
        check(corner);
        world.run(1.0, {.record = false});
        check(propagate(corner, 1.0 - duration, height, 0));
        CHECK(events == std::vector<double>{duration});
        CHECK(std::abs(world.energies().balance() - 0.5 * total * 0.04) < 1e-5);
    }
}

TEST_CASE("rotors on a spring swing against each other with their reduced inertia") {
    const double J1 = 0.2, J2 = 0.5, c = 30.0;
    World world;
    world.scene(weightless());
    world.set_simulation({.solver = Solver::CvodeAdams, .tolerance = 1e-9});
    const Entity a = world.add_drive({.name = "a", .type = RotorInertia{.inertia = J1, .phi = 0.5}});
    const Entity b = world.add_drive({.name = "b", .type = RotorInertia{.inertia = J2, .phi = -0.1}});
    world.add_drive({.name = "shaft", .type = LinearSpring{.flange1 = "a", .flange2 = "b", .c = c, .rest = 0.2}});
    const double omega = std::sqrt(c * (1 / J1 + 1 / J2));
    world.run(1.0, {.record = false});
    const double twist = 0.2 + (-0.6 - 0.2) * std::cos(omega), mean = (J1 * 0.5 - J2 * 0.1) / (J1 + J2);
    CHECK(world.state(a).q[0] == doctest::Approx(mean - J2 / (J1 + J2) * twist).epsilon(1e-7));
    CHECK(world.state(b).q[0] == doctest::Approx(mean + J1 / (J1 + J2) * twist).epsilon(1e-7));
}

TEST_CASE("behind gears inertias count with the square of their ratio, springs act through them") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    add_pendulum(world, "hinge", "world");
    world.add_drive({.name = "fast", .type = RotorInertia{.inertia = 1e-4}});
    world.add_drive({.name = "middle", .type = RotorInertia{.inertia = 2e-3}});
    world.add_drive({.name = "gear1", .type = Gear{.flange1 = "fast", .flange2 = "middle", .ratio = 10.0}});
    world.add_drive({.name = "gear2", .type = Gear{.flange1 = "middle", .flange2 = "hinge", .ratio = -7.0}});
    CHECK(world.speeds().size() == 1);
    const double inertia = about_hinge + 2e-3 * 49 + 1e-4 * 4900;
    CHECK(world.mass_matrix()(0, 0) == doctest::Approx(inertia).epsilon(1e-14));

    // Released at 0.1 rad on a spring at the fast rotor: phi'' = -(m g l sin phi + c 70^2 phi) / inertia
    world.add_drive({.name = "spring", .type = LinearSpring{.flange1 = {}, .flange2 = "fast", .c = 0.01}});
    world.add_drive({.name = "brake", .type = Damper{.flange1 = "middle", .flange2 = {}, .d = 0.02}});
    world.set_state(world.at("hinge"), {{0.1}, {0.5}});
    const double rate = -(rod_mass * 9.81 * rod_arm * std::sin(0.1) + 0.01 * 4900 * 0.1 + 0.02 * 49 * 0.5) / inertia;
    CHECK(world.speed_rates()[0] == doctest::Approx(rate).epsilon(1e-13));
    CHECK(world.energies().kinetic == doctest::Approx(0.5 * inertia * 0.25).epsilon(1e-13));
    const double before = world.energies().balance();
    world.run(2.0, {.record = false});
    CHECK(std::abs(world.energies().balance() - before) < 1e-5);
    CHECK(world.energies().dissipated > 0.01);
}

TEST_CASE("masses that slide are geared to each other and fall at the common rate of their weights") {
    // Nothing pulls: with a sled on a slope and a sliding mass behind a gear of ratio 3, a = m g sin / (m + 9 m2).
    World world;
    world.scene({.gravity = {-9.81 * 0.6, 0, 0}});
    world.set_simulation({.tolerance = 1e-9});
    world.add({.name = "sled",
               .parent = ParentRef::none(),
               .mass_properties = MassProperties{2.0, Vec3::Zero(), Mat3::Identity()}});
    const Entity slide =
        world.add_joint({.name = "slide", .object1 = "world", .object2 = "sled", .type = Prismatic{.axis = 1}});
    world.add_drive({.name = "weight", .type = SlidingMass{.mass = 0.5}});
    world.add_drive({.name = "pulley", .type = Gear{.flange1 = "weight", .flange2 = "slide", .ratio = 3.0}});
    world.run(1.5, {.record = false});
    CHECK(world.state(slide).q[0] == doctest::Approx(-0.5 * 9.81 * 0.6 * 2.0 / (2.0 + 9 * 0.5) * 2.25).epsilon(1e-8));
}

TEST_CASE("work of drives is what the motion gained, and errors shrink with the tolerance") {
    // A double pendulum: one joint on a servo, the other one on a PD law, both along a path, with a damper between them.
    const auto end = [](double tolerance, double& balance) {
        World world;
        world.scene({.gravity = {0, 0, -9.81}});
        world.set_simulation({.tolerance = tolerance});
        const Entity a = add_pendulum(world, "a", "world"), b = add_pendulum(world, "b", "a.end", 0.2);
        world.add_path({.name = "path", .path = {{0.0, 0.1}, {1.0, 1.5}, {2.0, 2.0}, {{1.0, -0.8}, {-0.4, 0.6}}}});
        world.add_drive({.name = "servo",
                         .type = Servo{.flange = "a",
                                       .reference = PathColumn{"path", 1},
                                       .gear_ratio = 50,
                                       .motor_inertia = 1e-4,
                                       .position_gain = 10,
                                       .gain = 0.02,
                                       .integral_time = 0.5}});
        world.add_drive(
            {.name = "pd",
             .type = PdDrive{
                 .flange = "b", .reference = PathColumn{"path", 2}, .stiffness = 80, .damping = 6, .inertia = 0.3}});
        world.add_drive({.name = "damper", .type = Damper{.flange1 = "a", .flange2 = "b", .d = 0.5}});
        const double before = world.energies().balance();
        world.run(3.0, {.record = false});
        balance = std::abs(world.energies().balance() - before);
        CHECK(world.energies().work > 0.1);
        return Eigen::Vector4d{world.state(a).q[0], world.state(a).v[0], world.state(b).q[0], world.state(b).v[0]};
    };
    double balance = 0.0;
    const Eigen::Vector4d exact = end(1e-11, balance);
    CHECK(balance < 1e-8);
    double last = 1.0;
    for (const double tolerance : {1e-4, 1e-6, 1e-8}) {
        CAPTURE(tolerance);
        const double error = (end(tolerance, balance) - exact).norm();
        CHECK(error < 10 * tolerance);
        CHECK(balance < 100 * tolerance);
        CHECK(error < 0.5 * last);
        last = error;
    }
}

TEST_CASE("references go on where they are when the structure changes, and start again after a reset") {
    World world;
    world.scene(weightless());
    const Entity rotor = world.add_drive({.name = "rotor", .type = RotorInertia{.inertia = 1.0}});
    world.add_path({.name = "path", .path = {{0.0}, {1.0}, {1.0}, {{2.0}}}});
    const Entity servo = world.add_drive(
        {.name = "servo",
         .type = Servo{.flange = "rotor", .reference = PathColumn{"path", 1}, .gear_ratio = 10, .gain = 1}});
    const auto run = [&](bool change) {
        world.reset();
        for (int i = 1; i <= 20; ++i) {
            world.run(0.2 * i, {.record = false});
            if (change) world.remove(world.add({.name = "visitor", .translation = {1, 2, 3}}));
        }
        return Vec3{world.state(rotor).q[0], world.state(rotor).v[0], world.states().back().values[0]};
    };
    const Vec3 once = run(false), changed = run(true);
    CHECK((once - changed).norm() < 1e-6);
    CHECK((run(false) - once).norm() == 0.0);
    CHECK(std::abs(once.x() - 2.0) < 0.2);
    CHECK(world.drive(servo).name == "servo");
}

TEST_CASE("drives that make no sense are refused with a reason") {
    World world;
    world.scene();
    add_pendulum(world, "a", "world");
    add_pendulum(world, "b", "a.end");
    world.add_path({.name = "path", .path = {{0.0}, {1.0}, {1.0}, {}}});
    const auto words = [&](const auto& call) -> std::string {
        try {
            call();
        } catch (const InputError& error) { return error.what(); }
        return {};
    };
    const auto add = [&](const char* name, const DriveType& type) {
        return words([&] { world.add_drive({.name = name, .type = type}); });
    };
    CHECK(add("x", PrescribedMotion{.flange = "a", .reference = Ramp{}}).find("'x': reference = Ramp: must be") == 0);
    CHECK(add("x", PdDrive{.flange = "a", .reference = PathColumn{"path", 2}, .stiffness = 1})
              .find("column = 2: must be from 1 to 1") != std::string::npos);
    CHECK(add("x", PdDrive{.flange = "a", .reference = PathColumn{"pat", 1}, .stiffness = 1})
              .find("did you mean path?") != std::string::npos);
    CHECK(add("x", PdDrive{.flange = "a", .reference = Ramp{}, .stiffness = -1}).find("stiffness = -1: must be >= 0") !=
          std::string::npos);
    CHECK(world.find("x") == Entity{entt::null});
    CHECK(words([&] { world.drive_torque(world.at("a")); }).find("is no drive") != std::string::npos);

    // What only the whole train shows is said when it is to move.
    const auto moving = [&](const DriveType& type) {
        const Entity e = world.add_drive({.name = "x", .type = type});
        const std::string said = words([&] { world.advance(0.1); });
        world.remove(e);
        return said;
    };
    CHECK(moving(Gear{.flange1 = "a", .flange2 = "b", .ratio = 2}).find("couples two joints ('a' and 'b')") !=
          std::string::npos);
    world.add_drive({.name = "r1", .type = RotorInertia{.inertia = 1}});
    world.add_drive({.name = "r2", .type = RotorInertia{.inertia = 1}});
    world.add_drive({.name = "g1", .type = Gear{.flange1 = "r1", .flange2 = "r2", .ratio = 2}});
    CHECK(moving(Gear{.flange1 = "r2", .flange2 = "r1", .ratio = 2}).find("closes a loop of gears") !=
          std::string::npos);
    world.add_drive({.name = "p1", .type = PrescribedMotion{.flange = "r1", .reference = PathColumn{"path", 1}}});
    CHECK(moving(PrescribedMotion{.flange = "r2", .reference = PathColumn{"path", 1}}).find("prescribes already") !=
          std::string::npos);
    const Entity e =
        world.add_drive({.name = "x", .type = PrescribedMotion{.flange = "a", .reference = GivenMotion{"nothing"}}});
    CHECK_THROWS_WITH_AS(world.advance(0.1), doctest::Contains("there is no such function"), SimulationError);
    world.remove(e);
    CHECK_NOTHROW(world.advance(0.1));
}
