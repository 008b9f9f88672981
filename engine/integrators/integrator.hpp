// Integrators: the one door to SUNDIALS. An integrator owns its solver's memory, takes one internal step at a time, and
// gives the state at any instant that the last step covers. No header that others include includes one of SUNDIALS.
#pragma once

#include <tactus/engine/errors.hpp>
#include <tactus/engine/integrators/problem.hpp>
#include <tactus/engine/integrators/solver.hpp>
#include <tactus/engine/integrators/statistics.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace tactus {

// What the error of a step may be, for each state x: relative |x| + absolute.
struct IntegratorOptions {
    std::vector<double> relative_tolerances;  // >= 0
    std::vector<double> absolute_tolerances;  // in the state's unit; > 0
};

// The solver gave up: its words, when, and the states that it could not follow.
class IntegrationError : public Error {
public:
    IntegrationError(Solver solver, double time, double step, const std::string& words,
                     std::vector<std::string> states);

    Solver solver;
    double time;                      // [s] up to here the solution is good
    double step;                      // [s] size of the last step that succeeded; 0: none did
    std::vector<std::string> states;  // not finite, or with the largest estimated error: worst first, at most 3
};

// Calls that the rules below forbid throw std::logic_error.
class Integrator {
public:
    virtual ~Integrator() = default;

    // Starts anew at (t, x) with the next step; the problem is not evaluated before. Its number of states must not have
    // changed, that of zero crossings may have. A first step may be proposed; 0: the solver's own choice.
    virtual void restart(double t, std::span<const double> x, double first_step = 0.0) = 0;

    // One internal step that does not go beyond t_stop (no evaluation does, either). Stops at the first zero crossing
    // on the way. Throws IntegrationError, or what the problem threw; then only restart() may follow.
    //
    // t_stop must be later than the time that the last call returned, and not earlier than reached(). After a crossing
    // the solver itself is already at reached(), beyond it: either restart, as one must if the crossing changes the
    // equations, or go on with any t_stop >= reached(); then the next call returns the rest of that step, or the next
    // crossing in it. A function that is zero at a restart is not a crossing before it has left zero.
    struct Step {
        double time = 0.0;  // [s] reached: the end of the step, the zero crossing, or exactly t_stop
        bool root = false;  // a zero crossing: see crossings()
    };
    virtual Step step(double t_stop) = 0;

    // After a step that found roots: for each function 0, or +1 (it rises) or -1 (it falls).
    virtual std::span<const int> crossings() const = 0;

    // The state at an instant within the last step (from where it started to the time that it returned). With
    // arkode-erk this evaluates the problem, except at the returned time.
    virtual void state(double t, std::span<double> x) const = 0;

    // For zero-crossing functions, while they are evaluated: the state between the beginning of the step and that instant.
    virtual void state_within_step(double t, std::span<double> x) const = 0;

    virtual double reached() const = 0;  // [s] where the solver itself is; later than the returned time after a root
    virtual void set_maximum_step(double h) = 0;  // [s] from the next step on; 0: none
    virtual double last_step() const = 0;         // [s] size of the last internal step
    virtual int last_order() const = 0;
    virtual IntegratorStatistics statistics() const = 0;
};

// The problem must outlive the integrator and have at least one state.
std::unique_ptr<Integrator> make_integrator(Solver solver, Problem& problem, const IntegratorOptions& options);

}  // namespace tactus
