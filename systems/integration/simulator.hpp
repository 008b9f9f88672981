// Simulator: the islands of a World between two changes of its structure, and their common clock.
//
// Islands are integrated one internal step at a time, each ahead of the clock; the clock then goes to the target or to the
// earliest event on the way. Nothing outside this file and island.cpp knows how many islands there are.
#pragma once

#include <tactus/systems/integration/deadline.hpp>
#include <tactus/systems/integration/island.hpp>

#include <memory>

namespace tactus::systems {

class Simulator {
public:
    // What was before: energies that were integrated, and contacts that go on.
    struct Earlier {
        Energies energies;
        std::vector<GoingContact> contacts;
    };

    // Everything in one island. Starts at t from the states of the elements.
    Simulator(entt::registry& registry, Entity world, const IslandSettings& settings, const HostFunctions& functions,
              std::span<const ZeroCrossing> crossings, const ContactSettings& contact, double t,
              const Earlier& earlier);

    // The same elements in another structure, from where they are.
    void restructure(Entity world, const HostFunctions& functions, std::span<const ZeroCrossing> crossings,
                     bool detection, const Earlier& earlier);

    enum class Stop { target, event, deadline };

    // Goes on until the target, an event before or at it, or the deadline. Integration never goes beyond the horizon
    // (a stop time, or the host's next time event), so that the state there is no interpolated one.
    // What solvers cannot foresee is looked at in intervals of `watch` [s]. At least one step is taken, whatever the deadline.
    Stop advance(double target, double horizon, double watch, Deadline& deadline);

    // After Stop::event: what happened at time(). Restarts what has to be restarted.
    std::vector<Event> handle_events();

    bool look_for(std::span<const ZeroCrossing> crossings);  // see Island

    double time() const { return time_; }
    void store();               // the states into the elements
    void references_changed();  // paths have got more points

    const entt::registry& registry() const { return registry_; }
    std::span<const std::unique_ptr<Island>> islands() const { return islands_; }
    Island& island_of(Entity object) const;  // that moves this Object3D; any of them for what does not move
    Island& island_of_joint(Entity joint) const;
    double drive_torque(Entity drive) const;
    Energies energies();
    Energies integrated_energies() const;  // only what is dissipated, and work; those before included
    Earlier earlier() const;               // for the next one
    Momentum momentum();
    IntegratorStatistics statistics() const;
    std::size_t state_count() const;
    std::int64_t pairs_tested() const;

private:
    entt::registry& registry_;
    std::vector<std::unique_ptr<Island>> islands_;
    double time_ = 0.0;
    Energies earlier_;

    double next_time_event() const;
    void look_at(double t);
};

}  // namespace tactus::systems
