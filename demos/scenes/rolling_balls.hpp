// A ball that slides, then rolls, and hits another one, which does the same (the thesis, section 8.2).
#pragma once

#include <tactus/engine/world.hpp>

namespace scenes {

struct RollingBalls {
    double speed = 3.0;  // [m/s] of the cue ball, which does not turn at first
    double gap = 0.8;    // [m] between the two balls
    double tolerance = 1e-6;
};

// Objects "table", "cue" and "object"; x is the way they go.
void rolling_balls(tactus::World& world, const RollingBalls& options = {});

}  // namespace scenes
