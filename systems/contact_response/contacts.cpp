#include <tactus/systems/contact_response/contacts.hpp>

#include <cmath>
#include <limits>

namespace tactus::systems {

namespace {

constexpr std::size_t grain = 32;

void touch(Contact& contact, std::span<const Collidable> collidables, const TreeMotion& motion,
           const DistanceOptions& options) {
    const Collidable &A = collidables[contact.a], &B = collidables[contact.b];
    const LinkMotion &link_A = motion.links[A.link], &link_B = motion.links[B.link];
    const Placed a = place(A, link_A), b = place(B, link_B);
    contact.touch = signed_distance(A.shape, a.X_WM, B.shape, b.X_WM, options, &contact.cache);
    const Vec3 point = 0.5 * (contact.touch.point1 + contact.touch.point2);
    contact.arm_a = point - link_A.p_W;
    contact.arm_b = point - link_B.p_W;
    contact.motion.penetration = std::max(0.0, -contact.touch.distance);
    contact.motion.normal = contact.touch.normal;
    contact.motion.velocity = link_B.velocity.v + link_B.velocity.w.cross(contact.arm_b) -
                              (link_A.velocity.v + link_A.velocity.w.cross(contact.arm_a));
    contact.motion.spin = link_B.velocity.w - link_A.velocity.w;
}

}  // namespace

Contact begin_contact(std::span<const Collidable> collidables, const ContactPairs& pairs, std::uint32_t a,
                      std::uint32_t b, const TreeMotion& motion, const DistanceOptions& options, double t) {
    Contact contact;
    const ContactRules& rules = pairs.rules(a, b);
    contact.a = a;
    contact.b = b;
    contact.observed_only = rules.response != ContactResponse::Elastic;
    contact.law = rules.law;
    contact.constants = pairs.constants(a, b);
    touch(contact, collidables, motion, options);
    contact.start.impact_speed = std::abs(contact.motion.velocity.dot(contact.motion.normal));
    contact.start.radius = contact.constants.radius;
    contact.damping = contact_damping(contact.constants, contact.start.impact_speed);
    contact.start_time = t;
    contact.start_point = 0.5 * (contact.touch.point1 + contact.touch.point2);
    contact.start_normal = contact.touch.normal;
    return contact;
}

void touch_contacts(std::span<Contact> contacts, std::span<const Collidable> collidables, const TreeMotion& motion,
                    const DistanceOptions& options, Workers& workers) {
    workers.for_chunks(contacts.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) touch(contacts[i], collidables, motion, options);
    });
}

void respond(std::span<Contact> contacts, Workers& workers) {
    workers.for_chunks(contacts.size(), 8 * grain, [&](std::size_t begin, std::size_t end) {
        for (Contact& c : contacts.subspan(begin, end - begin)) {
            if (c.observed_only || c.motion.penetration == 0.0)
                c.force = {};
            else
                c.force = c.law ? c.law->force(c.motion, c.start) : contact_force(c.constants, c.damping, c.motion);
        }
    });
}

void apply_contacts(std::span<const Contact> contacts, std::span<const Collidable> collidables, Applied& applied) {
    for (const Contact& c : contacts) {
        if (c.observed_only) continue;
        const ContactForce& f = c.force;
        applied.wrenches[collidables[c.b].link] += {f.torque + c.arm_b.cross(f.force), f.force};
        applied.wrenches[collidables[c.a].link] += {-f.torque - c.arm_a.cross(f.force), -f.force};
        applied.dissipation += f.dissipation;
        if (!std::isfinite(f.normal_force + f.force.sum() + f.torque.sum()) && applied.not_finite == entt::null)
            applied.not_finite = collidables[c.b].object;
    }
}

double contact_energy(std::span<const Contact> contacts) {
    double sum = 0.0;
    for (const Contact& c : contacts) {
        if (c.observed_only) continue;
        if (!c.law)
            sum += contact_energy(c.constants, c.motion.penetration);
        else if (c.law->energy)
            sum += c.law->energy(c.motion.penetration, c.start);
    }
    return sum;
}

void contact_slopes(std::span<const Contact> contacts, std::span<const Collidable> collidables,
                    std::vector<Coupling>& couplings) {
    for (const Contact& c : contacts) {
        Coupling coupling;
        coupling.a = collidables[c.a].link;
        coupling.b = collidables[c.b].link;
        coupling.arm_a = c.arm_a;
        coupling.arm_b = c.arm_b;
        if (!c.observed_only && c.motion.penetration > 0.0) {
            const ContactMotion& m = c.motion;
            const ContactSlopes s =
                c.law ? contact_slopes(*c.law, c.start, m) : contact_slopes(c.constants, c.damping, m);
            // The penetration grows as b moves against the normal.
            coupling.by_place.topRightCorner<3, 3>() = -s.torque_by_depth * m.normal.transpose();
            coupling.by_place.bottomRightCorner<3, 3>() = -s.force_by_depth * m.normal.transpose();
            coupling.by_speed << s.torque_by_spin, s.torque_by_velocity, Mat3::Zero(), s.force_by_velocity;
            if (!c.law) {  // of -(force - elastic) . velocity - torque . spin
                const double root = std::sqrt(m.penetration);
                const double separating = m.velocity.dot(m.normal);
                const double elastic = c.constants.stiffness * m.penetration * root;
                const double by_depth = -s.force_by_depth.dot(m.velocity) - s.torque_by_depth.dot(m.spin) +
                                        1.5 * c.constants.stiffness * root * separating;
                coupling.power_by_place.tail<3>() = -by_depth * m.normal;
                coupling.power_by_speed.head<3>() = -s.torque_by_spin.transpose() * m.spin - c.force.torque;
                coupling.power_by_speed.tail<3>() = -s.force_by_velocity.transpose() * m.velocity -
                                                    s.torque_by_velocity.transpose() * m.spin - c.force.force +
                                                    elastic * m.normal;
            }
        }
        couplings.push_back(coupling);
    }
}

double contact_duration(const Contact& c, std::span<const Collidable> collidables, const Tree& tree) {
    double inverse_mass = 0.0;
    for (const std::uint32_t i : {c.a, c.b})
        if (const double mass = tree.links[collidables[i].link].mass; mass > 0.0) inverse_mass += 1.0 / mass;
    const double v = std::max(c.start.impact_speed, c.constants.v_small);
    if (!(inverse_mass > 0.0) || !(c.constants.stiffness > 0.0)) return std::numeric_limits<double>::infinity();
    const double depth = std::pow(1.25 * v * v / (inverse_mass * c.constants.stiffness), 0.4);
    return 2.943275 * depth / v;
}

}  // namespace tactus::systems
