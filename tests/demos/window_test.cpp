// The window itself, driven by events as a hand would: tests/demos/window/.
#include "tests/support/run_program.hpp"

#include <doctest/doctest.h>

using namespace tactus::test;

namespace {

// On a virtual display if there is one, else without any: the same program otherwise.
void check(const std::string& script) {
    const TemporaryFolder folder{"window_" + script};
    const std::string virtual_display = "/usr/bin/xvfb-run";
    std::vector<std::string> words;
    if (std::filesystem::exists(virtual_display))
        words = {"-u", "WAYLAND_DISPLAY",       "-u", "SDL_VIDEODRIVER", virtual_display, "-a",
                 "-s", "-screen 0 1600x1000x24"};
    else
        words = {"SDL_VIDEODRIVER=offscreen"};
    words.insert(words.begin(), {"-C", folder.path().string()});
    words.insert(words.end(), {TACTUS_WINDOW, script});
    const Run run = run_program("/usr/bin/env", words, folder.path(), std::chrono::seconds{500});
    INFO(run.text());
    if (run.err.find("OpenGL 3.3") != std::string::npos) {
        MESSAGE("SKIPPED: no OpenGL can be had on this machine: ", run.err);
        return;
    }
    CHECK(run.exited_with(0));
}

}  // namespace

TEST_CASE(
    "all keys, dragging, a change of workers and a restart do what they say; the window closes while a demo runs") {
    check("use");
}
TEST_CASE("a demo outlives a storm of sizes, keys and clicks, from one pixel to more than any screen") {
    check("resize");
}
TEST_CASE("demos can be changed faster than they can be looked at, while the window is resized") { check("walk"); }
TEST_CASE("the gallery opens demos by keys and mouse, outlives a storm of sizes, and closes") { check("gallery"); }
TEST_CASE("demos that fail at the start or later show why, and others go on") { check("failures"); }
TEST_CASE("a body may be deleted while it is followed, selected and dragged") { check("deletion"); }
