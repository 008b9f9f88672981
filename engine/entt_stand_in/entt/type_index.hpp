// A small number per type, so that finding a pool is one look into a vector.
#pragma once

#include <cstddef>
#include <map>
#include <mutex>
#include <string>
#include <string_view>

namespace entt::internal {

#if defined(__GNUC__)
#pragma GCC visibility push(default)  // one table for all libraries of a program, also those that hide what they can
#endif
// The same name has the same number wherever it is asked for; numbers are given out at the first use, in whatever order
// that happens: good as a key inside one process, never as an order.
inline std::size_t index_of_type(std::string_view name) {
    static std::mutex mutex;
    static std::map<std::string, std::size_t, std::less<>> numbers;
    const std::scoped_lock lock{mutex};
    const auto found = numbers.find(name);
    return found != numbers.end() ? found->second : numbers.emplace(name, numbers.size()).first->second;
}
#if defined(__GNUC__)
#pragma GCC visibility pop
#endif

template<class T> constexpr std::string_view type_name() noexcept {
#if defined(_MSC_VER)
    return __FUNCSIG__;
#else
    return __PRETTY_FUNCTION__;
#endif
}

// Looked up once in each library. As in EnTT, types are told apart by their names.
template<class T> std::size_t type_index() noexcept {
    static const std::size_t index = index_of_type(type_name<T>());
    return index;
}

}  // namespace entt::internal
