#include "demos/scenes/billiards.hpp"
#include "demos/demo.hpp"

namespace {

void build(demos::Set& set, int balls, double speed, double sideways) {
    scenes::billiards(set.world, {.balls = balls, .speed = speed, .sideways = sideways, .furniture = true});
    constexpr std::array<std::array<int, 3>, 8> colors{{{242, 184, 24},
                                                        {25, 66, 150},
                                                        {200, 36, 34},
                                                        {92, 46, 120},
                                                        {226, 106, 26},
                                                        {20, 110, 62},
                                                        {122, 28, 36},
                                                        {24, 24, 26}}};
    for (int i = balls - 1; i > 0; --i) {  // 15 before 1: the first name that fits counts
        const int number = i;
        set.looks.push_back({"ball" + std::to_string(i),
                             {.color = colors[static_cast<std::size_t>(number - 1) % 8],
                              .roughness = 0.07,
                              .pattern = demos::Pattern::ball,
                              .number = number}});
    }
    set.looks.push_back({"ball0", {.color = {246, 242, 230}, .roughness = 0.07, .pattern = demos::Pattern::ball}});
    set.looks.push_back({"table.", demos::looks::wood({122, 66, 36})});
    set.looks.push_back({"diamond", {.color = {236, 226, 200}, .roughness = 0.2}});
    const demos::Look cloth{.color = {24, 112, 84}, .roughness = 0.95, .pattern = demos::Pattern::cloth};
    set.looks.push_back({"table", cloth});
    set.looks.push_back({"cushion", cloth});
}

const demos::Register sixteen{{
    .name = "billiards",
    .title = "Billiards, the break",
    .lesson =
        "Each hit lasts a tenth of a millisecond, and its beginning and end are found exactly, one after another.",
    .look_for =
        "A centred break stays symmetric: the two halves of the rack mirror each other. Play it a little sideways to "
        "break it.",
    .order = 1,
    .view = {.eye = {-2.3, -2.75, 2.35}, .target = {0.02, -0.02, -0.33}, .angle = 33.0},
    .ground = -0.8,
    .picture_at = 0.95,
    .follow = {"ball0", "ball1", "ball8", "ball15"},
    .parameters = {{"balls", 16, 2, 16, 1},
                   {"speed [m/s]", 5.0, 0.5, 8.0, 0.5},
                   {"sideways [m/s]", 0.0, -0.4, 0.4, 0.02}},
    .build =
        [](demos::Set& set) { build(set, set.count("balls"), set.value("speed [m/s]"), set.value("sideways [m/s]")); },
}};

const demos::Register four{{
    .name = "billiards_4",
    .title = "Billiards, four balls",
    .lesson = "Equal balls that meet head on hand over all their speed; met at an angle, they part at a right angle.",
    .look_for =
        "The cue ball meets the first ball straight; it is slowed by the two behind it, which fly off to the sides.",
    .order = 2,
    .view = {.eye = {-2.75, -2.4, 2.1}, .target = {0.02, 0.0, -0.36}, .angle = 34.5},
    .ground = -0.8,
    .picture_at = 0.75,
    .follow = {"ball0", "ball1", "ball2", "ball3"},
    .parameters = {{"speed [m/s]", 2.0, 0.5, 6.0, 0.5}},
    .build = [](demos::Set& set) { build(set, 4, set.value("speed [m/s]"), 0.0); },
}};

}  // namespace
