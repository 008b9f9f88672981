// World: going on in time, and what can be asked about the motion.
#include <tactus/engine/not_yet.hpp>
#include <tactus/engine/schema/context.hpp>
#include <tactus/engine/world_impl.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

systems::Deadline deadline_of(Budget budget) {
    using Clock = std::chrono::steady_clock;
    if (budget.count() >= 1e9) return {};
    return Clock::now() + std::chrono::duration_cast<Clock::duration>(std::max(budget, Budget{0.0}));
}

// Adds the wall-clock time of a call to the statistics, however the call ends.
class WallClock {
public:
    explicit WallClock(Statistics& s) : statistics{s} {}
    ~WallClock() { statistics.wall_time += std::chrono::duration<double>(Now::now() - begin).count(); }
    WallClock(const WallClock&) = delete;
    WallClock& operator=(const WallClock&) = delete;

private:
    using Now = std::chrono::steady_clock;
    Statistics& statistics;
    Now::time_point begin = Now::now();
};

}  // namespace

// The simulator of the present definitions. Made anew after changes: states are where the elements keep them.
systems::Simulator& World::Impl::simulator(World& world) {
    if (motion.simulator && !motion.outdated) return *motion.simulator;
    end_segment();
    world.update_structure();
    if (std::vector<Issue> missing = not_yet_simulated(world); !missing.empty()) throw InputError(std::move(missing));
    if (!motion.time) motion.time = motion.start = simulation.start_time;
    const systems::IslandSettings settings{simulation.solver, simulation.tolerance, simulation.maximum_step,
                                           registry.get<Scene>(root).nominal_length};
    motion.simulator =
        std::make_unique<systems::Simulator>(registry, root, settings, functions, crossings, *motion.time);
    motion.outdated = false;
    ++motion.before.segments;
    motion.recorder.follow(*motion.simulator);
    motion.recorder.set_earlier(motion.dissipated, motion.work);
    if (motion.recording) motion.recorder.begin(*motion.simulator, motion.results);
    return *motion.simulator;
}

void World::Impl::end_segment() {
    if (!motion.simulator) return;
    const Energies energies = motion.simulator->integrated_energies();
    motion.dissipated += energies.dissipated;
    motion.work += energies.work;
    motion.before.integrator += motion.simulator->statistics();
    motion.simulator.reset();
}

void World::Impl::sample() {
    motion.recorder.follow(*motion.simulator);
    if (motion.recording) motion.recorder.sample(*motion.time, motion.results);
}

void World::Impl::refuse_while_moving(const char* call) const {
    if (motion.moving)
        throw InputError(
            {"", "", call, "", "cannot be called by what is called while the World moves, e.g. an event handler"});
}

// To the target, over all events on the way. False: the deadline came first.
bool World::Impl::go_to(World& world, double target, double horizon, double watch, const systems::Deadline& deadline) {
    using Stop = systems::Simulator::Stop;
    const auto keep = [this] {
        motion.time = motion.simulator->time();
        motion.simulator->store();
    };
    while (true) {
        systems::Simulator& now = simulator(world);
        double next = never;  // of the host's time events; one at the present instant has been told already
        for (const systems::TimeEvent& event : time_events)
            if (event.time > now.time()) next = std::min(next, event.time);
        Stop stop{};
        try {
            stop = now.advance(std::min(target, next), std::min(horizon, next), watch, deadline);
        } catch (...) {
            keep();
            throw;
        }
        keep();
        if (stop == Stop::deadline) return false;

        const bool told = now.time() == next;
        if (stop == Stop::event || told) {
            sample();  // before it
            std::vector<Event> events = stop == Stop::event ? now.handle_events() : std::vector<Event>{};
            for (const systems::TimeEvent& event : time_events)
                if (told && event.time == next)
                    events.push_back({event.time, EventKind::time, event.name, entt::null, 0});
            motion.before.events += static_cast<std::int64_t>(events.size());
            tell(events);
            simulator(world);
            if (*motion.time < target) sample();  // after it
        }
        if (*motion.time >= target) return true;
    }
}

// All handlers hear of all events, even if one throws.
void World::Impl::tell(const std::vector<Event>& events) {
    std::exception_ptr thrown;
    for (const Event& event : events)
        for (std::size_t i = 0; i < handlers.size(); ++i)  // a copy of each: a handler may add others
            try {
                std::function{handlers[i]}(event);
            } catch (...) {
                if (!thrown) thrown = std::current_exception();
            }
    if (thrown) std::rethrow_exception(thrown);
}

namespace {

// While one lives, the World is in advance or run.
class Moving {
public:
    explicit Moving(bool& flag) : flag_{flag} { flag_ = true; }
    ~Moving() { flag_ = false; }
    Moving(const Moving&) = delete;
    Moving& operator=(const Moving&) = delete;

private:
    bool& flag_;
};

}  // namespace

double World::time() const { return impl_->motion.time.value_or(impl_->simulation.start_time); }

Advance World::advance(double dt, Budget budget) {
    Impl& w = *impl_;
    if (!std::isfinite(dt) || dt < 0.0)
        throw InputError({"", "", "dt", schema::text_of(dt), "must be a finite number >= 0 [s]"});
    w.refuse_while_moving("advance");
    const Moving moving{w.motion.moving};
    const WallClock clock{w.motion.before};
    const systems::Deadline deadline = deadline_of(budget);
    w.motion.recording = false;
    w.simulator(*this);
    const double target = *w.motion.time + dt;
    const bool complete = dt == 0.0 || w.go_to(*this, target, never, dt / 10.0, deadline);
    w.motion.recorder.follow(w.simulator(*this));
    return {time(), complete, complete ? 0.0 : target - time()};
}

Advance World::run(double until, const RunOptions& options) {
    Impl& w = *impl_;
    w.refuse_while_moving("run");
    const Moving moving{w.motion.moving};
    const WallClock clock{w.motion.before};
    w.motion.recording = false;
    w.simulator(*this);
    const double start = time();
    if (!std::isfinite(until) || until < start)
        throw InputError({"", "", "until", schema::text_of(until),
                          "must be a finite number >= the present time (" + schema::text_of(start) + ") [s]"});
    const double span = until - start;
    double interval = options.interval > 0.0 ? options.interval : w.simulation.interval;
    if (!(interval > 0.0)) interval = span / 500.0;

    w.motion.recording = options.record;
    if (options.record) w.motion.recorder.begin(w.simulator(*this), w.motion.results);
    w.sample();
    for (std::int64_t k = 1; time() < until; ++k) {
        const double target = start + static_cast<double>(k) * interval;
        // The last interval may be a little longer, rather than be followed by a tiny one.
        w.go_to(*this, target > until - 1e-6 * interval ? until : target, until, interval, {});
        w.simulator(*this);
        w.sample();
        if (options.progress) options.progress(time());
    }
    w.motion.recording = false;
    return {time(), true, 0.0};
}

void World::reset() {
    impl_->refuse_while_moving("reset");
    impl_->motion = {};
    impl_->registry.clear<JointState>();
}

// ---- the present instant ----

Instant World::Impl::instant(World& world, Entity object) {
    systems::Simulator& now = simulator(world);
    element<MemberOf>(registry, object, "Object3D");
    return Instant{now.island_of(object)};
}

Instant World::Impl::joint_instant(World& world, Entity joint) {
    return Instant{simulator(world).island_of_joint(joint)};
}

Pose World::pose(Entity object) { return impl_->instant(*this, object).pose(object); }
Twist World::velocity(Entity object) { return impl_->instant(*this, object).velocity(object); }
Twist World::acceleration(Entity object) { return impl_->instant(*this, object).acceleration(object); }
JointState World::state(Entity joint) { return impl_->joint_instant(*this, joint).state(joint); }
Wrench World::joint_wrench(Entity joint) { return impl_->joint_instant(*this, joint).joint_wrench(joint); }

void World::set_state(Entity joint, const JointState& state) {
    Impl& w = *impl_;
    systems::Simulator& now = w.simulator(*this);
    const systems::Tree& tree = now.island_of_joint(joint).tree();
    const int index = tree.index_of_joint(joint);
    if (index < 0) throw InputError({"", "", "entity", "", "is no joint and no free object that moves"});
    const systems::JointKind kind = tree.links[static_cast<std::size_t>(index)].kind;
    const auto finite = [&](std::span<const double> values, const char* field) {
        for (const double x : values)
            if (!std::isfinite(x))
                throw InputError({"", name(joint), field, schema::text_of(x), "must be a finite number"});
    };
    finite(std::span{state.q}.first(static_cast<std::size_t>(systems::coordinates(kind))), "q");
    finite(std::span{state.v}.first(static_cast<std::size_t>(systems::speeds(kind))), "v");
    JointState good = state;
    if (kind == systems::JointKind::free || kind == systems::JointKind::spherical) {
        Eigen::Map<Eigen::Vector4d> q{good.q.data() + (kind == systems::JointKind::free ? 3 : 0)};
        if (!(q.norm() > 1e-100)) throw InputError({"", name(joint), "q", "", "its quaternion must not be zero"});
        q.normalize();
    }
    w.registry.emplace_or_replace<JointState>(joint, good);
    if (!w.motion.outdated) now.island_of_joint(joint).set_state(joint, good);
}

std::vector<StateValue> World::states() {
    systems::Simulator& now = impl_->simulator(*this);
    return impl_->motion.recorder.states(now);
}

Energies World::energies() {
    Energies sum = impl_->simulator(*this).energies();
    sum.dissipated += impl_->motion.dissipated;
    sum.work += impl_->motion.work;
    return sum;
}

Momentum World::momentum() { return impl_->simulator(*this).momentum(); }

const Results& World::results() const { return impl_->motion.results; }

Statistics World::statistics() const {
    const Impl::Motion& motion = impl_->motion;
    Statistics sum = motion.before;
    if (motion.simulator) {
        sum.integrator += motion.simulator->statistics();
        sum.states = motion.simulator->state_count();
    }
    sum.simulated_time = time() - motion.start;
    return sum;
}

// ---- equations of motion ----

std::vector<std::string> World::speed_names() {
    std::vector<std::string> names;
    for (const auto& island : impl_->simulator(*this).islands())
        for (const systems::Link& link : island->tree().links) {
            if (link.parent < 0) continue;
            for (const systems::StateName& part : systems::state_names(link.kind))
                for (int i = 0; part.is_speed && i < part.count; ++i)
                    names.push_back(name(link.joint) + "." + std::string{part.name} +
                                    (part.count > 1 ? "[" + std::to_string(i + 1) + "]" : ""));
        }
    return names;
}

namespace {

// What `part` gives of each island, one after the other.
template<class Part> Eigen::VectorXd gathered(systems::Simulator& simulator, Part&& part) {
    std::vector<double> all;
    for (const auto& island : simulator.islands()) {
        const std::span<const double> values = part(*island);
        all.insert(all.end(), values.begin(), values.end());
    }
    return Eigen::Map<const Eigen::VectorXd>{all.data(), static_cast<Eigen::Index>(all.size())};
}

}  // namespace

Eigen::VectorXd World::speeds() {
    return gathered(impl_->simulator(*this), [](systems::Island& island) { return island.v(); });
}

Eigen::VectorXd World::speed_rates() {
    return gathered(impl_->simulator(*this), [](systems::Island& island) { return island.speed_rates(); });
}

Eigen::VectorXd World::inverse_dynamics(const Eigen::VectorXd& rates) {
    systems::Simulator& now = impl_->simulator(*this);
    std::size_t count = 0;
    for (const auto& island : now.islands()) count += island->v().size();
    if (static_cast<std::size_t>(rates.size()) != count)
        throw InputError({"", "", "rates", std::to_string(rates.size()) + " numbers",
                          "must be one for each of the " + std::to_string(count) + " speeds"});
    Eigen::VectorXd tau(rates.size());
    std::size_t first = 0;
    for (const auto& island : now.islands()) {
        const std::size_t n = island->v().size();
        island->inverse_dynamics({rates.data() + first, n}, {tau.data() + first, n});
        first += n;
    }
    return tau;
}

Eigen::MatrixXd World::mass_matrix() {
    systems::Simulator& now = impl_->simulator(*this);
    Eigen::Index count = 0;
    for (const auto& island : now.islands()) count += static_cast<Eigen::Index>(island->v().size());
    Eigen::MatrixXd M = Eigen::MatrixXd::Zero(count, count);
    Eigen::Index first = 0;
    for (const auto& island : now.islands()) {
        const auto n = static_cast<Eigen::Index>(island->v().size());
        island->mass_matrix(M.block(first, first, n, n));
        first += n;
    }
    return M;
}

// ---- events and functions of the host's ----

void World::on_event(std::function<void(const Event&)> handler) {
    if (!handler) throw InputError({"", "", "handler", "", "must be a function"});
    impl_->handlers.push_back(std::move(handler));
}

void World::add_time_event(const std::string& name, double t) {
    if (!std::isfinite(t) || t <= time())
        throw InputError({"", name, "time", schema::text_of(t),
                          "must be a finite number > the present time (" + schema::text_of(time()) + ") [s]"});
    impl_->time_events.push_back({name, t});
}

void World::add_zero_crossing(const ZeroCrossing& crossing) {
    if (!crossing.function) throw InputError({"", crossing.name, "function", "", "must be a function"});
    ZeroCrossing resolved = crossing;
    for (Ref& ref : resolved.objects)
        if (ref.entity == entt::null) ref.entity = at(ref.path);
    impl_->crossings.push_back(std::move(resolved));
    impl_->definitions_changed();
}

void World::remove_event(const std::string& name) {
    const auto named = [&](const auto& event) { return event.name == name; };
    const std::size_t crossings = std::erase_if(impl_->crossings, named);
    if (crossings > 0) impl_->definitions_changed();
    if (crossings + std::erase_if(impl_->time_events, named) == 0)
        throw InputError(
            {"", "", "name", schema::in_quotes(name), "there is no time event and no zero crossing of this name"});
}

void World::set_function(const std::string& name, std::function<Vec3(double)> function) {
    impl_->functions.vectors[name] = std::move(function);
    impl_->definitions_changed();
}

void World::set_function(const std::string& name, std::function<double(double)> function) {
    impl_->functions.scalars[name] = std::move(function);
    impl_->definitions_changed();
}

}  // namespace tactus
