// Everything that a user of Tactus needs.
#pragma once

#include <tactus/engine/mpr/signed_distance.hpp>
#include <tactus/engine/scene/scene_file.hpp>
#include <tactus/engine/version.hpp>
#include <tactus/engine/world.hpp>
