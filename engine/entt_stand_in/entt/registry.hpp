// The registry: entities, a pool per component type, and context variables.
//
// Threads: everything that is const, and get, try_get, all_of, any_of and view of pools that exist, only reads the
// registry. Several threads may do that at once; storage<T>() beforehand makes a pool exist.
#pragma once

#include "config.hpp"
#include "context.hpp"
#include "entity.hpp"
#include "signal.hpp"
#include "storage.hpp"
#include "type_index.hpp"
#include "view.hpp"

#include <cstddef>
#include <memory>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace entt {

namespace internal {

class registry {
public:
    using entity_type = entity;
    using version_type = entt_traits<entity>::version_type;
    using size_type = std::size_t;
    using context = internal::context;

    registry() = default;
    registry(const registry&) = delete;
    registry& operator=(const registry&) = delete;
    registry(registry&& other) noexcept : registry{} { swap(other); }
    registry& operator=(registry&& other) noexcept {
        registry{std::move(other)}.swap(*this);
        return *this;
    }
    ~registry() = default;

    void swap(registry& other) noexcept {
        std::swap(entities_, other.entities_);
        std::swap(pools_, other.pools_);
        std::swap(by_type_, other.by_type_);
        std::swap(context_, other.context_);
        for (const auto& each : pools_) each->bind(*this);
        for (const auto& each : other.pools_) each->bind(other);
    }

    // -- entities ----------------------------------------------------------------------------------------------------

    [[nodiscard]] entity create() { return entities_.create(); }
    // The hint itself, if its slot is free.
    [[nodiscard]] entity create(entity hint) { return entities_.create(hint); }

    // Gives back the version that the slot has from now on.
    version_type destroy(entity e) {
        ENTT_ASSERT(valid(e), "The entity is not valid");
        for (size_type i = pools_.size(); i > 0; --i) pools_[i - 1]->remove(e);
        return entities_.release(e);
    }
    template<class Iterator> void destroy(Iterator first, Iterator last) {
        while (first != last) {
            const entity e = *first;
            destroy(e);
            ++first;
        }
    }

    [[nodiscard]] bool valid(entity e) const { return entities_.contains(e); }
    [[nodiscard]] version_type current(entity e) const { return entities_.current(e); }
    [[nodiscard]] bool orphan(entity e) const {
        ENTT_ASSERT(valid(e), "The entity is not valid");
        for (const auto& each : pools_)
            if (each->contains(e)) return false;
        return true;
    }

    // -- components --------------------------------------------------------------------------------------------------

    template<class T, class... Args> decltype(auto) emplace(entity e, Args&&... args) {
        ENTT_ASSERT(valid(e), "The entity is not valid");
        return assure<T>().emplace(e, std::forward<Args>(args)...);
    }
    template<class T, class... Args> decltype(auto) emplace_or_replace(entity e, Args&&... args) {
        ENTT_ASSERT(valid(e), "The entity is not valid");
        auto& pool = assure<T>();
        if (pool.contains(e)) return replace<T>(e, std::forward<Args>(args)...);
        return pool.emplace(e, std::forward<Args>(args)...);
    }
    template<class T, class... Args> decltype(auto) replace(entity e, Args&&... args) {
        return patch<T>(
            e, [&args...](auto&... item) { ((item = make_with_braces<T>(std::forward<Args>(args)...)), ...); });
    }
    // Calls the functions with the component (with nothing for a tag), then the listeners of on_update.
    template<class T, class... Functions> decltype(auto) patch(entity e, Functions&&... functions) {
        return assure<T>().patch(e, std::forward<Functions>(functions)...);
    }
    template<class T, class... Args> [[nodiscard]] decltype(auto) get_or_emplace(entity e, Args&&... args) {
        auto& pool = assure<T>();
        if (pool.contains(e)) return pool.get(e);
        return emplace<T>(e, std::forward<Args>(args)...);
    }

    // Drops what the entity owns of them and says how many that were.
    template<class T, class... Other> size_type remove(entity e) {
        size_type count = assure<T>().remove(e) ? 1 : 0;
        ((count += assure<Other>().remove(e) ? 1u : 0u), ...);
        return count;
    }
    // Like remove, for an entity that owns them all.
    template<class T, class... Other> void erase(entity e) {
        assure<T>().erase(e);
        (assure<Other>().erase(e), ...);
    }
    // Of the components named, all; without any, all components and all entities.
    template<class... T> void clear() {
        if constexpr (sizeof...(T) == 0) {
            for (size_type i = pools_.size(); i > 0; --i) pools_[i - 1]->clear();
            entities_.release_all();
        } else {
            (assure<T>().clear(), ...);
        }
    }

    template<class... T> [[nodiscard]] bool all_of(entity e) const { return (owns<T>(e) && ...); }
    template<class... T> [[nodiscard]] bool any_of(entity e) const { return (owns<T>(e) || ...); }

    // One component as a reference, several as a tuple of references.
    template<class... T> [[nodiscard]] decltype(auto) get(entity e) {
        if constexpr (sizeof...(T) == 1)
            return (known<T>().get(e), ...);
        else
            return std::forward_as_tuple(get<T>(e)...);
    }
    template<class... T> [[nodiscard]] decltype(auto) get(entity e) const {
        if constexpr (sizeof...(T) == 1)
            return (known<const T>().get(e), ...);
        else
            return std::forward_as_tuple(get<T>(e)...);
    }
    // The same with pointers, null for what the entity does not own.
    template<class... T> [[nodiscard]] auto try_get(entity e) {
        if constexpr (sizeof...(T) == 1)
            return (address<T>(find<T>(), e), ...);
        else
            return std::make_tuple(address<T>(find<T>(), e)...);
    }
    template<class... T> [[nodiscard]] auto try_get(entity e) const {
        if constexpr (sizeof...(T) == 1)
            return (address<const T>(find<const T>(), e), ...);
        else
            return std::make_tuple(address<const T>(find<const T>(), e)...);
    }

    // -- pools, views, signals, context ------------------------------------------------------------------------------

    template<class T> storage_for_t<T>& storage() { return assure<T>(); }
    // Null, if nobody has used the component yet.
    template<class T> [[nodiscard]] const storage_for_t<T>* storage() const { return find<const T>(); }

    template<class T, class... Other, class... Exclude>
    [[nodiscard]] entt::view<get_t<T, Other...>, exclude_t<Exclude...>> view(exclude_t<Exclude...> = exclude_t{}) {
        return {std::tuple<storage_for_t<T>*, storage_for_t<Other>*...>{&assure<T>(), &assure<Other>()...},
                std::tuple<storage_for_t<Exclude>*...>{&assure<Exclude>()...}};
    }
    template<class T, class... Other, class... Exclude>
    [[nodiscard]] entt::view<get_t<const T, const Other...>, exclude_t<const Exclude...>>
    view(exclude_t<Exclude...> = exclude_t{}) const {
        return {std::tuple<storage_for_t<const T>*, storage_for_t<const Other>*...>{find<const T>(),
                                                                                    find<const Other>()...},
                std::tuple<storage_for_t<const Exclude>*...>{find<const Exclude>()...}};
    }

    // After a component came, after replace or patch, before it goes.
    template<class T> [[nodiscard]] auto on_construct() { return assure<T>().on_construct(); }
    template<class T> [[nodiscard]] auto on_update() { return assure<T>().on_update(); }
    template<class T> [[nodiscard]] auto on_destroy() { return assure<T>().on_destroy(); }

    [[nodiscard]] context& ctx() noexcept { return context_; }
    [[nodiscard]] const context& ctx() const noexcept { return context_; }

private:
    // Null, if there is no pool. T may be const; the pool then is.
    template<class T> storage_for_t<T>* find() const noexcept {
        if constexpr (std::is_same_v<T, const entity>) {
            return &entities_;
        } else {
            const size_type i = type_index<std::remove_const_t<T>>();
            return i < by_type_.size() ? static_cast<storage_for_t<T>*>(by_type_[i]) : nullptr;
        }
    }

    template<class T> storage_for_t<T>& known() const noexcept {
        storage_for_t<T>* pool = find<T>();
        ENTT_ASSERT(pool, "No entity has ever owned this component");
        return *pool;
    }

    template<class T> storage_for_t<T>& assure() {
        if constexpr (std::is_same_v<std::remove_const_t<T>, entity>) {
            return entities_;
        } else {
            if (storage_for_t<T>* pool = find<T>()) return *pool;
            using created = component_storage<std::remove_const_t<T>>;
            const size_type i = type_index<std::remove_const_t<T>>();
            if (i >= by_type_.size()) by_type_.resize(i + 1);
            std::unique_ptr<created> pool{new created{*this}};
            created& result = *pool;
            pools_.push_back(std::move(pool));
            by_type_[i] = &result;
            return result;
        }
    }

    template<class T> bool owns(entity e) const noexcept {
        const auto* pool = find<const T>();
        return pool && pool->contains(e);
    }

    template<class T> static auto address(storage_for_t<T>* pool, entity e) noexcept {
        return pool && pool->contains(e) ? std::addressof(pool->get(e)) : nullptr;
    }

    entity_storage entities_;
    std::vector<std::unique_ptr<pool>> pools_;  // in the order of their creation
    std::vector<pool*> by_type_;                // by type index; null where there is none
    context context_;
};

}  // namespace internal

// Another name, as in EnTT: nobody can declare it as a class.
using registry = internal::registry;

}  // namespace entt
