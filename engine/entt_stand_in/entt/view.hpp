// Views: the entities that own some components and do not own some others. Cheap to make, cheap to copy, own nothing.
#pragma once

#include "config.hpp"
#include "entity.hpp"
#include "storage.hpp"

#include <array>
#include <cstddef>
#include <iterator>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace entt {

template<class... T> struct get_t {};
template<class... T> struct exclude_t {};
template<class... T> inline constexpr exclude_t<T...> exclude{};

template<class Get, class Exclude> class basic_view;

namespace internal {

template<class Get, class Exclude> struct view_of;
template<class... Get, class... Exclude> struct view_of<get_t<Get...>, exclude_t<Exclude...>> {
    using type = basic_view<get_t<storage_for_t<Get>...>, exclude_t<storage_for_t<Exclude>...>>;
};

// Where among the pools the one of T is.
template<class T, class... Storage> constexpr std::size_t pool_index() {
    static_assert((std::is_same_v<std::remove_const_t<T>, typename Storage::element_type> || ...),
                  "The view does not give this component");
    std::size_t found = 0;
    static_cast<void>(
        ((std::is_same_v<std::remove_const_t<T>, typename Storage::element_type> || (++found, false)) || ...));
    return found;
}

template<class Storage> auto get_as_tuple(Storage& pool, entity e) { return component_at(pool, pool.index(e)); }

// With the entity in front, if the function takes it.
template<class Function, class... Components>
void apply_to(Function& function, entity e, std::tuple<Components...> components) {
    std::apply(
        [&](auto&... component) {
            if constexpr (std::is_invocable_v<Function&, entity, Components...>)
                function(e, component...);
            else
                function(component...);
        },
        components);
}

}  // namespace internal

// By components: view<get_t<A, const B>, exclude_t<C>>; const means read-only.
template<class Get, class Exclude = exclude_t<>> using view = typename internal::view_of<Get, Exclude>::type;

// Several components, or some excluded.
template<class... Get, class... Exclude> class basic_view<get_t<Get...>, exclude_t<Exclude...>> {
    static_assert(sizeof...(Get) > 0, "A view needs a component to walk along");
    static_assert((!std::is_same_v<typename Get::element_type, entity> && ...),
                  "Views of entt::entity are not part of the stand-in: use registry.storage<entt::entity>().each()");

    using indices = std::index_sequence_for<Get...>;
    template<class T> static constexpr std::size_t index_of = internal::pool_index<T, Get...>();

public:
    using size_type = std::size_t;

    // Walks the leading pool and skips what does not fit. It holds its own copy of the pools, not the view.
    class iterator {
    public:
        using value_type = entity;
        using reference = const entity&;
        using pointer = const entity*;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::forward_iterator_tag;

        iterator() = default;

        [[nodiscard]] reference operator*() const noexcept { return view_.leading_->data()[left_ - 1]; }
        [[nodiscard]] pointer operator->() const noexcept { return &**this; }
        iterator& operator++() noexcept { return --left_, skip(), *this; }
        iterator operator++(int) noexcept {
            iterator before = *this;
            return ++*this, before;
        }

        friend bool operator==(const iterator& a, const iterator& b) noexcept { return a.left_ == b.left_; }

    private:
        friend class basic_view;

        iterator(const basic_view& view, size_type count) noexcept : view_{view}, left_{count} { skip(); }

        void skip() noexcept {
            while (left_ > 0 && !view_.accepts(**this)) --left_;
        }

        basic_view view_;
        size_type left_{};
    };

    // The same walk, giving tuples of the entity and references to its components.
    class each_iterator {
    public:
        using value_type = decltype(std::tuple_cat(std::tuple<entity>{},
                                                   internal::component_at(std::declval<Get&>(), std::size_t{})...));
        using reference = value_type;
        using pointer = void;
        using difference_type = std::ptrdiff_t;
        using iterator_category = std::input_iterator_tag;

        each_iterator() = default;
        explicit each_iterator(const iterator& at) noexcept : at_{at} {}

        [[nodiscard]] reference operator*() const noexcept {
            return std::tuple_cat(std::tuple<entity>{*at_}, at_.view_.components(indices{}, *at_, at_.left_ - 1));
        }
        each_iterator& operator++() noexcept { return ++at_, *this; }
        each_iterator operator++(int) noexcept { return each_iterator{at_++}; }

        friend bool operator==(const each_iterator& a, const each_iterator& b) noexcept { return a.at_ == b.at_; }

    private:
        iterator at_;
    };

    basic_view() noexcept = default;

    // Whether all pools exist.
    [[nodiscard]] explicit operator bool() const noexcept {
        return leading_ && std::apply([](Exclude*... set) { return (... && (set != nullptr)); }, excluded_);
    }
    [[nodiscard]] size_type size_hint() const noexcept { return leading_ ? leading_->size() : 0; }

    [[nodiscard]] iterator begin() const noexcept { return {*this, size_hint()}; }
    [[nodiscard]] iterator end() const noexcept { return {*this, 0}; }
    [[nodiscard]] entity front() const noexcept {
        const iterator first = begin();
        return first == end() ? entity{null} : *first;
    }
    [[nodiscard]] entity back() const noexcept {
        for (size_type i = 0; i < size_hint(); ++i)
            if (accepts(leading_->data()[i])) return leading_->data()[i];
        return null;
    }

    [[nodiscard]] bool contains(entity e) const noexcept { return leading_ && leading_->contains(e) && accepts(e); }

    // One component as a reference, several as a tuple, none named: all that are not tags.
    template<class T, class... Other> [[nodiscard]] decltype(auto) get(entity e) const {
        if constexpr (sizeof...(Other) == 0)
            return pool<T>().get(e);
        else
            return std::tuple_cat(internal::get_as_tuple(pool<T>(), e), internal::get_as_tuple(pool<Other>(), e)...);
    }
    [[nodiscard]] auto get(entity e) const {
        return std::apply([e](Get*... pool) { return std::tuple_cat(internal::get_as_tuple(*pool, e)...); }, pools_);
    }

    [[nodiscard]] internal::iterable<each_iterator> each() const noexcept {
        return {each_iterator{begin()}, each_iterator{end()}};
    }

    template<class Function> void each(Function function) const {
        for (size_type left = size_hint(); left > 0; --left) {
            const entity e = leading_->data()[left - 1];
            if (accepts(e)) internal::apply_to(function, e, components(indices{}, e, left - 1));
        }
    }

private:
    friend class internal::registry;

    // A pool that does not exist is given as null.
    basic_view(std::tuple<Get*...> pools, std::tuple<Exclude*...> excluded) noexcept
        : pools_{pools}, excluded_{excluded} {
        choose_leading(indices{});
    }

    template<class T> auto& pool() const noexcept { return *std::get<index_of<T>>(pools_); }

    // The smallest pool; of several, the one named first.
    template<std::size_t... I> void choose_leading(std::index_sequence<I...>) noexcept {
        const std::array<const sparse_set*, sizeof...(Get)> sets{std::get<I>(pools_)...};
        for (const sparse_set* set : sets)
            if (!set) return;
        for (std::size_t i = 1; i < sets.size(); ++i)
            if (sets[i]->size() < sets[lead_]->size()) lead_ = i;
        leading_ = sets[lead_];
    }

    // For an entity of the leading pool.
    bool accepts(entity e) const noexcept { return owns_others(indices{}, e) && !owns_excluded(e); }

    template<std::size_t... I> bool owns_others(std::index_sequence<I...>, entity e) const noexcept {
        return ((I == lead_ || std::get<I>(pools_)->contains(e)) && ...);
    }
    bool owns_excluded([[maybe_unused]] entity e) const noexcept {
        return std::apply([&](Exclude*... set) { return (... || (set && set->contains(e))); }, excluded_);
    }

    // In the leading pool the position is known; only the others are looked up.
    template<std::size_t... I> auto components(std::index_sequence<I...>, entity e, size_type position) const noexcept {
        return std::tuple_cat(
            internal::component_at(*std::get<I>(pools_), I == lead_ ? position : std::get<I>(pools_)->index(e))...);
    }

    std::tuple<Get*...> pools_{};
    std::tuple<Exclude*...> excluded_{};
    std::size_t lead_{};
    const sparse_set* leading_{};  // null: nothing to walk along
};

// One component and nothing excluded: the whole pool, whose size is known.
template<class Get> class basic_view<get_t<Get>, exclude_t<>> {
    static_assert(!std::is_same_v<typename Get::element_type, entity>,
                  "Views of entt::entity are not part of the stand-in: use registry.storage<entt::entity>().each()");

public:
    using size_type = std::size_t;
    using iterator = sparse_set::iterator;

    basic_view() noexcept = default;

    [[nodiscard]] explicit operator bool() const noexcept { return pool_ != nullptr; }
    [[nodiscard]] size_type size() const noexcept { return pool_ ? pool_->size() : 0; }
    [[nodiscard]] bool empty() const noexcept { return size() == 0; }

    [[nodiscard]] iterator begin() const noexcept { return pool_ ? set().begin() : iterator{}; }
    [[nodiscard]] iterator end() const noexcept { return pool_ ? set().end() : iterator{}; }
    [[nodiscard]] entity front() const noexcept { return empty() ? entity{null} : pool_->data()[size() - 1]; }
    [[nodiscard]] entity back() const noexcept { return empty() ? entity{null} : pool_->data()[0]; }

    [[nodiscard]] bool contains(entity e) const noexcept { return pool_ && pool_->contains(e); }

    template<class T> [[nodiscard]] decltype(auto) get(entity e) const {
        static_assert(internal::pool_index<T, Get>() == 0);
        return pool_->get(e);
    }
    [[nodiscard]] auto get(entity e) const { return internal::get_as_tuple(*pool_, e); }

    [[nodiscard]] auto each() const noexcept {
        using range = decltype(pool_->each());
        return pool_ ? pool_->each() : range{};
    }

    template<class Function> void each(Function function) const {
        for (size_type left = size(); left > 0; --left)
            internal::apply_to(function, pool_->data()[left - 1], internal::component_at(*pool_, left - 1));
    }

private:
    friend class internal::registry;

    basic_view(std::tuple<Get*> pool, std::tuple<>) noexcept : pool_{std::get<0>(pool)} {}

    const sparse_set& set() const noexcept { return *pool_; }

    Get* pool_{};
};

}  // namespace entt
