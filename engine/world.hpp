// World: the public door. Definitions go in, entities come out; every call either does all of what it says or throws
// and leaves the World as it was.
//
// Units are SI, angles are in radians. A World is used by one thread at a time. Names are paths with dots,
// e.g. "robot.arm.link1", and are unique among all elements: objects, joints, force elements, drives, paths, records.
#pragma once

#include <tactus/components/super_object.hpp>
#include <tactus/engine/definitions.hpp>
#include <tactus/engine/errors.hpp>
#include <tactus/engine/materials/palettes.hpp>

#include <entt/entt.hpp>

#include <filesystem>
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

enum class Dependents { refuse, remove };  // what World::remove does with elements that need what is removed

class World {
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

    // ---- what it stands on ----

    entt::registry& registry();
    const entt::registry& registry() const;
    tf::Executor& executor();  // made on first use, unless the host brought one

private:
    friend void add_document(World& world, const SceneDocument& document, const std::filesystem::path& folder);

    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace tactus
