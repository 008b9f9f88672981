// Definitions: what a user hands to World::add*. Every field has a default, so that a designated initializer names only
// what matters: world.add({.name = "ball", .free = true, .shape = Sphere{0.08}, .material = "Steel"}).
// Definition in, entity out; the World turns them into components.
#pragma once

#include <tactus/components/action.hpp>
#include <tactus/components/drive.hpp>
#include <tactus/components/force_element.hpp>
#include <tactus/components/joint.hpp>
#include <tactus/components/object3d.hpp>
#include <tactus/components/record.hpp>
#include <tactus/components/scene.hpp>
#include <tactus/components/solid.hpp>
#include <tactus/components/visual.hpp>
#include <tactus/engine/integrators/solver.hpp>

#include <optional>
#include <string>

namespace tactus {

// A parent by path or entity; by default the world, unless joints connect the object. The parent may be added later.
struct ParentRef : Ref {
    ParentRule rule = ParentRule::automatic;

    ParentRef() = default;
    ParentRef(Entity e) : Ref{e}, rule{ParentRule::given} {}
    ParentRef(std::string p) : Ref{std::move(p)}, rule{ParentRule::given} {}
    ParentRef(std::string_view p) : Ref{p}, rule{ParentRule::given} {}
    ParentRef(const char* p) : Ref{p}, rule{ParentRule::given} {}
    static ParentRef none() {  // only joints connect the object
        ParentRef parent;
        parent.rule = ParentRule::none;
        return parent;
    }
    bool operator==(const ParentRef&) const = default;
};

enum class Feature { Automatic, Solid, Visual };  // Automatic: Solid if there is a shape or a mass, else none

// An Object3D with at most one feature. See components/object3d.hpp, solid.hpp and visual.hpp for the meaning.
struct Object3DDef {
    std::string name;  // path, e.g. "robot.arm.link1"; empty: "object<n>"
    ParentRef parent = {};
    bool free = false;
    Vec3 translation = Vec3::Zero();        // [m] in the parent's axes
    Rotation rotation = {};                 // to the parent's axes
    Vec3 velocity = Vec3::Zero();           // [m/s] in the parent's axes, if free
    Vec3 angular_velocity = Vec3::Zero();   // [rad/s] in the parent's axes, if free
    bool angular_velocity_in_body = false;  // angular_velocity is given in the object's own axes
    bool lockable = false;
    bool assembly_root = false;
    Feature feature = Feature::Automatic;
    std::optional<Shape> shape = {};
    std::string material = {};        // of the solid palette
    std::optional<double> mass = {};  // [kg] spread evenly over the shape
    std::optional<MassProperties> mass_properties = {};
    bool collidable = false;
    std::string contact_material = {};
    double smoothing_radius = 0.001;                   // [m]
    std::optional<double> contact_sphere_radius = {};  // [m]
    VisualMaterialRef visual_material = {};

    bool operator==(const Object3DDef&) const = default;

    // The feature that results: Solid, Visual, or Automatic for none.
    Feature resulting_feature() const {
        if (feature != Feature::Automatic) return feature;
        return shape || mass || mass_properties || !material.empty() ? Feature::Solid : Feature::Automatic;
    }
};

struct JointDef {
    std::string name;
    Ref object1 = {}, object2 = {};
    JointType type = {};
    bool can_collide = false;
    bool operator==(const JointDef&) const = default;
};

struct ForceDef {
    std::string name;
    ForceType type = {};
    bool operator==(const ForceDef&) const = default;
};

struct DriveDef {
    std::string name;
    DriveType type = {};
    bool operator==(const DriveDef&) const = default;
};

struct PathDef {
    std::string name;
    ReferencePath path = {};
    bool operator==(const PathDef&) const = default;
};

struct RecordDef {
    std::string name;
    RecordType type = {};
    bool operator==(const RecordDef&) const = default;
};

enum class UncertaintyMethod { None, Linear, MonteCarlo };

// How a scene file wants to be run; options of the command line go first.
struct Simulation {
    Solver solver = Solver::CvodeBdf;
    double start_time = 0.0;    // [s]
    double stop_time = 1.0;     // [s]
    double tolerance = 1e-6;    // relative
    double interval = 0.0;      // [s] between communication points; 0: a 500th of the span
    double maximum_step = 0.0;  // [s] 0: none
    UncertaintyMethod uncertainty = UncertaintyMethod::None;
    int particles = 100;  // of MonteCarlo

    bool operator==(const Simulation&) const = default;
};

}  // namespace tactus
