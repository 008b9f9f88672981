// Elements in the order in which they were defined: whatever needs an order uses this one.
#pragma once

#include <tactus/components/object3d.hpp>

#include <algorithm>
#include <vector>

namespace tactus::systems {

inline std::vector<Entity> by_serial(const entt::registry& registry, std::vector<Entity> entities) {
    std::sort(entities.begin(), entities.end(),
              [&](Entity a, Entity b) { return registry.get<Name>(a).serial < registry.get<Name>(b).serial; });
    return entities;
}

// All entities with this component.
template<class Component> std::vector<Entity> in_definition_order(const entt::registry& registry) {
    const auto all = registry.view<Component>();
    return by_serial(registry, {all.begin(), all.end()});
}

}  // namespace tactus::systems
