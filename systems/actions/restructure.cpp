#include <tactus/systems/actions/restructure.hpp>

#include <tactus/components/super_object.hpp>
#include <tactus/systems/definition_order.hpp>

#include <algorithm>
#include <unordered_set>

namespace tactus::systems {

namespace {

// Before the first action on an object: reset brings this back.
void remember(entt::registry& registry, Entity object) {
    if (registry.all_of<DefinedAs>(object)) return;
    const Object3D& self = registry.get<Object3D>(object);
    // Where joints carry it, an automatic parent means none; whether they do is not seen any more once actions hold it.
    const ParentRule rule = registry.all_of<CarriedByJoints>(object) ? ParentRule::none : self.rule;
    registry.emplace<DefinedAs>(object, rule == ParentRule::none ? Entity{entt::null} : self.parent, rule, self.free,
                                registry.get<Placement>(object));
}

void touch(entt::registry& registry, Entity object, StructureChanges& changes) {
    if (changes.everything) return;
    changes.objects.push_back(object);
    if (const Entity root = registry.get<MemberOf>(object).root; root != entt::null) changes.roots.push_back(root);
}

void take_out_with_users(entt::registry& registry, Entity element) {
    registry.emplace_or_replace<Absent>(element);
    if (const auto* used = registry.try_get<UsedBy>(element))
        for (const Entity user : std::vector<Entity>{used->elements})
            if (!registry.all_of<Absent>(user)) take_out_with_users(registry, user);
}

}  // namespace

void relink(entt::registry& registry, Entity object, const Link3D& link) {
    Object3D& self = registry.get<Object3D>(object);
    if (self.parent != entt::null) {
        auto& siblings = registry.get<Children>(self.parent).objects;
        siblings.erase(place_in_order(registry, siblings, object));
        if (siblings.empty()) registry.erase<Children>(self.parent);
    }
    self.parent = link.parent;
    self.rule = link.rule;
    self.free = link.free;
    registry.remove<CarriedByJoints>(object);
    if (link.parent == entt::null) return;
    auto& siblings = registry.get_or_emplace<Children>(link.parent).objects;
    siblings.insert(place_in_order(registry, siblings, object), object);
}

void fix_to(entt::registry& registry, Entity object, Entity by, const Pose& X_PB, StructureChanges& changes) {
    remember(registry, object);
    touch(registry, object, changes);
    if (registry.get<Object3D>(object).rule == ParentRule::none) changes.everything = true;
    relink(registry, object, {by, ParentRule::given, false});
    registry.get<Placement>(object) = {X_PB, Rotation{X_PB.q}};
    registry.remove<JointState>(object);
}

void let_move(entt::registry& registry, Entity object, Entity world, const JointState& state,
              StructureChanges& changes) {
    remember(registry, object);
    touch(registry, object, changes);
    relink(registry, object, {world, ParentRule::given, true});
    registry.emplace_or_replace<JointState>(object, state);
}

void let_hang(entt::registry& registry, Entity object, StructureChanges& changes) {
    remember(registry, object);
    changes.everything = true;
    relink(registry, object, {});
    registry.remove<JointState>(object);
}

void break_joint(entt::registry& registry, Entity joint, StructureChanges& changes) {
    take_out_with_users(registry, joint);
    registry.remove<JointState>(joint);
    changes.everything = true;
}

void take_out(entt::registry& registry, const std::vector<Entity>& carried, StructureChanges& changes) {
    const Entity object = carried.front();
    remember(registry, object);
    const std::unordered_set<Entity> out{carried.begin(), carried.end()};
    const Entity root = registry.get<MemberOf>(object).root;
    if (out.contains(root)) {
        if (auto* parent = registry.try_get<SuperObject>(registry.get<SuperObject>(root).parent))
            std::erase(parent->children, root);
    } else {  // the rest of its super-object stays
        SuperObject& rest = registry.get<SuperObject>(root);
        std::erase_if(rest.members, [&](Entity e) { return out.contains(e); });
        std::erase_if(rest.children, [&](Entity e) { return out.contains(e); });
        changes.roots.push_back(root);
    }
    for (const Entity e : carried) {
        take_out_with_users(registry, e);
        registry.remove<SuperObject>(e);
        registry.remove<RootMass>(e);
        registry.get<MemberOf>(e).root = entt::null;
    }
    relink(registry, object, {});
}

namespace {

template<class Component> std::optional<Component> copy_of(const entt::registry& registry, Entity e) {
    const auto* component = registry.try_get<Component>(e);
    return component ? std::optional{*component} : std::nullopt;
}

template<class Component> void write(entt::registry& registry, Entity e, const std::optional<Component>& component) {
    if (component)
        registry.emplace_or_replace<Component>(e, *component);
    else
        registry.remove<Component>(e);
}

}  // namespace

Snapshot snapshot(const entt::registry& registry, Entity object) {
    const Object3D& self = registry.get<Object3D>(object);
    return {object,
            {self.parent, self.rule, self.free},
            registry.get<Placement>(object),
            copy_of<JointState>(registry, object),
            copy_of<DefinedAs>(registry, object)};
}

void restore(entt::registry& registry, const Snapshot& snapshot) {
    relink(registry, snapshot.object, snapshot.link);
    registry.get<Placement>(snapshot.object) = snapshot.placement;
    write(registry, snapshot.object, snapshot.state);
    write(registry, snapshot.object, snapshot.defined);
}

bool put_back(entt::registry& registry, Entity object) {
    const auto* defined = registry.try_get<DefinedAs>(object);
    if (!defined) return false;
    relink(registry, object, {defined->parent, defined->rule, defined->free});
    registry.get<Placement>(object) = defined->placement;
    registry.erase<DefinedAs>(object);
    return true;
}

bool put_back_all(entt::registry& registry, StructureChanges& changes) {
    bool any = !registry.storage<Absent>().empty();
    registry.clear<Absent>();
    const auto view = registry.view<DefinedAs>();
    for (const Entity object : std::vector<Entity>{view.begin(), view.end()}) any |= put_back(registry, object);
    changes.everything |= any;
    return any;
}

}  // namespace tactus::systems
