// Pairs with closed forms against the reference, inside and outside and in every region of the shapes.
#include "tests/support/solids.hpp"

#include <doctest/doctest.h>

using namespace tactus;
using namespace tactus::test;

namespace {

// Rotation matrices of doubles are orthogonal to some 3e-16, which turns 0.4 m by 1e-16 m; a few roundings follow.
constexpr double rounding = 4e-16;  // [m] 1e-15 of the 0.4 m between outer points of the pairs

double worst_error(int a, int b, std::uint64_t seed, int count, double smoothing) {
    double worst = 0;
    for (int i = 0; i < count; ++i) {
        Random random{seed + static_cast<std::uint64_t>(i)};
        PlacedSolid A = random_solid(a, smoothing, random), B = random_solid(b, smoothing, random);
        A.X.p.setZero();
        B.X.p = random.uniform(0, 0.25) * random.direction();
        const SignedDistance found = i % 2 ? ask(A, B) : ask(B, A);
        const double wanted = reference(A, B).distance;
        worst = std::max(worst, std::abs(found.distance - wanted));
    }
    return worst;
}

}  // namespace

TEST_CASE("spheres against every other kind agree with the reference to rounding") {
    for (const int kind : {sphere_kind, box_kind, cylinder_kind, cone_kind, frustum_kind, capsule_kind, beam_kind})
        for (const double smoothing : {0.0, 0.004}) {
            INFO(kind_name(kind));
            CAPTURE(smoothing);
            CHECK(worst_error(sphere_kind, kind, 100, 60, smoothing) < rounding);
        }
}

TEST_CASE("capsules agree with the reference to rounding") {
    CHECK(worst_error(capsule_kind, capsule_kind, 200, 200, 0) < rounding);
}

TEST_CASE("boxes agree with the reference to rounding, apart and penetrating") {
    for (const double smoothing : {0.0, 0.004}) CHECK(worst_error(box_kind, box_kind, 300, 200, smoothing) < rounding);
}

TEST_CASE("a sphere and an ellipsoid that is almost one have the same distances") {
    // Lengths differ by 1e-13 of themselves, so distances by 1e-14 m at most: closed forms against Newton's method.
    Random random{4};
    for (int kind = 0; kind < kinds; ++kind)
        for (int i = 0; i < 40; ++i) {
            INFO(kind_name(kind), ", sample ", i);
            const double d = 0.1;
            const Frame X{random.rotation(), random.vector(0.1)};
            const PlacedSolid ball{Sphere{d}, 0, X}, almost{Ellipsoid{d, d * (1 + 1e-13), d * (1 - 1e-13)}, 0, X};
            PlacedSolid B = random_solid(kind, i % 2 ? 0.001 : 0.0, random);
            approach(ball, B, random.uniform(-0.003, 0.02), random);
            const SignedDistance one = ask(ball, B), other = ask(almost, B);
            CHECK(almost.collision.kind == CoreKind::ellipsoid);
            CHECK(std::abs(one.distance - other.distance) < 1.1e-14);
            CHECK((one.normal - other.normal).norm() < 1e-11);
            CHECK((one.point1 - other.point1).norm() < 1e-12);
        }
}

TEST_CASE("points right on axes, centres and edges have finite answers with unit normals") {
    for (const int kind : {box_kind, cylinder_kind, cone_kind, frustum_kind, capsule_kind, beam_kind, ellipsoid_kind}) {
        Random random{static_cast<std::uint64_t>(kind)};
        const PlacedSolid A{random_shape(kind, random, 3), 0};
        const NominalSolid nominal{A.shape};
        INFO(kind_name(kind));
        std::vector<Vec3> places{Vec3::Zero(), A.collision.centroid};
        for (int i = 0; i < 6; ++i) {
            const Vec3 n = Vec3::Unit(i / 2) * (i % 2 ? 1 : -1);
            places.push_back(support_point(A.collision, n));  // on faces, edges or corners
            places.push_back(nominal.surface_point(n));
        }
        for (const Vec3& p : places) {
            CAPTURE(p.transpose());
            const PlacedSolid B{Sphere{0.02}, 0, {Mat3::Identity(), p}};
            const SignedDistance found = ask(A, B);
            CHECK(std::abs(found.normal.norm() - 1) < 1e-15);
            CHECK(std::abs(found.distance - reference(A, B).distance) < 1e-15);
            CHECK((found.point2 - found.point1 - found.distance * found.normal).norm() < 1e-15);
        }
    }
}

TEST_CASE("a sphere whose centre is on the apex or a rim, to rounding, has a normal that separates") {
    // The distance is minus the radius. Many normals are right there, but not those that point into the other solid.
    Random random{6};
    for (const bool apex : {true, false})
        for (int i = 0; i < 300; ++i) {
            INFO(std::string{apex ? "apex" : "rim"}, ", sample ", i);
            const Cone shape{1, 0.13, 0.12, i % 3 == 0 ? 0.05 : 0.0};
            const double angle = random.uniform(0, 6.283), r = 0.5 * (apex ? shape.top_diameter : shape.diameter);
            const PlacedSolid cone{shape, 0, {random.rotation(), random.vector(0.1)}};
            const Vec3 p{apex ? shape.length : 0, r * std::cos(angle), r * std::sin(angle)};
            const PlacedSolid ball{Sphere{0.06}, 0, {Mat3::Identity(), cone.X.p + cone.X.R * p}};
            const SignedDistance found = i % 2 ? ask(cone, ball) : ask(ball, cone);
            const Vec3 n = i % 2 ? found.normal : Vec3{-found.normal};
            CHECK(std::abs(found.distance + 0.03) < 1e-15);
            CHECK(std::abs(static_cast<double>(separation_along(cone.reference(), ball.reference(), RealVec{n})) -
                           found.distance) < 1e-14);
            CHECK(std::abs(found.normal.norm() - 1) < 1e-14);
        }
}
