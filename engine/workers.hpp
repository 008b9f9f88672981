// Workers: loops that are spread over the threads of a Taskflow executor.
//
// A loop is cut into chunks of `grain` elements, whatever the number of workers; who is free takes the next chunk. As each
// element writes to places of its own, results do not depend on who did what. Below two chunks, or without an executor, a
// loop runs where it is called. Nothing is allocated after construction.
#pragma once

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>

namespace tf {
class Executor;
}

namespace tactus {

class Workers {
public:
    Workers();                                 // none: all loops run where they are called
    explicit Workers(tf::Executor& executor);  // which must outlive this
    ~Workers();
    Workers(Workers&&) noexcept;
    Workers& operator=(Workers&&) noexcept;

    std::size_t count() const;       // of threads; at least 1
    tf::Executor* executor() const;  // null: none

    // Calls work() on one of the workers, and waits for it. Loops inside are then spread without any allocation. Exceptions
    // come out as they are.
    template<class Work> void enter(Work&& work) {
        enter_with(&work, [](void* w) { (*static_cast<std::remove_reference_t<Work>*>(w))(); });
    }

    // Calls body(begin, end) for chunks that cover 0 .. n. The body must not throw, nor start loops itself.
    template<class Body> void for_chunks(std::size_t n, std::size_t grain, Body&& body) {
        if (n == 0) return;
        if (n <= grain || !spreads()) {
            body(std::size_t{0}, n);
            return;
        }
        spread(n, grain, &body, [](void* b, std::size_t begin, std::size_t end) {
            (*static_cast<std::remove_reference_t<Body>*>(b))(begin, end);
        });
    }

private:
    struct Impl;
    std::unique_ptr<Impl> impl_;

    bool spreads() const;  // there is more than one thread
    void enter_with(void* work, void (*call)(void*));
    void spread(std::size_t n, std::size_t grain, void* body, void (*call)(void*, std::size_t, std::size_t));
};

}  // namespace tactus
