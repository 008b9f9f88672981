// Shapes: what a Solid or a Visual looks like, in the axes of its Object3D. All lengths are full lengths in metres.
//
// `axis` 1, 2, 3 is the shape's axis of symmetry x, y, z; the other directions follow cyclically (x -> y -> z -> x).
#pragma once

#include <tactus/engine/math.hpp>
#include <tactus/engine/rotation.hpp>

#include <array>
#include <memory>
#include <string>
#include <variant>
#include <vector>

namespace tactus {

// ---- shapes of Solids (and Visuals) --------------------------------------------------------------------------------

struct Sphere {  // origin: centre
    double diameter = 1.0;
    bool operator==(const Sphere&) const = default;
};

struct Ellipsoid {  // origin: centre
    double length_x = 1.0, length_y = 1.0, length_z = 1.0;
    bool operator==(const Ellipsoid&) const = default;
};

struct Box {  // origin: centre
    double length_x = 1.0, length_y = 1.0, length_z = 1.0;
    bool operator==(const Box&) const = default;
};

struct Cylinder {  // origin: centre; a hollow one collides as if it were full
    int axis = 3;
    double diameter = 1.0, length = 1.0, inner_diameter = 0.0;
    bool operator==(const Cylinder&) const = default;
};

struct Cone {  // origin: centre of the base circle, top towards +axis; a frustum if top_diameter > 0
    int axis = 3;
    double diameter = 1.0, length = 1.0, top_diameter = 0.0;
    bool operator==(const Cone&) const = default;
};

struct Capsule {  // origin: centre; length of the cylindrical part, so length + diameter overall
    int axis = 3;
    double diameter = 1.0, length = 1.0;
    bool operator==(const Capsule&) const = default;
};

// A box with two half cylinders, so length + width overall; axis 1: length x, width y, thickness z.
struct Beam {  // origin: centre
    int axis = 3;
    double length = 1.0, width = 0.2, thickness = 0.1;
    bool operator==(const Beam&) const = default;
};

struct TriangleMesh;  // engine/shapes/triangle_mesh.hpp

struct Mesh {                    // a closed triangle surface from a file, or given here; collides as its convex hull
    std::string file;            // OBJ or STL; relative to the scene file
    Vec3 scale = Vec3::Ones();   // factor per axis
    std::vector<Vec3> vertices;  // [m] instead of a file
    std::vector<std::array<int, 3>> triangles;  // indices into vertices from 0, counter-clockwise seen from outside
    std::shared_ptr<const TriangleMesh> data;   // scaled surface; written when the mesh enters a World

    bool operator==(const Mesh& o) const {
        return file == o.file && scale == o.scale && vertices == o.vertices && triangles == o.triangles;
    }
};

// ---- shapes of Visuals only ----------------------------------------------------------------------------------------

struct CoordinateSystem {
    double length = 1.0;
    bool operator==(const CoordinateSystem&) const = default;
};

struct Grid {  // axis is its normal; axis 3: length x, width y
    int axis = 3;
    double length = 1.0, width = 0.6, distance = 0.1, line_width = 1.0;
    bool operator==(const Grid&) const = default;
};

struct Spring {  // origin: centre of the base circle
    int axis = 3;
    double length = 1.0, diameter = 1.0, wire_diameter = 0.05;
    int windings = 5;
    bool operator==(const Spring&) const = default;
};

struct GearWheel {
    int axis = 3;
    double diameter = 1.0, length = 1.0, inner_diameter = 0.0, root_diameter = 0.9;
    double angle = 0.0;  // [rad] of the first tooth
    int teeth = 20;
    bool operator==(const GearWheel&) const = default;
};

enum class TextPlane { Screen, XY, XZ, YZ };
enum class TextAlignment { Left, Right, Center };

struct Text {
    std::string text;
    double height = 0.1;  // [m] of a capital letter
    std::string font = "FreeSans";
    bool bold = false, italic = false;
    Vec3 offset = Vec3::Zero();  // [m]
    TextPlane plane = TextPlane::Screen;
    TextAlignment alignment = TextAlignment::Center;
    bool operator==(const Text&) const = default;
};

using Shape = std::variant<Sphere, Ellipsoid, Box, Cylinder, Cone, Capsule, Beam, Mesh, CoordinateSystem, Grid, Spring,
                           GearWheel, Text>;

// True for the shapes that have a volume and can collide.
inline bool is_solid_shape(const Shape& shape) { return shape.index() <= 7; }

}  // namespace tactus
