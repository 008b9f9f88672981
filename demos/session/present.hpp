// What is in the model now: actions may take elements out of it while it runs, and a World then has no answer about them.
#pragma once

#include <tactus/components/object3d.hpp>
#include <tactus/engine/world.hpp>

#include <vector>

namespace demos::app {

inline bool is_present(const tactus::World& world, tactus::Entity e) {
    return world.registry().valid(e) && !world.registry().all_of<tactus::Absent>(e);
}

inline std::vector<tactus::Entity> present_elements(const tactus::World& world) {
    std::vector<tactus::Entity> elements = world.elements();
    std::erase_if(elements, [&](tactus::Entity e) { return !is_present(world, e); });
    return elements;
}

}  // namespace demos::app
