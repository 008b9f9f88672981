#include "demos/demo.hpp"
#include "demos/scenes/pendulums.hpp"

#include <string>

static const demos::Register double_pendulum{{
    .name = "double_pendulum",
    .title = "Double pendulums",
    .lesson =
        "The motion follows from the start without any chance, and yet a thousandth of a radian decides where it goes.",
    .look_for =
        "Nine double pendulums move as one, until their small differences have grown: then each goes its own way.",
    .order = 70,
    .view = {.eye = {1.45, -2.9, 0.7}, .target = {0, 0, -0.12}},
    .ground = -1.12,
    .picture_at = 3.3,
    .follow = {"upper0.arm", "lower0.arm", "lower8.arm"},
    .parameters = {{"angle [rad]", 2.2, 0.2, 3.1, 0.1}, {"difference [mrad]", 1.0, 0.0, 20.0, 0.5}},
    .build =
        [](demos::Set& set) {
            scenes::double_pendulums(
                set.world, {.angle = set.value("angle [rad]"), .difference = 1e-3 * set.value("difference [mrad]")});
            using tactus::World;
            set.signals = {{"elbow, first", "rad", [](World& w) { return w.state(w.at("elbow0")).q[0]; }},
                           {"elbow, last", "rad", [](World& w) { return w.state(w.at("elbow8")).q[0]; }}};
            for (int i = 0; i < 9; ++i) {
                const double t = i / 8.0;
                const auto mix = [t](int a, int b) { return static_cast<int>(a + t * (b - a)); };
                const demos::Look look{.color = {mix(240, 70), mix(160, 90), mix(70, 170)}, .roughness = 0.3};
                set.looks.push_back({"lower" + std::to_string(i), look});
                set.looks.push_back({"upper" + std::to_string(i) + ".pin", demos::looks::dark_metal()});
                set.looks.push_back({"upper" + std::to_string(i), look});
            }
            set.looks.push_back({"axle", demos::looks::dark_metal()});
        },
}};
