// How what acts between two links changes with small relative motions: the parts of Jacobians that may be stiff.
#pragma once

#include <tactus/engine/math.hpp>

#include <Eigen/Core>

#include <cstddef>
#include <cstdint>
#include <limits>

namespace tactus::systems {

using Mat6 = Eigen::Matrix<double, 6, 6>;
using Vec6 = Eigen::Matrix<double, 6, 1>;

// A wrench (torque, force) that acts on link b at a point, and the opposite on link a at the same point. World axes; motions
// are those of b against a at the point: (turning, moving).
struct Coupling {
    std::uint32_t a = 0, b = 0;                       // links
    Vec3 arm_a = Vec3::Zero(), arm_b = Vec3::Zero();  // [m] of the point from their origins
    Mat6 by_place = Mat6::Zero(), by_speed = Mat6::Zero();
    Vec6 power_by_place = Vec6::Zero(), power_by_speed = Vec6::Zero();  // of the dissipation [W]
    // States s of its own, s' = rate_by_speed u - decay s for small motions u: by_place has what follows from that already.
    std::ptrdiff_t state = -1;  // the first of these states; -1: it has none, and what follows is not set
    Eigen::Matrix<double, 6, 4> by_state;
    Eigen::Matrix<double, 4, 6> rate_by_speed;
    double decay = 0.0;  // [1/s]
    // How large relative motions have to be to change these derivatives by their own size: [m], [m/s], [rad/s].
    double place_range = std::numeric_limits<double>::infinity();
    double speed_range = std::numeric_limits<double>::infinity();
    double spin_range = std::numeric_limits<double>::infinity();
};

// tau_i that changes with the place and the speed of the degree of freedom j.
struct SpeedCoupling {
    int i = 0, j = 0;
    double by_place = 0.0, by_speed = 0.0;
};

// A state x of a drive, x' = f(place, speed) of the degree of freedom j, on which tau_j depends.
struct StateCoupling {
    int j = 0;
    double tau_by_state = 0.0;
    double rate_by_place = 0.0, rate_by_speed = 0.0;  // of f
};

}  // namespace tactus::systems
