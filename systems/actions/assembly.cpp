#include <tactus/systems/actions/assembly.hpp>

#include <tactus/components/joint.hpp>
#include <tactus/components/object3d.hpp>
#include <tactus/components/super_object.hpp>

#include <algorithm>
#include <unordered_set>

namespace tactus::systems {

namespace {

bool parent_in_use(const entt::registry& registry, Entity object) {
    return registry.get<Object3D>(object).parent != entt::null && !registry.all_of<CarriedByJoints>(object);
}

}  // namespace

Hold hold_of(const entt::registry& registry, Entity object) {
    if (!parent_in_use(registry, object)) return Hold::jointed;
    return registry.get<Object3D>(object).free ? Hold::free : Hold::fixed;
}

Entity assembly_of(const entt::registry& registry, Entity object) {
    while (!registry.all_of<AssemblyRoot>(object)) {
        if (hold_of(registry, object) != Hold::fixed) return entt::null;
        object = registry.get<Object3D>(object).parent;
    }
    return object;
}

Entity top_of(const entt::registry& registry, Entity object) {
    while (hold_of(registry, object) == Hold::fixed) object = registry.get<Object3D>(object).parent;
    return object;
}

Entity carrying_joint(const entt::registry& registry, Entity object) {
    return registry.get<SuperObject>(registry.get<MemberOf>(object).root).joint;
}

std::vector<Entity> carried_by(const entt::registry& registry, Entity object) {
    const Entity cut =
        hold_of(registry, object) == Hold::jointed ? carrying_joint(registry, object) : Entity{entt::null};
    std::vector<Entity> found{object};
    std::unordered_set<Entity> known{object};
    const auto meet = [&](Entity e) {
        if (known.insert(e).second) found.push_back(e);
    };
    for (std::size_t i = 0; i < found.size(); ++i) {
        const Entity e = found[i];
        if (const auto* children = registry.try_get<Children>(e))
            for (const Entity child : children->objects)
                if (parent_in_use(registry, child)) meet(child);
        if (e != object && parent_in_use(registry, e)) meet(registry.get<Object3D>(e).parent);
        if (const auto* used = registry.try_get<UsedBy>(e))
            for (const Entity element : used->elements) {
                const auto* joint = registry.try_get<Joint>(element);
                if (!joint || element == cut || registry.all_of<Absent>(element)) continue;
                meet(joint->object1.entity == e ? joint->object2.entity : joint->object1.entity);
            }
    }
    return found;
}

std::vector<Entity> connected_roots(const entt::registry& registry, Entity world, const std::vector<Entity>& objects) {
    std::vector<Entity> roots;
    const auto add = [&](Entity root) {
        if (std::find(roots.begin(), roots.end(), root) == roots.end()) roots.push_back(root);
    };
    for (const Entity object : objects) {
        Entity top = registry.get<MemberOf>(object).root;
        if (top == world) {
            std::vector<Entity> below = carried_by(registry, object);
            std::sort(below.begin(), below.end());
            for (const Entity e : below) {
                const Entity root = registry.get<MemberOf>(e).root;
                if (root == world) continue;
                const Entity anchor = registry.get<SuperObject>(root).anchor;
                if (registry.get<MemberOf>(anchor).root == world) add(root);
            }
        } else {
            while (registry.get<SuperObject>(top).parent != world) top = registry.get<SuperObject>(top).parent;
            add(top);
        }
    }
    for (std::size_t i = 0; i < roots.size(); ++i)
        for (const Entity child : registry.get<SuperObject>(roots[i]).children) add(child);
    return roots;
}

}  // namespace tactus::systems
