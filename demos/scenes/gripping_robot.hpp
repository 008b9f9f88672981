// A five-axis arm with a two-finger gripper that carries a sphere from one plate to another, in four variants: with contact
// all the time, with changes of structure, or with both.
#pragma once

#include <tactus/engine/world.hpp>

#include <array>

namespace scenes {

enum class Grip {
    collision_only,    // friction holds the sphere
    both_contact_on,   // gripped by friction, then fixed to the gripper; contacts are looked for all the time
    both_contact_off,  // likewise, but not while the sphere is fixed
    segmented_only     // fixed to the plate, the gripper, the other plate; no contacts
};

struct GrippingRobot {
    Grip grip = Grip::collision_only;
    double tolerance = 1e-5;
};

struct GrippingRobotParts {
    tactus::Entity sphere, gripper, path;
    tactus::Entity plate1, plate2;  // where the sphere is to rest, its centre
    double end = 0.0;               // [s] the path is at its end
};

// Data of the KUKA youBot: arm, masses, inertias, and gains of the drives; shapes are simple ones. z is up.
GrippingRobotParts gripping_robot(tactus::World& world, const GrippingRobot& options = {});

// All four side by side along y, in the order of Grip: names begin with "variant1." to "variant4.". Where the detection of
// contacts is switched, only the robot's own sphere can or cannot be touched: the others need theirs.
std::array<GrippingRobotParts, 4> gripping_robots(tactus::World& world, double spacing = 0.68, double tolerance = 1e-5);

}  // namespace scenes
