// Programs: sequences of actions as C++20 coroutines that run in the event loop of a World.
//
//   Program flight(World& world) {
//       co_await attach("stage1.top", "stage2.bottom");
//       co_await after(5.0);
//       co_await release("stage1.top");
//       co_await until([stage = world.at("stage2")](const Instant& now) { return now.pose(stage).p.y() - 100.0; });
//       co_await delete_assembly("stage1.top");
//   }
//   world.add_program("flight", flight);
//
// A program begins when the World begins to move, and goes on at exactly the instants that it waits for. World::reset
// starts it anew. What it throws ends it and is passed on as a SimulationError. It may look at the World and change it
// as an event handler may. A lambda with captures is kept by the World as long as its coroutine needs it. Lists of numbers
// (move_along_path) should be variables, too: GCC 12 cannot compile them within a co_await expression.
#pragma once

#include <tactus/components/action.hpp>
#include <tactus/components/entity.hpp>
#include <tactus/engine/events.hpp>
#include <tactus/engine/export.hpp>

#include <coroutine>
#include <exception>
#include <functional>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace tactus {

class World;

// Holds while its function is >= 0. The function is to be continuous, and cheap, see ZeroCrossing.
struct Condition {
    std::function<double(const Instant&)> function;
    std::vector<Ref> objects = {};  // what it looks at; empty: anything
};

// ---- what a program can wait for ----

struct After {
    double period = 0.0;  // [s]
};
inline After after(double period) { return {period}; }

// Some versions of GCC destroy what a lambda in a co_await expression holds twice: give it a name first, then.
template<class Function> Condition until(Function&& function, std::vector<Ref> objects = {}) {
#if defined(__GNUC__) && !defined(__clang__)
    static_assert(
        std::is_lvalue_reference_v<Function> || std::is_trivially_destructible_v<Function>,
        "a lambda that captures more than plain values must be a variable: auto f = [...]; co_await until(f);");
#endif
    return {std::function<double(const Instant&)>{std::forward<Function>(function)}, std::move(objects)};
}

// ---- what it can do ----

inline Attach attach(std::string lock, std::string to, const AttachConditions& conditions = {}) {
    return {.lock = std::move(lock), .to = std::move(to), .conditions = conditions};
}
inline ReleaseAndAttach release_and_attach(std::string lock, std::string to, const AttachConditions& conditions = {}) {
    return {.lock = std::move(lock), .to = std::move(to), .conditions = conditions};
}
inline Release release(std::string lock) { return {.lock = std::move(lock)}; }
inline Delete delete_assembly(std::string lock) { return {.lock = std::move(lock)}; }
inline FlipChain flip_chain(std::string new_lock, std::string to, std::string old_lock,
                            const AttachConditions& conditions = {}) {
    return {std::move(new_lock), std::move(to), std::move(old_lock), conditions};
}
inline MoveAlongPath move_along_path(std::string path, std::vector<std::vector<double>> points) {
    return {std::move(path), std::move(points)};
}

// ---- how it runs; for World only ----

class ActionStep;

struct Pause {
    double time = std::numeric_limits<double>::infinity();  // [s] when it is over
    std::optional<Condition> condition = {};                // or as soon as this holds
};

class TACTUS_API Program {
public:
    struct promise_type;
    using Handle = std::coroutine_handle<promise_type>;

    Program() = default;
    explicit Program(Handle handle) : handle_{handle} {}
    Program(Program&& other) noexcept : handle_{std::exchange(other.handle_, {})} {}
    Program& operator=(Program&& other) noexcept {
        std::swap(handle_, other.handle_);
        return *this;
    }
    ~Program() {
        if (handle_) handle_.destroy();
    }

    explicit operator bool() const { return static_cast<bool>(handle_); }
    bool over() const { return !handle_ || handle_.done(); }
    promise_type& promise() const { return handle_.promise(); }
    void resume(World& world);  // what it threw is in promise().error

private:
    Handle handle_;
};

// One action that is waited for.
class TACTUS_API ActionStep {
public:
    ActionStep(Program::promise_type& promise, Action action) : promise_{promise}, action_{std::move(action)} {}
    bool await_ready() { return attempt(); }
    void await_suspend(std::coroutine_handle<>) noexcept;
    ActionReport await_resume();

    bool attempt();  // whether it is over; else promise.pause says when to go on
    void fail(std::exception_ptr error) { error_ = std::move(error); }

private:
    Program::promise_type& promise_;
    Action action_;
    ActionReport report_;
    std::exception_ptr error_;
    bool performed_ = false;
};

struct TACTUS_API Program::promise_type {
    World* world = nullptr;         // while it runs
    Pause pause;                    // while it does not
    ActionStep* pending = nullptr;  // to be tried again after the pause
    std::string doing;              // for messages
    std::exception_ptr error;

    Program get_return_object() { return Program{Handle::from_promise(*this)}; }
    std::suspend_always initial_suspend() noexcept { return {}; }
    std::suspend_always final_suspend() noexcept { return {}; }
    void return_void() {}
    void unhandled_exception() { error = std::current_exception(); }

    std::suspend_always await_transform(const After& wait);
    std::suspend_always await_transform(Condition condition);
    ActionStep await_transform(Action action);
};

}  // namespace tactus
