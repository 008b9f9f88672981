// World: adding and changing Object3Ds.
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/engine/shapes/triangle_mesh.hpp>
#include <tactus/engine/world_impl.hpp>
#include <tactus/systems/actions/restructure.hpp>
#include <tactus/systems/definition_order.hpp>

#include <algorithm>
#include <cmath>

namespace tactus {

using schema::Context;

namespace {

// Takes over the issues of a failed sub-task, under the object's name.
void take_over(const InputError& error, const std::string& field, Context& context) {
    for (const Issue& issue : error.issues()) {
        const Context::Step step{context, issue.field.empty() ? field : issue.field};
        context.fail(issue.value, issue.allowed);
    }
}

// "a → b → c → a": from an object over its parent up to itself, or to the one that waits for it. The middle of a long
// chain is left out.
std::string chain_text(const entt::registry& registry, const std::string& name, Entity parent) {
    std::vector<std::string> chain{name};
    for (Entity e = parent; e != entt::null; e = registry.get<Object3D>(e).parent) {
        chain.push_back(registry.get<Name>(e).path);
        if (chain.back() == name) break;
    }
    if (chain.back() != name) chain.push_back(name);
    constexpr std::size_t head = 4, tail = 3;
    std::string text;
    for (std::size_t i = 0; i < chain.size(); ++i) {
        if (i == head && chain.size() > head + tail + 1) {
            text += " → (" + std::to_string(chain.size() - head - tail) + " more)";
            i = chain.size() - tail;
        }
        text += (i > 0 ? " → " : "") + chain[i];
    }
    return text;
}

}  // namespace

std::optional<MassProperties> World::Impl::body_mass(const Object3DDef& def, Context& context) const {
    if (def.resulting_feature() != Feature::Solid) return {};
    if (def.mass_properties) return def.mass_properties;
    if (def.mass) return from_mass(*def.shape, *def.mass);
    if (!def.shape || def.material.empty()) return {};
    const SolidMaterial* material = palettes->solid(def.material);
    if (!material) return {};  // reported already
    if (!material->density) {
        const Context::Step step{context, "material"};
        context.fail(schema::in_quotes(def.material),
                     "has no density: give mass or massProperties, or the material a density");
        return {};
    }
    return from_density(*def.shape, *material->density);
}

// The surface of a mesh: that of the object itself if it stays as it is, one that another object has loaded from the
// same file, or a new one.
std::shared_ptr<const TriangleMesh> World::Impl::surface_of(Mesh mesh, Entity self) const {
    if (self != entt::null) {
        const auto* solid = registry.try_get<Solid>(self);
        const auto* visual = registry.try_get<Visual>(self);
        const Shape* shape = solid && solid->shape ? &*solid->shape : visual ? &visual->shape : nullptr;
        if (const auto* old = shape ? std::get_if<Mesh>(shape) : nullptr; old && *old == mesh) return old->data;
    }
    if (mesh.file.empty()) {
        load_mesh(mesh, options.folder);
        return mesh.data;
    }
    std::error_code error;
    const auto path = std::filesystem::absolute(options.folder / mesh.file, error).lexically_normal();
    const auto written = std::filesystem::last_write_time(path, error);
    LoadedMesh& loaded = meshes[{path.string(), {mesh.scale.x(), mesh.scale.y(), mesh.scale.z()}}];
    if (auto surface = loaded.surface.lock(); surface && loaded.written == written) return surface;
    load_mesh(mesh, options.folder);
    loaded = {mesh.data, written};
    return mesh.data;
}

World::Impl::Prepared World::Impl::prepare(const Object3DDef& given, Entity self) const {
    std::vector<Issue> issues;
    Context context{issues, false};
    Prepared prepared{.def = given};
    Object3DDef& def = prepared.def;
    if (def.name.empty()) def.name = "object" + std::to_string(next_serial);
    context.enter_element(def.name);
    if (self == entt::null) check_name(def.name, context);
    schema::check_definition(def, context);

    const auto check_material = [&](std::string_view key, const std::string& name, bool known, bool visual) {
        if (name.empty() || known) return;
        const Context::Step step{context, key};
        context.fail(schema::in_quotes(name), unknown_material(name, visual));
    };
    check_material("material", def.material, palettes->solid(def.material), false);
    check_material("contactMaterial", def.contact_material, palettes->solid(def.contact_material), false);
    if (const auto* name = std::get_if<std::string>(&def.visual_material))
        check_material("visualMaterial", *name, palettes->visual(*name), true);

    {  // parent: an entity, a name, a name to come, or the world
        const Context::Step step{context, "parent"};
        Entity& parent = prepared.parent;
        if (def.parent.rule == ParentRule::automatic) {
            parent = root;
        } else if (def.parent.rule == ParentRule::given) {
            parent = def.parent.path.empty() ? def.parent.entity : find(def.parent.path);
            if (parent == entt::null)
                prepared.pending = def.parent.path;
            else if (!registry.valid(parent) || !registry.all_of<Object3D>(parent))
                context.fail(schema::in_quotes(def.parent.path),
                             def.parent.path.empty() ? "is no Object3D of this World"
                                                     : unknown_name(def.parent.path, schema::object_kind)),
                    parent = entt::null;
        }
        if (prepared.pending == def.name)
            context.fail(schema::in_quotes(def.name), "an object cannot be its own parent");
        // A cycle can only arise where the object is known already, or somebody waits for its name.
        if (self != entt::null || waiting.contains(def.name))
            for (Entity e = parent; e != entt::null; e = registry.get<Object3D>(e).parent) {
                const auto* pending = registry.try_get<PendingParent>(e);
                if (e != self && !(pending && pending->path == def.name)) continue;
                context.fail(schema::in_quotes(registry.get<Name>(parent).path),
                             "makes a cycle: " + chain_text(registry, def.name, parent));
                break;
            }
    }

    if (issues.empty() && def.shape) {
        if (auto* mesh = std::get_if<Mesh>(&*def.shape)) {
            try {
                mesh->data = surface_of(*mesh, self);
            } catch (const InputError& error) { take_over(error, "shape", context); }
        }
    }
    if (issues.empty()) {
        try {
            prepared.mass = body_mass(def, context);
            const auto& m = prepared.mass;
            if (m && !(std::isfinite(m->mass) && m->center_of_mass.allFinite() && m->inertia.allFinite())) {
                const Context::Step step{context, "shape"};
                context.fail("mass " + schema::text_of(m->mass),
                             "mass and inertia must be finite: other sizes are needed");
            }
        } catch (const InputError& error) { take_over(error, "shape", context); }
    }
    throw_if_any(issues);
    return prepared;
}

void World::Impl::append_child(Entity parent, Entity child) {
    auto& siblings = registry.get_or_emplace<Children>(parent).objects;
    siblings.insert(systems::place_in_order(registry, siblings, child), child);
}

void World::Impl::adopt(Entity parent, Entity child) {
    registry.remove<PendingParent>(child);
    registry.get<Object3D>(child).parent = parent;
    append_child(parent, child);
    touch(child);
}

void World::Impl::adopt_waiting(Entity parent) {
    const auto found = waiting.find(registry.get<Name>(parent).path);
    if (found == waiting.end()) return;
    const std::vector<Entity> children = std::move(found->second);
    waiting.erase(found);
    for (const Entity child : children) adopt(parent, child);
}

void World::Impl::unlink(Entity e) {
    if (const auto* pending = registry.try_get<PendingParent>(e)) {
        auto& children = waiting[pending->path];
        std::erase(children, e);
        if (children.empty()) waiting.erase(pending->path);
        registry.erase<PendingParent>(e);
    }
    std::erase(without_world, e);
    const Entity parent = registry.get<Object3D>(e).parent;
    if (parent == entt::null) return;
    auto& siblings = registry.get<Children>(parent).objects;
    siblings.erase(systems::place_in_order(registry, siblings, e));
    if (siblings.empty()) registry.erase<Children>(parent);
    registry.get<Object3D>(e).parent = entt::null;
}

void World::Impl::link(Entity e, const Prepared& prepared) {
    Object3D& object = registry.get<Object3D>(e);
    object.rule = prepared.def.parent.rule;
    object.free = prepared.def.free;
    object.parent = prepared.parent;
    if (object.parent != entt::null) {
        append_child(object.parent, e);
    } else if (!prepared.pending.empty()) {
        registry.emplace_or_replace<PendingParent>(e, prepared.pending);
        waiting[prepared.pending].push_back(e);
    } else if (object.rule == ParentRule::automatic && e != root) {
        without_world.push_back(e);
    }
}

void World::Impl::write_features(Entity e, const Prepared& prepared) {
    const Object3DDef& def = prepared.def;
    registry.emplace_or_replace<Placement>(e, Pose{def.translation, def.rotation.q()}, def.rotation);
    if (def.free)
        registry.emplace_or_replace<InitialMotion>(e, def.velocity, def.angular_velocity, def.angular_velocity_in_body);
    else
        registry.remove<InitialMotion>(e);
    const auto tag = [this, e]<class Tag>(Tag, bool on) {
        if (on)
            registry.emplace_or_replace<Tag>(e);
        else
            registry.remove<Tag>(e);
    };
    tag(Lockable{}, def.lockable);
    tag(AssemblyRoot{}, def.assembly_root);
    const Feature feature = def.resulting_feature();
    Object3D& object = registry.get<Object3D>(e);
    object.collidable = def.collidable;
    object.massive = prepared.mass && prepared.mass->mass > 0;
    object.visible = def.shape.has_value();
    if (feature == Feature::Solid)
        registry.emplace_or_replace<Solid>(e, Solid{def.shape, def.material, def.mass, def.mass_properties,
                                                    def.collidable, def.contact_material, def.smoothing_radius,
                                                    def.contact_sphere_radius, def.visual_material});
    else
        registry.remove<Solid>(e);
    if (feature == Feature::Visual)
        registry.emplace_or_replace<Visual>(e, Visual{*def.shape, def.visual_material});
    else
        registry.remove<Visual>(e);
    if (object.massive)
        registry.emplace_or_replace<BodyMass>(e, *prepared.mass);
    else
        registry.remove<BodyMass>(e);
}

void World::Impl::touch(Entity e) {
    if (changes.everything) return;
    changes.objects.push_back(e);
    if (const Entity old = registry.get<MemberOf>(e).root; old != entt::null) changes.roots.push_back(old);
}

Object3DDef World::Impl::object(Entity e) const {
    if (!registry.valid(e) || !registry.all_of<Object3D>(e) || e == root)
        throw InputError({"", "", "entity", "", "is no Object3D of this World (the Scene has its own functions)"});
    const Object3D& object = registry.get<Object3D>(e);
    const auto* defined = registry.try_get<DefinedAs>(e);  // unless it still is as it was defined
    const Placement& placement = defined ? defined->placement : registry.get<Placement>(e);
    Object3DDef def;
    def.name = registry.get<Name>(e).path;
    def.parent.rule = defined ? defined->rule : object.rule;
    if (const auto* pending = registry.try_get<PendingParent>(e))
        def.parent.path = pending->path;
    else if (def.parent.rule == ParentRule::given)
        def.parent.path = registry.get<Name>(defined ? defined->parent : object.parent).path;
    def.free = defined ? defined->free : object.free;
    def.translation = placement.X_PB.p;
    def.rotation = placement.rotation;
    if (const auto* initial = registry.try_get<InitialMotion>(e)) {
        def.velocity = initial->velocity;
        def.angular_velocity = initial->angular_velocity;
        def.angular_velocity_in_body = initial->in_body;
    }
    def.lockable = registry.all_of<Lockable>(e);
    def.assembly_root = registry.all_of<AssemblyRoot>(e);
    if (const auto* solid = registry.try_get<Solid>(e)) {
        def.shape = solid->shape;
        def.material = solid->material;
        def.mass = solid->mass;
        def.mass_properties = solid->mass_properties;
        def.collidable = solid->collidable;
        def.contact_material = solid->contact_material;
        def.smoothing_radius = solid->smoothing_radius;
        def.contact_sphere_radius = solid->contact_sphere_radius;
        def.visual_material = solid->visual_material;
        if (def.resulting_feature() != Feature::Solid) def.feature = Feature::Solid;
    } else if (const auto* visual = registry.try_get<Visual>(e)) {
        def.feature = Feature::Visual;
        def.shape = visual->shape;
        def.visual_material = visual->material;
    }
    return def;
}

// ---- the door ------------------------------------------------------------------------------------------------------

Entity World::add(const Object3DDef& def) {
    Impl& w = *impl_;
    const Impl::Prepared prepared = w.prepare(def, entt::null);
    const Entity e = w.create(prepared.def.name);
    w.registry.emplace<Object3D>(e);
    w.registry.emplace<MemberOf>(e);
    w.write_features(e, prepared);
    w.link(e, prepared);
    if (prepared.def.parent.rule == ParentRule::none) w.changes.everything = true;  // joints will have to carry it
    w.touch(e);
    w.adopt_waiting(e);
    return e;
}

Object3DDef World::object(Entity e) const { return impl_->object(e); }

void World::replace(Entity e, const Object3DDef& def) {
    Impl& w = *impl_;
    const Object3DDef old = w.object(e);
    if (def.name != old.name)
        throw InputError({"", old.name, "name", schema::in_quotes(def.name), "a name cannot be changed"});
    if (w.registry.all_of<Absent>(e))
        throw InputError({"", old.name, "", "", "an action has deleted it: reset() brings it back"});
    const Impl::Prepared prepared = w.prepare(def, e);
    // What actions have made of it stays, too: it is put aside for the change.
    std::optional<systems::Snapshot> acted;
    if (w.registry.all_of<DefinedAs>(e)) {
        acted = systems::snapshot(w.registry, e);
        systems::put_back(w.registry, e);
        w.changes.everything = true;
    }
    const Object3D before = w.registry.get<Object3D>(e);
    const bool parent_was_in_use = before.rule != ParentRule::none && !w.registry.all_of<CarriedByJoints>(e);
    w.touch(e);
    w.definitions_changed();
    // Where it is and how it moves stays, unless just that was changed.
    const bool placed_anew = def.free != old.free || prepared.parent != before.parent ||
                             def.translation != old.translation || !(def.rotation == old.rotation);
    const bool pushed = def.velocity != old.velocity || def.angular_velocity != old.angular_velocity ||
                        def.angular_velocity_in_body != old.angular_velocity_in_body;
    if (placed_anew) w.registry.remove<JointState>(e);
    w.unlink(e);
    w.write_features(e, prepared);
    w.link(e, prepared);
    if (auto* state = w.registry.try_get<JointState>(e); state && pushed) {
        const Vec3 w_P = def.angular_velocity_in_body ? Vec3{Quat{state->q.data() + 3} * def.angular_velocity}
                                                      : def.angular_velocity;
        std::copy_n(def.velocity.data(), 3, state->v.begin());
        std::copy_n(w_P.data(), 3, state->v.begin() + 3);
    }
    const Object3D& after = w.registry.get<Object3D>(e);
    if (!(parent_was_in_use && after.uses_parent()) && (before.rule != after.rule || before.free != after.free))
        w.changes.everything = true;  // the number of edges of the tree may change
    if (acted && !placed_anew) {
        acted->defined = {after.parent, after.rule, after.free, w.registry.get<Placement>(e)};
        if (const auto* state = w.registry.try_get<JointState>(e); state && acted->state) acted->state = *state;
        systems::restore(w.registry, *acted);
    }
}

}  // namespace tactus
