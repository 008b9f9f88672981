// Viewer: one demo in the window, with everything that can be done to it.
#pragma once

#include "demos/app/keys.hpp"
#include "demos/app/panels.hpp"
#include "demos/app/picture.hpp"
#include "demos/app/signs.hpp"
#include "demos/app/video.hpp"

namespace demos::app {

class Viewer {
public:
    Viewer(const Demo& demo, int workers, Renderer& renderer, Type& type, Ui& ui);

    void update(double clock, const Keys& pressed);  // a frame of the clock [s]: input, and motion
    void draw(int width, int height, const Quality& quality);
    Session& session() { return session_; }
    const std::string& message() const { return message_; }
    void set_parameters(const std::vector<std::pair<std::string, double>>& values);

private:
    enum class Plot { signals, energies, none };

    Session session_;
    Renderer& renderer_;
    Type& type_;
    Ui& ui_;
    Stage stage_;
    Signs signs_;
    Orbit orbit_;
    tactus::Vec3 ridden_ = tactus::Vec3::Zero();  // [m] what of it is in the orbit already
    SignSwitches on_;
    bool super_objects_ = false, events_ = false, profiler_ = false, help_ = false, bare_ = false;
    Plot plot_ = Plot::signals;
    tactus::Entity selected_ = entt::null;
    int followed_ = -1;        // index into Demo::follow
    double drag_depth_ = 0.0;  // [m] of the hand, along the view
    bool turning_ = false;     // the left button turns the view
    std::unique_ptr<Video> film_;
    std::string message_;
    double message_time_ = 0.0;  // [s] for which it is still shown
    bool save_picture_ = false;
    float profiler_height_ = 330;
    int width_ = 1280, height_ = 720;

    void use(const Keys& keys);
    void mouse();
    void follow();
    void control_bar();
    void panels_on_the_right(float about);  // height of the one on the left
    void film_frame();
    void say(const std::string& text);
    std::string free_name(const std::string& ending) const;
};

}  // namespace demos::app
