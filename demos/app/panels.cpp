#include "demos/app/panels.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>

namespace demos::app {

namespace {

constexpr float margin = 14, body = 15, head = 22, small = 13;

template<class... Values> std::string print(const char* format, Values... values) {
    char text[160];
    std::snprintf(text, sizeof text, format, values...);
    return text;
}

constexpr std::array<Color, 5> curve_colors{
    {{208, 84, 52, 255}, {42, 125, 180, 255}, {56, 150, 96, 255}, {170, 110, 190, 255}, {150, 130, 60, 255}}};

// Panels are as high as they were in the last frame: their content is laid out while it is drawn.
class Height {
public:
    explicit Height(float& kept) : kept_{kept} {}
    float operator()() const { return kept_; }
    float set(float h) const { return kept_ = h; }

private:
    float& kept_;
};

}  // namespace

float about_panel(Ui& ui, Session& session, float x, float y, float w) {
    static float kept = 200;
    const Height height{kept};
    ui.panel(x, y, w, height());
    const float left = x + margin, room = w - 2 * margin;
    float at = y + 12;
    ui.text(session.demo.title, left, at, head, ui.colors().ink, Weight::bold);
    at += 1.45f * head;
    at += ui.paragraph(session.demo.lesson, left, at, room, body, ui.colors().ink) + 7;
    at += ui.paragraph("Look for: " + session.demo.look_for, left, at, room, body, ui.colors().soft) + 4;
    for (Parameter& p : session.parameters) {
        at += 8;
        ui.text(p.name, left, at, small, ui.colors().soft);
        ui.text_right(print("%g", p.value), x + w - margin, at, small, ui.colors().ink);
        at += 19;
        if (ui.slider(p.name, left + 4, at, room - 8, p.value, p.least, p.most, p.step)) session.restart();
        at += 16;
    }
    return height.set(at + 8 - y);
}

float plot_panel(Ui& ui, Session& session, float x, float y, float w, bool energies) {
    const auto& curves = session.curves();
    const std::size_t from = energies ? session.own_curves() : 0;
    const std::size_t to = energies ? curves.size() : session.own_curves();
    const float inner = 118, legend = 17 * static_cast<float>(to - from), h = inner + legend + 42;
    ui.panel(x, y, w, h);
    double low = 0.0, high = 0.0, end = 0.0;
    bool any = false;
    for (std::size_t i = from; i < to; ++i)
        for (const auto& [t, v] : curves[i].points) {
            if (!std::isfinite(v)) continue;
            low = any ? std::min(low, v) : v;
            high = any ? std::max(high, v) : v;
            end = std::max(end, t);
            any = true;
        }
    if (high - low < 1e-9 * (1.0 + std::abs(high))) high = low + 1.0;
    const double span = 10.0, start = std::max(0.0, end - span);
    const float left = x + 50, right = x + w - margin, top = y + 14, bottom = top + inner - 16;
    for (const double share : {0.0, 0.5, 1.0}) {
        const float at = bottom - static_cast<float>(share) * (bottom - top);
        ui.line(left, at, right, at, ui.colors().edge);
        ui.text_right(print("%.3g", low + share * (high - low)), left - 5, at - 7, 11.5f, ui.colors().soft);
    }
    ui.text(print("%.1f s", start), left, bottom + 3, 11.5f, ui.colors().soft);
    ui.text_right(print("%.1f s", start + span), right, bottom + 3, 11.5f, ui.colors().soft);
    float row = bottom + 22;
    for (std::size_t i = from; i < to; ++i) {
        const Color color = curve_colors[(i - from) % curve_colors.size()];
        std::vector<Vector2> points;
        for (const auto& [t, v] : curves[i].points)
            if (std::isfinite(v))
                points.push_back({left + (right - left) * static_cast<float>((t - start) / span),
                                  bottom - (bottom - top) * static_cast<float>((v - low) / (high - low))});
        ui.curve(points, color);
        ui.bar(x + margin, row + 5, 12, 4, color);
        ui.text(ui.shorten(curves[i].name, small, w - 120), x + margin + 19, row, small, ui.colors().ink);
        if (!curves[i].points.empty())
            ui.text_right(print("%.4g ", curves[i].points.back().second) + curves[i].unit, right, row, small,
                          ui.colors().soft);
        row += 17;
    }
    return h;
}

float contacts_panel(Ui& ui, const Session& session, float x, float y, float w, int lines) {
    const float line = 17, h = 38 + line * static_cast<float>(lines);
    ui.panel(x, y, w, h);
    ui.text("Last contacts", x + margin, y + 10, body, ui.colors().ink, Weight::bold);
    float at = y + 32;
    int left = lines;
    for (auto c = session.contacts().rbegin(); c != session.contacts().rend() && left > 0; ++c, --left) {
        const std::string what =
            c->start ? print("%.3g m/s", c->speed) : print("%.3g ms, %.3g N", 1e3 * c->duration, c->force);
        const std::string when = print("%.9f s", c->time);
        ui.text(when, x + margin, at, small, c->start ? ui.colors().accent : ui.colors().soft);
        const float used = ui.text_width(when, small) + 10, tail = ui.text_width(what, small);
        ui.text(ui.shorten((c->start ? "" : "end of ") + c->pair, small, w - 2 * margin - used - tail - 8),
                x + margin + used, at, small, ui.colors().ink);
        ui.text_right(what, x + w - margin, at, small, ui.colors().soft);
        at += line;
    }
    if (session.contacts().empty()) ui.text("none yet", x + margin, at, small, ui.colors().soft);
    return h;
}

float profiler_panel(Ui& ui, Session& session, float x, float y, float w) {
    FrameProfile sum;
    for (const FrameProfile& frame : session.profile()) {
        sum.simulated += frame.simulated;
        sum.wall += frame.wall;
        sum.steps += frame.steps;
        sum.events += frame.events;
        sum.pairs += frame.pairs;
        sum.evaluations += frame.evaluations;
        for (std::size_t i = 0; i < sum.stages.size(); ++i) sum.stages[i] += frame.stages[i];
        sum.workers.resize(std::max(sum.workers.size(), frame.workers.size()));
        for (std::size_t i = 0; i < frame.workers.size(); ++i) sum.workers[i] += frame.workers[i];
    }
    const double frames = std::max<double>(1.0, static_cast<double>(session.profile().size()));
    const double wall = std::max(1e-9, sum.wall);
    static float kept = 330;
    const Height height{kept};
    ui.panel(x, y, w, height());
    const float left = x + margin, right = x + w - margin;
    float at = y + 10;
    ui.text("Where the time goes", left, at, body, ui.colors().ink, Weight::bold);
    ui.text_right(print("%.2f ms a frame", 1e3 * sum.wall / frames), right, at, small, ui.colors().soft);
    at += 24;
    const auto row = [&](const std::string& name, double share, const std::string& value, Color color) {
        ui.text(name, left, at, small, ui.colors().soft);
        ui.bar(left + 104, at + 3, (w - 2 * margin - 184) * static_cast<float>(std::clamp(share, 0.0, 1.0)), 9, color);
        ui.text_right(value, right, at, small, ui.colors().ink);
        at += 17;
    };
    double known = 0.0;
    for (std::size_t i = 0; i < sum.stages.size(); ++i) {
        known += sum.stages[i];
        row(std::string{tactus::stage_names[i]}, sum.stages[i] / wall, print("%.3f ms", 1e3 * sum.stages[i] / frames),
            curve_colors[i % 4]);
    }
    row("integrator", (wall - known) / wall, print("%.3f ms", 1e3 * std::max(0.0, sum.wall - known) / frames),
        ui.colors().soft);
    at += 5;
    for (std::size_t i = 0; i < sum.workers.size() && i < 8; ++i)
        row(print("worker %zu", i + 1), sum.workers[i] / wall, print("%.0f %%", 100.0 * sum.workers[i] / wall),
            curve_colors[1]);
    at += 5;
    if (session.world() && session.error().empty()) {
        const tactus::CollisionCounts counts = session.world()->collision_counts();
        ui.text(print("%zu solids, %zu pairs of boxes, %zu contacts", counts.solids, counts.pairs, counts.contacts),
                left, at, small, ui.colors().ink);
        at += 17;
    }
    const auto rate = [&](std::int64_t n) { return static_cast<double>(n) / wall; };
    ui.text(print("%.3g pairs, %.3g steps, %.3g events a second", rate(sum.pairs), rate(sum.steps), rate(sum.events)),
            left, at, small, ui.colors().ink);
    at += 22;
    ui.text("workers", left, at + 4, small, ui.colors().soft);
    if (ui.button("−", left + 62, at, 26, 22)) session.set_workers(session.workers() - 1);
    ui.text(print("%d", session.workers()), left + 98, at + 3, body, ui.colors().ink, Weight::bold);
    if (ui.button("+", left + 120, at, 26, 22)) session.set_workers(std::min(64, session.workers() + 1));
    ui.text("used from 100 solids on", left + 158, at + 4, small, ui.colors().soft);
    at += 30;
    return height.set(at - y);
}

// Its letters stay readable in the smallest window; what does not fit into that is cut.
void error_panel(Ui& ui, const std::string& error) {
    const float size = std::max(body, 11.0f / ui.unit()), line = 1.34f * size, frame = 20;
    const float w = std::min(620.0f, ui.width() - 24), x = 0.5f * (ui.width() - w), room = w - 2 * frame;
    const std::vector<std::string> hint = ui.wrap("R starts it again, Esc goes back to the gallery", size, room);
    const float around = 2 * frame + 1.6f * head + line * (0.5f + static_cast<float>(hint.size()));
    std::vector<std::string> text = ui.wrap(error, size, room);
    const auto most = static_cast<std::size_t>(std::max(1.0f, (ui.height() - around - 16) / line));
    if (text.size() > most) {
        text.resize(most);
        text.back() = ui.shorten(text.back() + " …", size, room);
    }
    const float h = around + line * static_cast<float>(text.size()), y = std::max(8.0f, 0.4f * (ui.height() - h));
    for (int i = 0; i < 3; ++i) ui.panel(x, y, w, h);  // what is behind it does not shine through
    ui.text("This demo cannot go on", x + frame, y + frame, head, ui.colors().accent, Weight::bold);
    float at = y + frame + 1.6f * head;
    const auto write = [&](const std::vector<std::string>& lines, Color color) {
        for (const std::string& l : lines) {
            ui.text(l, x + frame, at, size, color);
            at += line;
        }
    };
    write(text, ui.colors().ink);
    at += 0.5f * line;
    write(hint, ui.colors().soft);
}

void help_panel(Ui& ui) {
    struct Line {
        const char *key, *what;
    };
    constexpr Line lines[] = {
        {"Left drag on a body", "pull it with a spring"},
        {"Left drag beside it", "turn the view"},
        {"Right drag", "move the view"},
        {"Wheel", "nearer, farther"},
        {"Click", "select a body"},
        {"F", "follow the next named body"},
        {"Space", "pause, go on"},
        {". (period)", "one step of 1/60 s"},
        {"R", "start again"},
        {"+  −  0", "faster, slower, as the clock"},
        {"← →", "demo before, next demo"},
        {"Esc", "back to the gallery"},
        {"C", "contact points and forces"},
        {"B", "boxes of the broad phase"},
        {"X", "frames"},
        {"M", "MPR portal of the selected body"},
        {"O", "colours of super-objects"},
        {"G", "plot: signals, energies, none"},
        {"E", "list of contacts"},
        {"P", "profiler, workers"},
        {"V", "record a film"},
        {"S", "save a picture"},
        {"I", "hide all text"},
        {"H", "this list"},
    };
    constexpr int count = std::size(lines), rows = (count + 1) / 2;
    const float w = std::min(820.0f, ui.width() - 24), h = 56 + 23.0f * rows, x = 0.5f * (ui.width() - w);
    const float y = std::max(8.0f, 0.5f * (ui.height() - h));
    for (int i = 0; i < 3; ++i) ui.panel(x, y, w, h);  // what is behind it does not shine through
    ui.text("Keys and mouse", x + 20, y + 14, head, ui.colors().ink, Weight::bold);
    for (int i = 0; i < count; ++i) {
        const float left = x + 20 + (i % 2 == 0 ? 0.0f : 0.5f * w), at = y + 48 + 23.0f * static_cast<float>(i / 2);
        ui.text(lines[i].key, left, at, body, ui.colors().accent);
        ui.text(ui.shorten(lines[i].what, body, 0.5f * w - 190), left + 152, at, body, ui.colors().ink);
    }
}

}  // namespace demos::app
