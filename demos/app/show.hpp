// What `tactus demo` does: the door of the app. Knows no graphics library.
#pragma once

#include "demos/demo.hpp"

#include <filesystem>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace demos::app {

class Session;

struct ShowOptions {
    std::optional<double> seconds;      // [s] of simulated time; a window then closes
    std::filesystem::path shot, video;  // files; empty: none
    int width = 1280, height = 720;     // [pixels]
    int workers = 0;                    // 0: one for each core
    int smoothness = 2;                 // pixels that are drawn for each one that is seen, in both directions
    bool caption = true;                // title and lesson in pictures
    bool json = false;                  // print where the followed objects are
    std::vector<std::pair<std::string, double>> parameters;
    std::function<void(Session*)> each_frame = {};  // of a window, before it; null: the gallery is open
};

// Both give the exit status: 0, or 1 with a message on stderr.
int show_in_window(const Demo* demo, const ShowOptions& options);  // null: the gallery
int show_headless(const Demo& demo, const ShowOptions& options);

}  // namespace demos::app
