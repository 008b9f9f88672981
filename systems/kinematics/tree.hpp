// Tree: the super-objects of an island as flat arrays in an order in which parents come first, and what the joints
// between them are. Constant while the structure is; everything that loops over bodies reads it.
//
// A link is a super-object with the joint that carries it. Its frame B is that of its root, which is also the joint's
// frame on that side; the joint's frame on the other side is the anchor F, fixed in the parent link's frame P.
// Rotors and sliding masses of drives are links, too: without mass and without a super-object, on the world.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/components/joint.hpp>
#include <tactus/components/motion.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/spatial.hpp>

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::systems {

struct DriveTrain;

enum class JointKind : std::uint8_t { revolute, prismatic, spherical, universal, cylindrical, planar, free };

struct Link {
    Entity root = entt::null;   // of the super-object; null: a rotor
    Entity joint = entt::null;  // joint entity, or the free object, or the rotor: where JointState is
    int parent = -1;            // index of the link that carries it; the world is 0
    JointKind kind = JointKind::free;
    bool reversed = false;    // B is the joint's frame 1, F its frame 2
    bool leaf = true;         // carries no other link
    bool in_world = false;    // free, and its coordinates are those in the world: most bodies of large scenes
    bool prescribed = false;  // moves as a drive says, whatever that takes
    double armature = 0.0;    // [kg m^2] or [kg] of rotors and motors that move with its one degree of freedom
    int q0 = 0, v0 = 0;       // where its coordinates and speeds begin
    Pose X_PF;                // anchor in the parent
    Mat3 R_PF = Mat3::Identity();
    Vec3 axis[3] = {Vec3::UnitX(), Vec3::UnitY(), Vec3::UnitZ()};  // of the joint, see joint_kinematics.hpp
    double mass = 0.0;                                             // [kg]
    Vec3 com_B = Vec3::Zero();                                     // [m] centre of mass
    Mat3 inertia_B = Mat3::Zero();                                 // [kg m^2] about the centre of mass
};

struct Tree {
    std::vector<Link> links;  // [0] is the world
    int nq = 0, nv = 0;
    int integrated_q = 0, integrated_v = 0;  // the first ones of them; the others are prescribed
    bool flat = true;                        // no link carries another: all can be computed at once

    std::size_t size() const { return links.size(); }
    int index_of(Entity root) const;         // of a link, -1 if it is none
    int index_of_joint(Entity joint) const;  // of the link that it (or this free object) carries, -1 if it is none

    std::vector<std::pair<Entity, int>> by_root, by_joint;  // sorted
};

int coordinates(JointKind kind);  // number of q
int speeds(JointKind kind);       // number of v

// Where the quaternion of a joint begins in q and its turning speeds in v; nothing if it has neither.
struct Turning {
    int q = 0, v = 0;
};
std::optional<Turning> turning(JointKind kind);

// Names of the parts of JointState, as in scene files. A part of four is a quaternion.
struct StateName {
    std::string_view name;
    int first = 0, count = 1;  // in q or in v
    bool is_speed = false;
};
std::span<const StateName> state_names(JointKind kind);
std::string state_name(const std::string& owner, const StateName& part, int i);  // e.g. "rev.phi", "ball.velocity[1]"

// Of the super-objects with these roots, parents first; the parent of each is among them or is the world's.
Tree build_tree(const entt::registry& registry, Entity world, std::span<const Entity> roots);
void build_tree(const entt::registry& registry, Entity world, std::span<const Entity> roots, const DriveTrain& drives,
                Tree& tree);  // in its memory

JointState free_state(const Pose& X, const Twist& V);  // of a free object, relative to its parent

// From the definition of a joint (or free object).
JointState initial_state(const entt::registry& registry, Entity joint);

// State of the elements (or their initial values) into q and v, and back. Prescribed ones are not read.
void read_states(const entt::registry& registry, const Tree& tree, std::span<double> q, std::span<double> v);
void write_state(const Link& link, JointState state, std::span<double> q, std::span<double> v);
JointState state_of(const Link& link, std::span<const double> q, std::span<const double> v);
void write_states(entt::registry& registry, const Tree& tree, std::span<const double> q, std::span<const double> v);

void normalize_quaternions(const Tree& tree, std::span<double> q);

}  // namespace tactus::systems
