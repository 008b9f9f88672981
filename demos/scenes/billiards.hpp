// A billiard table with cushions, a rack of balls and a cue ball that breaks it.
#pragma once

#include <tactus/engine/world.hpp>

#include <vector>

namespace scenes {

struct Billiards {
    int balls = 16;         // the cue ball, and a rack of 1, 3, 6, 10 or 15 (or the first balls of the next larger one)
    double speed = 3.0;     // [m/s] of the cue ball, along x
    double sideways = 0.0;  // [m/s] along y; 0 on a centred rack: the break is symmetric
    double gap = 1e-4;      // [m] between the balls of the rack
    double tolerance = 1e-5;
    bool furniture = false;  // also what is only seen: the wooden frame with its marks, and legs
};

inline constexpr double billiard_ball_diameter = 0.06;                  // [m]
inline constexpr double billiard_length = 2.24, billiard_width = 1.12;  // [m] of the cloth, cushions included
inline constexpr double billiard_cushion_depth = 0.075;                 // [m] from its nose to the end of the cloth

// The world frame lies in the middle of the cloth, z up. Balls are in the order of the result, the cue ball first.
std::vector<tactus::Entity> billiards(tactus::World& world, const Billiards& options = {});

// Index of the ball of the rack that a ball is the mirror image of about the long axis of the table.
int mirrored_ball(int ball);

}  // namespace scenes
