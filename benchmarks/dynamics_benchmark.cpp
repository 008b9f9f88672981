// Dynamics: time per body of one evaluation of the equations of motion, and time of whole motions that reach the same
// accuracy, beside peers on the same models.
#include "benchmarks/bench.hpp"
#include "benchmarks/dynamics/engine.hpp"

#include <cmath>
#include <exception>
#include <iterator>
#include <optional>
#include <utility>

namespace bench {

namespace {

using dynamics::Engine;
using dynamics::Model;
using Engines = std::vector<std::unique_ptr<Engine>>;

double largest_difference(const std::vector<double>& a, const std::vector<double>& b) {
    double largest = a.size() == b.size() ? 0.0 : INFINITY;
    for (std::size_t i = 0; i < std::min(a.size(), b.size()); ++i) largest = std::max(largest, std::abs(a[i] - b[i]));
    return largest;
}

// -- One evaluation ----------------------------------------------------------------------------------------------------

// Engines take turns, so that whatever else the machine does meets them all.
void time_evaluation(std::vector<Row>& rows, Engines& engines, const std::string& name, const Model& model) {
    constexpr int tries = 15, bodies_per_try = 20000;
    const int n = static_cast<int>(model.bodies.size()), repeats = std::max(1, bodies_per_try / n);
    std::vector<double> seconds(engines.size(), 1e300);
    for (const auto& engine : engines) engine->load(model);
    for (int t = 0; t < tries; ++t)
        for (std::size_t i = 0; i < engines.size(); ++i)
            seconds[i] = std::min(seconds[i], fastest(1, [&] {
                                      for (int k = 0; k < repeats; ++k) engines[i]->evaluate();
                                  }));
    double size = 0.0;
    const std::vector<double> own = engines[0]->accelerations();
    for (const double a : own) size = std::max(size, std::abs(a));
    for (std::size_t i = 0; i < engines.size(); ++i) {
        rows.push_back({name, "ns_per_body", "ns", engines[i]->name(), 1, 1e9 * seconds[i] / repeats / n});
        if (i > 0)
            rows.push_back({name, "relative_deviation", "1", engines[i]->name(), 1,
                            largest_difference(own, engines[i]->accelerations()) / size});
    }
}

void time_evaluations(std::vector<Row>& rows, Engines& engines) {
    using dynamics::Joint;
    for (const int n : {10, 100, 1000, 10000}) {
        const std::string size = "/n=" + std::to_string(n);
        time_evaluation(rows, engines, "chain" + size, dynamics::chain(n, Joint::revolute));
        time_evaluation(rows, engines, "bushy" + size, dynamics::bushy(n, Joint::revolute));
        time_evaluation(rows, engines, "chain-spherical" + size, dynamics::chain(n, Joint::spherical));
        time_evaluation(rows, engines, "bushy-spherical" + size, dynamics::bushy(n, Joint::spherical));
        time_evaluation(rows, engines, "free" + size, dynamics::free_bodies(n));
    }
}

// -- Whole motions -----------------------------------------------------------------------------------------------------

struct Motion {
    std::string name;
    Model model;
    double until;  // [s]
};

constexpr double wanted_errors[] = {1e-4, 1e-6};  // of any angle [rad] and any speed [rad/s] at the end

struct Point {
    double error = 0.0, seconds = 0.0;
};

// One integrator from coarse to fine, until it is clearly better than is wanted, or takes ever longer.
std::vector<Point> sweep(Engine& engine, const std::string& integrator, const Motion& motion,
                         const std::vector<double>& reference) {
    constexpr double longest = 2.0;  // [s]
    std::vector<Point> points;
    int good = 0;
    for (int k = 6; good < 2; ++k) {  // accuracy 1e-3, 3e-4, …
        const double accuracy = std::pow(10.0, -0.5 * k);
        if (accuracy < 0.99 * engine.tightest()) break;
        const auto go = [&] { engine.run(integrator, accuracy, motion.until); };
        Point point;
        try {
            point.seconds = fastest(1, go);
            if (point.seconds < 0.5) point.seconds = std::min(point.seconds, fastest(point.seconds < 0.1 ? 6 : 2, go));
        } catch (const std::exception&) {
            continue;  // gives up at this accuracy
        }
        point.error = largest_difference(engine.state(), reference);
        points.push_back(point);
        good = point.error < 0.1 * *std::rbegin(wanted_errors) ? good + 1 : 0;
        if (point.seconds > longest) break;
    }
    return points;
}

// Time for an error: from the two neighbours between which it falls below that for good; both axes are logarithmic.
std::optional<double> time_for(double error, const std::vector<Point>& points) {
    std::size_t first = points.size();  // of those that are all good enough
    while (first > 0 && points[first - 1].error <= error) --first;
    if (first == points.size()) return {};
    const Point& fine = points[first];
    if (first == 0) return fine.seconds;
    const Point& coarse = points[first - 1];
    const double share = std::log(coarse.error / error) / std::log(coarse.error / std::max(fine.error, 1e-300));
    return coarse.seconds * std::pow(fine.seconds / coarse.seconds, share);
}

void time_motion(std::vector<Row>& rows, Engines& engines, const Motion& motion) {
    std::vector<double> reference;
    for (const auto& engine : engines) {
        engine->load(motion.model);
        engine->run(engine->best(), engine->tightest(), motion.until);
        if (reference.empty())
            reference = engine->state();
        else
            rows.push_back({motion.name, "reference_deviation", "rad", engine->name(), 1,
                            largest_difference(engine->state(), reference)});
    }
    for (const auto& engine : engines) {
        std::vector<std::pair<std::string, std::vector<Point>>> sweeps;
        for (const std::string& integrator : engine->integrators())
            sweeps.emplace_back(integrator, sweep(*engine, integrator, motion, reference));
        for (const double error : wanted_errors) {
            const std::string name =
                motion.name + "/err=1e" + std::to_string(static_cast<int>(std::round(std::log10(error))));
            std::vector<Row> each;
            double best = INFINITY;
            for (const auto& [integrator, points] : sweeps)
                if (const auto seconds = time_for(error, points)) {
                    each.push_back({name, "wall_s", "s", engine->name() + "-" + integrator, 1, *seconds});
                    best = std::min(best, *seconds);
                }
            if (!each.empty()) rows.push_back({name, "wall_s", "s", engine->name(), 1, best});
            rows.insert(rows.end(), each.begin(), each.end());
        }
    }
}

// As an engine does it unless told otherwise: largest change of the energy at any full second, as a share of what the
// pendulum can lose.
void measure_drift(std::vector<Row>& rows, Engines& engines) {
    const Model model = dynamics::double_pendulum();
    const double height = -model.gravity.z() * model.bodies[0].mass * (0.5 + 1.5);
    for (const auto& engine : engines) {
        engine->load(model);
        const double start = engine->energy();
        double drift = 0.0;
        const double seconds = fastest(1, [&] {
            engine->run(engine->integrators()[0], 1e-6, 100.0,
                        [&] { drift = std::max(drift, std::abs(engine->energy() - start) / height); });
        });
        rows.push_back({"double-pendulum/100s", "energy_drift", "1", engine->name(), 1, drift});
        rows.push_back({"double-pendulum/100s", "wall_s", "s", engine->name(), 1, seconds});
    }
}

}  // namespace

std::vector<Row> dynamics_of_trees(int) {
    std::vector<Row> rows;
    Engines engines = dynamics::engines();
    time_evaluations(rows, engines);
    time_motion(rows, engines, {"double-pendulum", dynamics::double_pendulum(), 10.0});
    time_motion(rows, engines, {"chain50", dynamics::hanging_chain(), 1.0});
    measure_drift(rows, engines);
    return rows;
}

}  // namespace bench
