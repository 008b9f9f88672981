// Visual: the feature of an Object3D that is only seen. Its pose is computed at communication points only.
#pragma once

#include <tactus/engine/materials/material.hpp>
#include <tactus/engine/shapes/shape.hpp>

namespace tactus {

// Written by World.
struct Visual {
    Shape shape;
    VisualMaterialRef material;
};

}  // namespace tactus
