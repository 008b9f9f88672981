#include "demos/scenes/mobile.hpp"
#include "demos/demo.hpp"

static const demos::Register mobile{{
    .name = "mobile",
    .title = "Mobile",
    .lesson = "A tree of joints takes a time that grows with the number of bodies and no faster, however deep it is.",
    .look_for = "Every bar is pushed by all that hang on it. What the uppermost one loses, the others turn with.",
    .order = 90,
    .view = {.eye = {1.5, -3.2, 1.69}, .target = {0, 0, 1.40}},
    .picture_at = 1.2,
    .follow = {"bar.rod", "barl.rod", "ornamentllll", "ornamentrrrr"},
    .parameters = {{"levels", 4, 4, 7, 1}, {"push [rad/s]", 1.2, 0.0, 4.0, 0.2}},
    .build =
        [](demos::Set& set) {
            scenes::mobile(set.world, {.levels = set.count("levels"), .push = set.value("push [rad/s]")});
            std::size_t i = 0;
            for (const char* end : {"ll", "lr", "rl", "rr"})
                for (const char* first : {"ornamentll", "ornamentlr", "ornamentrl", "ornamentrr"})
                    set.looks.push_back({std::string{first} + end, demos::looks::paint(i++ * 5 % 7, 0.3)});
            set.looks.push_back({"ornament", demos::looks::paint(0)});
            set.looks.push_back({"string", {.color = {70, 70, 74}}});
            for (const tactus::Entity e : set.world.elements())
                if (set.world.name(e).ends_with(".thread"))
                    set.looks.push_back({set.world.name(e), {.color = {70, 70, 74}}});
            set.looks.push_back({"bar", demos::looks::wood({198, 156, 104})});
            set.looks.push_back({"ceiling", demos::looks::dark_metal()});
        },
}};
