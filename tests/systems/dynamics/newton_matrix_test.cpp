// The structured Newton systems against differences of the equations of motion.
#include "tests/support/dense.hpp"
#include "tests/support/random.hpp"
#include "tests/support/random_mechanism.hpp"

#include <tactus/systems/contact_response/contacts.hpp>
#include <tactus/systems/dynamics/newton_matrix.hpp>
#include <tactus/systems/forces/force_slopes.hpp>
#include <tactus/systems/structure/structure.hpp>
#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <Eigen/Core>

using namespace tactus;
using namespace tactus::systems;
using test::dense;

namespace {

// Two steel balls that press on each other and on a plate, one of them on a swing; springs and dampers between them.
// If driven, the swing hangs on a slide whose motion is given, and a PD law, a servo and a geared rotor act on it.
struct Model {
    World world{{.workers = 1}};
    Tree tree;
    Forces forces;
    std::vector<Collidable> collidables;
    std::vector<Contact> contacts;
    TreeMotion motion;
    Applied applied;
    DynamicsMemory memory;
    Workers workers;
    Eigen::VectorXd q, v;  // of what is integrated
    Eigen::VectorXd x;     // of servos
    Eigen::VectorXd all_q, all_v, all_dv;

    explicit Model(bool driven = false) {
        world.scene({.gravity = {0, 0, -9.81}});
        world.add({.name = "plate",
                   .parent = "world",
                   .translation = {0, 0, -0.5},
                   .shape = Box{4, 4, 1},
                   .material = "Steel",
                   .collidable = true});
        world.add({.name = "ball",
                   .parent = "world",
                   .free = true,
                   .translation = {0, 0, 0.1 - 1e-6},
                   .rotation = {0.3, 0.2, 0.5},
                   .velocity = {0.05, -0.1, -0.02},
                   .angular_velocity = {1, -2, 0.5},
                   .shape = Sphere{0.2},
                   .material = "Steel",
                   .mass = 2.0,
                   .collidable = true});
        world.add({.name = "arm", .parent = ParentRef::none(), .shape = Sphere{0.1}, .mass = 0.5});
        world.add({.name = "bob",
                   .parent = "arm",
                   .translation = {0, 0, -0.9},
                   .shape = Sphere{0.2},
                   .material = "Steel",
                   .mass = 1.5,
                   .collidable = true});
        if (driven) {
            world.add({.name = "hook", .parent = ParentRef::none()});
            world.add({.name = "rail", .parent = "world", .translation = {0.1, 0, 1.0}});
            world.add_joint({.name = "slide", .object1 = "rail", .object2 = "hook", .type = Prismatic{.axis = 1}});
        } else {
            world.add({.name = "hook", .parent = "world", .translation = {0.2 - 2e-6, 0, 1.0}});
        }
        world.add_joint({.name = "swing",
                         .object1 = "hook",
                         .object2 = "arm",
                         .type = Revolute{.axis = Axis{Vec3{0, 1, 0}}, .w = -0.1},
                         .can_collide = true});
        world.add_force(
            {.name = "spring",
             .type = SpringDamper{
                 .object1 = "plate", .object2 = "bob", .nominal_length = 0.1, .spring = 1e5, .damper = 10.0}});
        HostFunctions functions;
        functions.vectors["given"] = [](double) { return Vec3{0.1 - 2e-6, 0.05, 0.4}; };
        if (driven) {
            world.add_drive(
                {.name = "push", .type = PrescribedMotion{.flange = "slide", .reference = GivenMotion{"given"}}});
            world.add_drive({.name = "rotor", .type = RotorInertia{.inertia = 1e-3}});
            world.add_drive({.name = "gear", .type = Gear{.flange1 = "rotor", .flange2 = "swing", .ratio = -12.0}});
            world.add_drive({.name = "pd",
                             .type = PdDrive{.flange = "rotor",
                                             .reference = GivenMotion{"given"},
                                             .stiffness = 1e5,
                                             .damping = 300,
                                             .inertia = 0.1}});
            world.add_drive({.name = "servo",
                             .type = Servo{.flange = "rotor",
                                           .reference = GivenMotion{"given"},
                                           .gear_ratio = 20,
                                           .motor_inertia = 1e-4,
                                           .position_gain = 50,
                                           .gain = 3,
                                           .integral_time = 1e-4,
                                           .x = 2.0}});
            world.add_drive({.name = "damper", .type = Damper{.flange1 = {}, .flange2 = "rotor", .d = 40}});
            world.add_drive({.name = "wheel", .type = RotorInertia{.inertia = 0.01, .phi = 0.1}});
            world.add_drive({.name = "shaft", .type = LinearSpring{.flange1 = "rotor", .flange2 = "wheel", .c = 2e4}});
        }
        world.update_structure();
        const entt::registry& registry = world.registry();
        const std::vector<Entity> order = super_object_order(registry, world.root());
        tree = build_tree(registry, world.root(), std::span{order}.subspan(1));
        forces = build_forces(registry, world.root(), tree, functions);
        collidables = build_collidables(registry, world.root(), tree);
        motion.resize(tree);
        applied.resize(tree, forces.servos.size());
        memory.resize(tree);
        q.resize(tree.integrated_q);
        v.resize(tree.integrated_v);
        x = Eigen::VectorXd::Constant(static_cast<Eigen::Index>(forces.servos.size()), 2.0);
        all_q = Eigen::VectorXd::Zero(tree.nq);
        all_v = all_dv = Eigen::VectorXd::Zero(tree.nv);
        read_states(registry, tree, {q.data(), static_cast<std::size_t>(q.size())},
                    {v.data(), static_cast<std::size_t>(v.size())});
        const ContactPairs pairs{registry, collidables, world.materials(), {}, 1.0, 2000.0};
        evaluate(q, v);
        for (std::uint32_t a = 0; a < collidables.size(); ++a)
            for (std::uint32_t b = a + 1; b < collidables.size(); ++b) {
                const Contact c = begin_contact(collidables, pairs, a, b, motion, {}, 0.0);
                if (c.touch.distance < 0.0) contacts.push_back(c);
            }
    }

    ForceInstant at() const { return {0.0, tree, motion, span(all_q), span(all_v), span(x)}; }
    static std::span<const double> span(const Eigen::VectorXd& x) {
        return {x.data(), static_cast<std::size_t>(x.size())};
    }
    static std::span<double> span(Eigen::VectorXd& x) { return {x.data(), static_cast<std::size_t>(x.size())}; }

    // tau - h at constant accelerations of zero, but for those that are prescribed.
    Eigen::VectorXd evaluate(const Eigen::VectorXd& at_q, const Eigen::VectorXd& at_v) {
        all_q.head(at_q.size()) = at_q;
        all_v.head(at_v.size()) = at_v;
        prescribe(forces, 0.0, span(all_q), span(all_v), span(all_dv));
        compute_motion(tree, span(all_q), span(all_v), motion);
        compute_forces(forces, at(), applied);
        touch_contacts(contacts, collidables, motion, {}, workers);
        respond(contacts, workers);
        apply_contacts(contacts, collidables, applied);
        Eigen::VectorXd tau(tree.nv);
        inverse_dynamics(tree, motion, applied.wrenches, span(std::as_const(all_dv)), memory, span(tau));
        return (Eigen::Map<const Eigen::VectorXd>{applied.tau.data(), tree.nv} - tau).head(tree.integrated_v);
    }
    Eigen::MatrixXd mass() {
        Eigen::MatrixXd M(tree.nv, tree.nv);
        mass_matrix(tree, motion, memory, M);
        return M.topLeftCorner(tree.integrated_v, tree.integrated_v);
    }
    Eigen::VectorXd rates(const Eigen::VectorXd& at_q, const Eigen::VectorXd& at_v) {
        all_q.head(at_q.size()) = at_q;
        all_v.head(at_v.size()) = at_v;
        Eigen::VectorXd rate(tree.integrated_q);
        coordinate_rates(tree, span(std::as_const(all_q)), span(std::as_const(all_v)), span(rate));
        return rate;
    }
};

}  // namespace

TEST_CASE("blocks of contacts, springs, dampers, drives and joints agree with differences") {
    for (const bool driven : {false, true}) {
        CAPTURE(driven);
        Model m{driven};
        REQUIRE(m.contacts.size() >= 2);
        const Eigen::VectorXd q = m.q, v = m.v;
        m.evaluate(q, v);
        std::vector<Coupling> couplings;
        std::vector<SpeedCoupling> speeds;
        contact_slopes(m.contacts, m.collidables, couplings);
        force_slopes(m.forces, m.at(), couplings, speeds);
        NewtonMatrix newton;
        newton.set_pattern(m.tree, couplings, speeds, NewtonMatrix::Way::blocks);
        newton.linearise(m.tree, m.motion, Model::span(std::as_const(m.all_q)), couplings, speeds);
        REQUIRE(newton.mass().rows() == (driven ? 8 : 7));

        const Eigen::MatrixXd M = m.mass();
        CHECK((dense(newton.mass()) - M).norm() < 1e-13 * M.norm());

        Eigen::MatrixXd D(v.size(), v.size()), K = D;
        for (Eigen::Index i = 0; i < v.size(); ++i) {
            const double dv = 1e-6;
            Eigen::VectorXd up = v, down = v;
            up[i] += dv, down[i] -= dv;
            D.col(i) = (m.evaluate(q, up) - m.evaluate(q, down)) / (2 * dv);
            // Along q' = N(q) v.
            const double step = 1e-10;
            const Eigen::VectorXd rate = m.rates(q, Eigen::VectorXd::Unit(v.size(), i));
            K.col(i) = (m.evaluate(q + step * rate, v) - m.evaluate(q - step * rate, v)) / (2 * step);
        }
        // Exact in the speeds, but for the coupling of speeds along the swing. In the places directions of contacts and arms
        // of forces change, which is left out: penetration against radius, and the spring's 5e4 N against a stiffness of
        // 1e8 N/m.
        CHECK((dense(newton.by_speed()) - D).norm() < 1e-5 * D.norm());
        CHECK((dense(newton.by_place()) - K).norm() < 5e-4 * K.norm());
        if (!driven) continue;
        // What drives add along single degrees of freedom: PD law, servo, damper and shaft through the gear, and the wheel.
        const double damping = 300 + 20 * 20 * 3 + 40, stiffness = 1e5 + 20 * 20 * 3 * 50 + 2e4;
        double by_place = 0.0, by_speed = 0.0, across = 0.0;
        for (const SpeedCoupling& s : speeds) {
            (s.i == s.j ? by_place : across) += s.by_place;
            by_speed += s.by_speed;
        }
        CHECK(by_place == doctest::Approx(-144 * stiffness - 2e4).epsilon(1e-14));
        CHECK(by_speed == doctest::Approx(-144 * damping).epsilon(1e-14));
        CHECK(across == doctest::Approx(-2 * 12 * 2e4).epsilon(1e-14));
    }
}

TEST_CASE("a solution satisfies the system of all states: coordinates, speeds, servos and the energy dissipated") {
    for (const bool driven : {false, true}) {
        CAPTURE(driven);
        Model m{driven};
        const Eigen::VectorXd q = m.q, v = m.v, x = m.x;
        m.evaluate(q, v);
        std::vector<Coupling> couplings;
        std::vector<SpeedCoupling> speeds;
        std::vector<StateCoupling> drives;
        contact_slopes(m.contacts, m.collidables, couplings);
        force_slopes(m.forces, m.at(), couplings, speeds);
        drive_slopes(m.forces, drives);
        NewtonMatrix newton;
        newton.set_pattern(m.tree, couplings, speeds);
        newton.linearise(m.tree, m.motion, Model::span(std::as_const(m.all_q)), couplings, speeds, drives);
        const double gamma = 1e-6;
        REQUIRE(newton.factor(gamma));

        test::Random random{4};
        Eigen::VectorXd r_q(q.size()), r_v(v.size()), r_x(x.size());
        for (double& r : r_q) r = 1e-9 * random.uniform(-1, 1);
        for (double& r : r_v) r = 1e-4 * random.uniform(-1, 1);
        for (double& r : r_x) r = 10.0 * random.uniform(0.5, 1);
        Eigen::VectorXd d_q = r_q, d_v = r_v, d_x = r_x;
        double d_e = 0.0;
        newton.solve(m.tree, couplings, Model::span(d_q), Model::span(d_v), &d_e, Model::span(d_x));

        // (I - gamma f_x) d = r by differences of f along d.
        const auto f = [&](double s, Eigen::VectorXd& rate, Eigen::VectorXd& acceleration, Eigen::VectorXd& control) {
            const Eigen::VectorXd at_q = q + s * d_q, at_v = v + s * d_v;
            m.x = x + s * d_x;
            acceleration = m.evaluate(at_q, at_v);
            acceleration = test::solve_dense(m.mass(), acceleration);
            control = Eigen::Map<const Eigen::VectorXd>{m.applied.drive_rates.data(), x.size()};
            rate = m.rates(at_q, at_v);
            return m.applied.dissipation;
        };
        Eigen::VectorXd rate1, rate0, a1, a0, c1, c0;
        const double s = 1e-3;
        const double power = f(s, rate1, a1, c1) - f(-s, rate0, a0, c0);
        CHECK((d_q - gamma * (rate1 - rate0) / (2 * s) - r_q).norm() < 1e-3 * d_q.norm());
        CHECK((d_v - gamma * (a1 - a0) / (2 * s) - r_v).norm() < 1e-3 * (d_v.norm() + r_v.norm()));
        CHECK((d_x - gamma * (c1 - c0) / (2 * s) - r_x).norm() <= 1e-9 * (d_x.norm() + r_x.norm()));
        if (!driven) CHECK(d_e == doctest::Approx(gamma * power / (2 * s)).epsilon(1e-3));
    }
}

TEST_CASE("the recursion along a tree solves the same systems as blocks") {
    for (unsigned seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        World world{{.workers = 1}};
        world.scene({});
        test::random_mechanism(world, seed, 8, -1, seed % 2 == 0);
        world.update_structure();
        const std::vector<Entity> order = super_object_order(world.registry(), world.root());
        const Tree tree = build_tree(world.registry(), world.root(), std::span{order}.subspan(1));
        if (tree.flat) continue;
        Eigen::VectorXd q(tree.nq), v(tree.nv);
        read_states(world.registry(), tree, Model::span(q), Model::span(v));
        TreeMotion motion;
        motion.resize(tree);
        compute_motion(tree, Model::span(std::as_const(q)), Model::span(std::as_const(v)), motion);

        // Springs, dampers and friction between links and the world, links and their carriers, and within joints.
        test::Random random{seed};
        const auto slopes = [&] {
            Mat6 C;
            for (Eigen::Index i = 0; i < 36; ++i) C(i) = random.uniform(-1, 1);
            return Mat6{-C * C.transpose() + 0.3 * C};
        };
        std::vector<Coupling> couplings;
        std::vector<SpeedCoupling> speeds;
        std::vector<StateCoupling> drives;
        for (std::uint32_t i = 1; i < tree.size(); ++i) {
            const auto carrier = static_cast<std::uint32_t>(tree.links[i].parent);
            for (const std::uint32_t other : {std::uint32_t{0}, carrier}) {
                Coupling c{.a = i, .b = other, .by_place = 1e4 * slopes(), .by_speed = 1e2 * slopes()};
                const Vec3 point = motion.links[i].p_W + random.vector(0.5);
                c.arm_a = point - motion.links[i].p_W;
                c.arm_b = point - motion.links[other].p_W;
                if (i % 2 == 0) std::swap(c.a, c.b), std::swap(c.arm_a, c.arm_b);
                couplings.push_back(c);
            }
            speeds.push_back({tree.links[i].v0, tree.links[i].v0, -1e5, -1e3});
        }
        drives.push_back({tree.links[2].v0, 10.0, -100.0, -20.0});

        const double gamma = 0.01;
        std::vector<Eigen::VectorXd> solutions;
        for (const auto way : {NewtonMatrix::Way::blocks, NewtonMatrix::Way::best}) {
            NewtonMatrix newton;
            newton.set_pattern(tree, couplings, speeds, way);
            CHECK(newton.recursive() == (way == NewtonMatrix::Way::best));
            newton.linearise(tree, motion, Model::span(std::as_const(q)), couplings, speeds, drives);
            REQUIRE(newton.factor(gamma));
            test::Random numbers{seed};
            Eigen::VectorXd r_q(tree.nq), r_v(tree.nv), r_x(1);
            for (Eigen::VectorXd* r : {&r_q, &r_v, &r_x})
                for (double& x : *r) x = numbers.uniform(-1, 1);
            double r_e = 0.0;
            newton.solve(tree, couplings, Model::span(r_q), Model::span(r_v), &r_e, Model::span(r_x));
            Eigen::VectorXd& all = solutions.emplace_back(tree.nq + tree.nv + 2);
            all << r_q, r_v, r_x, r_e;
        }
        CHECK((solutions[0] - solutions[1]).norm() < 1e-9 * solutions[0].norm());
    }
}

TEST_CASE("a matrix holds while slopes change little, and not where friction lets go") {
    Model m;
    m.evaluate(m.q, m.v);
    std::vector<Coupling> then, now;
    std::vector<SpeedCoupling> speeds;
    contact_slopes(m.contacts, m.collidables, then);
    force_slopes(m.forces, m.at(), then, speeds);
    NewtonMatrix newton;
    newton.set_pattern(m.tree, then, speeds);
    newton.linearise(m.tree, m.motion, Model::span(std::as_const(m.all_q)), then, speeds);
    const double gamma = 1e-4;
    CHECK(newton.holds(then, then, gamma));
    CHECK(newton.holds(speeds, speeds, gamma));
    now = then;
    for (Coupling& c : now) c.by_speed *= 1.05, c.by_place *= 1.05;
    CHECK(newton.holds(then, now, gamma));
    now = then;
    now[0].by_speed.bottomRightCorner<3, 3>() -= 1e5 * Mat3::Identity();  // as if it began to stick
    CHECK(!newton.holds(then, now, gamma));
    CHECK(!newton.holds(now, then, gamma));  // nor the other way round
    CHECK(newton.holds(then, now, 1e-9));    // in steps so short that the mass is all that counts
}
