// Convex hulls: the laws of polyhedra, support vertices against scans, the hull of what a ball can reach.
#include <tactus/engine/shapes/convex_hull.hpp>

#include <tactus/engine/mpr/core.hpp>

#include "tests/support/compare.hpp"
#include "tests/support/solids.hpp"

#include <doctest/doctest.h>

#include <limits>
#include <map>

using namespace tactus;
using namespace tactus::test;

namespace {

std::vector<Vec3> in_ball(Random& random, int count, double size) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(size * random.uniform(0.2, 1) * random.direction());
    return points;
}

std::vector<Vec3> on_ellipsoid(Random& random, int count) {
    std::vector<Vec3> points;
    for (int i = 0; i < count; ++i) points.push_back(random.direction().cwiseProduct(Vec3{0.1, 0.07, 0.15}));
    return points;
}

Vec3 normal(const std::array<double, 4>& plane) { return {plane[0], plane[1], plane[2]}; }

// A prism: two regular polygons. All corners of one tie along the axis.
std::vector<Vec3> prism(int corners) {
    std::vector<Vec3> points;
    for (int i = 0; i < 2 * corners; ++i) {
        const double angle = 6.283185307179586 * (i / 2) / corners;
        points.emplace_back(0.1 * std::cos(angle), 0.1 * std::sin(angle), i % 2 ? 0.05 : -0.05);
    }
    return points;
}

void check_polyhedron(const ConvexHull& hull, const std::vector<Vec3>& points, double size) {
    CHECK(hull.count <= points.size());
    double out = -1e300;
    for (const auto& plane : hull.planes) {
        CHECK(std::abs(normal(plane).norm() - 1) < 1e-14);
        for (const Vec3& p : points) out = std::max(out, normal(plane).dot(p) - plane[3]);
    }
    CHECK(out < 1e-14 * size);

    std::map<std::pair<std::uint32_t, std::uint32_t>, int> edges;  // directed
    for (const auto& t : hull.triangles)
        for (std::size_t k = 0; k < 3; ++k) ++edges[{t[k], t[(k + 1) % 3]}];
    bool each_once = true, both_ways = true;
    for (const auto& [edge, times] : edges) {
        each_once = each_once && times == 1;
        both_ways = both_ways && edges.contains({edge.second, edge.first});
    }
    CHECK(each_once);  // counter-clockwise everywhere, so a neighbour runs along an edge the other way
    CHECK(both_ways);
    CHECK(hull.count + hull.triangles.size() == edges.size() / 2 + 2);  // Euler: V - E + F = 2

    CHECK(hull.first.size() == hull.count + 1);
    CHECK(hull.neighbour.size() == edges.size());
    bool symmetric = true;
    for (std::uint32_t i = 0; i < hull.count; ++i)
        for (std::uint32_t k = hull.first[i]; k < hull.first[i + 1]; ++k)
            symmetric = symmetric && edges.contains({i, hull.neighbour[k]}) && edges.contains({hull.neighbour[k], i});
    CHECK(symmetric);

    CHECK(hull.x.size() % 8 == 0);
    for (std::size_t i = hull.count; i < hull.x.size(); ++i)
        CHECK(hull.vertex(static_cast<std::uint32_t>(i)) == hull.vertex(hull.count - 1));
    for (const auto& plane : hull.planes) CHECK(normal(plane).dot(hull.centroid) < plane[3]);
}

// Directions: random ones, axes, and nearly axes.
Vec3 direction(Random& random, int i) {
    if (i < 26) {
        const int k = i < 13 ? i : i + 1;
        return {k % 3 - 1.0, k / 3 % 3 - 1.0, k / 9 - 1.0};
    }
    if (i % 4 == 0) return Vec3::Unit(i / 4 % 3) + 1e-9 * random.direction();
    return random.uniform(0.01, 100) * random.direction();
}

// Largest shortfall of the support vertex, relative to the length of the direction.
double worst_shortfall(const ConvexHull& hull, Random& random, int directions) {
    double worst = 0;
    for (int i = 0; i < directions; ++i) {
        const Vec3 d = direction(random, i);
        double best = -1e300;
        for (std::uint32_t v = 0; v < hull.count; ++v) best = std::max(best, d.dot(hull.vertex(v)));
        const auto hint = static_cast<mpr::Feature>(i % 3 == 0 ? random.number(1 << 20)  // also beyond the last
                                                               : random.number(static_cast<int>(hull.count)));
        const mpr::Feature found = mpr::support_vertex(hull, d.x(), d.y(), d.z(), hint);
        REQUIRE(found < hull.count);
        worst = std::max(worst, (best - d.dot(hull.vertex(found))) / d.norm());
    }
    return worst;
}

}  // namespace

TEST_CASE("hulls of random points are closed polyhedra with every point inside") {
    Random random{1};
    for (const int count : {4, 5, 8, 30, 200, 2000}) {
        CAPTURE(count);
        const std::vector<Vec3> points = in_ball(random, count, 0.1);
        check_polyhedron(convex_hull(points), points, 0.1);
    }
    check_polyhedron(convex_hull(prism(40)), prism(40), 0.1);
    const std::vector<Vec3> cube = cube_mesh({0.1, 0.1, 0.1}).vertices;
    const ConvexHull hull = convex_hull(cube);
    check_polyhedron(hull, cube, 0.1);
    CHECK(hull.count == 8);
    CHECK(hull.triangles.size() == 12);
    CHECK(hull.planes.size() == 6);
    CHECK(hull.centroid.norm() < 1e-16);
}

TEST_CASE("points in faces and edges of a cube, and repeated ones, leave its hull as it is") {
    std::vector<Vec3> points;
    for (int i = 0; i < 27; ++i) points.emplace_back(i % 3 - 1, i / 3 % 3 - 1, i / 9 - 1);
    points.insert(points.end(), points.begin(), points.begin() + 9);
    const ConvexHull hull = convex_hull(points);
    for (int i = 0; i < 6; ++i) {
        const Vec3 n = Vec3::Unit(i / 2) * (i % 2 ? 1 : -1);
        const mpr::Feature v = mpr::support_vertex(hull, n.x(), n.y(), n.z(), 0);
        CHECK(n.dot(hull.vertex(v)) == 1);
    }
    for (const auto& plane : hull.planes) CHECK(std::abs(plane[3] - 1) < 1e-15);
    CHECK(hull.centroid.norm() < 1e-15);
}

TEST_CASE("the centroid of a hull is that of a wedge by hand") {
    // A prism over a triangle: the mean of its corners.
    const std::vector<Vec3> wedge{{0, 0, 0}, {3, 0, 0}, {0, 6, 0}, {0, 0, 2}, {3, 0, 2}, {0, 6, 2}};
    CHECK((convex_hull(wedge).centroid - Vec3{1, 2, 1}).norm() < 1e-15);
}

TEST_CASE("small hulls: the scan finds the farthest vertex") {
    Random random{2};
    for (const int count : {4, 7, 8, 9, 20, 64, 96}) {
        CAPTURE(count);
        const ConvexHull hull = convex_hull(on_ellipsoid(random, count));
        CHECK(hull.count == static_cast<std::uint32_t>(count));
        CHECK(worst_shortfall(hull, random, 3000) <= 1e-16);
    }
    const ConvexHull cube = convex_hull(cube_mesh({0.1, 0.1, 0.1}).vertices);  // four corners tie along an axis
    CHECK(worst_shortfall(cube, random, 3000) == 0);
    CHECK(worst_shortfall(convex_hull(prism(40)), random, 3000) <= 1e-16);
}

TEST_CASE("large hulls: climbing finds the farthest vertex from any hint") {
    Random random{3};
    for (const int count : {97, 500, 5000}) {
        CAPTURE(count);
        const ConvexHull hull = convex_hull(on_ellipsoid(random, count));
        CHECK(hull.count == static_cast<std::uint32_t>(count));
        CHECK(worst_shortfall(hull, random, 3000) <= 1e-16);
    }
    CHECK(worst_shortfall(convex_hull(prism(300)), random, 3000) <= 1e-16);
}

TEST_CASE("climbing does not stop on the flat side of a hull") {
    // A cube whose faces hold a grid of slightly raised points: many almost coplanar triangles, 9 x 9 on each face.
    Random random{4};
    std::vector<Vec3> points;
    for (int face = 0; face < 6; ++face)
        for (int i = 0; i < 81; ++i) {
            const double u = 0.02 * (i % 9) - 0.08, v = 0.02 * (i / 9) - 0.08, bulge = 1e-6 * (0.0128 - u * u - v * v);
            Vec3 p;
            p[face / 2] = (face % 2 ? 1 : -1) * (0.08 + bulge);
            p[(face / 2 + 1) % 3] = u;
            p[(face / 2 + 2) % 3] = v;
            points.push_back(p);
        }
    const ConvexHull hull = convex_hull(points);
    CHECK(hull.count > 96);
    CHECK(worst_shortfall(hull, random, 5000) <= 1e-16);
}

TEST_CASE("the inner hull keeps a ball's radius from every plane, and each vertex is there because of three") {
    Random random{5};
    for (const int count : {4, 8, 30, 200}) {
        const ConvexHull hull = convex_hull(in_ball(random, count, 0.1));
        double inradius = 1e300;
        for (const auto& plane : hull.planes)
            inradius = std::min(inradius, plane[3] - normal(plane).dot(hull.centroid));
        for (const double part : {1e-6, 0.01, 0.2}) {
            CAPTURE(count);
            CAPTURE(part);
            const double r = part * inradius;
            const ConvexHull inner = inner_hull(hull, r, hull.centroid);
            double nearest = 1e300, third = 0;
            for (std::uint32_t i = 0; i < inner.count; ++i) {
                std::vector<double> away;
                for (const auto& plane : hull.planes) away.push_back(plane[3] - normal(plane).dot(inner.vertex(i)));
                std::nth_element(away.begin(), away.begin() + 2, away.end());
                nearest = std::min(nearest, *std::min_element(away.begin(), away.begin() + 3));
                third = std::max(third, away[2]);
            }
            CHECK(nearest > r - 1e-14);
            CHECK(third < r + 1e-14);
        }
    }
    const ConvexHull cube = inner_hull(convex_hull(cube_mesh({0.1, 0.2, 0.3}).vertices), 0.01, {0.01, 0.02, 0.03});
    CHECK(cube.count == 8);
    for (std::uint32_t i = 0; i < cube.count; ++i)
        CHECK((cube.vertex(i).cwiseAbs() - Vec3{0.09, 0.19, 0.29}).norm() < 1e-15);
}

TEST_CASE("hulls of one micrometre and of a thousand kilometres are alike") {
    Random random{6};
    const std::vector<Vec3> points = in_ball(random, 100, 1);
    const ConvexHull one = convex_hull(points);
    for (const double scale : {1e-6, 1e6}) {
        CAPTURE(scale);
        std::vector<Vec3> scaled;
        for (const Vec3& p : points) scaled.push_back(scale * p);
        const ConvexHull hull = convex_hull(scaled);
        check_polyhedron(hull, scaled, scale);
        CHECK(hull.count == one.count);
        CHECK(hull.triangles.size() == one.triangles.size());
        CHECK((hull.centroid - scale * one.centroid).norm() < 1e-15 * scale);
        CHECK(worst_shortfall(hull, random, 500) <= 1e-16 * scale);
        const ConvexHull inner = inner_hull(hull, 0.05 * scale, hull.centroid);
        CHECK((inner.centroid - hull.centroid).norm() < 0.05 * scale);
    }
}

TEST_CASE("hulls far from the origin have their vertices inside their planes") {
    Random random{7};
    std::vector<Vec3> points = in_ball(random, 50, 0.1);
    for (Vec3& p : points) p += Vec3{100, -200, 300};
    check_polyhedron(convex_hull(points), points, 400);  // rounding is that of the coordinates
}

TEST_CASE("points that enclose no volume are refused with a reason") {
    const auto reason = [](const std::vector<Vec3>& points) { return input_error([&] { convex_hull(points); }); };
    const double nan = std::numeric_limits<double>::quiet_NaN(), infinity = std::numeric_limits<double>::infinity();
    CHECK(contains(reason({}), "at least 4"));
    CHECK(contains(reason({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}}), "at least 4"));
    CHECK(contains(reason({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {nan, 0, 1}}), "finite"));
    CHECK(contains(reason({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, infinity, 1}}), "finite"));
    CHECK(contains(reason(std::vector<Vec3>(9, Vec3{1, 2, 3})), "same place"));
    CHECK(contains(reason({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {1, 1, 0}, {0.3, 0.3, 0}}), "one plane"));
    CHECK(contains(reason({{0, 0, 0}, {1, 1, 1}, {2, 2, 2}, {3, 3, 3}, {5, 5, 5}}), "one plane"));  // a line
    CHECK(contains(reason({{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 1, 0}, {1, 0, 0}}), "one plane"));
    Random random{8};
    std::vector<Vec3> tilted;
    const Mat3 R = random.rotation();
    for (int i = 0; i < 30; ++i) tilted.push_back(R * Vec3{random.uniform(-1, 1), random.uniform(-1, 1), 0.5});
    CHECK(contains(reason(tilted), "one plane"));
}
