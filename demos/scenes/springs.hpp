// A heavy plate on four springs, and two blocks in elastic bushings: one that may only slide a little, one that may turn.
#pragma once

#include <tactus/engine/world.hpp>

namespace scenes {

struct Springs {
    double stiffness = 600.0;  // [N/m] of each spring
    double damping = 4.0;      // [N s/m] of each spring
    double kick = 1.0;         // factor on the velocities at the start
    double tolerance = 1e-6;
};

// Objects "plate", "slider" and "turner"; springs "spring0" .. "spring3", bushings "bushing_slider", "bushing_turner". The
// floor is at z = 0.
void springs(tactus::World& world, const Springs& options = {});

}  // namespace scenes
