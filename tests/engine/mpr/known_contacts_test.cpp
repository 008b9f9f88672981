// Contacts whose numbers are known by hand. Lengths are multiples of powers of two where zero has to be exactly zero.
#include "tests/support/solids.hpp"

#include <doctest/doctest.h>

#include <numbers>

using namespace tactus;
using namespace tactus::test;

namespace {

const Mat3 I = Mat3::Identity();

PlacedSolid at(const Shape& shape, const Vec3& p, double smoothing = 0) { return {shape, smoothing, {I, p}}; }

// Gaps from a fraction of a millimetre down to 1e-14 m, both ways, and none.
std::vector<double> gaps() {
    std::vector<double> values{0.0};
    for (int k = 11; k <= 46; k += 5)
        for (const double sign : {1.0, -1.0}) values.push_back(sign * std::ldexp(1.0, -k));
    return values;
}

constexpr double closed = 0;          // [m] error of the distance: closed forms of binary numbers are exact
constexpr double searched = 1.5e-14;  // the tolerance, relative to pairs of up to 1.5 m

SignedDistance check_gap(const PlacedSolid& A, const PlacedSolid& B, double gap, double error) {
    const SignedDistance found = ask(A, B);
    CHECK(std::abs(found.distance - gap) <= error);
    CHECK((found.normal - Vec3::UnitZ()).norm() < 1e-13);
    CHECK((found.point2 - found.point1 - gap * Vec3::UnitZ()).norm() < 1e-13);
    CHECK(found.guarantee <= Guarantee::local);
    if (gap > 0) CHECK(found.guarantee == Guarantee::exact);
    return found;
}

// Distance, normal z and contact points point1 and point1 + gap z of two solids.
void check_contact(const PlacedSolid& A, const PlacedSolid& B, double gap, const Vec3& point1, double error = closed) {
    CAPTURE(gap);
    CHECK((check_gap(A, B, gap, error).point1 - point1).norm() <= (error > 0 ? 1e-7 : 1e-15));
}

// A flat contact of which only the middle and the half lengths are known.
void check_within(const PlacedSolid& A, const PlacedSolid& B, double gap, const Vec3& middle, const Vec3& half) {
    CAPTURE(gap);
    const Vec3 off = check_gap(A, B, gap, searched).point1 - middle;
    CAPTURE(off.transpose());
    CHECK((off.cwiseAbs() - half).maxCoeff() <= 1e-7);  // round bodies roll this far within 1e-14 m of height
}

}  // namespace

TEST_CASE("spheres above each other") {
    for (const double gap : gaps())
        check_contact(at(Sphere{0.25}, {1, 2, 0}), at(Sphere{0.5}, {1, 2, 0.375 + gap}), gap, {1, 2, 0.125});
}

TEST_CASE("a sphere on a box, a cylinder, a frustum, a beam and a capsule") {
    for (const double gap : gaps()) {
        const PlacedSolid ball = at(Sphere{0.25}, {0.0625, 0.03125, 0.25 + 0.125 + gap});
        const Vec3 point{0.0625, 0.03125, 0.25};
        check_contact(at(Box{0.5, 0.5, 0.5}, {0, 0, 0}), ball, gap, point);
        check_contact(at(Cylinder{3, 0.5, 0.5}, {0, 0, 0}), ball, gap, point);
        check_contact(at(Cone{3, 0.5, 0.5, 0.25}, {0, 0, -0.25}), ball, gap, point);
        check_contact(at(Beam{1, 0.5, 0.5, 0.5}, {0, 0, 0}), ball, gap, point);
        const PlacedSolid above = at(Sphere{0.25}, {0.0625, 0, 0.375 + gap});
        check_contact(at(Capsule{1, 0.5, 0.5}, {0, 0, 0}), above, gap, {0.0625, 0, 0.25});
    }
}

TEST_CASE("a box on a box: the contact is in the middle of where the faces overlap") {
    // x: -0.25 .. 0.25 and 0 .. 0.5, y: -0.25 .. 0.25 and -0.125 .. 0.375.
    for (const double gap : gaps())
        check_contact(at(Box{0.5, 0.5, 0.5}, {0, 0, 0}), at(Box{0.5, 0.5, 0.25}, {0.25, 0.125, 0.375 + gap}), gap,
                      {0.125, 0.0625, 0.25});
    // All of a small box, wherever it stands.
    check_contact(at(Box{4, 4, 0.5}, {0, 0, 0}), at(Box{0.25, 0.25, 0.25}, {1, -1.5, 0.375}), 0, {1, -1.5, 0.25});
}

TEST_CASE("a box that was turned by 45 degrees on a box: the contact is in the middle of the octagon") {
    const Mat3 R = rotation_about(Vec3::UnitZ(), 0.78539816339744831).toRotationMatrix();
    PlacedSolid B{Box{0.5, 0.5, 0.5}, 0, {R, {0, 0, 0.5}}};
    const SignedDistance found = ask(at(Box{0.5, 0.5, 0.5}, {0, 0, 0}), B);
    CHECK(std::abs(found.distance) < 1e-16);
    CHECK((found.point1 - Vec3{0, 0, 0.25}).norm() < 1e-15);
}

TEST_CASE("the edge of a box across the face of another: the contact is in the middle of the edge on the face") {
    // Turned by 45 degrees about x, the lower edge runs along x from 0 to 1; the face ends at 0.25.
    const Mat3 R = rotation_about(Vec3::UnitX(), 0.78539816339744831).toRotationMatrix();
    const double height = std::sqrt(0.5) * 0.5;
    for (const double gap : {0.01, 0.0, -0.01}) {
        CAPTURE(gap);
        PlacedSolid B{Box{1, 0.5, 0.5}, 0, {R, {0.5, 0, 0.25 + height + gap}}};
        const SignedDistance found = ask(at(Box{0.5, 0.5, 0.5}, {0, 0, 0}), B);
        CHECK(std::abs(found.distance - gap) < 2e-16);
        CHECK((found.normal - Vec3::UnitZ()).norm() < 1e-15);
        CHECK((found.point1 - Vec3{0.125, 0, 0.25}).norm() < 1e-15);
    }
}

TEST_CASE("boxes with crossed edges") {
    // Edges along x and y, seen from the side each a right angle: the distance is that of the edges.
    const double turn = 0.78539816339744831, half = std::sqrt(0.5) * 0.5;
    const PlacedSolid A{Box{1, 0.5, 0.5}, 0, {rotation_about(Vec3::UnitX(), turn).toRotationMatrix(), {0, 0, 0}}};
    for (const double gap : {0.02, 0.0, -0.02}) {
        CAPTURE(gap);
        const PlacedSolid B{
            Box{0.5, 1, 0.5}, 0, {rotation_about(Vec3::UnitY(), turn).toRotationMatrix(), {0.1, 0.05, 2 * half + gap}}};
        const SignedDistance found = ask(A, B);
        CHECK(std::abs(found.distance - gap) < 3e-16);
        CHECK((found.normal - Vec3::UnitZ()).norm() < 1e-14);
        CHECK((found.point1 - Vec3{0.1, 0, half}).norm() < 1e-14);
        CHECK((found.point2 - Vec3{0.1, 0, half + gap}).norm() < 1e-14);
    }
}

TEST_CASE("boxes corner to corner") {
    // Corners (0.25, 0.25, 0.25) and (0.5, 0.5, 0.5): sqrt(3) / 4.
    const SignedDistance found = ask(at(Box{0.5, 0.5, 0.5}, {0, 0, 0}), at(Box{0.5, 0.5, 0.5}, {0.75, 0.75, 0.75}));
    CHECK(std::abs(found.distance - std::sqrt(3.0) / 4) < 1e-16);
    CHECK((found.normal - Vec3::Ones() / std::sqrt(3.0)).norm() < 1e-15);
    CHECK((found.point1 - Vec3::Constant(0.25)).norm() < 1e-15);
    CHECK((found.point2 - Vec3::Constant(0.5)).norm() < 1e-15);
}

TEST_CASE("crossed capsules") {
    for (const double gap : gaps())
        check_contact(at(Capsule{1, 0.25, 1}, {0, 0, 0}), at(Capsule{2, 0.5, 1}, {0.25, 0.125, 0.375 + gap}), gap,
                      {0.25, 0, 0.125});
}

TEST_CASE("capsules side by side touch in the middle of where they overlap") {
    // x: -0.5 .. 0.5 and 0 .. 1.
    for (const double gap : gaps())
        check_contact(at(Capsule{1, 0.25, 1}, {0, 0, 0}), at(Capsule{1, 0.5, 1}, {0.5, 0, 0.375 + gap}), gap,
                      {0.25, 0, 0.125});
}

TEST_CASE("the apex of a cone on the face of a box") {
    for (const double gap : gaps())
        check_contact(at(Cone{3, 0.25, 0.5}, {0.125, 0.0625, 0}), at(Box{1, 1, 0.25}, {0, 0, 0.625 + gap}), gap,
                      {0.125, 0.0625, 0.5}, searched);
}

TEST_CASE("solids lying on a box touch along their lines") {
    for (const double gap : gaps()) {
        const PlacedSolid floor = at(Box{2, 2, 0.25}, {0, 0, 0});
        const Vec3 p{0.25, -0.125, 0.25 + gap}, middle{0.25, -0.125, 0.125};
        check_within(floor, at(Cylinder{1, 0.25, 0.5}, p), gap, middle, {0.25, 0, 0});
        check_within(floor, at(Cylinder{2, 0.25, 0.5}, p), gap, middle, {0, 0.25, 0});
        check_within(floor, at(Capsule{1, 0.25, 0.5}, p), gap, middle, {0.25, 0, 0});
    }
}

TEST_CASE("solids lying on a box touch in the middle of their lines") {
    for (const double gap : {0.0, 0x1p-11, -0x1p-11}) {
        const PlacedSolid floor = at(Box{2, 2, 0.25}, {0, 0, 0});
        const Vec3 p{0.25, -0.125, 0.25 + gap}, middle{0.25, -0.125, 0.125};
        check_contact(floor, at(Cylinder{1, 0.25, 0.5}, p), gap, middle, searched);
        check_contact(floor, at(Cylinder{2, 0.25, 0.5}, p), gap, middle, searched);
        check_contact(floor, at(Capsule{1, 0.25, 0.5}, p), gap, middle, searched);
    }
}

TEST_CASE("cylinders on each other, side by side and crossed") {
    for (const double gap : gaps()) {
        check_contact(at(Cylinder{3, 0.5, 0.5}, {0, 0, 0}), at(Cylinder{3, 0.25, 0.25}, {0, 0, 0.375 + gap}), gap,
                      {0, 0, 0.25}, searched);
        // Along x, from -0.25 .. 0.25 and 0 .. 0.5.
        check_contact(at(Cylinder{1, 0.25, 0.5}, {0, 0, 0}), at(Cylinder{1, 0.5, 0.5}, {0.25, 0, 0.375 + gap}), gap,
                      {0.125, 0, 0.125}, searched);
        check_contact(at(Cylinder{1, 0.25, 0.5}, {0, 0, 0}), at(Cylinder{2, 0.5, 0.5}, {0.125, 0.0625, 0.375 + gap}),
                      gap, {0.125, 0, 0.125}, searched);
    }
}

TEST_CASE("solids standing on a box touch in the middle of their bases") {
    for (const double gap : gaps()) {
        const PlacedSolid floor = at(Box{2, 2, 0.25}, {0, 0, 0});
        const Vec3 middle{0.25, -0.125, 0.125}, here = Vec3::Constant(1e-9);
        check_within(floor, at(Cylinder{3, 0.25, 0.5}, {0.25, -0.125, 0.375 + gap}), gap, middle, here);
        check_within(floor, at(Cone{3, 0.25, 0.5}, {0.25, -0.125, 0.125 + gap}), gap, middle, here);
        check_within(floor, at(Cone{3, 0.25, 0.5, 0.125}, {0.25, -0.125, 0.125 + gap}), gap, middle, here);
        check_within(floor, at(Beam{1, 0.5, 0.25, 0.125}, {0.25, -0.125, 0.1875 + gap}), gap, middle, here);
        check_within(floor, at(cube_mesh({0.25, 0.25, 0.125}), {0.25, -0.125, 0.25 + gap}), gap, middle, here);
    }
}

TEST_CASE("an ellipsoid above a tilted plane") {
    // Its extent along n is |(a nx, b ny, c nz)|; the box is turned so that its face normal is n.
    const Vec3 half{0.1, 0.15, 0.2}, n = Vec3{2, 3, 6} / 7;
    const Mat3 R = Quat::FromTwoVectors(Vec3::UnitZ(), n).toRotationMatrix();
    const double extent = half.cwiseProduct(n).norm();
    for (const double gap : {0.01, 0.0, -0.01}) {
        CAPTURE(gap);
        const PlacedSolid B{Box{2, 2, 0.5}, 0, {R, (extent + gap + 0.25) * n}};
        const SignedDistance found = ask(at(Ellipsoid{0.2, 0.3, 0.4}, {0, 0, 0}), B);
        CHECK(std::abs(found.distance - gap) < 2e-16);
        CHECK((found.normal - n).norm() < 1e-14);
        CHECK((found.point1 - half.cwiseProduct(half).cwiseProduct(n) / extent).norm() < 1e-14);
    }
}

TEST_CASE("solids in each other: the shortest way out") {
    CHECK(ask(at(Sphere{0.5}, {0, 0, 0}), at(Sphere{0.25}, {0, 0, 0})).distance == -0.375);
    CHECK(ask(at(Box{1, 2, 0.5}, {0, 0, 0}), at(Box{0.5, 0.5, 0.25}, {0, 0, 0})).distance == -0.375);
    CHECK(ask(at(Box{1, 2, 0.5}, {0, 0, 0}), at(Sphere{0.25}, {0, 0, 0})).distance == -0.375);
    CHECK(ask(at(Capsule{1, 0.25, 1}, {0, 0, 0}), at(Capsule{2, 0.5, 1}, {0, 0, 0})).distance == -0.375);
    CHECK(std::abs(ask(at(Cylinder{3, 0.5, 2}, {0, 0, 0}), at(Box{4, 4, 0.25}, {0, 0, 0})).distance + 1.125) < 1e-15);
    CHECK(std::abs(ask(at(Cylinder{3, 0.5, 2}, {0, 0, 0}), at(Cylinder{3, 0.5, 2}, {0, 0, 0})).distance + 0.5) < 1e-15);
}

TEST_CASE("smoothing leaves faces where they are") {
    for (const double gap : gaps())
        for (const double rho : {0x1p-9, 0x1p-7}) {
            CAPTURE(rho);
            CAPTURE(gap);
            const SignedDistance boxes =
                ask(at(Box{0.5, 0.5, 0.5}, {0, 0, 0}, rho), at(Box{0.5, 0.5, 0.25}, {0.25, 0.125, 0.375 + gap}, rho));
            CHECK(boxes.distance == gap);
            const SignedDistance cylinder =
                ask(at(Box{2, 2, 0.25}, {0, 0, 0}, rho), at(Cylinder{1, 0.25, 0.5}, {0.25, -0.125, 0.25 + gap}, rho));
            CHECK(std::abs(cylinder.distance - gap) < 1e-16);
        }
}

TEST_CASE("an apex that comes out of the base is pushed back through the flank, without a search down to rounding") {
    const Shape cone = Cone{.axis = 3, .diameter = 0.2, .length = 0.2};
    const Vec3 n = Vec3{2, 0, 1}.normalized(), apex{0.07, 0, -0.003};  // the flank's normal; below the base
    for (const double degrees : {55.0, 60.0, 65.0, 70.0, 75.0, 80.0, 85.0}) {
        CAPTURE(degrees);
        const double angle = degrees * std::numbers::pi / 180;
        const Vec3 down{-std::cos(angle), 0, -std::sin(angle)};  // from base to apex of the second cone
        Mat3 R;
        R << Vec3::UnitY().cross(down), Vec3::UnitY(), down;
        const SignedDistance found = ask({cone, 0, {I, Vec3::Zero()}}, {cone, 0, {R, apex - 0.2 * down}});
        CHECK(std::abs(found.distance - n.dot(apex - Vec3{0.1, 0, 0})) < 1e-15);
        CHECK((found.normal - n).norm() < 1e-13);
        CHECK((found.point2 - apex).norm() < 1e-13);
        CHECK(found.guarantee <= Guarantee::local);
        CHECK(found.iterations < 20);
    }
}

// The curvature of the needle changes within a ten-thousandth of a radian, faster than Newton's method takes for granted.
TEST_CASE("a sphere beside a needle: both points belong to the normal") {
    const Vec3 half{0x1p-13, 0x1.4p-13, 0.5};
    const double radius = 0.75;
    const PlacedSolid needle = at(Ellipsoid{2 * half.x(), 2 * half.y(), 2 * half.z()}, {0, 0, 0});
    for (int k = 0; k < 400; ++k) {
        CAPTURE(k);
        // Normals that are broadside but for about the ratio of the lengths, and the point of the needle where they are.
        const double around = 0.1 + 0.2 * k, gap = 0.01 + 0.0005 * k;
        const Vec3 n = Vec3{std::cos(around), std::sin(around), 2e-5 * (k + 1)}.normalized();
        const Vec3 point = half.cwiseProduct(half).cwiseProduct(n) / half.cwiseProduct(n).norm();
        const PlacedSolid ball = at(Sphere{2 * radius}, point + (radius + gap) * n);
        const SignedDistance found = ask(ball, needle);
        CHECK(std::abs(found.distance - gap) < 1e-15);
        CHECK((found.normal + n).norm() < 1e-10);
        CHECK((found.point2 - found.point1 - found.distance * found.normal).norm() < 4e-13);
        CHECK(found.guarantee == Guarantee::exact);
    }
}

// The triangle of edge and capsule is a hundred thousand times as long as it is wide: its normal has only eleven digits.
TEST_CASE("a tiny capsule across a long edge has the distance of the edge, whichever of them is first") {
    const Vec3 along{0.8, 0.6, 0};
    Mesh wedge;
    wedge.vertices = {0.5 * along, -0.5 * along, {-0.3, 0.4, -0.6}, {0.3, -0.4, -0.6}};
    const double gap = 0x1p-18, radius = 0x1p-20;  // [m]
    const Shape capsule = Capsule{1, 2 * radius, 0x1p-16};
    Random random{7};
    for (int k = 0; k < 200; ++k) {
        CAPTURE(k);
        const Mat3 Q = random.rotation(), turn = rotation_about(Vec3::UnitX(), random.uniform(-0.3, 0.3)) *
                                                 rotation_about(Vec3::UnitZ(), 1.4 + 0.008 * k).toRotationMatrix();
        const Vec3 across = along.cross(turn.col(0)).normalized();
        const PlacedSolid edge{wedge, 0, {Q, {0, 0, 0}}};
        const PlacedSolid small{capsule, 0, {Q * turn, Q * ((gap + radius) * across + 0x1p-19 * turn.col(0))}};
        CHECK(std::abs(ask(edge, small).distance - gap) < 1e-16);
        CHECK(std::abs(ask(small, edge).distance - gap) < 1e-16);
    }
}

// The triangle that is closest has two corners close together on a rim: what its weights say is not where it is closest.
TEST_CASE("a cylinder beside the edge of a cube, parallel but for a trillionth: both points belong to their solids") {
    const double gap = 0.125, radius = 0.125, half = 0.5;  // [m]
    Random random{3};
    for (int k = 0; k < 4000; ++k) {
        CAPTURE(k);
        const Vec3 tilt = random.vector(1e-12);  // [rad]
        Mat3 R;
        R << 1, -tilt.z(), tilt.y(), tilt.z(), 1, -tilt.x(), -tilt.y(), tilt.x(), 1;
        const double angle = random.uniform(0.1, 1.4);
        const Vec3 n{std::cos(angle), 0, std::sin(angle)};  // looks away from the edge that runs along y
        const Vec3 middle = Vec3{0.25, random.uniform(-0.9, 0.9), 0.25} + (radius + gap) * n;
        const PlacedSolid cube = at(cube_mesh({0.25, half, 0.25}), {0, 0, 0});
        const PlacedSolid cylinder{Cylinder{2, 2 * radius, 2 * half}, 0, {R, middle}};
        const SignedDistance found = ask(cube, cylinder);
        CHECK(std::abs(found.distance - gap) < 5e-12);
        CHECK(std::abs(found.point1.y()) < half + 5e-13);
        CHECK(std::abs((R.transpose() * (found.point2 - middle)).y()) < half + 5e-13);
    }
}

// The vertex of an octahedron beside the flank of a cone that is long and thin. Both are symmetric to the plane of vertex and
// axis, and so is every portal in it: flat, and no proof that the origin lies between it and the inner point.
TEST_CASE("an octahedron and a long cone in a common plane of symmetry are as far apart as vertex and flank") {
    const double length = 128, radius = 0.75, slant = std::hypot(length, radius);  // [m]
    for (const Vec3& half : {Vec3{4, 2, 3}, Vec3{2, 4, 3}, Vec3{3.5, 2.5, 4.25}})
        for (const double along : {32.0, 60.0, 64.0, 90.0})
            for (const double gap : {0.0078125, 0.375, 1.0}) {
                CAPTURE(half.transpose());
                CAPTURE(along);
                CAPTURE(gap);
                Mesh octahedron;
                for (int i = 0; i < 3; ++i)
                    for (const double sign : {1.0, -1.0}) octahedron.vertices.push_back(sign * half[i] * Vec3::Unit(i));
                // From the axis to the vertex, across it: the flank looks a little upwards.
                const double across = radius * (1 - along / length) + gap * slant / length;
                const PlacedSolid cone = at(Cone{3, 2 * radius, length}, {0, 0, 0});
                const PlacedSolid beside = at(octahedron, {half.x() + across, 0, along});
                for (const bool exchanged : {false, true}) {
                    const SignedDistance found = exchanged ? ask(beside, cone) : ask(cone, beside);
                    CHECK(std::abs(found.distance - gap) < 1e-13);
                    CHECK(found.guarantee == Guarantee::exact);
                }
            }
}
