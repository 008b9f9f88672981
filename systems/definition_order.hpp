// Elements in the order in which they were defined: whatever needs an order uses this one.
#pragma once

#include <tactus/components/object3d.hpp>

#include <algorithm>
#include <vector>

namespace tactus::systems {

// All entities with this component.
template<class Component> std::vector<Entity> in_definition_order(const entt::registry& registry) {
    std::vector<Entity> found;
    for (const Entity e : registry.view<Component>()) found.push_back(e);
    std::sort(found.begin(), found.end(),
              [&](Entity a, Entity b) { return registry.get<Name>(a).serial < registry.get<Name>(b).serial; });
    return found;
}

}  // namespace tactus::systems
