#include <tactus/systems/contact_response/contacts.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::systems {

namespace {

constexpr std::size_t grain = 32;

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

void act_at_depth(Contact& contact, const LinkMotion& link_A, const LinkMotion& link_B) {
    contact.point = contact.depth.point;
    contact.motion = relative_motion(link_A, link_B, contact.point, contact.depth.normal, -contact.depth.depth);
    contact.motion.rate = contact.depth.rate;
    contact.motion.pitch = contact.depth.pitch;
    contact.motion.spread = contact.depth.spread;
    contact.motion.gyration = contact.depth.gyration;
}

void set_arms(Contact& contact, const LinkMotion& link_A, const LinkMotion& link_B) {
    contact.arm_a = contact.point - link_A.p_W;
    contact.arm_b = contact.point - link_B.p_W;
    contact.turning = 0.5 * contact.motion.normal.dot(link_A.velocity.w + link_B.velocity.w);
}

// Whether a solid is where it was, but for much less than rounding makes of distances.
bool unmoved(const Frame& now, const Frame& then, double size) {
    constexpr double little = 0.02 * std::numeric_limits<double>::epsilon();
    return (now.p - then.p).cwiseAbs().maxCoeff() <= little * size && (now.R - then.R).cwiseAbs().maxCoeff() <= little;
}

// Where edges and faces touch by less than `least` [m], the centre of pressure is that of bodies which are so much nearer.
void touch(Contact& contact, std::span<const Collidable> collidables, const TreeMotion& motion,
           const DistanceOptions& options, double least = 0.0) {
    const Collidable &A = collidables[contact.a], &B = collidables[contact.b];
    const LinkMotion &link_A = motion.links[A.link], &link_B = motion.links[B.link];
    const Frame X_WA = frame_of(A, link_A), X_WB = frame_of(B, link_B);
    if (unmoved(X_WA, contact.X_WA, A.shape.size) && unmoved(X_WB, contact.X_WB, B.shape.size)) {
        if (contact.deep || (contact.flat && contact.gap < 0.0))
            act_at_depth(contact, link_A, link_B);
        else
            contact.motion = relative_motion(link_A, link_B, contact.point, contact.touch.normal, contact.gap);
        set_arms(contact, link_A, link_B);
        return;
    }
    contact.X_WA = X_WA;
    contact.X_WB = X_WB;
    contact.deep = false;
    if (contact.flat && least == 0.0 &&
        contact_depth_again(A.shape, X_WA, B.shape, X_WB, contact.depth_cache, contact.depth)) {
        contact.gap = -contact.depth.depth;  // there is no need for the distance
        act_at_depth(contact, link_A, link_B);
        set_arms(contact, link_A, link_B);
        return;
    }
    contact.touch = signed_distance(A.shape, X_WA, B.shape, X_WB, options, &contact.cache);
    contact.gap = contact.touch.distance;
    contact.deep = !contact.flat && !acts_as_point(A.shape, B.shape, contact.touch.distance);
    if (contact.deep || (contact.flat && contact.touch.distance < 0.0)) {
        contact.depth = contact_depth(A.shape, X_WA, B.shape, X_WB, contact.touch, &contact.depth_cache);
        act_at_depth(contact, link_A, link_B);
    } else {
        contact.point = 0.5 * (contact.touch.point1 + contact.touch.point2);
        contact.motion = relative_motion(link_A, link_B, contact.point, contact.touch.normal, contact.touch.distance);
    }
    if (contact.flat && least > 0.0 && contact.touch.distance > -least) {
        Frame X_near = X_WB;
        X_near.p -= (least + contact.touch.distance) * contact.touch.normal;
        SignedDistance nearer = contact.touch;
        nearer.distance = -least;
        const ContactDepth soft = contact_depth(A.shape, X_WA, B.shape, X_near, nearer);
        const double penetration = contact.motion.penetration;
        const Vec3 between = 0.5 * (contact.touch.point1 + contact.touch.point2);
        contact.point = soft.point + soft.normal.dot(between - soft.point) * soft.normal;
        contact.motion = relative_motion(link_A, link_B, contact.point, soft.normal, -penetration);
        contact.motion.rate = soft.rate;
        contact.motion.spread = soft.spread;
        contact.motion.gyration = soft.gyration;
    }
    set_arms(contact, link_A, link_B);
}

// Whether two that overlapped when they were evaluated still do: they cannot have gone apart by that much since.
bool certainly_touches(const Contact& c, std::span<const Collidable> collidables, const TreeMotion& motion) {
    constexpr double several = 4.0;
    if (!(c.gap < 0.0)) return false;
    const Collidable &A = collidables[c.a], &B = collidables[c.b];
    const Frame X_WA = frame_of(A, motion.links[A.link]), X_WB = frame_of(B, motion.links[B.link]);
    const auto way = [](const Frame& K0, const Frame& K1, const Frame& X0, const Frame& X1,
                        const CollisionShape& shape) {
        const Vec3 moved = K1.R.transpose() * (X1.p - K1.p) - K0.R.transpose() * (X0.p - K0.p);
        if (shape.kind == CoreKind::point) return moved.norm();
        return moved.norm() +
               (K1.R.transpose() * X1.R - K0.R.transpose() * X0.R).norm() * (shape.centroid.norm() + shape.size);
    };
    // Of one seen from the other; turning does not move a sphere.
    const double gone = A.shape.kind == CoreKind::point ? way(c.X_WB, X_WB, c.X_WA, X_WA, A.shape)
                                                        : way(c.X_WA, X_WA, c.X_WB, X_WB, B.shape);
    return -c.gap > several * std::max(1.0, c.motion.rate) * gone;
}

// The host's law says what a penetration exerts; where that grows faster than the two approach, so does the force.
ContactForce host_force(const Contact& c) {
    ContactForce f = c.law->force(c.motion, c.start);
    f.normal_force *= c.motion.rate;
    f.force *= c.motion.rate;
    f.torque = c.motion.rate * f.torque + (c.motion.pitch * f.normal_force) * c.motion.normal;
    f.dissipation *= c.motion.rate;
    return f;
}

ContactForce force_of(const Contact& c) {
    if (c.motion.penetration == 0.0) return {};
    return c.law ? host_force(c) : contact_force(c.constants, c.damping, c.motion, c.held);
}

void respond(Contact& c) { c.force = c.observed_only ? ContactForce{} : force_of(c); }

double stored_energy(const Contact& c) {
    if (!c.law) return contact_energy(c.constants, c.motion.penetration, c.damping.depth);
    return c.law->energy ? c.law->energy(c.motion.penetration, c.start) : 0.0;
}

void find_slopes(const Contact& c, double gamma, Coupling& coupling) {
    if (c.observed_only) return;
    if (c.motion.penetration == 0.0) {
        coupling.place_range = 0.0;  // it may start to act at once
        return;
    }
    const ContactMotion& m = c.motion;
    if (m.rate == 0.0) return;  // middles that coincide: nothing acts
    const ContactSlopes s =
        c.law ? contact_slopes(*c.law, c.start, m) : contact_slopes(c.constants, c.damping, m, c.held);
    coupling.by_speed << s.torque_by_spin, s.torque_by_velocity, s.force_by_spin, s.force_by_velocity;
    if (c.law) {  // the penetration grows as b moves against the normal
        coupling.by_place.topRightCorner<3, 3>() = -m.rate * m.rate * s.torque_by_depth * m.normal.transpose();
        coupling.by_place.bottomRightCorner<3, 3>() = -m.rate * m.rate * s.force_by_depth * m.normal.transpose();
        coupling.by_speed *= m.rate;
        coupling.place_range = coupling.speed_range = coupling.spin_range = 0.0;  // not known of the host's laws
        return;
    }
    const double separating = m.separating();
    coupling.place_range = m.penetration;
    if (c.damping.d > 0.0) coupling.speed_range = std::abs(1.0 / c.damping.d - separating);
    if (c.constants.friction > 0.0) {
        const double slip = (m.velocity - separating * m.normal).norm(), range = std::max(slip, c.constants.v_small);
        coupling.speed_range = std::min(coupling.speed_range, range);
        if (m.gyration > 0.0) coupling.spin_range = std::max(range / m.gyration, std::abs(m.spin.dot(m.normal)));
    }
    if (c.constants.resistance > 0.0)
        coupling.spin_range = std::min(coupling.spin_range, std::max(m.spin.norm(), c.constants.w_small));
    // Everything is in proportion to the elastic force, and so are its changes: f (1 + d p') (normal + sliding, turning).
    const double K = c.constants.stiffness;
    const double elastic = elastic_force(c.constants, c.damping, m.penetration) * m.rate;
    const ContactForce& force = c.force;
    const double factor = force.normal_force / elastic;
    Vec6 wrench, press = Vec6::Zero();
    wrench << force.torque, force.force;
    if (m.penetration <= c.damping.depth) {  // else the elastic force does not grow
        if (c.flat) {
            const Mat6 slope = -0.4 * c.depth.curvature();
            press = K * slope.bottomRows<3>().transpose() * m.normal;
            Vec6 across = wrench / elastic;  // torque and friction for a unit of elastic force
            across.tail<3>() -= factor * m.normal;
            coupling.by_place = factor * K * slope + across * press.transpose();
        } else {
            press.tail<3>() = -1.5 * K * std::sqrt(m.penetration) * m.normal;
            coupling.by_place.rightCols<3>() = wrench / elastic * press.tail<3>().transpose();
        }
    }
    if (c.holds) {
        coupling.decay = s.decay;
        coupling.state = c.slot;
        coupling.by_state = s.wrench_by_grip;
        coupling.rate_by_speed = s.rate_by_speed;
        coupling.by_place += s.wrench_by_grip * s.rate_by_speed / (1.0 + gamma * s.decay);
    }
    // Of the dissipation -(force - elastic) . velocity - torque . spin.
    coupling.power_by_place = (force.dissipation / elastic) * press;
    // The damping d changes with what is stored, and the factor 1 - d v_n with it.
    if (const double by_square = damping_now(c.constants, c.damping, m).by_square; by_square != 0.0 && factor > 0.0) {
        const Vec3 factor_by_place = 2.0 * separating * by_square * c.damping.inverse_mass * elastic * m.normal;
        coupling.by_place.rightCols<3>() += wrench / factor * factor_by_place.transpose();
        const double shared = force.dissipation + (force.normal_force - elastic) * separating;  // friction, resistance
        coupling.power_by_place.tail<3>() += (shared / factor - elastic * separating) * factor_by_place;
    }
    coupling.power_by_speed.head<3>() =
        -s.torque_by_spin.transpose() * m.spin - s.force_by_spin.transpose() * m.velocity - force.torque;
    coupling.power_by_speed.tail<3>() = -s.force_by_velocity.transpose() * m.velocity -
                                        s.torque_by_velocity.transpose() * m.spin - force.force + elastic * m.normal;
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
    contact.flat = !contact.observed_only && touch_along_edges(collidables[a].shape, collidables[b].shape);
    if (!contact.flat && !rules.holds_points) contact.constants.hold_time = 0.0;
    contact.holds =
        !contact.observed_only && !contact.law && contact.constants.friction > 0.0 && contact.constants.hold_time > 0.0;
    // At the first touch heights of corners are made of rounding, and so would be the centre of pressure.
    constexpr double share = 1e-5;
    touch(contact, collidables, motion, options,
          share * std::min(collidables[a].shape.size, collidables[b].shape.size));
    contact.X_WA.p.setConstant(std::numeric_limits<double>::quiet_NaN());  // the next evaluation is an ordinary one
    contact.start.impact_speed = std::max(0.0, -contact.motion.velocity.dot(contact.motion.normal));
    contact.start.radius = contact.constants.radius;
    decide_damping(contact, 0.0);
    contact.start_time = t;
    contact.start_point = contact.point;
    contact.start_normal = contact.touch.normal;
    return contact;
}

void decide_damping(Contact& c, double inverse_mass) {
    c.damping = damping_at_start(c.constants, c.start.impact_speed, c.motion.penetration, inverse_mass);
}

void touch_contacts(std::span<Contact> contacts, std::span<const Collidable> collidables, const TreeMotion& motion,
                    const DistanceOptions& options, Workers& workers) {
    workers.for_chunks(contacts.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) touch(contacts[i], collidables, motion, options);
    });
}

void find_gaps(std::span<Contact> contacts, std::span<const Collidable> collidables, const TreeMotion& motion,
               const DistanceOptions& options, Workers& workers) {
    workers.for_chunks(contacts.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (Contact& c : contacts.subspan(begin, end - begin)) {
            if (certainly_touches(c, collidables, motion)) continue;
            touch(c, collidables, motion, options);
            respond(c);
        }
    });
}

void respond(std::span<Contact> contacts, Workers& workers) {
    workers.for_chunks(contacts.size(), 8 * grain, [&](std::size_t begin, std::size_t end) {
        for (Contact& c : contacts.subspan(begin, end - begin)) respond(c);
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
    for (const Contact& c : contacts)
        if (!c.observed_only) sum += stored_energy(c);
    return sum;
}

void contact_slopes(std::span<const Contact> contacts, std::span<const Collidable> collidables,
                    std::vector<Coupling>& couplings, double gamma) {
    for (const Contact& c : contacts) {
        Coupling& coupling = couplings.emplace_back();
        find_slopes(c, gamma, coupling);
        coupling.a = collidables[c.a].link;
        coupling.b = collidables[c.b].link;
        coupling.arm_a = c.arm_a;
        coupling.arm_b = c.arm_b;
    }
}

double contact_duration(const Contact& c, double speed) {
    const double v = std::max(speed, c.constants.v_small), inverse_mass = c.damping.inverse_mass;
    if (!(inverse_mass > 0.0) || !(c.constants.stiffness > 0.0)) return std::numeric_limits<double>::infinity();
    const double depth = std::pow(1.25 * v * v / (inverse_mass * c.constants.stiffness), 0.4);
    return 2.943275 * depth / v;
}

}  // namespace tactus::systems
