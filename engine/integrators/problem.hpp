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
    // At (t, x). `refresh` false: derivatives of f may stay those of the last call. False: the matrix is singular.
    virtual bool prepare_newton(double /*t*/, std::span<const double> /*x*/, double /*gamma*/, bool /*refresh*/) {
        return false;
    }
    virtual void solve_newton(std::span<double> /*r*/) {}  // r becomes d

    // For messages: the object that this state belongs to, e.g. "joint 'rev' (w)".
    virtual std::string state_name(std::size_t i) const = 0;
};

}  // namespace tactus
