// World: actions, uncertainties and the way it wants to be run.
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/engine/utf8.hpp>
#include <tactus/engine/world_impl.hpp>
#include <tactus/systems/actions/assembly.hpp>

namespace tactus {

using schema::Context;

// What can be said about an action before it is its turn.
void World::Impl::check_action(const Action& any, Context& context) const {
    const auto lockable = [&](std::string_view key, const std::string& path) {
        const Context::Step step{context, key};
        const Entity e = find(path);
        if (e == entt::null || !registry.all_of<Object3D>(e))
            context.fail(schema::in_quotes(path), unknown_name(path, schema::object_kind, context.count()));
        else if (!registry.all_of<Lockable>(e))
            context.fail(schema::in_quotes(path), "is not lockable: set lockable to true");
    };
    const auto assembly = [&](const std::string& path) {
        const Entity e = find(path);
        return e != entt::null && registry.all_of<Object3D>(e) ? systems::assembly_of(registry, e) : Entity{entt::null};
    };
    const auto in_assembly = [&](std::string_view key, const std::string& path) {
        const Entity lock = find(path);  // what is no lockable object has been reported already
        if (lock == entt::null || !registry.all_of<Lockable>(lock) || assembly(path) != entt::null) return;
        const Context::Step step{context, key};
        context.fail(schema::in_quotes(path),
                     "belongs to no assembly: fix it to an object with assemblyRoot set to true");
    };
    const auto other_assembly = [&](const std::string& lock, const std::string& to) {
        const Context::Step step{context, "to"};
        if (const Entity own = assembly(lock); own != entt::null && own == assembly(to))
            context.fail(schema::in_quotes(to), "belongs to the same assembly as \"" + lock + "\"");
    };
    const auto named = [&](std::string_view key, const std::string& path, unsigned kinds) {
        const Context::Step step{context, key};
        const Entity e = find(path);
        if (e == entt::null || !(kind_of(e) & kinds))
            context.fail(schema::in_quotes(path), unknown_name(path, kinds, context.count()));
    };
    schema::check_definition(any, context);
    std::visit(
        [&]<class A>(const A& action) {
            if constexpr (requires { action.lock; }) {
                lockable("lock", action.lock);
                in_assembly("lock", action.lock);
                if constexpr (requires { action.to; }) other_assembly(action.lock, action.to);
            }
            if constexpr (requires { action.to; }) lockable("to", action.to);
            if constexpr (requires { action.new_lock; }) {
                lockable("newLock", action.new_lock);
                lockable("oldLock", action.old_lock);
                in_assembly("oldLock", action.old_lock);
            }
            if constexpr (std::is_same_v<A, Until>) {
                const bool of_joint = action.quantity == Quantity::Force || action.quantity == Quantity::Torque;
                named("of", action.of, of_joint ? schema::joint_kind : schema::object_kind);
                if (!action.from.empty()) named("from", action.from, schema::object_kind);
            }
            if constexpr (std::is_same_v<A, MoveAlongPath>) {
                const Entity e = find(action.path);
                const auto* path = e == entt::null ? nullptr : registry.template try_get<ReferencePath>(e);
                if (path) return schema::check_rows(action.points, path->position.size(), context);
                named("path", action.path, schema::path_kind);
            }
        },
        any);
}

void World::set_actions(const std::vector<Action>& actions) {
    impl_->refuse_while_moving("set_actions");
    std::vector<Issue> issues;
    Context context{issues, false};
    for (std::size_t i = 0; i < actions.size(); ++i) {
        const Context::Step list{context, "actions"};
        const Context::Step step{context, i};
        impl_->check_action(actions[i], context);
    }
    throw_if_any(issues);
    impl_->actions = actions;
    impl_->set_action_program();
}

// The element that a parameter path starts with (the longest name wins), and the rest of the path.
std::pair<Entity, std::string> World::Impl::split_parameter(const std::string& parameter) const {
    const std::string_view path = parameter;
    for (auto dot = path.rfind('.', schema::longest_name); dot != path.npos && dot > 0; dot = path.rfind('.', dot - 1))
        if (const Entity e = find(path.substr(0, dot)); e != entt::null) return {e, parameter.substr(dot + 1)};
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
    impl_->start_anew_if_only_looked_at();
    impl_->definitions_changed();
}

void World::set_folder(std::filesystem::path folder) { impl_->options.folder = std::move(folder); }

void World::set_titles(std::string title, std::string description) {
    std::vector<Issue> issues;
    Context context{issues, false};
    for (const auto& [key, text] : {std::pair{"title", &title}, std::pair{"description", &description}}) {
        const Context::Step step{context, key};
        if (!is_utf8(*text)) context.fail(schema::in_quotes(*text), "must be valid UTF-8");
    }
    throw_if_any(issues);
    impl_->title = std::move(title);
    impl_->description = std::move(description);
}

const std::vector<Action>& World::actions() const { return impl_->actions; }
const std::vector<Uncertainty>& World::uncertainties() const { return impl_->uncertainties; }
const Simulation& World::simulation() const { return impl_->simulation; }
const std::string& World::title() const { return impl_->title; }
const std::string& World::description() const { return impl_->description; }
const Palettes& World::materials() const { return *impl_->palettes; }

}  // namespace tactus
