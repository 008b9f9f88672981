// Parts that many scenes have.
#pragma once

#include <tactus/engine/world.hpp>

#include <string>

namespace scenes {

// A fixed plate whose upper side lies at z = 0.
inline tactus::Entity add_floor(tactus::World& world, const std::string& name, double length_x, double length_y,
                                double thickness, const std::string& material) {
    return world.add({.name = name,
                      .parent = "world",
                      .translation = {0, 0, -0.5 * thickness},
                      .shape = tactus::Box{length_x, length_y, thickness},
                      .material = material,
                      .collidable = true});
}

// Something that is only seen.
inline tactus::Entity add_visual(tactus::World& world, const std::string& name, const tactus::ParentRef& parent,
                                 const tactus::Vec3& translation, const tactus::Shape& shape,
                                 const tactus::Rotation& rotation = {}) {
    return world.add({.name = name,
                      .parent = parent,
                      .translation = translation,
                      .rotation = rotation,
                      .feature = tactus::Feature::Visual,
                      .shape = shape});
}

}  // namespace scenes
