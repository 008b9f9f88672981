#include "demos/scenes/wing_nut.hpp"
#include "demos/demo.hpp"

static const demos::Register wing_nut{{
    .name = "wing_nut",
    .title = "Dzhanibekov's wing nut",
    .lesson = "Turning about the axis of intermediate inertia is unstable: energy and angular momentum allow two ways, "
              "and the "
              "body goes to and fro between them.",
    .look_for = "It turns steadily, flips over within a moment, and turns steadily again. The angular momentum stays.",
    .order = 80,
    .view = {.eye = {0.5, -1.1, 0.6}, .target = {0, 0, 0}},
    .backdrop = demos::Backdrop::night,
    .ground = -1e3,
    .picture_at = 2.05,
    .follow = {"nut"},
    .parameters = {{"spin [rad/s]", 6.0, 1.0, 15.0, 0.5}, {"disturbance [rad/s]", 0.02, 0.0, 0.5, 0.01}},
    .build =
        [](demos::Set& set) {
            scenes::wing_nut(set.world,
                             {.spin = set.value("spin [rad/s]"), .disturbance = set.value("disturbance [rad/s]")});
            using tactus::World;
            const auto own = [](World& w, int axis) {
                const tactus::Entity nut = w.at("nut");
                return (w.pose(nut).q.conjugate() * w.velocity(nut).w)[axis];
            };
            set.signals = {{"about the stem", "rad/s", [own](World& w) { return own(w, 0); }},
                           {"about the bar", "rad/s", [own](World& w) { return own(w, 1); }},
                           {"about the third", "rad/s", [own](World& w) { return own(w, 2); }}};
            set.looks = {{"nut.stem", {.color = {206, 210, 218}, .metal = 0.5, .roughness = 0.3}},
                         {"nut.bar", {.color = {236, 168, 70}, .metal = 0.4, .roughness = 0.3}}};
        },
}};
