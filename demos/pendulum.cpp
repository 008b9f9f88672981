#include "demos/demo.hpp"
#include "demos/scenes/pendulums.hpp"

#include <string>

static const demos::Register pendulum_wave{{
    .name = "pendulum",
    .title = "Pendulums",
    .lesson = "How long a swing takes grows with the root of the length, and a little with how far it goes.",
    .look_for =
        "All start together, drift apart into waves, and are together again after 40 seconds, because their lengths "
        "were computed from the exact period of large swings.",
    .order = 60,
    .view = {.eye = {1.95, -2.35, 1.2}, .target = {0.05, 0, 0.45}},
    .picture_at = 6.0,
    .follow = {"ball0.bob", "ball7.bob", "ball14.bob"},
    .parameters = {{"angle [rad]", 0.35, 0.05, 1.2, 0.05}},
    .build =
        [](demos::Set& set) {
            scenes::pendulum_wave(set.world, {.angle = set.value("angle [rad]")});
            using tactus::World;
            set.signals = {{"slowest", "rad", [](World& w) { return w.state(w.at("hinge0")).q[0]; }},
                           {"fastest", "rad", [](World& w) { return w.state(w.at("hinge14")).q[0]; }}};
            for (int i = 14; i >= 0; --i) {
                const std::string ball = "ball" + std::to_string(i);
                const double t = i / 14.0;
                const auto mix = [t](int a, int b) { return static_cast<int>(a + t * (b - a)); };
                set.looks.push_back({ball + ".thread", {.color = {60, 62, 68}, .roughness = 0.6}});
                set.looks.push_back({ball, {.color = {mix(236, 38), mix(92, 110), mix(70, 190)}, .roughness = 0.15}});
            }
            set.looks.push_back({"frame", demos::looks::wood({150, 108, 70})});
        },
}};
