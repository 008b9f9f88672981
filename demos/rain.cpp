#include "demos/scenes/rain.hpp"
#include "demos/demo.hpp"

#include <string>

static const demos::Register rain{{
    .name = "rain",
    .title = "Rain of shapes",
    .lesson = "Of all pairs few have boxes that overlap, of those few touch: what a pair costs decides how many bodies "
              "there can be.",
    .look_for = "Open the profiler (P), change the number of bodies and of workers, and see where the time goes.",
    .order = 110,
    .view = {.eye = {0.76, -1.48, 1.06}, .target = {0, 0, 0.2}},
    .ground = -0.03,
    .picture_at = 0.3,
    .follow = {"body0", "body5"},
    .parameters = {{"bodies", 24, 8, 400, 8}, {"kinds of shapes", 6, 1, 6, 1}},
    .build =
        [](demos::Set& set) {
            const int bodies = set.count("bodies");
            scenes::rain(set.world, {.bodies = bodies, .kinds = set.count("kinds of shapes")});
            for (int i = bodies - 1; i >= 0; --i)
                set.looks.push_back(
                    {"body" + std::to_string(i), demos::looks::paint(static_cast<std::size_t>(i) * 5 % 7)});
            set.looks.push_back({"floor", demos::looks::wood({150, 116, 84})});
            for (const char* wall : {"right", "left", "far", "near"})
                set.looks.push_back({wall, demos::looks::glass()});
        },
}};
