// SensorRecord: the motion of an object relative to another.
#pragma once

#include <tactus/components/record.hpp>
#include <tactus/systems/integration/simulator.hpp>

#include <functional>
#include <string>
#include <string_view>

namespace tactus::systems {

struct SensorReading {
    Vec3 translation, velocity, acceleration;  // [m] of the object from the origin, in the coordinates' axes;
    Vec3 rotation, angular_velocity,
        angular_acceleration;  // differentiated in the observer's frame, with all its terms
    double distance, distance_rate, distance_acceleration;
};

SensorReading read_sensor(const SensorRecord& sensor, Entity world, Simulator& simulator);

using AddSignal = std::function<void(const std::string& name, std::string_view unit, std::size_t size,
                                     std::function<void(double*)> read)>;
void add_sensors(Simulator& simulator, const AddSignal& add);

}  // namespace tactus::systems
