#include "demos/app/ui.hpp"

#include <algorithm>
#include <cmath>

namespace demos::app {

const Theme& theme(bool dark) {
    static const Theme light{{250, 250, 248, 226}, {0, 0, 0, 22},        {28, 30, 34, 255},   {92, 96, 104, 255},
                             {208, 84, 52, 255},   {230, 231, 230, 255}, {216, 218, 219, 255}};
    static const Theme night{{24, 28, 42, 222},   {255, 255, 255, 26}, {238, 240, 246, 255}, {164, 170, 186, 255},
                             {240, 140, 84, 255}, {48, 54, 74, 255},   {64, 72, 96, 255}};
    return dark ? night : light;
}

void Ui::begin(int width, int height, bool dark) {
    width_ = static_cast<float>(width);
    height_ = static_cast<float>(height);
    // Narrow windows count, too: panels must not lie on each other.
    unit_ = std::clamp(std::min(height_ / 720.0f, width_ / 1180.0f), 0.55f, 3.0f);
    theme_ = &theme(dark);
    over_ = over_next_;
    over_next_ = false;
    if (!IsMouseButtonDown(MOUSE_BUTTON_LEFT)) held_.clear();
}

bool Ui::inside(float x, float y, float w, float h) const {
    return CheckCollisionPointRec(GetMousePosition(), {x * unit_, y * unit_, w * unit_, h * unit_});
}

void Ui::panel(float x, float y, float w, float h) {
    const Rectangle r{x * unit_, y * unit_, w * unit_, h * unit_};
    const float round = std::min(1.0f, 20.0f * unit_ / std::max(1.0f, std::min(r.width, r.height)));
    DrawRectangleRounded(r, round, 8, theme_->panel);
    DrawRectangleRoundedLinesEx(r, round, 8, 1.0f, theme_->edge);
    if (inside(x, y, w, h)) over_next_ = true;
}

// Smaller ones cannot be read.
float Ui::pixels(float size) const { return std::max(9.0f, size * unit_); }

void Ui::text(const std::string& t, float x, float y, float size, Color color, Weight weight) {
    type_.draw(t, x * unit_, y * unit_, pixels(size), color, weight);
}

float Ui::text_width(const std::string& t, float size, Weight weight) {
    return type_.width(t, pixels(size), weight) / unit_;
}

void Ui::text_right(const std::string& t, float right, float y, float size, Color color) {
    text(t, right - text_width(t, size), y, size, color);
}

std::vector<std::string> Ui::wrap(const std::string& t, float size, float w) {
    return type_.wrap(t, pixels(size), w * unit_);
}

std::string Ui::shorten(const std::string& t, float size, float w) { return type_.shorten(t, pixels(size), w * unit_); }

float Ui::paragraph(const std::string& t, float x, float y, float w, float size, Color color) {
    const float line = 1.34f * pixels(size) / unit_;
    float at = y;
    for (const std::string& l : wrap(t, size, w)) {
        text(l, x, at, size, color);
        at += line;
    }
    return at - y;
}

bool Ui::button(const std::string& t, float x, float y, float w, float h, bool active) {
    const bool hover = inside(x, y, w, h) && held_.empty();
    const Rectangle r{x * unit_, y * unit_, w * unit_, h * unit_};
    DrawRectangleRounded(r, 0.35f, 6, active ? theme_->accent : hover ? theme_->hover : theme_->button);
    const float size = std::min(15.0f, 0.58f * h);
    const std::string shown = shorten(t, size, w - 6);
    text(shown, x + 0.5f * (w - text_width(shown, size)), y + 0.5f * (h - size * 1.05f), size,
         active ? Color{255, 255, 255, 255} : theme_->ink);
    if (hover) over_next_ = true;
    return hover && IsMouseButtonPressed(MOUSE_BUTTON_LEFT);
}

bool Ui::slider(const std::string& id, float x, float y, float w, double& value, double least, double most,
                double step) {
    const bool hover = inside(x - 6, y - 6, w + 12, 20);
    if (hover) over_next_ = true;
    if (hover && held_.empty() && IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) held_ = id;
    const double before = value;
    if (held_ == id) {
        over_next_ = true;
        const double share = std::clamp((GetMousePosition().x / unit_ - x) / w, 0.0f, 1.0f);
        value = std::clamp(least + step * std::round(share * (most - least) / step), least, most);
    }
    const float at = x + w * static_cast<float>((value - least) / (most - least));
    bar(x, y + 2, w, 4, theme_->button);
    bar(x, y + 2, at - x, 4, theme_->accent);
    DrawCircleV({at * unit_, (y + 4) * unit_}, 7 * unit_, theme_->accent);
    DrawCircleV({at * unit_, (y + 4) * unit_}, 3 * unit_, {255, 255, 255, 255});
    return value != before;
}

void Ui::line(float x1, float y1, float x2, float y2, Color color, float thick) {
    DrawLineEx({x1 * unit_, y1 * unit_}, {x2 * unit_, y2 * unit_}, thick * unit_, color);
}

void Ui::curve(const std::vector<Vector2>& points, Color color) {
    for (std::size_t i = 1; i < points.size(); ++i)
        line(points[i - 1].x, points[i - 1].y, points[i].x, points[i].y, color, 1.8f);
}

void Ui::bar(float x, float y, float w, float h, Color color) {
    if (w > 0) DrawRectangleRec({x * unit_, y * unit_, w * unit_, h * unit_}, color);
}

}  // namespace demos::app
