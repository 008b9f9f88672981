#include "demos/scenes/gripping_robot.hpp"
#include "demos/demo.hpp"

static const demos::Register gripping_robot{{
    .name = "gripping_robot",
    .title = "A robot grips a sphere",
    .lesson =
        "What is gripped can be held by friction, be fixed to the gripper for a while, or both: the model changes "
        "while it runs.",
    .look_for = "Variant 1 holds the sphere by friction alone; 2 and 3 fix it to the gripper once it is gripped, with "
                "contacts watched or not; 4 does without any contact.",
    .order = 130,
    .view = {.eye = {-1.5, -0.95, 0.84}, .target = {-0.53, 0.02, 0.22}},
    .picture_at = 4.0,
    .follow = {"sphere", "robot.gripper"},
    .parameters = {{"variant", 1, 1, 4, 1}},
    .build =
        [](demos::Set& set) {
            using tactus::World;
            scenes::gripping_robot(set.world, {.grip = static_cast<scenes::Grip>(set.count("variant") - 1)});
            set.signals = {
                {"height of the sphere", "m", [](World& w) { return w.pose(w.at("sphere")).p.z(); }},
                {"height of the gripper", "m", [](World& w) { return w.pose(w.at("robot.gripper")).p.z(); }}};
            set.looks = {{"sphere", demos::looks::paint(3)}, {"plate", demos::looks::wood()}};
        },
}};
