#include "demos/scenes/bouncing_ball.hpp"
#include "demos/demo.hpp"

static const demos::Register bouncing_ball{{
    .name = "bouncing_ball",
    .title = "Bouncing ball",
    .lesson = "A ball that is pressed flat for 100 microseconds, and one whose speed is turned round in no time, "
              "bounce alike "
              "as long as they are fast.",
    .look_for = "Both keep step until their bounces are slow. Then the elastic one sinks in, and comes to rest; its "
                "measured restitution falls.",
    .order = 10,
    .view = {.eye = {0.25, -1.6, 0.5}, .target = {0.0, 0, 0.27}},
    .ground = -0.05,
    .picture_at = 0.98,
    .follow = {"elastic", "impulsive"},
    .parameters = {{"restitution", 0.7, 0.1, 0.95, 0.05}, {"height [m]", 0.5, 0.1, 0.6, 0.05}},
    .build =
        [](demos::Set& set) {
            const auto measured = scenes::bouncing_ball(
                set.world, {.restitution = set.value("restitution"), .height = set.value("height [m]")});
            using tactus::World;
            set.signals = {
                {"height, elastic", "m", [](World& w) { return w.pose(w.at("elastic")).p.z() - 0.05; }},
                {"height, impulsive", "m", [](World& w) { return w.pose(w.at("impulsive")).p.z() - 0.05; }},
                {"restitution, elastic", "1", [measured](World&) { return measured->elastic; }},
            };
            set.looks = {{"elastic", {.color = {214, 69, 65}, .roughness = 0.18}},
                         {"impulsive", {.color = {58, 110, 165}, .roughness = 0.18}},
                         {"table", demos::looks::wood()}};
        },
}};
