// A wing nut in free flight that turns about its intermediate axis of inertia and flips again and again (Dzhanibekov).
#pragma once

#include <tactus/engine/world.hpp>

namespace scenes {

struct WingNut {
    double spin = 6.0;          // [rad/s] about the intermediate axis, which is x
    double disturbance = 0.02;  // [rad/s] about the other two
    double tolerance = 1e-8;
};

// Object "nut", and what is fixed to it. No gravity. Gives the nut back.
tactus::Entity wing_nut(tactus::World& world, const WingNut& options = {});

}  // namespace scenes
