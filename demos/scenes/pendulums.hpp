// Pendulums: a row whose swings drift apart and meet again, and double pendulums that nearly start alike.
#pragma once

#include <tactus/engine/world.hpp>

#include <vector>

namespace scenes {

// A row of pendulums along y; the n-th one swings `swings + n` times within `period`, so that all meet again after it.
struct PendulumWave {
    int pendulums = 15;
    int swings = 24;       // of the slowest, within the period
    double period = 40.0;  // [s]
    double angle = 0.35;   // [rad] at the start
    double tolerance = 1e-6;
};

// Balls "ball0", ... and joints "hinge0", ...; the rail is at z = 1. Gives the joints back. Lengths are those of
// swings of the given angle, not only of small ones.
std::vector<tactus::Entity> pendulum_wave(tactus::World& world, const PendulumWave& options = {});

// [s] of a mathematical pendulum that swings up to an angle, exactly: the complete elliptic integral by the arithmetic-
// geometric mean.
double pendulum_period(double length, double angle);

struct DoublePendulums {
    int pendulums = 9;
    double angle = 2.2;        // [rad] of both arms
    double difference = 1e-3;  // [rad] between neighbours
    double tolerance = 1e-7;
};

// Arms "upper0", "lower0", ... that swing in planes x-z, one behind the other along y; joints "shoulder0", "elbow0", ...
// Gives the shoulders back.
std::vector<tactus::Entity> double_pendulums(tactus::World& world, const DoublePendulums& options = {});

}  // namespace scenes
