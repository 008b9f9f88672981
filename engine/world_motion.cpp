// World: going on in time.
#include <tactus/engine/motion.hpp>
#include <tactus/engine/not_yet.hpp>
#include <tactus/engine/schema/context.hpp>
#include <tactus/systems/actions/restructure.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus {

namespace {

constexpr double never = std::numeric_limits<double>::infinity();

systems::Deadline deadline_of(Budget budget, systems::Pace& pace) {
    if (budget.count() >= 1e9) return {};
    return {std::max(budget.count(), 0.0), pace};
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

// Threads are not worth starting for a few objects.
void World::Impl::gather_workers(World& world) {
    constexpr std::size_t many = 100;
    workers = options.workers == 1 || registry.view<Solid>().size() < many ? Workers{} : Workers{world.executor()};
}

// The simulator of the present definitions. Made anew after changes: states are where the elements keep them.
systems::Simulator& World::Impl::simulator(World& world) {
    if (motion->simulator && !outdated && watched_outdated) {
        watch_conditions();
        if (!motion->simulator->look_for(watched)) definitions_changed();
    }
    if (motion->simulator && !outdated) return *motion->simulator;
    const bool goes_on = motion->simulator && only_structure;  // it keeps its memory
    if (!goes_on) end_segment();
    world.update_structure();
    if (std::vector<Issue> missing = not_yet_simulated(world); !missing.empty()) throw InputError(std::move(missing));
    if (!motion->time) motion->time = motion->start = simulation.start_time;
    start_paths();
    watch_conditions();
    const bool detection = contact_detection.value_or(registry.get<Scene>(root).contact_detection);
    if (goes_on) {
        try {
            motion->simulator->restructure(root, functions, watched, detection, motion->earlier);
        } catch (...) {  // it is of no use any more; what it has done so far counts
            drop_simulator();
            throw;
        }
    } else {
        const systems::IslandSettings settings{simulation.solver, simulation.tolerance, simulation.maximum_step,
                                               registry.get<Scene>(root).nominal_length};
        gather_workers(world);
        motion->simulator = std::make_unique<systems::Simulator>(
            registry, root, settings, functions, watched,
            systems::ContactSettings{*palettes, contact_laws, workers, clock, detection}, *motion->time,
            motion->earlier);
    }
    outdated = only_structure = false;
    ++motion->before.segments;
    motion->segments.push_back({*motion->time, motion->simulator->state_count()});
    if (motion->recording) motion->recorder.begin(*motion->simulator, motion->results);
    return *motion->simulator;
}

void World::Impl::end_segment() {
    if (!motion->simulator) return;
    motion->earlier = motion->simulator->earlier();
    drop_simulator();
}

void World::Impl::drop_simulator() {
    motion->before.integrator += motion->simulator->statistics();
    motion->before.pairs_tested += motion->simulator->pairs_tested();
    motion->simulator.reset();
}

void World::Impl::forget_motion() {
    motion = std::make_unique<Motion>();
    definitions_changed();
}

void World::Impl::start_anew_if_only_looked_at() {
    const bool has_moved = registry.view<JointState>().begin() != registry.view<JointState>().end();
    if (!motion->time || *motion->time != motion->start || has_moved) return;
    motion->time.reset();
    for (const auto [e, moves] : registry.view<PathMotion>().each())
        for (PathPiece& piece : moves.pieces) piece.begin += simulation.start_time - motion->start;
}

void World::Impl::sample() {
    motion->recorder.follow(*motion->simulator);
    if (motion->recording) motion->recorder.sample(*motion->time, motion->results);
}

void World::Impl::refuse_while_moving(const char* call) const {
    if (motion->moving)
        throw InputError(
            {"", "", call, "", "cannot be called by what is called while the World moves, e.g. an event handler"});
}

// To the target, over all events on the way. False: the deadline came first.
bool World::Impl::go_to(World& world, double target, double horizon, double watch, systems::Deadline deadline) {
    using Stop = systems::Simulator::Stop;
    const auto keep = [this] {
        motion->time = motion->simulator->time();
        motion->simulator->store();
    };
    while (true) {
        simulator(world);
        if (programs_are_due()) {
            run_programs(world);
            simulator(world);
            sample();
        }
        systems::Simulator& now = simulator(world);
        double next = next_wake();  // and the host's time events; one at the present instant has been told already
        for (const systems::TimeEvent& event : time_events)
            if (event.time > now.time()) next = std::min(next, event.time);
        Stop stop{};
        try {
            motion->stepping = true;
            workers.enter(
                [&] { stop = now.advance(std::min(target, next), std::min(horizon, next), watch, deadline); });
            motion->stepping = false;
        } catch (...) {
            motion->stepping = false;
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
            wake(events);
            motion->before.events += static_cast<std::int64_t>(events.size());
            tell(events);
            simulator(world);
            run_programs(world);
            simulator(world);
            if (*motion->time < target) sample();  // after it
        }
        if (*motion->time >= target) return true;
        if (deadline.is_due()) return false;  // events in a row take steps, too
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

double World::time() const { return impl_->motion->time.value_or(impl_->simulation.start_time); }

Advance World::advance(double dt, Budget budget) {
    Impl& w = *impl_;
    if (!std::isfinite(dt) || dt < 0.0)
        throw InputError({"", "", "dt", schema::text_of(dt), "must be a finite number >= 0 [s]"});
    w.refuse_while_moving("advance");
    const Moving moving{w.motion->moving};
    const WallClock clock{w.motion->before};
    const systems::Deadline deadline = deadline_of(budget, w.motion->pace);
    w.motion->recording = false;
    w.simulator(*this);
    const double target = *w.motion->time + dt;
    const bool complete = dt == 0.0 || w.go_to(*this, target, never, dt / 10.0, deadline);
    w.motion->recorder.follow(w.simulator(*this));
    return {time(), complete, complete ? 0.0 : target - time()};
}

Advance World::run(double until, const RunOptions& options) {
    Impl& w = *impl_;
    w.refuse_while_moving("run");
    const Moving moving{w.motion->moving};
    const WallClock clock{w.motion->before};
    w.motion->recording = false;
    w.simulator(*this);
    const double start = time();
    if (!std::isfinite(until) || until < start)
        throw InputError({"", "", "until", schema::text_of(until),
                          "must be a finite number >= the present time (" + schema::text_of(start) + ") [s]"});
    const double span = until - start;
    double interval = options.interval > 0.0 ? options.interval : w.simulation.interval;
    if (!(interval > 0.0)) interval = span / 500.0;

    w.motion->recording = options.record;
    if (options.record) w.motion->recorder.begin(w.simulator(*this), w.motion->results);
    w.sample();
    for (std::int64_t k = 1; time() < until; ++k) {
        const double target = start + static_cast<double>(k) * interval;
        // The last interval may be a little longer, rather than be followed by a tiny one.
        w.go_to(*this, target > until - 1e-6 * interval ? until : target, until, interval, {});
        w.simulator(*this);
        w.sample();
        if (options.progress) options.progress(time());
    }
    w.motion->recording = false;
    return {time(), true, 0.0};
}

void World::reset() {
    Impl& w = *impl_;
    w.refuse_while_moving("reset");
    w.forget_motion();
    w.registry.clear<JointState>();
    w.registry.clear<DriveState>();
    w.registry.clear<PathMotion>();
    systems::put_back_all(w.registry, w.changes);
    w.contact_detection.reset();
    w.begin_programs_anew();
}

}  // namespace tactus
