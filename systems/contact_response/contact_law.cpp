#include <tactus/systems/contact_response/contact_law.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

double regularized(double v, double v_min) {
    const double a = std::abs(v);
    return a >= v_min ? a : a * a / v_min * (1.0 - a / (3.0 * v_min)) + v_min / 3.0;
}

double hertz_stiffness(double E1, double nu1, double E2, double nu2, double radius, double reduction) {
    const double E = 1.0 / ((1.0 - nu1 * nu1) / E1 + (1.0 - nu2 * nu2) / E2);
    return reduction * 4.0 / 3.0 * E * std::sqrt(radius);
}

double exact_damping_number(double e) {
    if (e >= 1.0) return 0.0;
    // ln((1 + a) / (1 - a e)) - (1 + e) a is negative after its root at 0 and rises to infinity at 1 / e.
    const auto excess = [e](double a) { return std::log1p(a) - std::log1p(-a * e) - (1.0 + e) * a; };
    double low = 0.0, high = 1.0 / e;
    double a = std::min(1.5 * (1.0 - e * e) / (1.0 + e * e * e), 0.999 * high);  // the first terms of the series
    for (int i = 0; i < 200; ++i) {
        const double g = excess(a);
        (g < 0.0 ? low : high) = a;
        const double slope = 1.0 / (1.0 + a) + e / (1.0 - a * e) - (1.0 + e);
        const double newton = a - g / slope;
        const bool good = slope > 0.0 && newton > low && newton < high;
        const double next = good ? newton : 0.5 * (low + high);
        if (std::abs(next - a) <= (good ? 1e-9 : 1e-15) * a) return next;  // Newton's method doubles the digits
        a = next;
    }
    return a;
}

namespace {

constexpr double least_restitution = 0.001;  // cor_min
const double decay = std::log(0.01);         // of what restitution lacks, over v_small

// (7.12)
double regularized_restitution(const ContactConstants& c, double speed) {
    const double e = c.restitution + (least_restitution - c.restitution) * std::exp(decay * speed / c.v_small);
    return std::clamp(e, least_restitution, 1.0);
}

double damping_number(ContactLaw law, double e) {
    return law == ContactLaw::Exact ? exact_damping_number(e) : 8.0 * (1.0 - e) / (5.0 * e);
}

double damping_number_slope(ContactLaw law, double e, double a) {  // by e
    if (law != ContactLaw::Exact) return -1.6 / (e * e);
    const double rest = 1.0 - a * e;
    const double by_a = 1.0 / (1.0 + a) + e / rest - (1.0 + e);
    return by_a > 0.0 ? -(a / rest - a) / by_a : -1.5;
}

double regularized_slope(double v, double v_min) {  // v >= 0
    return v >= v_min ? 1.0 : v / v_min * (2.0 - v / v_min);
}

}  // namespace

double contact_damping(const ContactConstants& c, double v_start) {
    const double a = damping_number(c.law, regularized_restitution(c, std::abs(v_start)));
    return std::min(c.maximum_damping, a / regularized(v_start, c.v_small));
}

ContactDamping damping_at_start(const ContactConstants& c, double speed, double penetration, double inverse_mass) {
    constexpr double time_to_part = 0.1, greatest_speed = 1.0, time_to_start = 1e-5;  // [s], [m/s], [s]
    ContactDamping damping{contact_damping(c, speed)};
    damping.speed = speed;
    damping.inverse_mass = inverse_mass;
    const double thrown = std::sqrt(2.0 * inverse_mass * contact_energy(c, penetration));
    if (thrown <= speed) return damping;
    damping.speed = std::hypot(thrown, speed);
    const double v_out = std::min(greatest_speed, penetration / time_to_part);
    damping.d = std::min(contact_damping(c, 0.0), 1.0 / v_out);
    const double force = std::max(greatest_speed, speed) / (time_to_start * inverse_mass);
    damping.depth = std::cbrt(std::pow(force / c.stiffness, 2));
    return damping;
}

DampingNow damping_now(const ContactConstants& c, const ContactDamping& damping, const ContactMotion& m) {
    const double separating = m.separating();
    const double stored = 2.0 * damping.inverse_mass * contact_energy(c, m.penetration, damping.depth);
    const double v = std::sqrt(std::max(0.0, separating * separating + stored - c.v_small * c.v_small));
    if (!(v > damping.speed)) return {damping.d, 0.0};
    const double e = regularized_restitution(c, v), a = damping_number(c.law, e), reg = regularized(v, c.v_small);
    const double d = a / reg;
    if (d >= damping.d) return {damping.d, 0.0};
    const double e_slope = e > least_restitution && e < 1.0 ? (e - c.restitution) * decay / c.v_small : 0.0;
    const double slope = (damping_number_slope(c.law, e, a) * e_slope - d * regularized_slope(v, c.v_small)) / reg;
    return {d, slope / (2.0 * v)};
}

namespace {

// Sliding, and spinning about the normal on a face with the radius of gyration of its pressure: friction acts against both
// together, with a limit surface that is an ellipsoid (Howe and Cutkosky 1996).
struct Slip {
    double radius;  // [m] of gyration of the pressure
    Grip w;         // [m/s] velocity along the face, radius times the speed of spinning
    Grip s;         // what friction remembers, along the face
    Grip z;         // [m/s] both together
    double g;       // [s/m] F = g z
    double way;     // [m/s] |w|

    Slip(const ContactConstants& c, const ContactMotion& m, const Grip& held) : radius{m.gyration} {
        w << m.velocity - m.velocity.dot(m.normal) * m.normal, radius * m.spin.dot(m.normal);
        s << held.head<3>() - held.head<3>().dot(m.normal) * m.normal, held[3];
        z = w + c.v_small * s;
        g = 1.0 / regularized(z.norm(), c.v_small);
        way = w.norm();
    }

    Vec3 velocity() const { return w.head<3>(); }
    double gives_way() const {  // 0: what sticks, 1: what slides
        const double F2 = g * g * z.squaredNorm();
        return F2 * F2 * F2 * F2;
    }
};

Mat3 cross_matrix(const Vec3& v) {
    Mat3 m;
    m << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return m;
}

// [N m] A face that rocks: at each of its places the pressure is damped as the whole is. `damping` [N s/m].
Mat3 rocking_by_spin(const ContactMotion& m, double damping) {
    const Mat3 N = cross_matrix(m.normal);
    return damping * N * m.spread * N;
}
Vec3 rocking(const ContactMotion& m, double damping) {
    return damping * m.normal.cross(m.spread * m.normal.cross(m.spin));
}

}  // namespace

ContactForce contact_force(const ContactConstants& c, const ContactDamping& damping, const ContactMotion& m,
                           const Grip& held) {
    const double elastic = elastic_force(c, damping, m.penetration) * m.rate;
    const double separating = m.separating();  // the opposite of the penetration's rate
    const double d = damping_now(c, damping, m).d;
    const double f = std::max(0.0, elastic * (1.0 - d * separating));
    const Slip slip{c, m, held};
    const double grip = c.friction * f * slip.g;
    ContactForce result;
    result.normal_force = f;
    result.force = f * m.normal - grip * slip.z.head<3>();
    result.torque = -c.resistance * c.radius * f / regularized(m.spin.norm(), c.w_small) * m.spin -
                    (grip * slip.radius * slip.z[3]) * m.normal + rocking(m, f * d);
    result.dissipation =
        -(f - elastic) * separating - (result.force - f * m.normal).dot(slip.velocity()) - result.torque.dot(m.spin);
    if (m.pitch != 0.0) result.torque += (m.pitch * f) * m.normal;
    return result;
}

Grip grip_rate(const ContactConstants& c, const ContactMotion& m, const Grip& held, double turning) {
    const Slip slip{c, m, held};
    Grip rate = (slip.w - slip.gives_way() * slip.way * slip.s) / ((c.v_small + slip.way) * c.hold_time);
    rate.head<3>() += turning * m.normal.cross(slip.s.head<3>());
    return rate;
}

namespace {

// d/ds of s / regularized(|s|) is g I - bend s s^T, with g = 1 / regularized.
double direction_bend(double a, double smallest) {
    if (a == 0.0) return 0.0;
    const double g = 1.0 / regularized(a, smallest);
    return g * g * regularized_slope(a, smallest) / a;
}
Mat3 direction_slope(const Vec3& s, double smallest) {
    const double a = s.norm();
    return Mat3{(1.0 / regularized(a, smallest)) * Mat3::Identity()} - direction_bend(a, smallest) * s * s.transpose();
}

}  // namespace

ContactSlopes contact_slopes(const ContactConstants& c, const ContactDamping& damping, const ContactMotion& m,
                             const Grip& held) {
    ContactSlopes result;
    const auto [d, d_by_square] = damping_now(c, damping, m);
    const double root = std::sqrt(m.penetration);
    const double elastic = elastic_force(c, damping, m.penetration) * m.rate;
    const double separating = m.separating();
    const double factor = 1.0 - d * separating;
    if (factor <= 0.0) {  // they would pull
        result.wrench_by_grip.setZero();
        result.rate_by_speed.setZero();
        return result;
    }
    const double f = elastic * factor;
    const double by_depth = m.penetration > damping.depth ? 0.0 : 1.5 * c.stiffness * root * m.rate * factor;
    const Vec3 by_velocity =  // of the normal force
        -elastic * (d + 2.0 * d_by_square * separating * separating) * m.normal;
    // Friction for a unit of normal force is -mu F; see Grip.
    const Slip slip{c, m, held};
    const Grip friction = slip.g * slip.z;
    const Vec3 direction = m.normal - c.friction * friction.head<3>();
    const Vec3 turning = -c.resistance * c.radius / regularized(m.spin.norm(), c.w_small) * m.spin -
                         (c.friction * slip.radius * friction[3]) * m.normal + rocking(m, d) + m.pitch * m.normal;
    result.force_by_depth = by_depth * direction;
    result.torque_by_depth = by_depth * turning;
    result.force_by_velocity = direction * by_velocity.transpose();
    result.torque_by_velocity = turning * by_velocity.transpose();
    result.torque_by_spin = -(c.resistance * c.radius * f) * direction_slope(m.spin, c.w_small);
    const Mat3 along = Mat3::Identity() - m.normal * m.normal.transpose();  // the face
    const double bend = direction_bend(slip.z.norm(), c.v_small);
    if (slip.radius == 0.0 && c.hold_time == 0.0) {  // a point
        const Vec3 z = slip.z.head<3>();
        result.force_by_velocity -= (c.friction * f) * (slip.g * along - bend * z * z.transpose());
        return result;
    }
    Eigen::Matrix4d by_z = -bend * slip.z * slip.z.transpose();
    by_z.diagonal().array() += slip.g;
    Eigen::Matrix<double, 4, 6> w_by_speed = Eigen::Matrix<double, 4, 6>::Zero();  // (spin, velocity)
    w_by_speed.topRightCorner<3, 3>() = along;
    w_by_speed.row(3).head<3>() = slip.radius * m.normal;
    const Eigen::Matrix<double, 6, 4> wrench = -(c.friction * f) * w_by_speed.transpose();  // by F
    const Eigen::Matrix<double, 6, 4> by_slip = wrench * by_z;
    const Eigen::Matrix<double, 6, 6> rubbing = by_slip * w_by_speed;
    result.force_by_velocity += rubbing.bottomRightCorner<3, 3>();
    result.force_by_spin = rubbing.bottomLeftCorner<3, 3>();
    result.torque_by_velocity += rubbing.topRightCorner<3, 3>();
    result.torque_by_spin += rubbing.topLeftCorner<3, 3>() + rocking_by_spin(m, f * d);
    if (c.hold_time > 0.0) {
        const double slow = 1.0 / ((c.v_small + slip.way) * c.hold_time), gives_way = slip.gives_way();
        Eigen::Matrix4d by_w = slow * Eigen::Matrix4d::Identity();
        if (slip.way > 0.0) {
            const Grip direction_w = slip.w / slip.way;
            by_w -= slow * gives_way * slip.s * direction_w.transpose() +
                    slow / (c.v_small + slip.way) * (slip.w - gives_way * slip.way * slip.s) * direction_w.transpose();
        }
        result.wrench_by_grip = c.v_small * by_slip;
        result.rate_by_speed = by_w * w_by_speed;
        result.decay = slow * gives_way * slip.way;
    }
    return result;
}

ContactSlopes contact_slopes(const UserContactLaw& law, const ContactStart& start, const ContactMotion& m) {
    constexpr double relative = 1e-6;
    ContactSlopes result;
    ContactMotion there = m, here = m;
    const auto slopes = [&](double step, auto&& store) {
        const ContactForce up = law.force(there, start), down = law.force(here, start);
        store((up.force - down.force) / step, (up.torque - down.torque) / step);
    };
    const double depth = relative * m.penetration;
    there.penetration += depth;
    slopes(depth, [&](const Vec3& f, const Vec3& t) { result.force_by_depth = f, result.torque_by_depth = t; });
    there.penetration = m.penetration;
    const double v = relative * (m.velocity.norm() + 1e-3), w = relative * (m.spin.norm() + 1e-3);
    for (int i = 0; i < 3; ++i) {
        there = here = m;
        there.velocity[i] += v, here.velocity[i] -= v;
        slopes(2.0 * v, [&](const Vec3& f, const Vec3& t) {
            result.force_by_velocity.col(i) = f, result.torque_by_velocity.col(i) = t;
        });
        there = here = m;
        there.spin[i] += w, here.spin[i] -= w;
        slopes(2.0 * w, [&](const Vec3&, const Vec3& t) { result.torque_by_spin.col(i) = t; });
    }
    return result;
}

double elastic_force(const ContactConstants& c, const ContactDamping& damping, double penetration) {
    const double p = std::min(penetration, damping.depth);
    return c.stiffness * p * std::sqrt(p);
}

double contact_energy(const ContactConstants& c, double penetration, double depth) {
    const double p = std::min(penetration, depth);
    return c.stiffness * p * std::sqrt(p) * (0.4 * p + (penetration - p));
}

}  // namespace tactus::systems
