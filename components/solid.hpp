// Solid: the feature of an Object3D that is a body: it may have mass, and may collide. Lengths in metres, Object3D axes.
#pragma once

#include <tactus/engine/materials/material.hpp>
#include <tactus/engine/shapes/mass_properties.hpp>
#include <tactus/engine/shapes/shape.hpp>

#include <optional>
#include <string>

namespace tactus {

// Written by World.
struct Solid {
    std::optional<Shape> shape;
    std::string material;                           // of the solid palette: density, stiffness; empty: none
    std::optional<double> mass;                     // [kg] spread evenly over the shape
    std::optional<MassProperties> mass_properties;  // given as they are
    bool collidable = false;
    std::string contact_material;                 // for contact instead of `material`; empty: `material`
    double smoothing_radius = 0.001;              // [m] rounding of edges for the narrow phase, within the nominal size
    std::optional<double> contact_sphere_radius;  // [m] for the Hertz stiffness instead of the shape's own
    VisualMaterialRef visual_material;

    const std::string& touching_material() const { return contact_material.empty() ? material : contact_material; }
};

// Mass of one Object3D in its own axes, from its Solid and the palettes. Written by World; only where mass > 0.
struct BodyMass {
    MassProperties properties;
};

}  // namespace tactus
