// Ui: panels, buttons and sliders, drawn and asked in the same call. Lengths are those of a window 720 pixels high.
#pragma once

#include "demos/app/type.hpp"

#include <string>
#include <vector>

namespace demos::app {

struct Theme {
    Color panel, edge, ink, soft, accent, button, hover;
};
const Theme& theme(bool dark);

class Ui {
public:
    explicit Ui(Type& type) : type_{type} {}

    void begin(int width, int height, bool dark);  // each frame
    float unit() const { return unit_; }           // pixels of one length
    float width() const { return width_ / unit_; }
    float height() const { return height_ / unit_; }
    const Theme& colors() const { return *theme_; }
    bool over_panel() const { return over_; }  // the mouse is on one: the scene should not hear of it

    void panel(float x, float y, float w, float h);
    void text(const std::string& text, float x, float y, float size, Color color, Weight weight = Weight::regular);
    void text_right(const std::string& text, float right, float y, float size, Color color);
    float text_width(const std::string& text, float size, Weight weight = Weight::regular);
    float paragraph(const std::string& text, float x, float y, float w, float size, Color color);  // gives its height
    std::vector<std::string> wrap(const std::string& text, float size, float w);
    std::string shorten(const std::string& text, float size, float w);
    bool button(const std::string& text, float x, float y, float w, float h, bool active = false);
    bool slider(const std::string& id, float x, float y, float w, double& value, double least, double most,
                double step);
    void line(float x1, float y1, float x2, float y2, Color color, float thick = 1.0f);
    void curve(const std::vector<Vector2>& points, Color color);  // in lengths
    void bar(float x, float y, float w, float h, Color color);

private:
    Type& type_;
    const Theme* theme_ = nullptr;
    float width_ = 0, height_ = 0, unit_ = 1;
    bool over_ = false, over_next_ = false;
    std::string held_;  // the slider that the mouse holds

    bool inside(float x, float y, float w, float h) const;
    float pixels(float size) const;  // of text
};

}  // namespace demos::app
