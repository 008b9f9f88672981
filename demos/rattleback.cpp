#include "demos/scenes/rattleback.hpp"
#include "demos/demo.hpp"

static const demos::Register rattleback{{
    .name = "rattleback",
    .title = "Rattleback",
    .lesson = "Axes of inertia that are turned by five degrees against the shape couple spinning with rocking.",
    .look_for = "It spins, begins to rattle, stops, and turns back the other way, without any push.",
    .order = 30,
    .view = {.eye = {0.06, -0.31, 0.165}, .target = {0, 0, 0.004}},
    .ground = -0.01,
    .picture_at = 1.5,
    .follow = {"rattleback"},
    .parameters = {{"spin [rad/s]", 5.0, -8.0, 8.0, 0.5}, {"skew [degrees]", 5.0, 0.0, 10.0, 0.5}},
    .build =
        [](demos::Set& set) {
            scenes::rattleback(set.world, {.spin = set.value("spin [rad/s]"), .skew = set.value("skew [degrees]")});
            using tactus::World;
            set.signals = {
                {"turning", "rad/s", [](World& w) { return w.velocity(w.at("rattleback")).w.z(); }},
                {"rocking", "rad/s",
                 [](World& w) {
                     const tactus::Entity e = w.at("rattleback");
                     return (w.pose(e).q.conjugate() * w.velocity(e).w).y();
                 }},
            };
            set.looks = {{"rattleback", {.color = {60, 150, 160}, .roughness = 0.15, .pattern = demos::Pattern::bands}},
                         {"ground", demos::looks::wood({190, 140, 96})}};
        },
}};
