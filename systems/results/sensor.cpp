#include <tactus/systems/results/sensor.hpp>

#include <tactus/engine/instant.hpp>
#include <tactus/systems/definition_order.hpp>
#include <tactus/systems/results/cardan_angles.hpp>

#include <algorithm>
#include <optional>

namespace tactus::systems {

namespace {

struct FrameMotion {
    Pose X_W;
    Twist velocity, acceleration;
};

FrameMotion frame(Entity object, Simulator& simulator) {
    const Instant now{simulator.island_of(object)};
    return {now.pose(object), now.velocity(object), now.acceleration(object)};
}

}  // namespace

SensorReading read_sensor(const SensorRecord& sensor, Entity world, Simulator& simulator) {
    const Entity origin_of = sensor.origin.empty() ? world : sensor.origin.entity;
    const Entity axes_of = sensor.coordinates.empty() ? origin_of : sensor.coordinates.entity;
    const Entity observer_of = sensor.observer.empty() ? axes_of : sensor.observer.entity;
    const FrameMotion object = frame(sensor.object.entity, simulator), origin = frame(origin_of, simulator);
    const FrameMotion axes = frame(axes_of, simulator), observer = frame(observer_of, simulator);

    // Derivatives in the observer's frame O: those in the world less what O's rotation makes of a constant vector.
    const Vec3 w_O = observer.velocity.w, dw_O = observer.acceleration.w;
    const Vec3 r = object.X_W.p - origin.X_W.p;
    const Vec3 v = object.velocity.v - origin.velocity.v - w_O.cross(r);
    const Vec3 a =
        object.acceleration.v - origin.acceleration.v - dw_O.cross(r) - w_O.cross(w_O.cross(r)) - 2.0 * w_O.cross(v);
    const Vec3 w = object.velocity.w - w_O;
    const Vec3 dw = object.acceleration.w - dw_O - w_O.cross(w);

    SensorReading reading;
    const Quat to_axes = axes.X_W.q.conjugate();
    reading.translation = to_axes * r;
    reading.velocity = to_axes * v;
    reading.acceleration = to_axes * a;
    reading.rotation = to_cardan_xyz(Quat{to_axes * object.X_W.q});
    reading.angular_velocity = to_axes * w;
    reading.angular_acceleration = to_axes * dw;
    reading.distance = r.norm();
    // A distance has no derivative where it is zero.
    const Vec3 n = reading.distance > 0.0 ? Vec3{r / reading.distance} : Vec3::Zero();
    reading.distance_rate = n.dot(v);
    reading.distance_acceleration =
        n.dot(a) + (reading.distance > 0.0
                        ? (v.squaredNorm() - reading.distance_rate * reading.distance_rate) / reading.distance
                        : 0.0);
    return reading;
}

void add_sensors(Simulator& simulator, const AddSignals& add) {
    const entt::registry& registry = simulator.registry();
    const Entity world = simulator.islands().front()->tree().links.front().root;
    for (const Entity e : in_definition_order<Record>(registry)) {
        const auto* sensor = std::get_if<SensorRecord>(&registry.get<Record>(e).type);
        if (!sensor) continue;
        const std::string name = registry.get<Name>(e).path + ".";
        add({{name + "translation", "m", 3},
             {name + "velocity", "m/s", 3},
             {name + "acceleration", "m/s^2", 3},
             {name + "rotation", "rad", 3},
             {name + "angularVelocity", "rad/s", 3},
             {name + "angularAcceleration", "rad/s^2", 3},
             {name + "distance", "m"},
             {name + "distanceVelocity", "m/s"},
             {name + "distanceAcceleration", "m/s^2"}},
            [record = *sensor, world, &simulator, before = std::optional<Vec3>{}](double* to) mutable {
                SensorReading r = read_sensor(record, world, simulator);
                r.rotation = nearest_angles(r.rotation, before.value_or(r.rotation));
                before = r.rotation;
                for (const Vec3* part : {&r.translation, &r.velocity, &r.acceleration, &r.rotation, &r.angular_velocity,
                                         &r.angular_acceleration})
                    to = std::copy_n(part->data(), 3, to);
                to[0] = r.distance;
                to[1] = r.distance_rate;
                to[2] = r.distance_acceleration;
            });
    }
}

}  // namespace tactus::systems
