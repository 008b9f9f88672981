// World: names, references, elements other than Object3Ds, removal, structure.
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/engine/world_impl.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace tactus {

using schema::Context;

namespace {

struct WorldMark {};  // in the context of a registry that a World stands on

constexpr std::size_t longest_name = 1000;

void throw_if_any(std::vector<Issue>& issues) {
    if (!issues.empty()) throw InputError(std::move(issues));
}

template<class... Component> void clear_components(entt::registry& registry) { (registry.clear<Component>(), ...); }

void clear_all_components(entt::registry& registry) {
    clear_components<Name, Object3D, Placement, InitialMotion, Lockable, AssemblyRoot, CarriedByJoints, PendingParent,
                     Children, UsedBy, Scene, Solid, BodyMass, Visual, Joint, ForceElement, Drive, ReferencePath,
                     Record, MemberOf, SuperObject, RootMass, CutJoint>(registry);
}

}  // namespace

// ---- life ----------------------------------------------------------------------------------------------------------

World::Impl::Impl(WorldOptions o)
    : options{std::move(o)}, own_registry{options.registry ? nullptr : std::make_unique<entt::registry>()},
      registry{options.registry ? *options.registry : *own_registry} {
    if (options.workers < 0 || options.workers > 1024)
        throw InputError({"", "", "workers", std::to_string(options.workers), "must be from 0 to 1024"});
    if (registry.ctx().contains<WorldMark>())
        throw InputError({"", "", "registry", "", "carries a World already: give each World a registry of its own"});
    registry.ctx().emplace<WorldMark>();
}

World::Impl::~Impl() {
    if (own_registry) return;
    clear_all_components(registry);
    registry.ctx().erase<WorldMark>();
}

World::World(WorldOptions options) : impl_{std::make_unique<Impl>(std::move(options))} {}
World::~World() = default;
World::World(World&&) noexcept = default;
World& World::operator=(World&&) noexcept = default;

entt::registry& World::registry() { return impl_->registry; }
const entt::registry& World::registry() const { return impl_->registry; }

tf::Executor& World::executor() {
    if (impl_->options.executor) return *impl_->options.executor;
    if (!impl_->own_executor) impl_->own_executor = make_executor(static_cast<std::size_t>(impl_->options.workers));
    return *impl_->own_executor;
}

// ---- names and references ------------------------------------------------------------------------------------------

void World::Impl::check_name(const std::string& name, Context& context) const {
    const Context::Step step{context, "name"};
    const auto bad = [](char c) { return static_cast<unsigned char>(c) <= ' ' || c == '"' || c == '/' || c == 127; };
    if (name.size() > longest_name)
        return context.fail(std::to_string(name.size()) + " characters", "must not be longer than 1000");
    if (name.front() == '.' || name.back() == '.' || name.find("..") != std::string::npos ||
        std::any_of(name.begin(), name.end(), bad))
        return context.fail(schema::in_quotes(name),
                            "must be parts separated by dots, without spaces, slashes or quotes");
    if (names.contains(name)) context.fail(schema::in_quotes(name), "there is an element of this name already");
}

Entity World::Impl::create(const std::string& name) {
    const Entity e = registry.create();
    registry.emplace<Name>(e, name, next_serial++);
    names.emplace(name, e);
    return e;
}

Entity World::Impl::find(std::string_view path) const {
    const auto found = names.find(path);
    return found == names.end() ? Entity{entt::null} : found->second;
}

unsigned World::Impl::kind_of(Entity e) const {
    if (registry.all_of<Object3D>(e)) return schema::object_kind;
    if (registry.all_of<Joint>(e)) return schema::joint_kind;
    if (registry.all_of<ForceElement>(e)) return schema::force_kind;
    if (registry.all_of<Drive>(e)) return schema::drive_kind;
    if (registry.all_of<ReferencePath>(e)) return schema::path_kind;
    if (registry.all_of<Record>(e)) return schema::record_kind;
    return 0;
}

std::string World::Impl::unknown_name(const std::string& path, unsigned kinds) const {
    const auto kind_words = [](unsigned k) {
        std::string words;
        const auto add = [&words](const char* word) { words += (words.empty() ? "" : " or ") + std::string{word}; };
        if (k & schema::object_kind) add("Object3D");
        if (k & schema::joint_kind) add("joint");
        if (k & schema::force_kind) add("force element");
        if (k & schema::drive_kind) add("drive");
        if (k & schema::path_kind) add("path");
        if (k & schema::record_kind) add("record");
        return words;
    };
    if (const Entity e = find(path); e != entt::null)
        return "is a " + kind_words(kind_of(e)) + ", not a " + kind_words(kinds);
    std::vector<std::string> candidates;
    for (const auto& [candidate, e] : names)
        if (kind_of(e) & kinds) candidates.push_back(candidate);
    std::sort(candidates.begin(), candidates.end());
    const std::string meant = candidates.size() < 10000 ? schema::nearest(path, candidates) : "";
    return "there is no " + kind_words(kinds) + " of this name" +
           (meant.empty() ? "" : "; did you mean " + meant + "?");
}

// Checks a definition against its table and turns every name in it into an entity.
template<class Def> void World::Impl::check_and_resolve(Def& def, Context& context) const {
    schema::check_definition(def, context);
    schema::for_each_ref(def, context, [&](Ref& ref, const schema::Rule& rule) {
        if (ref.empty()) return;  // judged by the check
        const std::string given = ref.path;
        if (!ref.path.empty()) ref.entity = find(ref.path);
        if (ref.entity == entt::null || !registry.valid(ref.entity) || !(kind_of(ref.entity) & rule.kinds))
            return context.fail(schema::in_quotes(given), unknown_name(given, rule.kinds));
        ref.path.clear();
        if (rule.kinds & schema::joint_kind) check_flange(ref, context);
    });
}

void World::Impl::check_flange(const Ref& flange, Context& context) const {
    const std::string& path = registry.get<Name>(flange.entity).path;
    if (const auto* joint = registry.try_get<Joint>(flange.entity)) {
        if (!std::holds_alternative<Revolute>(joint->type) && !std::holds_alternative<Prismatic>(joint->type))
            context.fail(schema::in_quotes(path), "must be a Revolute or a Prismatic joint");
    } else if (const auto* drive = registry.try_get<Drive>(flange.entity)) {
        if (!std::holds_alternative<RotorInertia>(drive->type) && !std::holds_alternative<SlidingMass>(drive->type))
            context.fail(schema::in_quotes(path), "must be a RotorInertia or a SlidingMass");
    }
}

// Notes on everything that `def` refers to that `element` needs it.
template<class Def> void World::Impl::use(Def& def, Entity element) {
    std::vector<Issue> none;
    Context context{none, false};
    schema::for_each_ref(def, context, [&](const Ref& ref, const schema::Rule&) {
        if (ref.entity == entt::null) return;
        auto& users = registry.get_or_emplace<UsedBy>(ref.entity).elements;
        if (users.empty() || users.back() != element) users.push_back(element);
        if (registry.all_of<Object3D>(ref.entity)) touch(ref.entity);
    });
}

// The definition with names instead of entities.
template<class Def> Def World::Impl::named(Def def) const {
    std::vector<Issue> none;
    Context context{none, false};
    schema::for_each_ref(def, context, [&](Ref& ref, const schema::Rule&) {
        if (ref.entity != entt::null) ref = Ref{registry.get<Name>(ref.entity).path};
    });
    return def;
}

// Rules that need the elements referred to.
template<class Def> void World::Impl::check_partners(const Def& def, Context& context) const {
    const auto wrong = [&](std::string_view key, const Ref& ref, const char* allowed) {
        const Context::Step step{context, key};
        context.fail(schema::in_quotes(registry.get<Name>(ref.entity).path), allowed);
    };
    if constexpr (std::is_same_v<Def, ForceDef>) {
        const auto needs_mesh = [&](std::string_view key, const Ref& ref) {
            const auto* solid = registry.try_get<Solid>(ref.entity);
            if (!solid || !solid->shape || !std::holds_alternative<Mesh>(*solid->shape))
                wrong(key, ref, "must be a Solid with a Mesh");
        };
        if (const auto* contact = std::get_if<PolygonalContact>(&def.type)) {
            needs_mesh("object1", contact->object1);
            needs_mesh("object2", contact->object2);
        }
    } else if constexpr (std::is_same_v<Def, RecordDef>) {
        if (const auto* record = std::get_if<ContactRecord>(&def.type))
            for (const auto& [key, ref] :
                 {std::pair{"object1", record->object1}, std::pair{"object2", record->object2}})
                if (!registry.get<Object3D>(ref.entity).collidable) wrong(key, ref, "must be collidable");
    } else if constexpr (std::is_same_v<Def, DriveDef>) {
        const auto turns = [this](const Ref& ref) {
            if (const auto* joint = registry.try_get<Joint>(ref.entity))
                return std::holds_alternative<Revolute>(joint->type);
            return std::holds_alternative<RotorInertia>(registry.get<Drive>(ref.entity).type);
        };
        std::visit(
            [&]<class T>(const T& drive) {
                if constexpr (requires { drive.flange1; }) {
                    if (drive.flange1.empty() && drive.flange2.empty()) {
                        const Context::Step step{context, "flange1"};
                        context.fail("", "one of the two flanges must not be the ground");
                    } else if (!drive.flange1.empty() && !drive.flange2.empty() &&
                               turns(drive.flange1) != turns(drive.flange2)) {
                        wrong("flange2", drive.flange2, "one flange turns and the other slides");
                    }
                }
            },
            def.type);
    }
}

template<class Component, class Def> Entity World::Impl::add_element(Def def, Component (*to_component)(const Def&)) {
    std::vector<Issue> issues;
    Context context{issues, false};
    if (def.name.empty()) def.name = "element" + std::to_string(next_serial);
    context.enter_element(def.name);
    check_name(def.name, context);
    check_and_resolve(def, context);
    if (issues.empty()) check_partners(def, context);
    throw_if_any(issues);
    const Entity e = create(def.name);
    registry.emplace<Component>(e, to_component(def));
    use(def, e);
    return e;
}

// ---- definition ----------------------------------------------------------------------------------------------------

Entity World::scene(const Scene& scene) {
    Impl& w = *impl_;
    std::vector<Issue> issues;
    Context context{issues, false};
    context.enter_element(scene.name);
    if (w.root != entt::null)
        throw InputError({"", scene.name, "scene", "",
                          "there is a Scene already (\"" + scene_of().name + "\"): a World has exactly one"});
    schema::check_definition(scene, context);
    if (!scene.name.empty()) w.check_name(scene.name, context);
    throw_if_any(issues);
    const Entity e = w.create(scene.name);
    w.root = e;
    w.registry.emplace<Object3D>(e).rule = ParentRule::none;
    w.registry.emplace<Placement>(e);
    w.registry.emplace<MemberOf>(e);
    w.registry.emplace<Scene>(e, scene);
    std::vector<Entity> children = std::exchange(w.without_world, {});
    if (const auto found = w.waiting.find(scene.name); found != w.waiting.end()) {
        children.insert(children.end(), found->second.begin(), found->second.end());
        w.waiting.erase(found);
    }
    for (const Entity child : children) {
        w.registry.remove<PendingParent>(child);
        w.registry.get<Object3D>(child).parent = e;
        w.append_child(e, child);
    }
    w.changes.everything = true;
    return e;
}

Entity World::add_joint(const JointDef& def) {
    if (def.object1 == def.object2 && !def.object1.empty())
        throw InputError(
            {"", def.name, "object2", schema::in_quotes(def.object2.path), "must be another object than object1"});
    const Entity e = impl_->add_element<Joint, JointDef>(
        def, +[](const JointDef& d) {
            return Joint{d.object1, d.object2, d.type, d.can_collide};
        });
    impl_->changes.everything = true;
    return e;
}

Entity World::add_force(const ForceDef& def) {
    return impl_->add_element<ForceElement, ForceDef>(
        def, +[](const ForceDef& d) { return ForceElement{d.type}; });
}

Entity World::add_drive(const DriveDef& def) {
    if (const auto* servo = std::get_if<Servo>(&def.type))
        if (const auto* column = std::get_if<PathColumn>(&servo->reference)) {
            const Entity path = find(column->path);
            const auto* reference = path == entt::null ? nullptr : registry().try_get<ReferencePath>(path);
            if (!reference)
                throw InputError({"", def.name, "reference.path", schema::in_quotes(column->path),
                                  impl_->unknown_name(column->path, schema::path_kind)});
            if (column->column < 1 || static_cast<std::size_t>(column->column) > reference->position.size())
                throw InputError({"", def.name, "reference.column", std::to_string(column->column),
                                  "must be from 1 to " + std::to_string(reference->position.size())});
        }
    return impl_->add_element<Drive, DriveDef>(
        def, +[](const DriveDef& d) { return Drive{d.type}; });
}

Entity World::add_path(const PathDef& def) {
    return impl_->add_element<ReferencePath, PathDef>(
        def, +[](const PathDef& d) { return d.path; });
}

Entity World::add_record(const RecordDef& def) {
    return impl_->add_element<Record, RecordDef>(
        def, +[](const RecordDef& d) { return Record{d.type}; });
}

void World::set_actions(const std::vector<Action>& actions) {
    const Impl& w = *impl_;
    std::vector<Issue> issues;
    Context context{issues, false};
    const auto lockable = [&](std::string_view key, const std::string& path) {
        const Context::Step step{context, key};
        const Entity e = w.find(path);
        if (e == entt::null || !w.registry.all_of<Object3D>(e))
            context.fail(schema::in_quotes(path), w.unknown_name(path, schema::object_kind));
        else if (!w.registry.all_of<Lockable>(e))
            context.fail(schema::in_quotes(path), "is not lockable: set lockable to true");
    };
    // What an action moves must be fixed to an assembly root, or be the root itself.
    const auto in_assembly = [&](const std::string& path) {
        const Entity lock = w.find(path);
        if (lock == entt::null || !w.registry.all_of<Object3D>(lock)) return;  // reported already
        for (Entity e = lock; e != entt::null; e = w.registry.get<Object3D>(e).parent) {
            if (w.registry.all_of<AssemblyRoot>(e)) return;
            if (w.registry.get<Object3D>(e).free) break;
        }
        const Context::Step step{context, "lock"};
        context.fail(schema::in_quotes(path),
                     "belongs to no assembly: fix it to an object with assemblyRoot set to true");
    };
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const Context::Step list{context, "actions"};
        const Context::Step step{context, i};
        schema::check_definition(actions[i], context);
        std::visit(
            [&]<class A>(const A& action) {
                if constexpr (requires { action.lock; }) {
                    lockable("lock", action.lock);
                    in_assembly(action.lock);
                }
                if constexpr (requires { action.to; }) lockable("to", action.to);
                if constexpr (requires { action.new_lock; }) {
                    lockable("newLock", action.new_lock);
                    lockable("oldLock", action.old_lock);
                }
                if constexpr (std::is_same_v<A, MoveAlongPath>) {
                    const Entity e = w.find(action.path);
                    const auto* path = e == entt::null ? nullptr : w.registry.template try_get<ReferencePath>(e);
                    if (path) return schema::check_rows(action.points, path->position.size(), context);
                    const Context::Step at{context, "path"};
                    context.fail(schema::in_quotes(action.path), w.unknown_name(action.path, schema::path_kind));
                }
            },
            actions[i]);
    }
    throw_if_any(issues);
    impl_->actions = actions;
}

// The element that a parameter path starts with (the longest name wins), and the rest of the path.
std::pair<Entity, std::string> World::Impl::split_parameter(const std::string& parameter) const {
    for (auto dot = parameter.rfind('.'); dot != std::string::npos && dot > 0; dot = parameter.rfind('.', dot - 1))
        if (const Entity e = find(parameter.substr(0, dot)); e != entt::null) return {e, parameter.substr(dot + 1)};
    return {entt::null, ""};
}

bool World::Impl::has_number(Entity e, const std::string& field) const {
    if (e != root && registry.all_of<Object3D>(e)) return schema::has_number(object(e), field);
    if (const auto* joint = registry.try_get<Joint>(e))
        return schema::has_number(JointDef{"", joint->object1, joint->object2, joint->type}, field);
    if (const auto* force = registry.try_get<ForceElement>(e))
        return schema::has_number(ForceDef{"", force->type}, field);
    if (const auto* drive = registry.try_get<Drive>(e)) return schema::has_number(DriveDef{"", drive->type}, field);
    return false;
}

void World::set_uncertainties(const std::vector<Uncertainty>& uncertainties) {
    std::vector<Issue> issues;
    Context context{issues, false};
    for (std::size_t i = 0; i < uncertainties.size(); ++i) {
        const Context::Step list{context, "uncertainties"};
        const Context::Step step{context, i};
        schema::check_definition(uncertainties[i], context);
        const std::string& parameter = uncertainties[i].parameter;
        const Context::Step at{context, "parameter"};
        const auto [element, field] = impl_->split_parameter(parameter);
        if (element == entt::null)
            context.fail(schema::in_quotes(parameter), "must start with the name of an element");
        else if (!impl_->has_number(element, field))
            context.fail(schema::in_quotes(parameter),
                         "'" + name(element) + "' has no number '" + field + "' that is set");
    }
    throw_if_any(issues);
    impl_->uncertainties = uncertainties;
}

void World::set_simulation(const Simulation& simulation) {
    std::vector<Issue> issues;
    Context context{issues, false};
    const Context::Step step{context, "simulation"};
    schema::check_definition(simulation, context);
    throw_if_any(issues);
    impl_->simulation = simulation;
}

void World::set_titles(std::string title, std::string description) {
    impl_->title = std::move(title);
    impl_->description = std::move(description);
}

void World::set_material(const std::string& name, const SolidMaterial& material) {
    Impl& w = *impl_;
    if (!material.density)  // nobody may be left without a mass
        for (const auto [e, solid] : w.registry.view<const Solid>().each())
            if (solid.material == name && solid.shape && !solid.mass && !solid.mass_properties)
                throw InputError({"", name, "density", "", "is needed for the mass of '" + this->name(e) + "'"});
    w.palettes->set(name, material);
    for (const auto [e, solid] : w.registry.view<const Solid>().each()) {
        if (solid.material != name || !solid.shape || solid.mass || solid.mass_properties) continue;
        const MassProperties mass = from_density(*solid.shape, *material.density);
        w.registry.get<Object3D>(e).massive = mass.mass > 0;
        if (mass.mass > 0)
            w.registry.emplace_or_replace<BodyMass>(e, mass);
        else
            w.registry.remove<BodyMass>(e);
        w.touch(e);
    }
}

void World::set_material(const std::string& name, const VisualMaterial& material) {
    impl_->palettes->set(name, material);
}

void World::set_contact_pair(const ContactPair& pair) { impl_->palettes->set(pair); }

// ---- look-up -------------------------------------------------------------------------------------------------------

Entity World::find(std::string_view path) const { return impl_->find(path); }

Entity World::at(std::string_view path) const {
    const Entity e = impl_->find(path);
    if (e == entt::null)
        throw InputError({"", "", "name", schema::in_quotes(path), impl_->unknown_name(std::string{path}, ~0u)});
    return e;
}

const std::string& World::name(Entity element) const {
    const auto* name = impl_->registry.valid(element) ? impl_->registry.try_get<Name>(element) : nullptr;
    if (!name) throw InputError({"", "", "entity", "", "is no element of this World"});
    return name->path;
}

std::vector<Entity> World::elements() const {
    std::vector<std::pair<std::uint64_t, Entity>> all;
    for (const auto [e, name] : std::as_const(impl_->registry).view<const Name>().each())
        all.emplace_back(name.serial, e);
    std::sort(all.begin(), all.end());
    std::vector<Entity> elements;
    for (const auto& [serial, e] : all) elements.push_back(e);
    return elements;
}

Entity World::root() const { return impl_->root; }

const Scene& World::scene_of() const {
    if (impl_->root == entt::null) throw InputError({"", "", "scene", "", "there is no Scene yet: call scene() once"});
    return impl_->registry.get<Scene>(impl_->root);
}

namespace {

template<class Component> const Component& element(const entt::registry& registry, Entity e, const char* kind) {
    const auto* component = registry.valid(e) ? registry.try_get<Component>(e) : nullptr;
    if (!component) throw InputError({"", "", "entity", "", std::string{"is no "} + kind + " of this World"});
    return *component;
}

}  // namespace

JointDef World::joint(Entity e) const {
    const Joint& joint = element<Joint>(impl_->registry, e, "joint");
    return impl_->named(JointDef{name(e), joint.object1, joint.object2, joint.type, joint.can_collide});
}

ForceDef World::force(Entity e) const {
    return impl_->named(ForceDef{name(e), element<ForceElement>(impl_->registry, e, "force element").type});
}

DriveDef World::drive(Entity e) const {
    return impl_->named(DriveDef{name(e), element<Drive>(impl_->registry, e, "drive").type});
}

PathDef World::path(Entity e) const { return {name(e), element<ReferencePath>(impl_->registry, e, "path")}; }

RecordDef World::record(Entity e) const {
    return impl_->named(RecordDef{name(e), element<Record>(impl_->registry, e, "record").type});
}

const std::vector<Action>& World::actions() const { return impl_->actions; }
const std::vector<Uncertainty>& World::uncertainties() const { return impl_->uncertainties; }
const Simulation& World::simulation() const { return impl_->simulation; }
const std::string& World::title() const { return impl_->title; }
const std::string& World::description() const { return impl_->description; }
const Palettes& World::materials() const { return *impl_->palettes; }

// ---- change --------------------------------------------------------------------------------------------------------

void World::replace_scene(const Scene& scene) {
    const std::string old = scene_of().name;
    std::vector<Issue> issues;
    Context context{issues, false};
    context.enter_element(old);
    schema::check_definition(scene, context);
    if (scene.name != old)
        issues.push_back({"", old, "name", schema::in_quotes(scene.name), "a name cannot be changed"});
    throw_if_any(issues);
    impl_->registry.get<Scene>(impl_->root) = scene;
}

void World::Impl::collect_dependents(Entity e, std::vector<Entity>& found) const {
    if (const auto* children = registry.try_get<Children>(e)) found = children->objects;
    if (const auto* used = registry.try_get<UsedBy>(e))
        found.insert(found.end(), used->elements.begin(), used->elements.end());
    if (registry.all_of<ReferencePath>(e))
        for (const auto [user, drive] : registry.view<const Drive>().each())
            if (const auto* servo = std::get_if<Servo>(&drive.type))
                if (const auto* column = std::get_if<PathColumn>(&servo->reference))
                    if (column->path == registry.get<Name>(e).path) found.push_back(user);
}

void World::Impl::destroy(Entity e) {
    if (registry.all_of<Object3D>(e)) {
        systems::note_removal(registry, e, changes);
        unlink(e);
    }
    if (registry.all_of<Joint>(e)) changes.everything = true;
    const auto forget = [&](auto def) {
        std::vector<Issue> none;
        Context context{none, false};
        schema::for_each_ref(def, context, [&](const Ref& ref, const schema::Rule&) {
            if (ref.entity == entt::null) return;
            std::erase(registry.get<UsedBy>(ref.entity).elements, e);
            if (registry.all_of<Object3D>(ref.entity)) touch(ref.entity);
        });
    };
    if (const auto* joint = registry.try_get<Joint>(e))
        forget(JointDef{"", joint->object1, joint->object2, joint->type});
    if (const auto* force = registry.try_get<ForceElement>(e)) forget(ForceDef{"", force->type});
    if (const auto* drive = registry.try_get<Drive>(e)) forget(DriveDef{"", drive->type});
    if (const auto* record = registry.try_get<Record>(e)) forget(RecordDef{"", record->type});
    names.erase(registry.get<Name>(e).path);
    registry.destroy(e);
}

void World::remove(Entity e, Dependents dependents) {
    Impl& w = *impl_;
    const std::string& path = name(e);
    if (e == w.root) throw InputError({"", path, "", "", "the Scene cannot be removed"});
    std::vector<Entity> all{e};  // breadth first: what needs e, what needs that, ...
    std::set<Entity> known{e};
    for (std::size_t i = 0; i < all.size(); ++i) {
        std::vector<Entity> found;
        w.collect_dependents(all[i], found);
        for (const Entity d : found)
            if (known.insert(d).second) all.push_back(d);
    }
    if (dependents == Dependents::refuse && all.size() > 1) {
        std::string list;
        for (std::size_t i = 1; i < all.size() && i <= 5; ++i) list += (i > 1 ? ", '" : "'") + name(all[i]) + "'";
        if (all.size() > 6) list += " and " + std::to_string(all.size() - 6) + " more";
        throw InputError({"", path, "", "", "is needed by " + list + ": remove these first, or with it"});
    }
    std::set<std::string, std::less<>> gone;
    for (const Entity d : all) gone.insert(name(d));
    for (std::size_t i = 0; i < w.actions.size(); ++i)
        std::visit(
            [&]<class A>(const A& action) {
                const auto check = [&](const std::string& used) {
                    if (gone.contains(used))
                        throw InputError(
                            {"", path, "", "", "action " + std::to_string(i + 1) + " refers to '" + used + "'"});
                };
                if constexpr (requires { action.lock; }) check(action.lock);
                if constexpr (requires { action.to; }) check(action.to);
                if constexpr (requires { action.new_lock; }) check(action.new_lock), check(action.old_lock);
                if constexpr (requires { action.path; }) check(action.path);
            },
            w.actions[i]);
    for (const Uncertainty& u : w.uncertainties)
        if (known.contains(w.split_parameter(u.parameter).first))
            throw InputError({"", path, "", "", "the uncertainty of '" + u.parameter + "' refers to it"});
    std::reverse(all.begin(), all.end());  // users before what they use
    for (const Entity d : all) w.destroy(d);
}

void World::clear() {
    Impl& w = *impl_;
    std::vector<Entity> all = elements();
    if (w.own_registry)
        w.registry.destroy(all.begin(), all.end());
    else
        clear_all_components(w.registry);
    w.palettes = std::make_unique<Palettes>(&Palettes::project());
    w.root = entt::null;
    w.names.clear();
    w.waiting.clear();
    w.without_world.clear();
    w.actions.clear();
    w.uncertainties.clear();
    w.simulation = {};
    w.title.clear();
    w.description.clear();
    w.changes = {};
}

// ---- structure -----------------------------------------------------------------------------------------------------

void World::update_structure() {
    Impl& w = *impl_;
    if (w.root == entt::null) throw InputError({"", "", "scene", "", "there is no Scene: call scene() once"});
    if (!w.changes.any()) return;
    const systems::StructureChanges changes = std::exchange(w.changes, {});  // all of it, should this one fail
    systems::update_structure(w.registry, w.root, changes);
    w.changes.everything = false;
}

std::vector<Entity> World::super_objects() {
    update_structure();
    return systems::super_object_order(impl_->registry, impl_->root);
}

const SuperObject& World::super_object(Entity root) {
    update_structure();
    return element<SuperObject>(impl_->registry, root, "root of a super-object");
}

Entity World::root_of(Entity object) {
    update_structure();
    return element<MemberOf>(impl_->registry, object, "Object3D").root;
}

const MassProperties* World::mass_of(Entity root) {
    update_structure();
    const auto* mass = impl_->registry.try_get<RootMass>(root);
    return mass ? &mass->properties : nullptr;
}

std::vector<std::pair<Entity, Entity>> World::excluded_pairs() {
    return systems::excluded_pairs(impl_->registry, super_objects());
}

std::vector<Issue> World::warnings() {
    update_structure();
    const Impl& w = *impl_;
    // For each contact material: does it occur on the world's super-object, and one or two moving ones that carry it?
    struct Use {
        bool fixed = false;
        std::vector<Entity> moving;  // roots, two are enough
    };
    std::map<std::string, Use> uses;
    for (const auto [e, solid, member] : w.registry.view<const Solid, const MemberOf>().each()) {
        if (!solid.collidable) continue;
        Use& use = uses[solid.touching_material()];
        if (member.root == w.root)
            use.fixed = true;
        else if (use.moving.size() < 2 &&
                 std::find(use.moving.begin(), use.moving.end(), member.root) == use.moving.end())
            use.moving.push_back(member.root);
    }
    std::vector<Issue> issues;
    for (const Entity root : systems::super_object_order(w.registry, w.root)) {
        const SuperObject& so = w.registry.get<SuperObject>(root);
        if (root != w.root && so.joint == entt::null && !w.registry.all_of<RootMass>(root) && so.children.empty())
            issues.push_back({"", name(root), "free", "true", "moves freely but has no mass: it cannot be simulated"});
    }
    if (!w.uncertainties.empty() && w.simulation.uncertainty == UncertaintyMethod::None)
        issues.push_back({"", "", "simulation.uncertainty", "\"none\"", "the uncertainties will not be propagated"});
    for (auto a = uses.begin(); a != uses.end(); ++a)
        for (auto b = a; b != uses.end(); ++b) {
            const bool same = a == b;
            const bool can_meet = (a->second.fixed && !b->second.moving.empty()) ||
                                  (b->second.fixed && !a->second.moving.empty()) ||
                                  (same ? a->second.moving.size() > 1
                                        : !a->second.moving.empty() && !b->second.moving.empty() &&
                                              (a->second.moving.size() > 1 || b->second.moving.size() > 1 ||
                                               a->second.moving[0] != b->second.moving[0]));
            if (!can_meet) continue;
            if (const std::string defect = w.palettes->contact_defect(a->first, b->first); !defect.empty())
                issues.push_back({"", "", "materials", schema::in_quotes(a->first) + ", " + schema::in_quotes(b->first),
                                  defect + ": should such objects touch, the simulation ends with an error"});
        }
    return issues;
}

}  // namespace tactus
