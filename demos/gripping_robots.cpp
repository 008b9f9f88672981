#include "demos/demo.hpp"
#include "demos/scenes/gripping_robot.hpp"

#include <string>

static const demos::Register gripping_robots{{
    .name = "gripping_robots",
    .title = "Four ways to grip",
    .lesson =
        "What holds a sphere can be friction, a joint that is made while it moves, or both: all reach the same place.",
    .look_for =
        "From left to right: friction alone; friction, then fixed to the gripper with contacts watched; likewise, "
        "but not watched while it is fixed; fixed all the time, without any contact.",
    .order = 131,
    .view = {.eye = {-3.1, -0.25, 1.42}, .target = {-0.5, -0.15, 0.12}},
    .picture_at = 4.0,
    .follow = {"variant1.sphere", "variant2.sphere", "variant3.sphere", "variant4.sphere"},
    .build =
        [](demos::Set& set) {
            using tactus::World;
            scenes::gripping_robots(set.world);
            const char* names[] = {"friction", "both, watched", "both, not watched", "fixed"};
            for (int i = 1; i <= 4; ++i) {
                const std::string variant = "variant" + std::to_string(i);
                set.signals.push_back(
                    {names[i - 1], "m", [variant](World& w) { return w.pose(w.at(variant + ".sphere")).p.z(); }});
                set.looks.push_back({variant + ".sphere", demos::looks::paint(3)});
                set.looks.push_back({variant + ".plate", demos::looks::wood()});
            }
        },
}};
