// tactus run: simulates a scene file.
#include "tools/cli/commands.hpp"
#include "tools/cli/load.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
#include <cstdio>
#include <unistd.h>

namespace cli {

namespace {

using Json = nlohmann::ordered_json;

// One line on a terminal, redrawn at most ten times a second.
class ProgressBar {
public:
    ProgressBar(double from, double to) : from_{from}, to_{to}, on_{isatty(fileno(stderr)) != 0} {}
    ~ProgressBar() {
        if (drawn_) std::fputs("\r\033[K", stderr);
    }
    ProgressBar(const ProgressBar&) = delete;
    ProgressBar& operator=(const ProgressBar&) = delete;

    void operator()(double t) {
        const auto now = std::chrono::steady_clock::now();
        if (!on_ || now - last_ < std::chrono::milliseconds{100}) return;
        last_ = now;
        drawn_ = true;
        const double share = to_ > from_ ? std::clamp((t - from_) / (to_ - from_), 0.0, 1.0) : 1.0;
        std::string bar(40, '.');
        std::fill_n(bar.begin(), static_cast<std::ptrdiff_t>(share * 40), '#');
        std::fprintf(stderr, "\r[%s] %3.0f %%  t = %.4g s\033[K", bar.c_str(), 100 * share, t);
        std::fflush(stderr);
    }

private:
    double from_, to_;
    bool on_, drawn_ = false;
    std::chrono::steady_clock::time_point last_;
};

bool apply(const RunOptions& options, tactus::World& world) {
    tactus::Simulation simulation = world.simulation();
    if (options.until) {
        if (*options.until < simulation.start_time) {
            std::cerr << options.scene.string() << ": --until = " << *options.until << ": must be >= startTime ("
                      << simulation.start_time << ") [s]\n";
            return false;
        }
        simulation.stop_time = *options.until;
    }
    if (options.tolerance) simulation.tolerance = *options.tolerance;
    for (std::size_t i = 0; i < tactus::solver_names.size(); ++i)
        if (options.solver == tactus::solver_names[i]) simulation.solver = static_cast<tactus::Solver>(i);
    world.set_simulation(simulation);
    if (!options.results.empty()) {
        const std::filesystem::path file = options.results;
        if (file.extension() != ".csv" && file.extension() != ".json") {
            std::cerr << "tactus: --results = " << options.results << ": must end in .csv or .json\n";
            return false;
        }
    }
    return true;
}

Json to_json(const tactus::Statistics& s, tactus::Solver solver) {
    return {{"solver", tactus::solver_name(solver)},
            {"states", s.states},
            {"segments", s.segments},
            {"steps", s.integrator.steps},
            {"evaluations", s.integrator.evaluations},
            {"rootEvaluations", s.integrator.root_evaluations},
            {"jacobians", s.integrator.jacobians},
            {"nonlinearIterations", s.integrator.nonlinear_iterations},
            {"errorTestFailures", s.integrator.error_test_failures},
            {"convergenceFailures", s.integrator.convergence_failures},
            {"events", s.events},
            {"restarts", s.integrator.restarts},
            {"simulatedTime", s.simulated_time},
            {"wallTime", s.wall_time},
            {"realTimeFactor", s.real_time_factor()}};
}

void print_words(const tactus::Statistics& s, tactus::Solver solver) {
    const auto count = [](std::int64_t n) { return static_cast<long long>(n); };
    std::fprintf(stderr,
                 "%.6g s simulated in %.3g s (%.3g times real time), %s, %zu states\n"
                 "%lld steps, %lld evaluations, %lld Jacobians, %lld error test failures, %lld convergence failures, "
                 "%lld events, %lld restarts\n",
                 s.simulated_time, s.wall_time, s.real_time_factor(), std::string{tactus::solver_name(solver)}.c_str(),
                 s.states, count(s.integrator.steps), count(s.integrator.evaluations), count(s.integrator.jacobians),
                 count(s.integrator.error_test_failures), count(s.integrator.convergence_failures), count(s.events),
                 count(s.integrator.restarts));
}

void print_states(const std::vector<tactus::StateValue>& states) {
    for (const tactus::StateValue& state : states) {
        std::printf("%s =", state.name.c_str());
        for (const double x : state.values) std::printf(" %.15g", x);
        std::printf("  [%s]\n", state.unit.c_str());
    }
}

}  // namespace

int run(const RunOptions& options) {
    tactus::World world{{.workers = options.workers}};
    if (!load(options.scene, world) || !apply(options, world)) return wrong_input;
    const tactus::Simulation& simulation = world.simulation();
    for (const tactus::Uncertainty& uncertainty : world.uncertainties())
        std::cerr << options.scene.string() << ": note: '" << uncertainty.parameter
                  << "' is uncertain; this version simulates its nominal value only\n";

    std::string error;
    std::vector<std::string> concerned;
    try {
        ProgressBar bar{simulation.start_time, simulation.stop_time};
        world.run(simulation.stop_time, {.record = !options.results.empty(), .progress = [&bar](double t) { bar(t); }});
    } catch (const tactus::InputError& e) {
        print_issues(options.scene, e);
        return failed;
    } catch (const tactus::SimulationError& e) {
        error = e.what();
        concerned = e.elements;
        std::cerr << options.scene.string() << ": " << error << '\n';
    }
    if (!options.results.empty()) tactus::write_results(world.results(), options.results);  // also what there is so far
    const tactus::Statistics statistics = world.statistics();
    print_words(statistics, simulation.solver);
    if (options.json) {
        Json json{{"time", world.time()}};
        if (!error.empty()) json["error"] = {{"message", error}, {"elements", concerned}};
        if (options.final_states && error.empty()) {
            json["states"] = Json::object();
            for (const tactus::StateValue& state : world.states())
                json["states"][state.name] = state.values.size() == 1 ? Json(state.values.front()) : Json(state.values);
        }
        json["statistics"] = to_json(statistics, simulation.solver);
        std::cout << json.dump(1) << '\n';
    } else if (options.final_states && error.empty()) {
        print_states(world.states());
    }
    return error.empty() ? success : failed;
}

}  // namespace cli
