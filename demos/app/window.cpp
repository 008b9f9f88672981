// The window: the gallery, and the demo that was chosen.
#include "demos/app/gallery.hpp"
#include "demos/app/graphics.hpp"
#include "demos/app/show.hpp"
#include "demos/app/viewer.hpp"

#include <algorithm>
#include <iostream>

namespace demos::app {

namespace {

// As good as the machine can draw at 30 pictures a second.
class QualityControl {
public:
    explicit QualityControl(bool software, int smoothness) {
        quality_.scale = software ? 1 : smoothness;
        if (software) quality_.shadow_taps = 10, quality_.shadow_size = 1024;
    }
    const Quality& operator()() const { return quality_; }
    void note(double seconds) {
        mean_ += 0.1 * (seconds - mean_);
        if (mean_ < 0.04) return;
        mean_ = 0.0;
        if (quality_.scale > 1)
            quality_.scale = 1;
        else if (quality_.shadow_taps > 6)
            quality_.shadow_taps = 6, quality_.shadow_size = 1024;
    }

private:
    Quality quality_;
    double mean_ = 0.0;
};

const Demo* neighbour(const Demo& demo, int step) {
    const auto& list = all();
    const auto at = static_cast<int>(std::ranges::find(list, &demo) - list.begin());
    const int count = static_cast<int>(list.size());
    return list[static_cast<std::size_t>((at + step + count) % count)];
}

void run(const Demo* demo, const ShowOptions& options, bool software) {
    Type type;
    Renderer renderer;
    renderer.set_digits(type.digits());
    Ui ui{type};
    QualityControl quality{software, options.smoothness};
    const int workers = options.workers;
    std::unique_ptr<Viewer> viewer;
    std::unique_ptr<Gallery> gallery;
    const auto open = [&](const Demo& chosen) {
        viewer = std::make_unique<Viewer>(chosen, workers, renderer, type, ui);
        SetWindowTitle(("Tactus: " + chosen.title).c_str());
    };
    if (demo) {
        open(*demo);
        viewer->set_parameters(options.parameters);
    }
    Keys keys;
    const double began = GetTime();
    while (!WindowShouldClose()) {
        if (options.seconds && GetTime() - began >= *options.seconds) break;
        if (options.each_frame) options.each_frame(viewer ? &viewer->session() : nullptr);
        keys.read();
        const int width = std::max(1, GetScreenWidth()), height = std::max(1, GetScreenHeight());
        if (!viewer) {
            if (!gallery) {
                gallery = std::make_unique<Gallery>(workers, renderer, ui);
                SetWindowTitle("Tactus");
            }
            if (const Demo* chosen = gallery->frame(width, height, keys)) open(*chosen);
            continue;
        }
        viewer->update(GetFrameTime(), keys);
        const double before = GetTime();
        viewer->draw(width, height, quality());
        quality.note(GetTime() - before);
        if (keys.pressed(KEY_RIGHT)) open(*neighbour(viewer->session().demo, 1));
        if (keys.pressed(KEY_LEFT)) open(*neighbour(viewer->session().demo, -1));
        if (keys.pressed(KEY_ESCAPE)) viewer.reset();
    }
}

}  // namespace

int show_in_window(const Demo* demo, const ShowOptions& options) {
    std::string why;
    const std::unique_ptr<Graphics> graphics = Graphics::window("Tactus", options.width, options.height, why);
    if (!graphics) {
        std::cerr << "tactus: " << why << "\n  Without a display: tactus demo " << (demo ? demo->name : "NAME")
                  << " --headless --shot picture.png\n";
        return 1;
    }
    SetTargetFPS(60);
    try {
        run(demo, options, graphics->software());
        return 0;
    } catch (const std::exception& e) {
        std::cerr << "tactus: " << e.what() << '\n';
        return 1;
    }
}

}  // namespace demos::app
