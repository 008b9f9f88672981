#include "demos/scenes/jacks.hpp"
#include "demos/demo.hpp"

#include <string>

static const demos::Register jacks{{
    .name = "jacks",
    .title = "Convex parts",
    .lesson =
        "A concave body is a rigid set of convex meshes: each of them touches by itself, and none its own neighbours.",
    .look_for = "Spikes catch in each other, which no convex hull of the whole body could do.",
    .order = 120,
    .view = {.eye = {0.78, -2.95, 1.7}, .target = {0, 0, 0.06}},
    .ground = -0.06,
    .picture_at = 0.45,
    .follow = {"jack0", "jack1", "jack2"},
    .parameters = {{"jacks", 3, 1, 12, 1}},
    .build =
        [](demos::Set& set) {
            const int count = set.count("jacks");
            scenes::jacks(set.world, {.jacks = count});
            for (int i = count - 1; i >= 0; --i)
                set.looks.push_back({"jack" + std::to_string(i),
                                     {.color = demos::looks::palette[static_cast<std::size_t>(i) % 7],
                                      .metal = 0.6,
                                      .roughness = 0.3}});
            for (const char* part : {"floor", "right", "left", "far", "near"})
                set.looks.push_back({part, demos::looks::wood({168, 128, 92})});
        },
}};
