// What the stand-in claims to be, and its check for misuse.
#pragma once

#include <cassert>

#ifndef TACTUS_ENTT_STAND_IN
#define TACTUS_ENTT_STAND_IN 1
#endif

// The oldest EnTT whose API is followed here.
#define ENTT_VERSION_MAJOR 3
#define ENTT_VERSION_MINOR 12
#define ENTT_VERSION_PATCH 0

// Misuse by the caller. As in EnTT: a plain assert (nothing under NDEBUG), unless the build defines its own.
#ifndef ENTT_ASSERT
#define ENTT_ASSERT(condition, msg) assert(((condition) && (msg)))
#endif
