// Trees of bodies for the dynamics benchmark, said in a way that every engine can be told. C++17, as Simbody is.
#pragma once

#include <tactus/engine/math.hpp>

#include <vector>

namespace bench::dynamics {

enum class Joint { revolute, spherical, free };

// A body whose frame is that of the joint which carries it; at zero it is parallel to its parent's frame.
struct Body {
    int parent = -1;  // index of an earlier body; -1: the world
    Joint joint = Joint::revolute;
    tactus::Vec3 anchor = tactus::Vec3::Zero();  // [m] of the joint, in the parent's frame
    tactus::Vec3 axis = tactus::Vec3::UnitY();   // of the initial turn; of the joint, if it is revolute
    double angle = 0.0;                          // [rad] initial turn
    tactus::Vec3 spin = tactus::Vec3::Zero();  // [rad/s] initial, parent's axes; revolute: only the part along the axis
    tactus::Vec3 velocity = tactus::Vec3::Zero();  // [m/s] initial, if it is free
    double mass = 0.0;                             // [kg]
    tactus::Vec3 com = tactus::Vec3::Zero();       // [m] centre of mass
    tactus::Mat3 inertia = tactus::Mat3::Zero();   // [kg m^2] about the centre of mass
};

struct Model {
    std::vector<Body> bodies;  // parents first
    tactus::Vec3 gravity{0, 0, -9.81};
};

// For single evaluations: n bars at random angles and speeds.
Model chain(int n, Joint joint);
Model bushy(int n, Joint joint);  // every body carries three others
Model free_bodies(int n);

// For motions. Both are released at rest where gravity pulls hardest.
Model double_pendulum();  // two bars of 1 m and 1 kg, horizontal
Model hanging_chain();    // fifty bars of 0.1 m that turn about y and x in turn, an arc in the horizontal plane

}  // namespace bench::dynamics
