// Structure: groups the Object3Ds into super-objects (seed algorithm: augmented depth-first search) and derives from
// them what the other systems loop over: members with their poses in the root's frame, the collision, mass, force and
// visual lists, the tree of super-objects with its joints, cut-joints, and the mass of every root.
//
// Object3Ds and joints form a graph. Parent relations and joints, in the order of definition, make a spanning tree of
// it; a joint that would close a loop becomes a cut-joint. From the world the tree is walked outwards, so that a joint
// may be written in either direction. The walk keeps a buffer of roots, whose order is the numbering of super-objects,
// and a stack for the rigidly connected members of the current one. Everything is O(n).
#pragma once

#include <tactus/components/entity.hpp>

#include <utility>
#include <vector>

namespace tactus::systems {

// What has been touched since the structure was last derived. Kept by World.
struct StructureChanges {
    bool everything = true;
    std::vector<Entity> objects;  // added, or changed in placement, parent, freedom or feature
    std::vector<Entity> roots;    // of super-objects that lost a member

    bool any() const { return everything || !objects.empty() || !roots.empty(); }
};

// From scratch. Writes MemberOf, SuperObject, RootMass, CutJoint, CarriedByJoints. An InputError lists objects that
// nothing connects to the world, and joints within one rigid body. Precondition: no PendingParent.
void build_structure(entt::registry& registry, Entity world);

// Must be called before an Object3D is destroyed: notes what its super-object has to be told.
void note_removal(entt::registry& registry, Entity object, StructureChanges& changes);

// The same result as build_structure, but walks only the super-objects that a change touched. Falls back to
// build_structure where a change may alter the spanning tree (joints were added or removed, or there are loops).
void update_structure(entt::registry& registry, Entity world, const StructureChanges& changes);

// Roots in the numbering of the seeds: the world first, then in the order in which the walk meets them.
std::vector<Entity> super_object_order(const entt::registry& registry, Entity world);

// Pairs of super-objects (by their roots, the first one earlier in `order`) that are excluded from contact because a
// joint or cut-joint between them has can_collide = false.
std::vector<std::pair<Entity, Entity>> excluded_pairs(const entt::registry& registry, const std::vector<Entity>& order);

}  // namespace tactus::systems
