// World: its life, its names, its Scene, its structure.
#include <tactus/engine/motion.hpp>
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/engine/utf8.hpp>

#include <algorithm>

namespace tactus {

using schema::Context;

namespace {

struct WorldMark {};  // in the context of a registry that a World stands on

void check_workers(int workers) {
    if (workers < 0 || workers > 1024)
        throw InputError({"", "", "workers", std::to_string(workers), "must be from 0 to 1024"});
}

}  // namespace

World::Impl::Impl(WorldOptions o)
    : options{std::move(o)}, own_registry{options.registry ? nullptr : std::make_unique<entt::registry>()},
      registry{options.registry ? *options.registry : *own_registry} {
    check_workers(options.workers);
    if (registry.ctx().contains<WorldMark>())
        throw InputError({"", "", "registry", "", "carries a World already: give each World a registry of its own"});
    registry.ctx().emplace<WorldMark>();
    forget_motion();
}

void World::Impl::clear_components() {
    const auto clear = [this]<class Component>(const Component*) { registry.clear<Component>(); };
    const auto clear_each = [&clear](const auto*... none) { (clear(none), ...); };
    std::apply(clear_each,
               std::tuple<Name*, Object3D*, Placement*, InitialMotion*, Lockable*, AssemblyRoot*, CarriedByJoints*,
                          PendingParent*, DefinedAs*, Absent*, Children*, UsedBy*, Scene*, Solid*, BodyMass*, Visual*,
                          Joint*, ForceElement*, Drive*, ReferencePath*, Record*, MemberOf*, SuperObject*, RootMass*,
                          CutJoint*, JointState*, DriveState*, PathMotion*>{});
}

World::Impl::~Impl() {
    programs.clear();  // first: what their coroutines hold may look at the World
    if (own_registry) return;
    clear_components();
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

void World::set_workers(int workers) {
    Impl& w = *impl_;
    w.refuse_while_moving("set_workers");
    check_workers(workers);
    if (w.options.executor)
        throw InputError({"", "", "workers", std::to_string(workers), "cannot be set: the host brought the executor"});
    w.options.workers = workers;
    w.workers = Workers{};  // before the executor that they are of
    w.own_executor = no_executor();
    if (w.motion->simulator) w.gather_workers(*this);
}

void World::Impl::check_name(const std::string& name, Context& context) const {
    const Context::Step step{context, "name"};
    if (name.size() > schema::longest_name)
        return context.fail(std::to_string(name.size()) + " characters", "must not be longer than 1000");
    if (!is_utf8(name)) return;  // judged by the check of the definition
    if (name.front() == '.' || name.back() == '.' || name.find("..") != std::string::npos ||
        name.find_first_of(" \"/") != std::string::npos || has_unseen_characters(name))
        return context.fail(schema::in_quotes(name),
                            "must be parts separated by dots, without spaces (of any kind), slashes or quotes");
    if (names.contains(name)) context.fail(schema::in_quotes(name), "there is an element of this name already");
}

Entity World::Impl::create(const std::string& name) {
    const Entity e = registry.create();
    registry.emplace<Name>(e, name, next_serial++);
    names.emplace(name, e);
    definitions_changed();
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

std::string World::Impl::unknown_name(const std::string& path, unsigned kinds, std::size_t issues_before) const {
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
    const auto with_article = [](const std::string& words) { return (words.starts_with('O') ? "an " : "a ") + words; };
    if (const Entity e = find(path); e != entt::null)
        return "is " + with_article(kind_words(kind_of(e))) + ", not " + with_article(kind_words(kinds));
    const std::string unknown = "there is no " + kind_words(kinds) + " of this name";
    if (!advise || issues_before >= most_issues || names.size() > 10000) return unknown;
    std::vector<std::string> candidates;
    for (const auto& [candidate, e] : names)
        if (kind_of(e) & kinds) candidates.push_back(candidate);
    std::sort(candidates.begin(), candidates.end());
    return unknown + schema::did_you_mean(path, candidates);
}

std::string World::Impl::unknown_material(const std::string& name, bool visual) const {
    const std::string unknown = "is no material of the palette";
    if (!advise) return unknown;
    return unknown +
           schema::did_you_mean(name, visual ? palettes->visual_names() : palettes->solid_names(), "there are");
}

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
    for (const Entity child : std::exchange(w.without_world, {})) w.adopt(e, child);
    w.adopt_waiting(e);
    w.changes.everything = true;
    return e;
}

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
    impl_->definitions_changed();
}

void World::update_structure() {
    Impl& w = *impl_;
    if (w.root == entt::null) throw InputError({"", "", "scene", "", "there is no Scene: call scene() once"});
    if (!w.changes.any()) return;
    std::vector<Entity> orphans;
    for (const auto [e, pending] : w.registry.view<const PendingParent>().each()) orphans.push_back(e);
    std::reverse(orphans.begin(), orphans.end());  // views run from the newest to the oldest
    std::vector<Issue> issues;
    for (const Entity e : orphans) {
        const std::string& parent = w.registry.get<PendingParent>(e).path;
        issues.push_back({"", name(e), "parent", schema::in_quotes(parent),
                          w.unknown_name(parent, schema::object_kind, issues.size())});
    }
    throw_if_any(issues);
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

}  // namespace tactus
