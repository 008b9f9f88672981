#include <tactus/systems/results/recorder.hpp>

#include <tactus/components/object3d.hpp>
#include <tactus/engine/instant.hpp>
#include <tactus/systems/kinematics/put.hpp>
#include <tactus/systems/results/contact_record.hpp>
#include <tactus/systems/results/sensor.hpp>

#include <algorithm>
#include <limits>
#include <unordered_map>

namespace tactus::systems {

namespace {

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::string_view unit_of(const StateName& part) {
    const bool angular = part.name.front() == 'p' || part.name.front() == 'w' || part.name == "rotation" ||
                         part.name == "angularVelocity";
    if (angular) return part.is_speed ? "rad/s" : "rad";
    return part.is_speed ? "m/s" : "m";
}

// Joints and free objects in the order in which the structure meets them, with their links.
template<class Visit> void each_joint(Simulator& simulator, Visit&& visit) {
    for (const auto& island : simulator.islands())
        for (std::size_t i = 1; i < island->tree().size(); ++i) visit(*island, island->tree().links[i]);
}

// Signals are defined by adding them: names known from an earlier segment go on.
class Adder {
public:
    Adder(Results& r) : results{r} {
        for (std::size_t i = 0; i < r.signals.size(); ++i) known.insert({r.signals[i].name, i});
    }
    std::size_t signal(const std::string& name, std::string_view unit, std::size_t size) {
        if (const auto other = known.find(name); other != known.end() && results.signals[other->second].size != size)
            return signal(name + "'", unit, size);  // another element of that name had this quantity in another size
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

Vec3 Recorder::angles_of(Entity joint, const Quat& q) const {
    const auto found = state_angles_.find(joint);
    return found == state_angles_.end() ? to_cardan_xyz(q) : nearest_cardan_xyz(q, found->second);
}

void Recorder::follow(Simulator& simulator) {
    each_joint(simulator, [&](Island& island, const Link& link) {
        const auto turn = turning(link.kind);
        if (!turn) return;
        const JointState state = state_of(link, island.q(), island.v());
        state_angles_[link.joint] = angles_of(link.joint, Quat{state.q.data() + turn->q});
    });
    std::erase_if(orientations_, [&](const auto& entry) {
        const entt::registry& registry = simulator.registry();
        return !registry.valid(entry.first) || registry.get<MemberOf>(entry.first).root == entt::null;
    });
    for (auto& [object, angles] : orientations_)
        angles = nearest_cardan_xyz(Instant{simulator.island_of(object)}.pose(object).q, angles);
}

std::vector<StateValue> Recorder::states(Simulator& simulator) const {
    std::vector<StateValue> found;
    each_joint(simulator, [&](Island& island, const Link& link) {
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
    for (const auto& island : simulator.islands())
        for (std::size_t i = 0; i < island->forces().servos.size(); ++i)
            found.push_back({island->registry().get<Name>(island->forces().servos[i].element).path + ".x",
                             "",
                             {island->drive_states()[i]}});
    return found;
}

void Recorder::begin(Simulator& simulator, Results& results) {
    channels_.clear();
    Adder adder{results};
    const AddSignals add = [&](const std::vector<SignalName>& names, ReadSignals read) {
        Channel channel{{}, std::move(read)};
        std::size_t size = 0;
        for (const SignalName& name : names) {
            channel.signals.push_back(adder.signal(name.name, name.unit, name.size));
            size += name.size;
        }
        row_.resize(std::max(row_.size(), size));
        channels_.push_back(std::move(channel));
    };
    for (const auto& island : simulator.islands()) {
        for (std::size_t i = 1; i < island->tree().size(); ++i) {
            add_joint(*island, i, add);
            if (island->tree().links[i].root == entt::null) continue;  // a rotor
            for (const Entity object : simulator.registry().get<SuperObject>(island->tree().links[i].root).members)
                add_object(*island, object, add);
        }
        add_forces(*island, add);
        add_drives(*island, add);
    }
    add_sensors(simulator, add);
    add_contact_records(simulator, add);
    add({{"energy.kinetic", "J"},
         {"energy.potential", "J"},
         {"energy.elastic", "J"},
         {"energy.dissipated", "J"},
         {"energy.work", "J"}},
        [this, &simulator](double* to) {
            const Energies e = simulator.energies();
            to[0] = e.kinetic;
            to[1] = e.potential;
            to[2] = e.elastic;
            to[3] = e.dissipated;
            to[4] = e.work;
        });
}

// States, and what the joint exerts.
void Recorder::add_joint(Island& island, std::size_t index, const AddSignals& add) {
    const Link& link = island.tree().links[index];
    const std::string owner = island.registry().get<Name>(link.joint).path + ".";
    std::vector<SignalName> names;
    for (const StateName& part : state_names(link.kind))
        names.push_back({owner + std::string{part.name}, unit_of(part),
                         part.count == 4 ? 3 : static_cast<std::size_t>(part.count)});
    add(names, [this, &island, index](double* to) {
        const Link& at = island.tree().links[index];
        const JointState state = state_of(at, island.q(), island.v());
        for (const StateName& part : state_names(at.kind)) {
            if (part.count == 4)
                to = std::copy_n(state_angles_.at(at.joint).data(), 3, to);
            else
                to = std::copy_n((part.is_speed ? state.v.data() : state.q.data()) + part.first, part.count, to);
        }
    });
    if (island.registry().all_of<Joint>(link.joint))
        add({{owner + "force", "N", 3}, {owner + "torque", "N m", 3}}, [&island, index](double* to) {
            const Wrench wrench = island.reactions()[index];
            put(to, wrench.f);
            put(to + 3, wrench.t);
        });
}

void Recorder::add_object(Island& island, Entity object, const AddSignals& add) {
    const std::string name = island.registry().get<Name>(object).path + ".";
    const auto [angles, is_new] = orientations_.insert({object, Vec3::Zero()});
    if (is_new) angles->second = to_cardan_xyz(Instant{island}.pose(object).q);
    add({{name + "position", "m", 3},
         {name + "orientation", "rad", 3},
         {name + "velocityAbsolute", "m/s", 3},
         {name + "angularVelocityAbsolute", "rad/s", 3}},
        [this, &island, object](double* to) {
            const Instant now{island};
            const Twist velocity = now.velocity(object);
            put(to, now.pose(object).p);
            put(to + 3, orientations_.at(object));
            put(to + 6, velocity.v);
            put(to + 9, velocity.w);
        });
}

void Recorder::add_forces(Island& island, const AddSignals& add) {
    const auto path = [&](Entity e) { return island.registry().get<Name>(e).path + "."; };
    const Forces& forces = island.forces();
    for (std::size_t i = 0; i < forces.given.size(); ++i) {
        const bool torque = forces.given[i].torque;
        add({{path(forces.given[i].element) + (torque ? "torque" : "force"), torque ? "N m" : "N", 3}},
            [&island, i](double* to) {
                const GivenForce& given = island.forces().given[i];
                put(to, axes_W(given.axes, island.motion()) * given.value(island.time()));
            });
    }
    for (std::size_t i = 0; i < forces.springs.size(); ++i) {
        const std::string name = path(forces.springs[i].element);
        add({{name + "length", "m"}, {name + "rate", "m/s"}, {name + "force", "N"}}, [&island, i](double* to) {
            const SpringReport now = report(island.forces().springs[i], island.force_instant());
            to[0] = now.length;
            to[1] = now.rate;
            to[2] = now.force;
        });
    }
    for (std::size_t i = 0; i < forces.bushings.size(); ++i) {
        const std::string name = path(forces.bushings[i].element);
        add({{name + "translation", "m", 3},
             {name + "rotation", "rad", 3},
             {name + "velocity", "m/s", 3},
             {name + "rotationVelocity", "rad/s", 3},
             {name + "force", "N", 3},
             {name + "torque", "N m", 3}},
            [&island, i](double* to) {
                const BushingReport now = report(island.forces().bushings[i], island.force_instant());
                for (const Vec3* part : {&now.translation, &now.rotation, &now.velocity, &now.rotation_rate,
                                         &now.force_on_2, &now.torque_on_2}) {
                    put(to, *part);
                    to += 3;
                }
            });
    }
}

// What drives follow, and what they exert.
void Recorder::add_drives(Island& island, const AddSignals& add) {
    const auto each = [&](const auto& drives) {
        for (const auto& drive : drives) {
            const std::string name = island.registry().get<Name>(drive.element).path + ".";
            const auto& links = island.tree().links;
            const bool turns = std::any_of(links.begin(), links.end(), [&](const Link& link) {
                return link.parent >= 0 && link.v0 == drive.flange.v && link.kind == JointKind::revolute;
            });
            add({{name + "reference", turns ? "rad" : "m"}, {name + (turns ? "torque" : "force"), turns ? "N m" : "N"}},
                [&island, &drive](double* to) {
                    to[0] = drive.reference(island.time()).position;
                    to[1] = island.drive_torque(drive.element);
                });
        }
    };
    each(island.forces().pds);
    each(island.forces().servos);
    each(island.forces().prescribed);
    for (std::size_t i = 0; i < island.forces().servos.size(); ++i)
        add({{island.registry().get<Name>(island.forces().servos[i].element).path + ".x", ""}},
            [&island, i](double* to) { to[0] = island.drive_states()[i]; });
}

void Recorder::sample(double t, Results& results) {
    results.time.push_back(t);
    for (Signal& signal : results.signals) signal.values.insert(signal.values.end(), signal.size, missing);
    for (const Channel& channel : channels_) {
        channel.read(row_.data());
        const double* from = row_.data();
        for (const std::size_t index : channel.signals) {
            Signal& signal = results.signals[index];
            std::copy_n(from, signal.size, signal.values.end() - static_cast<std::ptrdiff_t>(signal.size));
            from += signal.size;
        }
    }
}

}  // namespace tactus::systems
