// tactus demos, tactus demo: the gallery.
#include "demos/demo.hpp"
#include "tools/cli/commands.hpp"

#ifdef TACTUS_APP
#include "demos/app/show.hpp"
#endif

#include <nlohmann/json.hpp>

#include <cstdio>
#include <iostream>

namespace cli {

int demos(bool json) {
    if (json) {
        nlohmann::ordered_json list = nlohmann::ordered_json::array();
        for (const demos::Demo* demo : demos::all()) list.push_back({{"name", demo->name}, {"lesson", demo->lesson}});
        std::cout << list.dump(1) << '\n';
        return success;
    }
    for (const demos::Demo* demo : demos::all()) std::printf("%-22s%s\n", demo->name.c_str(), demo->lesson.c_str());
    return success;
}

#ifdef TACTUS_APP

namespace {

bool read_size(const std::string& text, demos::app::ShowOptions& show) {
    if (text.empty()) return true;
    char rest = 0;
    const bool good = std::sscanf(text.c_str(), "%dx%d%c", &show.width, &show.height, &rest) == 2 && show.width >= 64 &&
                      show.height >= 48 && show.width <= 7680 && show.height <= 4320;
    if (!good) std::cerr << "tactus: --size = " << text << ": must be WIDTHxHEIGHT, from 64x48 to 7680x4320\n";
    return good;
}

bool read_parameters(const std::vector<std::string>& settings, const demos::Demo* demo, demos::app::ShowOptions& show) {
    for (const std::string& setting : settings) {
        const std::size_t at = setting.find('=');
        const std::string name = setting.substr(0, at);
        const demos::Parameter* found = nullptr;
        if (demo)
            for (const demos::Parameter& p : demo->parameters)
                if (p.name == name || p.name.starts_with(name + " [")) found = &p;  // the unit may be left out
        double value = 0.0;
        char rest = 0;
        if (found && at != std::string::npos && std::sscanf(setting.c_str() + at + 1, "%lf%c", &value, &rest) == 1 &&
            value >= found->least && value <= found->most) {
            show.parameters.emplace_back(found->name, value);
            continue;
        }
        std::cerr << "tactus: --set " << setting << ": ";
        if (found) {
            std::cerr << name << " must be from " << found->least << " to " << found->most << '\n';
        } else {
            std::cerr << "there is no such parameter";
            if (demo)
                for (const demos::Parameter& p : demo->parameters)
                    std::cerr << (&p == demo->parameters.data() ? "; there are: " : ", ") << p.name;
            std::cerr << '\n';
        }
        return false;
    }
    return true;
}

}  // namespace

#endif

int demo(const DemoOptions& options) {
    const demos::Demo* demo = options.name.empty() ? nullptr : demos::find(options.name);
    if (!demo && !options.name.empty()) {
        std::cerr << "tactus: there is no demo '" << options.name << "'; did you mean "
                  << demos::nearest_name(options.name) << "? `tactus demos` lists them\n";
        return wrong_input;
    }
    const bool headless = options.headless || !options.shot.empty() || !options.video.empty();
    if (headless && !demo) {
        std::cerr << "tactus: --headless needs the NAME of a demo; `tactus demos` lists them\n";
        return wrong_input;
    }
#ifdef TACTUS_APP
    demos::app::ShowOptions show{.seconds = options.seconds,
                                 .shot = options.shot,
                                 .video = options.video,
                                 .workers = options.workers,
                                 .smoothness = options.smoothness,
                                 .caption = !options.no_caption,
                                 .json = options.json};
    if (!read_size(options.size, show) || !read_parameters(options.parameters, demo, show)) return wrong_input;
    return headless ? demos::app::show_headless(*demo, show) : demos::app::show_in_window(demo, show);
#else
    std::cerr << "tactus: this program was built without raylib and shows no pictures; run tools/setup demos and build "
                 "again\n";
    return failed;
#endif
}

}  // namespace cli
