// What actions do to the tree of Object3Ds. Each step notes what the structure has to be told, and how things were defined.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/components/motion.hpp>
#include <tactus/components/object3d.hpp>
#include <tactus/systems/structure/structure.hpp>

#include <optional>
#include <vector>

namespace tactus::systems {

// The way an object hangs in the tree.
struct Link3D {
    Entity parent = entt::null;
    ParentRule rule = ParentRule::none;
    bool free = false;
};
void relink(entt::registry& registry, Entity object, const Link3D& link);  // among the children of its parent

void fix_to(entt::registry& registry, Entity object, Entity by, const Pose& X_PB, StructureChanges& changes);
void let_move(entt::registry& registry, Entity object, Entity world, const JointState& state,
              StructureChanges& changes);
void let_hang(entt::registry& registry, Entity object, StructureChanges& changes);  // on its joints only

// Takes a joint, or these objects with all joints between them, out of the model, with the elements that need them.
void break_joint(entt::registry& registry, Entity joint, StructureChanges& changes);
void take_out(entt::registry& registry, const std::vector<Entity>& carried, StructureChanges& changes);

// How an object hangs, to undo what was done to it.
struct Snapshot {
    Entity object = entt::null;
    Link3D link;
    Placement placement;
    std::optional<JointState> state;
    std::optional<DefinedAs> defined;
};
Snapshot snapshot(const entt::registry& registry, Entity object);
void restore(entt::registry& registry, const Snapshot& snapshot);

// As defined. False if nothing was otherwise.
bool put_back(entt::registry& registry, Entity object);
bool put_back_all(entt::registry& registry, StructureChanges& changes);

}  // namespace tactus::systems
