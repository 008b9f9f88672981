// Forces: everything that acts on the links of a tree besides constraints and contact, ready for evaluation. Pieces of
// tables and the modes of joint stops are chosen at events only (enter, handle), so that in between all is smooth.
//
// Elements are evaluated kind by kind, each kind in the order of definition: sums have a fixed order.
#pragma once

#include <tactus/components/force_element.hpp>
#include <tactus/components/joint.hpp>
#include <tactus/components/scene.hpp>
#include <tactus/systems/drives/drive_train.hpp>
#include <tactus/systems/drives/reference.hpp>
#include <tactus/systems/dynamics/dynamics.hpp>
#include <tactus/systems/forces/attachment.hpp>
#include <tactus/systems/forces/given_functions.hpp>

#include <algorithm>
#include <array>
#include <span>
#include <vector>

namespace tactus::systems {

// One instant, as force elements see it.
struct ForceInstant {
    double t;
    const Tree& tree;
    const TreeMotion& motion;
    std::span<const double> q, v;
    std::span<const double> drives = {};  // states of Servos
};

// What the forces amount to. Cleared by compute_forces.
struct Applied {
    std::vector<Wrench> wrenches;     // on each link at its origin
    std::vector<double> tau;          // along each speed
    double dissipation = 0.0;         // [W] taken out of the motion by dampers and friction
    double given_power = 0.0;         // [W] put into it by WorldForce, WorldTorque, PdDrive and Servo
    std::vector<double> drive_rates;  // of the states of Servos
    Entity not_finite = entt::null;   // the first element whose force is no finite number

    void resize(const Tree& tree, std::size_t servos = 0);
};

struct GivenForce {  // WorldForce or WorldTorque
    Entity element;
    bool torque = false;
    Attachment at, axes;
    GivenVector value;
};

struct PointSpring {
    Entity element;
    Attachment at1, at2;
    double nominal_length = 0.0, nominal_force = 0.0;
    GivenLaw spring, damper;
};

struct BushingElement {
    Entity element;
    Attachment at1, at2;
    Vec3 nominal_force, nominal_torque;
    std::vector<GivenLaw> spring, damper, rotational_spring, rotational_damper;  // three each
    bool large_angles = false;
};

enum class Stop : std::int8_t { lower = -1, none = 0, upper = 1 };

struct ResistedSpeed {  // one degree of freedom of a joint, with its spring, damper, friction and stops
    Entity joint;
    int q = 0, v = 0;
    JointResistance law;
    Stop stop = Stop::none;
};

struct DampedTurning {  // of a Spherical joint
    Entity joint;
    int v = 0;
    double damping = 0.0;
};

struct Flange {          // of a drive
    int q = -1, v = -1;  // where its degree of freedom is; -1: the ground
    double ratio = 1.0;  // its coordinate over that degree of freedom's
    double position(const ForceInstant& at) const { return q < 0 ? 0.0 : ratio * at.q[static_cast<std::size_t>(q)]; }
    double speed(const ForceInstant& at) const { return v < 0 ? 0.0 : ratio * at.v[static_cast<std::size_t>(v)]; }
};

struct FlangeElement {  // Damper or LinearSpring between two flanges
    Entity element;
    Flange flange1, flange2;
    double stiffness = 0.0, damping = 0.0, rest = 0.0;
};

struct PdElement {
    Entity element;
    Flange flange;
    RunningReference reference;
    double stiffness = 0.0, damping = 0.0, inertia = 0.0;
};

struct ServoElement {  // its motor's inertia is in the tree
    Entity element;
    Flange flange;
    RunningReference reference;
    double gear_ratio = 1.0, position_gain = 0.0, gain = 0.0, integral_time = 1.0;
};

struct PrescribedSpeed {
    Entity element;
    Flange flange;
    RunningReference reference;
};

struct PathCorner {
    Entity path;
    double next;  // [s]
};

struct Forces {
    Gravity gravity;
    std::vector<GivenForce> given;
    std::vector<PointSpring> springs;
    std::vector<BushingElement> bushings;
    std::vector<ResistedSpeed> resisted;
    std::vector<DampedTurning> damped;
    std::vector<FlangeElement> flanges;
    std::vector<PdElement> pds;
    std::vector<ServoElement> servos;
    std::vector<PrescribedSpeed> prescribed;
    std::vector<PathCorner> paths;

    bool dissipative() const;
    bool works() const {  // puts energy into the motion
        return !given.empty() || !pds.empty() || !servos.empty() || !prescribed.empty();
    }
    bool has_callbacks() const;  // of time: what they do cannot be foreseen
};

// The elements that act on this tree. What they need of the registry and of `functions` is copied.
Forces build_forces(const entt::registry& registry, Entity world, const Tree& tree, const HostFunctions& functions);
Forces build_forces(const entt::registry& registry, Entity world, const Tree& tree, const HostFunctions& functions,
                    const DriveTrain& drives);

void compute_forces(const Forces& forces, const ForceInstant& at, Applied& applied);

// Coordinates, speeds and their rates that are prescribed, where they belong.
void prescribe(const Forces& forces, double t, std::span<double> q, std::span<double> v, std::span<double> dv);

// ---- energies [J] ----
double gravity_energy(const Forces& forces, const ForceInstant& at);
double elastic_energy(const Forces& forces, const ForceInstant& at);

// ---- events ----
// Choose pieces and stops for what comes after this instant.
void enter(Forces& forces, const entt::registry& registry, const ForceInstant& at);
void enter_time(Forces& forces, const entt::registry& registry, double t);  // only what depends on time
double next_time_event(const Forces& forces);  // [s] end of the first piece of a table over time or of a reference
std::vector<Entity> at_time_event(const Forces& forces, double t);  // elements and paths whose piece has ended
std::size_t zero_crossings(const Forces& forces);                   // number of functions
void zero_crossings(const Forces& forces, const ForceInstant& at, std::span<double> g);  // positive, fall to zero
Entity handle(Forces& forces, const ForceInstant& at, std::size_t crossing);  // the element whose piece or stop changes

// ---- what an element does, for results ----
struct SpringReport {
    double length = 0.0, rate = 0.0, force = 0.0;  // [m] [m/s] [N], force > 0 pulls
};
SpringReport report(const PointSpring& spring, const ForceInstant& at);

struct BushingReport {
    Vec3 translation, rotation, velocity, rotation_rate;  // of object2 against object1, in its axes
    Vec3 force_on_2, torque_on_2;                         // in object1's axes
};
BushingReport report(const BushingElement& bushing, const ForceInstant& at);

double torque(const PdElement& drive, const ForceInstant& at);                        // [N m] or [N] on its flange
double torque(const ServoElement& drive, const ForceInstant& at, std::size_t index);  // of the motor, through the gear

}  // namespace tactus::systems
