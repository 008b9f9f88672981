// SensorRecord: the motion of an object relative to another.
#pragma once

#include <tactus/components/record.hpp>
#include <tactus/systems/integration/simulator.hpp>
#include <tactus/systems/results/channel.hpp>

namespace tactus::systems {

struct SensorReading {
    Vec3 translation, velocity, acceleration;  // [m] of the object from the origin, in the coordinates' axes;
    Vec3 rotation, angular_velocity,
        angular_acceleration;  // differentiated in the observer's frame, with all its terms
    double distance, distance_rate, distance_acceleration;
};

SensorReading read_sensor(const SensorRecord& sensor, Entity world, Simulator& simulator);

// Signals of all SensorRecords.
void add_sensors(Simulator& simulator, const AddSignals& add);

}  // namespace tactus::systems
