// Two-stage rocket (the thesis, section 12.1): two stages that are one, and then two, and then one of them is gone.
#pragma once

#include <tactus/engine/world.hpp>

namespace scenes {

struct Rocket {
    tactus::Entity stage1 = entt::null, stage2 = entt::null;  // bodies

    // Closed form of the upper stage, which flies straight up. The lower one burns for 5 s, the upper one then for
    // 10 s; both thrusts fall linearly to zero.
    static constexpr double separation_time = 5.0, deletion_time = 10.0, end_time = 15.0;  // [s]
    static double height(double t);                                                        // [m] of stage2's centre
    static double speed(double t);                                                         // [m/s]
};

enum class RocketProgram {
    None,        // the stages stay apart: the host acts
    Actions,     // a list of actions, as a scene file has it
    Coroutine,   // the same as a coroutine
    Conditions,  // actions at the heights, and not the times, of the closed form
};

// It flies along the axis `up` (1, 2, 3).
Rocket rocket(tactus::World& world, RocketProgram program, double tolerance = 1e-6, int up = 2);

}  // namespace scenes
