// World: joints, force elements, drives, paths and records, and what they refer to.
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/engine/world_impl.hpp>

#include <algorithm>

namespace tactus {

using schema::Context;

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
    const auto must_differ = [&](const auto& pair) {
        if constexpr (requires { pair.object1; }) {
            if (pair.object1 == pair.object2) wrong("object2", pair.object2, "must be another object than object1");
        } else if constexpr (requires { pair.flange1; }) {
            if (pair.flange1 == pair.flange2 && !pair.flange1.empty())
                wrong("flange2", pair.flange2, "must be another flange than flange1");
        }
    };
    must_differ(def);
    if constexpr (requires { def.type; }) std::visit(must_differ, def.type);
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

Entity World::add_joint(const JointDef& def) {
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
    if (const PathColumn* column = path_column(def.type)) {
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

}  // namespace tactus
