// CVODE: x' = f(t, x) by backward differentiation (stiff) or Adams' formulas (not stiff).
#include <tactus/engine/integrators/sundials.hpp>

#include <cvode/cvode.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_fixedpoint.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <cstdlib>

namespace tactus::sundials {

namespace {

static_assert(CV_SUCCESS == success && CV_TSTOP_RETURN == stop_time_reached && CV_ROOT_RETURN == root_found);

void free_cvode(void* memory) { CVodeFree(&memory); }

class Cvode final : public Base {
public:
    Cvode(Solver solver, Problem& problem, const IntegratorOptions& options)
        : Base{solver, problem, options}, memory_{
                                              CVodeCreate(solver == Solver::CvodeBdf ? CV_BDF : CV_ADAMS, context())} {
        if (!memory_) throw std::bad_alloc{};
        check(CVodeSetUserData(memory(), this), "CVodeSetUserData");
#if SUNDIALS_VERSION_MAJOR < 7
        const auto note_words = [](int, const char*, const char*, char* words, void* self) {
            static_cast<Cvode*>(self)->note(words);
        };
        check(CVodeSetErrHandlerFn(memory(), note_words, this), "CVodeSetErrHandlerFn");
#endif
        const auto f = [](double t, N_Vector x, N_Vector dx, void* self) {
            return static_cast<Cvode*>(self)->derivative(t, x, dx);
        };
        check(CVodeInit(memory(), f, 0.0, x()), "CVodeInit");
        const auto weights = [](N_Vector x, N_Vector w, void* self) {
            return static_cast<Cvode*>(self)->error_weights(x, w);
        };
        check(CVodeWFtolerances(memory(), weights), "CVodeWFtolerances");
        check(CVodeSetMaxHnilWarns(memory(), -1), "CVodeSetMaxHnilWarns");
        check(CVodeSetMaxErrTestFails(memory(), most_error_test_failures), "CVodeSetMaxErrTestFails");
        if (solver == Solver::CvodeBdf)
            use_newton();
        else
            use_fixed_point();
    }

    void set_maximum_step(double h) override { check(CVodeSetMaxStep(memory(), h), "CVodeSetMaxStep"); }
    double last_step() const override {
        double h = 0;
        CVodeGetLastStep(memory(), &h);
        return h;
    }
    int last_order() const override {
        int order = 0;
        CVodeGetLastOrder(memory(), &order);
        return order;
    }

private:
    void* memory() const { return memory_.get(); }

    void use_newton() {
        nonlinear_.reset(SUNNonlinSol_Newton(x(), context()));
        check(CVodeSetNonlinearSolver(memory(), nonlinear_.get()), "CVodeSetNonlinearSolver");
        use_own_test(nonlinear_.get());
        const auto n = static_cast<sunindextype>(states());
        if (problem_solves_newton()) {
            matrix_ = make_nominal_matrix(context());
            linear_ = make_own_solver(context(), this, [](void* self, N_Vector r) {
                auto* cvode = static_cast<Cvode*>(self);
                const int flag = cvode->look_at_matrix();
                return flag != 0 ? flag : cvode->solve_newton(r);
            });
        } else if (states() <= most_dense_states) {
            matrix_.reset(SUNDenseMatrix(n, n, context()));
            linear_.reset(SUNLinSol_Dense(x(), matrix_.get(), context()));
        } else {
            linear_.reset(SUNLinSol_SPGMR(x(), SUN_PREC_NONE, most_krylov_vectors, context()));
        }
        check(CVodeSetLinearSolver(memory(), linear_.get(), matrix_.get()), "CVodeSetLinearSolver");
        if (!problem_solves_newton()) return;
        const auto system = [](double t, N_Vector x, N_Vector, SUNMatrix, Bool still_good, Bool* refreshed,
                               double gamma, void* self, N_Vector, N_Vector, N_Vector) {
            auto* cvode = static_cast<Cvode*>(self);
            const long before = cvode->own_matrices();
            const int flag = cvode->prepare_newton(t, x, gamma, !still_good);
            *refreshed = cvode->own_matrices() != before;
            return flag;
        };
        check(CVodeSetLinSysFn(memory(), system), "CVodeSetLinSysFn");
        check(CVodeSetLinearSolutionScaling(memory(), false), "CVodeSetLinearSolutionScaling");
    }
    // CVODE keeps a matrix for 20 steps and derivatives for 50. Whether they still do is looked at in every step.
    int look_at_matrix() {
        int iteration = 0;
        SUNNonlinSolGetCurIter(nonlinear_.get(), &iteration);
        if (iteration > 0) return 0;
        N_Vector x = nullptr;
        double gamma = 0;
        CVodeGetCurrentState(memory(), &x);
        CVodeGetCurrentGamma(memory(), &gamma);
        return prepare_newton(solver_time(), x, gamma, false);
    }
    void use_fixed_point() {
        constexpr int anderson = 2;  // chains of oscillators at 1e-4..1e-6: 16 % fewer evaluations than without
        nonlinear_.reset(SUNNonlinSol_FixedPoint(x(), anderson, context()));
        check(CVodeSetNonlinearSolver(memory(), nonlinear_.get()), "CVodeSetNonlinearSolver");
    }

    int reinitialise(double t, N_Vector x, double first_step) override {
        check(CVodeReInit(memory(), t, x), "CVodeReInit");
        check(CVodeSetInitStep(memory(), first_step), "CVodeSetInitStep");
        return 0;
    }
    void watch_roots(int count) override {
        const auto g = [](double t, N_Vector x, double* values, void* self) {
            return static_cast<Cvode*>(self)->zero_crossings(t, x, values);
        };
        check(CVodeRootInit(memory(), count, g), "CVodeRootInit");
        check(CVodeSetNoInactiveRootWarn(memory()), "CVodeSetNoInactiveRootWarn");
    }
    int advance(double t_out, double t_stop, double& t, N_Vector x) override {
        check(CVodeSetStopTime(memory(), t_stop), "CVodeSetStopTime");
        return CVode(memory(), t_out, x, &t, CV_ONE_STEP);
    }
    int interpolate(double t, N_Vector x) const override { return CVodeGetDky(memory(), t, 0, x); }
    int root_directions(int* directions) const override { return CVodeGetRootInfo(memory(), directions); }
    int local_errors(N_Vector errors, N_Vector weights) const override {
        const int flag = CVodeGetEstLocalErrors(memory(), errors);
        return flag != success ? flag : CVodeGetErrWeights(memory(), weights);
    }
    double solver_time() const override {
        double t = 0;
        CVodeGetCurrentTime(memory(), &t);
        return t;
    }
    long newton_setups() const override {
        long count = 0;
        CVodeGetNumLinSolvSetups(memory(), &count);
        return count;
    }
    int order() const override {
        int order = 1;
        CVodeGetCurrentOrder(memory(), &order);
        return order;
    }
    double newton_share() const override { return 0.1; }
    std::string flag_name(int flag) const override {
        const std::unique_ptr<char, Destroy<std::free>> name{CVodeGetReturnFlagName(flag)};
        return name.get();
    }
    IntegratorStatistics counters() const override {
        long steps = 0, errors = 0, failures = 0, iterations = 0, jacobians = 0;
        CVodeGetNumSteps(memory(), &steps);
        CVodeGetNumErrTestFails(memory(), &errors);
        CVodeGetNumStepSolveFails(memory(), &failures);
        CVodeGetNumNonlinSolvIters(memory(), &iterations);
        if (linear_) CVodeGetNumJacEvals(memory(), &jacobians);
        return {.steps = steps,
                .jacobians = jacobians,
                .nonlinear_iterations = iterations,
                .error_test_failures = errors,
                .convergence_failures = failures};
    }

    Matrix matrix_;
    LinearSolver linear_;
    NonlinearSolver nonlinear_;
    std::unique_ptr<void, Destroy<free_cvode>> memory_;  // last, as it refers to the others
};

}  // namespace

std::unique_ptr<Integrator> make_cvode(Solver solver, Problem& problem, const IntegratorOptions& options) {
    return std::make_unique<Cvode>(solver, problem, options);
}

}  // namespace tactus::sundials
