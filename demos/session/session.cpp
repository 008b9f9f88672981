#include "demos/session/session.hpp"

#include "demos/session/present.hpp"
#include "demos/session/worker_clock.hpp"

#include <algorithm>
#include <chrono>
#include <cmath>
#include <numbers>
#include <thread>

namespace demos::app {

using namespace tactus;

namespace {

constexpr double plotted = 10.0;   // [s] of signals that are kept
constexpr double longest = 0.25;   // [s] of simulated time that may be caught up
constexpr std::size_t lines = 60;  // of contacts, and frames of the profile

double seconds() { return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count(); }

}  // namespace

Session::Session(const Demo& d, int workers)
    : demo{d}, parameters{d.parameters}, speed{d.speed},
      workers_{workers > 0 ? workers : static_cast<int>(std::max(1u, std::thread::hardware_concurrency()))} {
    restart();
}

Session::~Session() = default;

// What goes wrong is kept to be shown; the demo then stands still.
template<class Work> bool Session::guarded(Work&& work) {
    try {
        work();
        return true;
    } catch (const std::exception& e) {
        error_ = e.what();
        paused = true;
        return false;
    }
}

tactus::Vec3 Session::ridden() {
    const tactus::Entity e = world_ ? world_->find(demo.rides) : tactus::Entity{entt::null};
    if (e == entt::null || !is_present(*world_, e)) return tactus::Vec3::Zero();
    return world_->pose(e).p - world_->object(e).translation;
}

void Session::restart() {
    contacts_.clear();
    profile_.clear();
    grabbed_ = entt::null;
    error_.clear();
    looks_.clear();
    curves_.clear();
    own_curves_ = 0;
    behind_ = 0.0;
    observed_ = -1.0;
    clock_of_workers_.reset();
    world_ = std::make_unique<World>(WorldOptions{.workers = workers_});
    World& world = *world_;
    Set set{world, parameters};
    const bool built = guarded([&] {
        demo.build(set);
        world.update_structure();
    });
    if (!built) {
        world_.reset();
        return;
    }
    looks_ = std::move(set.looks);
    for (Signal& signal : set.signals) curves_.push_back({signal.name, signal.unit, signal.value, {}});
    own_curves_ = curves_.size();
    curves_.push_back({"kinetic", "J", [](World& w) { return w.energies().kinetic; }, {}});
    curves_.push_back({"potential", "J", [](World& w) { return w.energies().potential; }, {}});
    curves_.push_back({"elastic", "J", [](World& w) { return w.energies().elastic; }, {}});
    curves_.push_back({"dissipated", "J", [](World& w) { return w.energies().dissipated; }, {}});
    world.profile(true);
    watch_workers();
    world.on_contact([this](const ContactEvent& e) {
        contacts_.push_back({e.time, e.start, world_->name(e.object1) + ", " + world_->name(e.object2), e.impact_speed,
                             e.duration, e.largest_force});
        if (contacts_.size() > lines) contacts_.pop_front();
    });
    guarded([&] { observe(); });
}

void Session::watch_workers() {
    if (workers_ != 1) clock_of_workers_ = std::make_unique<WorkerClock>(world_->executor());
}

void Session::set_workers(int workers) {
    workers_ = std::max(1, workers);
    if (!world_) return restart();
    clock_of_workers_.reset();  // before the executor that it is of
    guarded([&] {
        world_->set_workers(workers_);
        watch_workers();
    });
}

void Session::observe() {
    const double t = world_->time();
    if (t == observed_) return;
    observed_ = t;
    for (Curve& curve : curves_) {
        curve.points.emplace_back(t, curve.value(*world_));
        while (curve.points.front().first < t - plotted) curve.points.pop_front();
    }
}

void Session::go(double dt, double budget) {
    const Statistics before = world_->statistics();
    const StageClock stages = world_->stage_times();
    const double began = seconds();
    guarded([&] {
        const Advance advance = world_->advance(dt, Budget{budget});
        behind_ = advance.complete ? 0.0 : advance.behind;
        observe();
    });
    if (grabbing() && !is_present(*world_, grabbed_)) let_go();  // an action has taken it out of the hand
    note_profile(before, stages, seconds() - began);
}

void Session::frame(double clock, double budget) {
    if (!world_ || paused) return;
    const double want = std::min(behind_ + speed * clock, longest * std::max(1.0, speed));
    go(want, budget);
}

void Session::step(double dt) {
    if (!world_) return;
    go(dt, no_limit.count());
}

void Session::note_profile(const Statistics& before, const StageClock& stages, double wall) {
    const Statistics after = world_->statistics();
    FrameProfile frame;
    frame.simulated = after.simulated_time - before.simulated_time;
    frame.wall = wall;
    for (std::size_t i = 0; i < frame.stages.size(); ++i)
        frame.stages[i] = world_->stage_times().entries[i].seconds - stages.entries[i].seconds;
    if (clock_of_workers_) frame.workers = clock_of_workers_->take();
    frame.steps = after.integrator.steps - before.integrator.steps;
    frame.evaluations = after.integrator.evaluations - before.integrator.evaluations;
    frame.events = after.events - before.events;
    frame.pairs = after.pairs_tested - before.pairs_tested;
    profile_.push_back(std::move(frame));
    if (profile_.size() > lines) profile_.pop_front();
}

double Session::real_time_factor() const {
    double simulated = 0.0, wall = 0.0;
    for (const FrameProfile& frame : profile_) {
        simulated += frame.simulated;
        wall += frame.wall;
    }
    return wall > 0.0 ? simulated / wall : 0.0;
}

// The hand is an object of the world, the grip one that is fixed to what is held; a bushing pulls one to the other, softly:
// 2 Hz on the mass of the whole super-object, well damped.
void Session::grab(Entity object, const Vec3& point_W) {
    let_go();
    if (!world_) return;
    guarded([&] {
        World& world = *world_;
        const MassProperties* mass = world.mass_of(world.root_of(object));
        if (!mass || world.root_of(object) == world.root_of(world.root())) return;
        const double omega = 2.0 * std::numbers::pi * 2.0, k = mass->mass * omega * omega, c = 1.4 * mass->mass * omega;
        world.add({.name = "hand", .parent = "world", .translation = point_W});
        world.add({.name = "hand.grip", .parent = object, .translation = world.pose(object).inverse() * point_W});
        Bushing bushing{.object1 = "hand", .object2 = "hand.grip"};
        bushing.spring.fill(k);
        bushing.damper.fill(c);
        world.add_force({.name = "hand.spring", .type = bushing});
        grabbed_ = object;
    });
}

void Session::move_hand(const Vec3& point_W) {
    if (!grabbing()) return;
    guarded([&] { world_->change(world_->at("hand"), [&](Object3DDef& hand) { hand.translation = point_W; }); });
}

void Session::let_go() {
    if (!grabbing()) return;
    grabbed_ = entt::null;
    guarded([&] {
        for (const char* name : {"hand.spring", "hand.grip", "hand"})
            if (const Entity e = world_->find(name); e != entt::null) world_->remove(e);
    });
}

}  // namespace demos::app
