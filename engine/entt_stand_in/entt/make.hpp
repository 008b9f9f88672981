// How components and context variables are built from arguments.
#pragma once

#include <type_traits>
#include <utility>

namespace entt::internal {

#if defined(__GNUC__)
#pragma GCC diagnostic push
#pragma GCC diagnostic ignored "-Wmissing-field-initializers"  // fewer arguments than members is the caller's choice
#endif

// Aggregates with braces, everything else with parentheses. The value is built where it is needed, never moved:
// new T(make<T>(...)) works for every T.
template<class T, class... Args> T make(Args&&... args) {
    if constexpr (std::is_aggregate_v<T>)
        return T{std::forward<Args>(args)...};
    else
        return T(std::forward<Args>(args)...);
}

// Always with braces, as EnTT builds the value that takes the place of another one.
template<class T, class... Args> T make_with_braces(Args&&... args) { return T{std::forward<Args>(args)...}; }

#if defined(__GNUC__)
#pragma GCC diagnostic pop
#endif

}  // namespace entt::internal
