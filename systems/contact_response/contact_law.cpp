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

double contact_energy(const ContactConstants& c, double penetration) {
    return 0.4 * c.stiffness * penetration * penetration * std::sqrt(penetration);
}

}  // namespace tactus::systems
