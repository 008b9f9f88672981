// Surfaces from memory that are open, inside out, flat, scaled to nothing or made of equal vertices.
#include "tests/engine/shapes/triangle_mesh.hpp"

#include <doctest/doctest.h>

#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace tactus;
using namespace tactus::test::meshes;
using test::contains;
using test::difference;

TEST_CASE("a scale that would flatten or blow up a mesh is refused") {
    const double inf = std::numeric_limits<double>::infinity();
    for (const Vec3& scale : {Vec3{1, 0, 1}, Vec3{1, 1, inf}, Vec3{std::nan(""), 1, 1}})
        CHECK(contains(failure(given(box_corners(brick), box_triangles(), scale)), "shape.scale = ["));
    CHECK(contains(failure(given(box_corners(1e200 * brick), box_triangles(), Vec3::Constant(1e200))), "shape.scale"));
    CHECK(contains(failure(given(box_corners(1e200 * brick), box_triangles())), "overflow"));
}

TEST_CASE("an open surface is refused with the number of its open edges") {
    Triangles triangles = box_triangles();
    triangles.pop_back();
    Mesh mesh = given(box_corners(brick), triangles);
    load_mesh(mesh, {});  // may still be shown
    CHECK(open_edges(*mesh.data) == 3);
    CHECK(contains(failure(mesh), "must be a closed surface: 3 edges do not belong"));
    triangles = box_triangles();
    std::swap(triangles[0][0], triangles[0][1]);  // one triangle with the wrong direction
    CHECK(contains(failure(given(box_corners(brick), triangles)), "3 edges"));
    triangles = box_triangles();
    triangles.push_back({0, 7, 3});  // a wall inside: its diagonal, and two box edges that now have three triangles
    CHECK(contains(failure(given(box_corners(brick), triangles)), "3 edges"));
    CHECK(open_edges({{}, box_corners(brick), {{0, 1, 2}}}) == 3);
    CHECK(open_edges({{}, box_corners(brick), box_triangles()}) == 0);
    CHECK(open_edges({}) == 0);
    CHECK_THROWS_AS(volume_integrals(TriangleMesh{}), InputError);
}

TEST_CASE("a surface that is inside out or flat encloses no volume, and the error says which") {
    Triangles inverted;
    for (const auto& [a, b, c] : box_triangles()) inverted.push_back({a, c, b});
    CHECK(contains(failure(given(box_corners(brick), inverted)), "inside out"));
    const Triangles sheet{{0, 1, 2}, {0, 2, 1}};
    std::mt19937_64 generator{8};
    std::uniform_real_distribution<> uniform{-1.0, 1.0};
    const auto random = [&] { return Vec3{uniform(generator), uniform(generator), uniform(generator)}; };
    for (int trial = 0; trial < 200; ++trial) {
        CHECK(contains(failure(given({random(), random(), random()}, sheet)), "encloses a volume"));
        // A box without height, turned and far away, where coordinates are rounded by 1e-13: encloses only roundings.
        const Quat q = Quat{uniform(generator), uniform(generator), uniform(generator), 1.1}.normalized();
        const Vec3 far = 1000.0 * random();
        std::vector<Vec3> corners;
        for (const Vec3& p : box_corners(Vec3{1, 1, 3e-13})) corners.push_back(far + q * p);
        const std::string text = failure(given(corners, box_triangles()));
        CHECK((contains(text, "encloses a volume") || contains(text, " edge")));  // corners may have been merged
    }
}

TEST_CASE("meshes given in memory are checked") {
    CHECK(contains(failure(Mesh{}), "shape.triangles"));
    CHECK(contains(failure(given(box_corners(brick), {})), "shape.triangles = none: must have at least one triangle"));
    CHECK(contains(failure(given(box_corners(brick), {{0, 1, 8}})), "index 8 in triangle 0"));
    CHECK(contains(failure(given(box_corners(brick), {{0, 1, 2}, {0, -1, 2}})), "index -1 in triangle 1"));
    CHECK(contains(failure(given(box_corners(brick), {{0, 1, 1}})), "three different corners"));
    std::vector<Vec3> corners = box_corners(brick);
    corners[5].y() = std::nan("");
    CHECK(contains(failure(given(corners, box_triangles())), "vertex 5"));
    Mesh both = given(box_corners(brick), box_triangles());
    both.file = "box.obj";
    CHECK(contains(failure(both), "not both"));
}

TEST_CASE("equal vertices become one, and what is not part of the surface is left out") {
    std::vector<Vec3> corners;
    Triangles triangles;
    for (const auto& triangle : box_triangles()) {  // every triangle with its own corners, as in an STL file
        const int i = static_cast<int>(corners.size());
        for (const int corner : triangle) corners.push_back(box_corners(brick)[static_cast<std::size_t>(corner)]);
        triangles.push_back({i, i + 1, i + 2});
    }
    triangles.push_back({0, 0, 1});
    corners.push_back({100, 100, 100});  // belongs to no triangle: would spoil the convex hull
    Mesh mesh = given(corners, triangles);
    load_mesh(mesh, {});
    CHECK(mesh.data->vertices.size() == 8);
    CHECK(mesh.data->triangles.size() == 12);
    CHECK(difference(volume_integrals(*mesh.data), brick_integrals) < 1e-15);

    Mesh zeros = given({{0.0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, -0.0}, {0, 0, 1}}, {{0, 1, 2}, {3, 4, 1}});
    load_mesh(zeros, {});
    CHECK(zeros.data->vertices.size() == 4);  // -0 is 0
}
