// Island: super-objects that move together, with a state vector and an integrator of their own. The unit of integration.
//
//   x = (q, v, c, e):  q' = N(q) v,  M(q) v' + h(q, v) = tau,  c' = control,  e' = power
//
// q and v are those of joints that are not prescribed, c the states of Servos.
// e holds the energy that was dissipated and the work that given forces did; it is there only if anything does either.
// Integration runs ahead of what is looked at: the state at any instant of the last step is interpolated.
#pragma once

#include <tactus/engine/errors.hpp>
#include <tactus/engine/events.hpp>
#include <tactus/engine/integrators/integrator.hpp>
#include <tactus/engine/pipeline.hpp>
#include <tactus/systems/contact_response/contacts.hpp>
#include <tactus/systems/dynamics/dynamics.hpp>
#include <tactus/systems/dynamics/newton_matrix.hpp>
#include <tactus/systems/forces/forces.hpp>
#include <tactus/systems/integration/tolerances.hpp>
#include <tactus/systems/narrow_phase/pair_watch.hpp>

#include <array>
#include <limits>
#include <memory>
#include <span>
#include <vector>

namespace tactus::systems {

struct IslandSettings {
    Solver solver = Solver::CvodeBdf;
    double tolerance = 1e-6;      // relative
    double maximum_step = 0.0;    // [s] 0: none
    double nominal_length = 1.0;  // [m] size of what is modelled: absolute tolerances of lengths and speeds follow it
};

// What contacts need beyond the registry; must outlive the island.
struct ContactSettings {
    const Palettes& palettes;
    const ContactLaws& laws;
    Workers& workers;
    StageClock& clock;
    bool detection = true;  // whether contacts are handled
};

// A contact that goes on although structure or equations change.
struct GoingContact {
    Entity object1, object2;
    Contact contact;
};

class Island final : private Problem {
public:
    static constexpr std::size_t many_links = 128;  // that are worth tasks

    // The crossings must outlive the island.
    Island(entt::registry& registry, Entity world, std::span<const Entity> roots, const IslandSettings& settings,
           const HostFunctions& functions, std::span<const ZeroCrossing> crossings, const ContactSettings& contact);
    Island(const Island&) = delete;
    Island& operator=(const Island&) = delete;

    // The same elements in another structure: keeps its memory, and what is known about distances. Then start() has to
    // follow.
    void restructure(Entity world, std::span<const Entity> roots, const HostFunctions& functions,
                     std::span<const ZeroCrossing> crossings, bool detection);

    // ---- going on ----
    void start(double t, std::span<const GoingContact> going = {});  // from the states of the elements
    void restart();                                                  // from the current instant
    void settle();                                                   // after states were set: what touches now?
    void step(double t_stop);                                        // one internal step; errors are SimulationErrors
    double reached() const { return reached_; }                      // [s] integrated up to here
    bool at_crossing() const { return crossing_; }                   // and that is a zero crossing to be handled
    void look_at(double t);  // makes an instant within the last step the current one
    double next_time_event() const { return systems::next_time_event(forces_); }

    // At the current instant: what changes there. True if the integrator has to restart because of it.
    bool handle_time_event(std::vector<Event>& events);
    bool handle_crossings(std::vector<Event>& events);
    bool has_untold_events() const { return !untold_.empty(); }  // of a start, or of states that were set
    void tell(std::vector<Event>& events);

    void store();                                           // the current state into the elements
    void set_state(Entity joint, const JointState& state);  // at the current instant; restarts before the next step
    void references_changed();                              // paths have got more points; likewise

    // Looks for zeros of these functions from here on; they must outlive the island. False if it would need other states.
    bool look_for(std::span<const ZeroCrossing> crossings);

    // Steps are not longer than this [s] where there is something to watch that a solver cannot foresee: zero crossings,
    // functions of the host's. Two crossings within a step would be none to it.
    void watch_every(double interval);

    // ---- the current instant ----
    double time() const { return time_; }
    std::span<const double> q() { return joint_values(time_, x_, here_).q; }  // of all joints, prescribed ones last
    std::span<const double> v() { return joint_values(time_, x_, here_).v; }
    std::span<const double> drive_states() const;
    const TreeMotion& motion();  // computed when asked for
    std::span<const Twist> accelerations();
    std::span<const Wrench> reactions();  // of each link's joint on it
    Energies energies();
    Energies integrated_energies() const;  // only what is dissipated, and work
    Momentum momentum() { return systems::momentum(tree_, motion()); }
    // tau = M(q) dv + h(q, v) - forces: what joints would have to be driven with for these accelerations
    void inverse_dynamics(std::span<const double> dv, std::span<double> tau);
    void mass_matrix(Eigen::Ref<Eigen::MatrixXd> M) { systems::mass_matrix(tree_, motion(), memory_, M); }
    std::span<const double> speed_rates() {  // v'
        know(Known::dynamics);
        return dv_;
    }
    ForceInstant force_instant();
    double drive_torque(Entity drive);  // [N m] or [N] on the flange of a drive that follows a reference

    // ---- contacts ----
    std::span<const Contact> contacts();  // at the current instant
    const Collidable& collidable(std::uint32_t i) const { return collidables_[i]; }
    std::size_t collidables() const { return collidables_.size(); }
    const PairWatch& watch() const { return watch_; }
    void export_contacts(std::vector<GoingContact>& going);

    const Tree& tree() const { return tree_; }
    const Forces& forces() const { return forces_; }
    const entt::registry& registry() const { return registry_; }
    bool holds(Entity root) const { return tree_.index_of(root) >= 0; }
    IntegratorStatistics statistics() const {
        IntegratorStatistics sum = former_statistics_;
        if (integrator_) sum += integrator_->statistics();
        return sum;
    }
    std::size_t state_count() const { return x_.size(); }

private:
    entt::registry& registry_;
    Tree tree_;
    Forces forces_;
    std::span<const ZeroCrossing> crossings_;
    IslandSettings settings_;

    std::size_t force_crossings_ = 0;  // zero crossings of the forces; those of contacts come after them
    // z_p, z_d and what is left to prove, or none; those of the host's come after them.
    std::size_t contact_crossings_ = 0;

    // ---- contact (island_contacts.cpp) ----
    ContactSettings contact_;
    std::vector<Collidable> collidables_;
    ContactPairs contact_pairs_;
    std::vector<std::pair<std::uint32_t, std::uint32_t>> excluded_;  // links; sorted
    bool contacts_go_on_ = false;                                    // distances are still known
    std::vector<Contact> contacts_;                                  // sorted by their pairs
    PairWatch watch_;
    std::vector<Placed> placed_;  // the collidables where zero crossings were evaluated last ...
    double placed_time_ = 0.0;    // ... [s] which was then
    TreeMotion between_;          // at instants within a step
    struct StateBetween {
        double time = 0.0;  // [s]
        std::vector<double> x;
    };
    std::vector<StateBetween> states_between_;  // those that were asked for last
    double between_time_ = 0.0;
    struct Gaps {                                                // z_p and z_d as they were evaluated last
        double time = std::numeric_limits<double>::quiet_NaN();  // [s] not a number: not known
        std::vector<double> x;
        std::array<double, 2> values{};
    } gaps_;
    std::int64_t derivatives_ = 0;  // evaluations so far
    DistanceOptions distance_options_;
    NewtonMatrix newton_;
    struct Slopes {
        std::vector<Coupling> couplings;  // of forces and contacts
        std::vector<SpeedCoupling> speeds;
    } slopes_, present_slopes_;  // where it was linearised last, and at the present point
    std::vector<StateCoupling> drive_couplings_;
    struct Linearised {
        ContactMotion motion;
        Grip held;
    };
    std::vector<Linearised> linearised_;  // each contact, there
    bool pattern_known_ = false;
    bool held_stiffly_ = false;  // by friction that remembers, in the present steps
    bool joints_rub_ = false;    // some have friction or stops
    std::vector<Event> untold_;
    struct Parted {
        Contact contact;
        double time = 0.0;  // [s] of its end
    };
    std::vector<Parted> parted_;  // contacts that ended with the last one, but for rounding
    double kept_energy_ = std::numeric_limits<double>::quiet_NaN();  // [J] by impacts; not a number: not known
    double step_tolerance_ = 0.0;
    double proposed_step_ = 0.0;  // [s] first one after a restart; 0: the solver's choice

    std::vector<double> x_;     // at time_
    std::vector<double> good_;  // at reached_: what is left after a step that failed
    double time_ = 0.0, reached_ = 0.0;
    bool crossing_ = false, failed_ = false;
    bool state_was_set_ = false;
    int hasty_events_ = 0;      // in succession, without time going on
    double hasty_since_ = 0.0;  // [s]

    // One evaluation at a time, in memory that stays. Its stages are declared in island_equations.cpp.
    Pipeline acting_, accelerating_;
    StageClock& clock_;
    struct {
        double t = 0.0;
        std::span<const double> q, v, drives;
        std::span<double> dv;
    } now_;                          // what they work on
    std::vector<double> evaluated_;  // where forces were evaluated last ...
    double evaluated_time_ = 0.0;    // ... [s] when; not a number: nothing is known
    double forces_time_ = 0.0;       // [s] at which all contacts were evaluated last
    // Where some joints are prescribed, coordinates, speeds and rates of all joints: of the evaluation, of the current
    // instant, and of one within a step.
    struct JointValues {
        std::vector<double> q, v, dv;
    };
    JointValues all_, here_, all_between_;
    TreeMotion motion_;
    Applied applied_;
    DynamicsMemory memory_;
    std::vector<double> dv_, tau_;  // of the current instant
    std::vector<double> pushed_;    // change of the speeds by a unit impulse
    std::vector<double> probe_;     // keeps x_ while the host's zero-crossing functions look elsewhere
    std::vector<Wrench> reactions_;
    enum class Known { nothing, motion, touch, dynamics } known_ = Known::nothing;  // about (time_, x_)
    bool energies_integrated_ = false;
    std::size_t grip_states_ = 0;             // room for memories of friction, four numbers each
    Entity not_finite_ = entt::null;          // force element that gave no finite number not long ago
    double not_finite_time_ = 0.0;            // [s] when
    std::unique_ptr<Integrator> integrator_;  // from the first step on
    IntegratorStatistics former_statistics_;  // of those before
    double watch_interval_ = 0.0;             // [s]

    // ---- Problem ----
    std::size_t states() const override { return x_.size(); }
    std::size_t roots() const override { return force_crossings_ + contact_crossings_ + crossings_.size(); }
    void derivative(double t, std::span<const double> x, std::span<double> dx) override;
    void residual(double t, std::span<const double> x, std::span<const double> dx, std::span<double> r) override;
    void zero_crossings(double t, std::span<const double> x, std::span<double> g) override;
    bool solves_newton() const override { return nv() > 0; }
    Newton prepare_newton(double t, std::span<const double> x, double gamma, bool renew) override;
    void solve_newton(std::span<double> r) override;
    double left_by_correction() const override;
    std::string state_name(std::size_t state) const override;

    std::size_t nq() const { return static_cast<std::size_t>(tree_.integrated_q); }
    std::size_t nv() const { return static_cast<std::size_t>(tree_.integrated_v); }
    std::span<double> coordinates_x() { return std::span{x_}.first(nq()); }
    std::span<double> speeds_x() { return std::span{x_}.subspan(nq(), nv()); }
    // States: coordinates, speeds, drives, memories of friction, and energies if they are integrated.
    template<class X> auto drives_of(X&& x) const { return std::span{x}.subspan(nq() + nv(), forces_.servos.size()); }
    template<class X> auto grips_of(X&& x) const {
        return std::span{x}.subspan(nq() + nv() + forces_.servos.size(), grip_states_);
    }
    struct JointSpans {
        std::span<const double> q, v;
    };
    JointSpans joint_values(double t, std::span<const double> x, JointValues& memory) const;
    void enter_forces();
    void restart_from_here();
    void normalise();
    void build(Entity world, const HostFunctions& functions, const DriveTrain& drives, std::span<const Entity> former);
    void declare_pipelines();
    void need_integrator();
    void make_solver();
    void note_not_finite(double t);
    ForceInstant evaluate(double t, std::span<const double> x, bool with_forces);
    void know(Known what);

    void build_contacts(Entity world);
    bool regroup_contacts(Entity world, std::span<const Entity> former);
    void find_excluded(Entity world);
    void reset_watch();
    void contact_gaps(double t, std::span<const double> x, std::span<double> g);
    void evaluate_gaps(double t, std::span<const double> x, std::span<double> g);
    bool gaps_are_known(double t, std::span<const double> x) const;
    bool anything_crossed() const;
    void forget_gaps() { gaps_.time = std::numeric_limits<double>::quiet_NaN(); }
    std::span<const double> state_between(double instant);
    void begin_step(bool jumped);
    void note_forces();
    void place_grips();
    void read_grips(std::span<const double> x);
    void resize_states();
    Contact new_contact(IndexPair pair);
    double respond_to_push(const Contact& contact);
    double inverse_mass(const Contact& contact);
    void note_parting(std::span<const Contact> ended);
    void keep_energy();
    bool change_contacts(std::vector<Event>& events, bool jumped = false, std::span<const GoingContact> going = {});
    bool end_and_start_contacts(std::vector<Event>& events, double& step);
    void check_gaps() const;
    double step_after(const Contact& ended);
    void keep_contacts(std::vector<Event>& events, std::span<const GoingContact> going);
    Event contact_event(const Contact& contact, bool start) const;
    std::vector<LinkTouch> touches() const;
    void find_slopes(const ForceInstant& at, double gamma, Slopes& slopes) const;
    bool contacts_as_linearised() const;
    bool slopes_hold(const ForceInstant& at, double gamma);
    std::string name(Entity e) const;
    template<class Work> void guarded(Work&& work);
};

}  // namespace tactus::systems
