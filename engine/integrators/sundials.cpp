#include <tactus/engine/integrators/sundials.hpp>

#include <tactus/engine/integrators/vector_operations.hpp>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>
#include <numeric>
#include <stdexcept>

namespace tactus::sundials {

namespace {

#if SUNDIALS_VERSION_MAJOR >= 7
using Answer = SUNErrCode;  // of operations that cannot fail
#else
using Answer = int;
#endif

constexpr double rounding = std::numeric_limits<double>::epsilon();

// So many steps in succession, each shorter than 16 roundings of time, and time stands still.
constexpr int most_tiny_steps = 20;

double spacing(double t) { return std::nextafter(std::abs(t), std::numeric_limits<double>::infinity()) - std::abs(t); }

Context new_context() {
    SUNContext context = nullptr;
#if SUNDIALS_VERSION_MAJOR >= 7
    const int flag = SUNContext_Create(SUN_COMM_NULL, &context);
#else
    const int flag = SUNContext_Create(nullptr, &context);
#endif
    if (flag != 0) throw std::bad_alloc{};
    return Context{context};
}

void require(bool rule, const char* words) {
    if (!rule) throw std::logic_error{words};
}

}  // namespace

Base::Base(Solver solver, Problem& problem, const IntegratorOptions& options)
    : solver_{solver}, problem_{problem}, states_{problem.states()}, options_{options}, context_{new_context()},
      x_{new_vector()}, view_{N_VNewEmpty_Serial(static_cast<sunindextype>(states_), context())},
      weights_{new_vector()}, errors_{new_vector()} {
    require(states_ > 0, "Integrator: the problem has no states");
    require(options.relative_tolerances.size() == states_, "Integrator: one relative tolerance for each state");
    require(std::ranges::all_of(options.relative_tolerances, [](double a) { return a >= 0; }),
            "Integrator: relative tolerances must be >= 0");
    require(options.absolute_tolerances.size() == states_, "Integrator: one absolute tolerance for each state");
    require(std::ranges::all_of(options.absolute_tolerances, [](double a) { return a > 0; }),
            "Integrator: absolute tolerances must be > 0");
#if SUNDIALS_VERSION_MAJOR >= 7
    SUNContext_ClearErrHandlers(context());  // the first one writes to stderr
    SUNContext_PushErrHandler(
        context(),
        [](int, const char*, const char*, const char* words, SUNErrCode, void* self, SUNContext) {
            static_cast<Base*>(self)->note(words);
        },
        this);
#endif
}

Vector Base::new_vector() const {
    Vector v{N_VNew_Serial(static_cast<sunindextype>(states_), context())};
    if (!v) throw std::bad_alloc{};
    use_own_operations(v.get());
    N_VConst(0.0, v.get());
    return v;
}

int Base::error_weights(N_Vector x, N_Vector weights) const {
    const double *from = N_VGetArrayPointer(x), *relative = options_.relative_tolerances.data(),
                 *absolute = options_.absolute_tolerances.data();
    double* to = N_VGetArrayPointer(weights);
    for (std::size_t i = 0; i < states_; ++i) to[i] = 1.0 / (relative[i] * std::abs(from[i]) + absolute[i]);
    return 0;
}

// -- Newton's systems -------------------------------------------------------------------------------------------------

Matrix make_nominal_matrix(SUNContext context) {
    SUNMatrix matrix = SUNMatNewEmpty(context);
    if (!matrix) throw std::bad_alloc{};
    matrix->ops->getid = [](SUNMatrix) { return SUNMATRIX_CUSTOM; };
    matrix->ops->zero = [](SUNMatrix) -> Answer { return 0; };
    matrix->ops->destroy = [](SUNMatrix m) { SUNMatFreeEmpty(m); };
    return Matrix{matrix};
}

namespace {

struct OwnSolver {
    void* self;
    SolveInPlace solve;
};

}  // namespace

LinearSolver make_own_solver(SUNContext context, void* self, SolveInPlace solve) {
    SUNLinearSolver solver = SUNLinSolNewEmpty(context);
    if (!solver) throw std::bad_alloc{};
    solver->content = new OwnSolver{self, solve};
    solver->ops->gettype = [](SUNLinearSolver) { return SUNLINEARSOLVER_DIRECT; };
    solver->ops->getid = [](SUNLinearSolver) { return SUNLINEARSOLVER_CUSTOM; };
    solver->ops->setup = [](SUNLinearSolver, SUNMatrix) { return 0; };  // done with the matrix
    solver->ops->solve = [](SUNLinearSolver s, SUNMatrix, N_Vector x, N_Vector b, double) {
        if (x != b) N_VScale(1.0, b, x);
        const auto* own = static_cast<const OwnSolver*>(s->content);
        const int flag = own->solve(own->self, x);
        return flag > 0 ? SUNLS_CONV_FAIL : (flag < 0 ? SUNLS_MEM_FAIL : 0);  // try a shorter step; give up
    };
    solver->ops->free = [](SUNLinearSolver s) -> Answer {
        delete static_cast<OwnSolver*>(s->content);
        s->content = nullptr;
        SUNLinSolFreeEmpty(s);
        return 0;
    };
    return LinearSolver{solver};
}

// Newton's iteration has converged when what a correction leaves of the error is within the tolerance: the share
// rate / (1 - rate) of the correction, where the rate is the ratio of two of them. A first correction has no rate. SUNDIALS'
// own tests then take that of an earlier step, and so does this one where derivatives of f change little from step to step.
//
// Where friction or contact acts they may change a hundredfold within a step. A matrix made while a ball stuck is far too
// stiff when it slides: it makes corrections that are 100 times too small, each leaves 99 % of the error, and the rate of
// an earlier step calls that converged. Nor does the estimate of the step's error notice, because it is the sum of the
// corrections. So there the rate has to be measured in every step, by a second correction.
//
// There, Newton's errors must also not keep themselves alive. They enter the next prediction magnified, where a force has
// a kink a correction leaves a good part of them, and that looks like an error of the step: steps stay as short as they are
// for ever (a ball that rolls, with a regularised friction that it overshoots to and fro: 29 403 steps instead of 250).
// Half of the error that a step may have, divided by the gain of the prediction, dies out.
void Base::use_own_test(SUNNonlinearSolver newton) {
    const auto test = [](SUNNonlinearSolver solver, N_Vector, N_Vector correction, double tolerance, N_Vector weights,
                         void* self) {
        return static_cast<Base*>(self)->test_convergence(solver, correction, tolerance, weights);
    };
    check(SUNNonlinSolSetConvTestFn(newton, test, this), "SUNNonlinSolSetConvTestFn");
}

int Base::test_convergence(SUNNonlinearSolver newton, N_Vector correction, double tolerance, N_Vector weights) {
    constexpr double divergence = 2.0;  // rates above
    constexpr double forgetting = 0.3;  // how fast a bad rate is forgotten
    auto& [previous, remaining, matrices, kinked] = convergence_;
    int iteration = 0;
    SUNNonlinSolGetCurIter(newton, &iteration);
    const double size = N_VWrmsNorm(correction, weights);
    const long made = problem_solves_newton() ? own_matrices() : newton_setups();
    if (matrices != made) remaining = 1.0;
    matrices = made;
    const double left = problem_.left_by_correction();
    kinked = left >= 1.0 || (kinked && iteration > 0);
    if (iteration == 0) {
        previous = size;
        return size == 0.0 || (!kinked && std::max(remaining, left) * size <= tolerance) ? success : SUN_NLS_CONTINUE;
    }
    const double rate = size / previous;
    previous = size;
    if (rate > divergence) return SUN_NLS_CONV_RECVR;
    const double measured = rate < 1.0 ? rate / (1.0 - rate) : std::numeric_limits<double>::infinity();
    remaining = std::max(forgetting * std::min(remaining, 1.0), measured);
    const double gain =
        std::ldexp(1.0, order() + 1) - 1.0;  // sum of the coefficients that a prediction extrapolates with
    const double limit = kinked ? std::min(1.0, 0.5 / (newton_share() * gain)) : 1.0;
    return measured * size <= limit * tolerance ? success : SUN_NLS_CONTINUE;
}

// -- Stepping ---------------------------------------------------------------------------------------------------------

void Base::restart(double t, std::span<const double> x, double first_step) {
    require(x.size() == states_ && problem_.states() == states_, "Integrator::restart: the number of states changed");
    require(first_step >= 0, "Integrator::restart: the first step must be >= 0");
    if (phase_ == Phase::Running) total_ += counters();
    phase_ = Phase::Fresh;
    ++total_.restarts;
    std::ranges::copy(x, values(x_.get()).begin());
    time_ = from_ = t;
    first_step_ = first_step;
}

void Base::begin(double t_stop) {
    tiny_steps_ = 0;
    crossings_.resize(problem_.roots());
    watch_roots(0);  // else a function that was zero at the last restart might still be switched off
    if (!crossings_.empty()) watch_roots(static_cast<int>(crossings_.size()));
    // SUNDIALS refuses to choose a step for an interval of some roundings: there is only one choice, anyway.
    const bool sliver = t_stop - time_ <= time_fuzz(time_, std::min(t_stop, time_ + 1.0));
    const int flag = reinitialise(time_, x_.get(), sliver ? t_stop - time_ : first_step_);
    if (thrown_) give_up();
    if (flag != 0) fail("The derivative is not finite at the start.");
    phase_ = Phase::Running;
}

Integrator::Step Base::step(double t_stop) {
    require(phase_ != Phase::Idle, "Integrator::step: restart() must come before");
    require(t_stop > time_ && t_stop >= reached(), "Integrator::step: t_stop lies before what has been reached");
    t_stop_ = t_stop;
    thrown_ = nullptr;
    words_[0] = '\0';
    wrong_count_ = 0;

    const bool fresh = phase_ == Phase::Fresh;
    if (fresh) begin(t_stop);
    double t = time_;
    // A solver chooses its first step from the interval that it is given: a second will do where that is long or endless.
    // Only IDA minds that t_out is too close at a start.
    const double t_near = std::min(t_stop, std::max(time_, reached()) + 1.0);
    const double t_out = fresh ? std::max(t_near, time_ + time_fuzz(time_, t_near)) : t_near;
    const int flag = advance(t_out, t_stop, t, x_.get());
    if (thrown_) give_up();
    if (flag < 0) {
        const bool at_start = fresh && wrong_count_ > 0 && counters().steps == 0;
        fail((at_start ? "The derivative is not finite at or near the start. " : "") + std::string{words_.data()} +
             " [" + flag_name(flag) + "]");
    }

    const bool root = flag == root_found;
    if (root) check(root_directions(crossings_.data()), "GetRootInfo");
    if (!root && (flag == stop_time_reached || t_stop - t <= time_fuzz(t, last_step()))) t = t_stop;
    from_ = time_;
    time_ = t;
    if (!root) watch_collapse();
    return {t, root};
}

void Base::watch_collapse() {
    tiny_steps_ = last_step() < 16 * spacing(time_) ? tiny_steps_ + 1 : 0;
    if (tiny_steps_ >= most_tiny_steps) fail("The step size collapsed: time stands still.");
}

void Base::state(double t, std::span<double> x) const {
    require(phase_ != Phase::Idle, "Integrator::state: nothing is known after a failure");
    require(x.size() == states_, "Integrator::state: wrong number of states");
    require(from_ <= t && t <= time_, "Integrator::state: the instant is not within the last step");
    if (t == time_) {
        std::ranges::copy(values(x_.get()), x.begin());
        return;
    }
    N_VSetArrayPointer(x.data(), view_.get());
    const int flag = interpolate(t, view_.get());
    if (thrown_) std::rethrow_exception(thrown_);
    check(flag, "GetDky");
}

void Base::state_within_step(double t, std::span<double> x) const {
    N_VSetArrayPointer(x.data(), view_.get());
    check(interpolate(t, view_.get()), "GetDky");
}

IntegratorStatistics Base::statistics() const {
    IntegratorStatistics sum = total_;
    if (phase_ == Phase::Running) sum += counters();
    return sum;
}

// -- Callbacks --------------------------------------------------------------------------------------------------------

// No exception may pass through C code; after the first one, nothing is evaluated any more.
template<class Function> int Base::guarded(std::span<const double> result, Function&& function) {
    if (thrown_) return -1;
    try {
        function();
    } catch (...) {
        thrown_ = std::current_exception();
        return -1;
    }
    if (std::ranges::all_of(result, [](double value) { return std::isfinite(value); })) return 0;
    wrong_count_ = 0;
    for (std::size_t i = 0; i < result.size() && wrong_count_ < wrong_.size(); ++i)
        if (!std::isfinite(result[i])) wrong_[wrong_count_++] = i;
    return 1;
}

// Rounding may lead SUNDIALS beyond t_stop by a bit, hence min.
int Base::derivative(double t, N_Vector x, N_Vector dx) {
    ++total_.evaluations;
    return guarded(values(dx), [&] { problem_.derivative(std::min(t, t_stop_), values(x), values(dx)); });
}

int Base::residual(double t, N_Vector x, N_Vector dx, N_Vector r) {
    ++total_.evaluations;
    return guarded(values(r), [&] { problem_.residual(std::min(t, t_stop_), values(x), values(dx), values(r)); });
}

int Base::zero_crossings(double t, N_Vector x, double* g) {
    ++total_.root_evaluations;
    const std::span<double> result{g, crossings_.size()};
    const int flag = guarded({}, [&] { problem_.zero_crossings(std::min(t, t_stop_), values(x), result); });
    const auto bad = std::ranges::find_if_not(result, [](double value) { return std::isfinite(value); });
    if (flag == 0 && bad != result.end()) {
        std::snprintf(words_.data(), words_.size(), "Zero-crossing function %td is not finite at t = %.17g.",
                      bad - result.begin(), t);
        return -1;
    }
    return flag;
}

int Base::prepare_newton(double t, N_Vector x, double gamma, bool renew) {
    auto newton = Problem::Newton::kept;
    const int flag =
        guarded({}, [&] { newton = problem_.prepare_newton(std::min(t, t_stop_), values(x), gamma, renew); });
    if (newton == Problem::Newton::renewed) ++own_matrices_;
    return flag != 0 ? flag : (newton == Problem::Newton::singular ? 1 : 0);
}

int Base::solve_newton(N_Vector r) {
    return guarded(values(r), [&] { problem_.solve_newton(values(r)); });
}

// -- Errors -----------------------------------------------------------------------------------------------------------

void Base::note(const char* words) {
    if (words_[0] == '\0') std::snprintf(words_.data(), words_.size(), "%s", words);
}

void Base::check(int flag, const char* call) const {
    if (flag != success)
        throw std::logic_error{std::string{solver_name(solver_)} + ": " + call + ": " + words_.data() + " [" +
                               std::to_string(flag) + "]"};
}

void Base::fail(const std::string& words) {
    const double last = phase_ == Phase::Running && counters().steps > 0 ? last_step() : 0.0;
    thrown_ = std::make_exception_ptr(IntegrationError{solver_, time_, last, words, worst_states()});
    give_up();
}

void Base::give_up() {
    if (phase_ == Phase::Running) total_ += counters();
    phase_ = Phase::Idle;
    std::rethrow_exception(thrown_);
}

std::vector<std::string> Base::worst_states() const {
    std::vector<std::string> names;
    std::vector<std::size_t> order(wrong_.begin(), wrong_.begin() + static_cast<std::ptrdiff_t>(wrong_count_));
    if (order.empty() && local_errors(errors_.get(), weights_.get()) == success) {
        const auto error = values(errors_.get()), weight = values(weights_.get());
        const auto size = [&](std::size_t i) {
            const double e = std::abs(error[i] * weight[i]);
            return std::isnan(e) ? std::numeric_limits<double>::infinity() : e;
        };
        order.resize(states_);
        std::iota(order.begin(), order.end(), std::size_t{0});
        const std::size_t most = std::min(states_, wrong_.size());
        std::ranges::partial_sort(order, order.begin() + static_cast<std::ptrdiff_t>(most),
                                  [&](auto a, auto b) { return size(a) != size(b) ? size(a) > size(b) : a < b; });
        order.resize(most);
        std::erase_if(order, [&](std::size_t i) { return size(i) == 0; });
    }
    for (const std::size_t i : order) names.push_back(problem_.state_name(i));
    return names;
}

}  // namespace tactus::sundials
