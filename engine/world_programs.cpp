// World: programs, and the list of actions as one of them. They go on in go_to, at the instants that they wait for.
#include <tactus/engine/motion.hpp>
#include <tactus/engine/schema/context.hpp>
#include <tactus/engine/schema/definitions.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus {

namespace {

const std::string list_name = "actions";

// The name of the zero crossing of a program's condition: none that a host would use.
std::string crossing_name(const std::string& program) { return "\x1f" + program; }

// The actions of a scene file.
Program follow(World&, std::vector<Action> actions) {
    for (std::size_t i = 0; i < actions.size(); ++i) {
        Action action = actions[i];
        const double period = std::visit(
            []<class A>(const A& a) {
                if constexpr (requires { a.waiting_period; })
                    return a.waiting_period;
                else
                    return 0.0;
            },
            action);
        co_await std::move(action);
        if (period > 0.0) co_await after(period);
    }
}

}  // namespace

// ---- coroutines -----------------------------------------------------------------------------------------------------

void Program::resume(World& world) {
    promise_type& promise = handle_.promise();
    promise.world = &world;
    promise.pause = {};
    if (ActionStep* step = std::exchange(promise.pending, nullptr)) {
        try {
            if (!step->attempt()) {
                promise.pending = step;
                return;
            }
        } catch (...) { step->fail(std::current_exception()); }
    }
    handle_.resume();
}

bool ActionStep::attempt() {
    World& world = *promise_.world;
    if (performed_) {  // and the pause after it is over
        if (std::holds_alternative<EventAfterPeriod>(action_))
            world.impl_->tell({{world.time(), EventKind::time, "EventAfterPeriod", entt::null, 0}});
        return true;
    }
    World::Impl::Performed done = world.impl_->perform(world, action_);
    report_ = std::move(done.report);
    if (!done.pause) return true;
    promise_.pause = std::move(*done.pause);
    performed_ = !done.again;
    return false;
}

void ActionStep::await_suspend(std::coroutine_handle<>) noexcept { promise_.pending = this; }

ActionReport ActionStep::await_resume() {
    if (error_) std::rethrow_exception(error_);
    return std::move(report_);
}

std::suspend_always Program::promise_type::await_transform(const After& wait) {
    doing = "after(" + schema::text_of(wait.period) + ")";
    if (!std::isfinite(wait.period) || wait.period < 0.0)
        throw InputError({"", "", "period", schema::text_of(wait.period), "must be a finite number >= 0 [s]"});
    pause = {.time = world->time() + wait.period};
    return {};
}

std::suspend_always Program::promise_type::await_transform(Condition condition) {
    doing = "until(...)";
    if (!condition.function) throw InputError({"", "", "until", "", "must be a function"});
    for (Ref& ref : condition.objects)
        if (ref.entity == entt::null) ref.entity = world->at(ref.path);
    pause = {.condition = std::move(condition)};
    return {};
}

ActionStep Program::promise_type::await_transform(Action action) {
    doing = std::string{schema::type_name(action)};
    return {*this, std::move(action)};
}

// ---- the World's side -----------------------------------------------------------------------------------------------

void World::Impl::set_action_program() {
    std::erase_if(programs, [](const auto& running) { return running->name == list_name; });
    watched_outdated = true;
    if (actions.empty()) return;
    auto running = std::make_unique<RunningProgram>();
    running->name = list_name;
    running->function = [list = actions](World& world) { return follow(world, list); };
    programs.insert(programs.begin(), std::move(running));
}

void World::Impl::begin_programs_anew() {
    for (const auto& running : programs) {
        running->program = {};
        running->over = running->woken = false;
    }
    watched_outdated = true;
}

void World::Impl::watch_conditions() {
    watched = crossings;
    for (const auto& running : programs)
        if (!running->over && running->program)
            if (const auto& condition = running->program.promise().pause.condition)
                watched.push_back(
                    {crossing_name(running->name), condition->function, Direction::rising, condition->objects});
    watched_outdated = false;
}

void World::Impl::wake(std::vector<Event>& events) {
    for (Event& event : events)
        for (const auto& running : programs)
            if (event.kind == EventKind::zero_crossing && event.name == crossing_name(running->name)) {
                event.kind = EventKind::condition;
                event.name = running->name;
                running->woken = true;
                break;
            }
}

double World::Impl::next_wake() const {
    double next = std::numeric_limits<double>::infinity();
    for (const auto& running : programs)
        if (!running->over && running->program) next = std::min(next, running->program.promise().pause.time);
    return next;
}

bool World::Impl::programs_are_due() const {
    for (const auto& running : programs)
        if (!running->over &&
            (!running->program || running->woken || running->program.promise().pause.time <= *motion->time))
            return true;
    return false;
}

void World::Impl::resume(World& world, RunningProgram& running) {
    running.woken = false;
    std::exception_ptr error;
    try {
        if (!running.program) running.program = running.function(world);
        watched_outdated |= running.program.promise().pause.condition.has_value();
        running.program.resume(world);
        error = running.program.promise().error;
    } catch (...) { error = std::current_exception(); }
    if (!running.program) throw SimulationError{*motion->time, "the program '" + running.name + "' did not begin", {}};
    watched_outdated |= running.program.promise().pause.condition.has_value();
    running.over = error || running.program.over();
    if (!error) return;
    std::string why = "threw something that is no std::exception";
    std::vector<std::string> concerned;
    try {
        std::rethrow_exception(error);
    } catch (const InputError& e) {
        why = e.what();
        for (const Issue& issue : e.issues())
            if (!issue.object.empty()) concerned.push_back(issue.object);
    } catch (const SimulationError& e) {
        why = e.what();
        concerned = e.elements;
    } catch (const std::exception& e) { why = e.what(); } catch (...) {
    }
    throw SimulationError{
        *motion->time, "the program '" + running.name + "' failed at " + running.program.promise().doing + ": " + why,
        std::move(concerned)};
}

// A condition that jumped, because something else was changed, is no zero crossing: so it is asked, too.
bool World::Impl::holds(World& world, const RunningProgram& running) {
    const Instant now{*simulator(world).islands().front()};
    try {
        return running.program.promise().pause.condition->function(now) >= 0.0;
    } catch (const std::exception& error) {
        throw SimulationError{
            *motion->time, "the condition of the program '" + running.name + "' threw: " + error.what(), {}};
    }
}

// All that are due at the present instant, and again, until none is.
void World::Impl::run_programs(World& world) {
    constexpr int most = 100000;
    int count = 0;
    for (bool any = true; any;) {
        any = false;
        for (std::size_t i = 0; i < programs.size(); ++i) {
            RunningProgram& running = *programs[i];
            if (running.over) continue;
            const Pause* pause = running.program ? &running.program.promise().pause : nullptr;
            if (pause && pause->condition && !running.woken) running.woken = holds(world, running);
            if (pause && !running.woken && !(pause->time <= *motion->time)) continue;
            if (++count > most)
                throw SimulationError{*motion->time, "the program '" + running.name + "' does not let time go on", {}};
            resume(world, running);
            any = true;
        }
    }
}

// ---- the door -------------------------------------------------------------------------------------------------------

void World::add_program(const std::string& name, std::function<Program(World&)> program) {
    if (!program) throw InputError({"", name, "program", "", "must be a function"});
    if (name.empty() || name == list_name)
        throw InputError({"", "", "name", schema::in_quotes(name), "must not be empty or \"" + list_name + "\""});
    for (const auto& running : impl_->programs)
        if (running->name == name)
            throw InputError({"", "", "name", schema::in_quotes(name), "there is a program of this name already"});
    auto running = std::make_unique<Impl::RunningProgram>();
    running->name = name;
    running->function = std::move(program);
    impl_->programs.push_back(std::move(running));
}

void World::remove_program(const std::string& name) {
    impl_->refuse_while_moving("remove_program");
    if (name == list_name ||
        std::erase_if(impl_->programs, [&](const auto& running) { return running->name == name; }) == 0)
        throw InputError({"", "", "name", schema::in_quotes(name), "there is no program of this name"});
    impl_->watched_outdated = true;
}

bool World::program_is_over(const std::string& name) const {
    for (const auto& running : impl_->programs)
        if (running->name == name) return running->over;
    throw InputError({"", "", "name", schema::in_quotes(name), "there is no program of this name"});
}

}  // namespace tactus
