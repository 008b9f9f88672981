// Integrators: the one door to SUNDIALS. An integrator owns its solver's memory, takes one internal step at a time, and
// gives the state at any instant that the last step covers. No header here includes one of SUNDIALS.
#pragma once

#include <tactus/engine/errors.hpp>
#include <tactus/engine/integrators/problem.hpp>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace tactus {

enum class Solver { CvodeBdf, CvodeAdams, Ida, ArkodeErk };

std::string_view solver_name(Solver solver);  // "cvode-bdf", ...

struct IntegratorOptions {
    double relative_tolerance = 1e-6;
    std::vector<double> absolute_tolerances;  // one for each state, in its unit
    double maximum_step = 0.0;                // [s] 0: none
};

// Counts since the integrator was made, over all restarts.
struct IntegratorStatistics {
    std::int64_t steps = 0;
    std::int64_t evaluations = 0;       // of f or F, Jacobian columns included
    std::int64_t root_evaluations = 0;  // of the zero-crossing functions
    std::int64_t jacobians = 0;
    std::int64_t nonlinear_iterations = 0;
    std::int64_t error_test_failures = 0;
    std::int64_t convergence_failures = 0;
    std::int64_t restarts = 0;

    IntegratorStatistics& operator+=(const IntegratorStatistics& other);
};

// The solver gave up: its words, when, and the states that it could not follow.
class IntegrationError : public Error {
public:
    IntegrationError(Solver solver, double time, double step, const std::string& words, std::vector<std::string> states);

    Solver solver;
    double time;                      // [s] up to here the solution is good
    double step;                      // [s] the last step that was tried
    std::vector<std::string> states;  // those with the largest estimated error, worst first; at most 3
};

class Integrator {
public:
    virtual ~Integrator() = default;

    // Starts anew at (t, x). The problem's size must not have changed. A first step may be proposed; 0: the solver's own.
    virtual void restart(double t, std::span<const double> x, double first_step = 0.0) = 0;

    // One internal step that does not go beyond t_stop (no evaluation does, either). Stops at the first zero crossing
    // on the way. Throws IntegrationError, or what the problem threw.
    struct Step {
        double time = 0.0;  // [s] reached: the end of the step, the zero crossing, or t_stop
        bool root = false;  // a zero crossing: see crossings()
    };
    virtual Step step(double t_stop) = 0;

    // After a step that found roots: for each function 0, or +1 (it rises) or -1 (it falls).
    virtual std::span<const int> crossings() const = 0;

    // The state at an instant within the last step (from where it started to the time that it returned).
    virtual void state(double t, std::span<double> x) const = 0;

    virtual double last_step() const = 0;  // [s] size of the last internal step
    virtual int last_order() const = 0;
    virtual IntegratorStatistics statistics() const = 0;
};

// The problem must outlive the integrator.
std::unique_ptr<Integrator> make_integrator(Solver solver, Problem& problem, const IntegratorOptions& options);

}  // namespace tactus
