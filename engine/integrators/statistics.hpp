// What integrating cost.
#pragma once

#include <cstdint>

namespace tactus {

// Counts since the integrator was made, over all restarts.
struct IntegratorStatistics {
    std::int64_t steps = 0;
    std::int64_t evaluations = 0;       // of f or F: Jacobian columns and interpolation included
    std::int64_t root_evaluations = 0;  // of the zero-crossing functions
    std::int64_t jacobians = 0;
    std::int64_t nonlinear_iterations = 0;
    std::int64_t error_test_failures = 0;
    std::int64_t convergence_failures = 0;
    std::int64_t restarts = 0;

    IntegratorStatistics& operator+=(const IntegratorStatistics& other) {
        steps += other.steps;
        evaluations += other.evaluations;
        root_evaluations += other.root_evaluations;
        jacobians += other.jacobians;
        nonlinear_iterations += other.nonlinear_iterations;
        error_test_failures += other.error_test_failures;
        convergence_failures += other.convergence_failures;
        restarts += other.restarts;
        return *this;
    }
};

}  // namespace tactus
