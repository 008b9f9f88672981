#include <tactus/systems/actions/merge.hpp>

#include <tactus/components/solid.hpp>
#include <tactus/components/super_object.hpp>
#include <tactus/systems/dynamics/dynamics.hpp>

#include <algorithm>

namespace tactus::systems {

BodyMomentum body_momentum(const entt::registry& registry, Entity object, const Pose& X_W, const Twist& velocity) {
    const MassProperties& m = registry.get<BodyMass>(object).properties;
    const Mat3 R = X_W.R();
    const Vec3 c = R * m.center_of_mass;
    const Vec3 v = velocity.v + velocity.w.cross(c);
    const Vec3 h = R * (m.inertia * (R.transpose() * velocity.w));
    return {object, X_W.p + c, m.mass * v, h, 0.5 * (m.mass * v.squaredNorm() + velocity.w.dot(h))};
}

double merge(entt::registry& registry, Entity world, const std::vector<Entity>& roots,
             const std::vector<BodyMomentum>& momenta) {
    const Tree tree = build_tree(registry, world, roots);
    std::vector<double> q(static_cast<std::size_t>(tree.nq)), v(static_cast<std::size_t>(tree.nv));
    read_states(registry, tree, q, v);
    // Prescribed joints go on as they do. Rotors keep their momentum along their degree of freedom.
    std::vector<double> spin(v.size(), 0.0);
    double before = 0.0;
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const Link& link = tree.links[i];
        const auto* state = link.prescribed ? registry.try_get<JointState>(link.joint) : nullptr;
        if (state) write_state(link, *state, q, v);
        if (!(link.armature > 0.0)) continue;
        const double speed = v[static_cast<std::size_t>(link.v0)];
        spin[static_cast<std::size_t>(link.v0)] = link.armature * speed;
        before += 0.5 * link.armature * speed * speed;
    }
    const std::vector<double> at_rest(v.size(), 0.0);  // M v = p is the equation of motion of what rests
    TreeMotion motion;
    motion.resize(tree);
    compute_motion(tree, q, at_rest, motion);
    std::vector<Wrench> impulses(tree.size());
    for (const BodyMomentum& body : momenta) {
        const int link = tree.index_of(registry.get<MemberOf>(body.object).root);
        if (link < 0) continue;  // not concerned any more
        before += body.kinetic;
        const Vec3 r = body.center_W - motion.links[static_cast<std::size_t>(link)].p_W;
        impulses[static_cast<std::size_t>(link)] += Wrench{body.angular, body.linear}.moved_by(r);
    }
    DynamicsMemory memory;
    memory.resize(tree);
    try {
        forward_dynamics(tree, motion, impulses, spin, memory, v);
    } catch (const SingularMass&) { return 0.0; }  // what moves no mass cannot be stepped either, and is reported there
    compute_motion(tree, q, v, motion);
    for (std::size_t i = 1; i < tree.size(); ++i)
        registry.emplace_or_replace<JointState>(tree.links[i].joint, state_of(tree.links[i], q, v));
    return before - kinetic_energy(tree, motion, v);
}

}  // namespace tactus::systems
