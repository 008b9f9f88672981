// DriveTrain: what rigid gears make of rotors, sliding masses and joints. All flanges that gears couple share one degree of
// freedom: that of their joint, or that of the rotor that was defined first.
#pragma once

#include <tactus/components/drive.hpp>

#include <string>
#include <utility>
#include <vector>

namespace tactus::systems {

struct GearedFlange {
    Entity leader = entt::null;  // joint or rotor that has the degree of freedom
    double ratio = 1.0;          // coordinate of the flange over that of the leader
};

struct DriveTrain {
    std::vector<Entity> rotors;                            // with a degree of freedom of their own, by definition
    std::vector<std::pair<Entity, double>> inertia;        // [kg m^2] or [kg] by leaders: of rotors, masses and motors
    std::vector<Entity> prescribed;                        // leaders whose motion is given
    std::vector<std::pair<Entity, std::string>> problems;  // drives that cannot be simulated, and why

    GearedFlange flange(Entity e) const;  // itself, unless a gear couples it to another

    std::vector<std::pair<Entity, GearedFlange>> geared;  // sorted by flange
};

DriveTrain read_drive_train(const entt::registry& registry);

}  // namespace tactus::systems
