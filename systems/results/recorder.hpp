// Recorder: takes samples of all signals of a Simulator. Angles are followed over time, so that they do not jump.
#pragma once

#include <tactus/engine/results.hpp>
#include <tactus/systems/integration/simulator.hpp>

#include <functional>
#include <map>

namespace tactus::systems {

// Cardan angles x-y-z of a rotation, of all their equivalents those nearest to `before`.
Vec3 nearest_cardan_xyz(const Quat& q, const Vec3& before);

class Recorder {
public:
    // The signals of this simulator from here on. Those that it does not have any more are missing from here on.
    void begin(Simulator& simulator, Results& results);

    void follow(Simulator& simulator);        // the angles; at communication points and events
    void sample(double t, Results& results);  // of the simulator that was begun, after follow
    std::vector<StateValue> states(Simulator& simulator) const;
    void forget();  // everything

private:
    struct Channel {
        std::size_t signal = 0;
        std::function<void(double*)> read;
    };
    std::vector<Channel> channels_;
    std::map<Entity, Vec3> state_angles_;  // of Spherical and Free joints and free objects
    std::map<Entity, Vec3> orientations_;  // of objects in the world

    Vec3 angles_of(Entity joint, const Quat& q) const;
};

}  // namespace tactus::systems
