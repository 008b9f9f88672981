// World: the public door. Definitions go in, entities come out; every call either does all of what it says or throws
// and leaves the World as it was.
//
// Units are SI, angles are in radians. A World is used by one thread at a time. Names are paths with dots,
// e.g. "robot.arm.link1", and are unique among all elements: objects, joints, force elements, drives, paths, records.
#pragma once

#include <tactus/components/super_object.hpp>
#include <tactus/engine/contact_law.hpp>
#include <tactus/engine/definitions.hpp>
#include <tactus/engine/errors.hpp>
#include <tactus/engine/events.hpp>
#include <tactus/engine/export.hpp>
#include <tactus/engine/instant.hpp>
#include <tactus/engine/integrators/statistics.hpp>
#include <tactus/engine/materials/palettes.hpp>
#include <tactus/engine/mechanics.hpp>
#include <tactus/engine/program.hpp>
#include <tactus/engine/results.hpp>
#include <tactus/engine/stage_clock.hpp>
#include <tactus/engine/touch.hpp>

#include <entt/entt.hpp>

#include <chrono>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace tf {
class Executor;
}

namespace tactus {

class World;
struct SceneDocument;

struct WorldOptions {
    int workers = 0;                     // threads of an executor of its own; 0: one for each core
    tf::Executor* executor = nullptr;    // the host's instead; must outlive the World
    entt::registry* registry = nullptr;  // the host's instead of an own one; must outlive the World, one World on each
    std::filesystem::path folder = {};   // where relative mesh files are; empty: the current folder
};

// How far World::advance or World::run came.
struct Advance {
    double time = 0.0;     // [s] of the World now
    bool complete = true;  // false: the budget was used up before
    double behind = 0.0;   // [s] of simulated time that are missing then
};

// The reference of a path at an instant, one number for each column.
struct PathState {
    std::vector<double> position, velocity, acceleration;  // [rad] or [m], and their rates
    double end = 0.0;                                      // [s] when it comes to rest, or came
};

using Budget = std::chrono::duration<double>;  // wall clock
inline constexpr Budget no_limit{1e30};

struct RunOptions {
    bool record = true;                              // keep signals, see World::results
    double interval = 0.0;                           // [s] between communication points; 0: as World::simulation() says
    std::function<void(double time)> progress = {};  // called at communication points
};

// Since the World began to move.
struct Statistics {
    IntegratorStatistics integrator;
    std::int64_t events = 0;
    std::int64_t segments = 0;      // times that structure or forces were built
    std::int64_t pairs_tested = 0;  // by the narrow phase, contacts not included
    std::size_t states = 0;         // of the present segment
    double simulated_time = 0.0;    // [s]
    double wall_time = 0.0;         // [s]
    double real_time_factor() const { return wall_time > 0.0 ? simulated_time / wall_time : 0.0; }
};

// The time between two changes of the structure, of forces or of functions.
struct Segment {
    double start = 0.0;      // [s]
    std::size_t states = 0;  // numbers that are integrated: 13 for each free super-object, 2 for energies, ...
};

enum class Dependents { refuse, remove };  // what World::remove does with elements that need what is removed

class TACTUS_API World {
public:
    explicit World(WorldOptions options = {});
    ~World();  // takes its components off a host's registry; the entities stay, with the host's components
    World(World&&) noexcept;
    World& operator=(World&&) noexcept;

    // ---- definition ----

    Entity scene(const Scene& scene = {});    // the one Object3D that is the world; call it once
    Entity add(const Object3DDef& object);    // its parent may be added later
    Entity add_joint(const JointDef& joint);  // what it refers to must exist; likewise below
    Entity add_force(const ForceDef& force);
    Entity add_drive(const DriveDef& drive);
    Entity add_path(const PathDef& path);
    Entity add_record(const RecordDef& record);
    void set_actions(const std::vector<Action>& actions);
    void set_uncertainties(const std::vector<Uncertainty>& uncertainties);
    void set_simulation(const Simulation& simulation);
    void set_titles(std::string title, std::string description);
    void set_folder(std::filesystem::path folder);  // where relative mesh files are looked for from here on

    // Add a material to the palettes or override one; masses that follow from its density follow.
    void set_material(const std::string& name, const SolidMaterial& material);
    void set_material(const std::string& name, const VisualMaterial& material);
    void set_contact_pair(const ContactPair& pair);  // of materials that are there
    // What acts where solids of these two materials touch, instead of the elastic law. Called from several threads.
    void set_contact_law(const std::string& material1, const std::string& material2, UserContactLaw law);

    // ---- look-up ----

    Entity find(std::string_view path) const;  // entt::null if there is none
    Entity at(std::string_view path) const;    // an InputError if there is none, with the nearest name
    const std::string& name(Entity element) const;
    std::vector<Entity> elements() const;  // all, in the order of definition
    Entity root() const;                   // the Scene's entity, entt::null before scene()

    // Definitions as they were given, with references by name.
    const Scene& scene_of() const;
    Object3DDef object(Entity e) const;
    JointDef joint(Entity e) const;
    ForceDef force(Entity e) const;
    DriveDef drive(Entity e) const;
    PathDef path(Entity e) const;
    RecordDef record(Entity e) const;
    const std::vector<Action>& actions() const;
    const std::vector<Uncertainty>& uncertainties() const;
    const Simulation& simulation() const;
    const std::string& title() const;
    const std::string& description() const;
    const Palettes& materials() const;

    // ---- change ----

    // world.change(ball, [](Object3DDef& o) { o.mass = 2.0; });   The name cannot be changed.
    template<class Edit> void change(Entity e, Edit&& edit) {
        Object3DDef definition = object(e);
        std::forward<Edit>(edit)(definition);
        replace(e, definition);
    }
    void replace(Entity e, const Object3DDef& object);
    void replace_scene(const Scene& scene);
    void remove(Entity e, Dependents dependents = Dependents::refuse);
    void clear();  // everything, materials included

    // ---- structure ----

    // Derives the super-objects anew where something has changed. The functions below call it. An InputError lists what
    // is incomplete: no Scene, parents that do not exist, objects that nothing connects to the world.
    void update_structure();
    std::vector<Entity> super_objects();  // roots, numbered as in systems/structure
    const SuperObject& super_object(Entity root);
    Entity root_of(Entity object);               // root of the super-object that it belongs to
    const MassProperties* mass_of(Entity root);  // of a whole super-object in its root's frame; nullptr: massless
    std::vector<std::pair<Entity, Entity>> excluded_pairs();

    // Things that are allowed but probably not meant, e.g. pairs of collidable materials that have no contact pair. Of
    // each kind the first 50, then a line that there are more.
    std::vector<Issue> warnings();

    // ---- motion ----
    // Starts from the initial values of the definitions at simulation().start_time. Structure, forces and functions may be
    // changed between calls, and by event handlers: motion goes on from where it is. A SimulationError says what cannot be
    // simulated and when; the World is then at the last good instant.

    double time() const;  // [s]

    // Goes on by dt [s]. With a budget it returns when that is used up, at most one internal step later; the next call
    // goes on from there. Nothing is recorded.
    Advance advance(double dt, Budget budget = no_limit);

    // Goes on until a time [s], over communication points at multiples of the interval, and records there and at events.
    Advance run(double until, const RunOptions& options = {});

    void reset();  // back to the start: initial values, structure as defined, no results; programs begin anew

    Pose pose(Entity object);           // in the world
    Twist velocity(Entity object);      // [rad/s], [m/s] of its origin, world axes
    Twist acceleration(Entity object);  // [rad/s^2], [m/s^2] likewise
    JointState state(Entity joint);     // of a joint, or of a free object relative to its parent
    void set_state(Entity joint, const JointState& state);
    Wrench joint_wrench(Entity joint);  // see Instant::joint_wrench
    double drive_torque(Entity drive);  // [N m] or [N] of a PdDrive, Servo (without its inertia) or PrescribedMotion
    PathState path_state(Entity path);
    // From now on, or after what is under way, through these points. Gives the time [s] at which the last one is reached.
    double move_along_path(Entity path, const std::vector<std::vector<double>>& points);
    std::vector<StateValue> states();  // of everything that moves, by name
    Energies energies();
    Momentum momentum();
    std::vector<Touch> touches();  // all that touch now, in a fixed order
    CollisionCounts collision_counts();
    const Results& results() const;
    Statistics statistics() const;
    const std::vector<Segment>& segments() const;

    // Where the time goes: by stage, since profiling was switched on. It costs nothing while it is off.
    void profile(bool on);
    const StageClock& stage_times() const;

    // M(q) v' + h(q, v) = tau, for all speeds in the order of speed_names(); prescribed ones come last. Turning speeds of
    // Spherical and Free joints are here those in the axes of frame 2.
    std::vector<std::string> speed_names();
    Eigen::VectorXd speeds();                                        // v
    Eigen::VectorXd speed_rates();                                   // v' under all forces
    Eigen::VectorXd inverse_dynamics(const Eigen::VectorXd& rates);  // tau that would be needed beyond all forces
    Eigen::MatrixXd mass_matrix();

    // ---- actions ----
    // Change the structure while the World moves; between calls of advance and run, in event handlers, or in programs.
    // Definitions stay as they were: reset() brings them back. An InputError says why an action is not possible. What is
    // attached stays where it is; what is released goes on with its velocities. Momentum is kept, except by what the
    // world takes.

    ActionReport attach(const Ref& lock, const Ref& to, const AttachConditions& conditions = {});
    ActionReport release_and_attach(const Ref& lock, const Ref& to, const AttachConditions& conditions = {});
    ActionReport release(const Ref& lock);
    ActionReport flip_chain(const Ref& new_lock, const Ref& to, const Ref& old_lock,
                            const AttachConditions& conditions = {});
    ActionReport delete_assembly(const Ref& lock);
    ActionReport act(const Action& action);  // any of these; waiting is for programs
    void set_contact_detection(bool on);     // from here on, whatever the Scene says

    // Programs run in the order in which they were added, after the actions of set_actions. See program.hpp.
    void add_program(const std::string& name, std::function<Program(World&)> program);
    void remove_program(const std::string& name);  // not while the World moves
    bool program_is_over(const std::string& name) const;

    // ---- events and functions of the host's ----

    void on_event(std::function<void(const Event&)> handler);           // called at the instant of the event
    void on_contact(std::function<void(const ContactEvent&)> handler);  // only of contacts that start or end
    void add_time_event(const std::string& name, double time);
    void add_zero_crossing(const ZeroCrossing& crossing);
    void remove_event(const std::string& name);                                        // a time event or zero crossing
    void set_function(const std::string& name, std::function<Vec3(double)> function);  // of time, see TimeVector
    void set_function(const std::string& name, std::function<double(double)> function);  // see Law

    // ---- what it stands on ----

    entt::registry& registry();
    const entt::registry& registry() const;
    tf::Executor& executor();  // made on first use, unless the host brought one; until set_workers
    // From here on so many threads, as WorldOptions::workers; motion goes on as if nothing had happened, to the last bit.
    void set_workers(int workers);

private:
    friend class ActionStep;
    friend void add_document(World& world, const SceneDocument& document, const std::filesystem::path& folder);

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tactus
