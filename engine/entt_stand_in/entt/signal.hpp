// Listeners: void(entt::registry&, entt::entity), told when a component comes, changes or goes.
#pragma once

#include "config.hpp"
#include "entity.hpp"

#include <algorithm>
#include <cstddef>
#include <functional>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace entt {

namespace internal {

class registry;
class sink;

struct listener {
    void* instance{};  // first argument of the call; null for a function that takes none
    void (*call)(void*, registry&, entity){};

    bool operator==(const listener&) const = default;
};

// The parameters of a listener behind the instance, if it has one. As in EnTT, only functions and member functions may
// leave out arguments.
template<class Result, class... Args> std::index_sequence_for<Args...> parameters(Result (*)(Args...));
template<class First, class Result, class... Args, class Instance>
std::index_sequence_for<Args...> parameters(Result (*)(First, Args...), Instance&&);
template<class Class, class Result, class... Args, class Instance>
std::index_sequence_for<Args...> parameters(Result (Class::*)(Args...), Instance&&);
template<class Class, class Result, class... Args, class Instance>
std::index_sequence_for<Args...> parameters(Result (Class::*)(Args...) const, Instance&&);

// Calls the function with the arguments that it takes: both, the registry, the entity, or none.
template<auto Function, class... First>
void call_with_accepted([[maybe_unused]] registry& owner, [[maybe_unused]] entity e, First... first) {
    using function = decltype(Function);
    if constexpr (std::is_invocable_v<function, First..., registry&, entity>) {
        std::invoke(Function, first..., owner, e);
    } else {
        constexpr std::size_t count = decltype(parameters(Function, std::declval<First>()...))::size();
        static_assert(count < 2, "A listener takes a registry and an entity");
        if constexpr (count == 0)
            std::invoke(Function, first...);
        else if constexpr (std::is_invocable_v<function, First..., registry&>)
            std::invoke(Function, first..., owner);
        else
            std::invoke(Function, first..., e);
    }
}

template<auto Function> listener listener_of() noexcept {
    return {nullptr, [](void*, registry& owner, entity e) { call_with_accepted<Function>(owner, e); }};
}

// The function gets the instance as it was given: as a reference or as a pointer.
template<auto Function, class Instance> listener listener_of(Instance& instance) noexcept {
    return {const_cast<void*>(static_cast<const void*>(std::addressof(instance))),
            [](void* self, registry& owner, entity e) {
                call_with_accepted<Function, Instance&>(owner, e, *static_cast<Instance*>(self));
            }};
}
template<auto Function, class Instance> listener listener_of(Instance* instance) noexcept {
    return {const_cast<void*>(static_cast<const void*>(instance)), [](void* self, registry& owner, entity e) {
                call_with_accepted<Function, Instance*>(owner, e, static_cast<Instance*>(self));
            }};
}

class signal {
public:
    [[nodiscard]] bool empty() const noexcept { return listeners_.empty(); }

    // The listener connected last is called first, as in EnTT.
    void publish(registry& owner, entity e) const {
        for (std::size_t left = listeners_.size(); left > 0; --left) {
            const listener& each = listeners_[left - 1];
            each.call(each.instance, owner, e);
        }
    }

private:
    friend class sink;

    // Fills the hole with the last one: the order of calls after a disconnection is EnTT's, too.
    template<class Predicate> void remove_if(Predicate&& gone) {
        for (std::size_t left = listeners_.size(); left > 0; --left) {
            if (!gone(listeners_[left - 1])) continue;
            listeners_[left - 1] = listeners_.back();
            listeners_.pop_back();
        }
    }

    std::vector<listener> listeners_;
};

// The door to a signal: whoever holds it can listen, but not publish. A listener is connected at most once.
class sink {
public:
    explicit sink(signal& to) noexcept : signal_{&to} {}

    [[nodiscard]] bool empty() const noexcept { return signal_->empty(); }

    template<auto Function> void connect() { add(listener_of<Function>()); }
    // The instance is the object of a member function, or the first argument of a free one. It must live as long as the
    // connection.
    template<auto Function, class Instance> void connect(Instance& instance) { add(listener_of<Function>(instance)); }
    template<auto Function, class Instance> void connect(Instance* instance) { add(listener_of<Function>(instance)); }

    template<auto Function> void disconnect() { remove(listener_of<Function>()); }
    template<auto Function, class Instance> void disconnect(Instance& instance) {
        remove(listener_of<Function>(instance));
    }
    template<auto Function, class Instance> void disconnect(Instance* instance) {
        remove(listener_of<Function>(instance));
    }
    // Everything that was connected with this instance.
    void disconnect(const void* instance) {
        ENTT_ASSERT(instance != nullptr, "An instance is needed");
        signal_->remove_if([instance](const listener& each) { return each.instance == instance; });
    }
    // Everything.
    void disconnect() { signal_->listeners_.clear(); }

private:
    void add(listener added) {
        remove(added);
        signal_->listeners_.push_back(added);
    }
    void remove(listener removed) {
        signal_->remove_if([removed](const listener& each) { return each == removed; });
    }

    signal* signal_;
};

}  // namespace internal

}  // namespace entt
