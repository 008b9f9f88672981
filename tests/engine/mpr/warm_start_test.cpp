// Warm starts: what a pair keeps from one query to the next makes queries cheaper and changes no result.
#include "tests/support/nasty_pairs.hpp"
#include "tests/support/solids.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <utility>

using namespace tactus;
using namespace tactus::test;

namespace {

constexpr int steps = 240, stale_poses = 12;

// Kinds of solids.hpp, then a hull of 300 vertices, which is climbed instead of scanned.
constexpr int large_hull = kinds;

PlacedSolid any_solid(int kind, double smoothing, Random& random) {
    if (kind < kinds) return random_solid(kind, smoothing, random);
    return {point_cloud(random, 300, {0.08, 0.1, 0.06}), 0, {random.rotation(), Vec3::Zero()}};
}

// Steps of 1 mm and 0.5 degrees: towards A until 6 mm deep, away until 12 mm apart, and so on.
class Walk {
public:
    Walk(const PlacedSolid& A, PlacedSolid& B, Random& random) : A_{A}, B_{B}, random_{random} {
        approach(A, B, 0.01, random);
    }

    void step() {
        const SignedDistance now = ask(A_, B_);
        if (now.distance < -0.006) away_ = 1;
        if (now.distance > 0.012) away_ = -1;
        B_.X.p += 0.001 * (away_ * 0.7 * now.normal + 0.7 * random_.direction());
        const double half_degree = 0.00872664625997;
        B_.X.R = rotation_about(random_.direction(), half_degree).toRotationMatrix() * B_.X.R;
        if (++count_ % 50 == 0) B_.X.R = Quat{B_.X.R}.normalized().toRotationMatrix();
    }

private:
    const PlacedSolid& A_;
    PlacedSolid& B_;
    Random& random_;
    double away_ = -1;
    int count_ = 0;
};

std::string first_broken(const PlacedSolid& A, const PlacedSolid& B, PairCache& cache) {
    const NastyPair pair{0, 0, "", {A.shape, A.smoothing, A.X}, {B.shape, B.smoothing, B.X}};
    InvariantOptions options;
    options.directions = 30;
    options.reference = false;
    bool first = true;  // the invariants ask again with moved and exchanged shapes: those are cold
    return check_invariants(
        pair,
        [&](const CollisionShape& a, const Frame& X_a, const CollisionShape& b, const Frame& X_b) {
            return signed_distance(a, X_a, b, X_b, {}, std::exchange(first, false) ? &cache : nullptr);
        },
        options);
}

// The same distance where both are proven, at least the same sign elsewhere.
void check_same(const SignedDistance& cold, const SignedDistance& warm) {
    CAPTURE(cold.distance);
    CAPTURE(warm.distance);
    if (cold.guarantee == Guarantee::exact && warm.guarantee == Guarantee::exact)
        CHECK(std::abs(cold.distance - warm.distance) < 1e-13);
    else
        CHECK((cold.distance > 0) == (warm.distance > 0));
}

}  // namespace

TEST_CASE("walking pairs have the same distances with and without a warm start") {
    int compared = 0, differ = 0, not_exact = 0, crossings = 0;
    double worst = 0, worst_normal = 0;
    for (int a = 0; a <= large_hull; ++a)
        for (int b = a; b <= large_hull; ++b) {
            const auto seed = static_cast<std::uint64_t>(20 * a + b);
            Random random{seed};
            const double smoothing = (a + b) % 3 == 0 ? 0.001 : 0.0;
            PlacedSolid A = any_solid(a, smoothing, random), B = any_solid(b, smoothing, random);
            Walk walk{A, B, random};
            PairCache cache;
            double before = 1;
            for (int i = 0; i < steps; ++i) {
                walk.step();
                INFO("kinds ", a, " and ", b, ", seed ", seed, ", step ", i);
                const SignedDistance cold = ask(A, B), warm = ask(A, B, &cache);
                crossings += (before > 0) != (cold.distance > 0);
                before = cold.distance;
                ++compared;
                if (cold.guarantee != Guarantee::exact || warm.guarantee != Guarantee::exact) {
                    ++not_exact;
                    differ += std::abs(cold.distance - warm.distance) > 1e-13;
                    CHECK((cold.distance > 0) == (warm.distance > 0));
                    CHECK(warm.guarantee <= Guarantee::local);
                    continue;
                }
                CAPTURE(cold.distance);
                CHECK(std::abs(cold.distance - warm.distance) < 1e-13);
                CHECK((cold.normal - warm.normal).norm() < 1e-6);
                worst = std::max(worst, std::abs(cold.distance - warm.distance));
                worst_normal = std::max(worst_normal, (cold.normal - warm.normal).norm());
            }
        }
    MESSAGE(compared << " queries, " << crossings << " changes between apart and penetrating, worst difference "
                     << worst << " m, normals " << worst_normal << "; " << not_exact << " not exact, of which "
                     << differ << " differ");
    CHECK(crossings > 55 * steps / 60);
}

// Boxes, ellipsoids and hulls know most from their last query: they walk through each other in steps from hardly any to
// some degrees, with jumps now and then, from millimetres to kilometres and with rounded edges.
TEST_CASE("boxes, ellipsoids and hulls of any size have the same distances after steps of any length") {
    int compared = 0, apart = 0, exact = 0;
    for (const int a : {sphere_kind, ellipsoid_kind, box_kind, capsule_kind, mesh_kind})
        for (const int b : {ellipsoid_kind, box_kind, mesh_kind})
            for (const double size : {1e-3, 0.1, 1e3})
                for (const double smoothing : {0.0, 0.02}) {
                    const auto seed = static_cast<std::uint64_t>(4000 + 20 * a + b);
                    Random random{seed};
                    const auto scaled = [&](int kind) {
                        Shape shape = random_shape(kind, random);
                        const double f = size / 0.1;
                        if (auto* s = std::get_if<Sphere>(&shape)) s->diameter *= f;
                        if (auto* s = std::get_if<Ellipsoid>(&shape))
                            s->length_x *= f, s->length_y *= f, s->length_z *= f;
                        if (auto* s = std::get_if<Box>(&shape)) s->length_x *= f, s->length_y *= f, s->length_z *= f;
                        if (auto* s = std::get_if<Capsule>(&shape)) s->diameter *= f, s->length *= f;
                        if (auto* s = std::get_if<Mesh>(&shape))
                            for (Vec3& v : s->vertices) v *= f;
                        return PlacedSolid{
                            shape, kind == mesh_kind ? 0 : smoothing * size, {random.rotation(), random.vector(size)}};
                    };
                    PlacedSolid A = scaled(a), B = scaled(b);
                    B.X.p = A.X.p + size * random.direction();
                    PairCache cache;
                    double away = -1;
                    for (int i = 0; i < 150; ++i) {
                        const SignedDistance now = ask(A, B);
                        if (now.distance < -0.15 * size) away = 1;
                        if (now.distance > 0.15 * size) away = -1;
                        const double step = i % 40 == 39 ? 0.5 : std::pow(10.0, random.uniform(-9, -1.3));
                        B.X.p += step * size * (0.8 * away * now.normal + random.direction());
                        B.X.R = rotation_about(random.direction(), step).toRotationMatrix() * B.X.R;
                        B.X.R = Quat{B.X.R}.normalized().toRotationMatrix();
                        INFO("kinds ", a, " and ", b, ", size ", size, ", smoothing ", smoothing, ", step ", i);
                        const SignedDistance cold = ask(A, B), warm = ask(A, B, &cache);
                        ++compared;
                        CHECK(warm.guarantee <= Guarantee::local);
                        CHECK((cold.distance > 0) == (warm.distance > 0));
                        apart += cold.distance > 0;
                        if (cold.guarantee != Guarantee::exact || warm.guarantee != Guarantee::exact) continue;
                        ++exact;
                        CHECK(std::abs(cold.distance - warm.distance) < 1e-12 * size);
                        CHECK((warm.point2 - warm.point1 - warm.distance * warm.normal).norm() < 1e-11 * size);
                        if (i % 15 == 0) CHECK(first_broken(A, B, cache) == "");
                    }
                }
    MESSAGE(compared << " queries, " << apart << " apart, " << exact << " exact");
    CHECK(apart > compared / 5);
    CHECK(apart < compared - compared / 5);
}

TEST_CASE("warm results fulfil the invariants of every answer") {
    for (int a = 0; a <= large_hull; ++a)
        for (int b = 0; b <= large_hull; ++b) {
            const auto seed = static_cast<std::uint64_t>(1000 + 20 * a + b);
            Random random{seed};
            PlacedSolid A = any_solid(a, 0, random), B = any_solid(b, 0, random);
            Walk walk{A, B, random};
            PairCache cache;
            for (int i = 0; i < steps / 8; ++i) {
                walk.step();
                INFO("kinds ", a, " and ", b, ", seed ", seed, ", step ", i);
                CHECK(first_broken(A, B, cache) == "");
            }
        }
}

TEST_CASE("a stale cache, of the same shapes anywhere else, harms no result") {
    for (int a = 0; a <= large_hull; ++a)
        for (int b = a; b <= large_hull; ++b) {
            const auto seed = static_cast<std::uint64_t>(2000 + 20 * a + b);
            Random random{seed};
            PlacedSolid A = any_solid(a, 0, random), B = any_solid(b, 0, random);
            std::vector<PairCache> stale(1);  // the first is empty
            for (int i = 0; i < stale_poses; ++i) {
                stale.emplace_back();
                PlacedSolid other = B;
                other.X.R = random.rotation();
                approach(A, other, random.uniform(-0.02, 0.05), random);
                ask(A, other, &stale.back());
            }
            for (int i = 0; i < stale_poses; ++i) {
                B.X.R = random.rotation();
                approach(A, B, random.uniform(-0.006, 0.02), random);
                const SignedDistance cold = ask(A, B);
                for (std::size_t k = 0; k < stale.size(); ++k) {
                    INFO("kinds ", a, " and ", b, ", seed ", seed, ", pose ", i, ", cache ", k);
                    PairCache cache = stale[k];
                    const SignedDistance warm = ask(A, B, &cache);
                    check_same(cold, warm);
                    cache = stale[k];
                    if (k % 6 == 0) CHECK(first_broken(A, B, cache) == "");
                }
            }
        }
}

TEST_CASE("a rod that turns upright inside a block finds the shorter way out at the side, with a warm start, too") {
    // Its middle stays where it is, near the top. Lying, it comes out there; upright, at the side: 1 - 0.05 and half its width.
    for (const double angle : {1.46, 1.48, 1.5, 1.52, 1.54}) {
        CAPTURE(angle);
        const PlacedSolid block{Box{2, 2, 10}, 0};
        PlacedSolid rod{Ellipsoid{2, 0.1, 0.1}, 0, {Mat3::Identity(), Vec3{0.05, 0.5, 0}}};
        PairCache cache;
        CHECK(ask(block, rod, &cache).distance == doctest::Approx(-0.55).epsilon(1e-12));
        rod.X.R = rotation_about(Vec3::UnitZ(), angle).toRotationMatrix();
        const double side = -0.95 - std::hypot(std::cos(angle), 0.05 * std::sin(angle));
        CHECK(ask(block, rod).distance == doctest::Approx(side).epsilon(1e-12));
        const SignedDistance warm = ask(block, rod, &cache);
        CHECK(warm.distance == doctest::Approx(side).epsilon(1e-12));
        CHECK(warm.normal.x() > 0.999);
    }
}

TEST_CASE("jumps through a common cache harm no result") {
    // One cache, poses at random: apart, deep, apart again.
    for (int a = 1; a <= large_hull; ++a)
        for (int b = a; b <= large_hull; ++b) {
            Random random{static_cast<std::uint64_t>(3000 + 20 * a + b)};
            PlacedSolid A = any_solid(a, 0, random), B = any_solid(b, 0, random);
            PairCache cache;
            for (int i = 0; i < 60; ++i) {
                INFO("kinds ", a, " and ", b, ", query ", i);
                B.X = {random.rotation(), A.X.p + random.vector(0.12)};
                const SignedDistance cold = ask(A, B), warm = ask(A, B, &cache);
                check_same(cold, warm);
            }
        }
}

TEST_CASE("a warm start saves more than half of the support points of hulls") {
    for (const bool large : {false, true}) {
        CAPTURE(large);
        long cold = 0, warm = 0;
        for (std::uint64_t seed = 0; seed < 6; ++seed) {
            Random random{seed};
            const int kind = large ? large_hull : mesh_kind;
            PlacedSolid A = any_solid(kind, 0, random), B = any_solid(kind, 0, random);
            Walk walk{A, B, random};
            PairCache cache;
            for (int i = 0; i < steps; ++i) {
                walk.step();
                cold += ask(A, B).iterations;
                warm += ask(A, B, &cache).iterations;
            }
        }
        MESSAGE("support points cold " << cold << ", warm " << warm);
        CHECK(warm * 2 <= cold);
    }
}

TEST_CASE("a pair at rest needs hardly any support points") {
    Random random{5};
    for (int a = 1; a <= large_hull; ++a)
        for (int b = a; b <= large_hull; ++b) {
            INFO("kinds ", a, " and ", b);
            PlacedSolid A = any_solid(a, 0, random), B = any_solid(b, 0, random);
            for (const double distance : {0.01, -0.002}) {
                CAPTURE(distance);
                approach(A, B, distance, random);
                PairCache cache;
                const SignedDistance first = ask(A, B, &cache);
                const SignedDistance second = ask(A, B, &cache);
                CHECK(std::abs(first.distance - second.distance) < 1e-13);
                CHECK(second.iterations <= first.iterations);
            }
        }
}
