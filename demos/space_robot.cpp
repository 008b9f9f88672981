#include "demos/scenes/space_robot.hpp"
#include "demos/demo.hpp"

static const demos::Register space_robot{{
    .name = "space_robot",
    .title = "A robot walks in space",
    .lesson =
        "A chain of seven joints that is held at one end is held at the other one from an instant on; its joints are "
        "then read from the other side, and nothing jumps.",
    .look_for =
        "It takes boxes with the foot that it does not stand on, and stacks them. Then that foot takes hold of the "
        "platform, and the other one lets go.",
    .order = 140,
    .view = {.eye = {4.9, -4.3, 3.2}, .target = {1.32, 0.0, 0.26}},
    .backdrop = demos::Backdrop::night,
    .ground = -1e3,
    .speed = 2.0,
    .picture_at = 9.0,
    .follow = {"robot.link3", "boxX1Y1Z2"},
    .build =
        [](demos::Set& set) {
            scenes::space_robot(set.world);
            set.looks = {{"robot.blue", {.color = {64, 112, 224}, .roughness = 0.3}},
                         {"robot.green", {.color = {52, 168, 96}, .roughness = 0.3}},
                         {"robot", {.color = {226, 228, 234}, .roughness = 0.3}},
                         {"platform", demos::looks::dark_metal()}};
            std::size_t i = 0;
            for (const char* box : {"boxX1Y1Z1", "boxX1Y1Z2", "boxX1Y3Z1", "boxX1Y3Z2", "boxX4Y1Z1", "boxX4Y3Z1"})
                set.looks.push_back({box, demos::looks::paint(i++)});
        },
}};
