// Context variables: at most one value per type, kept by a registry beside its entities.
#pragma once

#include "config.hpp"
#include "make.hpp"
#include "type_index.hpp"

#include <cstddef>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace entt::internal {

class context {
public:
    // The variable that exists already, if there is one.
    template<class T, class... Args> T& emplace(Args&&... args) {
        static_assert(!std::is_reference_v<T>, "Variables of somebody else are not part of the stand-in");
        if (T* existing = find<T>()) return *existing;
        return keep(new T(make<T>(std::forward<Args>(args)...)));
    }

    // What a const variable is copied from comes back as const, as in EnTT.
    template<class Value> Value& insert_or_assign(Value&& value) {
        using T = std::remove_cvref_t<Value>;
        T* existing = find<T>();
        if constexpr (std::is_assignable_v<T&, Value&&>)
            if (existing) return *existing = std::forward<Value>(value);
        return keep(new T(std::forward<Value>(value)));
    }

    template<class T> [[nodiscard]] T* find() { return static_cast<T*>(lookup<T>()); }
    template<class T> [[nodiscard]] const T* find() const { return static_cast<const T*>(lookup<T>()); }

    template<class T> [[nodiscard]] T& get() {
        ENTT_ASSERT(contains<T>(), "There is no such variable");
        return *find<T>();
    }
    template<class T> [[nodiscard]] const T& get() const {
        ENTT_ASSERT(contains<T>(), "There is no such variable");
        return *find<T>();
    }

    template<class T> [[nodiscard]] bool contains() const { return lookup<T>() != nullptr; }

    template<class T> bool erase() {
        const bool found = contains<T>();
        if (found) variables_[index<T>()].reset();
        return found;
    }

private:
    // On the heap each, so that references stay good when others come.
    struct deleter {
        void (*destroy)(void*){};
        void operator()(void* value) const { destroy(value); }
    };
    using variable = std::unique_ptr<void, deleter>;

    template<class T> static std::size_t index() noexcept { return type_index<std::remove_cv_t<T>>(); }

    template<class T> void* lookup() const noexcept {
        const std::size_t i = index<T>();
        return i < variables_.size() ? variables_[i].get() : nullptr;
    }

    template<class T> T& keep(T* created) {
        variable owner{created, {[](void* value) { delete static_cast<T*>(value); }}};
        const std::size_t i = index<T>();
        if (i >= variables_.size()) variables_.resize(i + 1);
        variables_[i] = std::move(owner);
        return *created;
    }

    std::vector<variable> variables_;  // by type index; null where there is none
};

}  // namespace entt::internal
