#include <tactus/systems/integration/tolerances.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

// A solver keeps the error of each step within its tolerance; over many steps they add up. The share that it is given
// makes the whole motion about as good as was asked for: free trees keep energy and momentum within ten times the
// tolerance over 100 s (tests/systems/dynamics). Formulas of low order take ever more steps, so theirs shrinks.
double tolerance_of_steps(Solver solver, double tolerance) {
    const double more_steps = std::min(1.0, std::pow(tolerance / 1e-6, 0.25));
    const auto share = [&] {
        switch (solver) {
        case Solver::CvodeBdf:
        case Solver::Ida: return 5e-4 * more_steps;
        case Solver::CvodeAdams: return 3e-3 * more_steps;
        case Solver::ArkodeErk: break;
        }
        return 0.03;
    };
    return std::max(share() * tolerance, 1e-14);
}

std::vector<double> absolute_tolerances(const Tree& tree, std::size_t states, double length, double tolerance) {
    // A tenth of the relative tolerance of a state of nominal size: 1 rad, 1 rad/s, the nominal length, that per second.
    std::vector<double> nominal(states, 1.0);
    const auto nq = static_cast<std::size_t>(tree.nq);
    double mass = 0.0;
    for (const Link& link : tree.links) {
        if (link.parent < 0) continue;
        const auto q0 = static_cast<std::size_t>(link.q0), v0 = nq + static_cast<std::size_t>(link.v0);
        const auto lengths = [&](std::size_t from, std::size_t count) {
            std::fill_n(nominal.begin() + static_cast<std::ptrdiff_t>(q0 + from), count, length);
            std::fill_n(nominal.begin() + static_cast<std::ptrdiff_t>(v0 + from), count, length);
        };
        switch (link.kind) {
        case JointKind::prismatic:
        case JointKind::cylindrical: lengths(0, 1); break;
        case JointKind::planar: lengths(0, 2); break;
        case JointKind::free: lengths(0, 3); break;
        default: break;
        }
        mass += link.mass;
    }
    if (mass > 0.0)
        for (std::size_t i = nq + static_cast<std::size_t>(tree.nv); i < states; ++i)
            nominal[i] = mass * length * length;
    for (double& x : nominal) x *= 0.1 * tolerance;
    return nominal;
}

}  // namespace tactus::systems
