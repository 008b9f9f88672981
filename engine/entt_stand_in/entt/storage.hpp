// Pools: one per component type, a sparse set and beside it the components in the same order.
#pragma once

#include "config.hpp"
#include "entity.hpp"
#include "make.hpp"
#include "signal.hpp"
#include "sparse_set.hpp"

#include <cstddef>
#include <iterator>
#include <memory>
#include <new>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

namespace entt {

namespace internal {

// Raw room for elements that never move when it grows. Whoever uses it constructs and destroys the elements.
template<class T> class paged_array {
public:
    paged_array() = default;
    paged_array(const paged_array&) = delete;
    paged_array& operator=(const paged_array&) = delete;
    ~paged_array() {
        for (T* page : pages_) std::allocator<T>{}.deallocate(page, page_size);
    }

    T* address(std::size_t i) noexcept { return pages_[i / page_size] + i % page_size; }
    T& operator[](std::size_t i) noexcept { return pages_[i / page_size][i % page_size]; }
    const T& operator[](std::size_t i) const noexcept { return pages_[i / page_size][i % page_size]; }

    void reserve(std::size_t count) {
        if (count <= pages_.size() * page_size) return;
        // Room for the pointer first: an allocated page is then never lost.
        for (std::size_t needed = (count + page_size - 1) / page_size; pages_.size() < needed;) {
            pages_.push_back(nullptr);
            try {
                pages_.back() = std::allocator<T>{}.allocate(page_size);
            } catch (...) {
                pages_.pop_back();
                throw;
            }
        }
    }

private:
    static constexpr std::size_t page_size = 1024;

    std::vector<T*> pages_;
};

// The component at a position of a pool as a tuple of one reference; a tag gives nothing.
template<class Storage> auto component_at(Storage& pool, std::size_t position) noexcept {
    if constexpr (std::is_void_v<typename Storage::value_type>)
        return std::tuple<>{};
    else
        return std::forward_as_tuple(pool.at(position));
}

// What each() of a pool walks over: tuples of the entity and a reference to the component.
template<class Storage> class each_iterator {
public:
    using value_type = decltype(std::tuple_cat(std::tuple<entity>{}, component_at(std::declval<Storage&>(), 0)));
    using reference = value_type;
    using pointer = void;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::input_iterator_tag;

    constexpr each_iterator() noexcept = default;
    constexpr each_iterator(Storage* pool, std::size_t count) noexcept : pool_{pool}, left_{count} {}

    reference operator*() const noexcept {
        return std::tuple_cat(std::tuple<entity>{pool_->data()[left_ - 1]}, component_at(*pool_, left_ - 1));
    }
    each_iterator& operator++() noexcept { return --left_, *this; }
    each_iterator operator++(int) noexcept { return std::exchange(*this, each_iterator{pool_, left_ - 1}); }

    friend bool operator==(each_iterator a, each_iterator b) noexcept { return a.left_ == b.left_; }

private:
    Storage* pool_{};
    std::size_t left_{};
};

// What a registry needs to know of a pool whose component type it does not know, and the signals of the pool.
class pool : public sparse_set {
public:
    [[nodiscard]] sink on_construct() noexcept { return sink{constructed}; }
    [[nodiscard]] sink on_update() noexcept { return sink{updated}; }
    [[nodiscard]] sink on_destroy() noexcept { return sink{destroyed}; }

    void erase(entity e) {
        ENTT_ASSERT(contains(e), "The entity does not own the component");
        destroyed.publish(*owner_, e);
        pop(index(e));  // looked up again: a listener may have moved it
    }
    bool remove(entity e) {
        const bool found = contains(e);
        if (found) erase(e);
        return found;
    }
    // All listeners are told before the first component goes.
    void clear() {
        if (!destroyed.empty())
            for (const entity e : static_cast<const sparse_set&>(*this)) destroyed.publish(*owner_, e);
        while (!empty()) pop(size() - 1);
    }

protected:
    explicit pool(registry& owner) noexcept : owner_{&owner} {}

    virtual void pop(size_type position) { swap_and_pop(position); }

    registry& owner() const noexcept { return *owner_; }

    signal constructed;
    signal updated;
    signal destroyed;

private:
    friend class registry;

    void bind(registry& owner) noexcept { owner_ = &owner; }

    registry* owner_;
};

// What EnTT demands of a component, or does with it without being asked.
template<class T> constexpr bool is_component() {
    static_assert(std::is_same_v<T, std::decay_t<T>>, "A component is a plain type, without const or reference");
    static_assert(!std::uses_allocator_v<T, std::allocator<T>> ||
                      std::is_constructible_v<T, std::allocator_arg_t, const std::allocator<T>&, T> ||
                      std::is_constructible_v<T, T, const std::allocator<T>&>,
                  "EnTT hands an allocator to a component that names an allocator_type");
    static_assert(
        !requires { &T::on_construct; } && !requires { &T::on_update; } && !requires { &T::on_destroy; },
        "EnTT takes such a member of a component for a listener");
    static_assert(
        !requires { T::in_place_delete; } && !requires { T::page_size; },
        "EnTT takes such a member of a component for an order how to store it");
    return true;
}

template<class T, bool Tag = std::is_empty_v<T>> class component_storage final : public pool {
    static_assert(is_component<T>());
    static_assert(std::is_move_constructible_v<T> && std::is_move_assignable_v<T>,
                  "A component must be movable: the stand-in fills holes, it has no pools that keep them");

public:
    using element_type = T;
    using value_type = T;
    using iterator = packed_iterator<paged_array<T>>;
    using const_iterator = packed_iterator<const paged_array<T>>;

    ~component_storage() override {
        for (size_type i = size(); i > 0; --i) std::destroy_at(&items_[i - 1]);
    }

    [[nodiscard]] T& get(entity e) noexcept { return items_[index(e)]; }
    [[nodiscard]] const T& get(entity e) const noexcept { return items_[index(e)]; }

    [[nodiscard]] iterator begin() noexcept { return {&items_, size()}; }
    [[nodiscard]] iterator end() noexcept { return {&items_, 0}; }
    [[nodiscard]] const_iterator begin() const noexcept { return {&items_, size()}; }
    [[nodiscard]] const_iterator end() const noexcept { return {&items_, 0}; }

    using iterable = internal::iterable<each_iterator<component_storage>>;
    using const_iterable = internal::iterable<each_iterator<const component_storage>>;
    [[nodiscard]] iterable each() noexcept { return {{this, size()}, {this, 0}}; }
    [[nodiscard]] const_iterable each() const noexcept { return {{this, size()}, {this, 0}}; }

    void reserve(size_type count) {
        pool::reserve(count);
        items_.reserve(count);
    }

    template<class... Args> T& emplace(entity e, Args&&... args) {
        const size_type position = size();
        items_.reserve(position + 1);
        push(e);  // before the construction, so that a constructor which adds components finds its place taken
        try {
            ::new (static_cast<void*>(items_.address(position))) T(make<T>(std::forward<Args>(args)...));
        } catch (...) {
            take_back(position);
            throw;
        }
        if (constructed.empty()) return items_[position];
        constructed.publish(owner(), e);
        return get(e);
    }

    template<class... Functions> T& patch(entity e, Functions&&... functions) {
        (std::forward<Functions>(functions)(get(e)), ...);
        updated.publish(owner(), e);
        return get(e);
    }

private:
    friend class registry;
    template<class Storage> friend auto component_at(Storage&, std::size_t) noexcept;

    explicit component_storage(registry& owner) noexcept : pool{owner} {}

    T& at(size_type position) noexcept { return items_[position]; }
    const T& at(size_type position) const noexcept { return items_[position]; }

    void pop(size_type position) override {
        const size_type last = size() - 1;
        // Dies at the end, when the pool is in order again: its destructor may want to look at the pool.
        [[maybe_unused]] const T gone = std::move(items_[position]);
        if (position != last) items_[position] = std::move(items_[last]);
        std::destroy_at(&items_[last]);
        swap_and_pop(position);
    }

    // Frees a position whose component could not be constructed.
    void take_back(size_type position) {
        const size_type last = size() - 1;
        if (position != last) {
            std::construct_at(items_.address(position), std::move(items_[last]));
            std::destroy_at(&items_[last]);
        }
        swap_and_pop(position);
    }

    paged_array<T> items_;
};

// Tags: which entities own it is all there is to know.
template<class T> class component_storage<T, true> final : public pool {
    static_assert(is_component<T>());

public:
    using element_type = T;
    using value_type = void;

    void get(entity e) const noexcept {
        ENTT_ASSERT(contains(e), "The entity does not own the component");
        static_cast<void>(e);
    }

    using iterable = internal::iterable<each_iterator<const component_storage>>;
    using const_iterable = iterable;
    [[nodiscard]] iterable each() const noexcept { return {{this, size()}, {this, 0}}; }

    void emplace(entity e) {
        push(e);
        constructed.publish(owner(), e);
    }

    template<class... Functions> void patch(entity e, Functions&&... functions) {
        ENTT_ASSERT(contains(e), "The entity does not own the component");
        (std::forward<Functions>(functions)(), ...);
        updated.publish(owner(), e);
    }

private:
    friend class registry;

    explicit component_storage(registry& owner) noexcept : pool{owner} {}
};

// The entities themselves. Those in use come first in the packed array; behind them lie the released slots, each under
// the identifier that it will have next, the one released last in front.
class entity_storage final : public sparse_set {
public:
    using element_type = entity;
    using value_type = void;
    using iterable = internal::iterable<each_iterator<const entity_storage>>;
    using const_iterable = iterable;

    entity_storage() = default;
    entity_storage(entity_storage&&) noexcept = default;
    entity_storage& operator=(entity_storage&&) noexcept = default;

    [[nodiscard]] bool contains(entity e) const noexcept { return sparse_set::contains(e) && index(e) < in_use_; }
    [[nodiscard]] iterable each() const noexcept { return {{this, in_use_}, {this, 0}}; }

private:
    friend class registry;

    entity create() {
        if (in_use_ == size()) {
            while (slot_is_known(entity{next_slot_})) ++next_slot_;  // taken by a hint
            ENTT_ASSERT(entity{next_slot_} != null, "No identifiers left");
            push(entity{next_slot_});
            ++next_slot_;
        }
        return data()[in_use_++];
    }

    // Exactly the hint, if its slot is not in use.
    entity create(entity hint) {
        if (hint == null || hint == tombstone) return create();
        if (!slot_is_known(hint)) push(hint);
        const size_type position = slot_position(hint);
        if (position < in_use_) return create();
        place(position, data()[in_use_]);
        place(in_use_, hint);
        return data()[in_use_++];
    }

    entt_traits<entity>::version_type release(entity e) noexcept {
        const entity next = entt_traits<entity>::next(e);
        const size_type position = index(e);
        --in_use_;
        place(position, data()[in_use_]);
        place(in_use_, next);
        return to_version(next);
    }

    void release_all() noexcept {
        while (in_use_ > 0) release(data()[in_use_ - 1]);
    }

    size_type in_use_{};
    id_type next_slot_{};
};

template<class T> struct storage_for { using type = component_storage<T>; };
template<class T> struct storage_for<const T> { using type = const component_storage<T>; };
template<> struct storage_for<entity> { using type = entity_storage; };
template<> struct storage_for<const entity> { using type = const entity_storage; };

}  // namespace internal

// The pool type of a component; const for a const one.
template<class T> using storage_for_t = typename internal::storage_for<T>::type;

}  // namespace entt
