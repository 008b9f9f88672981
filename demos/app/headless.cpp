// Pictures and films without a display: one frame for each sixtieth of a simulated second, however long it takes.
#include "demos/app/graphics.hpp"
#include "demos/app/picture.hpp"
#include "demos/app/show.hpp"
#include "demos/app/video.hpp"

#include <nlohmann/json.hpp>

#include <chrono>
#include <cmath>
#include <iostream>
#include <stdexcept>

namespace demos::app {

namespace {

constexpr double per_second = 60.0;  // frames

// Draws the session as it is now, and gives the picture back; the caller unloads it.
class Painter {
public:
    Painter(Session& session, const ShowOptions& options)
        : session_{session}, options_{options}, target_{LoadRenderTexture(options.width, options.height)} {
        renderer_.set_digits(type_.digits());
        quality_.scale = options.smoothness;
        if (options.width * options.height < 300000) quality_.shadow_taps = 12, quality_.shadow_size = 1024;
    }
    ~Painter() { UnloadRenderTexture(target_); }
    Painter(const Painter&) = delete;
    Painter& operator=(const Painter&) = delete;

    Image paint() {
        stage_.update(session_);
        const Renderer::Frame frame = frame_of(session_, stage_, orbit(), options_.width, options_.height);
        renderer_.draw(frame, quality_);
        BeginTextureMode(target_);
        ClearBackground(BLACK);
        renderer_.show({0, 0, static_cast<float>(options_.width), static_cast<float>(options_.height)});
        if (options_.caption)
            draw_caption(type_, session_.demo, session_.world()->time(), options_.width, options_.height);
        EndTextureMode();
        Image image = LoadImageFromTexture(target_.texture);
        ImageFlipVertical(&image);
        return image;
    }
    std::vector<Seen> look() {
        stage_.update(session_);
        return followed(session_, stage_, renderer_,
                        frame_of(session_, stage_, orbit(), options_.width, options_.height));
    }

private:
    Orbit orbit() {
        Orbit orbit = Orbit::of(session_.demo.view);
        orbit.target += session_.ridden();
        return orbit;
    }

    Session& session_;
    const ShowOptions& options_;
    Type type_;
    Renderer renderer_;
    Stage stage_;
    Quality quality_;
    RenderTexture2D target_;
};

void save(Image& image, const std::filesystem::path& file) {
    ImageFormat(&image, PIXELFORMAT_UNCOMPRESSED_R8G8B8);
    if (!ExportImage(image, file.c_str())) {
        UnloadImage(image);
        throw std::runtime_error(file.string() + ": cannot be written (the name must end in .png, .bmp or .jpg)");
    }
    UnloadImage(image);
}

void check(const Session& session) {
    if (!session.error().empty()) throw std::runtime_error(session.demo.name + ": " + session.error());
}

void print_json(Painter& painter, Session& session, const ShowOptions& options, int frames, double wall) {
    nlohmann::ordered_json objects = nlohmann::ordered_json::array();
    for (const Seen& seen : painter.look())
        objects.push_back(
            {{"name", seen.name}, {"x", seen.x}, {"y", seen.y}, {"radius", seen.radius}, {"pixels", seen.pixels}});
    std::cout << nlohmann::ordered_json{{"demo", session.demo.name}, {"time", session.world()->time()},
                                        {"frames", frames},          {"width", options.width},
                                        {"height", options.height},  {"wall", wall},
                                        {"objects", objects}}
                     .dump(1)
              << '\n';
}

void run(const Demo& demo, const ShowOptions& options) {
    Session session{demo, options.workers};
    for (const auto& [name, value] : options.parameters)
        for (Parameter& parameter : session.parameters)
            if (parameter.name == name) parameter.value = value;
    if (!options.parameters.empty()) session.restart();
    check(session);
    Painter painter{session, options};
    const auto began = std::chrono::steady_clock::now();
    const double seconds = options.seconds.value_or(options.video.empty() ? demo.picture_at : 5.0);
    const int frames = static_cast<int>(std::lround(seconds * per_second));
    std::unique_ptr<Video> video;
    if (!options.video.empty()) video = std::make_unique<Video>(options.video, options.width, options.height);
    for (int i = 0; i <= frames; ++i) {
        if (i > 0) session.step(i / per_second - session.world()->time());
        check(session);
        if (!video) continue;
        const Image image = painter.paint();
        video->add(image);
        UnloadImage(image);
    }
    if (video) video->finish();
    Image image = painter.paint();
    if (options.shot.empty())
        UnloadImage(image);
    else
        save(image, options.shot);
    const double wall = std::chrono::duration<double>(std::chrono::steady_clock::now() - began).count();
    if (options.json) print_json(painter, session, options, video ? video->frames() : 1, wall);
}

}  // namespace

int show_headless(const Demo& demo, const ShowOptions& options) {
    std::string why;
    const std::unique_ptr<Graphics> graphics = Graphics::offscreen(options.width, options.height, why);
    if (!graphics) {
        std::cerr << "tactus: " << why << '\n';
        return 1;
    }
    try {
        run(demo, options);
        return 0;
    } catch (const std::exception& e) {
        std::cerr << "tactus: " << e.what() << '\n';
        return 1;
    }
}

}  // namespace demos::app
