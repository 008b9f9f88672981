#include "demos/app/viewer.hpp"

#include "demos/session/pointing.hpp"
#include "demos/session/present.hpp"

#include <rlgl.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

namespace demos::app {

using tactus::Vec3;

namespace {

constexpr double frame_time = 1.0 / 60.0;
// [s] of computing in a frame: the rest is for drawing. Where that is slow, motion may take as long.
double budget(double clock) { return clock < 0.025 ? 0.011 : std::min(0.1, 0.5 * clock); }

Image picture_of_window() {
    rlDrawRenderBatchActive();  // raylib draws text and panels later, together
    return LoadImageFromScreen();
}

template<class... Values> std::string print(const char* format, Values... values) {
    char text[160];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

}  // namespace

Viewer::Viewer(const Demo& demo, int workers, Renderer& renderer, Type& type, Ui& ui)
    : session_{demo, workers}, renderer_{renderer}, type_{type}, ui_{ui}, orbit_{Orbit::of(demo.view)} {
    if (session_.own_curves() == 0) plot_ = Plot::energies;
}

void Viewer::set_parameters(const std::vector<std::pair<std::string, double>>& values) {
    for (const auto& [name, value] : values)
        for (Parameter& parameter : session_.parameters)
            if (parameter.name == name) parameter.value = value;
    if (!values.empty()) session_.restart();
}

void Viewer::say(const std::string& text) {
    message_ = text;
    message_time_ = 3.0;
}

// A file in the current folder that is not there yet.
std::string Viewer::free_name(const std::string& ending) const {
    std::string name = session_.demo.name + ending;
    for (int i = 2; FileExists(name.c_str()); ++i) name = session_.demo.name + "_" + std::to_string(i) + ending;
    return name;
}

void Viewer::use(const Keys& keys) {
    const auto flip = [&keys](int key, bool& flag) {
        if (keys.pressed(key)) flag = !flag;
    };
    flip(KEY_SPACE, session_.paused);
    if (!session_.error().empty()) session_.paused = true;
    flip(KEY_C, on_.contacts);
    flip(KEY_B, on_.boxes);
    flip(KEY_X, on_.frames);
    flip(KEY_M, on_.portal);
    flip(KEY_O, super_objects_);
    flip(KEY_E, events_);
    flip(KEY_P, profiler_);
    flip(KEY_H, help_);
    flip(KEY_I, bare_);
    if (keys.pressed(KEY_G)) plot_ = static_cast<Plot>((static_cast<int>(plot_) + 1) % 3);
    if (plot_ == Plot::signals && session_.own_curves() == 0) plot_ = Plot::energies;
    if (keys.pressed(KEY_PERIOD) && session_.error().empty()) {
        session_.paused = true;
        session_.step(frame_time);
    }
    if (keys.pressed(KEY_R)) {
        session_.restart();
        session_.paused = false;
    }
    if (keys.pressed(KEY_EQUAL) || keys.pressed(KEY_KP_ADD)) session_.speed = std::min(16.0, 2.0 * session_.speed);
    if (keys.pressed(KEY_MINUS) || keys.pressed(KEY_KP_SUBTRACT)) session_.speed = std::max(1e-4, 0.5 * session_.speed);
    if (keys.pressed(KEY_ZERO) || keys.pressed(KEY_KP_0)) session_.speed = 1.0;
    if (keys.pressed(KEY_F) && !session_.demo.follow.empty()) {
        const int count = static_cast<int>(session_.demo.follow.size());
        followed_ = followed_ + 1 < count ? followed_ + 1 : -1;
        if (followed_ < 0) {
            orbit_ = Orbit::of(session_.demo.view);
            ridden_.setZero();
        }
    }
    if (keys.pressed(KEY_S)) save_picture_ = true;
    if (keys.pressed(KEY_V)) {
        try {
            if (film_) {
                film_->finish();
                film_.reset();
                say("film saved");
            } else {
                film_ = std::make_unique<Video>(free_name(".mp4"), width_, height_);
            }
        } catch (const std::exception& e) {
            film_.reset();
            say(e.what());
        }
    }
}

void Viewer::mouse() {
    if (ui_.over_panel() && !session_.grabbing() && !turning_) return;
    const Vector2 at = GetMousePosition(), by = GetMouseDelta();
    const double pixels = std::max(1, height_);
    if (IsMouseButtonPressed(MOUSE_BUTTON_LEFT) && session_.world() && session_.error().empty()) {
        const Ray ray = GetScreenToWorldRayEx(at, orbit_.camera(width_, height_), width_, height_);
        const auto hit = first_hit(*session_.world(), from_raylib(ray.position), from_raylib(ray.direction));
        selected_ = hit ? hit->object : tactus::Entity{entt::null};
        turning_ = true;
        if (hit) {
            session_.grab(hit->object, hit->point);
            turning_ = !session_.grabbing();  // what cannot move turns the view
            drag_depth_ = (hit->point - orbit_.eye()).dot(-orbit_.direction());
        }
    }
    if (IsMouseButtonReleased(MOUSE_BUTTON_LEFT)) {
        session_.let_go();
        turning_ = false;
    }
    if (session_.grabbing()) {
        const Ray ray = GetScreenToWorldRayEx(at, orbit_.camera(width_, height_), width_, height_);
        const Vec3 d = from_raylib(ray.direction);
        session_.move_hand(from_raylib(ray.position) + drag_depth_ / std::max(1e-6, d.dot(-orbit_.direction())) * d);
    } else if (turning_ && IsMouseButtonDown(MOUSE_BUTTON_LEFT)) {
        orbit_.turn(4.0 * by.x / pixels, 4.0 * by.y / pixels);
    }
    if (IsMouseButtonDown(MOUSE_BUTTON_RIGHT) || IsMouseButtonDown(MOUSE_BUTTON_MIDDLE)) {
        orbit_.pan(0.6 * by.x / pixels, 0.6 * by.y / pixels);
        followed_ = -1;
    }
    const float wheel = GetMouseWheelMove();
    if (wheel != 0.0f) orbit_.zoom(std::pow(0.9, wheel));
    if (has_floor(session_.demo.ground)) orbit_.stay_above(session_.demo.ground);
}

// The target of the camera glides after what is followed.
void Viewer::follow() {
    const Vec3 ridden = session_.ridden();
    orbit_.target += ridden - ridden_;
    ridden_ = ridden;
    if (followed_ < 0 || !session_.world()) return;
    const tactus::Entity e = session_.world()->find(session_.demo.follow[static_cast<std::size_t>(followed_)]);
    if (is_present(*session_.world(), e)) orbit_.target += 0.2 * (session_.world()->pose(e).p - orbit_.target);
}

void Viewer::update(double clock, const Keys& pressed) {
    message_time_ -= clock;
    use(pressed);
    mouse();
    if (film_)  // a film has every frame, however long one takes
        session_.paused ? void() : session_.step(session_.speed * frame_time);
    else
        session_.frame(std::min(clock, 0.25), budget(clock));
    if (!session_.world() || !is_present(*session_.world(), selected_)) selected_ = entt::null;
    follow();
}

void Viewer::control_bar() {
    const Theme& c = ui_.colors();
    const float w = std::min(780.0f, ui_.width() - 24), x = 0.5f * (ui_.width() - w), y = ui_.height() - 56;
    ui_.panel(x, y, w, 44);
    float at = x + 10;
    const auto button = [&](const char* name, float width, bool active) {
        const bool pressed = ui_.button(name, at, y + 8, width, 28, active);
        at += width + 6;
        return pressed;
    };
    if (button(session_.paused ? "Go on" : "Pause", 62, false) && session_.error().empty())
        session_.paused = !session_.paused;
    if (button("Step", 48, false) && session_.error().empty()) {
        session_.paused = true;
        session_.step(frame_time);
    }
    if (button("Restart", 66, false)) {
        session_.restart();
        session_.paused = false;
    }
    if (button("−", 28, false)) session_.speed = std::max(1e-4, 0.5 * session_.speed);
    const std::string speed = print("× %.3g", session_.speed);
    ui_.text(speed, at + 0.5f * (58 - ui_.text_width(speed, 15)), y + 14, 15, c.ink);
    at += 62;
    if (button("+", 28, false)) session_.speed = std::min(16.0, 2.0 * session_.speed);
    if (button("Help", 50, help_)) help_ = !help_;
    if (session_.world()) {
        const double factor = session_.real_time_factor();
        const bool late = session_.behind() > 0.02;
        const std::string state = print("t = %.3f s", session_.world()->time());
        const std::string pace =
            late ? print("%.2g × real time, %.2f s behind", factor, session_.behind())
                 : print(factor < 10 ? "can run %.1f × real time" : "can run %.0f × real time", factor);
        ui_.text(state, at + 8, y + 7, 14, c.ink, Weight::bold);
        ui_.text(ui_.shorten(pace, 13, x + w - at - 16), at + 8, y + 24, 13, late ? c.accent : c.soft);
    }
}

void Viewer::film_frame() {
    if (!film_) return;
    Image image = picture_of_window();
    try {
        film_->add(image);
    } catch (const std::exception& e) {
        film_.reset();
        say(e.what());
    }
    UnloadImage(image);
}

void Viewer::panels_on_the_right(float about) {
    const float x = ui_.width() - 336, w = 320;
    float y = 16;
    if (plot_ != Plot::none) y += plot_panel(ui_, session_, x, y, w, plot_ == Plot::energies) + 10;
    if (events_) y += contacts_panel(ui_, session_, x, y, w, 8) + 10;
    if (!profiler_) return;
    const bool left = y + profiler_height_ > ui_.height() - 12;  // there is no room below the others
    profiler_height_ = profiler_panel(ui_, session_, left ? 16 : x, left ? 26 + about : y, left ? 300 : w);
}

void Viewer::draw(int width, int height, const Quality& quality) {
    width_ = width;
    height_ = height;
    stage_.update(session_, super_objects_);
    const double size = 2.0 * orbit_.distance * std::tan(orbit_.angle * 3.14159265358979 / 360.0);
    const auto lines = signs_.add(session_, stage_, on_, selected_, size);
    Renderer::Frame frame = frame_of(session_, stage_, orbit_, width, height);
    frame.lines = lines;
    renderer_.draw(frame, quality);

    BeginDrawing();
    ClearBackground(BLACK);
    renderer_.show({0, 0, static_cast<float>(width), static_cast<float>(height)});
    ui_.begin(width, height, session_.demo.backdrop == Backdrop::night);
    const bool small = width < 560 || height < 330;
    if (!bare_ && small) {
        ui_.text(session_.demo.title, 12, 10, 22, ui_.colors().ink, Weight::bold);
        control_bar();
    } else if (!bare_) {
        const float about = about_panel(ui_, session_, 16, 16, 300);
        control_bar();
        if (session_.world()) panels_on_the_right(about);
        if (session_.world() && is_present(*session_.world(), selected_)) {  // a slider may have started it anew
            const std::string name = session_.world()->name(selected_);
            const float room = ui_.text_width(name, 15) + 28;
            ui_.panel(16, ui_.height() - 94, room, 30);
            ui_.text(name, 30, ui_.height() - 88, 15, ui_.colors().ink);
        }
    }
    if (!session_.error().empty()) error_panel(ui_, session_.error());
    if (help_) help_panel(ui_);
    if (film_) {
        film_frame();
        if (film_)
            ui_.text(print("recording, %d frames", film_->frames()), 0.5f * ui_.width() - 70, 16, 15,
                     {200, 30, 30, 255});
    }
    if (save_picture_) {
        Image image = picture_of_window();
        const std::string file = free_name(".png");
        say(ExportImage(image, file.c_str()) ? "saved as " + file : file + " cannot be written");
        UnloadImage(image);
        save_picture_ = false;
    }
    if (message_time_ > 0.0)
        ui_.text(message_, 0.5f * (ui_.width() - ui_.text_width(message_, 16)), 40, 16, ui_.colors().accent);
    EndDrawing();
}

}  // namespace demos::app
