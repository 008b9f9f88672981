#include "demos/scenes/newtons_cradle.hpp"
#include "demos/demo.hpp"

static const demos::Register newtons_cradle{{
    .name = "newtons_cradle",
    .title = "Newton's cradle",
    .lesson = "Momentum and energy pass through the row one contact at a time, because the balls do not quite touch.",
    .look_for = "As many balls leave as arrive. With a restitution below one they end up swinging together.",
    .order = 5,
    .view = {.eye = {0.88, -0.45, 0.4}, .target = {0, 0.0, 0.165}},
    .picture_at = 0.62,
    .follow = {"ball0", "ball2", "ball4"},
    .parameters = {{"lifted", 1, 1, 4, 1}, {"restitution", 1.0, 0.5, 1.0, 0.05}},
    .build =
        [](demos::Set& set) {
            scenes::newtons_cradle(set.world, {.lifted = set.count("lifted"), .restitution = set.value("restitution")});
            using tactus::World;
            set.signals = {{"first ball", "rad", [](World& w) { return w.state(w.at("hinge0")).q[0]; }},
                           {"middle ball", "rad", [](World& w) { return w.state(w.at("hinge2")).q[0]; }},
                           {"last ball", "rad", [](World& w) { return w.state(w.at("hinge4")).q[0]; }}};
            for (int i = 0; i < 5; ++i) {
                const std::string ball = "ball" + std::to_string(i);
                set.looks.push_back({ball + ".wire", {.color = {40, 42, 48}, .roughness = 0.5}});
                set.looks.push_back({ball, {.color = {214, 218, 224}, .metal = 1.0, .roughness = 0.12}});
            }
            set.looks.push_back({"frame.base", demos::looks::wood({92, 54, 34})});
            set.looks.push_back({"frame", demos::looks::steel()});
        },
}};
