// Parts that many scenes have.
#pragma once

#include <tactus/engine/world.hpp>

#include <string>

namespace scenes {

// A fixed box that things can touch.
inline tactus::Entity add_block(tactus::World& world, const std::string& name, const tactus::Vec3& center,
                                const tactus::Vec3& size, const std::string& material) {
    return world.add({.name = name,
                      .parent = "world",
                      .translation = center,
                      .shape = tactus::Box{size.x(), size.y(), size.z()},
                      .material = material,
                      .collidable = true});
}

// A fixed plate whose upper side lies at z = 0.
inline tactus::Entity add_floor(tactus::World& world, const std::string& name, double length_x, double length_y,
                                double thickness, const std::string& material) {
    return add_block(world, name, {0, 0, -0.5 * thickness}, {length_x, length_y, thickness}, material);
}

// A square bin around the origin: "floor", whose upper side lies at z = 0, "right", "left", "far" and "near".
inline void add_bin(tactus::World& world, double inside, double height, double wall, const std::string& material) {
    const double outside = inside + 2.0 * wall, offset = 0.5 * (inside + wall);
    add_floor(world, "floor", outside, outside, wall, material);
    add_block(world, "right", {offset, 0, 0.5 * height}, {wall, outside, height}, material);
    add_block(world, "left", {-offset, 0, 0.5 * height}, {wall, outside, height}, material);
    add_block(world, "far", {0, offset, 0.5 * height}, {inside, wall, height}, material);
    add_block(world, "near", {0, -offset, 0.5 * height}, {inside, wall, height}, material);
}

// Something that is only seen.
inline tactus::Entity add_visual(tactus::World& world, const std::string& name, const tactus::ParentRef& parent,
                                 const tactus::Vec3& translation, const tactus::Shape& shape,
                                 const tactus::Rotation& rotation = {},
                                 const tactus::VisualMaterialRef& material = {}) {
    return world.add({.name = name,
                      .parent = parent,
                      .translation = translation,
                      .rotation = rotation,
                      .feature = tactus::Feature::Visual,
                      .shape = shape,
                      .visual_material = material});
}

}  // namespace scenes
