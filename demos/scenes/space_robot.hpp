// A relocatable robot in space: seven joints between two feet that are alike. It stands on a platform with one foot, takes
// boxes with the other one, stacks them elsewhere, and walks by changing the foot that it stands on.
#pragma once

#include <tactus/engine/world.hpp>

#include <vector>

namespace scenes {

struct SpaceRobot {
    bool program = true;  // attach, move, stack and walk; without it everything floats
    double tolerance = 1e-6;
};

struct SpaceRobotParts {
    tactus::Entity blue, green;  // what its feet hold with, lockable
    tactus::Entity path;         // of the seven joints, from blue to green
    std::vector<tactus::Entity> boxes;
};

// The platform's top is z = 0, no gravity. Joints follow their path exactly.
SpaceRobotParts space_robot(tactus::World& world, const SpaceRobot& options = {});

// Joint angles with which the robot, standing on one foot with its arm above the x axis of the platform turned by `yaw`,
// holds the other foot `reach` away (negative: backwards) and `height` above, upside down and not turned.
struct SpaceRobotPose {
    bool on_blue = true;  // the foot that it stands on
    double yaw = 0.0;     // [rad]
    double reach = 0.0;   // [m]
    double height = 0.0;  // [m]
};
std::vector<double> space_robot_angles(const SpaceRobotPose& pose);

}  // namespace scenes
