// Where things are and how they move: the state that an integrator carries, kept on the element that it belongs to.
#pragma once

#include <array>
#include <vector>

namespace tactus {

// Coordinates q and speeds v of a joint (or of a free object relative to its parent) at the time of the World. On joint
// entities and free objects once the World has moved; before that, the initial values of their definitions hold. The
// order is that of the joint's definition, whichever side carries the other. Written by systems/integration.
//   Revolute phi | w   Prismatic s | v   Universal phi1 phi2 | w1 w2   Cylindrical s phi | v w   Planar s1 s2 phi | v1 v2 w
//   Spherical quaternion xyzw | angular velocity   Free translation, quaternion xyzw | velocity, angular velocity
// Vectors are in the axes of frame 1 (of the parent), the quaternion turns coordinates of frame 2 into those of frame 1.
// Also on RotorInertia (phi | w) and SlidingMass (s | v).
struct JointState {
    std::array<double, 7> q{};
    std::array<double, 6> v{};
};

// State of a Servo's controller, once the World has moved. Written by systems/integration.
struct DriveState {
    double x = 0.0;
};

// The reference of a path from `begin` on: accelerations are constant until the next piece. One number for each column.
struct PathPiece {
    double begin = 0.0;                                    // [s]
    std::vector<double> position, velocity, acceleration;  // at begin
};

// How a ReferencePath moves, once the World has moved. Written by systems/drives.
struct PathMotion {
    std::vector<PathPiece> pieces;  // by time; the last one is at rest
};

}  // namespace tactus
