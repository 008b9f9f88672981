// Private to engine/integrators: SUNDIALS' objects with owners, and what its solvers have in common. Versions 6.4 and 7.
#pragma once

#include <tactus/engine/integrators/integrator.hpp>

#include <nvector/nvector_serial.h>
#include <sundials/sundials_config.h>
#include <sundials/sundials_context.h>
#include <sundials/sundials_linearsolver.h>
#include <sundials/sundials_matrix.h>
#include <sundials/sundials_nonlinearsolver.h>
#include <sundials/sundials_types.h>

#include <array>
#include <cmath>
#include <exception>
#include <limits>
#include <memory>
#include <span>
#include <string>
#include <type_traits>
#include <vector>

namespace tactus::sundials {

static_assert(std::is_same_v<sunrealtype, double>, "SUNDIALS was built for another precision than double");

template<auto destroy> struct Destroy {
    template<class T> void operator()(T* object) const { destroy(object); }
};
template<class Handle, auto destroy> using Owner = std::unique_ptr<std::remove_pointer_t<Handle>, Destroy<destroy>>;

#if SUNDIALS_VERSION_MAJOR >= 7
using Bool = sunbooleantype;
#else
using Bool = booleantype;
#endif

inline void free_context(SUNContext context) { SUNContext_Free(&context); }
using Context = Owner<SUNContext, free_context>;
using Vector = Owner<N_Vector, N_VDestroy>;
using Matrix = Owner<SUNMatrix, SUNMatDestroy>;
using LinearSolver = Owner<SUNLinearSolver, SUNLinSolFree>;
using NonlinearSolver = Owner<SUNNonlinearSolver, SUNNonlinSolFree>;

// The problem's own way of solving Newton's systems, as SUNDIALS wants it: a matrix that is only a name, and a solver that
// calls `solve(self, right side)` in place.
using SolveInPlace = int (*)(void* self, N_Vector r);
Matrix make_nominal_matrix(SUNContext context);
LinearSolver make_own_solver(SUNContext context, void* self, SolveInPlace solve);

inline std::span<double> values(N_Vector v) {
    return {N_VGetArrayPointer(v), static_cast<std::size_t>(N_VGetLength(v))};
}

// The same three good answers come from CVode, IDASolve and ARKodeEvolve.
inline constexpr int success = 0, stop_time_reached = 1, root_found = 2;

// [s] SUNDIALS takes instants as equal that are no further apart.
inline double time_fuzz(double t, double step) {
    return 100 * std::numeric_limits<double>::epsilon() * (std::abs(t) + std::abs(step));
}

// Up to so many states the Jacobian is a dense matrix; above, only its products with vectors are formed.
inline constexpr std::size_t most_dense_states = 1000;

// Where a force sets in that was not foreseen (solids that start inside each other), a step may have to become shorter by a
// factor of 1e10 at once. SUNDIALS' own choice is 7, and gives up after it.
inline constexpr int most_error_test_failures = 40;

// SUNDIALS' own choice is 5: a stiff rod of 400 states then takes ida 40 times as many steps.
inline constexpr int most_krylov_vectors = 50;

// The rules of Integrator, the callbacks, and the errors. A solver adds its own calls (the private virtual functions).
class Base : public Integrator {
public:
    Base(Solver solver, Problem& problem, const IntegratorOptions& options);
    Base(const Base&) = delete;  // SUNDIALS holds our address
    Base& operator=(const Base&) = delete;

    void restart(double t, std::span<const double> x, double first_step) final;
    Step step(double t_stop) final;
    std::span<const int> crossings() const final { return crossings_; }
    void state(double t, std::span<double> x) const final;
    void state_within_step(double t, std::span<double> x) const final;
    double reached() const final { return phase_ == Phase::Running ? solver_time() : time_; }
    IntegratorStatistics statistics() const final;

protected:
    // Callbacks hand on what SUNDIALS asks for; the return value is for SUNDIALS: 0, +1 try a shorter step, -1 give up.
    int derivative(double t, N_Vector x, N_Vector dx);
    int residual(double t, N_Vector x, N_Vector dx, N_Vector r);
    int zero_crossings(double t, N_Vector x, double* g);
    int prepare_newton(double t, N_Vector x, double gamma, bool renew);
    long own_matrices() const { return own_matrices_; }  // that the problem has made
    int solve_newton(N_Vector r);
    bool problem_solves_newton() const { return problem_.solves_newton(); }
    // Gives Newton's iteration a test of convergence of our own. To be called after the solver has been given `newton`.
    void use_own_test(SUNNonlinearSolver newton);
    void note(const char* words);  // of a failure

    bool problem_threw() const { return thrown_ != nullptr; }
    void check(int flag, const char* call) const;  // of calls that cannot fail, unless we used them wrongly

    SUNContext context() const { return context_.get(); }
    N_Vector x() const { return x_.get(); }
    std::size_t states() const { return states_; }
    const IntegratorOptions& options() const { return options_; }
    Vector new_vector() const;
    int error_weights(N_Vector x, N_Vector weights) const;

private:
    virtual int reinitialise(double t, N_Vector x, double first_step) = 0;  // not 0: there is no finite derivative
    virtual void watch_roots(int count) = 0;
    virtual int advance(double t_out, double t_stop, double& t, N_Vector x) = 0;  // t_out: direction, first step size
    virtual int interpolate(double t, N_Vector x) const = 0;
    virtual int root_directions(int* directions) const = 0;
    virtual int local_errors(N_Vector errors, N_Vector weights) const = 0;
    virtual double solver_time() const = 0;
    // Of Newton's method:
    virtual long newton_setups() const { return 0; }     // how many matrices SUNDIALS has asked for
    virtual int order() const { return 1; }              // of the formula
    virtual double newton_share() const { return 1.0; }  // of a step's error that SUNDIALS grants to Newton's
    virtual std::string flag_name(int flag) const = 0;
    virtual IntegratorStatistics counters() const = 0;  // since the last reinitialise

    enum class Phase { Idle, Fresh, Running };  // wants a restart; restarted; at least one step tried

    template<class Function> int guarded(std::span<const double> result, Function&& function);
    int test_convergence(SUNNonlinearSolver newton, N_Vector correction, double tolerance, N_Vector weights);
    void begin(double t_stop);
    void watch_collapse();
    [[noreturn]] void fail(const std::string& words);
    [[noreturn]] void give_up();  // throws what thrown_ holds
    std::vector<std::string> worst_states() const;

    Solver solver_;
    Problem& problem_;
    std::size_t states_;
    IntegratorOptions options_;
    Context context_;
    Vector x_, view_, weights_, errors_;  // view_ has no memory of its own
    std::vector<int> crossings_;
    IntegratorStatistics total_;  // of earlier restarts; evaluations are counted here as they happen
    Phase phase_ = Phase::Idle;
    double time_ = 0.0;  // [s] that the last step returned
    double from_ = 0.0;  // [s] and where that step began
    double t_stop_ = 0.0;
    double first_step_ = 0.0;
    int tiny_steps_ = 0;  // in succession
    struct {
        double previous = 0.0;   // norm of the correction before
        double remaining = 0.0;  // share of a correction that is left as an error after it
        long matrices = -1;      // how many had been made when that was measured
        bool kinked = false;     // derivatives of f change within this step's corrections
    } convergence_;
    long own_matrices_ = 0;
    std::exception_ptr thrown_;           // by the problem
    std::array<char, 512> words_{};       // of the solver's last complaint
    std::array<std::size_t, 3> wrong_{};  // first states that were not finite in an evaluation of this step
    std::size_t wrong_count_ = 0;
};

std::unique_ptr<Integrator> make_cvode(Solver solver, Problem& problem, const IntegratorOptions& options);
std::unique_ptr<Integrator> make_ida(Problem& problem, const IntegratorOptions& options);
std::unique_ptr<Integrator> make_arkode(Problem& problem, const IntegratorOptions& options);

}  // namespace tactus::sundials
