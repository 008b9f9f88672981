// tactus_window SCRIPT   opens the window of the demos and does to it what the script says; exit status 0 if all that the
// script expects holds and the window closes when it is told to. Pictures are saved in the current folder.
#include "demos/app/show.hpp"
#include "tests/demos/window/failing_demos.hpp"
#include "tests/demos/window/scripts.hpp"

#include <iostream>
#include <string_view>

using namespace window_test;

namespace {

struct Entry {
    std::string_view name;
    const char* demo;  // null: the gallery
    Script (*script)(Hand&);
};

constexpr Entry entries[] = {
    {"use", "bouncing_ball", use_a_demo},           {"resize", "billiards_4", resize_a_demo},
    {"walk", "billiards", walk_through_demos},      {"gallery", nullptr, use_the_gallery},
    {"failures", fails_at_start, look_at_failures}, {"deletion", "rocket", outlive_what_it_holds},
};

int play(const Entry& entry) {
    Hand hand;
    Script script = entry.script(hand);
    int after = 0;  // frames since the end of the script
    demos::app::ShowOptions options{.seconds = 400, .workers = 2};
    options.each_frame = [&](demos::app::Session* session) {
        hand.session = session;
        if (script.over() && ++after > 3) throw std::runtime_error("the window is still open after it was closed");
        script.frame();
    };
    const int status = demos::app::show_in_window(entry.demo ? demos::find(entry.demo) : nullptr, options);
    if (status == 0 && !script.over()) {
        std::cerr << "the window was closed before the end of the script\n";
        return 1;
    }
    return status;
}

}  // namespace

int main(int argc, char** argv) {
    for (const Entry& entry : entries)
        if (argc == 2 && entry.name == argv[1]) return play(entry);
    std::cerr << "usage: tactus_window use|resize|walk|gallery|failures|deletion\n";
    return 2;
}
