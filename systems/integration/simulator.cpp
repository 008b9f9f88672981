#include <tactus/systems/integration/simulator.hpp>

#include <tactus/systems/structure/structure.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

Simulator::Simulator(entt::registry& registry, Entity world, const IslandSettings& settings,
                     const HostFunctions& functions, std::span<const ZeroCrossing> crossings,
                     const ContactSettings& contact, double t, const Earlier& earlier)
    : registry_{registry}, time_{t}, earlier_{earlier.energies} {
    const std::vector<Entity> order = super_object_order(registry, world);
    islands_.push_back(std::make_unique<Island>(registry, world, std::span{order}.subspan(1), settings, functions,
                                                crossings, contact));
    for (const auto& island : islands_) island->start(t, earlier.contacts);
}

void Simulator::restructure(Entity world, const HostFunctions& functions, std::span<const ZeroCrossing> crossings,
                            bool detection, const Earlier& earlier) {
    earlier_ = earlier.energies;
    const std::vector<Entity> order = super_object_order(registry_, world);
    Island& island = *islands_.front();
    island.restructure(world, std::span{order}.subspan(1), functions, crossings, detection);
    island.start(time_, earlier.contacts);
}

double Simulator::next_time_event() const {
    double next = std::numeric_limits<double>::infinity();
    for (const auto& island : islands_) next = std::min(next, island->next_time_event());
    return next;
}

void Simulator::look_at(double t) {
    for (const auto& island : islands_) island->look_at(t);
    time_ = t;
}

Simulator::Stop Simulator::advance(double target, double horizon, double watch, Deadline& deadline) {
    for (const auto& island : islands_) {
        island->settle();
        if (island->has_untold_events()) return Stop::event;
    }
    const double event = next_time_event();
    const double stop = std::min(event, horizon);
    const double goal = std::min(event, target);
    double first = goal;  // instant up to which all islands are known
    bool crossing = false, stepped = false;
    const auto look_back = [&](const Island& unfinished) {
        look_at(std::max(time_, std::min(first, unfinished.reached())));
    };
    for (const auto& island : islands_) {
        island->watch_every(watch);
        while (island->reached() < goal && !island->at_crossing()) {
            if (stepped && deadline.is_due()) {
                look_back(*island);
                return Stop::deadline;
            }
            try {
                island->step(stop);
                stepped = true;
            } catch (...) {
                look_back(*island);
                throw;
            }
            if (island->has_untold_events()) {
                look_back(*island);
                return Stop::event;
            }
        }
        if (island->at_crossing() && island->reached() <= first) {
            first = island->reached();
            crossing = true;
        }
    }
    look_at(first);
    return crossing || first == event ? Stop::event : Stop::target;
}

std::vector<Event> Simulator::handle_events() {
    std::vector<Event> events;
    for (const auto& island : islands_) {
        island->tell(events);
        bool changed = island->handle_time_event(events);
        if (island->at_crossing() && island->reached() == time_) changed |= island->handle_crossings(events);
        if (changed) island->restart();
        island->tell(events);
    }
    return events;
}

bool Simulator::look_for(std::span<const ZeroCrossing> crossings) {
    bool possible = true;
    for (const auto& island : islands_) possible &= island->look_for(crossings);
    return possible;
}

void Simulator::store() {
    for (const auto& island : islands_) island->store();
}

void Simulator::references_changed() {
    for (const auto& island : islands_) island->references_changed();
}

double Simulator::drive_torque(Entity drive) const {
    for (const auto& island : islands_)
        if (const double torque = island->drive_torque(drive); !std::isnan(torque)) return torque;
    return 0.0;  // acts on nothing that moves
}

Island& Simulator::island_of(Entity object) const {
    const Entity root = registry_.get<MemberOf>(object).root;
    for (const auto& island : islands_)
        if (island->holds(root)) return *island;
    return *islands_.front();
}

Island& Simulator::island_of_joint(Entity joint) const {
    for (const auto& island : islands_)
        if (island->tree().index_of_joint(joint) > 0) return *island;
    return *islands_.front();
}

Energies Simulator::energies() {
    Energies sum = earlier_;
    for (const auto& island : islands_) sum += island->energies();
    return sum;
}

Energies Simulator::integrated_energies() const {
    Energies sum = earlier_;
    for (const auto& island : islands_) sum += island->integrated_energies();
    return sum;
}

Simulator::Earlier Simulator::earlier() const {
    Earlier result{integrated_energies(), {}};
    for (const auto& island : islands_) island->export_contacts(result.contacts);
    return result;
}

Momentum Simulator::momentum() {
    Momentum sum;
    for (const auto& island : islands_) sum += island->momentum();
    return sum;
}

IntegratorStatistics Simulator::statistics() const {
    IntegratorStatistics sum;
    for (const auto& island : islands_) sum += island->statistics();
    return sum;
}

std::size_t Simulator::state_count() const {
    std::size_t sum = 0;
    for (const auto& island : islands_) sum += island->state_count();
    return sum;
}

std::int64_t Simulator::pairs_tested() const {
    std::int64_t sum = 0;
    for (const auto& island : islands_) sum += island->watch().tested() + island->watch().swept();
    return sum;
}

}  // namespace tactus::systems
