#include <tactus/systems/contact_response/contact_geometry.hpp>
#include <tactus/systems/contact_response/contact_law.hpp>

#include "tests/support/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>

using namespace tactus;
using namespace tactus::systems;

namespace {

// A steel ball of radius 0.1 m and mass 1 g on a steel plate (the reference problem "Hertz impact").
ContactConstants steel(double restitution, ContactLaw law = ContactLaw::Flores) {
    ContactConstants c;
    c.radius = geometry_coefficient(contact_roundness(Sphere{0.2}), contact_roundness(Box{1, 1, 1}));
    c.stiffness = hertz_stiffness(2e11, 0.3, 2e11, 0.3, c.radius);
    c.restitution = restitution;
    c.maximum_damping = 1e9;
    c.law = law;
    return c;
}

struct Impact {
    double deepest = 0.0, duration = 0.0, v_end = 0.0, dissipated = 0.0;
};

// One impact by Runge-Kutta with a fixed step, independent of the engine's integrators.
Impact impact(const ContactConstants& c, double mass, double v) {
    const double d = contact_damping(c, v);
    // Duration without damping: 2.94 (m^2 / K^2 / v)^(1/5)
    const double h = 2.94 * std::pow(mass * mass / (c.stiffness * c.stiffness * v) * 1.5625, 0.2) / 40000;
    double x = 0.0, u = v, dissipated = 0.0, t = 0.0;
    Impact result;
    const auto force = [&](double depth, double rate) {
        ContactMotion m;
        m.penetration = std::max(depth, 0.0);
        m.normal = Vec3::UnitZ();
        m.velocity = {0, 0, -rate};
        return contact_force(c, d, m);
    };
    const auto a = [&](double depth, double rate) { return -force(depth, rate).normal_force / mass; };
    while (x >= 0.0) {
        result = {std::max(result.deepest, x), t, u, dissipated};
        const double k1 = a(x, u), k2 = a(x + h / 2 * u, u + h / 2 * k1);
        const double k3 = a(x + h / 2 * (u + h / 2 * k1), u + h / 2 * k2);
        const double k4 = a(x + h * (u + h / 2 * k2), u + h * k3);
        dissipated += h * force(x, u).dissipation;
        x += h * (u + h / 6 * (k1 + k2 + k3));
        u += h / 6 * (k1 + 2 * k2 + 2 * k3 + k4);
        t += h;
    }
    return result;
}

}  // namespace

TEST_CASE("Hertz' impact of a steel ball has the published stiffness, penetration and duration") {
    const ContactConstants c = steel(1.0);
    CHECK(c.stiffness == doctest::Approx(4.6333739e10).epsilon(1e-7));
    const double v = std::sqrt(2 * 9.81 * 1.0);
    CHECK(v == doctest::Approx(4.4294469).epsilon(1e-7));
    const Impact hit = impact(c, 1e-3, v);
    CHECK(hit.deepest == doctest::Approx(1.2288e-5).epsilon(1e-4));
    CHECK(hit.duration == doctest::Approx(8.165e-6).epsilon(1e-3));
    CHECK(hit.v_end == doctest::Approx(-v).epsilon(1e-6));
    CHECK(contact_energy(c, hit.deepest) == doctest::Approx(0.5 * 1e-3 * v * v).epsilon(1e-6));
}

TEST_CASE("the law Flores returns the restitution of its published table, the law Exact the one that was asked for") {
    const double asked[] = {0.1, 0.3, 0.5, 0.7, 0.9};
    const double flores[] = {0.06944, 0.25621, 0.47044, 0.68318, 0.89392};
    for (std::size_t i = 0; i < 5; ++i)
        for (const double v : {0.5, 4.43}) {
            CAPTURE(asked[i]);
            CAPTURE(v);
            const Impact hit = impact(steel(asked[i]), 1e-3, v);
            CHECK(-hit.v_end / v == doctest::Approx(flores[i]).epsilon(1e-3));
            const Impact exact = impact(steel(asked[i], ContactLaw::Exact), 1e-3, v);
            CHECK(-exact.v_end / v == doctest::Approx(asked[i]).epsilon(1e-3));
            CHECK(exact.dissipated == doctest::Approx(0.5e-3 * v * v * (1 - asked[i] * asked[i])).epsilon(1e-2));
        }
    CHECK(exact_damping_number(1.0) == 0.0);
    for (double e = 0.001; e < 1.0; e += 0.013) {
        CAPTURE(e);
        const double a = exact_damping_number(e);
        CHECK(a > 0.0);
        CHECK(a * e <= 1.0);
        if (a * e < 1 - 1e-9) CHECK((1 + e) * a == doctest::Approx(std::log((1 + a) / (1 - a * e))).epsilon(1e-6));
    }
}

TEST_CASE("regularised speeds are smooth, and never zero") {
    const double s = 0.01;
    CHECK(regularized(0.0, s) == doctest::Approx(s / 3));
    CHECK(regularized(-0.5, s) == 0.5);
    // Value, slope and curvature agree at the threshold.
    const double h = 1e-5;
    const auto slope = [&](double v) { return (regularized(v + h, s) - regularized(v - h, s)) / (2 * h); };
    CHECK(regularized(s * (1 - 1e-12), s) == doctest::Approx(s).epsilon(1e-11));
    CHECK(slope(s - 2 * h) == doctest::Approx(1.0).epsilon(1e-4));
    CHECK((slope(s - 2 * h) - slope(s - 4 * h)) / (2 * h) < 1.0);  // [1/m]; 200 in the middle
}

TEST_CASE("a contact never pulls, and damping grows as the start gets slower, up to its limit") {
    const ContactConstants c = steel(0.3);
    ContactMotion apart;
    apart.penetration = 1e-6;
    apart.normal = Vec3::UnitX();
    apart.velocity = {100, 0, 0};
    CHECK(contact_force(c, contact_damping(c, 1.0), apart).normal_force == 0.0);
    CHECK(contact_damping(c, 1.0) < contact_damping(c, 0.1));
    ContactConstants limited = c;
    limited.maximum_damping = 2000;
    CHECK(contact_damping(limited, 0.0) == 2000);
}

TEST_CASE("friction acts against sliding, resistance against turning, and both take energy out") {
    ContactConstants c = steel(1.0);
    c.friction = 0.5;
    c.resistance = 0.01;
    ContactMotion m;
    m.penetration = 1e-5;
    m.normal = Vec3::UnitZ();
    m.velocity = {3, -4, 0};
    m.spin = {0, 2, 0};
    const ContactForce f = contact_force(c, 0.0, m);
    CHECK(f.force.z() == f.normal_force);
    CHECK((Vec3{f.force.x(), f.force.y(), 0} + 0.5 * f.normal_force * Vec3{0.6, -0.8, 0}).norm() <
          1e-9 * f.normal_force);
    CHECK((f.torque + 0.01 * c.radius * f.normal_force * Vec3::UnitY()).norm() < 1e-12 * f.normal_force);
    CHECK(f.dissipation == doctest::Approx(f.normal_force * (0.5 * 5 + 0.01 * c.radius * 2)));
    m.velocity.setZero();
    m.spin.setZero();
    CHECK(contact_force(c, 0.0, m).force == Vec3{0, 0, f.normal_force});
}

TEST_CASE("the roundness of a contact follows the tables: flat shapes lend none to curved ones") {
    const auto r = [](const Shape& shape) { return contact_roundness(shape).radius; };
    CHECK(r(Sphere{0.4}) == 0.2);
    CHECK(r(Ellipsoid{1, 0.6, 2}) == 0.3);
    CHECK(r(Box{1, 2, 0.4}) == 0.2);
    CHECK(r(Cylinder{.diameter = 0.4, .length = 1}) == 0.2);
    CHECK(r(Cone{.diameter = 0.4, .length = 1, .top_diameter = 0.2}) == doctest::Approx(0.15));
    CHECK(r(Capsule{.diameter = 0.6, .length = 1}) == 0.3);
    CHECK(r(Beam{.length = 1, .width = 0.4, .thickness = 0.1}) == 0.05);
    const auto coefficient = [](const Shape& a, const Shape& b) {
        return geometry_coefficient(contact_roundness(a), contact_roundness(b));
    };
    CHECK(coefficient(Sphere{0.4}, Box{1, 1, 1}) == 0.2);
    CHECK(coefficient(Box{1, 1, 1}, Sphere{0.4}) == 0.2);
    CHECK(coefficient(Sphere{0.4}, Sphere{0.4}) == doctest::Approx(0.1));
    CHECK(coefficient(Box{1, 1, 1}, Box{2, 2, 2}) == doctest::Approx(0.5 / 1.5));
    CHECK(contact_roundness(Box{1, 1, 1}, 0.07).radius == 0.07);
}

TEST_CASE("friction that holds is never more than mu f, and its slopes are those of differences") {
    const std::uint64_t seed = 7;
    CAPTURE(seed);
    test::Random random{seed};
    ContactConstants c{.stiffness = 1e8, .radius = 0.1, .restitution = 0.5, .friction = 0.4, .hold_time = 0.01};
    for (int i = 0; i < 300; ++i) {
        CAPTURE(i);
        ContactMotion m;
        m.penetration = 1e-4;
        m.normal = random.direction();
        const Vec3 t1 = m.normal.unitOrthogonal(), t2 = m.normal.cross(t1);
        m.spread = 1e-3 * (t1 * t1.transpose() + 2.0 * t2 * t2.transpose());
        m.gyration = std::sqrt(m.spread.trace());
        const double speed = std::pow(10.0, random.uniform(-5, 0));
        m.velocity = random.vector(speed);
        m.spin = random.vector(10.0 * speed);
        Grip held;
        held << random.vector(0.5), random.uniform(-0.5, 0.5);
        held.head<3>() -= held.head<3>().dot(m.normal) * m.normal;
        const ContactDamping damping{1.0};
        const ContactForce f = contact_force(c, damping, m, held);
        CHECK((f.force - f.normal_force * m.normal).norm() <= c.friction * f.normal_force * (1.0 + 1e-12));
        CHECK(f.force == f.force);

        const ContactSlopes s = contact_slopes(c, damping, m, held);
        const double step = 1e-4 * speed;
        for (int k = 0; k < 3; ++k) {
            ContactMotion up = m, down = m;
            up.velocity[k] += step, down.velocity[k] -= step;
            const Vec3 wanted =
                (contact_force(c, damping, up, held).force - contact_force(c, damping, down, held).force) /
                (2.0 * step);
            const double size = s.force_by_velocity.norm();
            CHECK((s.force_by_velocity.col(k) - wanted).norm() < 1e-4 * size);
        }
        for (int k = 0; k < 4; ++k) {
            const Grip change = 1e-6 * Grip::Unit(k);
            const ContactForce up = contact_force(c, damping, m, held + change),
                               down = contact_force(c, damping, m, held - change);
            CHECK((s.wrench_by_grip.col(k).tail<3>() - (up.force - down.force) / 2e-6).norm() <
                  1e-4 * s.wrench_by_grip.norm() + 1e-9);
            CHECK((s.wrench_by_grip.col(k).head<3>() - (up.torque - down.torque) / 2e-6).norm() <
                  1e-4 * s.wrench_by_grip.norm() + 1e-9);
        }
    }
}

TEST_CASE("what friction remembers stays bounded, and stands still when nothing moves") {
    ContactConstants c{.stiffness = 1e8, .radius = 0.1, .friction = 0.4, .hold_time = 0.01};
    ContactMotion m;
    m.penetration = 1e-4;
    for (const double speed : {1e-6, 1e-3, 1e-2, 1.0, 100.0}) {
        CAPTURE(speed);
        m.velocity = {speed, 0, 0};
        Grip held = Grip::Zero();
        const double slow = (c.v_small + speed) / speed;
        for (int i = 0; i < 20000; ++i) held += 1e-3 * slow * c.hold_time * grip_rate(c, m, held, 0.0);
        CHECK(held.norm() <= 1.0 + 1e-9);
        CHECK(held[0] > 0.9);  // it carries all that friction can
        m.velocity.setZero();
        CHECK(grip_rate(c, m, held, 0.0).norm() == 0.0);
    }
}
