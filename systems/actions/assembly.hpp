// Assemblies: what an action moves, and what holds it. Read from the structure as it is derived.
#pragma once

#include <tactus/components/entity.hpp>

#include <vector>

namespace tactus::systems {

// The edge of the tree over which an object hangs on the world.
enum class Hold {
    free,    // it moves freely relative to its parent
    fixed,   // to its parent
    jointed  // only joints connect it
};
Hold hold_of(const entt::registry& registry, Entity object);

// The assembly root that an object is fixed to through its parents, or is itself; null if there is none.
Entity assembly_of(const entt::registry& registry, Entity object);

// Through fixed parents up to one that is free or hangs on joints only, or to the world.
Entity top_of(const entt::registry& registry, Entity object);

// The joint that carries the super-object of a jointed object; null if only Fix joints hold it.
Entity carrying_joint(const entt::registry& registry, Entity object);

// All objects that come off if the edge that holds this one is cut; itself first. For a jointed one that a joint carries.
std::vector<Entity> carried_by(const entt::registry& registry, Entity object);

// Roots of the super-objects that move together with one of these objects because joints or parents connect them,
// parents first. The world connects nothing: of objects that are fixed to it, only what they carry counts.
std::vector<Entity> connected_roots(const entt::registry& registry, Entity world, const std::vector<Entity>& objects);

}  // namespace tactus::systems
