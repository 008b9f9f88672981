#include <tactus/systems/integration/tolerances.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

namespace {

int length_coordinates(JointKind kind) {  // the first ones of a joint
    switch (kind) {
    case JointKind::prismatic:
    case JointKind::cylindrical: return 1;
    case JointKind::planar: return 2;
    case JointKind::free: return 3;
    default: return 0;
    }
}

}  // namespace

// A solver keeps the error of each step within its tolerance; over many steps they add up. The share that it is given
// makes the whole motion about as good as was asked for: free trees keep energy and momentum within ten times the
// tolerance over 100 s (tests/systems/dynamics). Formulas of low order take ever more steps, so theirs shrinks.
//
// Where things touch, motions are made of short pieces, and their errors are those of single impacts. Measured on random scenes
// with a hundred impacts each (tactus bench contact --fuzz): they keep energy within a hundred tolerances. Solvers look at the
// mean square of the errors of all states, in which those of the two that collide get lost where there are many others.
double tolerance_of_steps(Solver solver, double tolerance, bool contacts, std::size_t states) {
    constexpr double states_of_two = 26.0;
    const double more_steps = std::min(1.0, std::pow(tolerance / 1e-6, 0.25));
    const auto share = [&] {
        if (contacts) {
            const double most = solver == Solver::CvodeAdams ? 0.1 : 0.2;
            return std::min(most,
                            0.5 * std::sqrt(states_of_two / static_cast<double>(std::max<std::size_t>(states, 1)))) *
                   std::min(1.0, std::pow(tolerance / 1e-5, 0.45));
        }
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

IntegratorOptions state_tolerances(const Tree& tree, std::size_t states, std::size_t drives, double length,
                                   double tolerance, std::span<const LinkTouch> touches) {
    // A tenth of the relative tolerance of a state of nominal size: 1 rad, 1 rad/s, the nominal length, that per second.
    std::vector<double> nominal(states, 1.0), relative(states, tolerance);
    const auto nq = static_cast<std::size_t>(tree.integrated_q);
    double mass = 0.0;
    for (const Link& link : tree.links) {
        mass += link.mass;
        if (link.parent < 0 || link.prescribed) continue;
        const auto q0 = static_cast<std::size_t>(link.q0), v0 = nq + static_cast<std::size_t>(link.v0);
        const auto lengths = [&](std::size_t from, std::size_t count) {
            std::fill_n(nominal.begin() + static_cast<std::ptrdiff_t>(q0 + from), count, length);
            std::fill_n(nominal.begin() + static_cast<std::ptrdiff_t>(v0 + from), count, length);
        };
        lengths(0, static_cast<std::size_t>(length_coordinates(link.kind)));
    }
    if (mass > 0.0)
        for (std::size_t i = nq + static_cast<std::size_t>(tree.integrated_v) + drives; i < states; ++i)
            nominal[i] = mass * length * length;
    std::vector<double> absolute = nominal;
    for (double& x : absolute) x *= 0.1 * tolerance;

    // Measured on piles: a share of the depth that is too large makes contacts come and go for no reason, a smaller one costs
    // more steps. Speeds are more accurate than places by one order in the step, hence the root.
    //
    // Large solids may be slow, and impacts give back what they get: there, speeds of their points are not allowed larger
    // errors than those of others.
    const double depth_share = std::sqrt(tolerance), nominal_speed = std::min(length, 1.0);  // [m/s]
    for (std::size_t k = 1; k < touches.size(); ++k) {
        const Link& link = tree.links[k];
        const LinkTouch& touch = touches[k];
        if (!std::isfinite(touch.depth) || link.prescribed) continue;
        for (int i = 0; i < coordinates(link.kind); ++i) {
            const auto q = static_cast<std::size_t>(link.q0 + i);
            const bool is_length = i < length_coordinates(link.kind);
            const double way = std::max(depth_share * touch.depth, touch.rounding);
            const double share = way / (is_length ? 1.0 : std::max(touch.arm, 1e-300));
            relative[q] = 1e-12;  // what rounding leaves of it
            absolute[q] = std::min(tolerance * nominal[q], share);
        }
        for (int i = 0; i < speeds(link.kind); ++i) {
            const bool is_length = i < length_coordinates(link.kind);
            if (!is_length && touch.arm == 0.0) continue;  // turning changes no distance
            double& speed = absolute[nq + static_cast<std::size_t>(link.v0 + i)];
            const double arm = is_length ? 1.0 : touch.arm;
            speed = std::max(std::min(speed, 0.1 * tolerance * nominal_speed / arm), touch.speed_rounding / arm);
        }
    }
    return {.relative_tolerances = std::move(relative), .absolute_tolerances = std::move(absolute)};
}

}  // namespace tactus::systems
