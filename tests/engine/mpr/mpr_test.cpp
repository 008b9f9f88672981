// The improved MPR algorithm of the seeds by itself: what its theorems promise, and how many iterations it needs. The
// true distances come from signed_distance(), which has tests of its own against an independent reference.
#include <tactus/engine/mpr/double_double.hpp>
#include <tactus/engine/mpr/mpr.hpp>

#include "tests/support/random.hpp"

#include <doctest/doctest.h>

using namespace tactus;
using mpr::DoubleDouble;
using mpr::Pair;
using mpr::Termination;
using test::Random;

namespace {

// Two shapes turned at random at a given signed distance.
struct Placed {
    Frame X_WA, X_WB;
    double distance = 0;
};
Placed place(const CollisionShape& A, const CollisionShape& B, double wanted, Random& random) {
    const Frame X_WA{random.rotation(), Vec3::Zero()};
    const Mat3 R = random.rotation();
    const Vec3 d = random.direction();
    double low = 0, high = 2 * (A.size + B.size) + 1;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        (signed_distance(A, X_WA, B, {R, middle * d}).distance < wanted ? low : high) = middle;
    }
    const Frame X_WB{R, high * d};
    return {X_WA, X_WB, signed_distance(A, X_WA, B, X_WB).distance};
}

// The pairs of the thesis, Table 6.1: bodies that fall on a plate or on a sphere.
const std::vector<std::pair<Shape, Shape>> pairs = {
    {Sphere{0.2}, Box{0.4, 0.4, 0.1}},
    {Ellipsoid{0.2, 0.15, 0.12}, Box{0.4, 0.4, 0.1}},
    {Ellipsoid{0.2, 0.15, 0.12}, Sphere{0.2}},
    {Cone{.diameter = 0.2, .length = 0.2, .top_diameter = 0.1}, Box{0.4, 0.4, 0.1}},
    {Cone{.diameter = 0.2, .length = 0.2}, Box{0.4, 0.4, 0.1}},
    {Beam{.length = 0.2, .width = 0.1, .thickness = 0.05}, Box{0.4, 0.4, 0.1}},
    {Capsule{.diameter = 0.1, .length = 0.1}, Box{0.4, 0.4, 0.1}},
};

}  // namespace

TEST_CASE("theorems 6.1 and 6.3: the sign is right, the distance exact or an upper bound; iterations as in table 6.1") {
    INFO("seed 3");
    Random random{3};
    const DistanceOptions quadruple{.tolerance = 1e-20};  // mprTol of the seeds, with their 32 digits
    int most2 = 0, most3 = 0, within = 0, rim = 0;
    for (const auto& [a, b] : pairs)
        for (int i = 0; i < 60; ++i) {
            const CollisionShape A = collision_shape(a, 0.001), B = collision_shape(b, 0.001);
            const Placed at = place(A, B, random.uniform(-0.003, 0.02), random);
            Pair<DoubleDouble> pair{A, at.X_WA, B, at.X_WB};
            const auto result = mpr::improved_mpr(pair, quadruple);
            const double distance = double(result.distance);
            CAPTURE(distance);
            CAPTURE(at.distance);
            REQUIRE(result.termination != Termination::best);
            REQUIRE(result.termination != Termination::undecided);
            CHECK((distance > 0) == (at.distance > 0));
            if (at.distance > 0) {
                CHECK(distance >= at.distance - 1e-14);
                if (result.within) CHECK(std::abs(distance - at.distance) < 1e-14);
                (result.within ? within : rim) += 1;
            } else {
                CHECK(distance <= at.distance + 1e-14);  // at least as deep as the shortest translation
            }
            most2 = std::max(most2, result.phase2);
            most3 = std::max(most3, result.phase3);
        }
    CHECK(within > 50);  // both cases of theorem 6.3 occur
    CHECK(rim > 50);
    CHECK(most2 <= 7);
    CHECK(most3 >= 13);
    CHECK(most3 <= 107);
}

TEST_CASE("TC1: where the closest points lie on the line of the centroids, one support point is enough") {
    const CollisionShape ball = collision_shape(Sphere{0.2}, 0);
    for (const double gap : {0.01, -0.001}) {
        Pair<double> balls{ball, {}, ball, {Mat3::Identity(), {0, 0, 0.2 + gap}}};
        const auto result = mpr::improved_mpr(balls, {});
        CHECK(result.termination == Termination::tc1);
        CHECK(result.distance == doctest::Approx(gap).epsilon(1e-13));
        CHECK(balls.evaluations == 1);
    }
}

TEST_CASE("without smoothing and with it, double precision finds the sign as 32 digits do") {
    INFO("seed 4");
    Random random{4};
    for (const double smoothing : {0.0, 0.001})
        for (const auto& [a, b] : pairs)
            for (int i = 0; i < 40; ++i) {
                const CollisionShape A = collision_shape(a, smoothing), B = collision_shape(b, smoothing);
                const Placed at = place(A, B, random.uniform(-1e-6, 1e-6), random);
                Pair<double> pair{A, at.X_WA, B, at.X_WB};
                const auto result = mpr::improved_mpr(pair, {.tolerance = 1e-15});
                CAPTURE(at.distance);
                CHECK((result.distance > 0) == (at.distance > 0));
            }
}
