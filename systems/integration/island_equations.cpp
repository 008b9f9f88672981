// Island: the equations that its integrator solves, and their zero crossings.
#include <tactus/components/object3d.hpp>
#include <tactus/engine/instant.hpp>
#include <tactus/systems/integration/island.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

// The one place that says what happens in an evaluation, and in which order. Zero crossings go on after the kinematics with
// the broad and the narrow phase (contact_gaps).
void Island::declare_pipelines() {
    const bool parallel = tree_.size() > many_links;
    Workers& workers = contact_.workers;
    const std::vector<Pipeline::Task> acting{
        {Stage::kinematics, [this, &workers] { compute_motion(tree_, now_.q, now_.v, motion_, workers); }},
        {Stage::narrow_phase,
         [this, &workers] { touch_contacts(contacts_, collidables_, motion_, distance_options_, workers); }},
        {Stage::response, [this, &workers] { respond(contacts_, workers); }},
        {Stage::forces, [this] {
             compute_forces(forces_, {now_.t, tree_, motion_, now_.q, now_.v, now_.drives}, applied_);
             apply_contacts(contacts_, collidables_, applied_);
         }}};
    acting_.declare(acting, workers, parallel, clock_);
    std::vector<Pipeline::Task> accelerating = acting;
    accelerating.push_back({Stage::dynamics, [this, &workers] {
                                systems::forward_dynamics(tree_, motion_, applied_.wrenches, applied_.tau, memory_,
                                                          now_.dv, workers);
                            }});
    accelerating_.declare(std::move(accelerating), workers, parallel, clock_);
}

// Those of x, unless some are prescribed.
Island::JointSpans Island::joint_values(double t, std::span<const double> x, JointValues& memory) const {
    const auto q = x.first(nq()), v = x.subspan(nq(), nv());
    if (forces_.prescribed.empty()) return {q, v};
    std::copy(q.begin(), q.end(), memory.q.begin());
    std::copy(v.begin(), v.end(), memory.v.begin());
    prescribe(forces_, t, memory.q, memory.v, memory.dv);
    return {memory.q, memory.v};
}

ForceInstant Island::evaluate(double t, std::span<const double> x, bool with_forces) {
    known_ = Known::nothing;
    evaluated_time_ = std::nan("");
    const auto [q, v] = joint_values(t, x, all_);
    now_ = {t, q, v, drives_of(x), {}};
    if (with_forces) {
        read_grips(x);
        forces_time_ = t;
        acting_.run();
        note_not_finite(t);
    } else {
        clock_.measure(Stage::kinematics, [&] { compute_motion(tree_, now_.q, now_.v, motion_, contact_.workers); });
    }
    return {t, tree_, motion_, now_.q, now_.v, now_.drives};
}

void Island::note_not_finite(double t) {
    if (applied_.not_finite == entt::null) return;
    not_finite_ = applied_.not_finite;
    not_finite_time_ = t;
}

void Island::derivative(double t, std::span<const double> x, std::span<double> dx) {
    known_ = Known::nothing;
    ++derivatives_;
    const auto [q, v] = joint_values(t, x, all_);
    const std::span<double> dv = dx.subspan(nq(), nv());
    now_ = {t, q, v, drives_of(x), forces_.prescribed.empty() ? dv : std::span{all_.dv}};
    read_grips(x);
    forces_time_ = t;
    accelerating_.run();
    note_not_finite(t);
    std::copy(x.begin(), x.end(), evaluated_.begin());
    evaluated_time_ = t;
    coordinate_rates(tree_, now_.q, now_.v, dx.first(nq()));
    if (!forces_.prescribed.empty()) {
        std::copy_n(all_.dv.begin(), dv.size(), dv.begin());
        for (const PrescribedSpeed& p : forces_.prescribed) {
            const auto i = static_cast<std::size_t>(p.flange.v);
            applied_.given_power += memory_.driving[i] * now_.v[i];
        }
    }
    std::copy(applied_.drive_rates.begin(), applied_.drive_rates.end(), drives_of(dx).begin());
    if (grip_states_ > 0) {
        const std::span<double> rates = grips_of(dx);
        std::fill(rates.begin(), rates.end(), 0.0);
        for (const Contact& c : contacts_)
            if (c.slot >= 0)
                Eigen::Map<Grip>{&rates[static_cast<std::size_t>(c.slot)]} =
                    grip_rate(c.constants, c.motion, c.held, c.turning);
    }
    if (energies_integrated_) {
        dx[dx.size() - 2] = applied_.dissipation;
        dx[dx.size() - 1] = applied_.given_power;
    }
}

// 0 = q' - N(q) v, 0 = v' - M^-1 (tau - h). The second one could be had without solving for accelerations, as
// 0 = M v' + h - tau (inverse_dynamics). But IDA keeps its iteration matrix over many steps, and takes the speed at which
// its iteration converged with a new one for granted: right for M^-1 times that equation, wrong for itself, because M(q)
// changes from step to step. Measured on a free body: 751 instead of 257 steps, 4364 instead of 593 evaluations.
void Island::residual(double t, std::span<const double> x, std::span<const double> dx, std::span<double> r) {
    derivative(t, x, r);
    for (std::size_t i = 0; i < r.size(); ++i) r[i] = dx[i] - r[i];
}

void Island::zero_crossings(double t, std::span<const double> x, std::span<double> g) {
    if (force_crossings_ + contact_crossings_ > 0) {
        const ForceInstant at = evaluate(t, x, false);
        systems::zero_crossings(forces_, at, g.first(force_crossings_));
        if (contact_crossings_ > 0) contact_gaps(t, x, g.subspan(force_crossings_, contact_crossings_));
    }
    if (crossings_.empty()) return;
    // The host's functions look at the island as if this were the current instant.
    std::copy(x_.begin(), x_.end(), probe_.begin());
    const double now = time_;
    std::copy(x.begin(), x.end(), x_.begin());
    time_ = t;
    known_ = Known::nothing;
    const auto back = [&] {
        std::copy(probe_.begin(), probe_.end(), x_.begin());
        time_ = now;
        known_ = Known::nothing;
    };
    const Instant instant{*this};
    const std::size_t first = force_crossings_ + contact_crossings_;
    for (std::size_t i = 0; i < crossings_.size(); ++i) {
        std::string wrong;
        try {
            g[first + i] = crossings_[i].function(instant);
            if (!std::isfinite(g[first + i])) wrong = "is not a finite number";
        } catch (const std::exception& error) { wrong = std::string{"threw: "} + error.what(); } catch (...) {
            wrong = "threw something that is no std::exception";
        }
        if (wrong.empty()) continue;
        back();
        throw SimulationError{
            t, "the zero-crossing function '" + crossings_[i].name + "' " + wrong, {crossings_[i].name}};
    }
    back();
}

std::string Island::state_name(std::size_t state) const {
    if (state >= nq() + nv()) {
        state -= nq() + nv();
        if (state < forces_.servos.size()) return name(forces_.servos[state].element) + ".x";
        state -= forces_.servos.size();
        if (state < grip_states_) {
            const auto slot = static_cast<std::ptrdiff_t>(state / 4 * 4);
            for (const Contact& c : contacts_)
                if (c.slot == slot)
                    return "friction of " + name(collidables_[c.a].object) + " and " + name(collidables_[c.b].object);
            return "friction";
        }
        return state == grip_states_ ? "the energy dissipated" : "the work of given forces and drives";
    }
    const bool speed = state >= nq();
    const int index = static_cast<int>(speed ? state - nq() : state);
    for (std::size_t k = 1; k < tree_.size(); ++k) {
        const Link& link = tree_.links[k];
        const int first = speed ? link.v0 : link.q0;
        const int count = speed ? speeds(link.kind) : coordinates(link.kind);
        if (index < first || index >= first + count) continue;
        for (const StateName& part : state_names(link.kind))
            if (const int i = index - first - part.first; part.is_speed == speed && i >= 0 && i < part.count)
                return systems::state_name(name(link.joint), part, i);
    }
    return "state " + std::to_string(state);
}

}  // namespace tactus::systems
