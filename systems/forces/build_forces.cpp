#include <tactus/systems/forces/forces.hpp>

#include <tactus/components/drive.hpp>
#include <tactus/systems/definition_order.hpp>

#include <limits>

namespace tactus::systems {

namespace {

class Builder {
public:
    Builder(const entt::registry& r, Entity w, const Tree& t, const HostFunctions& f, const DriveTrain& d)
        : registry{r}, world{w}, tree{t}, functions{f}, drives{d} {}

    Forces build() {
        forces.gravity = registry.get<Scene>(world).gravity;
        for (const Entity e : in_definition_order<ForceElement>(registry)) {
            element = e;
            std::visit([this](const auto& force) { add(force); }, registry.get<ForceElement>(e).type);
        }
        for (std::size_t i = 1; i < tree.size(); ++i) {
            const Link& link = tree.links[i];
            if (const auto* joint = registry.try_get<Joint>(link.joint)) {
                element = link.joint;
                std::visit([&](const auto& type) { add_joint(type, link.q0, link.v0); }, joint->type);
            }
        }
        for (const Entity e : in_definition_order<Drive>(registry)) {
            element = e;
            std::visit([this](const auto& drive) { add_drive(drive); }, registry.get<Drive>(e).type);
        }
        constexpr double not_known = std::numeric_limits<double>::infinity();  // until enter
        for (const Entity e : in_definition_order<ReferencePath>(registry)) forces.paths.push_back({e, not_known});
        return std::move(forces);
    }

private:
    const entt::registry& registry;
    Entity world;
    const Tree& tree;
    const HostFunctions& functions;
    const DriveTrain& drives;
    Forces forces;
    Entity element = entt::null;

    Attachment at(const Ref& object) const {
        return attachment(registry, tree, object.empty() ? world : object.entity);
    }
    GivenLaw law(const Law& definition) const { return {definition, functions, element}; }
    std::vector<GivenLaw> laws(const std::array<Law, 3>& three) const {
        return {law(three[0]), law(three[1]), law(three[2])};
    }

    void add(const WorldForce& f) {
        if (const Attachment a = at(f.object); a.link > 0)
            forces.given.push_back({element, false, a, at(f.coordinates), {f.force, functions, element}});
    }
    void add(const WorldTorque& f) {
        if (const Attachment a = at(f.object); a.link > 0)
            forces.given.push_back({element, true, a, at(f.coordinates), {f.torque, functions, element}});
    }
    void add(const SpringDamper& s) {
        if (const Attachment a = at(s.object1), b = at(s.object2); a.link > 0 || b.link > 0)
            forces.springs.push_back({element, a, b, s.nominal_length, s.nominal_force, law(s.spring), law(s.damper)});
    }
    void add(const Bushing& b) {
        if (const Attachment a1 = at(b.object1), a2 = at(b.object2); a1.link > 0 || a2.link > 0)
            forces.bushings.push_back({element, a1, a2, b.nominal_force, b.nominal_torque, laws(b.spring),
                                       laws(b.damper), laws(b.rotational_spring), laws(b.rotational_damper),
                                       b.large_angles});
    }
    void add(const PolygonalContact&) {}  // refused before a simulation starts, see not_yet.hpp

    void resist(const JointResistance& law, int q, int v) {
        if (law != JointResistance{.v_small = law.v_small, .rest = law.rest})
            forces.resisted.push_back({element, q, v, law});
    }
    void add_joint(const Revolute& j, int q, int v) { resist(j.resistance, q, v); }
    void add_joint(const Prismatic& j, int q, int v) { resist(j.resistance, q, v); }
    void add_joint(const Universal& j, int q, int v) {
        resist(j.resistance1, q, v);
        resist(j.resistance2, q + 1, v + 1);
    }
    void add_joint(const Cylindrical& j, int q, int v) {
        resist(j.sliding, q, v);
        resist(j.turning, q + 1, v + 1);
    }
    void add_joint(const Planar& j, int q, int v) {
        resist(j.sliding1, q, v);
        resist(j.sliding2, q + 1, v + 1);
        resist(j.turning, q + 2, v + 2);
    }
    void add_joint(const Spherical& j, int, int v) {
        if (j.damping != 0.0) forces.damped.push_back({element, v, j.damping});
    }
    void add_joint(const Free&, int, int) {}
    void add_joint(const Fix&, int, int) {}

    Flange flange(const Ref& ref) const {
        if (ref.empty()) return {};
        const GearedFlange geared = drives.flange(ref.entity);
        const int i = tree.index_of_joint(geared.leader);
        if (i < 0) return {};
        const Link& link = tree.links[static_cast<std::size_t>(i)];
        return {link.q0, link.v0, geared.ratio};
    }
    RunningReference reference(const Reference& definition) const { return {definition, registry, functions, element}; }
    void add_flange(const Ref& flange1, const Ref& flange2, double stiffness, double damping, double rest) {
        const Flange f1 = flange(flange1), f2 = flange(flange2);
        if (f1.v >= 0 || f2.v >= 0) forces.flanges.push_back({element, f1, f2, stiffness, damping, rest});
    }
    void add_drive(const Damper& d) { add_flange(d.flange1, d.flange2, 0.0, d.d, 0.0); }
    void add_drive(const LinearSpring& s) { add_flange(s.flange1, s.flange2, s.c, 0.0, s.rest); }
    void add_drive(const PdDrive& d) {
        if (const Flange f = flange(d.flange); f.v >= 0)
            forces.pds.push_back({element, f, reference(d.reference), d.stiffness, d.damping, d.inertia});
    }
    void add_drive(const Servo& s) {
        if (const Flange f = flange(s.flange); f.v >= 0)
            forces.servos.push_back(
                {element, f, reference(s.reference), s.gear_ratio, s.position_gain, s.gain, s.integral_time});
    }
    void add_drive(const PrescribedMotion& p) {
        if (const Flange f = flange(p.flange); f.v >= 0)
            forces.prescribed.push_back({element, f, reference(p.reference)});
    }
    void add_drive(const RotorInertia&) {}  // in the tree
    void add_drive(const SlidingMass&) {}
    void add_drive(const Gear&) {}
};

}  // namespace

Forces build_forces(const entt::registry& registry, Entity world, const Tree& tree, const HostFunctions& functions) {
    return build_forces(registry, world, tree, functions, read_drive_train(registry));
}

Forces build_forces(const entt::registry& registry, Entity world, const Tree& tree, const HostFunctions& functions,
                    const DriveTrain& drives) {
    return Builder{registry, world, tree, functions, drives}.build();
}

void Applied::resize(const Tree& tree, std::size_t servos) {
    wrenches.assign(tree.size(), {});
    tau.assign(static_cast<std::size_t>(tree.nv), 0.0);
    drive_rates.assign(servos, 0.0);
}

}  // namespace tactus::systems
