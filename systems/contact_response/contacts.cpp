#include <tactus/systems/contact_response/contacts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::systems {

namespace {

constexpr std::size_t grain = 32;
constexpr double near_of_reach = 1e-6;  // how near a point must be to act, relative to how near it must be to be seen

// Motion of b's link against a's at a point.
ContactMotion relative_motion(const LinkMotion& a, const LinkMotion& b, const Vec3& point, const Vec3& normal,
                              double distance) {
    ContactMotion m;
    m.penetration = std::max(0.0, -distance);
    m.normal = normal;
    m.velocity = b.velocity.v + b.velocity.w.cross(point - b.p_W) - (a.velocity.v + a.velocity.w.cross(point - a.p_W));
    m.spin = b.velocity.w - a.velocity.w;
    return m;
}

// The acting point of this key, or null.
ActingPoint* find_acting(Contact& contact, std::uint32_t key) {
    const auto p = std::lower_bound(contact.acting.begin(), contact.acting.end(), key,
                                    [](const ActingPoint& q, std::uint32_t k) { return q.key < k; });
    return p != contact.acting.end() && p->key == key ? &*p : nullptr;
}

// The corners and crossings of edges that are near, and what the deepest place has to carry beyond them: nothing, if it is
// one of them; all, as in the seeds, if there are none.
void touch_flat(Contact& contact, const CollisionShape& A, const Placed& a, const CollisionShape& B, const Placed& b,
                const LinkMotion& link_A, const LinkMotion& link_B, std::vector<TouchPoint>& found) {
    constexpr double rounding =
        1e-6;  // of the force: what the deepest place may differ by from itself among the points
    find_touch_points(A, a.X_WM, B, b.X_WM, contact.touch, found);
    contact.points.resize(found.size());
    double carried = 0.0;
    for (std::size_t i = 0; i < found.size(); ++i) {
        ContactPoint& p = contact.points[i];
        p.touch = found[i];
        p.motion = relative_motion(link_A, link_B, p.touch.point, p.touch.normal, p.touch.distance);
        const ActingPoint* acting = find_acting(contact, p.touch.key);
        p.acting = acting != nullptr;
        if (!acting) continue;
        p.impact_speed = acting->impact_speed;
        p.damping = acting->damping;
        const double share = p.motion.penetration / contact.motion.penetration;
        if (p.motion.penetration > 0.0) carried = std::max(carried, p.touch.weight * share * std::sqrt(share));
    }
    contact.weight = std::max(0.0, 1.0 - carried - rounding) / (1.0 - rounding);
}

void touch(Contact& contact, std::span<const Collidable> collidables, const TreeMotion& motion,
           const DistanceOptions& options, std::vector<TouchPoint>& found) {
    const Collidable &A = collidables[contact.a], &B = collidables[contact.b];
    const LinkMotion &link_A = motion.links[A.link], &link_B = motion.links[B.link];
    const Placed a = place(A, link_A), b = place(B, link_B);
    contact.touch = signed_distance(A.shape, a.X_WM, B.shape, b.X_WM, options, &contact.cache);
    contact.point = 0.5 * (contact.touch.point1 + contact.touch.point2);
    contact.motion = relative_motion(link_A, link_B, contact.point, contact.touch.normal, contact.touch.distance);
    if (contact.flat) touch_flat(contact, A.shape, a, B.shape, b, link_A, link_B, found);
    contact.arm_a = contact.point - link_A.p_W;
    contact.arm_b = contact.point - link_B.p_W;
}

ContactForce force_of(const Contact& c, const ContactMotion& motion, double damping, double impact_speed) {
    if (motion.penetration == 0.0) return {};
    if (!c.law) return contact_force(c.constants, damping, motion);
    return c.law->force(motion, {impact_speed, c.start.radius});
}

double stored_energy(const Contact& c, double penetration, double impact_speed) {
    if (!c.law) return contact_energy(c.constants, penetration);
    return c.law->energy ? c.law->energy(penetration, {impact_speed, c.start.radius}) : 0.0;
}

void add_weighted(const ContactForce& f, double weight, ContactForce& sum) {
    sum.normal_force += weight * f.normal_force;
    sum.force += weight * f.force;
    sum.torque += weight * f.torque;
    sum.dissipation += weight * f.dissipation;
}

// All places as one force at the middle of the normal forces.
void sum_up(Contact& c) {
    const Vec3 deepest = c.point;
    const ContactForce at_deepest = c.force;
    ContactForce sum;
    Vec3 middle = Vec3::Zero();  // from the deepest place
    add_weighted(at_deepest, c.weight, sum);
    for (ContactPoint& p : c.points) {
        p.force = {};
        if (!p.acting) continue;
        add_weighted(force_of(c, p.motion, p.damping, p.impact_speed), p.touch.weight, p.force);
        // What fades out as they slide gives back what it has stored.
        p.force.force -= stored_energy(c, p.motion.penetration, p.impact_speed) * p.touch.weight_slope;
        add_weighted(p.force, 1.0, sum);
        middle += p.force.normal_force * (p.touch.point - deepest);
    }
    if (sum.normal_force > 0.0) middle /= sum.normal_force;
    sum.torque -= c.weight * middle.cross(at_deepest.force);
    for (const ContactPoint& p : c.points) sum.torque += (p.touch.point - deepest - middle).cross(p.force.force);
    c.point += middle;
    c.arm_a += middle;
    c.arm_b += middle;
    c.force = sum;
}

// How what acts at a place changes, for a force with this weight.
Coupling coupling_at(const Contact& c, const ContactMotion& m, double damping, double impact_speed, double weight) {
    Coupling coupling;
    const ContactSlopes s =
        c.law ? contact_slopes(*c.law, {impact_speed, c.start.radius}, m) : contact_slopes(c.constants, damping, m);
    // The penetration grows as b moves against the normal.
    coupling.by_place.topRightCorner<3, 3>() = -weight * s.torque_by_depth * m.normal.transpose();
    coupling.by_place.bottomRightCorner<3, 3>() = -weight * s.force_by_depth * m.normal.transpose();
    coupling.by_speed << s.torque_by_spin, s.torque_by_velocity, Mat3::Zero(), s.force_by_velocity;
    coupling.by_speed *= weight;
    if (!c.law) {  // of -(force - elastic) . velocity - torque . spin
        const ContactForce force = contact_force(c.constants, damping, m);
        const double root = std::sqrt(m.penetration);
        const double separating = m.velocity.dot(m.normal);
        const double elastic = c.constants.stiffness * m.penetration * root;
        const double by_depth = -s.force_by_depth.dot(m.velocity) - s.torque_by_depth.dot(m.spin) +
                                1.5 * c.constants.stiffness * root * separating;
        coupling.power_by_place.tail<3>() = -weight * by_depth * m.normal;
        coupling.power_by_speed.head<3>() = weight * (-s.torque_by_spin.transpose() * m.spin - force.torque);
        coupling.power_by_speed.tail<3>() =
            weight * (-s.force_by_velocity.transpose() * m.velocity - s.torque_by_velocity.transpose() * m.spin -
                      force.force + elastic * m.normal);
    }
    return coupling;
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
    contact.flat = !contact.observed_only && may_touch_flat(collidables[a].shape, collidables[b].shape);
    contact.near = near_of_reach * touch_reach(collidables[a].shape, collidables[b].shape);
    std::vector<TouchPoint> found;
    touch(contact, collidables, motion, options, found);
    contact.start.impact_speed = std::max(0.0, -contact.motion.velocity.dot(contact.motion.normal));
    contact.start.radius = contact.constants.radius;
    contact.damping = contact_damping(contact.constants, contact.start.impact_speed);
    contact.start_time = t;
    contact.start_point = contact.point;
    contact.start_normal = contact.touch.normal;
    return contact;
}

void touch_contacts(std::span<Contact> contacts, std::span<const Collidable> collidables, const TreeMotion& motion,
                    const DistanceOptions& options, Workers& workers) {
    workers.for_chunks(contacts.size(), grain, [&](std::size_t begin, std::size_t end) {
        static thread_local std::vector<TouchPoint> found;
        for (std::size_t i = begin; i < end; ++i) touch(contacts[i], collidables, motion, options, found);
    });
}

void respond(std::span<Contact> contacts, Workers& workers) {
    workers.for_chunks(contacts.size(), 8 * grain, [&](std::size_t begin, std::size_t end) {
        for (Contact& c : contacts.subspan(begin, end - begin)) {
            c.force = {};
            if (c.observed_only) continue;
            c.force = force_of(c, c.motion, c.damping, c.start.impact_speed);
            if (!c.points.empty()) sum_up(c);
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

double least_point_gap(std::span<Contact> contacts) {
    double least = std::numeric_limits<double>::infinity();
    for (Contact& c : contacts) {
        for (ActingPoint& p : c.acting) p.left = true;
        for (const ContactPoint& p : c.points) {
            if (!p.acting)
                least = std::min(least, p.touch.distance - 0.5 * c.near);
            else if (p.touch.distance < 2.0 * c.near)
                find_acting(c, p.touch.key)->left = false;
        }
    }
    return least;
}

double start_points(Contact& c, std::span<const Collidable> collidables, const Tree& tree) {
    double duration = std::numeric_limits<double>::infinity();
    for (ContactPoint& p : c.points) {
        if (p.acting || p.touch.distance > c.near) continue;
        p.acting = true;
        p.impact_speed = std::max(0.0, -p.motion.velocity.dot(p.motion.normal));
        p.damping = contact_damping(c.constants, p.impact_speed);
        c.acting.push_back({p.touch.key, p.impact_speed, p.damping});
        duration = std::min(duration, contact_duration(c, p.impact_speed, collidables, tree));
    }
    std::sort(c.acting.begin(), c.acting.end(),
              [](const ActingPoint& p, const ActingPoint& q) { return p.key < q.key; });
    return duration;
}

void drop_points_that_left(std::span<Contact> contacts) {
    for (Contact& c : contacts) std::erase_if(c.acting, [](const ActingPoint& p) { return p.left; });
}

double contact_energy(std::span<const Contact> contacts) {
    double sum = 0.0;
    for (const Contact& c : contacts) {
        if (c.observed_only) continue;
        sum += c.weight * stored_energy(c, c.motion.penetration, c.start.impact_speed);
        for (const ContactPoint& p : c.points)
            if (p.acting) sum += p.touch.weight * stored_energy(c, p.motion.penetration, p.impact_speed);
    }
    return sum;
}

void contact_slopes(std::span<const Contact> contacts, std::span<const Collidable> collidables,
                    std::vector<Coupling>& couplings) {
    for (const Contact& c : contacts) {
        const auto add = [&](Coupling coupling, const Vec3& point) {
            coupling.a = collidables[c.a].link;
            coupling.b = collidables[c.b].link;
            coupling.arm_a = c.arm_a + (point - c.point);
            coupling.arm_b = c.arm_b + (point - c.point);
            couplings.push_back(coupling);
        };
        if (c.observed_only || c.motion.penetration == 0.0) {
            add({}, c.point);
            continue;
        }
        bool any = false;
        for (const ContactPoint& p : c.points) {
            if (!p.acting || p.motion.penetration == 0.0) continue;
            add(coupling_at(c, p.motion, p.damping, p.impact_speed, p.touch.weight), p.touch.point);
            any = true;
        }
        if (any && c.weight == 0.0) continue;
        add(coupling_at(c, c.motion, c.damping, c.start.impact_speed, c.weight),
            0.5 * (c.touch.point1 + c.touch.point2));
    }
}

double contact_duration(const Contact& c, double speed, std::span<const Collidable> collidables, const Tree& tree) {
    double inverse_mass = 0.0;
    for (const std::uint32_t i : {c.a, c.b})
        if (const double mass = tree.links[collidables[i].link].mass; mass > 0.0) inverse_mass += 1.0 / mass;
    const double v = std::max(speed, c.constants.v_small);
    if (!(inverse_mass > 0.0) || !(c.constants.stiffness > 0.0)) return std::numeric_limits<double>::infinity();
    const double depth = std::pow(1.25 * v * v / (inverse_mass * c.constants.stiffness), 0.4);
    return 2.943275 * depth / v;
}

}  // namespace tactus::systems
