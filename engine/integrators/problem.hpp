// What an integrator integrates: x' = f(t, x), its residual form, and the functions whose zeros are events.
#pragma once

#include <cstddef>
#include <span>
#include <string>

namespace tactus {

// Implemented by an island (systems/integration). Functions may throw; the integrator then stops and the exception
// comes out of Integrator::step as it is. Values that are not finite are no exception: the step is tried again, shorter.
class Problem {
public:
    virtual ~Problem() = default;

    virtual std::size_t states() const = 0;
    virtual std::size_t roots() const = 0;

    virtual void derivative(double t, std::span<const double> x, std::span<double> dx) = 0;
    // 0 = F(t, x, dx) of the same equations.
    virtual void residual(double t, std::span<const double> x, std::span<const double> dx, std::span<double> r) = 0;
    virtual void zero_crossings(double t, std::span<const double> x, std::span<double> g) = 0;

    // ---- Newton's method of the implicit integrators ----
    // A problem may solve (I - gamma df/dx) d = r itself. It is asked whether it does when an integrator is made.
    virtual bool solves_newton() const { return false; }
    // At (t, x), before the first correction of every step. Derivatives of f may stay those of an earlier call if they are
    // about the same at (t, x), unless `renew`.
    enum class Newton { kept, renewed, singular };
    virtual Newton prepare_newton(double /*t*/, std::span<const double> /*x*/, double /*gamma*/, bool /*renew*/) {
        return Newton::singular;
    }
    virtual void solve_newton(std::span<double> /*r*/) {}  // r becomes d
    // After solve_newton: the share of an error that this correction may have left because derivatives of f are others than
    // those of the matrix. 0: they change so smoothly that the rate of an earlier step may be relied on. 1: nothing is
    // known, because friction, stops or contacts act whose derivatives change within the correction.
    virtual double left_by_correction() const { return 0.0; }

    // For messages: the object that this state belongs to, e.g. "joint 'rev' (w)".
    virtual std::string state_name(std::size_t i) const = 0;
};

}  // namespace tactus
