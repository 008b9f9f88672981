// Bodies with edges and rims that roll and tumble on a plane, beside an integration of the same law that knows nothing of
// planes that are sought, of events or of variable steps.
#include "tests/support/ground.hpp"

#include <tactus/engine/rotation.hpp>
#include <tactus/engine/shapes/collision_shape.hpp>
#include <tactus/engine/shapes/mass_properties.hpp>
#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::test;

namespace {

constexpr double gravity = 9.81, density = 1000.0, youngs_modulus = 1e8, ball = 0.1, smoothing = 1e-3;  // SI

struct Body {
    std::string name;
    Shape shape;
    Vec3 tilt;  // [rad] angle about an axis
    Vec3 spin;  // [rad/s]
    Vec3 velocity;
};

const std::vector<Body> bodies{
    {"disk on its rim", Cylinder{.axis = 3, .diameter = 0.1, .length = 0.01}, {0.9, 0, 0}, {0, 6, 12}, {0.2, 0, 0}},
    {"disk that comes to lie",
     Cylinder{.axis = 3, .diameter = 0.1, .length = 0.01},
     {0.15, 0, 0},
     {1, 0, 0},
     {0, 0, 0}},
    {"frustum", Cone{.axis = 3, .diameter = 0.1, .length = 0.08, .top_diameter = 0.05}, {1.2, 0.3, 0}, {2, 5, 8}, {}},
    {"cone", Cone{.axis = 3, .diameter = 0.1, .length = 0.1}, {1.6, 0.1, 0}, {3, 0, -4}, {0, 0.1, 0}},
    {"cylinder", Cylinder{.axis = 1, .diameter = 0.06, .length = 0.1}, {0, 0.05, 0.3}, {10, 1, 0}, {0, -0.3, 0}},
    {"beam", Beam{.axis = 1, .length = 0.1, .width = 0.04, .thickness = 0.05}, {0.4, 0.2, 0}, {3, 2, 1}, {0.1, 0, 0}},
    {"box", Box{0.1, 0.06, 0.08}, {0.5, 0.3, 0.1}, {2, -3, 1}, {0, 0.1, 0}},
};

// A corner of a core, or a circle about the axis `k`; body axes, from the centre of mass.
struct Edge {
    Vec3 center;
    double radius = 0.0;
    Vec3 k = Vec3::UnitX();
};

struct State {
    Vec3 p, v, w;
    Quat q;
};

class Tumbler {
public:
    explicit Tumbler(const Body& body) : mass_{from_density(body.shape, density)} {
        const CollisionShape s = collision_shape(body.shape, smoothing);
        around_ = s.radius;
        const int x = s.axis;
        const auto local = [x](double a, double b, double c) {
            Vec3 v = Vec3::Zero();
            v[x] = a, v[(x + 1) % 3] = b, v[(x + 2) % 3] = c;
            return v;
        };
        const auto add = [&](const Vec3& place, double r, const Vec3& k) {
            edges_.push_back({place - mass_.center_of_mass, r, k});
        };
        if (s.kind == CoreKind::round) {
            add(local(s.z1, 0, 0), s.r1, local(1, 0, 0));
            add(local(s.z2, 0, 0), s.r2, local(1, 0, 0));
        } else if (s.kind == CoreKind::stadium) {
            for (const double a : {-s.half[0], s.half[0]})
                for (const double c : {-s.half[2], s.half[2]}) add(local(a, 0, c), s.half[1], local(0, 0, 1));
        } else {
            for (int i = 0; i < 8; ++i)
                add(local(i & 1 ? s.half[0] : -s.half[0], i & 2 ? s.half[1] : -s.half[1],
                          i & 4 ? s.half[2] : -s.half[2]),
                    0.0, Vec3::UnitX());
        }
        // R_geo of Hertz' law: two that are flat, or one that is.
        const bool flat = std::holds_alternative<Box>(body.shape) || std::holds_alternative<Beam>(body.shape);
        stiffness_ = 4.0 / 3.0 * youngs_modulus / (2 * (1 - 0.3 * 0.3)) * std::sqrt(flat ? 0.5 * ball : ball);
    }

    const Vec3& center_of_mass() const { return mass_.center_of_mass; }

    // [m] p of U = 2/5 K p^2.5 on the plane z = 0, and its growth with a fall and with small turns about the centre of mass.
    double depth(const State& s, double& by_fall, Vec3& by_turn) const {
        const Mat3 R = s.q.toRotationMatrix();
        double sum = 0.0, falls = 0.0;
        Vec3 turns = Vec3::Zero();
        for (const Edge& e : edges_) {
            const Vec3 c = R * e.center, k = R * e.k;
            const double a = around_ - (s.p + c).z(), across = std::hypot(k.x(), k.y()), b = e.radius * across;
            double h = a + b, h_a = 1.0, h_b = 1.0;
            if (e.radius > 0.0 && b < 0.5 * a) {  // a circle that lies nearly flat
                const double t = 2.0 * b / a;
                h = a * (1.0 + 0.5 * (0.375 + 0.75 * t * t - 0.125 * t * t * t * t));
                h_b = t * (1.5 - 0.5 * t * t);
                h_a = (h - b * h_b) / a;
            }
            if (h <= 0.0) continue;
            const double h7 = std::pow(h, 7);
            sum += h7 * h;
            falls += h7 * h_a;
            turns -= h7 * h_a * c.cross(Vec3::UnitZ());
            if (across > 0.0) turns -= h7 * h_b * e.radius * k.z() / across * k.cross(Vec3::UnitZ());
        }
        if (sum == 0.0) return 0.0;
        const double p = std::pow(sum, 0.125), p7 = sum / p;
        by_fall = falls / p7;
        by_turn = turns / p7;
        return p;
    }

    State rate(const State& s) const {
        double by_fall = 0.0;
        Vec3 by_turn = Vec3::Zero();
        const double p = depth(s, by_fall, by_turn), f = stiffness_ * p * std::sqrt(p);
        const Mat3 R = s.q.toRotationMatrix(), I = R * mass_.inertia * R.transpose();
        State d;
        d.p = s.v;
        d.v = Vec3{0, 0, f * by_fall / mass_.mass - gravity};
        d.w = I.inverse() * (-f * by_turn - s.w.cross(I * s.w));
        d.q.coeffs() = 0.5 * (Quat{0, s.w.x(), s.w.y(), s.w.z()} * s.q).coeffs();
        return d;
    }

    // By Runge and Kutta, so many steps.
    State integrate(State s, double seconds, int steps) const {
        const double h = seconds / steps;
        const auto plus = [](State x, double by, const State& d) {
            x.p += by * d.p, x.v += by * d.v, x.w += by * d.w, x.q.coeffs() += by * d.q.coeffs();
            return x;
        };
        for (int i = 0; i < steps; ++i) {
            const State k1 = rate(s), k2 = rate(plus(s, h / 2, k1)), k3 = rate(plus(s, h / 2, k2)),
                        k4 = rate(plus(s, h, k3));
            for (const auto& [part, k] : {std::pair{1.0, &k1}, {2.0, &k2}, {2.0, &k3}, {1.0, &k4}})
                s = plus(s, h / 6 * part, *k);
            s.q.normalize();
        }
        return s;
    }

private:
    MassProperties mass_;
    std::vector<Edge> edges_;
    double around_ = 0.0, stiffness_ = 0.0;
};

double difference(const State& a, const State& b) {  // places in 0.1 m
    const double turned = 2.0 * (a.q.conjugate() * b.q).vec().norm();
    return std::max({(a.p - b.p).norm() / 0.1, (a.v - b.v).norm(), turned, 0.1 * (a.w - b.w).norm()});
}

State start_of(const Body& body, const Tumbler& tumbler) {
    const double angle = body.tilt.norm();
    State s{.p = {0, 0, 1}, .v = body.velocity, .w = body.spin, .q = rotation_about(body.tilt / angle, angle)};
    double fall = 0.0;
    Vec3 turn;
    for (double low = 0.0, high = 1.0; high - low > 1e-12;) {  // where it begins to touch
        s.p.z() = 0.5 * (low + high);
        (tumbler.depth(s, fall, turn) > 0.0 ? low : high) = s.p.z();
    }
    s.p.z() += 1e-3;
    return s;
}

State simulate(const Body& body, const State& start, const Vec3& com, Solver solver, double tolerance, double seconds) {
    World world{{.workers = 1}};
    world.scene({.gravity = {0, 0, -gravity}});
    world.set_simulation({.solver = solver, .tolerance = tolerance});
    add_material(world, 1.0, ContactLaw::Exact);
    world.set_material("Test",
                       SolidMaterial{.density = density, .youngs_modulus = youngs_modulus, .poissons_ratio = 0.3});
    const auto add = [&](Object3DDef def) {
        def.material = "Test";
        def.collidable = true;
        def.smoothing_radius = smoothing;
        def.contact_sphere_radius = ball;
        return world.add(def);
    };
    add({.name = "ground", .parent = "world", .translation = {0, 0, -5}, .shape = Box{10, 10, 10}});
    Object3DDef def{.name = "body", .parent = "world", .free = true};
    const Vec3 arm = start.q * com;
    def.translation = start.p - arm;
    def.rotation = start.q;
    def.velocity = start.v - start.w.cross(arm);
    def.angular_velocity = start.w;
    def.shape = body.shape;
    const Entity e = add(def);
    world.run(seconds, {.record = false});
    State end;
    end.q = world.pose(e).q;
    end.w = world.velocity(e).w;
    const Vec3 now = end.q * com;
    end.p = world.pose(e).p + now;
    end.v = world.velocity(e).v + end.w.cross(now);
    return end;
}

}  // namespace

TEST_CASE("bodies that roll and tumble: the errors of every solver fall with the tolerance") {
    constexpr double seconds = 0.12;
    for (const Body& body : bodies) {
        CAPTURE(body.name);
        const Tumbler tumbler{body};
        const State start = start_of(body, tumbler);
        // What becomes of a small error at the start: impacts make it larger.
        constexpr double small = 1e-6;
        State beside = start;
        beside.v += small * Vec3{0.6, 0, 0.8};
        beside.w += 10.0 * small * Vec3{0.8, 0.6, 0};
        int steps = 60000;
        State right = tumbler.integrate(start, seconds, steps), coarser;
        const double growth = std::max(1.0, difference(tumbler.integrate(beside, seconds, steps), right) / small);
        CAPTURE(growth);
        do {  // steps are halved until that makes no difference any more
            coarser = right;
            right = tumbler.integrate(start, seconds, steps *= 2);
        } while (difference(coarser, right) > 2e-8 * growth && steps < 1000000);
        REQUIRE(difference(coarser, right) <= 2e-8 * growth);
        for (const Solver solver : {Solver::CvodeBdf, Solver::Ida, Solver::CvodeAdams, Solver::ArkodeErk}) {
            CAPTURE(solver_name(solver));
            for (const double tolerance : {1e-5, 1e-7, 2e-10}) {
                CAPTURE(tolerance);
                const State end = simulate(body, start, tumbler.center_of_mass(), solver, tolerance, seconds);
                CHECK(difference(end, right) < 500.0 * growth * tolerance);
            }
        }
    }
}
