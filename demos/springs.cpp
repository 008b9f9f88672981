#include "demos/scenes/springs.hpp"
#include "demos/demo.hpp"

static const demos::Register springs{{
    .name = "springs",
    .title = "Springs and bushings",
    .lesson = "Springs act along a line; bushings along and about three axes at once.",
    .look_for =
        "The plate has several ways to swing, each with its own beat. One block slides up and down its post, the other "
        "one twists on it.",
    .order = 100,
    .view = {.eye = {1.3, -2.75, 1.5}, .target = {0.45, 0, 0.46}},
    .picture_at = 0.35,
    .follow = {"plate", "slider", "turner"},
    .parameters = {{"stiffness [N/m]", 600, 200, 3000, 100}, {"damping [N s/m]", 4, 0, 40, 1}},
    .build =
        [](demos::Set& set) {
            scenes::springs(set.world,
                            {.stiffness = set.value("stiffness [N/m]"), .damping = set.value("damping [N s/m]")});
            using tactus::World;
            set.signals = {{"height of the plate", "m", [](World& w) { return w.pose(w.at("plate")).p.z(); }},
                           {"height of the slider", "m", [](World& w) { return w.pose(w.at("slider")).p.z(); }}};
            set.looks = {{"plate", demos::looks::wood()},
                         {"frame", demos::looks::dark_metal()},
                         {"slider", demos::looks::paint(0)},
                         {"turner", demos::looks::paint(1)},
                         {"post", demos::looks::steel()}};
        },
}};
