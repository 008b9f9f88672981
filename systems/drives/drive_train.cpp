#include <tactus/systems/drives/drive_train.hpp>

#include <tactus/components/joint.hpp>
#include <tactus/systems/definition_order.hpp>

#include <algorithm>
#include <map>
#include <set>

namespace tactus::systems {

GearedFlange DriveTrain::flange(Entity e) const {
    const auto found = std::lower_bound(geared.begin(), geared.end(), e,
                                        [](const auto& entry, Entity key) { return entry.first < key; });
    return found != geared.end() && found->first == e ? found->second : GearedFlange{e, 1.0};
}

namespace {

struct Mesh {  // of one gear with a flange: the other one, and its coordinate over that of this
    Entity gear, other;
    double ratio;
};

class Reader {
public:
    explicit Reader(const entt::registry& r) : registry{r}, drives{in_definition_order<Drive>(r)} {}

    DriveTrain read() {
        std::map<Entity, std::vector<Mesh>> meshes;
        std::vector<Entity> flanges;  // of gears, in the order in which they appear
        for (const Entity e : drives)
            if (const auto* gear = std::get_if<Gear>(&registry.get<Drive>(e).type)) {
                const Entity a = gear->flange1.entity, b = gear->flange2.entity;
                meshes[a].push_back({e, b, 1.0 / gear->ratio});
                meshes[b].push_back({e, a, gear->ratio});
                flanges.insert(flanges.end(), {a, b});
            }
        // Joints lead, then what was defined first.
        std::stable_sort(flanges.begin(), flanges.end(), [&](Entity a, Entity b) {
            const bool joint_a = registry.all_of<Joint>(a), joint_b = registry.all_of<Joint>(b);
            return joint_a != joint_b ? joint_a : registry.get<Name>(a).serial < registry.get<Name>(b).serial;
        });
        std::map<Entity, GearedFlange> known;
        for (const Entity leader : flanges)
            if (!known.contains(leader)) spread(leader, meshes, known);
        train.geared.assign(known.begin(), known.end());

        for (const Entity e : drives)
            std::visit([&](const auto& drive) { add(e, drive); }, registry.get<Drive>(e).type);
        return std::move(train);
    }

private:
    const entt::registry& registry;
    std::vector<Entity> drives;
    DriveTrain train;

    void spread(Entity leader, const std::map<Entity, std::vector<Mesh>>& meshes,
                std::map<Entity, GearedFlange>& known) {
        known[leader] = {leader, 1.0};
        std::set<Entity> used;  // gears
        std::vector<Entity> open{leader};
        while (!open.empty()) {
            const Entity flange = open.back();
            open.pop_back();
            for (const Mesh& mesh : meshes.at(flange)) {
                if (!used.insert(mesh.gear).second) continue;
                if (known.contains(mesh.other)) {
                    train.problems.emplace_back(mesh.gear, "closes a loop of gears");
                    continue;
                }
                if (registry.all_of<Joint>(mesh.other))
                    train.problems.emplace_back(
                        mesh.gear, "couples two joints ('" + name(leader) + "' and '" + name(mesh.other) +
                                       "'), which closes a kinematic loop: not simulated by this version yet");
                known[mesh.other] = {leader, known[flange].ratio * mesh.ratio};
                open.push_back(mesh.other);
            }
        }
    }

    std::string name(Entity e) const { return registry.get<Name>(e).path; }

    void add_rotor(Entity e, double inertia) {
        const GearedFlange f = train.flange(e);
        if (f.leader == e) train.rotors.push_back(e);
        train.inertia.emplace_back(f.leader, f.ratio * f.ratio * inertia);
    }
    void add(Entity e, const RotorInertia& rotor) { add_rotor(e, rotor.inertia); }
    void add(Entity e, const SlidingMass& mass) { add_rotor(e, mass.mass); }
    void add(Entity, const Servo& servo) {
        const GearedFlange f = train.flange(servo.flange.entity);
        const double ratio = f.ratio * servo.gear_ratio;
        train.inertia.emplace_back(f.leader, ratio * ratio * servo.motor_inertia);
    }
    void add(Entity e, const PrescribedMotion& motion) {
        const Entity leader = train.flange(motion.flange.entity).leader;
        if (std::find(train.prescribed.begin(), train.prescribed.end(), leader) != train.prescribed.end())
            train.problems.emplace_back(e, "prescribes the motion of '" + name(motion.flange.entity) +
                                               "', which another drive prescribes already");
        train.prescribed.push_back(leader);
    }
    void add(Entity, const auto&) {}
};

}  // namespace

DriveTrain read_drive_train(const entt::registry& registry) { return Reader{registry}.read(); }

}  // namespace tactus::systems
