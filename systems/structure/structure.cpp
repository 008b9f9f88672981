#include <tactus/systems/structure/structure.hpp>

#include <tactus/components/force_element.hpp>
#include <tactus/components/joint.hpp>
#include <tactus/components/object3d.hpp>
#include <tactus/components/solid.hpp>
#include <tactus/components/super_object.hpp>
#include <tactus/engine/errors.hpp>
#include <tactus/engine/schema/context.hpp>
#include <tactus/systems/structure/spanning_tree.hpp>

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace tactus::systems {

namespace {

// A super-object that has been found but not walked yet: how it hangs on the one where it was found.
struct Found {
    Entity root = entt::null, parent = entt::null, anchor = entt::null, joint = entt::null;
    bool reversed = false;
};

// The walk of the augmented depth-first search.
class Walk {
public:
    Walk(entt::registry& registry, Entity world) : registry_{registry}, world_{world} {}

    // Walks the super-object of every entry and all unvisited ones that hang on them. Unvisited: MemberOf::root is null.
    void run(std::vector<Found> entries) {
        buffer_ = std::move(entries);
        for (std::size_t i = 0; i < buffer_.size(); ++i) walk(buffer_[i]);
    }

    std::size_t visited() const { return visited_; }

private:
    // One super-object: everything rigidly connected to found.root, in depth-first order.
    void walk(const Found found) {
        root_ = found.root;
        SuperObject& so = registry_.emplace<SuperObject>(root_);
        so.parent = found.parent;
        so.anchor = found.anchor;
        so.joint = found.joint;
        so.reversed = found.reversed;
        so.collides_with_parent = found.joint == entt::null || joints_.get(found.joint).can_collide;
        members_.get(root_) = {root_, 0, Pose{}};
        stack_.push_back(root_);
        while (!stack_.empty()) {
            const Entity object = stack_.back();
            stack_.pop_back();
            ++visited_;
            members_.get(object).index = static_cast<std::uint32_t>(so.members.size());
            so.members.push_back(object);
            if (object != world_) group(so, object);
            const std::size_t bottom = stack_.size();
            follow_edges(so, object);
            std::reverse(stack_.begin() + static_cast<std::ptrdiff_t>(bottom), stack_.end());  // first child on top
        }
        if (root_ != world_ && !so.mass.empty()) registry_.emplace_or_replace<RootMass>(root_, total_mass(so));
    }

    // Children first, then the own parent (when the walk came from below), then joints; each in the order of definition.
    void follow_edges(SuperObject& so, Entity object) {
        const Pose X_RB = members_.get(object).X_RB;
        if (children_.contains(object))
            for (const Entity child : children_.get(object).objects) {
                if (any_carried_ && carried_.contains(child)) continue;
                if (objects_.get(child).free)
                    mobile(so, child, object, entt::null, false);
                else
                    rigid(child, X_RB * placements_.get(child).X_PB);
            }
        const Object3D& self = objects_.get(object);
        if (self.parent != entt::null && !(any_carried_ && carried_.contains(object))) {
            if (self.free)
                mobile(so, self.parent, object, entt::null, true);
            else if (members_.get(self.parent).root == entt::null)
                rigid(self.parent, X_RB * placements_.get(object).X_PB.inverse());
        }
        if (!used_by_.contains(object)) return;
        for (const Entity element : used_by_.get(object).elements) {
            if (!joints_.contains(element) || absent_.contains(element)) continue;
            if (cut_joints_.contains(element)) {
                so.cut_joints.push_back(element);
                continue;
            }
            const Joint& joint = joints_.get(element);
            const bool reversed = joint.object2.entity == object;
            const Entity other = reversed ? joint.object1.entity : joint.object2.entity;
            if (const Fix* fix = std::get_if<Fix>(&joint.type)) {
                const Pose X_12{fix->translation, fix->rotation.q()};
                rigid(other, X_RB * (reversed ? X_12.inverse() : X_12));
            } else {
                mobile(so, other, object, element, reversed);
            }
        }
    }

    void rigid(Entity object, const Pose& X_RB) {
        MemberOf& member = members_.get(object);
        if (member.root != entt::null) return;  // where the walk came from
        if (!X_RB.p.allFinite())
            throw InputError({"", registry_.get<Name>(object).path, "translation",
                              schema::text_of(placements_.get(object).X_PB.p),
                              "its place in the super-object of '" + registry_.get<Name>(root_).path +
                                  "' is beyond what a double can hold"});
        member.root = root_;
        member.X_RB = X_RB;
        stack_.push_back(object);
    }

    void mobile(SuperObject& so, Entity object, Entity anchor, Entity joint, bool reversed) {
        const Entity root = members_.get(object).root;
        if (root == entt::null) {
            buffer_.push_back({object, root_, anchor, joint, reversed});
        } else {  // where the walk came from, or a super-object that is still valid and hangs here
            if (root != object) return;
            SuperObject& existing = registry_.get<SuperObject>(root);
            if (existing.anchor != anchor || existing.joint != joint) return;
            existing.parent = root_;
        }
        so.children.push_back(object);
    }

    // Seed 002, lines 13-36: which lists an object belongs to.
    void group(SuperObject& so, Entity object) const {
        const Object3D& self = objects_.get(object);
        const bool carried = object == root_;  // by a joint, or free
        bool at_force = false, at_cut_joint = false;
        if (used_by_.contains(object))
            for (const Entity element : used_by_.get(object).elements) {
                at_force = at_force || (forces_.contains(element) && !absent_.contains(element));
                at_cut_joint = at_cut_joint || cut_joints_.contains(element);
            }
        const bool moves = self.collidable || carried || at_force;
        if (self.collidable) so.collision.push_back(object);
        if (self.massive) so.mass.push_back(object);
        if (moves) so.force.push_back(object);
        if (self.visible && !moves && !self.massive && !at_cut_joint) so.visual.push_back(object);
    }

    // Common mass, centre of mass, and inertia about it, in the root's axes: tensors are rotated, then shifted.
    RootMass total_mass(const SuperObject& so) const {
        MassProperties sum;
        for (const Entity object : so.mass) {
            const MassProperties& m = masses_.get(object).properties;
            sum.mass += m.mass;
            sum.center_of_mass += m.mass * (members_.get(object).X_RB * m.center_of_mass);
        }
        sum.center_of_mass /= sum.mass;
        for (const Entity object : so.mass) {
            const MassProperties m = transformed(masses_.get(object).properties, members_.get(object).X_RB);
            const Mat3 d = skew(m.center_of_mass - sum.center_of_mass);
            sum.inertia += m.inertia - m.mass * d * d;
        }
        if (!std::isfinite(sum.mass) || !sum.center_of_mass.allFinite() || !sum.inertia.allFinite())
            throw InputError({"", registry_.get<Name>(root_).path, "mass", schema::text_of(sum.mass),
                              "mass and inertia of its super-object are beyond what a double can hold"});
        return {sum};
    }

    entt::registry& registry_;
    Entity world_;
    // Looked up once: these are asked for every object.
    entt::storage_for_t<MemberOf>& members_ = registry_.storage<MemberOf>();
    const entt::storage_for_t<Object3D>& objects_ = registry_.storage<Object3D>();
    const entt::storage_for_t<Placement>& placements_ = registry_.storage<Placement>();
    const entt::storage_for_t<Children>& children_ = registry_.storage<Children>();
    const entt::storage_for_t<UsedBy>& used_by_ = registry_.storage<UsedBy>();
    const entt::storage_for_t<Joint>& joints_ = registry_.storage<Joint>();
    const entt::storage_for_t<CutJoint>& cut_joints_ = registry_.storage<CutJoint>();
    const entt::storage_for_t<CarriedByJoints>& carried_ = registry_.storage<CarriedByJoints>();
    const entt::storage_for_t<Absent>& absent_ = registry_.storage<Absent>();
    const entt::storage_for_t<ForceElement>& forces_ = registry_.storage<ForceElement>();
    const entt::storage_for_t<BodyMass>& masses_ = registry_.storage<BodyMass>();

    const bool any_carried_ = !carried_.empty();

    Entity root_ = entt::null;
    std::size_t visited_ = 0;
    std::vector<Found> buffer_;  // super-objects in the order in which they are found
    std::vector<Entity> stack_;  // members of the current one that are still to be visited
};

const std::string& name_of(const entt::registry& registry, Entity e) { return registry.get<Name>(e).path; }

// Objects that the walk did not reach: the tops of what hangs together without hanging on the world.
void report_unconnected(entt::registry& registry) {
    std::vector<Issue> issues;
    for (const auto [e, object, member] : registry.view<const Object3D, const MemberOf>().each())
        if (member.root == entt::null && object.parent == entt::null && !registry.all_of<Absent>(e))
            issues.push_back({"", name_of(registry, e), "parent", "",
                              "nothing connects this object to the world: give it a parent, or a joint"});
    std::reverse(issues.begin(), issues.end());
    throw InputError(std::move(issues));
}

void report_rigid_loops(entt::registry& registry) {
    std::vector<Issue> issues;
    for (const auto e : registry.view<CutJoint>()) {
        const Joint& joint = registry.get<Joint>(e);
        if (registry.get<MemberOf>(joint.object1.entity).root != registry.get<MemberOf>(joint.object2.entity).root)
            continue;
        issues.push_back({"", name_of(registry, e), "object2", "\"" + name_of(registry, joint.object2.entity) + "\"",
                          "is rigidly connected to object1 already: an object has one parent only"});
    }
    if (!issues.empty()) throw InputError(std::move(issues));
}

// Where `root` belongs among the children of its parent super-object: in the order in which a walk would find it.
void insert_child(entt::registry& registry, SuperObject& parent, const Found& found) {
    const auto key = [&registry](const auto& hung, Entity root) {  // as in Walk::follow_edges
        const bool by_joint = hung.joint != entt::null;
        return std::tuple{registry.get<MemberOf>(hung.anchor).index,
                          by_joint        ? 2
                          : hung.reversed ? 1
                                          : 0,
                          registry.get<Name>(by_joint ? hung.joint : root).serial};
    };
    const auto place =
        std::lower_bound(parent.children.begin(), parent.children.end(), found, [&](Entity child, const Found& own) {
            return key(registry.get<SuperObject>(child), child) < key(own, own.root);
        });
    parent.children.insert(place, found.root);
}

// Re-walks the super-objects that the changes touched. False if that cannot be done within them.
//
// Why the result is that of a build from scratch: before the changes all edges in use (parents and joints) were a
// spanning tree, and a change that alters their number relative to that of the objects never comes here (it sets
// StructureChanges::everything). So if afterwards everything still hangs on the world, the edges are a spanning tree
// again, the only one there is; if something does not, apply() says so.
class Patch {
public:
    Patch(entt::registry& registry, Entity world, const StructureChanges& changes)
        : registry_{registry}, world_{world}, changes_{changes} {}

    bool apply() {
        if (!registry_.storage<CutJoint>().empty()) return false;  // which joint is cut may change
        if (!mark_dirty()) return false;
        dissolve();
        if (!find_entries()) return false;
        Walk walk{registry_, world_};
        walk.run(entries_);
        for (const Entity object : loose_)
            if (registry_.valid(object) && registry_.get<MemberOf>(object).root == entt::null) return false;
        for (const Entity child : cut_off_)
            if (const auto* so = registry_.try_get<SuperObject>(child); so && so->parent == entt::null) return false;
        for (const Found& entry : entries_)
            if (entry.parent != entt::null) insert_child(registry_, registry_.get<SuperObject>(entry.parent), entry);
        return true;
    }

private:
    void mark(Entity root) {
        if (root == entt::null || !registry_.valid(root) || !registry_.all_of<SuperObject>(root)) return;
        if (std::find(dirty_.begin(), dirty_.end(), root) == dirty_.end()) dirty_.push_back(root);
    }

    // Whether a joint ends at the object, or at anything below it.
    bool carries_joints(Entity object) const {
        std::vector<Entity> below{object};
        for (std::size_t i = 0; i < below.size(); ++i) {
            if (const auto* used = registry_.try_get<UsedBy>(below[i]))
                for (const Entity e : used->elements)
                    if (registry_.all_of<Joint>(e)) return true;
            if (const auto* children = registry_.try_get<Children>(below[i]))
                below.insert(below.end(), children->objects.begin(), children->objects.end());
        }
        return false;
    }

    bool mark_dirty() {
        const bool choice = !registry_.storage<CarriedByJoints>().empty();  // among automatic parents
        for (const Entity root : changes_.roots) mark(root);
        for (const Entity object : changes_.objects) {
            if (!registry_.valid(object)) continue;
            if (choice && carries_joints(object)) return false;  // may bring other automatic parents into use
            const Object3D& self = registry_.get<Object3D>(object);
            mark(registry_.get<MemberOf>(object).root);
            if (self.parent != entt::null && !self.free) mark(registry_.get<MemberOf>(self.parent).root);
            loose_.push_back(object);
        }
        return true;
    }

    bool hangs_on_world(Entity root) const {
        while (root != world_) {
            const auto* so = root == entt::null ? nullptr : registry_.try_get<SuperObject>(root);
            if (!so) return false;
            root = so->parent;
        }
        return true;
    }

    // Takes the dirty super-objects apart, remembering how they hung, and cuts off those that hung on them.
    void dissolve() {
        for (const Entity root : dirty_) {
            SuperObject& so = registry_.get<SuperObject>(root);
            hung_.push_back({root, so.parent, so.anchor, so.joint, so.reversed});
            for (const Entity member : so.members)
                if (registry_.valid(member)) {
                    registry_.get<MemberOf>(member).root = entt::null;
                    loose_.push_back(member);
                }
            cut_off_.insert(cut_off_.end(), so.children.begin(), so.children.end());
            registry_.erase<SuperObject>(root);
            registry_.remove<RootMass>(root);
        }
        for (const Entity child : cut_off_)
            if (auto* so = registry_.valid(child) ? registry_.try_get<SuperObject>(child) : nullptr)
                so->parent = entt::null;
        std::erase_if(cut_off_, [this](Entity child) { return !registry_.valid(child); });
        for (const Found& hung : hung_)
            if (hung.parent != entt::null && registry_.valid(hung.parent))
                if (auto* parent = registry_.try_get<SuperObject>(hung.parent)) std::erase(parent->children, hung.root);
    }

    // Finds the roots that hang on the world, or on something that was not touched, as before or newly. False if one of
    // them would hang twice.
    bool find_entries() {
        std::unordered_set<Entity> taken;
        const auto root_of = [this](Entity e) {
            return e != entt::null && registry_.valid(e) ? registry_.get<MemberOf>(e).root : entt::entity{entt::null};
        };
        const auto enter = [&](Entity root, Entity anchor, Entity joint, bool reversed) {
            const Entity parent = root_of(anchor);
            if (parent == entt::null || !hangs_on_world(parent)) return true;  // the walk may meet it from elsewhere
            entries_.push_back({root, parent, anchor, joint, reversed});
            return taken.insert(root).second;
        };
        for (const Found& hung : hung_) {
            if (!registry_.valid(hung.root)) continue;
            if (hung.root == world_)
                entries_.push_back(hung);
            else if (hung.joint != entt::null && !enter(hung.root, hung.anchor, hung.joint, hung.reversed))
                return false;
        }
        std::vector<Entity> candidates = changes_.objects;
        for (const Found& hung : hung_) candidates.push_back(hung.root);
        std::unordered_set<Entity> asked;
        for (const Entity object : candidates) {
            if (!registry_.valid(object) || root_of(object) != entt::null || !asked.insert(object).second) continue;
            const Object3D& self = registry_.get<Object3D>(object);
            if (self.free && !enter(object, self.parent, entt::null, false)) return false;
        }
        return true;
    }

    entt::registry& registry_;
    Entity world_;
    const StructureChanges& changes_;
    std::vector<Entity> dirty_;    // roots of super-objects that are taken apart
    std::vector<Found> hung_;      // how they hung
    std::vector<Entity> cut_off_;  // roots of super-objects that hung on them
    std::vector<Entity> loose_;    // objects that must be members of something in the end
    std::vector<Found> entries_;   // where the walk begins
};

}  // namespace

void build_structure(entt::registry& registry, Entity world) {
    registry.clear<SuperObject>();
    registry.clear<RootMass>();
    for (const auto [e, member] : registry.view<MemberOf>().each()) member.root = entt::null;
    choose_spanning_tree(registry, world);
    Walk walk{registry, world};
    walk.run({{world, entt::null, entt::null, entt::null, false}});
    std::size_t out = 0;  // of the model
    for (const Entity e : registry.view<Absent>()) out += registry.all_of<Object3D>(e);
    if (walk.visited() + out != registry.storage<Object3D>().size()) report_unconnected(registry);
    report_rigid_loops(registry);
}

void note_removal(entt::registry& registry, Entity object, StructureChanges& changes) {
    if (changes.everything) return;
    const Entity root = registry.get<MemberOf>(object).root;
    if (root == object)
        changes.everything = true;  // members that moved away, or others that hang on it, must find another root
    else
        changes.roots.push_back(root);
}

void update_structure(entt::registry& registry, Entity world, const StructureChanges& changes) {
    if (!changes.any()) return;
    if (changes.everything || !registry.all_of<SuperObject>(world) || !Patch{registry, world, changes}.apply())
        build_structure(registry, world);
}

std::vector<Entity> super_object_order(const entt::registry& registry, Entity world) {
    std::vector<Entity> order{world};
    for (std::size_t i = 0; i < order.size(); ++i) {
        const auto& children = registry.get<SuperObject>(order[i]).children;
        order.insert(order.end(), children.begin(), children.end());
    }
    return order;
}

std::vector<std::pair<Entity, Entity>> excluded_pairs(const entt::registry& registry,
                                                      const std::vector<Entity>& order) {
    std::unordered_map<Entity, std::size_t> number;  // needed where loops are closed only
    if (const auto* cut = registry.storage<CutJoint>(); cut && !cut->empty())
        for (std::size_t i = 0; i < order.size(); ++i) number[order[i]] = i;
    std::vector<std::pair<Entity, Entity>> pairs;
    for (const Entity root : order) {
        const SuperObject& so = registry.get<SuperObject>(root);
        for (const Entity child : so.children)
            if (!registry.get<SuperObject>(child).collides_with_parent) pairs.emplace_back(root, child);
        for (const Entity e : so.cut_joints) {
            const Joint& joint = registry.get<Joint>(e);
            const Entity a = registry.get<MemberOf>(joint.object1.entity).root;
            const Entity b = registry.get<MemberOf>(joint.object2.entity).root;
            const Entity other = a == root ? b : a;
            if (!joint.can_collide && number.at(root) < number.at(other)) pairs.emplace_back(root, other);
        }
    }
    return pairs;
}

}  // namespace tactus::systems
