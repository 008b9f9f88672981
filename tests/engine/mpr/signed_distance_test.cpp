// Signed distances of random pairs of every two kinds against the reference, and the laws that every answer follows.
#include "tests/support/solids.hpp"

#include <doctest/doctest.h>

using namespace tactus;
using namespace tactus::test;

namespace {

constexpr int poses = 12;

std::string name_of(int a, int b) { return kind_name(a) + " and " + kind_name(b); }

// Calls check(A, B, random) for random poses of every two kinds, 20 mm apart to 3 mm in each other.
template<class Check> void for_pairs(std::uint64_t seed, int count, double smoothing, Check check) {
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b)
            for (int i = 0; i < count; ++i) {
                const std::uint64_t own = seed + static_cast<std::uint64_t>(1000 * (kinds * a + b) + i);
                Random random{own};
                PlacedSolid A = random_solid(a, smoothing, random), B = random_solid(b, smoothing, random);
                approach(A, B, random.uniform(-0.003, 0.020), random);
                INFO(name_of(a, b), ", seed ", own, ", smoothing ", smoothing);
                check(A, B, random);
            }
}

}  // namespace

TEST_CASE("the signed distance of every two kinds is that of the reference") {
    // Coordinates of 0.3 m are rounded to 3e-17 m, and a handful of operations follows: 1e-15 m is common, 1e-13 m asked.
    double worst = 0;
    int compared = 0, not_exact = 0;
    for (const double smoothing : {0.0, 0.001})
        for_pairs(1, poses, smoothing, [&](const PlacedSolid& A, const PlacedSolid& B, Random&) {
            const SignedDistance found = ask(A, B);
            const ReferenceDistance wanted = reference(A, B);
            CAPTURE(found.distance);
            CAPTURE(wanted.distance);
            CHECK(wanted.gap < 1e-16);
            CHECK(std::abs(found.distance - wanted.distance) < 1e-13);
            CHECK(found.guarantee <= Guarantee::local);
            worst = std::max(worst, std::abs(found.distance - wanted.distance));
            ++compared;
            not_exact += found.guarantee != Guarantee::exact;
        });
    MESSAGE(compared << " pairs, worst error " << worst << " m, " << not_exact << " only local");
    CHECK(not_exact * 20 < compared);
}

TEST_CASE("the normal separates by the distance, and no other direction by more") {
    // The signed distance is the largest separation of supporting planes: a direction separates if and only if it is > 0.
    for_pairs(2, 6, 0.0, [](const PlacedSolid& A, const PlacedSolid& B, Random& random) {
        const SignedDistance found = ask(A, B);
        const ReferenceShape a = A.reference(), b = B.reference();
        const auto along = [&](const Vec3& n) { return static_cast<double>(separation_along(a, b, RealVec{n})); };
        CHECK(std::abs(found.normal.norm() - 1) < 1e-15);
        CHECK(std::abs(along(found.normal) - found.distance) < 1e-14);
        double most = -1;
        for (int i = 0; i < 30; ++i) most = std::max(most, along(random.direction()));
        for (int i = 0; i < 30; ++i)  // nearby
            most = std::max(most, along(found.normal + std::pow(10.0, -0.2 * i) * random.direction()));
        CHECK(most < found.distance + 1e-14);
    });
}

TEST_CASE("the contact points lie on both surfaces, as far apart as the distance along the normal") {
    for (const double smoothing : {0.0, 0.001})
        for_pairs(3, 6, smoothing, [&](const PlacedSolid& A, const PlacedSolid& B, Random& random) {
            const SignedDistance found = ask(A, B);
            CHECK((found.point2 - found.point1 - found.distance * found.normal).norm() < 1e-14);
            const auto check_point = [&](const PlacedSolid& S, const Vec3& p, const Vec3& n) {
                const double level = NominalSolid{S.shape}.level(S.X.R.transpose() * (p - S.X.p));
                if (S.collision.radius == 0 || S.shape.index() == 0 || S.shape.index() == 5)
                    CHECK(std::abs(level) < 1e-13);  // nominal surface
                else
                    CHECK(level < 1e-13);
                const ReferenceShape shape = S.reference();
                CHECK(std::abs(static_cast<double>(shape.extent(RealVec{n}.unit()) -
                                                   RealVec{n}.unit().dot(RealVec{p}))) < 1e-14);
                for (int i = 0; i < 20; ++i) {
                    const RealVec d = RealVec{random.direction()}.unit();
                    CHECK(static_cast<double>(d.dot(RealVec{p}) - shape.extent(d)) < 1e-13);
                }
            };
            check_point(A, found.point1, found.normal);
            check_point(B, found.point2, -found.normal);
        });
}

TEST_CASE("exchanging the shapes turns the normal and swaps the points") {
    double worst_normal = 0, worst_point = 0;
    for_pairs(4, poses, 0.0, [&](const PlacedSolid& A, const PlacedSolid& B, Random&) {
        const SignedDistance there = ask(A, B), back = ask(B, A);
        CHECK(std::abs(there.distance - back.distance) < 1e-14);
        CHECK((there.normal + back.normal).norm() < 1e-7);  // where the distance is flat, by the root of its rounding
        CHECK((there.point1 - back.point2).norm() < 1e-8);
        CHECK((there.point2 - back.point1).norm() < 1e-8);
        worst_normal = std::max(worst_normal, (there.normal + back.normal).norm());
        worst_point = std::max(worst_point, (there.point1 - back.point2).norm());
    });
    MESSAGE("normals differ by up to " << worst_normal << ", points by " << worst_point << " m");
}

TEST_CASE("a common rigid motion moves the contact along") {
    // 1 m away, coordinates are rounded to 1e-16 m: 1e-12 of the pair's 0.3 m leaves room.
    for_pairs(5, 6, 0.001, [](const PlacedSolid& A, const PlacedSolid& B, Random& random) {
        const SignedDistance here = ask(A, B);
        const Mat3 Q = random.rotation();
        const Vec3 shift = random.vector(1);
        PlacedSolid A2 = A, B2 = B;
        for (PlacedSolid* s : {&A2, &B2}) s->X = {Q * s->X.R, Q * s->X.p + shift};
        const SignedDistance there = ask(A2, B2);
        CHECK(std::abs(there.distance - here.distance) < 3e-13);
        CHECK((there.normal - Q * here.normal).norm() < 1e-7);
        CHECK((there.point1 - (Q * here.point1 + shift)).norm() < 1e-8);
    });
}

TEST_CASE("pairs of a micrometre and of a hundred kilometres are scaled copies") {
    // Factors of two are exact, so only absolute limits in the code could tell the sizes apart.
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b) {
            if (a == mesh_kind || b == mesh_kind) continue;
            Random random{static_cast<std::uint64_t>(6000 + kinds * a + b)};
            PlacedSolid A = random_solid(a, 0, random), B = random_solid(b, 0, random);
            approach(A, B, random.uniform(-0.003, 0.020), random);
            const SignedDistance one = ask(A, B);
            for (const double scale : {0x1p-17, 0x1p19}) {
                INFO(name_of(a, b), ", scale ", scale);
                CollisionShape As = A.collision, Bs = B.collision;
                for (CollisionShape* s : {&As, &Bs}) {
                    s->radius *= scale, s->half *= scale, s->centroid *= scale, s->size *= scale, s->inner *= scale;
                    s->roundness *= scale;
                    s->r1 *= scale, s->z1 *= scale, s->r2 *= scale, s->z2 *= scale;
                }
                const SignedDistance other = signed_distance(As, {A.X.R, scale * A.X.p}, Bs, {B.X.R, scale * B.X.p});
                CHECK(std::abs(other.distance - scale * one.distance) < 1e-14 * scale);
                CHECK(other.guarantee == one.guarantee);
            }
        }
}

TEST_CASE("deep pairs: the depth is never less than the reference, and equal where it is called exact") {
    int exact = 0, local = 0, rest = 0;
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b)
            for (int i = 0; i < 2; ++i) {
                const auto own = static_cast<std::uint64_t>(7000 + 2 * (kinds * a + b) + i);
                INFO(name_of(a, b), ", seed ", own);
                Random random{own};
                PlacedSolid A = random_solid(a, 0, random), B = random_solid(b, 0, random);
                B.X.p = A.X.p + A.X.R * A.collision.centroid - B.X.R * B.collision.centroid + random.vector(0.02);
                const SignedDistance found = ask(A, B);
                const double wanted = reference(A, B).distance;
                CHECK(found.distance < 0);
                CHECK(found.distance < wanted + 1e-13);
                if (found.guarantee == Guarantee::exact) CHECK(std::abs(found.distance - wanted) < 1e-13);
                ++(found.guarantee == Guarantee::exact ? exact : found.guarantee == Guarantee::local ? local : rest);
            }
    MESSAGE(exact << " exact, " << local << " local, " << rest << " bounds only");
    CHECK(rest == 0);
}
