// Super-objects: what the structure system derives from the Object3Ds and joints. All of it is written there only.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/shapes/mass_properties.hpp>

#include <cstdint>
#include <vector>

namespace tactus {

// On every Object3D; added with it by World.
struct MemberOf {
    Entity root = entt::null;  // of its super-object; null until the structure is derived
    std::uint32_t index = 0;   // position in SuperObject::members
    Pose X_RB;                 // pose in the root's frame R, constant within a segment
};

// On the root of every super-object. Lists are in depth-first order; the world itself is in none of the four below.
struct SuperObject {
    Entity parent = entt::null;        // root of the super-object that this one hangs on; null for the world
    Entity anchor = entt::null;        // Object3D of the parent super-object that carries this one; null for the world
    Entity joint = entt::null;         // between anchor and root; null if it moves freely, and for the world
    bool reversed = false;             // the root is the joint's object1 (or the parent of a free object at the anchor)
    bool collides_with_parent = true;  // false: every pair with the parent super-object is excluded

    std::vector<Entity> members;    // all Object3Ds, root first
    std::vector<Entity> collision;  // collidable Solids
    std::vector<Entity> mass;       // Solids with mass
    std::vector<Entity> force;   // collidable, or carried by a joint, or at a force element: needed in every evaluation
    std::vector<Entity> visual;  // only seen: needed at communication points
    std::vector<Entity> children;    // roots of the super-objects that hang on this one
    std::vector<Entity> cut_joints;  // joints that close a loop and end at this super-object
};

// Mass of a whole super-object, in the frame of its root. On roots of super-objects with mass.
struct RootMass {
    MassProperties properties;
};

// On a joint that closes a kinematic loop and therefore carries no super-object.
struct CutJoint {};

}  // namespace tactus
