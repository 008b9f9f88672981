// Which of the parent relations and joints carry the tree of Object3Ds, and which joints close a loop.
#pragma once

#include <tactus/components/entity.hpp>

namespace tactus::systems {

// Writes CutJoint on joints that close a loop and CarriedByJoints on objects whose automatic parent is not needed.
// Given parents, and those of free objects, come first, then joints in the order of definition, then automatic parents.
void choose_spanning_tree(entt::registry& registry, Entity world);

}  // namespace tactus::systems
