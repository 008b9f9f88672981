// Inside of World; included by the world*.cpp files only.
#pragma once

#include <tactus/engine/executor.hpp>
#include <tactus/engine/pipeline.hpp>
#include <tactus/engine/schema/context.hpp>
#include <tactus/engine/world.hpp>
#include <tactus/systems/forces/given_functions.hpp>
#include <tactus/systems/integration/deadline.hpp>
#include <tactus/systems/integration/time_event.hpp>
#include <tactus/systems/structure/structure.hpp>

#include <functional>
#include <map>
#include <unordered_map>

namespace tactus {

namespace systems {
class Simulator;
}

struct StringHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view text) const { return std::hash<std::string_view>{}(text); }
};

inline void throw_if_any(std::vector<Issue>& issues) {
    if (!issues.empty()) throw InputError(std::move(issues));
}

// A component of an element that the caller named.
template<class Component> const Component& element(const entt::registry& registry, Entity e, const char* kind) {
    const auto* component = registry.valid(e) ? registry.try_get<Component>(e) : nullptr;
    if (!component) throw InputError({"", "", "entity", "", std::string{"is no "} + kind + " of this World"});
    return *component;
}

struct World::Impl {
    explicit Impl(WorldOptions o);
    ~Impl();

    WorldOptions options;
    std::unique_ptr<entt::registry> own_registry;
    entt::registry& registry;
    OwnExecutor own_executor = no_executor();
    std::unique_ptr<Palettes> palettes = std::make_unique<Palettes>(&Palettes::project());

    Entity root = entt::null;
    std::uint64_t next_serial = 1;
    std::unordered_map<std::string, Entity, StringHash, std::equal_to<>> names;
    std::unordered_map<std::string, std::vector<Entity>, StringHash, std::equal_to<>>
        waiting;                        // children of names to come
    std::vector<Entity> without_world;  // automatic children of a Scene to come
    std::vector<Action> actions;
    std::vector<Uncertainty> uncertainties;
    Simulation simulation;
    std::string title, description;
    systems::StructureChanges changes;

    bool advise = true;  // whether messages look for the name that was meant: takes its time, off after many issues

    void clear_components();  // off the registry

    // ---- world.cpp: names; world_elements.cpp, world_program.cpp: references; world_remove.cpp ----
    Entity create(const std::string& name);
    void check_name(const std::string& name, schema::Context& context) const;
    Entity find(std::string_view path) const;
    unsigned kind_of(Entity e) const;
    // Why no element of these kinds has this name; with advice only if not many issues have been found before.
    std::string unknown_name(const std::string& path, unsigned kinds, std::size_t issues_before = 0) const;
    std::string unknown_material(const std::string& name, bool visual) const;
    template<class Def> void check_and_resolve(Def& def, schema::Context& context) const;
    template<class Def> void use(Def& def, Entity element);
    template<class Def> Def named(Def def) const;
    template<class Component, class Def> Entity add_element(Def def, Component (*to_component)(const Def&));
    template<class Def> void check_partners(const Def& def, schema::Context& context) const;
    std::pair<Entity, std::string> split_parameter(const std::string& parameter) const;
    bool has_number(Entity e, const std::string& field) const;
    void check_flange(const Ref& flange, schema::Context& context) const;
    void collect_dependents(Entity e, std::vector<Entity>& found) const;
    void destroy(Entity e);

    // ---- world_motion.cpp, world_instant.cpp, world_events.cpp ----
    struct Motion;  // motion.hpp
    std::unique_ptr<Motion> motion;
    systems::HostFunctions functions;
    std::vector<ZeroCrossing> crossings;
    std::vector<systems::TimeEvent> time_events;
    std::vector<std::function<void(const Event&)>> handlers;
    ContactLaws contact_laws;
    Workers workers;  // of the executor, made with the first simulator
    StageClock clock;

    bool outdated = true;         // something has changed since the simulator was made ...
    bool only_structure = false;  // ... but only how its elements hang together
    void definitions_changed() {
        outdated = true;
        only_structure = false;
    }
    systems::Simulator& simulator(World& world);
    void gather_workers(World& world);  // as many as the options and the number of solids ask for
    void end_segment();
    void drop_simulator();  // what it has done counts
    void forget_motion();
    void start_anew_if_only_looked_at();  // then a new start time counts
    void start_paths();                   // those that do not move yet
    // Lets a path follow points from `time` on, or after what is under way then; points must fit. Gives the end [s].
    double start_path_motion(Entity path, const std::vector<std::vector<double>>& points, double time);
    Instant instant(World& world, Entity object);
    Instant joint_instant(World& world, Entity joint);
    void sample();
    bool go_to(World& world, double target, double horizon, double watch, systems::Deadline deadline);
    void tell(const std::vector<Event>& events);
    void refuse_while_moving(const char* call) const;

    // ---- world_actions.cpp ----
    std::optional<bool> contact_detection;  // what actions say
    struct Performed {
        ActionReport report;
        std::optional<Pause> pause;  // before the next action ...
        bool again = false;          // ... or before this one is tried again
    };
    void check_action(const Action& action, schema::Context& context) const;
    Performed perform(World& world, const Action& action);
    Performed attach(World& world, ActionReport report, const Entity lock, const Entity to, Entity held,
                     const AttachConditions& conditions, std::optional<bool> detection, Entity let_go);
    ActionReport release(World& world, ActionReport report, const Release& action);
    ActionReport take_out(World& world, ActionReport report, const Delete& action);
    Condition condition_of(const Until& until) const;
    std::string path_of(const Ref& ref) const;
    Entity actable(const std::string& path) const;  // an element that is in the model
    Entity assembly_of(const std::string& lock) const;
    void begin_change();  // of the structure
    void end_change(World& world, ActionReport& report, double energy_lost, std::optional<bool> detection);

    // ---- world_programs.cpp ----
    struct RunningProgram {
        std::string name;
        std::function<Program(World&)> function;
        Program program;  // once it has begun
        bool over = false;
        bool woken = false;  // its condition holds
    };
    std::vector<std::unique_ptr<RunningProgram>> programs;  // in their order; each where its coroutine knows it
    std::vector<ZeroCrossing> watched;                      // the host's crossings, and conditions of programs
    bool watched_outdated = true;
    void set_action_program();  // of the actions
    void begin_programs_anew();
    void watch_conditions();
    double next_wake() const;  // [s] of programs that wait for a time
    bool programs_are_due() const;
    void run_programs(World& world);
    void resume(World& world, RunningProgram& running);
    bool holds(World& world, const RunningProgram& running);  // its condition
    void wake(std::vector<Event>& events);                    // those whose conditions are among these events

    // ---- world_document.cpp: all of a document or nothing ----
    struct Before {  // what a World without a Scene holds besides its elements
        std::uint64_t next_serial;
        Palettes palettes;
        std::vector<Action> actions;
        std::vector<Uncertainty> uncertainties;
        Simulation simulation;
        std::string title, description;
        std::filesystem::path folder;
    };
    Before before() const;
    void restore(Before before);

    // ---- world_objects.cpp: Object3Ds ----
    struct Prepared {  // everything that can fail is done before anything is changed
        Object3DDef def;
        Entity parent = entt::null;
        std::string pending;
        std::optional<MassProperties> mass;
    };
    struct LoadedMesh {
        std::weak_ptr<const TriangleMesh> surface;
        std::filesystem::file_time_type written;
    };
    mutable std::map<std::pair<std::string, std::array<double, 3>>, LoadedMesh> meshes;  // by file and scale

    Prepared prepare(const Object3DDef& def, Entity self) const;
    std::shared_ptr<const TriangleMesh> surface_of(Mesh mesh, Entity self) const;
    std::optional<MassProperties> body_mass(const Object3DDef& def, schema::Context& context) const;
    void write_features(Entity e, const Prepared& prepared);
    static bool mass_follows(const Solid& solid);
    void write_mass(Entity e, const MassProperties& mass);
    void link(Entity e, const Prepared& prepared);
    void append_child(Entity parent, Entity child);
    void adopt(Entity parent, Entity child);
    void adopt_waiting(Entity parent);  // those that waited for its name
    void unlink(Entity e);
    void touch(Entity e);
    Object3DDef object(Entity e) const;
};

}  // namespace tactus
