#include "demos/scenes/bouncing_shapes.hpp"
#include "demos/demo.hpp"

static const demos::Register bouncing_shapes{{
    .name = "bouncing_shapes",
    .title = "Bouncing shapes",
    .lesson =
        "Each convex shape needs only one function, its farthest point in a direction, to be found touching exactly.",
    .look_for = "Some land on an edge, tip over and come to rest on a face: corners arrive one after the other, each "
                "at its own "
                "instant.",
    .order = 20,
    .view = {.eye = {0.8, -6.2, 2.5}, .target = {0.0, 0, 0.72}},
    .ground = -0.08,
    .picture_at = 1.0,
    .follow = {"ellipsoid", "capsule", "beam", "cone", "frustum", "cylinder"},
    .parameters = {{"height [m]", 1.2, 0.5, 3.0, 0.1},
                   {"spin", 0.4, 0.0, 3.0, 0.2},
                   {"restitution", 0.6, 0.3, 0.95, 0.05},
                   {"friction", 0.3, 0.0, 0.6, 0.05}},
    .build =
        [](demos::Set& set) {
            scenes::bouncing_shapes(set.world, {.height = set.value("height [m]"),
                                                .spin = set.value("spin"),
                                                .restitution = set.value("restitution"),
                                                .friction = set.value("friction")});
            std::size_t i = 0;
            for (const char* name : {"ellipsoid", "capsule", "beam", "cone", "frustum", "cylinder"})
                set.looks.push_back({name, demos::looks::paint(i++)});
            set.looks.push_back({"plate", demos::looks::wood({196, 160, 118})});
        },
}};
