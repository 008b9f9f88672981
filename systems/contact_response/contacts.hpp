// Contacts: pairs of collidables that were penetrating at the last event. Each keeps what was decided when it started
// (impact speed, damping) until it ends; forces come from these only (seed 000, section 6.3 and chapter 7).
#pragma once

#include <tactus/engine/mpr/touch_points.hpp>
#include <tactus/systems/contact_response/contact_pairs.hpp>
#include <tactus/systems/dynamics/coupling.hpp>
#include <tactus/systems/forces/forces.hpp>

#include <span>
#include <vector>

namespace tactus::systems {

// One of several places where two solids with edges and faces touch (engine/mpr/touch_points.hpp). It has a start of its
// own: the corners of a box that falls onto a floor arrive one after the other.
struct ContactPoint {
    TouchPoint touch;
    bool acting = false;
    double impact_speed = 0.0;  // [m/s]
    double damping = 0.0;       // [s/m]
    ContactMotion motion;
    ContactForce force;  // on b, at touch.point; weighted
};

// What is kept of a point that acts.
struct ActingPoint {
    std::uint32_t key = 0;
    double impact_speed = 0.0;  // [m/s]
    double damping = 0.0;       // [s/m]
    bool left = false;          // it was apart where zero crossings were evaluated last
};

struct Contact {
    std::uint32_t a = 0, b = 0;  // collidables, a < b
    bool observed_only = false;  // no force
    ContactConstants constants;
    const UserContactLaw* law = nullptr;  // of the host's, instead
    ContactStart start;
    double damping = 0.0;              // [s/m]
    double start_time = 0.0;           // [s]
    Vec3 start_point = Vec3::Zero();   // [m] world axes, likewise the next
    Vec3 start_normal = Vec3::Zero();  // from a to b
    double largest_force = 0.0;        // [N] normal force at the ends of steps so far

    bool flat = false;                // they may touch in several places
    double near = 0.0;                // [m] points act from this distance on: far less than they are pressed in
    std::vector<ActingPoint> acting;  // sorted by key

    // Of the last evaluation. World axes.
    SignedDistance touch;
    ContactMotion motion;                             // at the deepest place
    double weight = 1.0;                              // of the deepest place: what it carries beyond `points`
    std::vector<ContactPoint> points;                 // the others; none unless `flat`
    ContactForce force;                               // of all on b, at `point`
    Vec3 point = Vec3::Zero();                        // [m] middle of the normal forces
    Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();  // [m] contact point from the origins of the links
    PairCache cache;
};

// Contact of a pair at the instant of this motion, as it starts.
Contact begin_contact(std::span<const Collidable> collidables, const ContactPairs& pairs, std::uint32_t a,
                      std::uint32_t b, const TreeMotion& motion, const DistanceOptions& options, double t);

// Distances, points and relative motion of all contacts (narrow phase), then forces.
void touch_contacts(std::span<Contact> contacts, std::span<const Collidable> collidables, const TreeMotion& motion,
                    const DistanceOptions& options, Workers& workers);
void respond(std::span<Contact> contacts, Workers& workers);

// Adds them to what acts on the links, in the order of the contacts.
void apply_contacts(std::span<const Contact> contacts, std::span<const Collidable> collidables, Applied& applied);

// [m] least distance of the points that do not act yet, less `near`: they start at its zero. Notes those that have left.
double least_point_gap(std::span<Contact> contacts);
// Points that are near begin to act, with the speed at which they arrive. [s] least duration of what starts; infinite if
// nothing does.
double start_points(Contact& contact, std::span<const Collidable> collidables, const Tree& tree);
void drop_points_that_left(std::span<Contact> contacts);

double contact_energy(std::span<const Contact> contacts);  // [J] stored, after touch_contacts

// How they change with small motions, after touch_contacts; appended in the order of the contacts, at least one for each.
void contact_slopes(std::span<const Contact> contacts, std::span<const Collidable> collidables,
                    std::vector<Coupling>& couplings);

// [s] how long a contact that starts with this speed would last without damping (Hertz): the scale of what follows.
double contact_duration(const Contact& contact, double speed, std::span<const Collidable> collidables,
                        const Tree& tree);

}  // namespace tactus::systems
