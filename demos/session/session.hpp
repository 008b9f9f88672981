// A demo that runs: its World, its clock against ours, and what is remembered of it to be shown. Knows no graphics library.
#pragma once

#include "demos/demo.hpp"

#include <array>
#include <deque>
#include <memory>
#include <string>
#include <vector>

namespace demos::app {

// One signal over time: the last `length` seconds.
struct Curve {
    std::string name, unit;
    std::function<double(tactus::World&)> value;
    std::deque<std::pair<double, double>> points;  // [s], value
};

struct ContactLine {  // a contact that started or ended
    double time = 0.0;
    bool start = true;
    std::string pair;
    double speed = 0.0, duration = 0.0, force = 0.0;  // [m/s] of the impact, [s] and [N] of all of it
};

// Where the time of the last frames went.
struct FrameProfile {
    double simulated = 0.0, wall = 0.0;  // [s]
    std::array<double, tactus::stage_names.size()> stages{};
    std::vector<double> workers;  // [s] busy, each; empty: all was done in place
    std::int64_t steps = 0, events = 0, pairs = 0, evaluations = 0;
};

class WorkerClock;  // time that each worker of an executor is busy

class Session {
public:
    Session(const Demo& demo, int workers);  // 0: one for each core
    ~Session();
    Session(const Session&) = delete;
    Session& operator=(const Session&) = delete;

    const Demo& demo;
    std::vector<Parameter> parameters;

    bool paused = false;
    double speed = 1.0;  // simulated seconds for each of the clock

    // What is there; null if the scene could not be built, and `error` says why. Motion that failed keeps the World.
    tactus::World* world() { return world_.get(); }
    const std::string& error() const { return error_; }
    const std::vector<Dress>& looks() const { return looks_; }

    void restart();
    void set_workers(int workers);  // motion goes on as if nothing had happened
    int workers() const { return workers_; }

    // Goes on by a frame of the clock [s], but never computes longer than the budget [s]. What is missing then is caught up
    // in the next frames, up to a quarter of a second; beyond that the motion is slower than the clock.
    void frame(double clock, double budget);
    void step(double dt);  // exactly so far, however long it takes
    void observe();        // notes signals now; step and frame do

    tactus::Vec3 ridden();                                  // [m] how far the view has gone with what it rides on
    double behind() const { return behind_; }               // [s] of simulated time
    double real_time_factor() const;                        // over the last second of computing
    std::deque<Curve>& curves() { return curves_; }         // of the demo, then energies
    std::size_t own_curves() const { return own_curves_; }  // how many are of the demo
    const std::deque<ContactLine>& contacts() const { return contacts_; }
    const std::deque<FrameProfile>& profile() const { return profile_; }

    // ---- dragging: a spring of the engine's own between a point of an object and the hand ----
    void grab(tactus::Entity object, const tactus::Vec3& point_W);
    void move_hand(const tactus::Vec3& point_W);
    void let_go();
    bool grabbing() const { return grabbed_ != entt::null; }

private:
    int workers_;
    std::unique_ptr<tactus::World> world_;
    std::unique_ptr<WorkerClock> clock_of_workers_;
    std::string error_;
    std::vector<Dress> looks_;
    std::deque<Curve> curves_;
    std::size_t own_curves_ = 0;
    std::deque<ContactLine> contacts_;
    std::deque<FrameProfile> profile_;
    double behind_ = 0.0, observed_ = -1.0;
    tactus::Entity grabbed_ = entt::null;

    void watch_workers();
    void go(double dt, double budget);
    void note_profile(const tactus::Statistics& before, const tactus::StageClock& stages, double wall);
    template<class Work> bool guarded(Work&& work);
};

}  // namespace demos::app
