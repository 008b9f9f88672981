#include <tactus/systems/forces/force_slopes.hpp>

namespace tactus::systems {

namespace {

// By a difference: laws may be tables or the host's functions.
double slope(const GivenLaw& law, double x, double size) {
    const double step = 1e-6 * size;
    return (law(x + step) - law(x - step)) / (2.0 * step);
}

Coupling between(const Attachment& at1, const Attachment& at2, const ForceInstant& at) {
    const PointMotion p1 = point_motion(at1, at.motion), p2 = point_motion(at2, at.motion);
    // The wrench on 2 acts at its point; 1 feels the opposite there.
    return {.a = static_cast<std::uint32_t>(at1.link),
            .b = static_cast<std::uint32_t>(at2.link),
            .arm_a = p1.r_W + (p2.p_W - p1.p_W),
            .arm_b = p2.r_W};
}

}  // namespace

void force_slopes(const Forces& forces, const ForceInstant& at, std::vector<Coupling>& couplings,
                  std::vector<SpeedCoupling>& speeds) {
    for (const PointSpring& s : forces.springs) {
        Coupling c = between(s.at1, s.at2, at);
        const SpringReport now = report(s, at);
        const Vec3 d = point_motion(s.at2, at.motion).p_W - point_motion(s.at1, at.motion).p_W;
        if (now.length > 1e-32) {
            const Vec3 n = d / now.length;
            const double stiffness = slope(s.spring, now.length - s.nominal_length, now.length);
            const double damping = slope(s.damper, now.rate, std::abs(now.rate) + 1.0);
            const Mat3 along = n * n.transpose();
            c.by_place.bottomRightCorner<3, 3>() =
                -stiffness * along - now.force / now.length * (Mat3::Identity() - along);
            c.by_speed.bottomRightCorner<3, 3>() = -damping * along;
        }
        couplings.push_back(c);
    }
    for (const BushingElement& b : forces.bushings) {
        Coupling c = between(b.at1, b.at2, at);
        const BushingReport now = report(b, at);
        const Mat3 R = axes_W(b.at1, at.motion);
        Mat3 k = Mat3::Zero(), d = k, turning_k = k, turning_d = k;
        for (Eigen::Index i = 0; i < 3; ++i) {
            const auto j = static_cast<std::size_t>(i);
            k(i, i) = -slope(b.spring[j], now.translation[i], std::abs(now.translation[i]) + 1e-3);
            d(i, i) = -slope(b.damper[j], now.velocity[i], std::abs(now.velocity[i]) + 1.0);
            turning_k(i, i) = -slope(b.rotational_spring[j], now.rotation[i], std::abs(now.rotation[i]) + 1e-3);
            turning_d(i, i) =
                -slope(b.rotational_damper[j], now.rotation_rate[i], std::abs(now.rotation_rate[i]) + 1.0);
        }
        c.by_place.topLeftCorner<3, 3>() = R * turning_k * R.transpose();
        c.by_place.bottomRightCorner<3, 3>() = R * k * R.transpose();
        c.by_speed.topLeftCorner<3, 3>() = R * turning_d * R.transpose();
        c.by_speed.bottomRightCorner<3, 3>() = R * d * R.transpose();
        couplings.push_back(c);
    }
    for (const ResistedSpeed& r : forces.resisted) {
        const double q = at.q[static_cast<std::size_t>(r.q)], v = at.v[static_cast<std::size_t>(r.v)];
        SpeedCoupling s{r.v, r.v, -r.law.stiffness, -r.law.damping};
        if (const double x = std::abs(v) / r.law.v_small; x < 1.0)
            s.by_speed -= r.law.friction * 2.0 * (1.0 - x) / r.law.v_small;
        if (r.stop != Stop::none) {
            const JointLimits& limits = *r.law.limits;
            const double side = static_cast<double>(r.stop);
            const double depth = side * (q - (r.stop == Stop::upper ? limits.upper : limits.lower));
            if (limits.stiffness * depth + limits.damping * side * v > 0.0) {
                s.by_place -= limits.stiffness;
                s.by_speed -= limits.damping;
            }
        }
        speeds.push_back(s);
    }
    for (const DampedTurning& d : forces.damped)
        for (int k = 0; k < 3; ++k) speeds.push_back({d.v + k, d.v + k, 0.0, -d.damping});
    for (const FlangeElement& f : forces.flanges)
        for (const auto& [a, b, sign] : {std::tuple{&f.flange1, &f.flange1, -1.0},
                                         {&f.flange2, &f.flange2, -1.0},
                                         {&f.flange1, &f.flange2, 1.0},
                                         {&f.flange2, &f.flange1, 1.0}})
            if (a->v >= 0 && b->v >= 0) {
                const double factor = sign * a->ratio * b->ratio;
                speeds.push_back({a->v, b->v, factor * f.stiffness, factor * f.damping});
            }
    const auto along = [&](const Flange& flange, double stiffness, double damping) {
        const double factor = flange.ratio * flange.ratio;
        speeds.push_back({flange.v, flange.v, -factor * stiffness, -factor * damping});
    };
    for (const PdElement& drive : forces.pds) along(drive.flange, drive.stiffness, drive.damping);
    for (const ServoElement& servo : forces.servos) {
        const double damping = servo.gear_ratio * servo.gear_ratio * servo.gain;
        along(servo.flange, servo.position_gain * damping, damping);
    }
}

void drive_slopes(const Forces& forces, std::vector<StateCoupling>& drives) {
    drives.clear();
    for (const ServoElement& servo : forces.servos) {
        const double ratio = servo.flange.ratio * servo.gear_ratio;
        drives.push_back({servo.flange.v, ratio * servo.gain, -ratio * servo.position_gain / servo.integral_time,
                          -ratio / servo.integral_time});
    }
}

}  // namespace tactus::systems
