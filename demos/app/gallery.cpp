#include "demos/app/gallery.hpp"

#include <algorithm>
#include <cmath>

namespace demos::app {

namespace {

constexpr int picture_width = 448, picture_height = 252;

}  // namespace

Gallery::Gallery(int workers, Renderer& renderer, Ui& ui) : workers_{workers}, renderer_{renderer}, ui_{ui} {
    for (const Demo* demo : all()) {
        Card card;
        card.demo = demo;
        card.picture = LoadRenderTexture(picture_width, picture_height);
        SetTextureFilter(card.picture.texture, TEXTURE_FILTER_BILINEAR);
        cards_.push_back(card);
    }
}

Gallery::~Gallery() {
    for (const Card& card : cards_) UnloadRenderTexture(card.picture);
}

void Gallery::paint(Card& card, Session& session) {
    card.painted = true;
    card.failed = !session.world() || !session.error().empty();
    stage_.update(session);
    renderer_.draw(frame_of(session, stage_, Orbit::of(card.demo->view), picture_width, picture_height),
                   {.scale = 2, .shadow_taps = 10, .shadow_size = 1024});
    BeginTextureMode(card.picture);
    ClearBackground(BLACK);
    renderer_.show({0, 0, picture_width, picture_height});
    EndTextureMode();
}

// One picture in a frame: its demo is built and may move for a moment.
void Gallery::paint_next() {
    const auto next = std::ranges::find_if(cards_, [](const Card& card) { return !card.painted; });
    if (next == cards_.end()) return;
    Session session{*next->demo, workers_};
    session.speed = 1.0;
    for (int i = 0; i < 30 && session.world() && session.error().empty(); ++i) {
        session.frame(std::min(0.1, next->demo->picture_at / 10.0), 0.002);
        if (session.world()->time() >= next->demo->picture_at) break;
    }
    paint(*next, session);
}

const Demo* Gallery::frame(int width, int height, const Keys& keys) {
    if (cards_.empty()) return nullptr;
    paint_next();
    const std::size_t before = selected_;
    if (alive_ && alive_->demo.name == cards_[selected_].demo->name) {
        alive_->frame(GetFrameTime(), 0.008);
        paint(cards_[selected_], *alive_);
    }

    BeginDrawing();
    ClearBackground({232, 232, 229, 255});
    ui_.begin(width, height, false);
    const Theme& c = ui_.colors();
    const float side = 28, gap = 18;
    const int columns = std::clamp(static_cast<int>((ui_.width() - 2 * side + gap) / (262 + gap)), 1, 6);
    const float w = (ui_.width() - 2 * side - gap * static_cast<float>(columns - 1)) / static_cast<float>(columns);
    const float image = w * picture_height / picture_width, h = image + 76;
    const int rows = (static_cast<int>(cards_.size()) + columns - 1) / columns;
    const float all_height = 92 + (h + gap) * static_cast<float>(rows);
    scroll_ = std::clamp(scroll_ - 60.0f * GetMouseWheelMove(), 0.0f, std::max(0.0f, all_height - ui_.height() + 10));
    const float top = 92 - scroll_;
    ui_.text("Tactus", side, 22 - scroll_, 36, c.ink, Weight::bold);
    ui_.text(ui_.shorten("a physics engine that knows exactly when things touch", 18, ui_.width() - side - 190),
             side + 136, 38 - scroll_, 18, c.soft);

    const Demo* chosen = nullptr;
    const Vector2 mouse = GetMousePosition();
    for (std::size_t i = 0; i < cards_.size(); ++i) {
        const Card& card = cards_[i];
        const float x = side + static_cast<float>(static_cast<int>(i) % columns) * (w + gap);
        const float y = top + static_cast<float>(static_cast<int>(i) / columns) * (h + gap), u = ui_.unit();
        const Rectangle box{x * u, y * u, w * u, h * u};
        const bool hover = CheckCollisionPointRec(mouse, box);
        if (hover && (GetMouseDelta().x != 0 || GetMouseDelta().y != 0)) selected_ = i;
        ui_.panel(x, y, w, h);
        const Rectangle whole{0, 0, picture_width, -picture_height};
        if (card.painted)
            DrawTexturePro(card.picture.texture, whole, {x * u, y * u, w * u, image * u}, {0, 0}, 0, WHITE);
        if (card.failed) ui_.text("cannot be shown: see why by opening it", x + 12, y + 12, 14, c.accent);
        ui_.text(ui_.shorten(card.demo->title, 17, w - 24), x + 12, y + image + 9, 17, c.ink, Weight::bold);
        float line = y + image + 33;
        const std::string lesson = card.demo->lesson;
        // Two lines at most.
        std::string first = ui_.shorten(lesson, 13, w - 24);
        if (first != lesson) {
            const std::size_t cut = lesson.rfind(' ', first.size() - 3);
            if (cut != std::string::npos && cut > 0) {
                ui_.text(lesson.substr(0, cut), x + 12, line, 13, c.soft);
                first = ui_.shorten(lesson.substr(cut + 1), 13, w - 24);
                line += 17;
            }
        }
        ui_.text(first, x + 12, line, 13, c.soft);
        if (i == selected_) DrawRectangleRoundedLinesEx(box, 0.06f, 8, 2.5f * u, c.accent);
        if (hover && IsMouseButtonPressed(MOUSE_BUTTON_LEFT)) chosen = card.demo;
    }
    EndDrawing();

    const int count = static_cast<int>(cards_.size());
    int at = static_cast<int>(selected_);
    if (keys.pressed(KEY_RIGHT)) ++at;
    if (keys.pressed(KEY_LEFT)) --at;
    if (keys.pressed(KEY_DOWN)) at += columns;
    if (keys.pressed(KEY_UP)) at -= columns;
    at = std::clamp(at, 0, count - 1);
    if (at != static_cast<int>(selected_)) {  // by a key: it comes into sight
        const float y = 92 + (h + gap) * static_cast<float>(at / columns);
        scroll_ = std::clamp(scroll_, y + h + 10 - ui_.height(), std::max(y - 10, y + h + 10 - ui_.height()));
    }
    selected_ = static_cast<std::size_t>(at);
    if (keys.pressed(KEY_ENTER)) chosen = cards_[selected_].demo;
    if (chosen) alive_.reset();
    if (!chosen && (selected_ != before || !alive_)) {
        const bool all_painted = std::ranges::all_of(cards_, [](const Card& card) { return card.painted; });
        alive_ = all_painted ? std::make_unique<Session>(*cards_[selected_].demo, workers_) : nullptr;
    }
    return chosen;
}

}  // namespace demos::app
