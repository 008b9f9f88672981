// World: actions that change the structure while it moves.
#include <tactus/engine/motion.hpp>
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/systems/actions/assembly.hpp>
#include <tactus/systems/actions/closeness.hpp>
#include <tactus/systems/actions/merge.hpp>
#include <tactus/systems/actions/restructure.hpp>

#include <algorithm>
#include <cmath>

namespace tactus {

using schema::Context;
using systems::Hold;

namespace {

std::string tick_quoted(const std::string& name) { return "'" + name + "'"; }

std::string words_of(const Action& any) {
    const std::string type{schema::type_name(any)};
    return std::visit(
        [&]<class A>(const A& action) -> std::string {
            if constexpr (requires {
                              action.lock;
                              action.to;
                          })
                return type + " " + tick_quoted(action.lock) + " to " + tick_quoted(action.to);
            else if constexpr (requires { action.lock; })
                return type + " " + tick_quoted(action.lock);
            else if constexpr (requires { action.new_lock; })
                return type + " " + tick_quoted(action.new_lock) + " to " + tick_quoted(action.to) + " from " +
                       tick_quoted(action.old_lock);
            else if constexpr (requires { action.path; })
                return type + " " + tick_quoted(action.path);
            else if constexpr (requires { action.of; })
                return type + " " + tick_quoted(action.of);
            else
                return type;
        },
        any);
}

std::vector<Event> event_of(const ActionReport& report) {
    Event event{.time = report.time, .kind = EventKind::action, .name = report.action};
    event.action = std::make_shared<const ActionReport>(report);
    return {event};
}

InputError impossible(const std::string& object, const std::string& field, const std::string& value,
                      const std::string& why) {
    return InputError({"", object, field, value.empty() ? value : schema::in_quotes(value), why});
}

// The joint that has to be opened for an assembly to come off; null if no joint holds it.
Entity joint_to_open(const entt::registry& registry, Entity assembly, const std::string& lock) {
    if (systems::hold_of(registry, assembly) != Hold::jointed) return entt::null;
    const Entity joint = systems::carrying_joint(registry, assembly);
    if (joint == entt::null)
        throw impossible(lock, "", "", "only joints of type Fix hold its assembly: these cannot be opened");
    return joint;
}

}  // namespace

std::string World::Impl::path_of(const Ref& ref) const {
    if (ref.entity == entt::null) return ref.path;
    return element<Name>(registry, ref.entity, "element").path;
}

Entity World::Impl::actable(const std::string& path) const {
    const Entity e = find(path);
    if (registry.all_of<Absent>(e)) throw impossible(path, "", "", "an action has taken it out of the model");
    return e;
}

Entity World::Impl::assembly_of(const std::string& lock) const {
    const Entity assembly = systems::assembly_of(registry, actable(lock));
    if (assembly == entt::null)
        throw impossible(lock, "", "", "belongs to no assembly: fix it to an object with assemblyRoot set to true");
    return assembly;
}

Condition World::Impl::condition_of(const Until& until) const {
    const Entity of = actable(until.of), from = until.from.empty() ? root : actable(until.from);
    const double sign = until.is == Side::Above ? 1.0 : -1.0;
    const auto value = [of, from, quantity = until.quantity](const Instant& now) {
        if (quantity == Quantity::Force) return now.joint_wrench(of).f.norm();
        if (quantity == Quantity::Torque) return now.joint_wrench(of).t.norm();
        const Pose X = now.pose(of), X_from = now.pose(from);
        const Vec3 r = X.p - X_from.p;
        if (quantity == Quantity::Distance) return r.norm();
        if (quantity == Quantity::Speed || quantity == Quantity::AngularSpeed) {
            const Twist V = now.velocity(of), V_from = now.velocity(from);
            return quantity == Quantity::AngularSpeed ? (V.w - V_from.w).norm()
                                                      : (V.v - V_from.v - V_from.w.cross(r)).norm();
        }
        const Vec3 in_axes = X_from.q.conjugate() * r;
        return quantity == Quantity::X ? in_axes.x() : quantity == Quantity::Y ? in_axes.y() : in_axes.z();
    };
    const bool of_joint = until.quantity == Quantity::Force || until.quantity == Quantity::Torque;
    return {[value, sign, limit = until.limit](const Instant& now) { return sign * (value(now) - limit); },
            of_joint ? std::vector<Ref>{} : std::vector<Ref>{of, from}};
}

// ---- one action -----------------------------------------------------------------------------------------------------

World::Impl::Performed World::Impl::perform(World& world, const Action& any) {
    if (motion->stepping)
        throw InputError({"", "", "action", schema::in_quotes(words_of(any)),
                          "cannot be done by a function of the motion: use an event handler or a program"});
    std::vector<Issue> issues;
    Context context{issues, false};
    check_action(any, context);
    throw_if_any(issues);
    const systems::Simulator& now = simulator(world);
    ActionReport report{.time = now.time(), .action = words_of(any), .states_before = now.state_count()};
    report.states_after = report.states_before;

    const auto attach_assembly = [&](const auto& a, bool from_another) {
        const Entity assembly = assembly_of(a.lock);
        const Hold hold = systems::hold_of(registry, assembly);
        if (hold == Hold::jointed)
            throw impossible(a.lock, "to", a.to, "joints hold its assembly: release it first, or flip the chain");
        if (from_another && hold == Hold::free)
            throw impossible(a.lock, "to", a.to, "its assembly is not attached to anything: use Attach");
        return attach(world, std::move(report), find(a.lock), actable(a.to), assembly, a.conditions,
                      a.contact_detection, entt::null);
    };
    return std::visit(
        [&]<class A>(const A& a) -> Performed {
            if constexpr (std::is_same_v<A, Attach>) {
                return attach_assembly(a, false);
            } else if constexpr (std::is_same_v<A, ReleaseAndAttach>) {
                return attach_assembly(a, true);
            } else if constexpr (std::is_same_v<A, Release>) {
                return {release(world, std::move(report), a), {}, false};
            } else if constexpr (std::is_same_v<A, Delete>) {
                return {take_out(world, std::move(report), a), {}, false};
            } else if constexpr (std::is_same_v<A, FlipChain>) {
                const Entity old = assembly_of(a.old_lock), lock = actable(a.new_lock);
                const Entity top = systems::top_of(registry, lock);
                if (systems::hold_of(registry, old) == Hold::jointed)
                    throw impossible(a.old_lock, "", "", "joints hold its assembly: it is not the end that is held");
                if (registry.get<MemberOf>(lock).root == registry.get<MemberOf>(old).root)
                    throw impossible(a.new_lock, "oldLock", a.old_lock,
                                     "the two are rigidly connected: there is no chain to flip, use ReleaseAndAttach");
                const std::vector<Entity> chain = systems::carried_by(registry, old);
                if (systems::hold_of(registry, top) != Hold::jointed ||
                    std::find(chain.begin(), chain.end(), top) == chain.end())
                    throw impossible(a.new_lock, "oldLock", a.old_lock, "no chain of joints connects the two");
                return attach(world, std::move(report), lock, actable(a.to), top, a.conditions, a.contact_detection,
                              old);
            } else if constexpr (std::is_same_v<A, Wait> || std::is_same_v<A, EventAfterPeriod>) {
                return {std::move(report), Pause{.time = now.time() + a.period}, false};
            } else if constexpr (std::is_same_v<A, Until>) {
                return {std::move(report), Pause{.condition = condition_of(a)}, false};
            } else {
                return {std::move(report), Pause{.time = start_path_motion(find(a.path), a.points, now.time())}, false};
            }
        },
        any);
}

void World::Impl::begin_change() { motion->earlier = motion->simulator->earlier(); }

// The structure has been changed: derives it, and tells.
void World::Impl::end_change(World& world, ActionReport& report, double energy_lost, std::optional<bool> detection) {
    motion->earlier.energies.dissipated += energy_lost;
    report.energy_lost = energy_lost;
    if (detection) contact_detection = *detection;
    outdated = only_structure = true;
    report.states_after = simulator(world).state_count();
    ++motion->before.events;
    tell(event_of(report));
}

// `held` becomes fixed to `to` where it stands. A chain that is flipped is let go at its other end.
World::Impl::Performed World::Impl::attach(World& world, ActionReport report, const Entity lock, const Entity to,
                                           Entity held, const AttachConditions& conditions,
                                           std::optional<bool> detection, Entity let_go) {
    const std::string &name = registry.get<Name>(lock).path, &to_name = registry.get<Name>(to).path;
    const std::vector<Entity> carried = systems::carried_by(registry, let_go == entt::null ? held : let_go);
    if (std::find(carried.begin(), carried.end(), to) != carried.end())
        throw impossible(name, "to", to_name, "hangs on what would be attached to it");

    const auto pair = std::make_shared<const systems::LockPair>(registry, lock, to);
    const double gap = conditions.gap.value_or(registry.get<Scene>(root).gap);
    const systems::Closeness found =
        pair->closeness(world.pose(lock), world.velocity(lock), world.pose(to), world.velocity(to));
    report.gap = found.gap;
    report.speed = found.speed;
    report.angular_speed = found.angular_speed;
    report.angle = found.angle;
    report.unmet = systems::unmet(found, conditions, gap);
    if (!report.unmet.empty()) {
        if (conditions.unmet == Unmet::Error)
            throw impossible(name, "to", to_name, "too far apart, or still moving: " + report.unmet);
        if (conditions.unmet == Unmet::Wait)
            return {std::move(report),
                    Pause{.condition = Condition{[pair, lock, to, conditions, gap](const Instant& now) {
                                                     return systems::margin(
                                                         pair->closeness(now.pose(lock), now.velocity(lock),
                                                                         now.pose(to), now.velocity(to)),
                                                         conditions, gap);
                                                 },
                                                 {lock, to}}},
                    true};
        report.done = false;
        tell(event_of(report));
        return {std::move(report), {}, false};
    }

    std::vector<systems::BodyMomentum> momenta;
    std::vector<Entity> concerned{held};
    if (registry.get<MemberOf>(to).root != root) concerned.push_back(to);
    for (const Entity so : systems::connected_roots(registry, root, concerned))
        for (const Entity object : registry.get<SuperObject>(so).mass)
            momenta.push_back(systems::body_momentum(registry, object, world.pose(object), world.velocity(object)));
    const Pose X_PB = world.pose(to).inverse() * world.pose(held);
    std::vector<systems::Snapshot> before{systems::snapshot(registry, held)};
    if (let_go != entt::null) before.push_back(systems::snapshot(registry, let_go));
    begin_change();
    if (let_go != entt::null) systems::let_hang(registry, let_go, changes);
    systems::fix_to(registry, held, to, X_PB, changes);
    try {
        world.update_structure();
    } catch (...) {
        for (const systems::Snapshot& object : before) systems::restore(registry, object);
        changes.everything = true;
        definitions_changed();
        throw;
    }
    const double lost = systems::merge(registry, root, systems::connected_roots(registry, root, {held}), momenta);
    end_change(world, report, lost, detection);
    return {std::move(report), {}, false};
}

ActionReport World::Impl::release(World& world, ActionReport report, const Release& action) {
    const Entity assembly = assembly_of(action.lock);
    if (systems::hold_of(registry, assembly) == Hold::free)
        throw impossible(action.lock, "", "", "its assembly moves freely already");
    const Entity joint = joint_to_open(registry, assembly, action.lock);
    const JointState state = systems::free_state(world.pose(assembly), world.velocity(assembly));
    begin_change();
    if (joint != entt::null) systems::break_joint(registry, joint, changes);
    systems::let_move(registry, assembly, root, state, changes);
    end_change(world, report, 0.0, action.contact_detection);
    return report;
}

ActionReport World::Impl::take_out(World& world, ActionReport report, const Delete& action) {
    const Entity assembly = assembly_of(action.lock);
    const Entity joint = joint_to_open(registry, assembly, action.lock);
    const std::vector<Entity> carried = systems::carried_by(registry, assembly);
    const auto goes = [&](Entity e) { return std::find(carried.begin(), carried.end(), e) != carried.end(); };
    for (const Entity e : carried) {
        const auto* defined = registry.try_get<DefinedAs>(e);
        const bool by_definition = !defined || (!defined->free && defined->parent == registry.get<Object3D>(e).parent);
        if (e != assembly && !by_definition && systems::hold_of(registry, e) == Hold::fixed)
            throw impossible(action.lock, "", "",
                             tick_quoted(registry.get<Name>(e).path) + " is attached to it: release that first");
    }
    for (const ZeroCrossing& crossing : crossings)
        for (const Ref& ref : crossing.objects)
            if (goes(ref.entity))
                throw impossible(action.lock, "", "",
                                 "the zero crossing " + tick_quoted(crossing.name) + " looks at " +
                                     tick_quoted(registry.get<Name>(ref.entity).path));
    begin_change();
    if (joint != entt::null) systems::break_joint(registry, joint, changes);
    systems::take_out(registry, carried, changes);
    end_change(world, report, 0.0, {});
    return report;
}

// ---- the door -------------------------------------------------------------------------------------------------------

ActionReport World::act(const Action& action) {
    Impl::Performed performed = impl_->perform(*this, action);
    if (!performed.pause) return std::move(performed.report);
    std::string why = "only a program can wait";
    if (!performed.report.unmet.empty()) why += ": " + performed.report.unmet;
    throw InputError({"", "", "action", schema::in_quotes(performed.report.action), why});
}

ActionReport World::attach(const Ref& lock, const Ref& to, const AttachConditions& conditions) {
    return act(Attach{.lock = impl_->path_of(lock), .to = impl_->path_of(to), .conditions = conditions});
}

ActionReport World::release_and_attach(const Ref& lock, const Ref& to, const AttachConditions& conditions) {
    return act(ReleaseAndAttach{.lock = impl_->path_of(lock), .to = impl_->path_of(to), .conditions = conditions});
}

ActionReport World::release(const Ref& lock) { return act(Release{.lock = impl_->path_of(lock)}); }

ActionReport World::delete_assembly(const Ref& lock) { return act(Delete{.lock = impl_->path_of(lock)}); }

ActionReport World::flip_chain(const Ref& new_lock, const Ref& to, const Ref& old_lock,
                               const AttachConditions& conditions) {
    return act(FlipChain{impl_->path_of(new_lock), impl_->path_of(to), impl_->path_of(old_lock), conditions});
}

void World::set_contact_detection(bool on) {
    impl_->contact_detection = on;
    impl_->definitions_changed();
}

}  // namespace tactus
