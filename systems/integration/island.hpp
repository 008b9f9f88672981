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
    bool at_crossing() const { return crossing_; }                   // and that is a zero crossing
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
    void export_contacts(std::vector<GoingContact>& going) const;

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

    std::size_t force_crossings_ = 0;    // zero crossings of the forces; those of contacts come after them
    std::size_t contact_crossings_ = 0;  // z_p and z_d, or none; those of the host's come after them

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
    DistanceOptions distance_options_;
    NewtonMatrix newton_;
    std::vector<Coupling> couplings_;  // of forces and contacts, where it was linearised last
    std::vector<SpeedCoupling> speed_couplings_;
    std::vector<StateCoupling> drive_couplings_;
    bool pattern_known_ = false;
    std::vector<Event> untold_;
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
    } now_;  // what they work on
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
    std::vector<double> probe_;     // keeps x_ while the host's zero-crossing functions look elsewhere
    std::vector<Wrench> reactions_;
    enum class Known { nothing, motion, touch, dynamics } known_ = Known::nothing;  // about (time_, x_)
    bool energies_integrated_ = false;
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
    bool solves_newton() const override { return contact_crossings_ > 0; }
    bool prepare_newton(double t, std::span<const double> x, double gamma, bool refresh) override;
    void solve_newton(std::span<double> r) override;
    std::string state_name(std::size_t state) const override;

    std::size_t nq() const { return static_cast<std::size_t>(tree_.integrated_q); }
    std::size_t nv() const { return static_cast<std::size_t>(tree_.integrated_v); }
    std::span<double> coordinates_x() { return std::span{x_}.first(nq()); }
    std::span<double> speeds_x() { return std::span{x_}.subspan(nq(), nv()); }
    template<class X> auto drives_of(X&& x) const { return std::span{x}.subspan(nq() + nv(), forces_.servos.size()); }
    struct JointSpans {
        std::span<const double> q, v;
    };
    JointSpans joint_values(double t, std::span<const double> x, JointValues& memory) const;
    void enter_forces();
    void restart_from_here();
    void build(Entity world, const HostFunctions& functions, const DriveTrain& drives, std::span<const Entity> former);
    void declare_pipelines();
    void need_integrator();
    void note_not_finite(double t);
    ForceInstant evaluate(double t, std::span<const double> x, bool with_forces);
    void know(Known what);

    void build_contacts(Entity world);
    bool regroup_contacts(Entity world, std::span<const Entity> former);
    void find_excluded(Entity world);
    void reset_watch();
    void contact_gaps(double t, std::span<double> g);
    std::span<const double> state_between(double instant);
    void begin_step(bool jumped);
    void note_forces();
    Contact new_contact(IndexPair pair) const;
    bool change_contacts(std::vector<Event>& events, std::span<const GoingContact> going = {});
    double step_after(const Contact& ended);
    void keep_contacts(std::vector<Event>& events, std::span<const GoingContact> going);
    Event contact_event(const Contact& contact, bool start) const;
    std::vector<LinkTouch> touches() const;
    void find_couplings(const ForceInstant& at);
    std::string name(Entity e) const;
    template<class Work> void guarded(Work&& work);
};

}  // namespace tactus::systems
