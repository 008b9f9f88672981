#include <tactus/systems/integration/island.hpp>

#include <tactus/components/object3d.hpp>
#include <tactus/engine/instant.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

namespace {

std::vector<double> absolute_tolerances(const Tree& tree, std::size_t states, double length, double tolerance) {
    // A tenth of the relative tolerance of a state of nominal size: 1 rad, 1 rad/s, the nominal length, that per second.
    std::vector<double> nominal(states, 1.0);
    const auto nq = static_cast<std::size_t>(tree.nq);
    double mass = 0.0;
    for (const Link& link : tree.links) {
        if (link.parent < 0) continue;
        const auto q0 = static_cast<std::size_t>(link.q0), v0 = nq + static_cast<std::size_t>(link.v0);
        const auto lengths = [&](std::size_t from, std::size_t count) {
            std::fill_n(nominal.begin() + static_cast<std::ptrdiff_t>(q0 + from), count, length);
            std::fill_n(nominal.begin() + static_cast<std::ptrdiff_t>(v0 + from), count, length);
        };
        switch (link.kind) {
        case JointKind::prismatic:
        case JointKind::cylindrical: lengths(0, 1); break;
        case JointKind::planar: lengths(0, 2); break;
        case JointKind::free: lengths(0, 3); break;
        default: break;
        }
        mass += link.mass;
    }
    if (mass > 0.0)
        for (std::size_t i = nq + static_cast<std::size_t>(tree.nv); i < states; ++i)
            nominal[i] = mass * length * length;
    for (double& x : nominal) x *= 0.1 * tolerance;
    return nominal;
}

// A solver keeps the error of each step within its tolerance; over many steps they add up. The share that it is given
// makes the whole motion about as good as was asked for: free trees keep energy and momentum within ten times the
// tolerance over 100 s (tests/systems/dynamics). Formulas of low order take ever more steps, so theirs shrinks.
double tolerance_of_steps(Solver solver, double tolerance) {
    const double more_steps = std::min(1.0, std::pow(tolerance / 1e-6, 0.25));
    const auto share = [&] {
        switch (solver) {
        case Solver::CvodeBdf:
        case Solver::Ida: return 5e-4 * more_steps;
        case Solver::CvodeAdams: return 3e-3 * more_steps;
        case Solver::ArkodeErk: break;
        }
        return 0.03;
    };
    return std::max(share() * tolerance, 1e-14);
}

}  // namespace

Island::Island(entt::registry& registry, Entity world, std::span<const Entity> roots, const IslandSettings& settings,
               const HostFunctions& functions, std::span<const ZeroCrossing> crossings)
    : registry_{registry}, tree_{build_tree(registry, world, roots)}, crossings_{crossings}, settings_{settings} {
    guarded([&] { forces_ = build_forces(registry, world, tree_, functions); });
    // Where nothing moves but there are crossings (of functions of time), two states that stay zero carry the integrator.
    const bool only_watches = tree_.nv == 0 && !crossings.empty();
    energies_integrated_ = forces_.dissipative() || !forces_.given.empty() || only_watches;
    x_.assign(static_cast<std::size_t>(tree_.nq + tree_.nv) + (energies_integrated_ ? 2 : 0), 0.0);
    good_ = probe_ = x_;
    motion_.resize(tree_);
    applied_.resize(tree_);
    memory_.resize(tree_);
    dv_.assign(static_cast<std::size_t>(tree_.nv), 0.0);
    tau_ = dv_;
    reactions_.assign(tree_.size(), {});
    const double tolerance = tolerance_of_steps(settings.solver, settings.tolerance);
    if (!x_.empty())
        integrator_ = make_integrator(
            settings.solver, *this,
            {.relative_tolerance = tolerance,
             .absolute_tolerances = absolute_tolerances(tree_, x_.size(), settings.nominal_length, tolerance),
             .maximum_step = settings.maximum_step});
}

std::string Island::name(Entity e) const {
    const auto* name = e == entt::null ? nullptr : registry_.try_get<Name>(e);
    return name ? name->path : std::string{};
}

// Whatever goes wrong becomes a SimulationError that says when and where.
template<class Work> void Island::guarded(Work&& work) {
    const auto named = [&](std::string words, Entity e) {
        std::vector<std::string> names;
        if (e != entt::null) names.push_back(name(e));
        return SimulationError{reached_, words, names};
    };
    try {
        work();
    } catch (const FunctionError& error) {
        throw named(error.what(), error.element);
    } catch (const SingularMass& error) {
        const Link& link = tree_.links[error.link];
        const std::string what = registry_.all_of<Joint>(link.joint) ? "joint '" + name(link.joint) + "'"
                                                                     : "the free motion of '" + name(link.joint) + "'";
        throw named(what + (error.turning_only
                                ? " turns no moment of inertia: give the bodies that it moves an inertia > 0"
                                : " moves no mass: give the bodies that it moves a mass > 0, and an inertia > 0 if it "
                                  "turns them"),
                    link.root);
    } catch (const IntegrationError& error) {
        std::vector<std::string> names = error.states;
        if (not_finite_ != entt::null) names.insert(names.begin(), "force '" + name(not_finite_) + "' (not finite)");
        throw SimulationError{error.time, error.what(), names};
    }
}

void Island::start(double t) {
    time_ = reached_ = t;
    read_states(registry_, tree_, {x_.data(), static_cast<std::size_t>(tree_.nq)},
                {x_.data() + tree_.nq, static_cast<std::size_t>(tree_.nv)});
    known_ = Known::nothing;
    systems::enter(forces_, force_instant());
    restart();
}

void Island::restart() {
    normalize_quaternions(tree_, {x_.data(), static_cast<std::size_t>(tree_.nq)});
    reached_ = time_;
    crossing_ = failed_ = state_was_set_ = false;
    known_ = Known::nothing;
    std::copy(x_.begin(), x_.end(), good_.begin());
    if (x_.empty()) return;
    guarded([&] { integrator_->restart(time_, x_); });
}

void Island::step(double t_stop) {
    if (x_.empty()) {  // nothing moves
        reached_ = t_stop;
        return;
    }
    if (t_stop < integrator_->reached()) {  // the solver is beyond, after a crossing that changed nothing
        look_at(reached_);
        restart();
    }
    if (state_was_set_) systems::enter(forces_, force_instant());
    if (failed_ || state_was_set_) restart();
    known_ = Known::nothing;
    failed_ = true;                                             // until it is known to have gone well
    if (reached_ > not_finite_time_) not_finite_ = entt::null;  // the solver found a way past it
    guarded([&] {
        const Integrator::Step step = integrator_->step(t_stop);
        reached_ = step.time;
        crossing_ = step.root;
    });
    integrator_->state(reached_, good_);
    failed_ = false;
}

void Island::look_at(double t) {
    if (t == time_) return;
    time_ = t;
    known_ = Known::nothing;
    if (t == reached_)
        std::copy(good_.begin(), good_.end(), x_.begin());
    else if (!x_.empty())
        integrator_->state(t, x_);
}

bool Island::handle_time_event(std::vector<Event>& events) {
    bool changed = false;
    for (const GivenForce& force : forces_.given)
        if (force.value.next_event() <= time_) {
            events.push_back({time_, EventKind::force, name(force.element), force.element});
            changed = true;
        }
    if (changed) enter_time(forces_, time_);
    return changed;
}

bool Island::handle_crossings(std::vector<Event>& events) {
    if (!integrator_) return false;
    const auto found = integrator_->crossings();
    const std::size_t of_forces = systems::zero_crossings(forces_);
    bool changed = false;
    for (std::size_t i = 0; i < found.size(); ++i) {
        if (found[i] == 0) continue;
        if (i < of_forces) {
            if (found[i] > 0) continue;  // the margin of a piece grows: nothing to do
            const Entity element = handle(forces_, force_instant(), i);
            const EventKind kind = registry_.all_of<Joint>(element) ? EventKind::stop : EventKind::force;
            events.push_back({time_, kind, name(element), element});
            changed = true;
        } else {
            const ZeroCrossing& crossing = crossings_[i - of_forces];
            if (crossing.direction == Direction::rising && found[i] < 0) continue;
            if (crossing.direction == Direction::falling && found[i] > 0) continue;
            events.push_back({time_, EventKind::zero_crossing, crossing.name, entt::null, found[i]});
        }
    }
    crossing_ = false;
    // A law that jumps against the motion (dry friction without a slope) would switch to and fro for ever.
    if (time_ - hasty_since_ > 1e-8 * (1.0 + std::abs(time_))) {
        hasty_since_ = time_;
        hasty_events_ = 0;
    } else if (changed && ++hasty_events_ > 200) {
        throw SimulationError{time_,
                              "'" + events.back().name +
                                  "' switches to and fro without end: a law that jumps against the "
                                  "motion needs a slope instead of the jump",
                              {events.back().name}};
    }
    return changed;
}

void Island::set_state(Entity joint, const JointState& state) {
    const Link& link = tree_.links[static_cast<std::size_t>(tree_.index_of_joint(joint))];
    write_state(link, state, {x_.data(), static_cast<std::size_t>(tree_.nq)},
                {x_.data() + tree_.nq, static_cast<std::size_t>(tree_.nv)});
    std::copy(x_.begin(), x_.end(), good_.begin());
    reached_ = time_;
    crossing_ = false;
    state_was_set_ = true;
    known_ = Known::nothing;
}

void Island::watch_every(double interval) {
    if (!integrator_) return;
    const bool blind = roots() > 0 || forces_.has_callbacks();
    const double given = settings_.maximum_step;
    integrator_->set_maximum_step(blind ? (given > 0.0 ? std::min(given, interval) : interval) : given);
}

void Island::store() { write_states(registry_, tree_, q(), v()); }

// ---- evaluation ----

ForceInstant Island::evaluate(double t, std::span<const double> x, bool with_forces) {
    known_ = Known::nothing;
    const auto nq = static_cast<std::size_t>(tree_.nq), nv = static_cast<std::size_t>(tree_.nv);
    const ForceInstant at{t, tree_, motion_, x.first(nq), x.subspan(nq, nv)};
    compute_motion(tree_, at.q, at.v, motion_);
    if (with_forces) {
        compute_forces(forces_, at, applied_);
        if (applied_.not_finite != entt::null) {
            not_finite_ = applied_.not_finite;
            not_finite_time_ = t;
        }
    }
    return at;
}

void Island::derivative(double t, std::span<const double> x, std::span<double> dx) {
    const ForceInstant at = evaluate(t, x, true);
    coordinate_rates(tree_, at.q, at.v, dx.first(at.q.size()));
    systems::forward_dynamics(tree_, motion_, applied_.wrenches, applied_.tau, memory_,
                              dx.subspan(at.q.size(), at.v.size()));
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
    const std::size_t of_forces = systems::zero_crossings(forces_);
    if (of_forces > 0) systems::zero_crossings(forces_, evaluate(t, x, false), g.first(of_forces));
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
    for (std::size_t i = 0; i < crossings_.size(); ++i) {
        std::string wrong;
        try {
            g[of_forces + i] = crossings_[i].function(instant);
            if (!std::isfinite(g[of_forces + i])) wrong = "is not a finite number";
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

std::string Island::state_name(std::size_t i) const {
    const auto nq = static_cast<std::size_t>(tree_.nq), nv = static_cast<std::size_t>(tree_.nv);
    if (i >= nq + nv) return i == nq + nv ? "the energy dissipated" : "the work of given forces";
    const bool speed = i >= nq;
    const int index = static_cast<int>(speed ? i - nq : i);
    for (std::size_t k = 1; k < tree_.size(); ++k) {
        const Link& link = tree_.links[k];
        const int first = speed ? link.v0 : link.q0;
        const int count = speed ? speeds(link.kind) : coordinates(link.kind);
        if (index < first || index >= first + count) continue;
        for (const StateName& part : state_names(link.kind))
            if (part.is_speed == speed && index - first >= part.first && index - first < part.first + part.count) {
                std::string text = name(link.joint) + "." + std::string{part.name};
                if (part.count > 1) text += "[" + std::to_string(index - first - part.first + 1) + "]";
                return text;
            }
    }
    return "state " + std::to_string(i);
}

// ---- the current instant ----

ForceInstant Island::force_instant() { return {time_, tree_, motion(), q(), v()}; }

void Island::know(Known what) {
    if (known_ >= what) return;
    if (what == Known::motion) {
        evaluate(time_, x_, false);
    } else {
        guarded([&] {
            evaluate(time_, x_, true);
            systems::forward_dynamics(tree_, motion_, applied_.wrenches, applied_.tau, memory_, dv_);
            systems::inverse_dynamics(tree_, motion_, applied_.wrenches, dv_, memory_, tau_, reactions_);
        });
    }
    known_ = what;
}

const TreeMotion& Island::motion() {
    know(Known::motion);
    return motion_;
}

std::span<const Twist> Island::accelerations() {
    know(Known::dynamics);
    return memory_.accelerations;
}

std::span<const Wrench> Island::reactions() {
    know(Known::dynamics);
    return reactions_;
}

Energies Island::integrated_energies() const {
    if (!energies_integrated_) return {};
    return {.dissipated = x_[x_.size() - 2], .work = x_[x_.size() - 1]};
}

Energies Island::energies() {
    const ForceInstant at = force_instant();
    Energies e = integrated_energies();
    e.kinetic = kinetic_energy(tree_, at.motion);
    e.potential = gravity_energy(forces_, at);
    guarded([&] { e.elastic = elastic_energy(forces_, at); });
    return e;
}

void Island::inverse_dynamics(std::span<const double> dv, std::span<double> tau) {
    guarded([&] {
        evaluate(time_, x_, true);
        systems::inverse_dynamics(tree_, motion_, applied_.wrenches, dv, memory_, tau);
    });
    for (std::size_t i = 0; i < tau.size(); ++i) tau[i] -= applied_.tau[i];
}

}  // namespace tactus::systems
