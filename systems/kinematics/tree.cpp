#include <tactus/systems/kinematics/tree.hpp>

#include <tactus/components/object3d.hpp>
#include <tactus/components/super_object.hpp>
#include <tactus/systems/drives/drive_train.hpp>
#include <tactus/systems/kinematics/put.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

namespace {

template<class... F> struct Overloaded : F... { using F::operator()...; };

JointKind kind_of(const JointType& type) {
    return std::visit(Overloaded{[](const Revolute&) { return JointKind::revolute; },
                                 [](const Prismatic&) { return JointKind::prismatic; },
                                 [](const Spherical&) { return JointKind::spherical; },
                                 [](const Universal&) { return JointKind::universal; },
                                 [](const Cylindrical&) { return JointKind::cylindrical; },
                                 [](const Planar&) { return JointKind::planar; },
                                 [](const auto&) { return JointKind::free; }},
                      type);
}

void set_axes(Link& link, const JointType& type) {
    std::visit(Overloaded{[](const auto&) {}, [&](const Revolute& j) { link.axis[0] = j.axis.unit(); },
                          [&](const Prismatic& j) { link.axis[0] = j.axis.unit(); },
                          [&](const Cylindrical& j) { link.axis[0] = j.axis.unit(); },
                          [&](const Universal& j) { link.axis[0] = j.axis1.unit(), link.axis[1] = j.axis2.unit(); },
                          [&](const Planar& j) {
                              // The two directions follow the normal cyclically. For a normal that is no coordinate
                              // axis: the coordinate axis after its largest part, made perpendicular, comes first.
                              const Vec3 n = j.axis.unit();
                              Eigen::Index largest = 0;
                              n.cwiseAbs().maxCoeff(&largest);
                              const Vec3 next = Vec3::Unit((largest + 1) % 3);
                              link.axis[0] = (next - n * n.dot(next)).normalized();
                              link.axis[1] = n.cross(link.axis[0]);
                              link.axis[2] = n;
                          }},
               type);
}

}  // namespace

int coordinates(JointKind kind) {
    switch (kind) {
    case JointKind::revolute:
    case JointKind::prismatic: return 1;
    case JointKind::universal:
    case JointKind::cylindrical: return 2;
    case JointKind::planar: return 3;
    case JointKind::spherical: return 4;
    case JointKind::free: return 7;
    }
    return 0;
}

int speeds(JointKind kind) {
    return kind == JointKind::spherical ? 3 : kind == JointKind::free ? 6 : coordinates(kind);
}

std::optional<Turning> turning(JointKind kind) {
    if (kind == JointKind::spherical) return Turning{0, 0};
    if (kind == JointKind::free) return Turning{3, 3};
    return {};
}

std::string state_name(const std::string& owner, const StateName& part, int i) {
    return owner + "." + std::string{part.name} + (part.count > 1 ? "[" + std::to_string(i + 1) + "]" : "");
}

std::span<const StateName> state_names(JointKind kind) {
    static constexpr StateName revolute[] = {{"phi", 0, 1, false}, {"w", 0, 1, true}};
    static constexpr StateName prismatic[] = {{"s", 0, 1, false}, {"v", 0, 1, true}};
    static constexpr StateName universal[] = {
        {"phi1", 0, 1, false}, {"phi2", 1, 1, false}, {"w1", 0, 1, true}, {"w2", 1, 1, true}};
    static constexpr StateName cylindrical[] = {
        {"s", 0, 1, false}, {"phi", 1, 1, false}, {"v", 0, 1, true}, {"w", 1, 1, true}};
    static constexpr StateName planar[] = {{"s1", 0, 1, false}, {"s2", 1, 1, false}, {"phi", 2, 1, false},
                                           {"v1", 0, 1, true},  {"v2", 1, 1, true},  {"w", 2, 1, true}};
    static constexpr StateName spherical[] = {{"rotation", 0, 4, false}, {"angularVelocity", 0, 3, true}};
    static constexpr StateName free[] = {{"translation", 0, 3, false},
                                         {"rotation", 3, 4, false},
                                         {"velocity", 0, 3, true},
                                         {"angularVelocity", 3, 3, true}};
    switch (kind) {
    case JointKind::revolute: return revolute;
    case JointKind::prismatic: return prismatic;
    case JointKind::universal: return universal;
    case JointKind::cylindrical: return cylindrical;
    case JointKind::planar: return planar;
    case JointKind::spherical: return spherical;
    case JointKind::free: break;
    }
    return free;
}

namespace {

int look_up(const std::vector<std::pair<Entity, int>>& sorted, Entity key) {
    const auto found = std::lower_bound(sorted.begin(), sorted.end(), std::pair{key, -1});
    return found != sorted.end() && found->first == key ? found->second : -1;
}

}  // namespace

int Tree::index_of(Entity root) const { return look_up(by_root, root); }
int Tree::index_of_joint(Entity joint) const { return look_up(by_joint, joint); }

Tree build_tree(const entt::registry& registry, Entity world, std::span<const Entity> roots) {
    Tree tree;
    build_tree(registry, world, roots, read_drive_train(registry), tree);
    return tree;
}

namespace {

// Coordinates and speeds in the order of the links: first those that are integrated, then those that are prescribed.
void number(Tree& tree) {
    for (const bool prescribed : {false, true}) {
        for (std::size_t i = 1; i < tree.size(); ++i) {
            Link& link = tree.links[i];
            if (link.prescribed != prescribed) continue;
            link.q0 = tree.nq;
            link.v0 = tree.nv;
            tree.nq += coordinates(link.kind);
            tree.nv += speeds(link.kind);
        }
        if (prescribed) return;
        tree.integrated_q = tree.nq;
        tree.integrated_v = tree.nv;
    }
}

}  // namespace

void build_tree(const entt::registry& registry, Entity world, std::span<const Entity> roots, const DriveTrain& drives,
                Tree& tree) {
    tree.links.clear();
    tree.by_root.clear();
    tree.by_joint.clear();
    tree.nq = tree.nv = tree.integrated_q = tree.integrated_v = 0;
    tree.flat = true;
    tree.links.reserve(roots.size() + 1);
    tree.links.push_back({.root = world});
    tree.by_root.push_back({world, 0});
    for (const Entity root : roots) tree.by_root.push_back({root, static_cast<int>(tree.by_root.size())});
    std::sort(tree.by_root.begin(), tree.by_root.end());

    for (const Entity root : roots) {
        const auto& super = registry.get<SuperObject>(root);
        const int parent = super.parent == world ? 0 : tree.index_of(super.parent);
        Link link{.root = root, .parent = parent, .reversed = super.reversed};
        link.X_PF = registry.get<MemberOf>(super.anchor).X_RB;
        link.R_PF = link.X_PF.R();
        if (super.joint != entt::null) {
            const JointType& type = registry.get<Joint>(super.joint).type;
            link.joint = super.joint;
            link.kind = kind_of(type);
            set_axes(link, type);
        } else {
            link.joint = super.reversed ? super.anchor : root;  // the object that is free
            link.kind = JointKind::free;
        }
        link.in_world = link.kind == JointKind::free && parent == 0 && !link.reversed && link.X_PF.p.isZero(0.0) &&
                        link.R_PF == Mat3::Identity();
        if (const auto* mass = registry.try_get<RootMass>(root)) {
            link.mass = mass->properties.mass;
            link.com_B = mass->properties.center_of_mass;
            link.inertia_B = mass->properties.inertia;
        }
        tree.links[static_cast<std::size_t>(link.parent)].leaf = false;
        if (link.parent > 0) tree.flat = false;
        tree.by_joint.push_back({link.joint, static_cast<int>(tree.size())});
        tree.links.push_back(link);
    }
    for (const Entity rotor : drives.rotors) {
        const bool turns = std::holds_alternative<RotorInertia>(registry.get<Drive>(rotor).type);
        tree.by_joint.push_back({rotor, static_cast<int>(tree.size())});
        tree.links.push_back({.joint = rotor, .parent = 0, .kind = turns ? JointKind::revolute : JointKind::prismatic});
    }
    std::sort(tree.by_joint.begin(), tree.by_joint.end());
    for (const auto& [leader, inertia] : drives.inertia)
        if (const int i = tree.index_of_joint(leader); i > 0)
            tree.links[static_cast<std::size_t>(i)].armature += inertia;
    for (const Entity leader : drives.prescribed)
        if (const int i = tree.index_of_joint(leader); i > 0) tree.links[static_cast<std::size_t>(i)].prescribed = true;
    number(tree);
}

JointState free_state(const Pose& X, const Twist& V) {
    JointState s;
    put(s.q.data(), X.p);
    put(s.q.data() + 3, X.q);
    put(s.v.data(), V.v);
    put(s.v.data() + 3, V.w);
    return s;
}

JointState initial_state(const entt::registry& registry, Entity e) {
    JointState s;
    if (const auto* joint = registry.try_get<Joint>(e)) {
        std::visit(Overloaded{[](const Fix&) {}, [&](const Revolute& j) { s.q[0] = j.phi, s.v[0] = j.w; },
                              [&](const Prismatic& j) { s.q[0] = j.s, s.v[0] = j.v; },
                              [&](const Spherical& j) {
                                  put(s.q.data(), j.rotation.q());
                                  put(s.v.data(), j.angular_velocity);
                              },
                              [&](const Universal& j) {
                                  s.q = {j.phi1, j.phi2}, s.v = {j.w1, j.w2};
                              },
                              [&](const Cylindrical& j) {
                                  s.q = {j.s, j.phi}, s.v = {j.v, j.w};
                              },
                              [&](const Planar& j) {
                                  s.q = {j.s1, j.s2, j.phi}, s.v = {j.v1, j.v2, j.w};
                              },
                              [&](const Free& j) {
                                  s = free_state({j.translation, j.rotation.q()}, {j.angular_velocity, j.velocity});
                              }},
                   joint->type);
        return s;
    }
    if (const auto* drive = registry.try_get<Drive>(e)) {
        if (const auto* rotor = std::get_if<RotorInertia>(&drive->type)) s.q[0] = rotor->phi, s.v[0] = rotor->w;
        if (const auto* mass = std::get_if<SlidingMass>(&drive->type)) s.q[0] = mass->s, s.v[0] = mass->v;
        return s;
    }
    const Pose& X_PB = registry.get<Placement>(e).X_PB;
    Twist V;
    if (const auto* motion = registry.try_get<InitialMotion>(e))
        V = {motion->in_body ? Vec3{X_PB.q * motion->angular_velocity} : motion->angular_velocity, motion->velocity};
    return free_state(X_PB, V);
}

void write_state(const Link& link, JointState state, std::span<double> q, std::span<double> v) {
    if (const auto turn = turning(link.kind)) {
        Eigen::Map<Vec3> w{state.v.data() + turn->v};
        w = Quat{state.q.data() + turn->q}.conjugate() * Vec3{w};
    }
    std::copy_n(state.q.begin(), coordinates(link.kind), q.begin() + link.q0);
    std::copy_n(state.v.begin(), speeds(link.kind), v.begin() + link.v0);
}

void read_states(const entt::registry& registry, const Tree& tree, std::span<double> q, std::span<double> v) {
    for (std::size_t i = 1; i < tree.size(); ++i) {
        if (tree.links[i].prescribed) continue;
        const auto* moved = registry.try_get<JointState>(tree.links[i].joint);
        write_state(tree.links[i], moved ? *moved : initial_state(registry, tree.links[i].joint), q, v);
    }
}

JointState state_of(const Link& link, std::span<const double> q, std::span<const double> v) {
    JointState state;
    std::copy_n(q.begin() + link.q0, coordinates(link.kind), state.q.begin());
    std::copy_n(v.begin() + link.v0, speeds(link.kind), state.v.begin());
    if (const auto turn = turning(link.kind)) {
        Eigen::Map<Eigen::Vector4d>{state.q.data() + turn->q}.normalize();
        Eigen::Map<Vec3> w{state.v.data() + turn->v};
        w = Quat{state.q.data() + turn->q} * Vec3{w};
    }
    return state;
}

void write_states(entt::registry& registry, const Tree& tree, std::span<const double> q, std::span<const double> v) {
    for (std::size_t i = 1; i < tree.size(); ++i)
        registry.emplace_or_replace<JointState>(tree.links[i].joint, state_of(tree.links[i], q, v));
}

void normalize_quaternions(const Tree& tree, std::span<double> q) {
    for (const Link& link : tree.links) {
        const auto turn = turning(link.kind);
        if (link.parent < 0 || !turn) continue;
        Eigen::Map<Eigen::Vector4d> p{q.data() + link.q0 + turn->q};
        if (std::abs(p.squaredNorm() - 1.0) > 1e-15) p.normalize();  // else it would only change by rounding
    }
}

}  // namespace tactus::systems
