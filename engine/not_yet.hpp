// Parts of a World that can be defined, saved and loaded, but not simulated by this version. Never silently ignored.
#pragma once

#include <tactus/engine/world.hpp>

namespace tactus {

// One issue for every element that would have to be simulated and cannot be. Empty: everything can.
std::vector<Issue> not_yet_simulated(World& world);

}  // namespace tactus
