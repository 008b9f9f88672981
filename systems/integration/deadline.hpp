// The host's patience. A step of the integrator cannot be left half-way, so one that would probably end too late is not
// begun. That changes when something is computed, never what.
#pragma once

#include <algorithm>
#include <chrono>

namespace tactus::systems {

// How long steps have taken of late. The longest ones count: those with an event in them take ten times the time of others,
// and are one in a hundred.
class Pace {
public:
    void note(double seconds) { most_ = std::max(seconds, fading * most_); }
    double most() const { return most_; }  // [s] few take longer

private:
    static constexpr double fading = 0.995;  // with each step; a long one is forgotten after some hundreds
    double most_ = 0.0;
};

// The end of a call's budget.
class Deadline {
public:
    Deadline() = default;  // never
    Deadline(double budget, Pace& pace) : pace_{&pace}, begin_{Clock::now()}, last_{begin_}, budget_{budget} {}

    // To be asked between steps: whether the next one should wait for another call.
    bool is_due() {
        if (!pace_) return false;
        const Clock::time_point now = Clock::now();
        pace_->note(std::min(seconds(now - last_), longest * budget_));
        last_ = now;
        const double used = seconds(now - begin_);
        return used >= budget_ || used + pace_->most() > (1.0 + most_late) * budget_;
    }

private:
    using Clock = std::chrono::steady_clock;
    static constexpr double most_late = 0.2;  // of the budget: how late a step may be expected to end
    // Of the budget: what counts of a step. Another program may have taken the processor meanwhile, which must not keep all
    // calls short for long; so most of a budget is always used.
    static constexpr double longest = 0.5;

    static double seconds(Clock::duration d) { return std::chrono::duration<double>(d).count(); }

    Pace* pace_ = nullptr;
    Clock::time_point begin_, last_;  // of the call; of the question before
    double budget_ = 0.0;             // [s]
};

}  // namespace tactus::systems
