// The depth of contacts: force and torque are the gradient of an energy, for every pair of kinds, from the first touch to full
// overlap.
#include "tests/support/random.hpp"
#include "tests/support/solids.hpp"

#include <tactus/engine/mpr/contact_depth.hpp>
#include <tactus/engine/mpr/shrinking.hpp>
#include <tactus/engine/rotation.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace tactus;
using namespace tactus::test;

namespace {

// What a pair of unit stiffness stores and exerts on the second solid.
struct Press {
    double energy = 0.0;  // 2/5 depth^2.5
    double depth = 0.0;
    Vec3 force = Vec3::Zero(), moment = Vec3::Zero(), point = Vec3::Zero();  // moment about the origin of the second
};

struct Two {
    CollisionShape a, b;
    Frame X_WA;

    Press press(const Frame& X_WB, DepthCache* cache = nullptr) const {
        const SignedDistance d = signed_distance(a, X_WA, b, X_WB);
        if (d.distance >= 0.0) return {};
        Press p;
        const ContactDepth s = contact_depth(a, X_WA, b, X_WB, d, cache);
        p.depth = s.depth;
        p.point = s.point;
        p.energy = 0.4 * std::pow(p.depth, 2.5);
        p.force = std::pow(p.depth, 1.5) * s.rate * s.normal;
        p.moment = (p.point - X_WB.p).cross(p.force) + s.pitch * p.force;
        return p;
    }
};

Frame moved(const Frame& X, const Vec3& by, const Vec3& turn) {
    const double angle = turn.norm();
    return {angle > 0.0 ? Mat3{rotation_about(turn / angle, angle).toRotationMatrix() * X.R} : X.R, X.p + by};
}

// The second solid over the first, `depth` deep in it. Flat: faces along each other but for a small tilt.
Frame pressed(const Two& two, Random& random, double depth, bool flat, double tilt) {
    Frame X = two.X_WA;
    Vec3 direction = random.direction();
    if (flat) {
        X.R =
            rotation_about(Vec3::Unit(random.number(3)), 0.5 * std::numbers::pi * random.number(4)).toRotationMatrix();
        if (random.number(2)) X.R = rotation_about(Vec3::UnitZ(), random.uniform(0, 6)).toRotationMatrix() * X.R;
        X.R = rotation_about(random.direction(), tilt * random.uniform(0, 1)).toRotationMatrix() * X.R;
        direction = Vec3::UnitZ();
        X.p += Vec3{random.uniform(-0.06, 0.06), random.uniform(-0.06, 0.06), 0.0};
    } else {
        X.R = random.rotation();
    }
    X.p += 0.5 * direction;
    for (int i = 0; i < 100; ++i) {
        const SignedDistance d = signed_distance(two.a, two.X_WA, two.b, X);
        if (std::abs(d.distance + depth) < 1e-3 * depth) break;
        X.p -= (d.distance + depth) * d.normal;
    }
    return X;
}

Two random_two(int kind_a, int kind_b, Random& random, bool flat, double smoothing) {
    const int axis = flat ? 1 + random.number(3) : 0;
    Two two{collision_shape(random_shape(kind_a, random, axis), smoothing),
            collision_shape(random_shape(kind_b, random, axis), smoothing),
            {}};
    if (!flat) two.X_WA = {random.rotation(), random.vector(0.1)};
    return two;
}

// The largest difference between force and torque (at this arm) and the slope of the energy, relative to depth^1.5.
double gradient_error_at(const Two& two, const Frame& X, double h) {
    constexpr double arm = 0.1;  // [m]
    const Press p = two.press(X);
    double worst = 0.0;
    for (int k = 0; k < 6; ++k) {
        const Vec3 by = k < 3 ? Vec3{Vec3::Unit(k)} : Vec3{Vec3::Zero()};
        const Vec3 turn = k < 3 ? Vec3{Vec3::Zero()} : Vec3{Vec3::Unit(k - 3) / arm};
        const auto energy = [&](double m) { return two.press(moved(X, m * h * by, m * h * turn)).energy; };
        const double slope = (8 * (energy(1) - energy(-1)) - (energy(2) - energy(-2))) / (12 * h);
        const double exerted = k < 3 ? p.force[k] : p.moment[k - 3] / arm;
        worst = std::max(worst, std::abs(slope + exerted) / std::pow(p.depth, 1.5));
    }
    return worst;
}

// Differences are wrong where second derivatives change within h, and finer ones are made of rounding: one of them must agree.
double gradient_error(const Two& two, const Frame& X) {
    const double h = std::min(1e-3 * two.press(X).depth, 1e-6);
    const double coarse = gradient_error_at(two, X, h);
    return coarse < 1e-6 ? coarse : std::min(coarse, gradient_error_at(two, X, 0.2 * h));
}

// The largest change of force and torque between neighbours on a path, looked at ever more closely, relative to the largest
// force. What is continuous comes down to nothing.
template<class At> double largest_jump(const Two& two, At&& at, double& where) {
    double from = 0.0, to = 1.0, change = 0.0, largest = 0.0;
    for (int closer = 0; closer < 8; ++closer) {
        const int n = closer == 0 ? 400 : 20;
        double most = -1.0;
        Press last = two.press(at(from));
        for (int k = 1; k <= n; ++k) {
            const double x = from + (to - from) * k / n;
            const Press now = two.press(at(x));
            const double d = (now.force - last.force).norm() + (now.moment - last.moment).norm() / 0.1;
            largest = std::max(largest, now.force.norm());
            if (d > most) most = d, where = x;
            last = now;
        }
        const double step = (to - from) / n;
        to = where, from = where - step, change = most;
    }
    return largest > 0.0 ? change / largest : 0.0;
}

}  // namespace

TEST_CASE("force and torque are the negative gradient of the energy, for all 45 pairs of kinds and every depth") {
    const std::uint64_t seed = 4501;
    CAPTURE(seed);
    Random random{seed};
    struct Regime {
        bool flat;
        double smoothing, tilt, shallow, deep;
    };
    const Regime regimes[] = {{false, 1e-3, 0, 1e-5, 1e-3},   {true, 1e-3, 1e-3, 1e-5, 1e-3},
                              {true, 1e-3, 1e-5, 1e-5, 1e-3}, {false, 1e-3, 0, 1e-3, 3e-2},
                              {true, 1e-3, 1e-2, 1e-3, 3e-2}, {false, 0, 0, 1e-5, 1e-2},
                              {true, 0, 1e-3, 1e-5, 1e-2}};
    int looked_at = 0;
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b)
            for (const Regime& r : regimes)
                for (int i = 0; i < 6; ++i) {
                    const double depth = r.shallow * std::pow(r.deep / r.shallow, random.uniform(0, 1));
                    const Two two = random_two(a, b, random, r.flat, r.smoothing);
                    const Frame X = pressed(two, random, depth, r.flat, r.tilt);
                    const Press p = two.press(X);
                    if (p.energy == 0.0) continue;
                    ++looked_at;
                    CAPTURE(kind_name(a));
                    CAPTURE(kind_name(b));
                    CAPTURE(r.flat);
                    CAPTURE(r.smoothing);
                    CAPTURE(p.depth);
                    CHECK(gradient_error(two, X) < 1e-6);
                }
    CHECK(looked_at > 1800);
}

TEST_CASE("no work is done around a closed path of poses") {
    const std::uint64_t seed = 77;
    CAPTURE(seed);
    Random random{seed};
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b) {
            const double depth = 5e-3;
            const Two two = random_two(a, b, random, true, 1e-3);
            const Frame X = pressed(two, random, depth, true, 1e-3);
            // A loop around this pose that stays in contact, in all six directions.
            const Vec3 u = random.vector(0.3 * depth), v = random.vector(0.3 * depth);
            const Vec3 s = random.vector(depth), t = random.vector(depth);
            double sum = 0.0, work = 0.0, largest = 0.0;
            const auto add = [&](double part) {
                const double x = 2 * std::numbers::pi * part, c = std::cos(x), d = std::sin(x);
                const Vec3 turn = c * s + d * t, rate = -d * s + c * t;
                // Turning about a fixed vector that itself turns: the angular velocity of exp(turn).
                const double w = turn.norm();
                Vec3 omega = rate;
                if (w > 1e-12)
                    omega += (1 - std::cos(w)) / (w * w) * turn.cross(rate) +
                             (w - std::sin(w)) / (w * w * w) * turn.cross(turn.cross(rate));
                const Press p = two.press(moved(X, c * u + d * v, turn));
                sum += p.force.dot(-d * u + c * v) + p.moment.dot(omega);
                largest = std::max(largest, p.energy);
            };
            // The rule of trapezoids, with twice as many points each time: it converges as fast as the forces are smooth.
            int n = 1000;
            for (int i = 0; i < n; ++i) add(double(i) / n);
            for (;; n *= 2) {
                work = sum * 2 * std::numbers::pi / n;
                if (std::abs(work) < 1e-9 * largest || n > 200000) break;
                for (int i = 0; i < n; ++i) add((i + 0.5) / n);
            }
            CAPTURE(kind_name(a));
            CAPTURE(kind_name(b));
            REQUIRE(largest > 0.0);
            CHECK(std::abs(work) < 1e-9 * largest);
        }
}

TEST_CASE("force and torque change without a jump from apart to deep overlap") {
    const std::uint64_t seed = 4711;
    CAPTURE(seed);
    Random random{seed};
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b)
            for (int i = 0; i < 3; ++i) {
                const bool flat = i == 1;
                const Two two = random_two(a, b, random, flat, i == 2 ? 0.0 : 1e-3);
                const double depth = 0.03;
                const Frame end = pressed(two, random, depth, flat, 0.01);
                const Vec3 back = 2.0 * depth * signed_distance(two.a, two.X_WA, two.b, end).normal;
                const Vec3 turn = random.vector(flat ? 0.02 : 0.2);
                CAPTURE(kind_name(a));
                CAPTURE(kind_name(b));
                CAPTURE(i);
                double where = 0.0;
                const auto at = [&](double x) { return moved(end, (1 - x) * back, (1 - x) * turn); };
                REQUIRE(two.press(end).energy > 0.0);
                CHECK(largest_jump(two, at, where) < 1e-3);
            }
}

TEST_CASE(
    "solids may go through each other, middle through middle: the force is a gradient all the way, and never jumps") {
    const std::uint64_t seed = 4518;
    CAPTURE(seed);
    Random random{seed};
    int looked_at = 0;
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b)
            for (int i = 0; i < 6; ++i) {
                const Two two = random_two(a, b, random, false, i % 3 == 0 ? 0.0 : 1e-3);
                const Vec3 beside = random.vector(0.03 * (i % 3)), way = 0.4 * random.direction();
                const Vec3 turn = random.vector(1.0);
                Frame start{random.rotation(), {}};
                start.p = two.X_WA.p + two.X_WA.R * two.a.centroid - start.R * two.b.centroid + beside;
                const auto at = [&](double x) { return moved(start, (1 - 2 * x) * way, (x - 0.5) * turn); };
                CAPTURE(kind_name(a));
                CAPTURE(kind_name(b));
                CAPTURE(i);
                double where = 0.0;
                CHECK(largest_jump(two, at, where) < 1e-3);
                CAPTURE(where);
                for (int k = 0; k < 4; ++k) {
                    const Frame X = at(random.uniform(0.2, 0.8));
                    const Press p = two.press(X);
                    if (p.energy == 0.0) continue;
                    ++looked_at;
                    CHECK(gradient_error(two, X) < 1e-6);
                }
            }
    CHECK(looked_at > 600);
}

TEST_CASE("the deeper two solids are in each other, the more energy is stored, up to where their middles meet") {
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b) {
            Random random{static_cast<std::uint64_t>(100 * a + b)};
            const Two two = random_two(a, b, random, false, 1e-3);
            const Mat3 R = random.rotation();
            const Vec3 meet = two.X_WA.p + two.X_WA.R * mpr::middle(two.a) - R * mpr::middle(two.b);
            const Vec3 way = random.direction();
            CAPTURE(kind_name(a));
            CAPTURE(kind_name(b));
            double before = 0.0;
            for (int i = 1; i <= 100; ++i) {
                const double energy = two.press({R, meet + 0.004 * (100 - i) * way}).energy;
                CHECK(energy >= before);
                before = energy;
            }
            CHECK(before > 0.0);
        }
}

TEST_CASE(
    "every overlap has a finite force, as high as both solids are: middles that coincide, needles, tiny solids deep in "
    "large ones") {
    const std::uint64_t seed = 4520;
    CAPTURE(seed);
    Random random{seed};
    for (int a = 0; a < kinds; ++a)
        for (int b = 0; b < kinds; ++b)
            for (int i = 0; i < 30; ++i) {
                const auto solid = [&](int kind, double scale) {
                    Shape shape = random_shape(kind, random);
                    if (auto* mesh = std::get_if<Mesh>(&shape)) {  // a spindle
                        mesh->vertices.clear();
                        for (int k = 0; k < 3; ++k) {
                            const double half = 0.1 * scale * std::pow(10.0, random.uniform(-2, 0));
                            mesh->vertices.push_back(half * Vec3::Unit(k));
                            mesh->vertices.push_back(-half * Vec3::Unit(k));
                        }
                    } else if (auto* box = std::get_if<Box>(&shape)) {
                        box->length_x *= scale, box->length_y *= scale,
                            box->length_z *= scale * random.uniform(0.01, 1);
                    } else if (auto* sphere = std::get_if<Sphere>(&shape)) {
                        sphere->diameter *= scale;
                    }
                    return collision_shape(shape, random.number(2) ? 1e-3 : 0.0);
                };
                const Two two{solid(a, std::pow(10.0, random.uniform(-3, 3))),
                              solid(b, std::pow(10.0, random.uniform(-3, 3))),
                              {random.rotation(), random.vector(0.1)}};
                Frame X = two.X_WA;
                if (random.number(3)) X.R = random.rotation();
                X.p = two.X_WA.p + two.X_WA.R * mpr::middle(two.a) - X.R * mpr::middle(two.b);
                const double smaller = std::min(two.a.size, two.b.size), larger = std::max(two.a.size, two.b.size);
                if (i % 3) X.p += (i % 3 == 1 ? smaller : larger) * random.vector(0.5);
                const SignedDistance d = signed_distance(two.a, two.X_WA, two.b, X);
                if (d.distance >= 0.0) continue;
                const ContactDepth s = contact_depth(two.a, two.X_WA, two.b, X, d);
                CAPTURE(kind_name(a));
                CAPTURE(kind_name(b));
                CAPTURE(i);
                CHECK(s.depth > 0.0);
                CHECK(std::isfinite(s.depth + s.rate + s.pitch + s.spread.sum() + s.curvature().sum()));
                CHECK(s.normal.norm() == doctest::Approx(1.0));
                CHECK(std::abs(s.normal.dot(s.point - two.X_WA.p)) < 3.0 * two.a.size);
                CHECK(std::abs(s.normal.dot(s.point - X.p)) < 3.0 * two.b.size);
            }
}

TEST_CASE("what touches by no more than rounding has a depth, a rate and a place that are numbers") {
    const std::uint64_t seed = 4508;
    int touching = 0;
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b)
            for (int i = 0; i < 44; ++i) {
                Random random{seed + static_cast<std::uint64_t>(1000 * (kinds * a + b) + i)};
                const bool flat = i % 2;
                Two two = random_two(a, b, random, flat, i % 4 < 2 ? 0.0 : 1e-3);
                two.X_WA.p += random.vector(1.0);
                Frame X = pressed(two, random, 1e-6, flat, 1e-3);
                for (int k = 0; k < 8; ++k) {  // to and fro around the first touch
                    const double wanted = std::pow(10.0, random.uniform(-18, -12));
                    const SignedDistance d = signed_distance(two.a, two.X_WA, two.b, X);
                    if (d.distance < 0.0) {
                        CAPTURE(kind_name(a));
                        CAPTURE(kind_name(b));
                        CAPTURE(seed);
                        CAPTURE(i);
                        CAPTURE(d.distance);
                        const ContactDepth s = contact_depth(two.a, two.X_WA, two.b, X, d);
                        REQUIRE(std::isfinite(s.depth + s.rate + s.normal.sum() + s.point.sum() + s.spread.sum()));
                        REQUIRE(s.rate >= 0.0);
                        REQUIRE((s.point - X.p).norm() < 0.5);
                        ++touching;
                    }
                    X.p -= (d.distance + wanted) * d.normal;
                }
            }
    CHECK(touching > 5000);
}

TEST_CASE("a corner acts as a point, a face as a stiffer one, and its pressure lies where the two overlap") {
    const CollisionShape floor = collision_shape(Box{10, 10, 1}, 1e-3), box = collision_shape(Box{0.2, 0.3, 0.1}, 1e-3);
    const double depth = 1e-5;
    const auto press = [&](const Frame& X) {
        const SignedDistance d = signed_distance(floor, {}, box, X);
        return contact_depth(floor, {}, box, X, d);
    };
    // Flat, in the middle and off it: the share of the floor is small.
    const ContactDepth flat = press({Mat3::Identity(), {0, 0, 0.55 - depth}});
    CHECK(flat.depth / depth == doctest::Approx(std::pow(4.0, 1.0 / 8)).epsilon(1e-4));
    CHECK((flat.point - Vec3{0, 0, 0.5}).norm() < 1e-5);
    CHECK(std::sqrt(flat.spread.trace()) == doctest::Approx(std::hypot(0.099, 0.149)).epsilon(1e-2));
    const ContactDepth off = press({Mat3::Identity(), {3.1, -2.2, 0.55 - depth}});
    CHECK(off.depth == doctest::Approx(flat.depth).epsilon(5e-3));
    CHECK((off.point - Vec3{3.1, -2.2, 0.5}).head<2>().norm() < 1e-3);
    // On a corner.
    const Mat3 tilted = rotation_about(Vec3{1, -1, 0}.normalized(), 0.7).toRotationMatrix();
    Frame X{tilted, {0, 0, 1}};
    X.p.z() -= signed_distance(floor, {}, box, X).distance + depth;
    CHECK(press(X).depth == doctest::Approx(depth).epsilon(5e-3));
    CHECK(std::sqrt(press(X).spread.trace()) < 1e-3);
    // Half of it over the edge: the pressure stays on the floor, also if the box tilts over it.
    for (const double tilt : {0.0, 1e-5, 1e-4, -1e-5}) {
        CAPTURE(tilt);
        Frame over{rotation_about(Vec3::UnitY(), tilt).toRotationMatrix(), {5.04, 0, 0.6}};
        over.p.z() -= signed_distance(floor, {}, box, over).distance + depth;
        CHECK(press(over).point.x() < 5.0);
        CHECK(press(over).point.x() > 4.93);
    }
}

TEST_CASE("a rim acts as a point where it is inclined, and the same wherever it has rolled to") {
    const CollisionShape floor = collision_shape(Box{10, 10, 1}, 1e-3);
    const CollisionShape disk = collision_shape(Cylinder{.axis = 3, .diameter = 0.1, .length = 0.04}, 1e-3);
    double first = 0.0;
    for (int i = 0; i < 40; ++i) {
        const double roll = 0.157 * i;
        Frame X{rotation_about(Vec3::UnitX(), 0.4).toRotationMatrix() *
                    rotation_about(Vec3::UnitZ(), roll).toRotationMatrix(),
                {0.2, 0.1, 0.6}};
        X.p.z() -= signed_distance(floor, {}, disk, X).distance + 1e-5;
        const ContactDepth s = contact_depth(floor, {}, disk, X, signed_distance(floor, {}, disk, X));
        if (i == 0) first = s.depth;
        CHECK(s.depth == doctest::Approx(first).epsilon(1e-9));
        CHECK(s.depth == doctest::Approx(1e-5).epsilon(5e-3));
    }
}

TEST_CASE("what a pair remembers of its last depth does not change the next one") {
    const std::uint64_t seed = 4507;
    CAPTURE(seed);
    Random random{seed};
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b)
            for (int i = 0; i < 8; ++i) {
                const Two two = random_two(a, b, random, i % 2 == 0, i % 3 ? 1e-3 : 0.0);
                const double deepest = std::pow(10.0, random.uniform(-5, -1));
                Frame X = pressed(two, random, deepest, i % 2 == 0, 0.1);
                DepthCache cache;
                const double step = std::pow(10.0, random.uniform(-7, -1));
                for (int k = 0; k < 40; ++k) {
                    const double by = k % 10 == 9 ? 10.0 * step : step;
                    X = moved(X, by * random.vector(0.1), by * random.vector(1.0));
                    const Press cold = two.press(X), warm = two.press(X, &cache);
                    if (cold.depth == 0.0) continue;
                    CAPTURE(kind_name(a));
                    CAPTURE(kind_name(b));
                    CAPTURE(i);
                    CAPTURE(k);
                    const double force = std::pow(cold.depth, 1.5);
                    CHECK(std::abs(warm.depth - cold.depth) < 1e-10 * cold.depth);
                    CHECK((warm.force - cold.force).norm() < 1e-7 * force);
                    CHECK((warm.moment - cold.moment).norm() < 1e-8 * force);
                }
            }
}
