// Everything that a user of Tactus needs.
#pragma once

#include <tactus/engine/scene/scene_file.hpp>
#include <tactus/engine/version.hpp>
#include <tactus/engine/world.hpp>
