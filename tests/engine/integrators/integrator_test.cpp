// Every solver behind the one door: accuracy, zero crossings, stop times, and what happens when things go wrong.
#include <tactus/engine/integrators/integrator.hpp>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/compare.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <functional>
#include <limits>
#include <stdexcept>

using namespace tactus;
using test::contains;

namespace {

constexpr Solver all_solvers[] = {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk};
constexpr double infinity = std::numeric_limits<double>::infinity();

using X = std::vector<double>;
using Span = std::span<const double>;

// x' = f, with functions whose zeros are watched.
struct Equations : Problem {
    X start;
    std::function<void(double, Span, std::span<double>)> f;
    std::vector<std::function<double(double, Span)>> g;
    double latest = -infinity;  // [s] at which anything was evaluated

    std::size_t states() const override { return start.size(); }
    std::size_t roots() const override { return g.size(); }
    void derivative(double t, Span x, std::span<double> dx) override {
        latest = std::max(latest, t);
        f(t, x, dx);
    }
    void residual(double t, Span x, Span dx, std::span<double> r) override {
        derivative(t, x, r);
        for (std::size_t i = 0; i < r.size(); ++i) r[i] = dx[i] - r[i];
    }
    void zero_crossings(double t, Span x, std::span<double> values) override {
        latest = std::max(latest, t);
        for (std::size_t i = 0; i < g.size(); ++i) values[i] = g[i](t, x);
    }
    std::string state_name(std::size_t i) const override { return "state " + std::to_string(i); }
};

IntegratorOptions tolerance(const Equations& problem, double tol) {
    return {.relative_tolerances = X(problem.states(), tol), .absolute_tolerances = X(problem.states(), tol)};
}

X state(const Integrator& integrator, double t, std::size_t n) {
    X x(n);
    integrator.state(t, x);
    return x;
}

double distance(const X& a, const X& b) {
    double most = 0;
    for (std::size_t i = 0; i < a.size(); ++i) most = std::max(most, std::abs(a[i] - b[i]));
    return most;
}

struct Solved {
    std::string name;
    Equations problem;
    X (*exact)(double t);
};

X oscillator(double t) { return {std::cos(t), -std::sin(t)}; }

// Kepler orbit of eccentricity 1/2, semi-major axis 1, from the pericentre.
X orbit(double t) {
    const double e = 0.5, b = std::sqrt(1 - e * e);
    double E = t;
    for (int k = 0; k < 50; ++k) E -= (E - e * std::sin(E) - t) / (1 - e * std::cos(E));
    const double r = 1 - e * std::cos(E);
    return {std::cos(E) - e, b * std::sin(E), -std::sin(E) / r, b * std::cos(E) / r};
}

std::vector<Solved> references() {
    std::vector<Solved> all(2);
    all[0].name = "oscillator";
    all[0].exact = oscillator;
    all[0].problem.f = [](double, Span x, std::span<double> dx) { dx[0] = x[1], dx[1] = -x[0]; };
    all[1].name = "orbit";
    all[1].exact = orbit;
    all[1].problem.f = [](double, Span x, std::span<double> dx) {
        const double r = std::hypot(x[0], x[1]), r3 = r * r * r;
        dx[0] = x[2], dx[1] = x[3], dx[2] = -x[0] / r3, dx[3] = -x[1] / r3;
    };
    for (Solved& r : all) r.problem.start = r.exact(0);
    return all;
}

// A point falls from height h: it lands at sqrt(2 h / g).
constexpr double h0 = 2.0, gravity = 9.81;
Equations flight() {
    Equations problem;
    problem.start = {h0, 0};
    problem.f = [](double, Span x, std::span<double> dx) { dx[0] = x[1], dx[1] = -gravity; };
    problem.g = {[](double, Span) { return 1.0; }, [](double, Span x) { return x[0]; }};
    return problem;
}

Integrator::Step advance(Integrator& integrator, double t_stop) {  // to a root or to t_stop
    Integrator::Step step;
    do step = integrator.step(t_stop);
    while (!step.root && step.time < t_stop);
    return step;
}

}  // namespace

TEST_CASE("the error falls with the tolerance, and inside the steps it is no larger than at their ends") {
    for (const Solver solver : all_solvers)
        for (Solved& reference : references()) {
            CAPTURE(solver_name(solver));
            CAPTURE(reference.name);
            const double end = 10;
            double last = infinity;
            for (const double tol : {1e-4, 1e-6, 1e-8, 1e-10}) {
                CAPTURE(tol);
                Equations& problem = reference.problem;
                const std::size_t n = problem.states();
                const auto integrator = make_integrator(solver, problem, tolerance(problem, tol));
                integrator->restart(0, problem.start);
                double at_ends = 0, inside = 0;
                for (double t = 0, from = 0; t < end; from = t) {
                    t = integrator->step(end).time;
                    at_ends = std::max(at_ends, distance(state(*integrator, t, n), reference.exact(t)));
                    for (const double part : {0.1, 0.35, 0.5, 0.8}) {
                        const double s = from + part * (t - from);
                        inside = std::max(inside, distance(state(*integrator, s, n), reference.exact(s)));
                    }
                }
                CHECK(at_ends < last / 2);  // of tolerances that differ by 100; the order changes on the way
                CHECK(inside < 1.5 * at_ends);
                last = at_ends;
            }
            CHECK(last < 1e-6);  // global error of some 1e3 steps at 1e-10
        }
}

TEST_CASE("a falling point lands when it should, and the state there is the parabola's") {
    const double landing = std::sqrt(2 * h0 / gravity);
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Equations problem = flight();
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-10));
        integrator->restart(0, problem.start);
        const auto [time, root] = advance(*integrator, 5);
        REQUIRE(root);
        CHECK(time ==
              doctest::Approx(landing).epsilon(1e-8));  // parabolas are within every method: a hundred tolerances
        CHECK(integrator->crossings().size() == 2);
        CHECK(integrator->crossings()[0] == 0);
        CHECK(integrator->crossings()[1] == -1);
        const X x = state(*integrator, time, 2);
        CHECK(std::abs(x[0]) < 1e-12);  // the root finder's rounding
        CHECK(x[1] == doctest::Approx(-gravity * landing).epsilon(1e-8));
    }
}

TEST_CASE("a bouncing point: restarts after events, statistics add up") {
    const double landing = std::sqrt(2 * h0 / gravity);
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Equations problem = flight();
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-10));
        integrator->restart(0, problem.start);
        IntegratorStatistics before;
        for (int bounce = 0; bounce < 4; ++bounce) {
            const auto [time, root] = advance(*integrator, 10);
            REQUIRE(root);
            CHECK(time == doctest::Approx((2 * bounce + 1) * landing).epsilon(1e-7));
            X x = state(*integrator, time, 2);
            x = {1e-9, -x[1]};  // not zero, as the rules of hysteresis ask
            const IntegratorStatistics now = integrator->statistics();
            CHECK(now.steps > before.steps);
            CHECK(now.evaluations > before.evaluations);
            CHECK(now.root_evaluations > before.root_evaluations);
            CHECK(now.nonlinear_iterations >= before.nonlinear_iterations);
            CHECK(now.restarts == bounce + 1);
            integrator->restart(time, x, bounce % 2 ? 1e-3 : 0.0);
            before = integrator->statistics();
            CHECK(before.steps == now.steps);
            CHECK(before.jacobians == now.jacobians);
            CHECK(state(*integrator, time, 2) == x);
        }
    }
}

TEST_CASE("a crossing that is only observed does not disturb the integration") {
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        // Two zeros of one function and one of another, all within few steps
        Equations watched = references()[0].problem, plain = watched;
        watched.g = {[](double, Span x) { return x[0]; }, [](double t, Span) { return t - 3.0; }};
        const auto a = make_integrator(solver, watched, tolerance(watched, 1e-6));
        const auto b = make_integrator(solver, plain, tolerance(plain, 1e-6));
        a->restart(0, watched.start, 1e-3);
        b->restart(0, plain.start, 1e-3);
        std::vector<double> zeros;
        double t = 0, end = 0;
        do {
            end = b->step(6).time;
            do {
                const auto step = a->step(6);
                CHECK(step.time > t);
                CHECK(step.time <= end);
                CHECK(a->reached() == doctest::Approx(end).epsilon(1e-14));
                CHECK(distance(state(*a, (t + step.time) / 2, 2), oscillator((t + step.time) / 2)) < 1e-4);
                if (step.root) {
                    zeros.push_back(step.time);
                    if (a->reached() > std::nextafter(step.time, 7))
                        CHECK_THROWS_AS(a->step((step.time + a->reached()) / 2), std::logic_error);
                }
                t = step.time;
            } while (t < end);
            CHECK(distance(state(*a, t, 2), state(*b, t, 2)) < 1e-14);  // the same steps; ida rounds differently
        } while (end < 6);
        REQUIRE(zeros.size() == 3);
        const double pi = std::acos(-1.0);
        CHECK(zeros[0] == doctest::Approx(pi / 2).epsilon(1e-4));
        CHECK(zeros[1] == doctest::Approx(3.0).epsilon(1e-14));
        CHECK(zeros[2] == doctest::Approx(3 * pi / 2).epsilon(1e-4));
    }
}

TEST_CASE("a function that is zero at one restart is watched again after the next") {
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Equations problem = flight();
        bool touching = true;
        problem.g = {[&](double, Span x) { return touching ? 0.0 : x[0]; }};
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-8));
        integrator->restart(0, problem.start);
        CHECK_FALSE(advance(*integrator, 0.1).root);
        touching = false;
        integrator->restart(0, problem.start, 1.0);  // the landing lies within the first step, perhaps
        const auto [time, root] = advance(*integrator, 1);
        CHECK(root);
        CHECK(time == doctest::Approx(std::sqrt(2 * h0 / gravity)).epsilon(1e-6));
    }
}

TEST_CASE("the number of zero crossings may change at a restart") {
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Equations problem = flight();
        problem.g.clear();
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-8));
        for (const std::size_t count : {0u, 3u, 1u, 0u, 2u}) {
            problem.g.assign(count, [](double, Span x) { return x[0] - 1; });
            integrator->restart(0, problem.start);
            const auto [time, root] = advance(*integrator, 1);
            CHECK(root == (count > 0));
            CHECK(integrator->crossings().size() == count);
            if (root) CHECK(std::ranges::all_of(integrator->crossings(), [](int c) { return c == -1; }));
        }
    }
}

TEST_CASE("a stop time is reached exactly, and nothing is evaluated beyond it") {
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Solved reference = references()[1];
        Equations& problem = reference.problem;
        problem.g = {[](double, Span x) { return x[1]; }};
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-8));
        integrator->restart(0, problem.start);
        double t = 0;
        for (const double gap : {1.0, 1e-3, 0.7, 1e-12, 1e-16, 0.3, 3e-16, 2.0, 0.1, 0.1, 0.1}) {
            const double t_stop = std::max(t + gap, std::nextafter(t, infinity));
            CAPTURE(t_stop);
            do {
                t = integrator->step(t_stop).time;
                CHECK(problem.latest <= t_stop);
                CHECK(t <= t_stop);
            } while (t < t_stop);
            CHECK(t == t_stop);
            CHECK(distance(state(*integrator, t, 4), reference.exact(t)) < 1e-4);
            if (gap == 0.7) integrator->restart(t, state(*integrator, t, 4));  // then there is no room for a step
        }
        CHECK_THROWS_AS(integrator->step(t), std::logic_error);
    }
}

TEST_CASE("a restart next to the stop time still finds a crossing in between") {
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Equations problem = references()[0].problem;
        const double t = 1.0, t_stop = 1.0 + 8e-16;
        problem.g = {[&](double s, Span) { return s - 1.0 - 3e-16; }};
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-6));
        integrator->restart(t, problem.start);
        const auto step = integrator->step(t_stop);
        CHECK(step.root);
        CHECK(integrator->crossings()[0] == 1);
        CHECK(problem.latest <= t_stop);
    }
}

TEST_CASE("what the problem throws comes out as it is, and a restart makes everything good again") {
    struct Torn {
        int joint;
    };
    for (const Solver solver : all_solvers)
        for (const double when : {0.0, 0.5}) {
            CAPTURE(solver_name(solver));
            CAPTURE(when);
            Equations problem = references()[0].problem;
            const auto f = problem.f;
            bool fragile = true;
            problem.f = [&](double t, Span x, std::span<double> dx) {
                if (fragile && t >= when) throw Torn{7};
                f(t, x, dx);
            };
            const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-6));
            integrator->restart(0, problem.start);
            int torn = 0;
            try {
                advance(*integrator, 1);
            } catch (const Torn& e) { torn = e.joint; }
            CHECK(torn == 7);
            CHECK_THROWS_AS(integrator->step(1), std::logic_error);
            fragile = false;
            integrator->restart(0, problem.start);
            CHECK(advance(*integrator, 1).time == 1);
            CHECK(distance(state(*integrator, 1, 2), oscillator(1)) < 1e-4);
        }
}

TEST_CASE("exceptions from zero-crossing functions come out, too") {
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Equations problem = flight();
        problem.g[1] = [](double t, Span) -> double {
            if (t > 0.1) throw std::range_error{"gone"};
            return 1;
        };
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-6));
        integrator->restart(0, problem.start);
        CHECK_THROWS_AS(advance(*integrator, 1), std::range_error);

        problem.g[1] = [](double t, Span) { return t > 0.1 ? std::nan("") : 1.0; };
        integrator->restart(0, problem.start);
        CHECK_THROWS_AS(advance(*integrator, 1), IntegrationError);
    }
}

TEST_CASE("a solution that leaves for infinity ends in an error that says when and which state") {
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Equations problem;
        problem.start = {1, 1};
        problem.f = [](double, Span x, std::span<double> dx) { dx[0] = -x[0], dx[1] = x[1] * x[1]; };
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-6));
        integrator->restart(0, problem.start);
        try {
            for (int k = 0; k < 100000; ++k) integrator->step(2);
            FAIL("no error");
        } catch (const IntegrationError& e) {
            CHECK(e.time == doctest::Approx(1).epsilon(1e-4));
            CHECK(e.solver == solver);
            REQUIRE_FALSE(e.states.empty());
            CHECK(e.states[0] == "state 1");
            CHECK(contains(e.what(), "The step size collapsed"));
            CHECK(contains(e.what(), "state 1"));
            CHECK(contains(e.what(), solver_name(solver)));
        }
        CHECK(integrator->statistics().steps > 10);
    }
}

TEST_CASE("a derivative that is not a number: at the start an error with names, on the way a shorter step") {
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Equations problem = references()[1].problem;
        const auto f = problem.f;
        problem.f = [&](double t, Span x, std::span<double> dx) {
            f(t, x, dx);
            dx[1] = dx[3] = std::nan("");
        };
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-6));
        integrator->restart(0, problem.start);
        try {
            integrator->step(1);
            FAIL("no error");
        } catch (const IntegrationError& e) {
            CHECK(e.states == std::vector<std::string>{"state 1", "state 3"});
            CHECK(e.time == 0);
            CHECK(contains(e.what(), "not finite at"));
        }
        CHECK(integrator->statistics().steps == 0);

        int holes = 1;  // evaluations still to be spoiled
        problem.f = [&](double t, Span x, std::span<double> dx) {
            f(t, x, dx);
            if (t > 0.5 && holes-- > 0) dx[0] = infinity;
        };
        integrator->restart(0, problem.start);
        CHECK(advance(*integrator, 1).time == 1);
        CHECK(distance(state(*integrator, 1, 4), orbit(1)) < 1e-2);
    }
}

TEST_CASE("a stiff problem needs few steps with cvode-bdf and ida") {
    for (const Solver solver : {Solver::CvodeBdf, Solver::Ida}) {
        CAPTURE(solver_name(solver));
        Equations problem;
        problem.start = {0};
        problem.f = [](double t, Span x, std::span<double> dx) { dx[0] = -1e6 * (x[0] - std::cos(t)); };
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-6));
        integrator->restart(0, problem.start);
        advance(*integrator, 10);
        CHECK(integrator->statistics().steps < 300);
        CHECK(integrator->statistics().jacobians > 0);
        CHECK(state(*integrator, 10, 1)[0] == doctest::Approx(std::cos(10.0)).epsilon(1e-4));
    }
}

TEST_CASE("problems too large for a dense matrix are solved, too") {
    for (const Solver solver : {Solver::CvodeBdf, Solver::Ida}) {
        CAPTURE(solver_name(solver));
        const std::size_t n = 400;  // heat along a rod: the slowest wave decays as exp(-k t)
        const double pi = std::acos(-1.0), c = 1e4, k = 4 * c * std::pow(std::sin(pi / 2 / (n + 1)), 2);
        Equations problem;
        for (std::size_t i = 0; i < n; ++i) problem.start.push_back(std::sin(pi * double(i + 1) / (n + 1)));
        problem.f = [&](double, Span x, std::span<double> dx) {
            for (std::size_t i = 0; i < n; ++i)
                dx[i] = c * ((i > 0 ? x[i - 1] : 0) - 2 * x[i] + (i + 1 < n ? x[i + 1] : 0));
        };
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-6));
        integrator->restart(0, problem.start);
        advance(*integrator, 1);
        CHECK(state(*integrator, 1, n)[n / 2] == doctest::Approx(problem.start[n / 2] * std::exp(-k)).epsilon(1e-3));
        CHECK(integrator->statistics().steps < 200);
    }
}

TEST_CASE("steps do not allocate") {
    if (!test::counts_allocations) return;
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Equations problem = references()[1].problem;
        problem.g = {[](double, Span x) { return x[1]; }};
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-8));
        X x = problem.start;
        const long start = test::allocations();
        integrator->restart(0, x);
        integrator->step(20);  // may: it sees the number of crossings for the first time
        const long before = test::allocations();
        CHECK(before - start <= 1);
        for (double t = 0, from = 0; t < 20; from = t) {
            t = integrator->step(20).time;
            integrator->state((from + t) / 2, x);
            integrator->state(t, x);
            if (integrator->statistics().steps % 50 == 0) integrator->restart(t, x);
        }
        CHECK(test::allocations() == before);
    }
}

TEST_CASE("the same run twice gives the same bits") {
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Equations problem = references()[1].problem;
        const auto run = [&](Integrator& integrator) {
            integrator.restart(0, problem.start);
            advance(integrator, 5);
            return state(integrator, 5, 4);
        };
        const auto a = make_integrator(solver, problem, tolerance(problem, 1e-6));
        const auto b = make_integrator(solver, problem, tolerance(problem, 1e-6));
        const X first = run(*a);
        CHECK(first == run(*b));
        CHECK(first == run(*a));  // nothing is left over from before the restart
    }
}

TEST_CASE("a maximum step is kept to") {
    for (const Solver solver : all_solvers) {
        CAPTURE(solver_name(solver));
        Equations problem = references()[0].problem;
        const auto integrator = make_integrator(solver, problem, tolerance(problem, 1e-4));
        integrator->set_maximum_step(0.01);
        integrator->restart(0, problem.start);
        for (double t = 0; t < 1;) {
            t = integrator->step(1).time;
            CHECK(integrator->last_step() <= 0.01 * (1 + 1e-12));
            CHECK(integrator->last_order() >= 1);
        }
    }
}

TEST_CASE("wrong use is refused") {
    Equations problem = references()[0].problem;
    CHECK_THROWS_AS(
        make_integrator(Solver::Ida, problem, {.relative_tolerances = {1e-6, 1e-6}, .absolute_tolerances = {1e-6}}),
        std::logic_error);
    CHECK_THROWS_AS(
        make_integrator(Solver::Ida, problem, {.relative_tolerances = {1e-6, 1e-6}, .absolute_tolerances = {1e-6, 0}}),
        std::logic_error);
    const auto integrator = make_integrator(Solver::CvodeBdf, problem, tolerance(problem, 1e-6));
    CHECK_THROWS_AS(integrator->step(1), std::logic_error);
    CHECK_THROWS_AS(integrator->restart(0, X{1}), std::logic_error);
    integrator->restart(0, problem.start);
    CHECK_THROWS_AS(integrator->step(0), std::logic_error);
    X x(2);
    const double t = integrator->step(1).time;
    CHECK_THROWS_AS(integrator->state(2 * t, x), std::logic_error);
    CHECK_THROWS_AS(integrator->state(-t, x), std::logic_error);
}
