// Field tables of shapes and mass properties.
#pragma once

#include <tactus/engine/schema/check.hpp>
#include <tactus/engine/schema/field.hpp>
#include <tactus/engine/shapes/mass_properties.hpp>
#include <tactus/engine/shapes/shape.hpp>

namespace tactus::schema {

inline constexpr std::string_view axis_doc = "axis of symmetry: 1, 2 or 3";
inline constexpr Rule axis_rule = between(1, 3);

template<> struct Describe<Sphere> {
    static constexpr std::string_view name = "Sphere", doc = "origin at the centre";
    static constexpr auto fields = std::tuple{Field{"diameter", &Sphere::diameter, positive("m"), "diameter"}};
};

template<> struct Describe<Ellipsoid> {
    static constexpr std::string_view name = "Ellipsoid", doc = "origin at the centre";
    static constexpr auto fields =
        std::tuple{Field{"lengthX", &Ellipsoid::length_x, positive("m"), "full length along x"},
                   Field{"lengthY", &Ellipsoid::length_y, positive("m"), "full length along y"},
                   Field{"lengthZ", &Ellipsoid::length_z, positive("m"), "full length along z"}};
};

template<> struct Describe<Box> {
    static constexpr std::string_view name = "Box", doc = "origin at the centre";
    static constexpr auto fields = std::tuple{Field{"lengthX", &Box::length_x, positive("m"), "length along x"},
                                              Field{"lengthY", &Box::length_y, positive("m"), "length along y"},
                                              Field{"lengthZ", &Box::length_z, positive("m"), "length along z"}};
};

template<> struct Describe<Cylinder> {
    static constexpr std::string_view name = "Cylinder", doc = "origin at the centre; a hollow one collides as if full";
    static constexpr auto fields = std::tuple{
        Field{"axis", &Cylinder::axis, axis_rule, axis_doc},
        Field{"diameter", &Cylinder::diameter, positive("m"), "outer diameter"},
        Field{"length", &Cylinder::length, positive("m"), "length"},
        Field{"innerDiameter", &Cylinder::inner_diameter, at_least(0, "m"), "diameter of the hole, 0 if full"}};
    static void check(const Cylinder& c, Context& context) {
        const Context::Step step{context, "innerDiameter"};
        if (c.inner_diameter >= c.diameter && c.diameter > 0)
            context.fail(text_of(c.inner_diameter), "must be < diameter (" + text_of(c.diameter) + ") [m]");
    }
};

template<> struct Describe<Cone> {
    static constexpr std::string_view name = "Cone", doc = "origin at the centre of the base, top towards +axis";
    static constexpr auto fields = std::tuple{
        Field{"axis", &Cone::axis, axis_rule, axis_doc},
        Field{"diameter", &Cone::diameter, positive("m"), "diameter of the base"},
        Field{"length", &Cone::length, positive("m"), "height"},
        Field{"topDiameter", &Cone::top_diameter, at_least(0, "m"), "diameter of the top: 0 a cone, else a frustum"}};
    static void check(const Cone& c, Context& context) {
        const Context::Step step{context, "topDiameter"};
        if (c.top_diameter > c.diameter && c.diameter > 0)
            context.fail(text_of(c.top_diameter), "must be <= diameter (" + text_of(c.diameter) + ") [m]");
    }
};

template<> struct Describe<Capsule> {
    static constexpr std::string_view name = "Capsule", doc = "origin at the centre; length + diameter overall";
    static constexpr auto fields =
        std::tuple{Field{"axis", &Capsule::axis, axis_rule, axis_doc},
                   Field{"diameter", &Capsule::diameter, positive("m"), "diameter"},
                   Field{"length", &Capsule::length, positive("m"), "length of the cylindrical part"}};
};

template<> struct Describe<Beam> {
    static constexpr std::string_view name = "Beam",
                                      doc =
                                          "a box with two half cylinders, origin at the centre; length + width overall";
    static constexpr auto fields =
        std::tuple{Field{"axis", &Beam::axis, axis_rule,
                         "direction of the length: 1, 2 or 3; width and thickness follow cyclically"},
                   Field{"length", &Beam::length, positive("m"), "distance of the two half cylinders' axes"},
                   Field{"width", &Beam::width, positive("m"), "width"},
                   Field{"thickness", &Beam::thickness, positive("m"), "thickness"}};
};

template<> struct Describe<Mesh> {
    static constexpr std::string_view name = "Mesh",
                                      doc = "a triangle surface from a file or given here; collides as its convex hull";
    static constexpr auto fields =
        std::tuple{Field{"file", &Mesh::file, any(), "OBJ or STL file, relative to the scene file"},
                   Field{"scale", &Mesh::scale, any(), "factor per axis"},
                   Field{"vertices", &Mesh::vertices, any("m"), "points, instead of a file"},
                   Field{"triangles", &Mesh::triangles, at_least(0),
                         "indices of vertices from 0, counter-clockwise from outside"}};
    static void check(const Mesh& mesh, Context& context) {
        const bool in_memory = !mesh.vertices.empty() || !mesh.triangles.empty();
        if (mesh.file.empty() == !in_memory) {
            const Context::Step step{context, "file"};
            context.fail(in_quotes(mesh.file), "give either a file, or vertices and triangles");
        }
        if (mesh.scale.array().isZero(0) || (mesh.scale.array() == 0).any()) {
            const Context::Step step{context, "scale"};
            context.fail(text_of(mesh.scale), "each element must not be 0");
        }
    }
};

template<> struct Describe<CoordinateSystem> {
    static constexpr std::string_view name = "CoordinateSystem", doc = "three arrows; only seen";
    static constexpr auto fields = std::tuple{Field{"length", &CoordinateSystem::length, positive("m"), "of an arrow"}};
};

template<> struct Describe<Grid> {
    static constexpr std::string_view name = "Grid", doc = "lines in a plane; only seen";
    static constexpr auto fields = std::tuple{
        Field{"axis", &Grid::axis, axis_rule, "normal of the plane: 1, 2 or 3; length and width follow cyclically"},
        Field{"length", &Grid::length, positive("m"), "length"}, Field{"width", &Grid::width, positive("m"), "width"},
        Field{"distance", &Grid::distance, positive("m"), "of two lines"},
        Field{"lineWidth", &Grid::line_width, positive(), "in pixels"}};
};

template<> struct Describe<Spring> {
    static constexpr std::string_view name = "Spring", doc = "a helix, origin at the centre of its base; only seen";
    static constexpr auto fields = std::tuple{
        Field{"axis", &Spring::axis, axis_rule, axis_doc}, Field{"length", &Spring::length, positive("m"), "length"},
        Field{"diameter", &Spring::diameter, positive("m"), "of the helix"},
        Field{"wireDiameter", &Spring::wire_diameter, positive("m"), "of the wire"},
        Field{"windings", &Spring::windings, at_least(1), "number of windings"}};
};

template<> struct Describe<GearWheel> {
    static constexpr std::string_view name = "GearWheel", doc = "a toothed wheel, origin at the centre; only seen";
    static constexpr auto fields =
        std::tuple{Field{"axis", &GearWheel::axis, axis_rule, axis_doc},
                   Field{"diameter", &GearWheel::diameter, positive("m"), "over the teeth"},
                   Field{"length", &GearWheel::length, positive("m"), "along the axis"},
                   Field{"innerDiameter", &GearWheel::inner_diameter, at_least(0, "m"), "of the hole"},
                   Field{"rootDiameter", &GearWheel::root_diameter, positive("m"), "between the teeth"},
                   Field{"angle", &GearWheel::angle, any("rad"), "of the first tooth"},
                   Field{"teeth", &GearWheel::teeth, at_least(3), "number of teeth"}};
    static void check(const GearWheel& gear, Context& context) {
        const Context::Step step{context, "rootDiameter"};
        if (gear.root_diameter > gear.diameter || gear.inner_diameter >= gear.root_diameter)
            context.fail(text_of(gear.root_diameter), "must be > innerDiameter (" + text_of(gear.inner_diameter) +
                                                          ") and <= diameter (" + text_of(gear.diameter) + ") [m]");
    }
};

template<> struct EnumNames<TextPlane> { static constexpr std::array names{"Screen", "XY", "XZ", "YZ"}; };
template<> struct EnumNames<TextAlignment> { static constexpr std::array names{"Left", "Right", "Center"}; };

template<> struct Describe<Text> {
    static constexpr std::string_view name = "Text", doc = "letters; only seen";
    static constexpr auto fields = std::tuple{Field{"text", &Text::text, required(), "what is written"},
                                              Field{"height", &Text::height, positive("m"), "of a capital letter"},
                                              Field{"font", &Text::font, not_empty(), "family"},
                                              Field{"bold", &Text::bold, any(), "bold letters"},
                                              Field{"italic", &Text::italic, any(), "slanted letters"},
                                              Field{"offset", &Text::offset, any("m"), "from the object's origin"},
                                              Field{"plane", &Text::plane, any(), "in which it is written"},
                                              Field{"alignment", &Text::alignment, any(), "at the origin"}};
};

template<> struct Describe<MassProperties> {
    static constexpr std::string_view name = "MassProperties", doc = "given mass, centre of mass and inertia";
    static constexpr auto fields = std::tuple{
        Field{"mass", &MassProperties::mass, required(at_least(0, "kg")), "mass"},
        Field{"centerOfMass", &MassProperties::center_of_mass, any("m"), "in the object's axes"},
        Field{"inertia", &MassProperties::inertia, any("kg m^2"),
              "about the centre of mass in the object's axes: [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or three rows; "
              "products are the tensor's elements with their sign"}};
    static void check(const MassProperties& m, Context& context) {
        if (!m.inertia.allFinite()) return;
        const Context::Step step{context, "inertia"};
        if (m.mass == 0.0 && !m.inertia.isZero(0.0))
            return context.fail(text_of(m.inertia), "must be 0 where the mass is 0");
        if (const std::string defect = inertia_defect(m.inertia); !defect.empty())
            context.fail(text_of(m.inertia), defect + "; must be that of a real body: symmetric, no negative principal "
                                                      "moment, and none larger than the sum of the other two [kg m^2]");
    }
};

}  // namespace tactus::schema
