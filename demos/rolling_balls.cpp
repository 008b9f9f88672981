#include "demos/scenes/rolling_balls.hpp"
#include "demos/demo.hpp"

static const demos::Register rolling_balls{{
    .name = "rolling_balls",
    .title = "Sliding and rolling",
    .lesson =
        "Friction turns sliding into rolling at five sevenths of the speed; a hit between equal balls hands on the "
        "speed, but not the spin.",
    .look_for = "After the hit the first ball stands still for a moment, while it still spins; then it rolls on.",
    .order = 50,
    .view = {.eye = {0.15, -1.7, 0.75}, .target = {0.22, 0, 0.0}},
    .ground = -0.05,
    .speed = 0.5,
    .picture_at = 0.62,
    .follow = {"cue"},
    .parameters = {{"speed [m/s]", 1.2, 0.4, 3.0, 0.1}},
    .build =
        [](demos::Set& set) {
            scenes::rolling_balls(set.world, {.speed = set.value("speed [m/s]"), .gap = 0.5});
            using tactus::World;
            set.signals = {
                {"speed, first", "m/s", [](World& w) { return w.velocity(w.at("cue")).v.x(); }},
                {"speed, second", "m/s", [](World& w) { return w.velocity(w.at("object")).v.x(); }},
                {"spin × radius, first", "m/s", [](World& w) { return 0.03 * w.velocity(w.at("cue")).w.y(); }},
            };
            set.looks = {
                {"cue", {.color = {244, 240, 228}, .roughness = 0.08, .pattern = demos::Pattern::ball}},
                {"object", {.color = {198, 40, 40}, .roughness = 0.08, .pattern = demos::Pattern::ball, .number = 3}},
                {"table", {.color = {32, 110, 72}, .roughness = 0.95, .pattern = demos::Pattern::cloth}}};
        },
}};
