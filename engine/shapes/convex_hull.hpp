// Convex hulls: vertices as structure of arrays for the support mapping of small hulls, adjacency for that of large ones.
#pragma once

#include <tactus/engine/export.hpp>
#include <tactus/engine/math.hpp>

#include <array>
#include <cstdint>
#include <vector>

namespace tactus {

struct ConvexHull {
    std::vector<double> x, y, z;           // [m] vertices; padded with copies of the last one to a multiple of 8
    std::uint32_t count = 0;               // of vertices
    std::vector<std::uint32_t> first;      // neighbours of vertex i: neighbour[first[i]] .. neighbour[first[i + 1] - 1]
    std::vector<std::uint32_t> neighbour;  // across edges of the triangulated hull
    std::vector<std::array<std::uint32_t, 3>> triangles;  // counter-clockwise seen from outside
    std::vector<std::array<double, 4>> planes;  // of the facets: outward unit normal n and d [m] with n.p <= d
    Vec3 centroid = Vec3::Zero();               // [m] of the volume
    std::array<std::uint32_t, 26> start{};      // extreme vertices in 26 directions, where a climb begins

    Vec3 vertex(std::uint32_t i) const { return {x[i], y[i], z[i]}; }
};

// Hull of points (by Qhull). An InputError says that they are fewer than four, not finite, or in one plane.
TACTUS_API ConvexHull convex_hull(const std::vector<Vec3>& points);

// The hull of all points that a ball of `radius` within `hull` can reach with its centre; `inside` lies deeper than that.
TACTUS_API ConvexHull inner_hull(const ConvexHull& hull, double radius, const Vec3& inside);

}  // namespace tactus
