// Contacts: pairs of collidables that were penetrating at the last event. Each keeps what was decided when it started
// (impact speed, damping) until it ends; forces come from these only (seed 000, section 6.3 and chapter 7).
#pragma once

#include <tactus/systems/contact_response/contact_pairs.hpp>
#include <tactus/systems/dynamics/coupling.hpp>
#include <tactus/systems/forces/forces.hpp>

#include <span>
#include <vector>

namespace tactus::systems {

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

    // Of the last evaluation. World axes.
    SignedDistance touch;
    ContactMotion motion;
    ContactForce force;                               // on b
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

double contact_energy(std::span<const Contact> contacts);  // [J] stored, after touch_contacts

// How they change with small motions, after touch_contacts; appended in the order of the contacts, one for each.
void contact_slopes(std::span<const Contact> contacts, std::span<const Collidable> collidables,
                    std::vector<Coupling>& couplings);

// [s] how long a contact that starts with this speed would last without damping (Hertz): the scale of what follows.
double contact_duration(const Contact& contact, std::span<const Collidable> collidables, const Tree& tree);

}  // namespace tactus::systems
