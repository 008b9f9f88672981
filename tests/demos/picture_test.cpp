// Pictures of the demos, as `tactus demo --headless` makes them. Which demo: TACTUS_DEMO.
#include "demos/demo.hpp"
#include "tests/support/run_program.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <numbers>
#include <set>

#ifdef TACTUS_APP

using namespace tactus::test;

namespace {

// A bitmap file: 24 or 32 bits, rows from below.
struct Bitmap {
    int width = 0, height = 0;
    std::vector<std::array<std::uint8_t, 3>> pixels;

    explicit Bitmap(const std::string& file) {
        const auto number = [&](std::size_t at) {
            std::int32_t value = 0;
            std::memcpy(&value, file.data() + at, sizeof value);
            return value;
        };
        REQUIRE(file.size() > 54);
        REQUIRE(file.substr(0, 2) == "BM");
        width = number(18), height = std::abs(number(22));
        const auto bytes = static_cast<std::size_t>(static_cast<std::uint8_t>(file[28])) / 8;
        const std::size_t row = (bytes * static_cast<std::size_t>(width) + 3) / 4 * 4,
                          start = static_cast<std::size_t>(number(10));
        REQUIRE(file.size() >= start + row * static_cast<std::size_t>(height));
        for (std::size_t y = 0; y < static_cast<std::size_t>(height); ++y)
            for (std::size_t x = 0; x < static_cast<std::size_t>(width); ++x) {
                const char* p = file.data() + start + y * row + x * bytes;
                pixels.push_back({static_cast<std::uint8_t>(p[2]), static_cast<std::uint8_t>(p[1]),
                                  static_cast<std::uint8_t>(p[0])});
            }
    }
    double brightness(std::size_t i) const { return (pixels[i][0] + pixels[i][1] + pixels[i][2]) / 765.0; }
};

bool no_graphics(const Run& run) {
    const bool none = run.status == 1 && run.err.find("no OpenGL") != std::string::npos;
    if (none) MESSAGE("SKIPPED: no OpenGL can be had on this machine: ", run.err);
    return none;
}

std::string chosen_demo() {
    const char* name = std::getenv("TACTUS_DEMO");
    return name ? name : "billiards_4";
}

}  // namespace

TEST_CASE("a picture of a demo after two seconds shows the things it names, whole and lit") {
    const std::string name = chosen_demo();
    CAPTURE(name);
    const demos::Demo* demo = demos::find(name);
    REQUIRE(demo);
    const TemporaryFolder folder{"demo_" + name};
    const std::filesystem::path shot = folder.path() / "shot.bmp";
    const Run run = run_program(TACTUS_CLI,
                                {"demo", name, "--headless", "--seconds", "2", "--size", "320x180", "--smoothness", "1",
                                 "--no-caption", "--workers", "1", "--shot", shot.string(), "--json"},
                                folder.path(), std::chrono::seconds{300});
    if (no_graphics(run)) return;
    INFO(run.text());
    REQUIRE(run.exited_with(0));
    const auto json = nlohmann::json::parse(run.out);
    CHECK(json.at("time").get<double>() == doctest::Approx(2.0).epsilon(1e-12));

    const Bitmap picture{text_of_file(shot)};
    REQUIRE(picture.width == 320);
    REQUIRE(picture.height == 180);
    std::set<std::array<std::uint8_t, 3>> colors;
    double mean = 0.0, square = 0.0;
    std::size_t burnt = 0;
    for (std::size_t i = 0; i < picture.pixels.size(); ++i) {
        colors.insert(picture.pixels[i]);
        const double b = picture.brightness(i);
        mean += b;
        square += b * b;
        burnt += b > 0.995 ? 1u : 0u;
    }
    const auto count = static_cast<double>(picture.pixels.size());
    mean /= count;
    CHECK(colors.size() > 300);                                       // not blank, not flat
    CHECK(std::sqrt(square / count - mean * mean) > 0.02);            // has light and dark
    CHECK(static_cast<double>(burnt) < 0.02 * count);                 // not overexposed
    CHECK((demo->backdrop == demos::Backdrop::night || mean > 0.3));  // not in the dark

    REQUIRE(json.at("objects").size() == demo->follow.size());
    REQUIRE(!demo->follow.empty());
    for (const auto& object : json.at("objects")) {
        CAPTURE(object.dump());
        // The circle is around the corners of a box: what fills the box reaches 1/sqrt(3) of it in every direction.
        const double x = object.at("x"), y = object.at("y"), r = object.at("radius").get<double>() / std::sqrt(3.0);
        CHECK(r > 1.0);
        CHECK(x - r > 0.0);
        CHECK(x + r < 320.0);
        CHECK(y - r > 0.0);
        CHECK(y + r < 180.0);
        CHECK(object.at("pixels").get<int>() >= 4);  // it is not hidden behind others
    }
}

TEST_CASE("an object is drawn where a pinhole camera sees it") {
    const TemporaryFolder folder{"demo_projection"};
    const Run run = run_program(TACTUS_CLI,
                                {"demo", "ellipsoid_on_sphere", "--headless", "--seconds", "0", "--size", "640x360",
                                 "--smoothness", "1", "--json"},
                                folder.path(), std::chrono::seconds{120});
    if (no_graphics(run)) return;
    INFO(run.text());
    REQUIRE(run.exited_with(0));
    const demos::View& view = demos::find("ellipsoid_on_sphere")->view;
    const auto project = [&](const tactus::Vec3& p) {
        const tactus::Vec3 ahead = (view.target - view.eye).normalized(),
                           right = ahead.cross(tactus::Vec3::UnitZ()).normalized();
        const tactus::Vec3 up = right.cross(ahead), r = p - view.eye;
        const double focal = 180.0 / std::tan(view.angle * std::numbers::pi / 360.0);  // [pixels] half of 360 rows
        return std::pair{320.0 + focal * r.dot(right) / r.dot(ahead), 180.0 - focal * r.dot(up) / r.dot(ahead)};
    };
    const auto json = nlohmann::json::parse(run.out);
    for (const auto& object : json.at("objects")) {
        const bool globe = object.at("name") == "globe";
        const auto [x, y] = project(globe ? tactus::Vec3{0, 0, 0.75} : tactus::Vec3{0, 0, 1.8});
        CHECK(object.at("x").get<double>() == doctest::Approx(x).epsilon(1e-3));
        CHECK(object.at("y").get<double>() == doctest::Approx(y).epsilon(1e-3));
        if (!globe) continue;
        // A ball of radius R at distance d is seen as a circle of focal R / sqrt(d^2 - R^2), nearly, in the middle.
        const double d = (tactus::Vec3{0, 0, 0.75} - view.eye).norm(), R = 0.75;
        const double focal = 180.0 / std::tan(view.angle * std::numbers::pi / 360.0);
        const double area = std::numbers::pi * focal * focal * R * R / (d * d - R * R);
        CHECK(object.at("pixels").get<int>() == doctest::Approx(area).epsilon(0.03));
    }
}

TEST_CASE("a film has one frame for each sixtieth of a second and the one at the start") {
    const TemporaryFolder folder{"demo_film"};
    const std::filesystem::path film = folder.path() / "film.mp4";
    const Run run = run_program(TACTUS_CLI,
                                {"demo", "wing_nut", "--headless", "--seconds", "0.2", "--size", "128x72",
                                 "--smoothness", "1", "--video", film.string(), "--json"},
                                folder.path(), std::chrono::seconds{120});
    if (no_graphics(run)) return;
    INFO(run.text());
    if (run.err.find("ffmpeg cannot be started") != std::string::npos) {
        CHECK(run.status == 1);
        return;
    }
    REQUIRE(run.exited_with(0));
    CHECK(nlohmann::json::parse(run.out).at("frames") == 13);
    CHECK(std::filesystem::file_size(film) > 500);
    const Run probe = run_program(
        "/usr/bin/ffprobe",
        {"-v", "error", "-count_frames", "-show_entries", "stream=nb_read_frames", "-of", "csv=p=0", film.string()},
        folder.path());
    if (probe.exited_with(0)) CHECK(std::stoi(probe.out) == 13);
}

TEST_CASE("what cannot be drawn is said, with an exit status that is not zero") {
    const TemporaryFolder folder{"demo_errors"};
    const auto run = [&](std::vector<std::string> arguments) {
        arguments.insert(arguments.begin(), "demo");
        return run_program(TACTUS_CLI, arguments, folder.path(), std::chrono::seconds{60});
    };
    const Run unknown = run({"biliards"});
    CHECK(unknown.exited_with(2));
    CHECK(unknown.err.find("did you mean billiards?") != std::string::npos);
    const Run size = run({"billiards", "--headless", "--size", "12"});
    CHECK(size.exited_with(2));
    const Run parameter = run({"billiards", "--headless", "--set", "balls=99"});
    CHECK(parameter.exited_with(2));
    CHECK(parameter.err.find("from 2 to 16") != std::string::npos);
    const Run place =
        run({"wing_nut", "--headless", "--seconds", "0", "--size", "64x48", "--shot", "/does/not/exist.png"});
    if (no_graphics(place)) return;
    CHECK(place.exited_with(1));
    CHECK(place.err.find("/does/not/exist.png") != std::string::npos);
}

TEST_CASE("a film that is being made can be ended by a signal") {
    const TemporaryFolder folder{"demo_signal"};
    const Run run = run_program("/usr/bin/timeout",
                                {"--signal=INT", "--kill-after=20", "2", TACTUS_CLI, "demo", "rain", "--headless",
                                 "--set", "bodies=400", "--seconds", "3600", "--size", "64x48"},
                                folder.path(), std::chrono::seconds{60});
    if (no_graphics(run)) return;
    CHECK(run.exited_with(124));  // 137 if it had to be killed
}

TEST_CASE("the window works at 320 x 240 and at odd sizes, closes when its time is over, and needs a display") {
    const TemporaryFolder folder{"demo_window"};
    const auto run = [&](const std::vector<std::string>& environment, const std::vector<std::string>& rest) {
        std::vector<std::string> arguments = environment;
        arguments.insert(arguments.end(), {TACTUS_CLI, "demo"});
        arguments.insert(arguments.end(), rest.begin(), rest.end());
        return run_program("/usr/bin/env", arguments, folder.path(), std::chrono::seconds{120});
    };
    const std::vector<std::string> nothing{"-u", "DISPLAY", "-u", "WAYLAND_DISPLAY", "-u", "SDL_VIDEODRIVER"};
    const Run none = run(nothing, {"billiards_4"});
    CHECK(none.exited_with(1));
    CHECK(none.err.find("there is no display") != std::string::npos);
    CHECK(none.err.find("--headless") != std::string::npos);
    const Run nowhere = run({"-u", "WAYLAND_DISPLAY", "-u", "SDL_VIDEODRIVER", "DISPLAY=:4711"}, {"billiards_4"});
    INFO(nowhere.text());
    CHECK(nowhere.exited_with(1));
    CHECK(nowhere.err.find("no window") != std::string::npos);
    // A window that nobody sees: the same program otherwise.
    for (const char* size : {"320x240", "333x517", "64x48"}) {
        CAPTURE(size);
        const Run window = run({"SDL_VIDEODRIVER=offscreen"}, {"billiards_4", "--size", size, "--seconds", "0.5"});
        INFO(window.text());
        if (window.err.find("OpenGL 3.3") != std::string::npos) {
            MESSAGE("SKIPPED: no OpenGL can be had on this machine: ", window.err);
            return;
        }
        CHECK(window.exited_with(0));
    }
    const Run gallery = run({"SDL_VIDEODRIVER=offscreen"}, {"--size", "320x240", "--seconds", "0.5"});
    INFO(gallery.text());
    CHECK(gallery.exited_with(0));
}

#else

TEST_CASE("a program without raylib lists the demos and says why it shows none") {
    const tactus::test::TemporaryFolder folder{"demo_none"};
    const auto list = tactus::test::run_program(TACTUS_CLI, {"demos", "--json"}, folder.path());
    CHECK(list.exited_with(0));
    CHECK(nlohmann::json::parse(list.out).size() == demos::all().size());
    const auto run = tactus::test::run_program(TACTUS_CLI, {"demo", "billiards", "--headless"}, folder.path());
    CHECK(run.exited_with(1));
    CHECK(run.err.find("raylib") != std::string::npos);
}

#endif
