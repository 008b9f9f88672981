// Triangle surfaces: loading from OBJ and STL files, checks, and exact volume integrals.
#pragma once

#include <tactus/engine/export.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/shapes/mass_properties.hpp>

#include <array>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

namespace tactus {

struct TriangleMesh {
    std::filesystem::path file;                 // absolute; empty if given in memory
    std::vector<Vec3> vertices;                 // [m] scaled, exact duplicates merged; each belongs to a triangle
    std::vector<std::array<int, 3>> triangles;  // counter-clockwise seen from outside, also if scale mirrors
};

// Fills mesh.data from its file (relative paths from `folder`) or its vertices and triangles. Errors: an InputError for
// a file that is missing, unreadable, of another format, without triangles, or with indices or numbers out of range.
// Coordinates keep every digit that is in the file (a binary STL file holds floats); polygons become triangles.
TACTUS_API void load_mesh(Mesh& mesh, const std::filesystem::path& folder);

// Number of edges that do not belong to exactly two triangles of opposite direction; 0 for a closed, oriented surface.
TACTUS_API std::size_t open_edges(const TriangleMesh& mesh);

// Exact integrals over the enclosed volume by the divergence theorem (signed tetrahedra against a reference point near
// the surface, so that a mesh far from its origin loses no digits). An InputError says how many edges are open, or that
// the surface is inside out or encloses no volume.
TACTUS_API VolumeIntegrals volume_integrals(const TriangleMesh& mesh);

}  // namespace tactus
