// Demos that fail: one whose scene cannot be built, one that stops while it runs.
#pragma once

namespace window_test {

inline constexpr const char *fails_at_start = "fails_at_start", *fails_while_running = "fails_while_running";
inline constexpr double fails_at = 0.2;  // [s] of its simulated time

}  // namespace window_test
