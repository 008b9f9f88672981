// The structured Newton systems against differences of the equations of motion.
#include "tests/support/random.hpp"

#include <tactus/systems/contact_response/contacts.hpp>
#include <tactus/systems/dynamics/newton_matrix.hpp>
#include <tactus/systems/forces/force_slopes.hpp>
#include <tactus/systems/structure/structure.hpp>
#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <Eigen/LU>

using namespace tactus;
using namespace tactus::systems;

namespace {

// Two steel balls that press on each other and on a plate, one of them on a swing; springs and dampers between them.
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
    Eigen::VectorXd q, v;

    Model() {
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
        world.add({.name = "hook", .parent = "world", .translation = {0.2 - 2e-6, 0, 1.0}});
        world.add_joint({.name = "swing",
                         .object1 = "hook",
                         .object2 = "arm",
                         .type = Revolute{.axis = Axis{Vec3{0, 1, 0}}, .w = -0.1},
                         .can_collide = true});
        world.add_force(
            {.name = "spring",
             .type = SpringDamper{
                 .object1 = "plate", .object2 = "bob", .nominal_length = 0.1, .spring = 1e5, .damper = 10.0}});
        world.update_structure();
        const entt::registry& registry = world.registry();
        const std::vector<Entity> order = super_object_order(registry, world.root());
        tree = build_tree(registry, world.root(), std::span{order}.subspan(1));
        forces = build_forces(registry, world.root(), tree, {});
        collidables = build_collidables(registry, world.root(), tree);
        motion.resize(tree);
        applied.resize(tree);
        memory.resize(tree);
        q.resize(tree.nq);
        v.resize(tree.nv);
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

    ForceInstant at() const { return {0.0, tree, motion, span(q), span(v)}; }
    static std::span<const double> span(const Eigen::VectorXd& x) {
        return {x.data(), static_cast<std::size_t>(x.size())};
    }

    // tau - h at constant accelerations of zero.
    Eigen::VectorXd evaluate(const Eigen::VectorXd& at_q, const Eigen::VectorXd& at_v) {
        compute_motion(tree, span(at_q), span(at_v), motion);
        compute_forces(forces, {0.0, tree, motion, span(at_q), span(at_v)}, applied);
        touch_contacts(contacts, collidables, motion, {}, workers);
        respond(contacts, workers);
        apply_contacts(contacts, collidables, applied);
        Eigen::VectorXd tau(tree.nv), zero = Eigen::VectorXd::Zero(tree.nv);
        inverse_dynamics(tree, motion, applied.wrenches, span(zero), memory,
                         {tau.data(), static_cast<std::size_t>(tau.size())});
        return Eigen::Map<const Eigen::VectorXd>{applied.tau.data(), tree.nv} - tau;
    }
};

Eigen::MatrixXd dense(const BlockMatrix& m) {
    Eigen::MatrixXd d = Eigen::MatrixXd::Zero(m.rows(), m.rows());
    for (int j = 0; j < m.nodes(); ++j)
        for (int k = m.first_block(j); k < m.first_block(j + 1); ++k) {
            const int i = m.row_of(k);
            d.block(m.offset(i), m.offset(j), m.size(i), m.size(j)) =
                Eigen::Map<const Eigen::MatrixXd>{m.block(k), m.size(i), m.size(j)};
        }
    return d;
}

}  // namespace

TEST_CASE("blocks of contacts, springs, dampers and joints agree with differences") {
    Model m;
    REQUIRE(m.contacts.size() >= 2);
    const Eigen::VectorXd q = m.q, v = m.v;
    m.evaluate(q, v);
    std::vector<Coupling> couplings;
    std::vector<SpeedCoupling> speeds;
    contact_slopes(m.contacts, m.collidables, couplings);
    force_slopes(m.forces, m.at(), couplings, speeds);
    NewtonMatrix newton;
    newton.set_pattern(m.tree, couplings, speeds);
    newton.linearise(m.tree, m.motion, Model::span(q), couplings, speeds);

    Eigen::MatrixXd M(m.tree.nv, m.tree.nv);
    mass_matrix(m.tree, m.motion, m.memory, M);
    CHECK((dense(newton.mass()) - M).norm() < 1e-13 * M.norm());

    Eigen::MatrixXd D(m.tree.nv, m.tree.nv), K = D;
    for (int i = 0; i < m.tree.nv; ++i) {
        const double dv = 1e-6;
        Eigen::VectorXd up = v, down = v;
        up[i] += dv, down[i] -= dv;
        D.col(i) = (m.evaluate(q, up) - m.evaluate(q, down)) / (2 * dv);
        // Along q' = N(q) v.
        const double step = 1e-10;
        Eigen::VectorXd unit = Eigen::VectorXd::Zero(m.tree.nv), rate(m.tree.nq);
        unit[i] = 1.0;
        coordinate_rates(m.tree, Model::span(q), Model::span(unit),
                         {rate.data(), static_cast<std::size_t>(rate.size())});
        K.col(i) = (m.evaluate(q + step * rate, v) - m.evaluate(q - step * rate, v)) / (2 * step);
    }
    // Exact in the speeds, but for the coupling of speeds along the swing. In the places directions of contacts and arms of
    // forces change, which is left out: penetration against radius, and the spring's 5e4 N against a stiffness of 1e8 N/m.
    CHECK((dense(newton.by_speed()) - D).norm() < 1e-5 * D.norm());
    CHECK((dense(newton.by_place()) - K).norm() < 5e-4 * K.norm());
}

TEST_CASE("a solution satisfies the system of all states: coordinates, speeds and the energy dissipated") {
    Model m;
    const Eigen::VectorXd q = m.q, v = m.v;
    m.evaluate(q, v);
    std::vector<Coupling> couplings;
    std::vector<SpeedCoupling> speeds;
    contact_slopes(m.contacts, m.collidables, couplings);
    force_slopes(m.forces, m.at(), couplings, speeds);
    NewtonMatrix newton;
    newton.set_pattern(m.tree, couplings, speeds);
    newton.linearise(m.tree, m.motion, Model::span(q), couplings, speeds);
    const double gamma = 1e-6;
    REQUIRE(newton.factor(gamma));

    test::Random random{4};
    Eigen::VectorXd r_q(m.tree.nq), r_v(m.tree.nv);
    for (int i = 0; i < m.tree.nq; ++i) r_q[i] = 1e-9 * random.uniform(-1, 1);
    for (int i = 0; i < m.tree.nv; ++i) r_v[i] = 1e-4 * random.uniform(-1, 1);
    Eigen::VectorXd d_q = r_q, d_v = r_v;
    double d_e = 0.0;
    newton.solve(m.tree, couplings, {d_q.data(), static_cast<std::size_t>(d_q.size())},
                 {d_v.data(), static_cast<std::size_t>(d_v.size())}, &d_e);

    // (I - gamma f_x) d = r by differences of f along d.
    const auto f = [&](double s, Eigen::VectorXd& rate, Eigen::VectorXd& acceleration) {
        const Eigen::VectorXd at_q = q + s * d_q, at_v = v + s * d_v;
        const Eigen::VectorXd tau = m.evaluate(at_q, at_v);
        Eigen::MatrixXd M(m.tree.nv, m.tree.nv);
        mass_matrix(m.tree, m.motion, m.memory, M);
        acceleration = M.lu().solve(tau);
        rate.resize(m.tree.nq);
        coordinate_rates(m.tree, Model::span(at_q), Model::span(at_v),
                         {rate.data(), static_cast<std::size_t>(rate.size())});
        return m.applied.dissipation;
    };
    Eigen::VectorXd rate1, rate0, a1, a0;
    const double s = 1e-3;
    const double power = f(s, rate1, a1) - f(-s, rate0, a0);
    CHECK((d_q - gamma * (rate1 - rate0) / (2 * s) - r_q).norm() < 1e-3 * d_q.norm());
    CHECK((d_v - gamma * (a1 - a0) / (2 * s) - r_v).norm() < 1e-3 * (d_v.norm() + r_v.norm()));
    CHECK(d_e == doctest::Approx(gamma * power / (2 * s)).epsilon(1e-3));
}
