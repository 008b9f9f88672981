// Surfaces: what shapes look like as triangles. Knows no graphics library.
#pragma once

#include <tactus/engine/shapes/shape.hpp>

#include <cstdint>
#include <vector>

namespace demos::app {

struct Surface {
    std::vector<float> positions, normals;  // x, y, z of each vertex [m], in the axes of the Object3D
    std::vector<std::uint32_t> triangles;   // counter-clockwise seen from outside

    std::uint32_t add(const tactus::Vec3& p, const tactus::Vec3& n);
    void quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d);
    std::size_t vertices() const { return positions.size() / 3; }
};

// Edges are rounded by `bevel` [m], or less where the shape is small: light catches on them. Empty for a text or a grid.
Surface surface_of(const tactus::Shape& shape, double bevel);

// A coil from the origin along z, for springs that are drawn as long as they are.
Surface coil(double length, double diameter, double wire, int windings);

}  // namespace demos::app
