// A hand on the keyboard, the mouse and the frame of the window: its events go the way that those of SDL go.
#pragma once

#include "demos/session/session.hpp"

#include <SDL.h>
#include <raylib.h>

namespace window_test {

class Hand {
public:
    demos::app::Session* session = nullptr;  // what is shown in this frame; null: the gallery

    void press(SDL_Scancode key) {
        for (const Uint32 type : {SDL_KEYDOWN, SDL_KEYUP}) {
            SDL_Event event{};
            event.type = type;
            event.key.keysym.scancode = key;
            SDL_PushEvent(&event);
        }
    }
    void move(double x, double y) {  // [pixels]
        SDL_Event event{};
        event.type = SDL_MOUSEMOTION;
        event.motion.x = static_cast<int>(x);
        event.motion.y = static_cast<int>(y);
        SDL_PushEvent(&event);
    }
    // Down in one frame, up in a later one: within one frame nobody would see it.
    void button_down(Uint8 button = SDL_BUTTON_LEFT) { push_button(SDL_MOUSEBUTTONDOWN, button); }
    void button_up(Uint8 button = SDL_BUTTON_LEFT) { push_button(SDL_MOUSEBUTTONUP, button); }
    void wheel(int clicks) {
        SDL_Event event{};
        event.type = SDL_MOUSEWHEEL;
        event.wheel.y = clicks;
        SDL_PushEvent(&event);
    }
    void resize(int width, int height) { SetWindowSize(width, height); }
    void close() {  // what SDL makes of the button of the window that closes it
        SDL_Event event{};
        event.type = SDL_QUIT;
        SDL_PushEvent(&event);
    }

private:
    void push_button(Uint32 type, Uint8 button) {
        SDL_Event event{};
        event.type = type;
        event.button.button = button;
        SDL_PushEvent(&event);
    }
};

}  // namespace window_test
