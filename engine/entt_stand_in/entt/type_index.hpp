// A small number per type, so that finding a pool is one look into a vector.
#pragma once

#include <atomic>
#include <cstddef>

namespace entt::internal {

#if defined(__GNUC__)
#pragma GCC visibility push(default)  // one counter, also for libraries that hide what they do not export
#endif
inline std::size_t next_type_index() noexcept {
    static std::atomic<std::size_t> counter{};
    return counter.fetch_add(1, std::memory_order_relaxed);
}
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

// Given out at the first use, in whatever order that happens: good as a key inside one process, never as an order.
template<class T> std::size_t type_index() noexcept {
    static const std::size_t index = next_type_index();
    return index;
}

}  // namespace entt::internal
