// Island: the Newton systems of implicit integrators, with the slopes of contacts and forces.
#include <tactus/systems/forces/force_slopes.hpp>
#include <tactus/systems/integration/island.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

void Island::find_slopes(const ForceInstant& at, double gamma, Slopes& slopes) const {
    slopes.couplings.clear();
    slopes.speeds.clear();
    contact_slopes(contacts_, collidables_, slopes.couplings, gamma);
    force_slopes(forces_, at, slopes.couplings, slopes.speeds);
}

namespace {

constexpr double small_share = 0.05;  // of the motion that changes slopes by their own size

// Whether a contact moves about as it did then, so that there is no need to look at its slopes.
bool moves_alike(const ContactMotion& now, const ContactMotion& then, const Coupling& slopes) {
    const auto within = [](const Vec3& x, double range) {
        return x.squaredNorm() <= small_share * small_share * range * range;
    };
    return std::abs(now.penetration - then.penetration) <= small_share * slopes.place_range &&
           within(now.velocity - then.velocity, slopes.speed_range) &&
           within(now.spin - then.spin, slopes.spin_range) && within(now.normal - then.normal, 1.0);
}

}  // namespace

// Whether the first couplings are those of the contacts, in their order.
bool Island::contacts_as_linearised() const {
    return linearised_.size() == contacts_.size() && slopes_.couplings.size() >= contacts_.size();
}

bool Island::slopes_hold(const ForceInstant& at, double gamma) {
    auto& [couplings, speeds] = present_slopes_;
    if (joints_rub_ || !contacts_as_linearised()) {
        find_slopes(at, gamma, present_slopes_);
        return newton_.holds(slopes_.couplings, couplings, gamma) && newton_.holds(slopes_.speeds, speeds, gamma);
    }
    for (std::size_t i = 0; i < contacts_.size(); ++i) {
        const std::span<const Coupling> then{&slopes_.couplings[i], 1};
        if (moves_alike(contacts_[i].motion, linearised_[i].motion, then[0]) &&
            (contacts_[i].held - linearised_[i].held).squaredNorm() <= small_share * small_share)
            continue;
        couplings.clear();
        contact_slopes({&contacts_[i], 1}, collidables_, couplings, gamma);
        if (!newton_.holds(then, couplings, gamma)) return false;
    }
    return true;
}

Problem::Newton Island::prepare_newton(double t, std::span<const double> x, double gamma, bool renew) {
    auto result = Newton::kept;
    const bool smooth = contacts_.empty() && !joints_rub_;
    if (renew || !pattern_known_ || !smooth) {
        // Solvers ask where they have just evaluated f: contacts, motions and forces are those of that point.
        const bool here = t == evaluated_time_ && std::equal(x.begin(), x.end(), evaluated_.begin());
        const auto [q, v] = joint_values(t, x, all_);
        const ForceInstant at = here ? ForceInstant{t, tree_, motion_, q, v, drives_of(x)} : evaluate(t, x, true);
        clock_.measure(Stage::jacobian, [&] {
            if (!renew && pattern_known_ && slopes_hold(at, gamma)) return;
            find_slopes(at, gamma, slopes_);
            linearised_.clear();
            for (const Contact& c : contacts_) linearised_.push_back({c.motion, c.held});
            if (!pattern_known_) newton_.set_pattern(tree_, slopes_.couplings, slopes_.speeds);
            pattern_known_ = true;
            newton_.linearise(tree_, motion_, at.q, slopes_.couplings, slopes_.speeds, drive_couplings_);
            result = Newton::renewed;
        });
    }
    if (result == Newton::renewed || !newton_.factored_for(gamma))
        clock_.measure(Stage::factorisation, [&] {
            if (!newton_.factor(gamma)) result = Newton::singular;
            held_stiffly_ =
                contacts_as_linearised() &&
                newton_.held_stiffly(std::span<const Coupling>{slopes_.couplings}.first(contacts_.size()), gamma);
        });
    return result;
}

// A matrix that holds leaves at most a tenth of an error. Slopes may change by as much again within the correction. What
// friction holds takes steps in which it decides everything: there, what is left of one error comes back in the next step, and
// steps stay short for ever (a box on a slope: at half of all tolerances).
double Island::left_by_correction() const {
    if (joints_rub_ || held_stiffly_ || newton_.reach() > small_share) return 1.0;
    return contacts_.empty() ? 0.0 : 1.0 / 3.0;
}

void Island::solve_newton(std::span<double> r) {
    newton_.solve(tree_, slopes_.couplings, r.first(nq()), r.subspan(nq(), nv()),
                  energies_integrated_ ? &r[r.size() - 2] : nullptr, drives_of(r), grips_of(r));
}

}  // namespace tactus::systems
