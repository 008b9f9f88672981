#include <tactus/systems/forces/forces.hpp>

namespace tactus::systems {

namespace {

struct Sum {
    const ForceInstant& at;
    Applied& applied;

    // A force at a point of a link, and a torque.
    void act(const Attachment& a, const Vec3& r_W, const Vec3& f_W, const Vec3& t_W) {
        applied.wrenches[static_cast<std::size_t>(a.link)] += {t_W + r_W.cross(f_W), f_W};
    }
    void check(Entity element, double size) {
        if (!std::isfinite(size) && applied.not_finite == entt::null) applied.not_finite = element;
    }
};

void apply(const UniformGravity& g, Sum& sum) {
    for (std::size_t i = 1; i < sum.at.tree.size(); ++i) {
        const Vec3 f = sum.at.tree.links[i].mass * g.acceleration;
        sum.applied.wrenches[i] += {sum.at.motion.links[i].com_W.cross(f), f};
    }
}
void apply(const PointGravity& g, Sum& sum) {
    for (std::size_t i = 1; i < sum.at.tree.size(); ++i) {
        if (!(sum.at.tree.links[i].mass > 0.0)) continue;
        const LinkMotion& B = sum.at.motion.links[i];
        const Vec3 c = B.p_W + B.com_W;
        const double d = c.norm();
        const Vec3 f = c * (-sum.at.tree.links[i].mass * g.mu / (d * d * d));
        sum.applied.wrenches[i] += {B.com_W.cross(f), f};
    }
}
void apply(const NoGravity&, Sum&) {}

void apply(const GivenForce& force, Sum& sum) {
    const Vec3 value = axes_W(force.axes, sum.at.motion) * force.value(sum.at.t);
    const PointMotion p = point_motion(force.at, sum.at.motion);
    if (force.torque)
        sum.act(force.at, p.r_W, Vec3::Zero(), value);
    else
        sum.act(force.at, p.r_W, value, Vec3::Zero());
    sum.applied.given_power += value.dot(force.torque ? p.w_W : p.v_W);
    sum.check(force.element, value.sum());
}

struct SpringLine {
    PointMotion p1, p2;
    Vec3 n_W;  // from 1 to 2; zero where the two coincide
    double length, rate, elastic, damping;
};

SpringLine line_of(const PointSpring& s, const ForceInstant& at) {
    SpringLine l{point_motion(s.at1, at.motion), point_motion(s.at2, at.motion), Vec3::Zero(), 0, 0, 0, 0};
    const Vec3 d = l.p2.p_W - l.p1.p_W;
    l.length = d.norm();
    if (l.length > 1e-32) l.n_W = d / l.length;
    l.rate = l.n_W.dot(l.p2.v_W - l.p1.v_W);
    l.elastic = s.spring(l.length - s.nominal_length) + s.nominal_force;
    l.damping = s.damper(l.rate);
    return l;
}

void apply(const PointSpring& s, Sum& sum) {
    const SpringLine l = line_of(s, sum.at);
    const Vec3 pull = l.n_W * (l.elastic + l.damping);
    sum.act(s.at1, l.p1.r_W, pull, Vec3::Zero());
    sum.act(s.at2, l.p2.r_W, -pull, Vec3::Zero());
    sum.applied.dissipation += l.damping * l.rate;
    sum.check(s.element, pull.sum());
}

// Rotation of object2 against object1 by three angles, each with an axis; all in object1's axes.
struct Angles {
    Vec3 angle, rate;
    Mat3 axes;  // columns: the directions about which the three moments act
};

Angles small_angles(const Mat3& R_12, const Vec3& w) {
    const Mat3 dR = skew(w) * R_12;
    return {{R_12(2, 1), R_12(0, 2), R_12(1, 0)}, {dR(2, 1), dR(0, 2), dR(1, 0)}, Mat3::Identity()};
}

Angles cardan_angles(const Mat3& R_12, const Vec3& w) {
    Angles a;
    a.angle = to_cardan_xyz(Quat{R_12});
    const double sa = std::sin(a.angle[0]), ca = std::cos(a.angle[0]);
    const double sb = std::sin(a.angle[1]), cb = std::cos(a.angle[1]);
    a.axes << 1, 0, sb, 0, ca, -sa * cb, 0, sa, ca * cb;
    a.rate[2] = (ca * w.z() - sa * w.y()) / cb;
    a.rate[1] = ca * w.y() + sa * w.z();
    a.rate[0] = w.x() - sb * a.rate[2];
    return a;
}

struct BushingState {
    Mat3 R_W1;
    PointMotion p1, p2;
    Vec3 r, v, w;  // of object2 against object1, seen in object1
    Angles angles;
    Vec3 force, torque;  // of the bushing; object2 feels their opposite
    Vec3 elastic_force, elastic_moments;
};

BushingState state_of(const BushingElement& b, const ForceInstant& at) {
    BushingState s;
    s.R_W1 = axes_W(b.at1, at.motion);
    s.p1 = point_motion(b.at1, at.motion);
    s.p2 = point_motion(b.at2, at.motion);
    const Vec3 d = s.p2.p_W - s.p1.p_W;
    const Mat3 R_1W = s.R_W1.transpose();
    s.r = R_1W * d;
    s.v = R_1W * (s.p2.v_W - s.p1.v_W - s.p1.w_W.cross(d));
    s.w = R_1W * (s.p2.w_W - s.p1.w_W);
    const Mat3 R_12 = R_1W * axes_W(b.at2, at.motion);
    s.angles = b.large_angles ? cardan_angles(R_12, s.w) : small_angles(R_12, s.w);
    // Small angles are sines of a kind, but their dampers feel the angular velocity itself.
    const Vec3& damped = b.large_angles ? s.angles.rate : s.w;
    Vec3 moments;
    for (Eigen::Index i = 0; i < 3; ++i) {
        const auto k = static_cast<std::size_t>(i);
        s.elastic_force[i] = b.spring[k](s.r[i]) + b.nominal_force[i];
        s.force[i] = s.elastic_force[i] + b.damper[k](s.v[i]);
        s.elastic_moments[i] = b.rotational_spring[k](s.angles.angle[i]) + b.nominal_torque[i];
        moments[i] = s.elastic_moments[i] + b.rotational_damper[k](damped[i]);
    }
    s.torque = s.angles.axes * moments;
    return s;
}

void apply(const BushingElement& b, Sum& sum) {
    const BushingState s = state_of(b, sum.at);
    const Vec3 f_W = s.R_W1 * s.force, t_W = s.R_W1 * s.torque;
    sum.act(b.at2, s.p2.r_W, -f_W, -t_W);
    sum.act(b.at1, s.p1.r_W, f_W, t_W + (s.p2.p_W - s.p1.p_W).cross(f_W));
    // What the motion loses beyond what is stored: dampers, and moments about axes that are not perpendicular.
    sum.applied.dissipation +=
        s.force.dot(s.v) - s.elastic_force.dot(s.v) + s.torque.dot(s.w) - s.elastic_moments.dot(s.angles.rate);
    sum.check(b.element, f_W.sum() + t_W.sum());
}

// Coulomb friction whose sign is regularised: quadratic up to v_small, so that its slope has no jump there.
double friction(const JointResistance& law, double v) {
    const double x = std::clamp(v / law.v_small, -1.0, 1.0);
    return law.friction * x * (2.0 - std::abs(x));
}

void apply(const ResistedSpeed& r, Sum& sum) {
    const double q = sum.at.q[static_cast<std::size_t>(r.q)], v = sum.at.v[static_cast<std::size_t>(r.v)];
    const double lost = r.law.damping * v + friction(r.law, v);
    double force = -r.law.stiffness * (q - r.law.rest) - lost;
    sum.applied.dissipation += lost * v;
    if (r.stop != Stop::none) {  // pushes back, never holds
        const JointLimits& limits = *r.law.limits;
        const double side = static_cast<double>(r.stop);
        const double depth = side * (q - (r.stop == Stop::upper ? limits.upper : limits.lower));
        const double push = std::max(0.0, limits.stiffness * depth + limits.damping * side * v);
        force -= side * push;
        sum.applied.dissipation += (push - limits.stiffness * std::max(0.0, depth)) * side * v;
    }
    sum.applied.tau[static_cast<std::size_t>(r.v)] += force;
}

void apply(const DampedTurning& d, Sum& sum) {
    for (std::size_t i = static_cast<std::size_t>(d.v); i < static_cast<std::size_t>(d.v) + 3; ++i) {
        sum.applied.tau[i] -= d.damping * sum.at.v[i];
        sum.applied.dissipation += d.damping * sum.at.v[i] * sum.at.v[i];
    }
}

// A torque on a flange acts on the degree of freedom that it is geared to.
void act(const Flange& flange, double tau, Sum& sum) {
    if (flange.v >= 0) sum.applied.tau[static_cast<std::size_t>(flange.v)] += flange.ratio * tau;
}

void apply(const FlangeElement& f, Sum& sum) {
    const double rate = f.flange2.speed(sum.at) - f.flange1.speed(sum.at);
    const double twist = f.flange2.position(sum.at) - f.flange1.position(sum.at) - f.rest;
    const double tau = f.stiffness * twist + f.damping * rate;
    act(f.flange1, tau, sum);
    act(f.flange2, -tau, sum);
    sum.applied.dissipation += f.damping * rate * rate;
}

void apply(const PdElement& drive, Sum& sum) {
    const double tau = torque(drive, sum.at);
    act(drive.flange, tau, sum);
    sum.applied.given_power += tau * drive.flange.speed(sum.at);
    sum.check(drive.element, tau);
}

// What the controller of a servo wants: of the motor's speed, on its side of the gear.
double servo_input(const ServoElement& s, const ForceInstant& at) {
    const double difference = s.reference(at.t).position - s.flange.position(at);
    return s.gear_ratio * (s.position_gain * difference - s.flange.speed(at));
}

void apply(const ServoElement& servo, std::size_t index, Sum& sum) {
    const double tau = torque(servo, sum.at, index);
    act(servo.flange, tau, sum);
    sum.applied.drive_rates[index] = servo_input(servo, sum.at) / servo.integral_time;
    sum.applied.given_power += tau * servo.flange.speed(sum.at);
    sum.check(servo.element, tau);
}

}  // namespace

bool Forces::dissipative() const {
    return !springs.empty() || !bushings.empty() || !resisted.empty() || !damped.empty() || !flanges.empty();
}

bool Forces::has_callbacks() const {
    const auto is_callback = [](const auto& element) { return element.reference.is_callback(); };
    return std::any_of(given.begin(), given.end(), [](const GivenForce& f) { return f.value.is_callback(); }) ||
           std::any_of(pds.begin(), pds.end(), is_callback) || std::any_of(servos.begin(), servos.end(), is_callback) ||
           std::any_of(prescribed.begin(), prescribed.end(), is_callback);
}

void prescribe(const Forces& forces, double t, std::span<double> q, std::span<double> v, std::span<double> dv) {
    for (const PrescribedSpeed& p : forces.prescribed) {
        const ReferenceValue value = p.reference(t);
        q[static_cast<std::size_t>(p.flange.q)] = value.position / p.flange.ratio;
        v[static_cast<std::size_t>(p.flange.v)] = value.velocity / p.flange.ratio;
        dv[static_cast<std::size_t>(p.flange.v)] = value.acceleration / p.flange.ratio;
    }
}

double torque(const PdElement& drive, const ForceInstant& at) {
    const ReferenceValue r = drive.reference(at.t);
    return drive.stiffness * (r.position - drive.flange.position(at)) +
           drive.damping * (r.velocity - drive.flange.speed(at)) + drive.inertia * r.acceleration;
}

double torque(const ServoElement& servo, const ForceInstant& at, std::size_t index) {
    return servo.gear_ratio * servo.gain * (at.drives[index] + servo_input(servo, at));
}

void compute_forces(const Forces& forces, const ForceInstant& at, Applied& applied) {
    std::fill(applied.wrenches.begin(), applied.wrenches.end(), Wrench{});
    std::fill(applied.tau.begin(), applied.tau.end(), 0.0);
    applied.dissipation = applied.given_power = 0.0;
    applied.not_finite = entt::null;
    Sum sum{at, applied};
    std::visit([&](const auto& gravity) { apply(gravity, sum); }, forces.gravity);
    for (const auto& element : forces.given) apply(element, sum);
    for (const auto& element : forces.springs) apply(element, sum);
    for (const auto& element : forces.bushings) apply(element, sum);
    for (const auto& element : forces.resisted) apply(element, sum);
    for (const auto& element : forces.damped) apply(element, sum);
    for (const auto& element : forces.flanges) apply(element, sum);
    for (const auto& element : forces.pds) apply(element, sum);
    for (std::size_t i = 0; i < forces.servos.size(); ++i) apply(forces.servos[i], i, sum);
}

double gravity_energy(const Forces& forces, const ForceInstant& at) {
    double sum = 0.0;
    for (std::size_t i = 1; i < at.tree.size(); ++i) {
        const Vec3 c = at.motion.links[i].p_W + at.motion.links[i].com_W;
        const double mass = at.tree.links[i].mass;
        if (const auto* uniform = std::get_if<UniformGravity>(&forces.gravity))
            sum -= mass * uniform->acceleration.dot(c);
        if (const auto* point = std::get_if<PointGravity>(&forces.gravity); point && mass > 0.0)
            sum -= mass * point->mu / c.norm();
    }
    return sum;
}

double elastic_energy(const Forces& forces, const ForceInstant& at) {
    double sum = 0.0;
    for (const PointSpring& s : forces.springs) {
        const double elongation = line_of(s, at).length - s.nominal_length;
        sum += s.spring.energy(elongation) + s.nominal_force * elongation;
    }
    for (const BushingElement& b : forces.bushings) {
        const BushingState s = state_of(b, at);
        for (Eigen::Index i = 0; i < 3; ++i) {
            const auto k = static_cast<std::size_t>(i);
            sum += b.spring[k].energy(s.r[i]) + b.nominal_force[i] * s.r[i];
            sum += b.rotational_spring[k].energy(s.angles.angle[i]) + b.nominal_torque[i] * s.angles.angle[i];
        }
    }
    for (const ResistedSpeed& r : forces.resisted) {
        const double q = at.q[static_cast<std::size_t>(r.q)];
        sum += 0.5 * r.law.stiffness * (q - r.law.rest) * (q - r.law.rest);
        if (r.law.limits) {
            const double depth = std::max({0.0, r.law.limits->lower - q, q - r.law.limits->upper});
            sum += 0.5 * r.law.limits->stiffness * depth * depth;
        }
    }
    for (const FlangeElement& f : forces.flanges) {
        const double twist = f.flange2.position(at) - f.flange1.position(at) - f.rest;
        sum += 0.5 * f.stiffness * twist * twist;
    }
    return sum;
}

SpringReport report(const PointSpring& spring, const ForceInstant& at) {
    const SpringLine l = line_of(spring, at);
    return {l.length, l.rate, l.elastic + l.damping};
}

BushingReport report(const BushingElement& bushing, const ForceInstant& at) {
    const BushingState s = state_of(bushing, at);
    return {s.r, s.angles.angle, s.v, bushing.large_angles ? s.angles.rate : s.w, -s.force, -s.torque};
}

}  // namespace tactus::systems
