// Where solids with edges and faces touch: what the points carry together is the same, however little the solids move.
#include "tests/support/random.hpp"
#include "tests/support/solids.hpp"

#include <tactus/engine/mpr/touch_points.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace tactus;
using namespace tactus::test;

namespace {

struct Carried {
    double force = 0.0;
    Vec3 moment = Vec3::Zero();
};

// What springs of unit stiffness at the points carry, about the origin.
Carried carried(const std::vector<TouchPoint>& points) {
    Carried sum;
    for (const TouchPoint& p : points) {
        if (p.distance >= 0.0) continue;
        const double f = p.weight * std::pow(-p.distance, 1.5);
        sum.force += f;
        sum.moment += p.point.cross(f * p.normal);
    }
    return sum;
}

const Shape flat_shapes[] = {Box{0.12, 0.1, 0.08}, Cylinder{.axis = 3, .diameter = 0.1, .length = 0.08},
                             Beam{.axis = 1, .length = 0.08, .width = 0.06, .thickness = 0.08},
                             Cone{.axis = 3, .diameter = 0.1, .length = 0.08, .top_diameter = 0.06}};

}  // namespace

TEST_CASE("no point is deeper than the deepest, and the deepest corner or crossing of boxes is among the points") {
    const std::uint64_t seed = 31;
    CAPTURE(seed);
    Random random{seed};
    const CollisionShape a = collision_shape(Box{0.12, 0.1, 0.08}, 0.001),
                         b = collision_shape(Box{0.2, 0.15, 0.1}, 0.001);
    std::vector<TouchPoint> points;
    int seen = 0, found = 0;
    for (int i = 0; i < 20000; ++i) {
        const Frame at_a{random.rotation(), random.vector(0.1)};
        Frame at_b{random.rotation(), random.vector(0.1)};
        // Together until they are 10 um in each other.
        const Vec3 direction = random.direction();
        at_b.p = at_a.p + 0.5 * direction;
        for (int k = 0; k < 50; ++k) {
            const SignedDistance d = signed_distance(a, at_a, b, at_b);
            if (std::abs(d.distance + 1e-5) < 1e-9) break;
            at_b.p -= (d.distance + 1e-5) * d.normal;
        }
        const SignedDistance d = signed_distance(a, at_a, b, at_b);
        if (d.distance > 0.0 || d.distance < -1e-4) continue;
        find_touch_points(a, at_a, b, at_b, d, points);
        double least = 1.0;
        for (const TouchPoint& p : points) {
            REQUIRE(p.distance > d.distance - 1e-12);
            REQUIRE(std::abs(p.normal.norm() - 1.0) < 1e-12);
            least = std::min(least, p.distance);
        }
        ++seen;
        found += least < d.distance + 1e-10;
    }
    CHECK(seen > 10000);
    CHECK(found > 0.99 * seen);  // the others: crossings next to a corner, that have faded out
}

TEST_CASE("what touch points carry changes without jumps as solids slide over each other's edges") {
    const std::uint64_t seed = 77;
    CAPTURE(seed);
    Random random{seed};
    std::vector<TouchPoint> points;
    for (const Shape& upper : flat_shapes)
        for (const Shape& lower : {Shape{Box{0.1, 0.14, 0.08}}, Shape{Box{1, 1, 0.08}}}) {
            const CollisionShape a = collision_shape(upper, 0.001), b = collision_shape(lower, 0.001);
            for (int path = 0; path < 12; ++path) {
                CAPTURE(upper.index());
                CAPTURE(path);
                const Vec3 from = Vec3{random.uniform(-0.06, 0.06), random.uniform(-0.08, 0.08), 0};
                const Vec3 along = 0.004 * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), 0};
                const Vec3 turn0 = 1e-4 * random.vector(1.0), turn1 = 1e-4 * random.vector(1.0);
                const double yaw = random.uniform(0, 6.28);
                // Base of a cone is its origin, that of the others half their height below it.
                const double rise = std::holds_alternative<Cone>(upper) ? 0.04 : 0.08;
                const auto at = [&](double s) {
                    const Vec3 turn = turn0 + s * (turn1 - turn0);
                    const Mat3 R =
                        (rotation_about(turn.normalized(), turn.norm()) * rotation_about(Vec3::UnitZ(), yaw + 0.01 * s))
                            .toRotationMatrix();
                    Frame pose{R, from + s * along + Vec3{0, 0, rise - 2e-5}};
                    const SignedDistance d = signed_distance(a, pose, b, {});
                    find_touch_points(a, pose, b, {}, d, points);
                    return carried(points);
                };
                // Greatest changes of force and moment from one of n steps to the next, relative to the greatest force.
                const auto jumps = [&](int n) {
                    Carried last = at(0.0);
                    double largest = last.force, force = 0.0, moment = 0.0;
                    for (int i = 1; i <= n; ++i) {
                        const Carried now = at(static_cast<double>(i) / n);
                        force = std::max(force, std::abs(now.force - last.force));
                        moment = std::max(moment, (now.moment - last.moment).norm() / 0.1);
                        largest = std::max(largest, now.force);
                        last = now;
                    }
                    return std::max(force, moment) / largest;
                };
                const double coarse = jumps(1000), fine = jumps(8000);
                CAPTURE(coarse);
                CAPTURE(fine);
                CHECK((fine < 0.005 || fine < 0.3 * coarse));
            }
        }
}

TEST_CASE("a box that lies on another touches it with the corners of what they share") {
    const CollisionShape a = collision_shape(Box{0.1, 0.1, 0.1}, 0.001), b = collision_shape(Box{0.1, 0.1, 0.1}, 0.001);
    const double depth = 1e-6;
    const auto touch = [&](const Vec3& p, double yaw) {
        const Frame upper{rotation_about(Vec3::UnitZ(), yaw).toRotationMatrix(), p + Vec3{0, 0, 0.1 - depth}};
        std::vector<TouchPoint> points;
        find_touch_points(a, upper, b, {}, signed_distance(a, upper, b, {}), points);
        return points;
    };
    for (const auto& [p, yaw, count] : {std::tuple{Vec3{0, 0, 0}, 0.0, 4},
                                        {Vec3{0.03, 0, 0}, 0.0, 4},
                                        {Vec3{0.03, 0.02, 0}, 0.0, 4},
                                        {Vec3{0, 0, 0}, 0.7853981, 8}}) {
        int full = 0;
        for (const TouchPoint& t : touch(p, yaw)) {
            if (t.weight < 1.0) continue;
            ++full;
            CHECK(t.distance == doctest::Approx(-depth).epsilon(1e-6));
            CHECK(t.normal.z() == doctest::Approx(-1.0));
            CHECK(t.point.z() == doctest::Approx(0.05 - 0.5 * depth));
        }
        CHECK(full == count);
    }
}

TEST_CASE("a cylinder that stands or lies touches the ground at its rims") {
    const CollisionShape a = collision_shape(Cylinder{.axis = 3, .diameter = 0.1, .length = 0.2}, 0.001);
    const CollisionShape ground = collision_shape(Box{2, 2, 1}, 0.001);
    const auto count = [&](double tilt, double height) {
        const Frame pose{rotation_about(Vec3::UnitX(), tilt).toRotationMatrix(), {0.1, 0.2, 0.5 + height - 1e-6}};
        std::vector<TouchPoint> points;
        find_touch_points(a, pose, ground, {}, signed_distance(a, pose, ground, {}), points);
        return std::count_if(points.begin(), points.end(), [](const TouchPoint& p) { return p.distance < 0.0; });
    };
    CHECK(count(0.0, 0.1) == 4);
    CHECK(count(1.5707963267948966, 0.05) == 2);
    CHECK(count(1e-6, 0.1) == 4);
}
