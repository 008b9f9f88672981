// Collision shapes against the nominal surfaces that they stand for: support points, smoothing, bounds.
#include <tactus/engine/shapes/collision_shape.hpp>

#include "tests/support/compare.hpp"
#include "tests/support/solids.hpp"

#include <doctest/doctest.h>

#include <numbers>

using namespace tactus;
using namespace tactus::test;

namespace {

constexpr double rounding = 1e-15;  // [m] some roundings of numbers of up to 0.2 m

// Every kind with random lengths, about every axis.
std::vector<std::pair<std::string, Shape>> all_shapes(Random& random) {
    std::vector<std::pair<std::string, Shape>> shapes;
    for (int kind = 0; kind < kinds; ++kind)
        for (int axis = 1; axis <= 3; ++axis)
            shapes.emplace_back(kind_name(kind) + ", axis " + std::to_string(axis), random_shape(kind, random, axis));
    return shapes;
}

// Vector with x along the given axis (1, 2, 3) and the rest cyclically.
Vec3 about_axis(int axis, const Vec3& v) {
    Vec3 result;
    for (int i = 0; i < 3; ++i) result[(axis - 1 + i) % 3] = v[i];
    return result;
}

// Outward normals of all faces, of curved ones at many places, with the nominal distance of each face from the origin.
struct FaceNormal {
    Vec3 n;
    double distance;
};

std::vector<FaceNormal> faces(const Shape& shape) {
    std::vector<FaceNormal> found;
    const auto around = [&](int axis, double along, double across, double distance) {
        for (int i = 0; i < 12; ++i) {
            const double angle = std::numbers::pi / 6 * i;
            found.push_back(
                {about_axis(axis, {along, across * std::cos(angle), across * std::sin(angle)}).normalized(), distance});
        }
    };
    const auto both = [&](int axis, const Vec3& n, double distance) {
        found.push_back({about_axis(axis, n), distance});
        found.push_back({about_axis(axis, -n), distance});
    };
    if (const auto* s = std::get_if<Box>(&shape)) {
        const double length[3] = {s->length_x, s->length_y, s->length_z};
        for (int i = 0; i < 3; ++i) both(i + 1, Vec3::UnitX(), 0.5 * length[i]);
    } else if (const auto* c = std::get_if<Cylinder>(&shape)) {
        both(c->axis, Vec3::UnitX(), 0.5 * c->length);
        around(c->axis, 0, 1, 0.5 * c->diameter);
    } else if (const auto* k = std::get_if<Cone>(&shape)) {
        // The flank is the line from (0, r) to (L, t): normal (r - t, L) / slant, distance r L / slant.
        const double r = 0.5 * k->diameter, t = 0.5 * k->top_diameter, slant = std::hypot(r - t, k->length);
        found.push_back({about_axis(k->axis, -Vec3::UnitX()), 0});
        if (t > 0) found.push_back({about_axis(k->axis, Vec3::UnitX()), k->length});
        around(k->axis, (r - t) / slant, k->length / slant, r * k->length / slant);
    } else if (const auto* b = std::get_if<Beam>(&shape)) {
        both(b->axis, Vec3::UnitZ(), 0.5 * b->thickness);
        both(b->axis, Vec3::UnitY(), 0.5 * b->width);
        both(b->axis, Vec3::UnitX(), 0.5 * (b->length + b->width));
    }
    return found;
}

}  // namespace

TEST_CASE("support points lie on the nominal surface, and no point of it lies farther out") {
    Random random{1};
    for (const auto& [name, shape] : all_shapes(random)) {
        CAPTURE(name);
        const CollisionShape c = collision_shape(shape, 0);
        const NominalSolid nominal{shape};
        std::vector<Vec3> surface;
        for (int i = 0; i < 3000; ++i) surface.push_back(nominal.surface_point(random.direction()));
        double off = 0, beyond = 0;
        for (int i = 0; i < 206; ++i) {
            const Vec3 n = i < 6 ? Vec3{Vec3::Unit(i / 2) * (i % 2 ? 1 : -1)} : random.direction();
            const Vec3 p = support_point(c, random.uniform(0.1, 10) * n);
            off = std::max(off, std::abs(nominal.level(p)));
            for (const Vec3& q : surface) beyond = std::max(beyond, n.dot(q - p));
        }
        CHECK(off < rounding);
        CHECK(beyond < rounding);
    }
}

TEST_CASE("smoothed shapes touch every nominal face") {
    Random random{2};
    for (const auto& [name, shape] : all_shapes(random))
        for (const double rho : {0.0, 1e-3, 0.004, 1.0}) {
            CAPTURE(name);
            CAPTURE(rho);
            const CollisionShape c = collision_shape(shape, rho);
            for (const auto& [n, distance] : faces(shape)) {
                CAPTURE(n.transpose());
                CHECK(std::abs(n.dot(support_point(c, n)) - distance) < rounding);
            }
        }
}

TEST_CASE("a smoothed mesh touches its faces: a cube, and an octahedron") {
    const Vec3 half{0.1, 0.06, 0.05};
    for (const double rho : {0.0, 1e-3, 1.0}) {
        CAPTURE(rho);
        const CollisionShape cube = collision_shape(cube_mesh(half), rho);
        for (int i = 0; i < 6; ++i) {
            const Vec3 n = Vec3::Unit(i / 2) * (i % 2 ? 1 : -1);
            CHECK(std::abs(n.dot(support_point(cube, n)) - half[i / 2]) < rounding);
        }
        Mesh eight;  // faces x/a + y/b + z/c = 1
        for (int i = 0; i < 6; ++i) eight.vertices.push_back(half[i / 2] * (i % 2 ? 1 : -1) * Vec3::Unit(i / 2));
        const CollisionShape octahedron = collision_shape(eight, rho);
        for (int i = 0; i < 8; ++i) {
            const Vec3 n = Vec3{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0}.cwiseQuotient(half);
            CHECK(std::abs(n.normalized().dot(support_point(octahedron, n)) - 1 / n.norm()) < rounding);
        }
    }
}

TEST_CASE("smoothed shapes stay within the nominal ones") {
    Random random{3};
    for (const auto& [name, shape] : all_shapes(random))
        for (const double rho : {1e-3, 1.0}) {
            CAPTURE(name);
            CAPTURE(rho);
            const CollisionShape c = collision_shape(shape, rho);
            const NominalSolid nominal{shape};
            double out = -1;
            for (int i = 0; i < 2000; ++i) out = std::max(out, nominal.level(support_point(c, random.direction())));
            CHECK(out < rounding);
        }
}

TEST_CASE("smoothing rounds edges by their known amounts") {
    // A ball in a right-angled corner leaves rho (sqrt(3) - 1) of it, in an edge rho (sqrt(2) - 1).
    const double rho = 0.004, root2 = std::sqrt(2.0), root3 = std::sqrt(3.0);
    const Vec3 corner{0.1, 0.08, 0.06};
    const CollisionShape box = collision_shape(Box{0.2, 0.16, 0.12}, rho);
    const Vec3 diagonal = Vec3::Ones() / root3;
    CHECK((support_point(box, diagonal) - (corner - rho * (root3 - 1) * diagonal)).norm() < rounding);
    const CollisionShape cylinder = collision_shape(Cylinder{3, 0.2, 0.12}, rho);
    const Vec3 rim = Vec3{1, 0, 1} / root2;
    CHECK(std::abs(rim.dot(support_point(cylinder, rim)) - (0.16 / root2 - rho * (root2 - 1))) < rounding);
    // The ball in the tip of a cone of half angle w touches the flank: its centre is rho / sin(w) below the apex.
    const CollisionShape cone = collision_shape(Cone{2, 0.2, 0.2}, rho);
    const double sine = 0.1 / std::hypot(0.1, 0.2);
    CHECK(std::abs(support_point(cone, Vec3::UnitY()).y() - (0.2 - rho / sine + rho)) < rounding);
}

TEST_CASE("the smoothing radius is at most a tenth of the smallest length") {
    const auto radius = [](const Shape& s) { return collision_shape(s, 1.0).radius; };
    CHECK(radius(Box{0.2, 0.05, 0.1}) == doctest::Approx(0.005).epsilon(1e-15));
    CHECK(radius(Cylinder{1, 0.2, 0.1}) == doctest::Approx(0.01).epsilon(1e-15));
    CHECK(radius(Cylinder{1, 0.1, 0.3}) == doctest::Approx(0.01).epsilon(1e-15));
    CHECK(radius(Cone{1, 0.2, 0.1}) == doctest::Approx(0.01).epsilon(1e-15));
    CHECK(radius(Cone{1, 0.2, 0.3, 0.1}) == doctest::Approx(0.02).epsilon(1e-15));
    CHECK(radius(Beam{1, 0.2, 0.1, 0.05}) == doctest::Approx(0.005).epsilon(1e-15));
    CHECK(radius(cube_mesh({0.1, 0.05, 0.2})) == doctest::Approx(0.01).epsilon(1e-13));  // a tenth of 0.1
    CHECK(radius(Ellipsoid{0.1, 0.2, 0.3}) == 0);
    CHECK(radius(Sphere{0.1}) == 0.05);  // their balls are the shapes themselves
    CHECK(radius(Capsule{1, 0.1, 0.3}) == 0.05);
    CHECK(collision_shape(Box{1, 1, 1}, 0.02).radius == 0.02);
    CHECK(collision_shape(Box{1, 1, 1}, 0).radius == 0);
}

TEST_CASE("the centroid is that of the nominal volume, by points of a grid") {
    Random random{4};
    for (const auto& [name, shape] : all_shapes(random)) {
        CAPTURE(name);
        const NominalSolid nominal{shape};
        Vec3 sum = Vec3::Zero();
        long inside = 0;
        constexpr int n = 60;
        constexpr double reach = 0.22, cell = 2 * reach / n;
        for (int i = 0; i < n * n * n; ++i) {
            const Vec3 p = Vec3::Constant(-reach) + cell * Vec3{i % n + 0.5, static_cast<double>(i / n % n) + 0.5,
                                                                static_cast<double>(i / n / n) + 0.5};
            if (nominal.level(p) > 0) continue;
            sum += p;
            ++inside;
        }
        // A face along the grid is misplaced by half a cell at most, the middle by half of that. Smoothing moves nothing.
        for (const double rho : {0.0, 1.0})
            CHECK((collision_shape(shape, rho).centroid - sum / static_cast<double>(inside)).norm() < 0.25 * cell);
    }
    CHECK(collision_shape(Cone{2, 0.2, 0.3}, 0).centroid.y() == doctest::Approx(0.075).epsilon(1e-15));  // L / 4
    const Mesh tetrahedron{.vertices = {{0, 0, 0}, {0.1, 0, 0}, {0, 0.2, 0}, {0, 0, 0.4}}};  // mean of the corners
    CHECK((collision_shape(tetrahedron, 0).centroid - Vec3{0.025, 0.05, 0.1}).norm() < rounding);
}

TEST_CASE("size is the largest distance from the centroid") {
    Random random{5};
    for (const auto& [name, shape] : all_shapes(random))
        for (const double rho : {0.0, 1e-3, 1.0}) {
            CAPTURE(name);
            CAPTURE(rho);
            const CollisionShape c = collision_shape(shape, rho);
            double farthest = 0;
            for (int i = 0; i < 5000; ++i)
                farthest = std::max(farthest, (support_point(c, random.direction()) - c.centroid).norm());
            CHECK(farthest <= c.size + rounding);
            CHECK(farthest > 0.99 * c.size);
        }
}

TEST_CASE("roundness is the smallest radius of curvature") {
    CHECK(collision_shape(Sphere{0.2}, 0).roundness == 0.1);
    CHECK(collision_shape(Capsule{3, 0.2, 0.2}, 0).roundness == 0.1);
    // An ellipse with the half axes a > c has the radius of curvature c^2 / a where it is sharpest.
    CHECK(collision_shape(Ellipsoid{0.4, 0.2, 0.3}, 0).roundness == doctest::Approx(0.05).epsilon(1e-15));
    CHECK(collision_shape(Ellipsoid{0.2, 0.2, 0.2}, 0).roundness == 0.1);  // a sphere
    CHECK(collision_shape(Box{1, 1, 1}, 0).roundness == 0);
    CHECK(collision_shape(Box{1, 1, 1}, 0.01).roundness == 0.01);
    CHECK(collision_shape(cube_mesh({1, 1, 1}), 0.01).roundness == 0.01);
}

TEST_CASE("a ball of the roundness rolls inside an ellipsoid") {
    // Support points turn at least as far as the ball's: (p(m) - p(n)).(m - n) >= roundness |m - n|^2.
    Random random{6};
    const CollisionShape c = collision_shape(Ellipsoid{0.4, 0.2, 0.3}, 0);
    double least = 1e300;
    for (int i = 0; i < 20000; ++i) {
        const Vec3 n = random.direction(), m = (n + 0.1 * random.direction()).normalized();
        least = std::min(least, (support_point(c, m) - support_point(c, n)).dot(m - n) / (m - n).squaredNorm());
    }
    CHECK(least >= c.roundness);
    CHECK(least < 1.1 * c.roundness);
}

TEST_CASE("a loose box holds every support point with room on each side") {
    Random random{7};
    for (const auto& [name, shape] : all_shapes(random))
        for (const double rho : {0.0, 1e-3}) {
            CAPTURE(name);
            CAPTURE(rho);
            const CollisionShape c = collision_shape(shape, rho);
            for (int k = 0; k < 5; ++k) {
                const Mat3 R = random.rotation();
                const Vec3 p = random.vector(1);
                const Aabb box = loose_aabb(c, R, p);
                double room = 1e300;
                for (int i = 0; i < 500; ++i) {
                    const Vec3 n = i < 6 ? Vec3{Vec3::Unit(i / 2) * (i % 2 ? 1 : -1)} : random.direction();
                    const Vec3 q = p + R * support_point(c, R.transpose() * n);
                    room = std::min({room, (box.max - q).minCoeff(), (q - box.min).minCoeff()});
                }
                // 0.5 % of a sphere's radius, of the largest extent of another shape; never none.
                const double extent = (box.max - box.min).maxCoeff();
                const double margin = shape.index() == 0 ? 0.005 * c.radius : 0.005 * extent / 1.01;
                CHECK(std::abs(room - margin) < 2e-15);
                CHECK(room > 0);
            }
        }
}

TEST_CASE("loose boxes of known size") {
    const Mat3 I = Mat3::Identity();
    const Vec3 p{1, 2, 3};
    const Aabb ball = loose_aabb(collision_shape(Sphere{0.2}, 0), I, p);
    CHECK((ball.max - Vec3{1.1005, 2.1005, 3.1005}).norm() < 1e-15);
    CHECK((ball.min - Vec3{0.8995, 1.8995, 2.8995}).norm() < 1e-15);
    const Aabb box = loose_aabb(collision_shape(Box{0.2, 0.1, 0.4}, 0.001), I, p);  // 0.5 % of 0.4 m: 2 mm
    CHECK((box.max - Vec3{1.102, 2.052, 3.202}).norm() < 1e-15);
    CHECK((box.min - Vec3{0.898, 1.948, 2.798}).norm() < 1e-15);
}

TEST_CASE("shapes without a volume do not collide, and say so") {
    CHECK(contains(input_error([] { collision_shape(Grid{}, 0); }), "only solid shapes"));
    CHECK(contains(input_error([] { collision_shape(Text{}, 0); }), "only solid shapes"));
    CHECK(contains(input_error([] { collision_shape(Mesh{}, 0); }), "not been loaded"));
    const Mesh flat{.vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}}};
    CHECK(contains(input_error([&] { collision_shape(flat, 0); }), "one plane"));
}
