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

// All entities with this component that are in the model.
template<class Component> std::vector<Entity> in_definition_order(const entt::registry& registry) {
    const auto all = registry.view<Component>();
    std::vector<Entity> present{all.begin(), all.end()};
    std::erase_if(present, [&](Entity e) { return registry.all_of<Absent>(e); });
    return by_serial(registry, std::move(present));
}

// Where an element stands, or belongs, in a list in this order.
inline std::vector<Entity>::iterator place_in_order(const entt::registry& registry, std::vector<Entity>& ordered,
                                                    Entity element) {
    const auto serial = [&](Entity e) { return registry.get<Name>(e).serial; };
    if (ordered.empty() || serial(ordered.back()) < serial(element)) return ordered.end();  // the usual case
    return std::lower_bound(ordered.begin(), ordered.end(), element,
                            [&](Entity a, Entity b) { return serial(a) < serial(b); });
}

}  // namespace tactus::systems
