#include <tactus/engine/glm.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/rotation.hpp>

#include <doctest/doctest.h>

#include <numbers>
#include <random>

using namespace tactus;

namespace {
constexpr double pi = std::numbers::pi;
}

// Reference: the rotation-helper checks of the original program (cases.json, TestFrames). There R maps parent to object
// coordinates; ours is its transpose.
TEST_CASE("Cardan angles x-y-z of a quarter turn each give the published matrix") {
    Mat3 published;
    published << 0, 0, 1, 0, -1, 0, 1, 0, 0;
    CHECK((from_cardan_xyz({pi / 2, pi / 2, pi / 2}).toRotationMatrix().transpose() - published).norm() < 1e-15);
}

TEST_CASE("a rotation turns a vector back exactly as far as it turned it") {
    const Vec3 v{1, -2, 3};
    const Vec3 angles = Vec3{30, 40, 50} * pi / 180;
    for (const Quat& q : {from_cardan_xyz(angles), from_cardan_xzy(angles)})
        CHECK((q.conjugate() * (q * v) - v).norm() < 1e-15);
}

TEST_CASE("Cardan x-y-z turns about the own axes, one after the other") {
    const Vec3 a{0.3, -0.7, 1.1};
    Mat3 x, y, z;
    x << 1, 0, 0, 0, std::cos(a[0]), -std::sin(a[0]), 0, std::sin(a[0]), std::cos(a[0]);
    y << std::cos(a[1]), 0, std::sin(a[1]), 0, 1, 0, -std::sin(a[1]), 0, std::cos(a[1]);
    z << std::cos(a[2]), -std::sin(a[2]), 0, std::sin(a[2]), std::cos(a[2]), 0, 0, 0, 1;
    CHECK((from_cardan_xyz(a).toRotationMatrix() - x * y * z).norm() < 1e-15);
    CHECK((from_cardan_xzy({a[0], a[2], a[1]}).toRotationMatrix() - x * z * y).norm() < 1e-15);
}

TEST_CASE("to_cardan_xyz inverts from_cardan_xyz, also in the singular position") {
    std::mt19937 random{7};
    std::uniform_real_distribution<double> wide{-pi, pi}, narrow{-pi / 2, pi / 2};
    for (int i = 0; i < 1000; ++i) {
        const Vec3 angles{wide(random), i % 10 == 0 ? (i % 20 == 0 ? pi / 2 : -pi / 2) : narrow(random), wide(random)};
        CAPTURE(angles.transpose());
        const Quat q = from_cardan_xyz(angles);
        CHECK(from_cardan_xyz(to_cardan_xyz(q)).angularDistance(q) < 1e-7);  // sqrt(eps): acos near 1
        CHECK((from_cardan_xyz(to_cardan_xyz(q)).toRotationMatrix() - q.toRotationMatrix()).norm() < 1e-14);
    }
}

TEST_CASE("poses compose as homogeneous matrices do, and their inverse undoes them") {
    const Pose X_AB{{1, 2, 3}, from_cardan_xyz({0.1, 0.2, 0.3})};
    const Pose X_BC{{-4, 5, 6}, from_cardan_xyz({-1, 0.5, 2})};
    const Vec3 p_C{7, 8, 9};
    CHECK((X_AB * X_BC * p_C - X_AB * (X_BC * p_C)).norm() < 1e-14);
    CHECK((X_AB.inverse() * (X_AB * p_C) - p_C).norm() < 1e-14);
    CHECK(((X_AB * X_AB.inverse()).p).norm() < 1e-15);
}

TEST_CASE("skew(r) s is the cross product") {
    const Vec3 r{1, 2, 3}, s{-4, 5, 0.5};
    CHECK((skew(r) * s - r.cross(s)).norm() == 0.0);
}

TEST_CASE("an axis is a coordinate direction or a vector made unit") {
    CHECK(Axis{2}.unit() == Vec3{0, 1, 0});
    CHECK(Axis{-3}.unit() == Vec3{0, 0, -1});
    CHECK((Axis{3, 0, 4}.unit() - Vec3{0.6, 0, 0.8}).norm() < 1e-16);
}

TEST_CASE("a pose given to glm moves a point as the pose does") {
    const Pose X{{1, 2, 3}, from_cardan_xyz({0.4, -0.5, 0.6})};
    const Vec3 p{7, 8, 9};
    const glm::dvec4 moved = to_glm(X) * glm::dvec4{to_glm(p), 1.0};
    CHECK((X * p - Vec3{moved.x, moved.y, moved.z}).norm() < 1e-14);
    CHECK(moved.w == 1.0);
}
