#include "tests/demos/window/failing_demos.hpp"

#include "demos/demo.hpp"

#include <stdexcept>

namespace window_test {

namespace {

using namespace tactus;

const demos::Register at_start{{
    .name = fails_at_start,
    .title = "A demo that cannot be built",
    .lesson = "Its scene is wrong in two ways.",
    .look_for = "The error.",
    .order = 900,
    .build =
        [](demos::Set& set) {
            set.world.scene({.gravity = {0, 0, -9.81}});
            set.world.add({.name = "a.ball.with.a.name.that.is.longer.than.one.line.of.the.panel.in.which.this.error."
                                   "is.shown.to.those.who.wonder.what.went.wrong",
                           .shape = Sphere{-1.0},
                           .material = "Stell"});
        },
}};

Program fail_later(World&) {
    co_await after(fails_at);
    throw std::runtime_error("the file "
                             "/home/somebody/a/folder/that/lies/deep/below/others/and/has/no/space/in/its/name/at/all/"
                             "so/that/it/cannot/be/broken/between/words.json cannot be read");
}

const demos::Register while_running{{
    .name = fails_while_running,
    .title = "A demo that stops",
    .lesson = "What goes wrong while it moves is said, too.",
    .look_for = "The error.",
    .order = 901,
    .view = {.eye = {2, -3, 1.5}, .target = {0, 0, 0.5}},
    .build =
        [](demos::Set& set) {
            set.world.scene({.gravity = {0, 0, -9.81}});
            set.world.add({.name = "ball",
                           .parent = "world",
                           .free = true,
                           .translation = {0, 0, 1},
                           .shape = Sphere{0.4},
                           .material = "Steel"});
            set.world.add_program("fail", fail_later);
        },
}};

}  // namespace

}  // namespace window_test
