#include <tactus/systems/structure/spanning_tree.hpp>

#include <tactus/components/joint.hpp>
#include <tactus/components/object3d.hpp>
#include <tactus/components/super_object.hpp>
#include <tactus/systems/definition_order.hpp>

#include <algorithm>
#include <numeric>
#include <vector>

namespace tactus::systems {

namespace {

// Disjoint sets of entities, with path halving.
class Connected {
public:
    bool unite(Entity a, Entity b) {  // false if they were connected already
        const std::size_t x = find(a);
        const std::size_t y = find(b);
        if (x == y) return false;
        parent_[std::max(x, y)] = std::min(x, y);
        return true;
    }

private:
    std::size_t find(Entity e) {
        std::size_t i = entt::to_entity(e);
        if (i >= parent_.size()) {
            const std::size_t old = parent_.size();
            parent_.resize(std::max(i + 1, 2 * old));
            std::iota(parent_.begin() + static_cast<std::ptrdiff_t>(old), parent_.end(), old);
        }
        while (parent_[i] != i) i = parent_[i] = parent_[parent_[i]];
        return i;
    }
    std::vector<std::size_t> parent_;
};

}  // namespace

void choose_spanning_tree(entt::registry& registry, Entity world) {
    registry.clear<CutJoint>();
    std::vector<Entity> carried_before_they_went;  // what is not in the model stays as it was
    for (const Entity e : registry.view<Absent>())
        if (registry.all_of<CarriedByJoints>(e)) carried_before_they_went.push_back(e);
    registry.clear<CarriedByJoints>();
    for (const Entity e : carried_before_they_went) registry.emplace<CarriedByJoints>(e);
    auto joints = registry.view<const Joint>();
    if (joints.begin() == joints.end()) return;  // parents alone always make a tree

    Connected connected;
    std::vector<Entity> automatic;
    for (const auto [e, object] : registry.view<const Object3D>().each()) {
        if (object.parent == entt::null || registry.all_of<Absent>(e)) continue;
        if (object.uses_parent())
            connected.unite(e, object.parent);
        else
            automatic.push_back(e);
    }
    for (const Entity e : in_definition_order<Joint>(registry)) {
        const Joint& joint = registry.get<Joint>(e);
        if (!connected.unite(joint.object1.entity, joint.object2.entity)) registry.emplace<CutJoint>(e);
    }
    for (const Entity e : by_serial(registry, std::move(automatic)))
        if (!connected.unite(e, world)) registry.emplace<CarriedByJoints>(e);
}

}  // namespace tactus::systems
