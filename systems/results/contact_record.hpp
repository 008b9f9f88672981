// ContactRecord: what acts between two solids while they touch.
#pragma once

#include <tactus/components/record.hpp>
#include <tactus/systems/integration/simulator.hpp>
#include <tactus/systems/results/channel.hpp>

#include <optional>

namespace tactus::systems {

// Vectors in the coordinates' axes; what acts, acts on object1.
struct ContactReading {
    double penetration, penetration_velocity;  // [m], [m/s] > 0: they approach each other
    double tangential_velocity;                // [m/s]
    double angular_velocity;                   // [rad/s]
    double normal_force, tangential_force;     // [N]
    double torque;                             // [N m] against relative turning
    Vec3 position;                             // [m] of the contact point, from the coordinates' origin
    Vec3 normal;                               // into object1
    Vec3 force, torque_vector;                 // [N], [N m] on object1, at the contact point
};

std::optional<ContactReading> read_contact(const ContactRecord& record, Entity world, Simulator& simulator);

// Signals of all ContactRecords; missing while the two do not touch.
void add_contact_records(Simulator& simulator, const AddSignals& add);

}  // namespace tactus::systems
