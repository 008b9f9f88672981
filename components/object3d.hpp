// Object3D: a frame B placed relative to its parent's frame P, with optional features.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/rotation.hpp>

#include <cstdint>
#include <vector>

namespace tactus {

// Name of an element of the World. Written by World::add*; never changes.
struct Name {
    std::string path;          // unique, parts separated by dots
    std::uint64_t serial = 0;  // order of definition; everything that needs an order uses this one
};

enum class ParentRule : std::uint8_t {
    given,      // hangs on Object3D::parent
    automatic,  // nothing was said: the world, unless joints connect it and it is not free
    none        // only joints connect it
};

struct Object3D {
    Entity parent = entt::null;  // written by World; null while its name is pending, for `none`, for the Scene
    ParentRule rule = ParentRule::automatic;  // written by World
    bool free = false;  // 6 degrees of freedom relative to the parent; else fixed to it. Written by World
    bool collidable = false, massive = false, visible = false;  // what its feature amounts to. Written by World

    // The parent holds it whatever joints there are: a joint that does so too closes a loop.
    bool uses_parent() const { return rule == ParentRule::given || (rule == ParentRule::automatic && free); }
};

// Pose of B in P: constant for a fixed object, the initial value for a free one. Written by World.
struct Placement {
    Pose X_PB;
    Rotation rotation;  // X_PB.q as its author wrote it
};

// Initial velocity of a free object relative to its parent. Written by World; only on free objects.
struct InitialMotion {
    Vec3 velocity = Vec3::Zero();          // [m/s] of B's origin, in P axes
    Vec3 angular_velocity = Vec3::Zero();  // [rad/s] in P axes, or in B axes if `in_body`
    bool in_body = false;
};

// Roles in variable structure. Tags, written by World.
struct Lockable {};      // may be attached to, and be attached by
struct AssemblyRoot {};  // moves together with all that is fixed to it; the only thing that actions attach or release

// How an object that actions hold otherwise now was defined; World::reset puts it back. Written by systems/actions.
struct DefinedAs {
    Entity parent = entt::null;
    ParentRule rule = ParentRule::automatic;
    bool free = false;
    Placement placement;
};

// An action has taken it out of the model until World::reset: an object with all that needs it, or a joint that broke.
// Tag, written by systems/actions.
struct Absent {};

// Joints connect this object to the world, so that its automatic parent is not used. Tag, written by systems/structure.
struct CarriedByJoints {};

// The parent's name is not defined yet. Written by World, removed as soon as it is.
struct PendingParent {
    std::string path;
};

// Children by definition, in the order of Name::serial. Written by World; on every Object3D that has any.
struct Children {
    std::vector<Entity> objects;
};

// Elements (joints, force elements, drives, records) that refer to this one, in the order of Name::serial. Written by World.
struct UsedBy {
    std::vector<Entity> elements;
};

}  // namespace tactus
