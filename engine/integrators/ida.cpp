// IDA: 0 = F(t, x, x') by backward differentiation.
#include <tactus/engine/integrators/sundials.hpp>

#include <ida/ida.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunlinsol/sunlinsol_spgmr.h>
#include <sunmatrix/sunmatrix_dense.h>
#include <sunnonlinsol/sunnonlinsol_newton.h>

#include <cstdlib>

namespace tactus::sundials {

namespace {

static_assert(IDA_SUCCESS == success && IDA_TSTOP_RETURN == stop_time_reached && IDA_ROOT_RETURN == root_found);

void free_ida(void* memory) { IDAFree(&memory); }

class Ida final : public Base {
public:
    Ida(Problem& problem, const IntegratorOptions& options)
        : Base{Solver::Ida, problem, options}, dx_{new_vector()}, memory_{IDACreate(context())} {
        if (!memory_) throw std::bad_alloc{};
        check(IDASetUserData(memory(), this), "IDASetUserData");
        check(IDASetMaxErrTestFails(memory(), most_error_test_failures), "IDASetMaxErrTestFails");
#if SUNDIALS_VERSION_MAJOR < 7
        const auto note_words = [](int, const char*, const char*, char* words, void* self) {
            static_cast<Ida*>(self)->note(words);
        };
        check(IDASetErrHandlerFn(memory(), note_words, this), "IDASetErrHandlerFn");
#endif
        const auto F = [](double t, N_Vector x, N_Vector dx, N_Vector r, void* self) {
            return static_cast<Ida*>(self)->residual(t, x, dx, r);
        };
        check(IDAInit(memory(), F, 0.0, x(), dx_.get()), "IDAInit");
        const auto weights = [](N_Vector x, N_Vector w, void* self) {
            return static_cast<Ida*>(self)->error_weights(x, w);
        };
        check(IDAWFtolerances(memory(), weights), "IDAWFtolerances");
        nonlinear_.reset(SUNNonlinSol_Newton(x(), context()));
        check(IDASetNonlinearSolver(memory(), nonlinear_.get()), "IDASetNonlinearSolver");
        use_own_test(nonlinear_.get());
        const auto n = static_cast<sunindextype>(states());
        if (problem_solves_newton()) {
            matrix_ = make_nominal_matrix(context());
            linear_ = make_own_solver(context(), this, [](void* self, N_Vector r) {
                auto* ida = static_cast<Ida*>(self);
                const int flag = ida->look_at_matrix();
                if (flag != 0) return flag;
                double cj = 0;
                IDAGetCurrentCj(ida->memory(), &cj);
                N_VScale(1.0 / cj, r, r);  // cj I - df/dx = cj (I - df/dx / cj)
                return ida->solve_newton(r);
            });
        } else if (states() <= most_dense_states) {
            matrix_.reset(SUNDenseMatrix(n, n, context()));
            linear_.reset(SUNLinSol_Dense(x(), matrix_.get(), context()));
        } else {
            linear_.reset(SUNLinSol_SPGMR(x(), SUN_PREC_NONE, most_krylov_vectors, context()));
        }
        check(IDASetLinearSolver(memory(), linear_.get(), matrix_.get()), "IDASetLinearSolver");
        if (!problem_solves_newton()) return;
        const auto jacobian = [](double t, double cj, N_Vector x, N_Vector, N_Vector, SUNMatrix, void* self, N_Vector,
                                 N_Vector,
                                 N_Vector) { return static_cast<Ida*>(self)->prepare_newton(t, x, 1.0 / cj, true); };
        check(IDASetJacFn(memory(), jacobian), "IDASetJacFn");
        check(IDASetLinearSolutionScaling(memory(), false), "IDASetLinearSolutionScaling");
    }

    void set_maximum_step(double h) override { check(IDASetMaxStep(memory(), h), "IDASetMaxStep"); }
    double last_step() const override {
        double h = 0;
        IDAGetLastStep(memory(), &h);
        return h;
    }
    int last_order() const override {
        int order = 0;
        IDAGetLastOrder(memory(), &order);
        return order;
    }

private:
    void* memory() const { return memory_.get(); }

    int look_at_matrix() {  // as with CVODE
        int iteration = 0;
        SUNNonlinSolGetCurIter(nonlinear_.get(), &iteration);
        if (iteration > 0) return 0;
        N_Vector x = nullptr;
        double cj = 0;
        IDAGetCurrentY(memory(), &x);
        IDAGetCurrentCj(memory(), &cj);
        return prepare_newton(solver_time(), x, 1.0 / cj, false);
    }

    int reinitialise(double t, N_Vector x, double first_step) override {
        const int flag = derivative(t, x, dx_.get());  // consistent by construction
        if (flag != 0) return flag;
        check(IDAReInit(memory(), t, x, dx_.get()), "IDAReInit");
        check(IDASetInitStep(memory(), first_step), "IDASetInitStep");
        return 0;
    }
    void watch_roots(int count) override {
        const auto g = [](double t, N_Vector x, N_Vector, double* values, void* self) {
            return static_cast<Ida*>(self)->zero_crossings(t, x, values);
        };
        check(IDARootInit(memory(), count, g), "IDARootInit");
        check(IDASetNoInactiveRootWarn(memory()), "IDASetNoInactiveRootWarn");
    }
    int advance(double t_out, double t_stop, double& t, N_Vector x) override {
        check(IDASetStopTime(memory(), t_stop), "IDASetStopTime");
        return IDASolve(memory(), t_out, &t, x, dx_.get(), IDA_ONE_STEP);
    }
    int interpolate(double t, N_Vector x) const override { return IDAGetDky(memory(), t, 0, x); }
    int root_directions(int* directions) const override { return IDAGetRootInfo(memory(), directions); }
    int local_errors(N_Vector errors, N_Vector weights) const override {
        const int flag = IDAGetEstLocalErrors(memory(), errors);
        return flag != success ? flag : IDAGetErrWeights(memory(), weights);
    }
    double solver_time() const override {
        double t = 0;
        IDAGetCurrentTime(memory(), &t);
        return t;
    }
    long newton_setups() const override {
        long count = 0;
        IDAGetNumLinSolvSetups(memory(), &count);
        return count;
    }
    int order() const override {
        int order = 1;
        IDAGetCurrentOrder(memory(), &order);
        return order;
    }
    double newton_share() const override { return 0.33; }
    std::string flag_name(int flag) const override {
        const std::unique_ptr<char, Destroy<std::free>> name{IDAGetReturnFlagName(flag)};
        return name.get();
    }
    IntegratorStatistics counters() const override {
        long steps = 0, errors = 0, failures = 0, iterations = 0, jacobians = 0;
        IDAGetNumSteps(memory(), &steps);
        IDAGetNumErrTestFails(memory(), &errors);
        IDAGetNumStepSolveFails(memory(), &failures);
        IDAGetNumNonlinSolvIters(memory(), &iterations);
        IDAGetNumJacEvals(memory(), &jacobians);
        return {.steps = steps,
                .jacobians = jacobians,
                .nonlinear_iterations = iterations,
                .error_test_failures = errors,
                .convergence_failures = failures};
    }

    Vector dx_;
    Matrix matrix_;
    LinearSolver linear_;
    NonlinearSolver nonlinear_;
    std::unique_ptr<void, Destroy<free_ida>> memory_;  // last, as it refers to the others
};

}  // namespace

std::unique_ptr<Integrator> make_ida(Problem& problem, const IntegratorOptions& options) {
    return std::make_unique<Ida>(problem, options);
}

}  // namespace tactus::sundials
