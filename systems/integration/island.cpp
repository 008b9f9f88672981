#include <tactus/systems/integration/island.hpp>

#include <tactus/components/motion.hpp>
#include <tactus/components/object3d.hpp>
#include <tactus/systems/forces/force_slopes.hpp>
#include <tactus/systems/integration/tolerances.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

Island::Island(entt::registry& registry, Entity world, std::span<const Entity> roots, const IslandSettings& settings,
               const HostFunctions& functions, std::span<const ZeroCrossing> crossings, const ContactSettings& contact)
    : registry_{registry}, crossings_{crossings}, settings_{settings}, contact_{contact}, clock_{contact.clock} {
    const DriveTrain drives = read_drive_train(registry);
    build_tree(registry, world, roots, drives, tree_);
    declare_pipelines();
    build(world, functions, drives, {});
}

void Island::restructure(Entity world, std::span<const Entity> roots, const HostFunctions& functions,
                         std::span<const ZeroCrossing> crossings, bool detection) {
    std::vector<Entity> former;
    for (const Link& link : tree_.links) former.push_back(link.root);
    const bool were_many = tree_.size() > many_links;
    const DriveTrain drives = read_drive_train(registry_);
    build_tree(registry_, world, roots, drives, tree_);
    if (were_many != (tree_.size() > many_links)) declare_pipelines();
    if (integrator_) former_statistics_ += integrator_->statistics();
    integrator_.reset();
    crossings_ = crossings;
    if (contact_.detection != detection) former.clear();
    contact_.detection = detection;
    crossing_ = failed_ = state_was_set_ = false;
    proposed_step_ = 0.0;
    known_ = Known::nothing;
    build(world, functions, drives, former);
}

// Everything that follows from the tree. `former`: roots of its links before, if contacts go on from there.
void Island::build(Entity world, const HostFunctions& functions, const DriveTrain& drives,
                   std::span<const Entity> former) {
    guarded([&] { forces_ = build_forces(registry_, world, tree_, functions, drives); });
    force_crossings_ = systems::zero_crossings(forces_);
    motion_.resize(tree_);
    contacts_.clear();
    parted_.clear();
    pattern_known_ = false;
    contacts_go_on_ = false;
    if (former.empty() || !regroup_contacts(world, former)) build_contacts(world);
    // Where nothing moves but there are crossings (of functions of time), two states that stay zero carry the integrator.
    const bool only_watches = tree_.nv == 0 && !crossings_.empty();
    energies_integrated_ = forces_.dissipative() || forces_.works() || contact_crossings_ > 0 || only_watches;
    grip_states_ = 0;
    x_.assign(nq() + nv() + forces_.servos.size() + (energies_integrated_ ? 2 : 0), 0.0);
    resize_states();
    if (!forces_.prescribed.empty())
        for (JointValues* values : {&all_, &here_, &all_between_}) {
            values->q.assign(static_cast<std::size_t>(tree_.nq), 0.0);
            values->v.assign(static_cast<std::size_t>(tree_.nv), 0.0);
            values->dv = values->v;
        }
    drive_slopes(forces_, drive_couplings_);
    joints_rub_ = std::ranges::any_of(
        forces_.resisted, [](const ResistedSpeed& r) { return r.law.friction > 0.0 || r.law.limits.has_value(); });
    applied_.resize(tree_, forces_.servos.size());
    memory_.resize(tree_);
    dv_.assign(static_cast<std::size_t>(tree_.nv), 0.0);
    tau_ = pushed_ = dv_;
    reactions_.assign(tree_.size(), {});
    step_tolerance_ = tolerance_of_steps(settings_.solver, settings_.tolerance, contact_crossings_ > 0, nq() + nv());
}

// All that is as large as x_.
void Island::resize_states() {
    good_ = probe_ = evaluated_ = x_;
    evaluated_time_ = std::nan("");
    constexpr std::size_t numbers = 1u << 18;  // that are kept of states within a step
    states_between_.resize(contact_crossings_ > 0 ? std::clamp<std::size_t>(numbers / (x_.size() + 1), 2, 64) : 0);
    for (StateBetween& state : states_between_) state.x.resize(x_.size());
}

// With the first step: several changes of the structure at one instant need no solver in between.
void Island::need_integrator() {
    if (integrator_) return;
    place_grips();
    make_solver();
    restart();
}

void Island::make_solver() {
    integrator_ = make_integrator(settings_.solver, *this,
                                  state_tolerances(tree_, x_.size(), forces_.servos.size() + grip_states_,
                                                   settings_.nominal_length, step_tolerance_, touches()));
    watch_every(watch_interval_);
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

void Island::start(double t, std::span<const GoingContact> going) {
    time_ = reached_ = t;
    read_states(registry_, tree_, coordinates_x(), speeds_x());
    for (std::size_t i = 0; i < forces_.servos.size(); ++i) {
        const Entity servo = forces_.servos[i].element;
        const auto* state = registry_.try_get<DriveState>(servo);
        drives_of(x_)[i] = state ? state->x : std::get<Servo>(registry_.get<Drive>(servo).type).x;
    }
    enter_forces();
    if (contacts_go_on_) {  // things are where they were
        good_ = x_;
        placed_time_ = std::nan("");
    }
    forget_gaps();
    normalise();
    change_contacts(untold_, !contacts_go_on_, going);
    restart();
}

// Pieces of references first: where prescribed joints are depends on them.
void Island::enter_forces() {
    systems::enter_time(forces_, registry_, time_);
    known_ = Known::nothing;
    forget_gaps();
    kept_energy_ = std::nan("");
    systems::enter(forces_, registry_, force_instant());
}

// The current state becomes one that a solver may start from.
void Island::normalise() {
    std::copy(x_.begin(), x_.end(), good_.begin());
    normalize_quaternions(tree_, coordinates_x());
    if (x_ != good_) {
        known_ = Known::nothing;
        placed_time_ = std::nan("");
        std::copy(x_.begin(), x_.end(), good_.begin());
    }
    reached_ = time_;
}

// Whatever the reason: the set of contacts has been checked at this very state, else that is done now.
void Island::restart() {
    normalise();
    if (!gaps_are_known(time_, x_)) {
        placed_time_ = std::nan("");
        change_contacts(untold_, failed_);
    }
    known_ = std::min(known_, Known::motion);  // other forces may act from here on
    evaluated_time_ = std::nan("");
    crossing_ = failed_ = state_was_set_ = false;
    const bool solving = integrator_ != nullptr;
    place_grips();
    if (!solving) return;
    if (!integrator_) make_solver();
    guarded([&] { integrator_->restart(time_, x_, proposed_step_); });
    proposed_step_ = 0.0;
}

void Island::settle() {
    if (!state_was_set_) return;
    enter_forces();
    normalise();
    change_contacts(untold_, true);
    restart();
}

void Island::step(double t_stop) {
    if (x_.empty()) {  // nothing moves
        reached_ = t_stop;
        return;
    }
    need_integrator();
    if (t_stop < integrator_->reached()) {  // the solver is beyond, after a crossing that changed nothing
        look_at(reached_);
        restart();
    }
    settle();
    if (failed_) restart();
    if (has_untold_events()) return;  // of this instant: they come before the step
    begin_step(false);
    known_ = Known::nothing;
    failed_ = true;                                             // until it is known to have gone well
    if (reached_ > not_finite_time_) not_finite_ = entt::null;  // the solver found a way past it
    guarded([&] {
        const Integrator::Step step = integrator_->step(t_stop);
        reached_ = step.time;
        crossing_ = step.root && anything_crossed();
    });
    integrator_->state(reached_, good_);
    failed_ = false;
    note_forces();
}

// Or whether the step was only cut in two, because it takes too much work to prove all of it at once.
bool Island::anything_crossed() const {
    const auto found = integrator_->crossings();
    for (std::size_t i = 0; i < found.size(); ++i)
        if (found[i] != 0 && (contact_crossings_ == 0 || i != force_crossings_ + 2)) return true;
    return false;
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
    if (next_time_event() > time_) return false;
    for (const Entity element : at_time_event(forces_, time_)) {
        const bool is_path = registry_.all_of<ReferencePath>(element);
        events.push_back({time_, is_path ? EventKind::path : EventKind::force, name(element), element});
    }
    enter_time(forces_, registry_, time_);
    known_ = Known::nothing;
    forget_gaps();
    kept_energy_ = std::nan("");
    return true;
}

bool Island::handle_crossings(std::vector<Event>& events) {
    if (!integrator_) return false;
    const auto found = integrator_->crossings();
    bool changed = false;  // of laws of forces
    std::string switched;  // the last of them
    for (std::size_t i = 0; i < force_crossings_; ++i) {
        if (found[i] >= 0) continue;  // the margin of a piece grows: nothing to do
        const Entity element = handle(forces_, force_instant(), i);
        const EventKind kind = registry_.all_of<Joint>(element) ? EventKind::stop : EventKind::force;
        switched = name(element);
        events.push_back({time_, kind, switched, element});
        changed = true;
        kept_energy_ = std::nan("");
    }
    // Contacts are looked at whatever has crossed zero: solvers watch anew from here, even if they go on.
    const std::size_t z_p = force_crossings_, z_d = z_p + 1;
    const bool crossed = contact_crossings_ > 0 && (found[z_p] != 0 || found[z_d] != 0);
    if (changed || crossed) normalise();
    bool contacts_changed = change_contacts(events);
    if (crossed && !contacts_changed) {
        watch_.forget_distances();  // rounding: look at all of them
        change_contacts(events);
        contacts_changed = true;  // restart in any case, else the solver would go on below zero
    }
    for (std::size_t i = force_crossings_ + contact_crossings_; i < found.size(); ++i) {
        if (found[i] == 0) continue;
        const ZeroCrossing& crossing = crossings_[i - force_crossings_ - contact_crossings_];
        if (crossing.direction == Direction::rising && found[i] < 0) continue;
        if (crossing.direction == Direction::falling && found[i] > 0) continue;
        events.push_back({time_, EventKind::zero_crossing, crossing.name, entt::null, found[i]});
    }
    crossing_ = false;
    // A law that jumps against the motion (dry friction without a slope) would switch to and fro for ever.
    if (time_ - hasty_since_ > 1e-8 * (1.0 + std::abs(time_))) {
        hasty_since_ = time_;
        hasty_events_ = 0;
    } else if (changed && ++hasty_events_ > 200) {
        throw SimulationError{time_,
                              "'" + switched +
                                  "' switches to and fro without end: a law that jumps against the "
                                  "motion needs a slope instead of the jump",
                              {switched}};
    }
    return changed || contacts_changed;
}

void Island::set_state(Entity joint, const JointState& state) {
    const Link& link = tree_.links[static_cast<std::size_t>(tree_.index_of_joint(joint))];
    write_state(link, state, coordinates_x(), speeds_x());
    restart_from_here();
}

void Island::references_changed() { restart_from_here(); }

// Before the next step; what was integrated beyond the current instant is forgotten.
void Island::restart_from_here() {
    std::copy(x_.begin(), x_.end(), good_.begin());
    reached_ = time_;
    crossing_ = false;
    state_was_set_ = true;
    known_ = Known::nothing;
}

bool Island::look_for(std::span<const ZeroCrossing> crossings) {
    crossings_ = crossings;
    if (x_.empty()) return crossings.empty();
    if (time_ == reached_) {
        restart();
    } else {
        restart_from_here();
    }
    return true;
}

void Island::watch_every(double interval) {
    watch_interval_ = interval;
    if (!integrator_) return;
    const bool blind = force_crossings_ > 0 || !crossings_.empty() || forces_.has_callbacks();
    const double given = settings_.maximum_step;
    integrator_->set_maximum_step(blind ? (given > 0.0 ? std::min(given, interval) : interval) : given);
}

void Island::store() {
    write_states(registry_, tree_, q(), v());
    for (std::size_t i = 0; i < forces_.servos.size(); ++i)
        registry_.emplace_or_replace<DriveState>(forces_.servos[i].element, drive_states()[i]);
}

// ---- the current instant ----

std::span<const double> Island::drive_states() const { return drives_of(x_); }

ForceInstant Island::force_instant() { return {time_, tree_, motion(), q(), v(), drive_states()}; }

void Island::know(Known what) {
    if (known_ >= what) return;
    if (what == Known::motion) {
        evaluate(time_, x_, false);
    } else if (what == Known::touch) {
        evaluate(time_, x_, true);
    } else {
        guarded([&] {
            evaluate(time_, x_, true);
            if (!forces_.prescribed.empty()) std::copy(all_.dv.begin(), all_.dv.end(), dv_.begin());
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
    e.kinetic = kinetic_energy(tree_, at.motion, at.v);
    e.potential = gravity_energy(forces_, at);
    guarded([&] { e.elastic = elastic_energy(forces_, at) + contact_energy(contacts()); });
    return e;
}

double Island::drive_torque(Entity drive) {
    double result = std::nan("");
    guarded([&] {
        const ForceInstant at = force_instant();
        for (const PdElement& pd : forces_.pds)
            if (pd.element == drive) result = torque(pd, at);
        for (std::size_t i = 0; i < forces_.servos.size(); ++i)
            if (forces_.servos[i].element == drive) result = torque(forces_.servos[i], at, i);
        for (const PrescribedSpeed& p : forces_.prescribed)
            if (p.element == drive) {
                know(Known::dynamics);
                result = memory_.driving[static_cast<std::size_t>(p.flange.v)] / p.flange.ratio;
            }
    });
    return result;
}

void Island::inverse_dynamics(std::span<const double> dv, std::span<double> tau) {
    guarded([&] {
        evaluate(time_, x_, true);
        systems::inverse_dynamics(tree_, motion_, applied_.wrenches, dv, memory_, tau);
    });
    for (std::size_t i = 0; i < tau.size(); ++i) tau[i] -= applied_.tau[i];
}

}  // namespace tactus::systems
