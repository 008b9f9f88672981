// The integrals over what a triangle mesh encloses.
#include "tests/engine/shapes/triangle_mesh.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <random>
#include <utility>
#include <vector>

using namespace tactus;
using namespace tactus::test::meshes;
using test::difference;

namespace {

// Vertices on the sphere of radius 1: an icosahedron, each triangle cut in four `levels` times.
TriangleMesh icosphere(int levels) {
    const double g = std::numbers::phi;
    TriangleMesh mesh;
    for (const Vec3& p :
         {Vec3{-1, g, 0}, Vec3{1, g, 0}, Vec3{-1, -g, 0}, Vec3{1, -g, 0}, Vec3{0, -1, g}, Vec3{0, 1, g},
          Vec3{0, -1, -g}, Vec3{0, 1, -g}, Vec3{g, 0, -1}, Vec3{g, 0, 1}, Vec3{-g, 0, -1}, Vec3{-g, 0, 1}})
        mesh.vertices.push_back(p.normalized());
    mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int i, int j) {
            const auto [entry, is_new] =
                middles.try_emplace({std::min(i, j), std::max(i, j)}, static_cast<int>(mesh.vertices.size()));
            if (is_new) {
                const Vec3& a = mesh.vertices[static_cast<std::size_t>(i)];
                const Vec3& b = mesh.vertices[static_cast<std::size_t>(j)];
                mesh.vertices.push_back((a + b).normalized());
            }
            return entry->second;
        };
        Triangles finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        mesh.triangles = std::move(finer);
    }
    return mesh;
}

MassProperties box_at(const Box& box, const Vec3& p) {
    MassProperties m = from_density(box, 1.0);
    m.center_of_mass += p;
    return m;
}

}  // namespace

TEST_CASE("the triangles of a box enclose what the box holds, wherever it is") {
    for (const Vec3& lengths :
         {Vec3{1, 1, 1}, Vec3{1, 2, 3}, Vec3{1e-4, 1, 1e4}, Vec3{1e-6, 1, 1}, Vec3{1e-6, 1e-6, 1}})
        for (const Vec3& centre : {Vec3{0, 0, 0}, Vec3{0.3, -0.4, 0.5}}) {
            CAPTURE(lengths);
            const VolumeIntegrals mesh = loaded_integrals(given(box_corners(lengths, centre), box_triangles()));
            const VolumeIntegrals box = moved(volume_integrals(Shape{Box{lengths[0], lengths[1], lengths[2]}}), centre);
            // A coordinate of size 1 is rounded by 1e-16: relative to the thinnest wall this is the error of the input.
            CHECK(difference(mesh, box) < 1e-15 + 1e-15 * (1.0 + centre.norm()) / lengths.minCoeff());
        }
}

TEST_CASE("each moment of inertia of a needle or plate mesh is as accurate as its own dimensions") {
    const Vec3 lengths{std::ldexp(1.0, -20), 1.0, std::ldexp(1.0, 12)};  // corners are exact binary numbers
    const VolumeIntegrals mesh = loaded_integrals(given(box_corners(lengths), box_triangles()));
    const VolumeIntegrals box = volume_integrals(Shape{Box{lengths[0], lengths[1], lengths[2]}});
    for (int i = 0; i < 3; ++i) CHECK(std::abs(mesh.inertia(i, i) / box.inertia(i, i) - 1.0) < 1e-14);
}

TEST_CASE("a tetrahedron has its textbook volume, centroid and products of inertia") {
    const double a = 0.7, b = 1.1, c = 1.9;
    const VolumeIntegrals v = loaded_integrals(
        given({{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}));
    const double V = a * b * c / 6.0;
    // Integrals of x^2 and x y about the corner are V a^2/10 and V a b/20; less V a^2/16 and V a b/16.
    Mat3 inertia;
    inertia << 3 * (b * b + c * c), a * b, a * c,  //
        a * b, 3 * (a * a + c * c), b * c,         //
        a * c, b * c, 3 * (a * a + b * b);
    CHECK(difference(v, {V, Vec3{a, b, c} / 4.0, V / 80.0 * inertia}) < 2e-15);
    CHECK(v.inertia == v.inertia.transpose());
}

TEST_CASE("a turned and moved mesh has the turned and moved integrals") {
    std::mt19937_64 generator{7};
    std::uniform_real_distribution<> uniform{-1.0, 1.0};
    const auto random = [&] { return uniform(generator); };
    for (int trial = 0; trial < 30; ++trial) {
        const Pose X{Vec3{random(), random(), random()}, Quat{random(), random(), random(), random()}.normalized()};
        const Vec3 lengths{1.1 + random(), 1.1 + random(), 1.1 + random()};
        std::vector<Vec3> corners = box_corners(lengths);
        for (Vec3& p : corners) p = X * p;
        const VolumeIntegrals box = volume_integrals(Shape{Box{lengths[0], lengths[1], lengths[2]}});
        const MassProperties expected = transformed({box.volume, box.centroid, box.inertia}, X);
        CHECK(difference(loaded_integrals(given(corners, box_triangles())),
                         {expected.mass, expected.center_of_mass, expected.inertia}) < 2e-14);
    }
}

TEST_CASE("a mesh 1000 km away keeps the digits of its inertia") {
    const TriangleMesh near = icosphere(3);
    for (const Vec3& far : {Vec3{1e6, 0, 0}, Vec3{-1e6, 1e6, 1e6}}) {
        TriangleMesh away = near, rounded = near;
        for (std::size_t i = 0; i < near.vertices.size(); ++i) {
            away.vertices[i] = near.vertices[i] + far;     // moves each coordinate by up to 6e-11 m: rounded input
            rounded.vertices[i] = away.vertices[i] - far;  // the same rounded surface, near the origin
        }
        const VolumeIntegrals v = volume_integrals(away), exact = volume_integrals(rounded);
        CHECK(std::abs(v.volume / exact.volume - 1.0) < 1e-14);
        CHECK((v.inertia - exact.inertia).norm() < 1e-14 * exact.inertia.norm());
        CHECK((v.centroid - far - exact.centroid).norm() < 2.4e-10);  // one rounding at this distance
        CHECK(std::abs(v.volume / volume_integrals(near).volume - 1.0) < 1e-9);
        CHECK((v.inertia - volume_integrals(near).inertia).norm() < 1e-9 * exact.inertia.norm());
    }
}

TEST_CASE("finer and finer icospheres approach the ball, four times closer at each level") {
    const VolumeIntegrals ball = volume_integrals(Shape{Sphere{2.0}});
    double before = 0.0;
    for (int level = 1; level <= 6; ++level) {
        CAPTURE(level);
        const TriangleMesh mesh = icosphere(level);
        CHECK(open_edges(mesh) == 0);
        const VolumeIntegrals v = volume_integrals(mesh);
        const double error = difference(v, ball);
        CHECK(v.volume < ball.volume);
        CHECK(v.centroid.norm() < 1e-14);
        if (level > 1) CHECK(before / error == doctest::Approx(4.0).epsilon(level < 4 ? 0.1 : 0.01));
        before = error;
    }
    CHECK(before < 1e-3);
}

TEST_CASE("a cavity is missing, and two separate bodies add up") {
    std::vector<Vec3> corners = box_corners(Vec3{4, 4, 4});
    Triangles triangles = box_triangles();
    const std::vector<Vec3> inner = box_corners(Vec3{1, 1, 1}, Vec3{0.5, 0, 0});
    corners.insert(corners.end(), inner.begin(), inner.end());
    for (const auto& [a, b, c] : box_triangles()) triangles.push_back({a + 8, c + 8, b + 8});  // seen from inside
    const VolumeIntegrals hollow = loaded_integrals(given(corners, triangles));
    const MassProperties filled =
        combined({hollow.volume, hollow.centroid, hollow.inertia}, box_at(Box{1, 1, 1}, Vec3{0.5, 0, 0}));
    const VolumeIntegrals full = volume_integrals(Shape{Box{4, 4, 4}});
    CHECK(difference({filled.mass, filled.center_of_mass, filled.inertia}, full) < 1e-15);

    std::vector<Vec3> two = box_corners(Vec3{1, 2, 3}, Vec3{5, 0, 0});
    const std::vector<Vec3> other = box_corners(Vec3{3, 1, 1}, Vec3{-5, 1, 0});
    two.insert(two.end(), other.begin(), other.end());
    triangles = box_triangles();
    for (const auto& [a, b, c] : box_triangles()) triangles.push_back({a + 8, b + 8, c + 8});
    const VolumeIntegrals pair = loaded_integrals(given(two, triangles));
    const MassProperties sum = combined(box_at(Box{1, 2, 3}, Vec3{5, 0, 0}), box_at(Box{3, 1, 1}, Vec3{-5, 1, 0}));
    CHECK(difference(pair, {sum.mass, sum.center_of_mass, sum.inertia}) < 1e-15);
}

TEST_CASE("a mesh as a Shape has the integrals of its surface") {
    Mesh mesh = given(box_corners(brick), box_triangles());
    CHECK_THROWS_AS(volume_integrals(Shape{mesh}), InputError);
    load_mesh(mesh, {});
    CHECK(difference(volume_integrals(Shape{mesh}), brick_integrals) < 1e-15);
    CHECK(std::abs(from_mass(mesh, 3.0).inertia(0, 0) - 3.0 / 12.0 * (0.04 + 0.09)) < 1e-16);
}

TEST_CASE("a scaled mesh encloses the scaled body, mirrored or not") {
    for (const Vec3& scale : {Vec3{2, 2, 2}, Vec3{0.001, 0.001, 0.001}, Vec3{1, 2, 3}, Vec3{-1, 1, 1}, Vec3{1, -2, 1},
                              Vec3{-1, -1, 3}, Vec3{-2, -3, -4}}) {
        CAPTURE(scale);
        const Vec3 lengths{0.5, 0.75, 1.0}, centre{1, 2, 3};
        Mesh mesh = given(box_corners(lengths, centre), box_triangles(), scale);
        load_mesh(mesh, {});
        const Vec3 l = scale.cwiseAbs().cwiseProduct(lengths);
        const VolumeIntegrals box = moved(volume_integrals(Shape{Box{l[0], l[1], l[2]}}), scale.cwiseProduct(centre));
        CHECK(difference(volume_integrals(*mesh.data), box) < 1e-13);
        CHECK(mesh.vertices == box_corners(lengths, centre));  // as given: a saved scene says what was loaded
    }
}
