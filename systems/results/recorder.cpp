#include <tactus/systems/results/recorder.hpp>

#include <tactus/components/object3d.hpp>
#include <tactus/components/record.hpp>
#include <tactus/engine/instant.hpp>
#include <tactus/systems/results/sensor.hpp>

#include <cmath>
#include <limits>
#include <numbers>
#include <unordered_map>

namespace tactus::systems {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

void put(double* to, const Vec3& x) { std::copy_n(x.data(), 3, to); }

std::string_view unit_of(const StateName& part) {
    const bool angular = part.name.front() == 'p' || part.name.front() == 'w' || part.name == "rotation" ||
                         part.name == "angularVelocity";
    if (angular) return part.is_speed ? "rad/s" : "rad";
    return part.is_speed ? "m/s" : "m";
}

// Joints and free objects in the order in which the structure meets them, with their links.
template<class Visit> void each_joint(Simulator& simulator, Visit&& visit) {
    for (const auto& island : simulator.islands())
        for (std::size_t i = 1; i < island->tree().size(); ++i) visit(*island, island->tree().links[i], i);
}

// Signals are defined by adding them: names known from an earlier segment go on.
class Adder {
public:
    Adder(Results& r) : results{r} {
        for (std::size_t i = 0; i < r.signals.size(); ++i) known.insert({r.signals[i].name, i});
    }
    std::size_t signal(const std::string& name, std::string_view unit, std::size_t size) {
        const auto [found, is_new] = known.insert({name, results.signals.size()});
        if (is_new) {
            results.signals.push_back({name, std::string{unit}, size, {}});
            results.signals.back().values.assign(size * results.time.size(), missing);
        }
        return found->second;
    }

private:
    Results& results;
    std::unordered_map<std::string, std::size_t> known;
};

}  // namespace

Vec3 nearest_cardan_xyz(const Quat& q, const Vec3& before) {
    constexpr double pi = std::numbers::pi;
    const auto near = [&](const Vec3& a) {  // by whole turns
        return Vec3{a + 2 * pi * ((before - a) / (2 * pi)).array().round().matrix()};
    };
    const Vec3 first = to_cardan_xyz(q);
    const Vec3 a = near(first), b = near(Vec3{first[0] + pi, pi - first[1], first[2] + pi});
    return (a - before).squaredNorm() <= (b - before).squaredNorm() ? a : b;
}

Vec3 Recorder::angles_of(Entity joint, const Quat& q) const {
    const auto found = state_angles_.find(joint);
    return found == state_angles_.end() ? to_cardan_xyz(q) : nearest_cardan_xyz(q, found->second);
}

void Recorder::forget() {
    channels_.clear();
    state_angles_.clear();
    orientations_.clear();
}

void Recorder::follow(Simulator& simulator) {
    each_joint(simulator, [&](Island& island, const Link& link, std::size_t) {
        if (link.kind != JointKind::free && link.kind != JointKind::spherical) return;
        const JointState state = state_of(link, island.q(), island.v());
        state_angles_[link.joint] =
            angles_of(link.joint, Quat{state.q.data() + (link.kind == JointKind::free ? 3 : 0)});
    });
    std::erase_if(orientations_, [&](const auto& entry) { return !simulator.registry().valid(entry.first); });
    for (auto& [object, angles] : orientations_)
        angles = nearest_cardan_xyz(Instant{simulator.island_of(object)}.pose(object).q, angles);
}

std::vector<StateValue> Recorder::states(Simulator& simulator) const {
    std::vector<StateValue> found;
    each_joint(simulator, [&](Island& island, const Link& link, std::size_t) {
        const std::string& owner = island.registry().get<Name>(link.joint).path;
        const JointState state = state_of(link, island.q(), island.v());
        for (const StateName& part : state_names(link.kind)) {
            const double* from = (part.is_speed ? state.v.data() : state.q.data()) + part.first;
            StateValue value{owner + "." + std::string{part.name}, std::string{unit_of(part)}, {}};
            if (part.count == 4) {
                const Vec3 angles = angles_of(link.joint, Quat{from});
                value.values.assign(angles.data(), angles.data() + 3);
            } else {
                value.values.assign(from, from + part.count);
            }
            found.push_back(std::move(value));
        }
    });
    return found;
}

void Recorder::begin(Simulator& simulator, Results& results) {
    channels_.clear();
    Adder adder{results};
    const auto add = [&](const std::string& name, std::string_view unit, std::size_t size,
                         std::function<void(double*)> read) {
        channels_.push_back({adder.signal(name, unit, size), std::move(read)});
    };

    // Joints and free objects: their states, and what the joint exerts
    each_joint(simulator, [&](Island& island, const Link& link, std::size_t index) {
        const std::string owner = island.registry().get<Name>(link.joint).path;
        for (const StateName& part : state_names(link.kind)) {
            const std::string name = owner + "." + std::string{part.name};
            if (part.count == 4) {
                add(name, "rad", 3, [this, joint = link.joint](double* to) { put(to, state_angles_.at(joint)); });
            } else {
                const auto count = static_cast<std::size_t>(part.count);
                add(name, unit_of(part), count, [&island, &link, part, count](double* to) {
                    const JointState state = state_of(link, island.q(), island.v());
                    std::copy_n((part.is_speed ? state.v.data() : state.q.data()) + part.first, count, to);
                });
            }
        }
        if (island.registry().all_of<Joint>(link.joint)) {
            add(owner + ".force", "N", 3, [&island, index](double* to) { put(to, island.reactions()[index].f); });
            add(owner + ".torque", "N m", 3, [&island, index](double* to) { put(to, island.reactions()[index].t); });
        }
    });

    // Objects that move
    for (const auto& owner : simulator.islands()) {
        Island& island = *owner;
        for (std::size_t i = 1; i < island.tree().size(); ++i)
            for (const Entity object : island.registry().get<SuperObject>(island.tree().links[i].root).members) {
                const std::string name = island.registry().get<Name>(object).path;
                const auto [angles, is_new] = orientations_.insert({object, Vec3::Zero()});
                if (is_new) angles->second = to_cardan_xyz(Instant{island}.pose(object).q);
                add(name + ".position", "m", 3,
                    [&island, object](double* to) { put(to, Instant{island}.pose(object).p); });
                add(name + ".orientation", "rad", 3, [this, object](double* to) { put(to, orientations_.at(object)); });
                add(name + ".velocityAbsolute", "m/s", 3,
                    [&island, object](double* to) { put(to, Instant{island}.velocity(object).v); });
                add(name + ".angularVelocityAbsolute", "rad/s", 3,
                    [&island, object](double* to) { put(to, Instant{island}.velocity(object).w); });
            }

        // Force elements
        const auto path = [&](Entity e) { return island.registry().get<Name>(e).path; };
        const Forces& forces = island.forces();
        for (std::size_t i = 0; i < forces.given.size(); ++i) {
            const bool torque = forces.given[i].torque;
            add(path(forces.given[i].element) + (torque ? ".torque" : ".force"), torque ? "N m" : "N", 3,
                [&island, i](double* to) {
                    const GivenForce& given = island.forces().given[i];
                    put(to, axes_W(given.axes, island.motion()) * given.value(island.time()));
                });
        }
        for (std::size_t i = 0; i < forces.springs.size(); ++i) {
            const std::string name = path(forces.springs[i].element);
            const auto now = [&island, i] { return report(island.forces().springs[i], island.force_instant()); };
            add(name + ".length", "m", 1, [now](double* to) { *to = now().length; });
            add(name + ".rate", "m/s", 1, [now](double* to) { *to = now().rate; });
            add(name + ".force", "N", 1, [now](double* to) { *to = now().force; });
        }
        for (std::size_t i = 0; i < forces.bushings.size(); ++i) {
            const std::string name = path(forces.bushings[i].element);
            const auto now = [&island, i] { return report(island.forces().bushings[i], island.force_instant()); };
            add(name + ".translation", "m", 3, [now](double* to) { put(to, now().translation); });
            add(name + ".rotation", "rad", 3, [now](double* to) { put(to, now().rotation); });
            add(name + ".velocity", "m/s", 3, [now](double* to) { put(to, now().velocity); });
            add(name + ".rotationVelocity", "rad/s", 3, [now](double* to) { put(to, now().rotation_rate); });
            add(name + ".force", "N", 3, [now](double* to) { put(to, now().force_on_2); });
            add(name + ".torque", "N m", 3, [now](double* to) { put(to, now().torque_on_2); });
        }
    }

    add_sensors(simulator, add);

    add("energy.kinetic", "J", 1, [&simulator](double* to) { *to = simulator.energies().kinetic; });
    add("energy.potential", "J", 1, [&simulator](double* to) { *to = simulator.energies().potential; });
    add("energy.elastic", "J", 1, [&simulator](double* to) { *to = simulator.energies().elastic; });
    add("energy.dissipated", "J", 1, [&simulator](double* to) { *to = simulator.energies().dissipated; });
    add("energy.work", "J", 1, [&simulator](double* to) { *to = simulator.energies().work; });
}

void Recorder::sample(double t, Results& results) {
    results.time.push_back(t);
    for (Signal& signal : results.signals) signal.values.insert(signal.values.end(), signal.size, missing);
    for (const Channel& channel : channels_) {
        Signal& signal = results.signals[channel.signal];
        channel.read(signal.values.data() + signal.values.size() - signal.size);
    }
}

}  // namespace tactus::systems
