// World: removal, with what depends on it.
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/engine/world_impl.hpp>

#include <algorithm>
#include <set>

namespace tactus {

using schema::Context;

void World::Impl::collect_dependents(Entity e, std::vector<Entity>& found) const {
    if (const auto* children = registry.try_get<Children>(e)) found = children->objects;
    if (const auto* used = registry.try_get<UsedBy>(e))
        found.insert(found.end(), used->elements.begin(), used->elements.end());
    for (const auto [object, defined] : registry.view<const DefinedAs>().each())  // while actions hold it elsewhere
        if (defined.parent == e) found.push_back(object);
    if (registry.all_of<ReferencePath>(e))
        for (const auto [user, drive] : registry.view<const Drive>().each())
            if (const PathColumn* column = path_column(drive.type))
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
            if (ref.entity == entt::null || !registry.valid(ref.entity)) return;  // or gone already, just before
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
    definitions_changed();
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
                if constexpr (requires { action.of; }) check(action.of), check(action.from);
            },
            w.actions[i]);
    for (const ZeroCrossing& crossing : w.crossings)
        for (const Ref& ref : crossing.objects)
            if (known.contains(ref.entity))
                throw InputError({"", path, "", "",
                                  "the zero crossing '" + crossing.name + "' looks at '" + name(ref.entity) + "'"});
    for (const Uncertainty& u : w.uncertainties)
        if (known.contains(w.split_parameter(u.parameter).first))
            throw InputError({"", path, "", "", "the uncertainty of '" + u.parameter + "' refers to it"});
    std::reverse(all.begin(),
                 all.end());  // users before what they use: elements, latest first, then objects from below
    const auto objects =
        std::stable_partition(all.begin(), all.end(), [&w](Entity d) { return !w.registry.all_of<Object3D>(d); });
    std::sort(all.begin(), objects,
              [&w](Entity a, Entity b) { return w.registry.get<Name>(a).serial > w.registry.get<Name>(b).serial; });
    for (const Entity d : all) w.destroy(d);
}

void World::clear() {
    Impl& w = *impl_;
    w.refuse_while_moving("clear");
    w.programs.clear();  // first: what their coroutines hold may look at the World
    std::vector<Entity> all = elements();
    if (w.own_registry)
        w.registry.destroy(all.begin(), all.end());
    else
        w.clear_components();
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
    w.forget_motion();
    w.functions = {};
    w.contact_laws.clear();
    w.crossings.clear();
    w.time_events.clear();
    w.handlers.clear();
    w.watched_outdated = true;
    w.contact_detection.reset();
}

}  // namespace tactus
