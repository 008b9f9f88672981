// Gallery: all demos as cards with small pictures; the one under the mouse is alive.
#pragma once

#include "demos/app/keys.hpp"
#include "demos/app/picture.hpp"
#include "demos/app/ui.hpp"

#include <memory>
#include <vector>

namespace demos::app {

class Gallery {
public:
    Gallery(int workers, Renderer& renderer, Ui& ui);
    ~Gallery();

    // Draws a frame; the demo that was chosen, or null.
    const Demo* frame(int width, int height, const Keys& keys);

private:
    struct Card {
        const Demo* demo = nullptr;
        RenderTexture2D picture{};
        bool painted = false;
        bool failed = false;  // its scene could not be built, or does not move
    };
    int workers_;
    Renderer& renderer_;
    Ui& ui_;
    std::vector<Card> cards_;
    std::size_t selected_ = 0;
    float scroll_ = 0;
    std::unique_ptr<Session> alive_;  // of the selected card
    Stage stage_;

    void paint(Card& card, Session& session);
    void paint_next();
};

}  // namespace demos::app
