// ARKODE: x' = f(t, x) by an explicit Runge-Kutta pair. Forgets the past at every step, so that restarts cost little.
#include <tactus/engine/integrators/sundials.hpp>

#include <arkode/arkode.h>
#include <arkode/arkode_erkstep.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <vector>

// Since 7.1 the functions that all of ARKODE's steppers share have names of their own.
#if SUNDIALS_VERSION_MAJOR > 7 || (SUNDIALS_VERSION_MAJOR == 7 && SUNDIALS_VERSION_MINOR >= 1)
#define ARK(function) ARKode##function
#else
#define ARK(function) ERKStep##function
#endif

namespace tactus::sundials {

namespace {

static_assert(ARK_SUCCESS == success && ARK_TSTOP_RETURN == stop_time_reached && ARK_ROOT_RETURN == root_found);

// Pairs of order 5. Measured on Kepler orbits and oscillators, evaluations for the same error: Cash-Karp needs 10..40 %
// fewer down to 1e-6, both the same at 1e-7, Dormand-Prince half as many at 1e-10. (Verner 8-5-6 of SUNDIALS 6.4 is
// of order 3 at most; Fehlberg 13-7-8 pays below 1e-8 only, and nothing interpolates as well as it steps.)
constexpr int method_order = 5;
ARKODE_ERKTableID table(double tolerance) {
    return tolerance >= 1e-7 ? ARKODE_CASH_KARP_6_4_5 : ARKODE_DORMAND_PRINCE_7_4_5;
}

void free_arkode(void* memory) { ARK(Free)(&memory); }

class Arkode final : public Base {
public:
    Arkode(Problem& problem, const IntegratorOptions& options)
        : Base{Solver::ArkodeErk, problem, options}, good_{new_vector()}, at_root_{new_vector()},
          values_(problem.roots()), directions_(problem.roots()), memory_{make_memory(options)} {}

    void set_maximum_step(double h) override { check(ARK(SetMaxStep)(memory(), h), "ARKodeSetMaxStep"); }
    double last_step() const override {
        double h = 0;
        ARK(GetLastStep)(memory(), &h);
        return h;
    }
    int last_order() const override { return method_order; }

private:
    using Memory = std::unique_ptr<void, Destroy<free_arkode>>;

    void* memory() const { return memory_.get(); }

    Memory make_memory(const IntegratorOptions& options) {
        Memory made{ERKStepCreate(f, 0.0, x(), context())};
        void* const memory = made.get();
        if (!memory) throw std::bad_alloc{};
        check(ARK(SetUserData)(memory, this), "ARKodeSetUserData");
#if SUNDIALS_VERSION_MAJOR < 7
        const auto note_words = [](int, const char*, const char*, char* words, void* self) {
            static_cast<Arkode*>(self)->note(words);
        };
        check(ARK(SetErrHandlerFn)(memory, note_words, this), "ARKodeSetErrHandlerFn");
#endif
        const auto weights = [](N_Vector x, N_Vector w, void* self) {
            return static_cast<Arkode*>(self)->error_weights(x, w);
        };
        check(ARK(WFtolerances)(memory, weights), "ARKodeWFtolerances");
        check(ARK(SetMaxHnilWarns)(memory, -1), "ARKodeSetMaxHnilWarns");
        check(ARK(SetMaxErrTestFails)(memory, most_error_test_failures), "ARKodeSetMaxErrTestFails");
        check(ERKStepSetTableNum(memory, table(options.relative_tolerances.front())), "ERKStepSetTableNum");
        check(ARK(SetInterpolantDegree)(memory, method_order - 1), "ARKodeSetInterpolantDegree");
        return made;
    }

    static int f(double t, N_Vector x, N_Vector dx, void* self) {
        return static_cast<Arkode*>(self)->derivative(t, x, dx);
    }

    int reinitialise(double t, N_Vector x, double first_step) override {
        check(ERKStepReInit(memory(), f, t, x), "ERKStepReInit");
        check(ARK(SetInitStep)(memory(), first_step), "ARKodeSetInitStep");
        earlier_ = {};
        return 0;
    }
    void watch_roots(int count) override {
        values_.resize(static_cast<std::size_t>(count));
        directions_.resize(values_.size());
        const auto g = [](double t, N_Vector x, double* values, void* self) {
            return static_cast<Arkode*>(self)->zero_crossings(t, x, values);
        };
        check(ARK(RootInit)(memory(), count, g), "ARKodeRootInit");
        check(ARK(SetNoInactiveRootWarn)(memory()), "ARKodeSetNoInactiveRootWarn");
    }
    int advance(double t_out, double t_stop, double& t, N_Vector x) override {
        const double start = t;
        N_VScale(1.0, x, good_.get());
        int flag = try_step(t_out, t_stop, t, x);
        // Values that are not finite make this solver give up at once; the others shorten the step.
        double h = 0;
        ARK(GetCurrentStep)(memory(), &h);
        for (h /= 4; needs_shorter_step(flag) && start + h / 16 > start; h /= 4) {
            IntegratorStatistics sum = counters();
            ++sum.convergence_failures;
            reinitialise(start, good_.get(), h);
            earlier_ = sum;
            flag = try_step(t_out, t_stop, t, x);
        }
        if (flag == ARK_ROOT_RETURN) step_to_root(start, t, x);
        return flag;
    }
    // The polynomial through a step knows nothing of a kink within it, and the error that it makes at the root is not
    // controlled (measured: an impact that leaves in the middle of a step gained 6e-5 of its energy at 1e-7, and at 1e-5 no
    // more). So the way to the root is a step of its own, which is shorter than one that was good enough. Such steps cross
    // zero elsewhere than the polynomial does: near its root, secants find where.
    void step_to_root(double start, double& t, N_Vector x) {
        constexpr int most_steps = 12;
        constexpr double aside = 1e-4;  // of the way to the root
        if (!(t > start)) return;
        const double end = solver_time(), fuzz = time_fuzz(t, t - start);
        check(root_directions(directions_.data()), "ARKodeGetRootInfo");
        double last = t, left_last = step_and_look(start, t);  // how much is left to the first of the roots
        if (!std::isfinite(left_last)) return;
        double best = std::abs(left_last);
        N_VScale(1.0, at_root_.get(), x);
        double now = last + (left_last > 0.0 ? 1.0 : -1.0) * std::max(aside * (last - start), fuzz);
        for (int i = 0; i < most_steps && best > 0.0; ++i) {
            now = std::clamp(now, 0.5 * (start + last), end);
            const double left = now == last ? left_last : step_and_look(start, now);
            if (!std::isfinite(left) || left == left_last) return;
            if (std::abs(left) < best) {
                best = std::abs(left);
                N_VScale(1.0, at_root_.get(), x);
                t = now;
            }
            const double by = -left * (now - last) / (left - left_last);
            last = now, left_last = left;
            if (std::abs(by) <= 0.01 * fuzz) return;
            now += by;
        }
    }
    // One step of this length, and the least of the functions that cross zero, with the sign that each has before.
    double step_and_look(double start, double t) {
        if (!to_root_) to_root_ = make_memory(options());
        check(ERKStepReInit(to_root_.get(), f, start, good_.get()), "ERKStepReInit");
        check(ARK(SetFixedStep)(to_root_.get(), t - start), "ARKodeSetFixedStep");
        check(ARK(SetStopTime)(to_root_.get(), t), "ARKodeSetStopTime");
        double reached = start, least = std::numeric_limits<double>::infinity();
        const int flag = ARK(Evolve)(to_root_.get(), t, at_root_.get(), &reached, ARK_ONE_STEP);
        if (flag < 0 || reached != t) return std::numeric_limits<double>::quiet_NaN();
        looked_within_ = to_root_.get();  // what was on the way there
        const int looked = zero_crossings(t, at_root_.get(), values_.data());
        looked_within_ = nullptr;
        if (looked != 0) return std::numeric_limits<double>::quiet_NaN();
        for (std::size_t i = 0; i < values_.size(); ++i)
            if (directions_[i] != 0) least = std::min(least, -directions_[i] * values_[i]);
        return least;
    }
    int try_step(double t_out, double t_stop, double& t, N_Vector x) {
        check(ARK(SetStopTime)(memory(), t_stop), "ARKodeSetStopTime");
        return ARK(Evolve)(memory(), t_out, x, &t, ARK_ONE_STEP);
    }
    bool needs_shorter_step(int flag) const {
        return (flag == ARK_RHSFUNC_FAIL || flag == ARK_UNREC_RHSFUNC_ERR) && !problem_threw();
    }
    int interpolate(double t, N_Vector x) const override {
        return ARK(GetDky)(looked_within_ ? looked_within_ : memory(), t, 0, x);
    }
    int root_directions(int* directions) const override { return ARK(GetRootInfo)(memory(), directions); }
    int local_errors(N_Vector errors, N_Vector weights) const override {
        const int flag = ARK(GetEstLocalErrors)(memory(), errors);
        return flag != success ? flag : ARK(GetErrWeights)(memory(), weights);
    }
    double solver_time() const override {
        double t = 0;
        ARK(GetCurrentTime)(memory(), &t);
        return t;
    }
    std::string flag_name(int flag) const override {
        const std::unique_ptr<char, Destroy<std::free>> name{ARK(GetReturnFlagName)(flag)};
        return name.get();
    }
    IntegratorStatistics counters() const override {
        long steps = 0, errors = 0;
        ARK(GetNumSteps)(memory(), &steps);
        ARK(GetNumErrTestFails)(memory(), &errors);
        IntegratorStatistics sum = earlier_;
        return sum += {.steps = steps, .error_test_failures = errors};
    }

    Vector good_;  // where the step in work began
    Vector at_root_;
    std::vector<double> values_;    // of the functions whose roots are looked for ...
    std::vector<int> directions_;   // ... and which of them the last step has found
    IntegratorStatistics earlier_;  // of the run in work, before steps that had to be shortened
    Memory memory_, to_root_;
    void* looked_within_ = nullptr;  // while its states within its step are asked for; else those of memory_
};

}  // namespace

std::unique_ptr<Integrator> make_arkode(Problem& problem, const IntegratorOptions& options) {
    return std::make_unique<Arkode>(problem, options);
}

}  // namespace tactus::sundials
