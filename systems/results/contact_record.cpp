#include <tactus/systems/results/contact_record.hpp>

#include <tactus/components/object3d.hpp>
#include <tactus/engine/instant.hpp>
#include <tactus/systems/definition_order.hpp>

#include <algorithm>
#include <limits>

namespace tactus::systems {

std::optional<ContactReading> read_contact(const ContactRecord& record, Entity world, Simulator& simulator) {
    const Entity one = record.object1.entity, two = record.object2.entity;
    for (const auto& island : simulator.islands()) {
        for (const Contact& c : island->contacts()) {
            const Entity a = island->collidable(c.a).object, b = island->collidable(c.b).object;
            const bool turned = a == two && b == one;  // the contact's first is object2
            if (!turned && !(a == one && b == two)) continue;
            const Entity axes_of = record.coordinates.empty() ? world : record.coordinates.entity;
            const Pose X_WC = Instant{simulator.island_of(axes_of)}.pose(axes_of);
            const Mat3 R_CW = X_WC.R().transpose();
            const double sign = turned ? 1.0 : -1.0;  // the contact's force acts on its second, its normal points there
            const ContactMotion& m = c.motion;
            const double separating = m.velocity.dot(m.normal);
            ContactReading r;
            r.penetration = m.penetration;
            r.penetration_velocity = -separating;
            r.tangential_velocity = (m.velocity - separating * m.normal).norm();
            r.angular_velocity = m.spin.norm();
            r.normal_force = c.force.normal_force;
            r.tangential_force = (c.force.force - c.force.force.dot(m.normal) * m.normal).norm();
            r.torque = c.force.torque.norm();
            r.position = R_CW * (c.point - X_WC.p);
            r.normal = sign * (R_CW * m.normal);
            r.force = sign * (R_CW * c.force.force);
            r.torque_vector = sign * (R_CW * c.force.torque);
            return r;
        }
    }
    return {};
}

void add_contact_records(Simulator& simulator, const AddSignals& add) {
    const entt::registry& registry = simulator.registry();
    const Entity world = simulator.islands().front()->tree().links[0].root;
    for (const Entity e : in_definition_order<Record>(registry)) {
        const auto* record = std::get_if<ContactRecord>(&registry.get<Record>(e).type);
        if (!record) continue;
        const std::string name = registry.get<Name>(e).path + ".";
        add({{name + "penetration", "m"},
             {name + "penetrationVelocity", "m/s"},
             {name + "tangentialVelocity", "m/s"},
             {name + "angularVelocity", "rad/s"},
             {name + "normalForce", "N"},
             {name + "tangentialForce", "N"},
             {name + "torque", "N m"},
             {name + "position", "m", 3},
             {name + "normal", "1", 3},
             {name + "forceVector", "N", 3},
             {name + "torqueVector", "N m", 3}},
            [record = *record, world, &simulator](double* to) {
                const auto r = read_contact(record, world, simulator);
                if (!r) {
                    std::fill_n(to, 19, std::numeric_limits<double>::quiet_NaN());
                    return;
                }
                for (const double x : {r->penetration, r->penetration_velocity, r->tangential_velocity,
                                       r->angular_velocity, r->normal_force, r->tangential_force, r->torque})
                    *to++ = x;
                for (const Vec3& v : {r->position, r->normal, r->force, r->torque_vector})
                    to = std::copy_n(v.data(), 3, to);
            });
    }
}

}  // namespace tactus::systems
