// Smoothed shapes (the thesis, section 6.2.2): while they penetrate by less than both radii, the depth is exact and the
// contact moves without jumps, also over edges and corners (figure 6.10).
#include "tests/support/solids.hpp"

#include <doctest/doctest.h>

using namespace tactus;
using namespace tactus::test;

namespace {

constexpr double rho = 0.005;  // [m]

// Largest changes between the samples of a sweep, as multiples of the step.
struct Changes {
    double distance = 0, normal = 0, point1 = 0, point2 = 0;
    double deepest = 0;  // [m]
};

// B moves from `from` to `to`, both in world axes, in equal steps.
Changes sweep(const PlacedSolid& A, PlacedSolid B, const Vec3& from, const Vec3& to, int steps) {
    Changes changes;
    SignedDistance last;
    const double step = (to - from).norm() / steps;
    PairCache cache;
    for (int i = 0; i <= steps; ++i) {
        B.X.p = from + (to - from) * i / steps;
        const SignedDistance now = ask(A, B, i % 2 ? &cache : nullptr);  // cold and warm queries must agree, too
        CHECK(now.guarantee == Guarantee::exact);
        changes.deepest = std::max(changes.deepest, -now.distance);
        if (i > 0) {
            changes.distance = std::max(changes.distance, std::abs(now.distance - last.distance) / step);
            changes.normal = std::max(changes.normal, (now.normal - last.normal).norm() / step);
            changes.point1 = std::max(changes.point1, (now.point1 - last.point1).norm() / step);
            changes.point2 = std::max(changes.point2, (now.point2 - last.point2).norm() / step);
        }
        last = now;
    }
    return changes;
}

// Of cores at least `core` apart, moved by a step: the vector between the nearest points changes by a step at most (the
// projection onto a convex set does not stretch), its direction by step / core.
void check_smooth(const Changes& c, double core, double radius1, double radius2) {
    CHECK(c.distance < 1 + 1e-6);
    CHECK(c.normal < 1 / core);
    CHECK(c.point1 < 2 + radius1 / core);
    CHECK(c.point2 < 2 + radius2 / core);
}

}  // namespace

TEST_CASE("a ball slides over edges, rims and corners of smoothed shapes without a jump") {
    // Ball of radius 20 mm, penetrating 15 mm of the 25 mm of both radii: the cores are 10 mm apart.
    const double radius = 0.02, depth = 0.015;
    const Vec3 half{0.1, 0.08, 0.06};
    const double height = half.z() + radius - depth;
    const std::pair<std::string, PlacedSolid> shapes[] = {
        {"box", {Box{0.2, 0.16, 0.12}, rho}},
        {"mesh", {cube_mesh(half), rho}},
        {"cylinder", {Cylinder{3, 0.2, 0.12}, rho}},
        {"frustum", {Cone{3, 0.24, 0.12, 0.18}, rho, {Mat3::Identity(), {0, 0, -0.06}}}},
        {"beam", {Beam{1, 0.1, 0.16, 0.12}, rho}},
    };
    const std::pair<std::string, PlacedSolid> balls[] = {
        {"sphere", {Sphere{2 * radius}, 0}},                                       // closed forms
        {"ellipsoid", {Ellipsoid{2 * radius, 2 * radius, 2.000001 * radius}, 0}},  // the general way
    };
    for (const auto& [name, A] : shapes)
        for (const auto& [ball, B] : balls)
            for (const Vec3& to : {Vec3{0.2, 0.013, height}, Vec3{0.007, 0.2, height}, Vec3{0.2, 0.16, height},
                                   Vec3{0.1, 0.2, height}}) {
                INFO(name, " and ", ball, ", towards ", to.transpose());
                const Changes c = sweep(A, B, {0, 0.003, height}, to, 800);
                CHECK(c.deepest < depth + 1e-6);
                CHECK(c.deepest > depth - 1e-6);
                check_smooth(c, rho + radius - depth - 1e-4, rho, radius);
            }
}

TEST_CASE("a ball slides along a side of smoothed shapes and over their rims without a jump") {
    const double radius = 0.02;
    const PlacedSolid sphere{Sphere{2 * radius}, 0};
    const std::pair<std::string, PlacedSolid> shapes[] = {
        {"box", {Box{0.2, 0.16, 0.12}, rho}},
        {"mesh", {cube_mesh({0.1, 0.08, 0.06}), rho}},
        {"cylinder", {Cylinder{3, 0.2, 0.12}, rho}},
        {"cone", {Cone{3, 0.2, 0.2}, rho, {Mat3::Identity(), {0, 0, -0.06}}}},
    };
    for (const auto& [name, A] : shapes) {
        INFO(name);
        const double x = 0.1 + radius - 0.015;
        const Changes c = sweep(A, sphere, {x, 0.003, -0.15}, {x, 0.003, 0.15}, 1500);
        CHECK(c.deepest > 0.009);
        check_smooth(c, rho + radius - c.deepest - 1e-4, rho, radius);
    }
}

TEST_CASE("a ball slides over the rounded tip of a cone without a jump") {
    const double radius = 0.02, sine = 0.1 / std::hypot(0.1, 0.2);
    const PlacedSolid A{Cone{3, 0.2, 0.2}, rho};
    const double tip = 0.2 - rho / sine + rho;  // of the rounded cone
    const double height = tip + radius - 0.015;
    const Changes c = sweep(A, {Sphere{2 * radius}, 0}, {-0.05, 0.0001, height}, {0.1, 0.0001, height}, 1500);
    CHECK(c.deepest > 0.0149);
    check_smooth(c, rho + radius - c.deepest - 1e-4, rho, radius);
}

TEST_CASE("a smoothed box slides over edges of another without a jump") {
    Random random{1};
    for (int i = 0; i < 6; ++i) {
        CAPTURE(i);
        const PlacedSolid A{Box{0.2, 0.16, 0.12}, rho};
        PlacedSolid B{Box{0.1, 0.12, 0.08}, rho, {random.rotation(), {0, 0, 1}}};
        const double down = static_cast<double>(B.reference().extent(RealVec{0, 0, -1})) + 1;  // below its centre
        const Vec3 start{0.01, 0.02, 0.06 + down - 0.006};  // 6 mm deep; cores 4 mm apart
        const Changes c =
            sweep(A, B, start, start + Vec3{random.uniform(0.15, 0.2), random.uniform(0.1, 0.2), 0}, 2000);
        CHECK(c.deepest > 0.0059);
        CHECK(c.deepest < 0.0061);
        CHECK(c.distance < 1 + 1e-6);
        CHECK(c.normal < 1 / 0.0039);
    }
}

TEST_CASE("without smoothing the normal jumps where a ball's centre gets into a box") {
    // The measure above does see jumps: at the bisector of the edge the nearest face changes, by 90 degrees.
    const PlacedSolid A{Box{0.2, 0.16, 0.12}, 0}, B{Sphere{0.04}, 0};
    const Changes c = sweep(A, B, {0, 0.003, 0.05}, {0.2, 0.003, 0.05}, 1000);
    CHECK(c.normal > 1.0 / 0.0002);  // of a step of 0.2 mm
}

TEST_CASE("smoothed shapes that penetrate by less than both radii have the exact depth") {
    double worst = 0;
    int count = 0;
    const int smoothed[] = {box_kind, cylinder_kind, cone_kind, frustum_kind, capsule_kind, beam_kind, sphere_kind};
    for (const int a : smoothed)
        for (const int b : smoothed)
            for (int i = 0; i < 4; ++i) {
                const auto seed = static_cast<std::uint64_t>(100 * (kinds * a + b) + i);
                Random random{seed};
                PlacedSolid A = random_solid(a, rho, random), B = random_solid(b, rho, random);
                const double both = A.collision.radius + B.collision.radius;
                approach(A, B, -random.uniform(0.05, 0.95) * both, random);
                INFO(kind_name(a), " and ", kind_name(b), ", seed ", seed);
                const SignedDistance found = ask(A, B);
                const double wanted = reference(A, B).distance;
                CHECK(found.guarantee == Guarantee::exact);
                CHECK(std::abs(found.distance - wanted) < 1e-13);
                worst = std::max(worst, std::abs(found.distance - wanted));
                ++count;
            }
    MESSAGE(count << " pairs, worst error " << worst << " m");
}

TEST_CASE("a smoothed mesh of a cube is a smoothed box") {
    Random random{2};
    for (int i = 0; i < 200; ++i) {
        CAPTURE(i);
        const Vec3 half{0.1, 0.08, 0.06};
        const Frame X{random.rotation(), random.vector(0.1)};
        const PlacedSolid mesh{cube_mesh(half), rho, X}, box{Box{0.2, 0.16, 0.12}, rho, X};
        PlacedSolid B = random_solid(i % mesh_kind, rho, random);
        approach(box, B, random.uniform(-0.009, 0.02), random);
        const SignedDistance of_mesh = ask(mesh, B), of_box = ask(box, B);
        CHECK(std::abs(of_mesh.distance - of_box.distance) < 1e-14);
        CHECK((of_mesh.normal - of_box.normal).norm() < 1e-7);
    }
}
