#include <tactus/engine/integrators/integrator.hpp>
#include <tactus/engine/integrators/sundials.hpp>

#include <array>
#include <cstdio>
#include <stdexcept>

namespace tactus {

namespace {

std::string number(double x) {
    std::array<char, 32> text{};
    std::snprintf(text.data(), text.size(), "%.10g", x);
    return text.data();
}

std::string message(Solver solver, double time, double step, const std::string& words,
                    const std::vector<std::string>& states) {
    std::string text = std::string{solver_name(solver)} + " gave up: " + words +
                       " The solution is good up to t = " + number(time) + " s (last step " + number(step) + " s).";
    for (std::size_t i = 0; i < states.size(); ++i) text += (i == 0 ? " Hardest to follow: " : ", ") + states[i];
    return text;
}

}  // namespace

IntegrationError::IntegrationError(Solver solver_, double time_, double step_, const std::string& words,
                                   std::vector<std::string> states_)
    : Error{message(solver_, time_, step_, words, states_)}, solver{solver_}, time{time_}, step{step_},
      states{std::move(states_)} {}

std::unique_ptr<Integrator> make_integrator(Solver solver, Problem& problem, const IntegratorOptions& options) {
    switch (solver) {
    case Solver::CvodeBdf:
    case Solver::CvodeAdams: return sundials::make_cvode(solver, problem, options);
    case Solver::Ida: return sundials::make_ida(problem, options);
    case Solver::ArkodeErk: return sundials::make_arkode(problem, options);
    }
    throw std::logic_error{"make_integrator: unknown solver"};
}

}  // namespace tactus
