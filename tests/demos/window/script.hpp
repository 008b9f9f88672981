// A script: what somebody does in front of the window, frame by frame, as a coroutine.
//
//   Script restart(Hand& hand) {
//       hand.press(SDL_SCANCODE_R);
//       co_await frames(2);
//       expect(hand.session->world()->time() < 0.5, "R starts again");
//   }
#pragma once

#include <coroutine>
#include <exception>
#include <stdexcept>
#include <string>
#include <utility>

namespace window_test {

struct Frames {
    int count = 1;
};
inline Frames frames(int count) { return {count}; }

class Script {
public:
    struct promise_type {
        int wait = 0;  // frames
        std::exception_ptr error;

        Script get_return_object() { return Script{std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() noexcept { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() { error = std::current_exception(); }
        std::suspend_always await_transform(Frames frames) {
            wait = frames.count;
            return {};
        }
    };

    explicit Script(std::coroutine_handle<promise_type> handle) : handle_{handle} {}
    Script(Script&& other) noexcept : handle_{std::exchange(other.handle_, {})} {}
    Script& operator=(Script&&) = delete;
    ~Script() {
        if (handle_) handle_.destroy();
    }

    bool over() const { return handle_.done(); }
    void frame() {  // throws what the script threw
        if (over() || --handle_.promise().wait > 0) return;
        handle_.resume();
        if (handle_.promise().error) std::rethrow_exception(std::exchange(handle_.promise().error, nullptr));
    }

private:
    std::coroutine_handle<promise_type> handle_;
};

inline void expect(bool holds, const std::string& claim) {
    if (!holds) throw std::runtime_error("does not hold: " + claim);
}

}  // namespace window_test
