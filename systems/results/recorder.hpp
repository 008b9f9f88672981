// Recorder: takes samples of all signals of a Simulator. Angles are followed over time, so that they do not jump.
#pragma once

#include <tactus/engine/results.hpp>
#include <tactus/systems/integration/simulator.hpp>
#include <tactus/systems/results/cardan_angles.hpp>
#include <tactus/systems/results/channel.hpp>

#include <map>

namespace tactus::systems {

class Recorder {
public:
    // The signals of this simulator from here on. Those that it does not have any more are missing from here on.
    void begin(Simulator& simulator, Results& results);

    void follow(Simulator& simulator);        // the angles; at communication points and events
    void sample(double t, Results& results);  // of the simulator that was begun, after follow
    std::vector<StateValue> states(Simulator& simulator) const;

private:
    struct Channel {
        std::vector<std::size_t> signals;  // indices in Results
        ReadSignals read;
    };
    std::vector<Channel> channels_;
    std::vector<double> row_;              // of one channel
    std::map<Entity, Vec3> state_angles_;  // of Spherical and Free joints and free objects
    std::map<Entity, Vec3> orientations_;  // of objects in the world

    Vec3 angles_of(Entity joint, const Quat& q) const;
    void add_joint(Island& island, std::size_t link, const AddSignals& add);
    void add_object(Island& island, Entity object, const AddSignals& add);
    void add_forces(Island& island, const AddSignals& add);
    void add_drives(Island& island, const AddSignals& add);
};

}  // namespace tactus::systems
