#include "tests/demos/window/scripts.hpp"

#include "demos/app/orbit.hpp"
#include "demos/app/type.hpp"
#include "tests/demos/window/failing_demos.hpp"

#include <algorithm>
#include <array>
#include <cstdlib>
#include <filesystem>
#include <random>

namespace window_test {

namespace {

constexpr std::array switches{SDL_SCANCODE_C, SDL_SCANCODE_B, SDL_SCANCODE_X, SDL_SCANCODE_M, SDL_SCANCODE_O,
                              SDL_SCANCODE_E, SDL_SCANCODE_P, SDL_SCANCODE_H, SDL_SCANCODE_I, SDL_SCANCODE_G};
constexpr std::array others{SDL_SCANCODE_SPACE,  SDL_SCANCODE_PERIOD, SDL_SCANCODE_R, SDL_SCANCODE_F,
                            SDL_SCANCODE_EQUALS, SDL_SCANCODE_MINUS,  SDL_SCANCODE_0};

constexpr std::array arrows{SDL_SCANCODE_LEFT, SDL_SCANCODE_RIGHT, SDL_SCANCODE_UP, SDL_SCANCODE_DOWN};

class Dice {
public:
    int operator()(int least, int most) {
        return least + static_cast<int>(random_() % static_cast<unsigned>(most - least + 1));
    }

private:
    std::mt19937 random_{20};
};

// Where an object is seen, as long as nobody has turned the view [pixels].
Vector2 seen_at(const Hand& hand, const std::string& object) {
    tactus::World& world = *hand.session->world();
    const int width = GetScreenWidth(), height = GetScreenHeight();
    const Camera3D camera = demos::app::Orbit::of(hand.session->demo.view).camera(width, height);
    return GetWorldToScreenEx(demos::app::to_raylib(world.pose(world.at(object)).p), camera, width, height);
}

// A picture that S has saved: its name says which demo was shown.
Image saved_picture(const std::string& demo) {
    const std::string file = demo + ".png";
    expect(std::filesystem::exists(file), "S saves " + file);
    const Image image = LoadImage(file.c_str());
    std::filesystem::rename(file,
                            demo + "_" + std::to_string(image.width) + "x" + std::to_string(image.height) + ".png");
    expect(image.width == GetScreenWidth() && image.height == GetScreenHeight(), file + " is as large as the window");
    return image;
}

// How many pixels of a picture have this colour, nearly.
int count_of(const Image& image, Color color) {
    int count = 0;
    for (int y = 0; y < image.height; ++y)
        for (int x = 0; x < image.width; ++x) {
            const Color c = GetImageColor(image, x, y);
            count += std::abs(c.r - color.r) + std::abs(c.g - color.g) + std::abs(c.b - color.b) < 24 ? 1 : 0;
        }
    return count;
}

int count_in_saved_picture(const std::string& demo, Color color) {
    const Image picture = saved_picture(demo);
    const int count = count_of(picture, color);
    UnloadImage(picture);
    return count;
}

// A size of the storm: some too small for anything, most usual, a few larger than any screen.
std::pair<int, int> stormy_size(Dice& dice, int i) {
    if (i % 97 == 50) return {5000, 2900};
    if (i % 13 == 3) return {320, 240};
    if (i % 11 == 5) return {dice(1, 12), dice(1, 12)};
    if (i % 7 == 2) return {dice(1, 30), dice(200, 800)};
    if (i % 7 == 4) return {dice(200, 1400), dice(1, 30)};
    return {dice(60, 900), dice(40, 600)};
}

}  // namespace

Script use_a_demo(Hand& hand) {
    co_await frames(3);
    expect(hand.session && hand.session->demo.name == "bouncing_ball", "the demo that was asked for is open");
    expect(GetScreenWidth() == 1280 && GetScreenHeight() == 720, "the window has the size that was asked for");

    // Dragging: the body follows the mouse. It stands still until it is taken.
    hand.press(SDL_SCANCODE_SPACE);
    co_await frames(2);
    const std::string ball = hand.session->demo.follow.front();
    const Vector2 at = seen_at(hand, ball);
    const double x0 = at.x, y0 = at.y;
    hand.move(at.x, at.y);
    co_await frames(2);
    hand.button_down();
    co_await frames(2);
    expect(hand.session->grabbing(), "a body can be taken by the left button");
    hand.press(SDL_SCANCODE_SPACE);
    for (int i = 0; i < 60; ++i) {
        hand.move(x0 + 2 * i, y0 - i);
        co_await frames(1);
    }
    expect(seen_at(hand, ball).x > at.x + 20, "a body follows the hand that drags it");
    hand.button_up();
    co_await frames(2);
    expect(!hand.session->grabbing(), "a body is let go of with the button");

    // Restart and pause.
    expect(hand.session->world()->time() > 0.3, "the demo runs");
    hand.press(SDL_SCANCODE_R);
    co_await frames(2);
    expect(hand.session->world()->time() < 0.3, "R starts it again");
    hand.press(SDL_SCANCODE_SPACE);
    co_await frames(2);
    const double stopped = hand.session->world()->time();
    co_await frames(5);
    expect(hand.session->paused && hand.session->world()->time() == stopped, "Space pauses it");
    hand.press(SDL_SCANCODE_PERIOD);
    co_await frames(2);
    expect(std::abs(hand.session->world()->time() - stopped - 1.0 / 60) < 1e-9, "a period is one step");
    hand.press(SDL_SCANCODE_SPACE);

    // All that can be shown, one after the other, and nearly all of it at once.
    for (const SDL_Scancode key : switches) {
        hand.press(key);
        co_await frames(2);
    }
    for (const SDL_Scancode key : switches)  // only the profiler stays
        if (key != SDL_SCANCODE_P && key != SDL_SCANCODE_G) hand.press(key);
    hand.press(SDL_SCANCODE_G);
    co_await frames(2);

    // Its button for one more worker is somewhere in this column; motion goes on.
    const int workers = hand.session->workers();
    for (int y = 440; y > 180 && hand.session->workers() == workers; y -= 16) {
        hand.move(1091, y);
        co_await frames(1);
        hand.button_down();
        co_await frames(1);
        hand.button_up();
        co_await frames(1);
    }
    expect(hand.session->workers() > workers, "there is a button for more workers");
    const double before = hand.session->world()->time();
    co_await frames(3);
    expect(hand.session->world()->time() > before, "motion goes on with other workers");

    // Turning, moving, nearer, farther.
    constexpr std::array<Uint8, 3> buttons{SDL_BUTTON_LEFT, SDL_BUTTON_RIGHT, SDL_BUTTON_MIDDLE};
    for (const Uint8 button : buttons) {
        hand.move(640, 60);
        hand.button_down(button);
        co_await frames(2);
        hand.move(700, 90);
        co_await frames(2);
        hand.button_up(button);
        hand.wheel(button == SDL_BUTTON_LEFT ? 3 : -3);
        co_await frames(2);
    }
    expect(hand.session->error().empty(), "nothing has failed");

    hand.press(SDL_SCANCODE_S);
    co_await frames(2);
    const Image picture = saved_picture("bouncing_ball");
    UnloadImage(picture);
    hand.close();
}

Script resize_a_demo(Hand& hand) {
    co_await frames(3);
    Dice dice;
    for (int i = 0; i < 300; ++i) {
        const auto [width, height] = stormy_size(dice, i);
        hand.resize(width, height);
        if (i % 3 == 0) hand.press(switches[static_cast<std::size_t>(dice(0, static_cast<int>(switches.size()) - 1))]);
        if (i % 9 == 0) hand.press(others[static_cast<std::size_t>(dice(0, static_cast<int>(others.size()) - 1))]);
        hand.move(dice(0, 900), dice(0, 600));
        hand.wheel(dice(-1, 1));
        i % 4 == 0 ? hand.button_down() : hand.button_up();
        co_await frames(1);
    }
    hand.button_up();
    hand.resize(320, 240);
    co_await frames(4);
    expect(GetScreenWidth() == 320 && GetScreenHeight() == 240, "the window has the last size of the storm");
    expect(hand.session && hand.session->error().empty(), "the demo is there after it, and well");
    hand.press(SDL_SCANCODE_S);
    co_await frames(2);
    const Image picture = saved_picture(hand.session->demo.name);
    expect(count_of(picture, BLACK) < 320 * 240 / 4, "the picture fills the window");
    UnloadImage(picture);
    hand.close();
}

Script walk_through_demos(Hand& hand) {
    co_await frames(2);
    Dice dice;
    const std::string first = hand.session->demo.name;
    const std::size_t count = demos::all().size();
    std::size_t failed = 0;
    for (std::size_t i = 0; i < count; ++i) {
        hand.resize(dice(100, 700), dice(80, 500));
        hand.press(SDL_SCANCODE_RIGHT);
        co_await frames(2);
        expect(hand.session && hand.session->demo.name == demos::all()[(i + 1) % count]->name, "the next demo is open");
        if (!hand.session->error().empty()) ++failed;
    }
    expect(hand.session->demo.name == first, "after the last demo comes the first");
    expect(failed == 1, "of all demos only the one that is made to fail does");
    for (std::size_t i = 0; i < 2 * count; ++i) {  // each for one frame, two keys in some
        hand.resize(dice(1, 500), dice(1, 400));
        hand.press(i % 5 == 0 ? SDL_SCANCODE_RIGHT : SDL_SCANCODE_LEFT);
        if (i % 4 == 0) hand.press(SDL_SCANCODE_R);
        if (i % 7 == 0) hand.press(SDL_SCANCODE_ESCAPE);
        if (!hand.session) hand.press(SDL_SCANCODE_RETURN);
        co_await frames(1);
    }
    hand.close();  // whatever is open
}

Script use_the_gallery(Hand& hand) {
    const auto count = static_cast<int>(demos::all().size());
    co_await frames(3);
    expect(!hand.session, "the gallery is open");
    hand.press(SDL_SCANCODE_RIGHT);
    co_await frames(2);
    hand.press(SDL_SCANCODE_RETURN);  // before all pictures are there
    co_await frames(2);
    expect(hand.session && hand.session->demo.name == demos::all()[1]->name, "Enter opens the demo that is selected");
    hand.press(SDL_SCANCODE_ESCAPE);
    co_await frames(2);
    expect(!hand.session, "Esc goes back to the gallery");
    co_await frames(count + 2);  // all pictures are painted, and the selected one moves
    hand.move(150, 200);
    co_await frames(2);
    hand.button_down();
    co_await frames(2);
    hand.button_up();
    expect(hand.session && hand.session->demo.name == demos::all()[0]->name, "a click opens a demo");
    hand.press(SDL_SCANCODE_ESCAPE);
    co_await frames(2);
    Dice dice;
    for (int i = 0; i < 80; ++i) {
        const auto [width, height] = stormy_size(dice, i);
        hand.resize(width, height);
        hand.move(dice(0, 900), dice(0, 600));
        hand.wheel(dice(-4, 4));
        hand.press(arrows[static_cast<std::size_t>(i) % arrows.size()]);
        co_await frames(1);
    }
    expect(!hand.session, "the gallery is open after the storm");
    hand.close();
}

Script look_at_failures(Hand& hand) {
    const Color accent{208, 84, 52, 255};  // the headline of the panel
    constexpr std::array sizes{std::pair{1280, 720}, std::pair{320, 240}};
    for (const auto& [width, height] : sizes) {
        hand.resize(width, height);
        co_await frames(4);
        expect(hand.session->demo.name == fails_at_start && !hand.session->world(), "a scene fails at the start");
        expect(hand.session->error().find("a.ball.with") != std::string::npos, "its error is kept");
        hand.press(SDL_SCANCODE_S);
        co_await frames(2);
        expect(count_in_saved_picture(fails_at_start, accent) > 60, "the error is seen");
        for (const SDL_Scancode key : switches) hand.press(key);  // none of these needs a World
        co_await frames(2);
        for (const SDL_Scancode key : switches) hand.press(key);
        hand.press(SDL_SCANCODE_R);
        co_await frames(2);
        expect(!hand.session->error().empty(), "R tries again");

        hand.press(SDL_SCANCODE_RIGHT);
        co_await frames(3);
        expect(hand.session->demo.name == fails_while_running, "the next demo can be opened");
        for (int i = 0; i < 200 && hand.session->error().empty(); ++i) co_await frames(1);
        expect(hand.session->error().find("words.json") != std::string::npos, "it fails while it runs");
        expect(hand.session->world() && std::abs(hand.session->world()->time() - fails_at) < 1e-6,
               "it stands still where it failed");
        hand.press(SDL_SCANCODE_S);
        co_await frames(2);
        expect(count_in_saved_picture(fails_while_running, accent) > 60, "the error is seen");

        hand.press(SDL_SCANCODE_RIGHT);
        co_await frames(20);
        expect(hand.session->error().empty() && hand.session->world()->time() > 0.0, "other demos run");
        hand.press(SDL_SCANCODE_LEFT);
        co_await frames(2);
        hand.press(SDL_SCANCODE_LEFT);
        co_await frames(2);
    }
    // No line of an error is wider than its panel, not even the name that has no space in it.
    demos::app::Type type;
    const std::string error = hand.session->error();
    for (const float room : {20.0f, 250.0f, 600.0f})
        for (const std::string& line : type.wrap(error, 15, room))
            expect(type.width(line, 15) <= room, "a line of an error fits into " + std::to_string(room) + ": " + line);
    expect(type.wrap(error, 15, -5).size() < 1000, "without any room, too, it comes to an end");
    hand.press(SDL_SCANCODE_ESCAPE);
    co_await frames(static_cast<int>(demos::all().size()) + 3);
    expect(!hand.session, "the gallery shows all, also those that fail");
    hand.close();
}

Script outlive_what_it_holds(Hand& hand) {
    co_await frames(2);
    hand.press(SDL_SCANCODE_SPACE);
    hand.press(SDL_SCANCODE_F);
    co_await frames(2);
    tactus::World& world = *hand.session->world();
    world.advance(9.8 - world.time());
    hand.press(SDL_SCANCODE_F);  // the second one that is followed: the lower stage
    hand.press(SDL_SCANCODE_M);
    hand.press(SDL_SCANCODE_B);
    for (int i = 0; i < 40; ++i) co_await frames(1);  // the view glides there

    // It is in the middle of the picture now. An action deletes it after ten seconds.
    hand.move(0.5 * GetScreenWidth(), 0.5 * GetScreenHeight());
    co_await frames(2);
    hand.button_down();
    co_await frames(2);
    expect(hand.session->grabbing(), "the lower stage is in the hand");
    hand.press(SDL_SCANCODE_SPACE);
    for (int i = 0; i < 600 && world.time() < 10.2; ++i) co_await frames(1);
    expect(world.time() >= 10.2 && hand.session->error().empty(), "the rocket flies on");
    expect(!hand.session->grabbing(), "what is deleted is not in the hand any more");
    hand.press(SDL_SCANCODE_R);
    co_await frames(3);
    expect(hand.session->world()->time() < 5.0, "R starts it again");
    hand.close();
}

}  // namespace window_test
