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
        const double next = slope > 0.0 && newton > low && newton < high ? newton : 0.5 * (low + high);
        if (std::abs(next - a) <= 1e-15 * a) return next;
        a = next;
    }
    return a;
}

double contact_damping(const ContactConstants& c, double v_start) {
    constexpr double least_restitution = 0.001;  // cor_min
    const double v = regularized(v_start, c.v_small);
    const double e =
        c.restitution + (least_restitution - c.restitution) * std::exp(std::log(0.01) * std::abs(v_start) / c.v_small);
    const double bounded = std::clamp(e, least_restitution, 1.0);
    const double a =
        c.law == ContactLaw::Exact ? exact_damping_number(bounded) : 8.0 * (1.0 - bounded) / (5.0 * bounded);
    return std::min(c.maximum_damping, a / v);
}

ContactForce contact_force(const ContactConstants& c, double damping, const ContactMotion& m) {
    const double elastic = c.stiffness * m.penetration * std::sqrt(m.penetration);
    const double separating = m.velocity.dot(m.normal);  // the opposite of the penetration's rate
    const double f = std::max(0.0, elastic * (1.0 - damping * separating));
    const Vec3 slip = m.velocity - separating * m.normal;
    const Vec3 sliding = -c.friction * f / regularized(slip.norm(), c.v_small) * slip;
    ContactForce result;
    result.normal_force = f;
    result.force = f * m.normal + sliding;
    result.torque = -c.resistance * c.radius * f / regularized(m.spin.norm(), c.w_small) * m.spin;
    result.dissipation = -(f - elastic) * separating - sliding.dot(slip) - result.torque.dot(m.spin);
    return result;
}

namespace {

// d/ds of s / regularized(|s|): g I + g' s s^T / |s|, with g = 1 / regularized.
Mat3 direction_slope(const Vec3& s, double smallest) {
    const double a = s.norm();
    const double g = 1.0 / regularized(a, smallest);
    Mat3 slope = g * Mat3::Identity();
    if (a > 0.0) {
        const double rate = a >= smallest ? 1.0 : a / smallest * (2.0 - a / smallest);  // of `regularized`
        slope -= (g * g * rate / a) * s * s.transpose();
    }
    return slope;
}

}  // namespace

ContactSlopes contact_slopes(const ContactConstants& c, double damping, const ContactMotion& m) {
    ContactSlopes result;
    const double root = std::sqrt(m.penetration);
    const double elastic = c.stiffness * m.penetration * root;
    const double separating = m.velocity.dot(m.normal);
    const double factor = 1.0 - damping * separating;
    if (factor <= 0.0) return result;  // they would pull
    const double f = elastic * factor;
    const double by_depth = 1.5 * c.stiffness * root * factor;
    const Vec3 by_velocity = -elastic * damping * m.normal;  // of the normal force
    const Vec3 slip = m.velocity - separating * m.normal;
    const Vec3 sliding = -c.friction / regularized(slip.norm(), c.v_small) * slip;
    const Vec3 turning = -c.resistance * c.radius / regularized(m.spin.norm(), c.w_small) * m.spin;
    const Mat3 across = Mat3::Identity() - m.normal * m.normal.transpose();
    const Vec3 direction = m.normal + sliding;
    result.force_by_depth = by_depth * direction;
    result.torque_by_depth = by_depth * turning;
    result.force_by_velocity =
        direction * by_velocity.transpose() - (c.friction * f) * direction_slope(slip, c.v_small) * across;
    result.torque_by_velocity = turning * by_velocity.transpose();
    result.torque_by_spin = -(c.resistance * c.radius * f) * direction_slope(m.spin, c.w_small);
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

double contact_energy(const ContactConstants& c, double penetration) {
    return 0.4 * c.stiffness * penetration * penetration * std::sqrt(penetration);
}

}  // namespace tactus::systems
