#include "demos/scenes/rocket.hpp"
#include "demos/demo.hpp"
#include "demos/scenes/parts.hpp"

static const demos::Register rocket{{
    .name = "rocket",
    .title = "Two-stage rocket",
    .lesson =
        "Two stages are one body with 13 states, then two with 26, then one of them is gone: the structure changes "
        "while it flies.",
    .look_for = "The lower stage burns out at 5 s and is let go; it keeps the speed that it had. At 10 s it leaves the "
                "model. The upper one is 1232.208 m high after 15 s.",
    .order = 120,
    .view = {.eye = {4.3, -8.8, 2.9}, .target = {0, 0, 2.0}},
    .ground = 0.0,
    .picture_at = 5.35,
    .rides = "stage2.body",
    .follow = {"stage2.body", "stage1.body"},
    .build =
        [](demos::Set& set) {
            using namespace tactus;
            World& world = set.world;
            scenes::rocket(world, scenes::RocketProgram::Coroutine, 1e-6, 3);
            scenes::add_visual(world, "stage2.nose", "stage2.body", {0, 0, 0.5},
                               Cone{.axis = 3, .diameter = 0.15, .length = 0.4});
            scenes::add_visual(world, "stage2.band", "stage2.body", {0, 0, 0.1},
                               Cylinder{.axis = 3, .diameter = 0.156, .length = 0.12});
            scenes::add_visual(world, "stage1.band", "stage1.body", {0, 0, 0.7},
                               Cylinder{.axis = 3, .diameter = 0.206, .length = 0.2});
            scenes::add_visual(world, "stage1.fin1", "stage1.body", {0, 0, -0.85}, Box{0.56, 0.012, 0.3});
            scenes::add_visual(world, "stage1.fin2", "stage1.body", {0, 0, -0.85}, Box{0.012, 0.56, 0.3});
            set.signals = {{"height", "m", [](World& w) { return w.pose(w.at("stage2.body")).p.z(); }},
                           {"speed", "m/s", [](World& w) { return w.velocity(w.at("stage2.body")).v.z(); }}};
            set.looks = {{"stage2.nose", demos::looks::paint(0)},
                         {"stage2.band", demos::looks::paint(3)},
                         {"stage1.band", demos::looks::paint(0)},
                         {"stage1.fin", demos::looks::paint(0)},
                         {"stage", {.color = {236, 236, 232}, .roughness = 0.3}}};
        },
}};
