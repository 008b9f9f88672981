// Contacts: pairs of collidables that were penetrating at the last event. Each keeps what was decided when it started
// (impact speed, damping) until it ends; forces come from these only (the thesis, section 6.3 and chapter 7).
#pragma once

#include <tactus/engine/mpr/contact_depth.hpp>
#include <tactus/systems/contact_response/contact_pairs.hpp>
#include <tactus/systems/dynamics/coupling.hpp>
#include <tactus/systems/forces/forces.hpp>

#include <limits>
#include <span>
#include <vector>

namespace tactus::systems {

struct Contact {
    std::uint32_t a = 0, b = 0;  // collidables, a < b
    bool observed_only = false;  // no force
    ContactConstants constants;
    const UserContactLaw* law = nullptr;  // of the host's, instead
    ContactStart start;
    ContactDamping damping;
    double start_time = 0.0;           // [s]
    Vec3 start_point = Vec3::Zero();   // [m] world axes, likewise the next
    Vec3 start_normal = Vec3::Zero();  // from a to b
    double largest_force = 0.0;        // [N] normal force at the ends of steps so far

    bool holds = false;        // its friction has a memory ...
    Grip held = Grip::Zero();  // ... which is this
    std::ptrdiff_t slot = -1;  // where the states have it; -1: nowhere yet

    bool flat = false;  // they may touch along edges and faces: the depth is the soft one
    bool deep = false;  // they do not, but act as more than a point at the last evaluation

    // Of the last evaluation. World axes.
    // The two solids where distance and depth were computed; not a number: nowhere.
    Frame X_WA{Mat3::Identity(), Vec3::Constant(std::numeric_limits<double>::quiet_NaN())}, X_WB = X_WA;
    double gap = 0.0;                                 // [m] distance, or minus the depth where edges and faces overlap
    SignedDistance touch;                             // if the distance was needed
    ContactDepth depth;                               // only if `flat` or `deep`, and they penetrate
    ContactMotion motion;                             // at `point`
    ContactForce force;                               // on b, at `point`
    double turning = 0.0;                             // [rad/s] of both about the normal, on average
    Vec3 point = Vec3::Zero();                        // [m] centre of pressure
    Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();  // [m] it from the origins of the links
    PairCache cache;
    DepthCache depth_cache;
};

// Contact of a pair at the instant of this motion, as it starts: between bodies that are too heavy to be thrown, until
// decide_damping says what the inverse mass [1/kg] of the pair is.
Contact begin_contact(std::span<const Collidable> collidables, const ContactPairs& pairs, std::uint32_t a,
                      std::uint32_t b, const TreeMotion& motion, const DistanceOptions& options, double t);

void decide_damping(Contact& contact, double inverse_mass);

// Depths, points and relative motion of all contacts (narrow phase), then forces.
void touch_contacts(std::span<Contact> contacts, std::span<const Collidable> collidables, const TreeMotion& motion,
                    const DistanceOptions& options, Workers& workers);
void respond(std::span<Contact> contacts, Workers& workers);

// Gaps of all contacts: those that may have ended since they were evaluated, and those that were hardly touching then, are
// evaluated anew, with their forces. The others still overlap, and stay as they are.
void find_gaps(std::span<Contact> contacts, std::span<const Collidable> collidables, const TreeMotion& motion,
               const DistanceOptions& options, Workers& workers);

// Adds them to what acts on the links, in the order of the contacts.
void apply_contacts(std::span<const Contact> contacts, std::span<const Collidable> collidables, Applied& applied);

double contact_energy(std::span<const Contact> contacts);  // [J] stored, after touch_contacts

// How they change with small motions, after respond; one for each, in their order. Memories of friction follow these
// motions as they do in a step with this gamma [s].
void contact_slopes(std::span<const Contact> contacts, std::span<const Collidable> collidables,
                    std::vector<Coupling>& couplings, double gamma = 0.0);

// [s] how long a contact that starts with this speed would last without damping (Hertz): the scale of what follows.
double contact_duration(const Contact& contact, double speed);

}  // namespace tactus::systems
