// Which entities own something, and at which position of the packed array.
//
//     sparse:  slot of an entity -> position and version     paged, so that few high slots cost little
//     packed:  position -> entity                            dense, iterated from the newest to the oldest
//
// The backward direction is what makes deleting the current entity of a loop safe: the hole is filled with the last
// element, which the loop has passed already, and whatever is appended lies behind the loop's start.
#pragma once

#include "config.hpp"
#include "entity.hpp"

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <memory>
#include <type_traits>
#include <utility>
#include <vector>

namespace entt {

namespace internal {

// Walks a packed array backwards. It holds a position and the array object, not an element, and so outlives growth.
// Neither n + it nor it <=> it, which EnTT does not have.
template<class Array> class packed_iterator {
public:
    using reference = decltype(std::declval<Array&>()[std::size_t{}]);
    using value_type = std::remove_cvref_t<reference>;
    using pointer = std::remove_reference_t<reference>*;
    using difference_type = std::ptrdiff_t;
    using iterator_category = std::random_access_iterator_tag;

    constexpr packed_iterator() noexcept = default;
    constexpr packed_iterator(Array* array, std::size_t count) noexcept
        : array_{array}, offset_{static_cast<difference_type>(count)} {}

    [[nodiscard]] constexpr reference operator*() const noexcept { return (*this)[0]; }
    [[nodiscard]] constexpr pointer operator->() const noexcept { return std::addressof(**this); }
    [[nodiscard]] constexpr reference operator[](difference_type n) const noexcept {
        return (*array_)[static_cast<std::size_t>(offset_ - n - 1)];
    }

    constexpr packed_iterator& operator+=(difference_type n) noexcept { return offset_ -= n, *this; }
    constexpr packed_iterator& operator-=(difference_type n) noexcept { return offset_ += n, *this; }
    constexpr packed_iterator& operator++() noexcept { return *this += 1; }
    constexpr packed_iterator& operator--() noexcept { return *this -= 1; }
    constexpr packed_iterator operator++(int) noexcept { return std::exchange(*this, *this + 1); }
    constexpr packed_iterator operator--(int) noexcept { return std::exchange(*this, *this - 1); }

    friend constexpr packed_iterator operator+(packed_iterator it, difference_type n) noexcept { return it += n; }
    friend constexpr packed_iterator operator-(packed_iterator it, difference_type n) noexcept { return it -= n; }
    friend constexpr difference_type operator-(packed_iterator a, packed_iterator b) noexcept {
        return b.offset_ - a.offset_;
    }
    friend constexpr bool operator==(packed_iterator a, packed_iterator b) noexcept { return a.offset_ == b.offset_; }
    friend constexpr bool operator<(packed_iterator a, packed_iterator b) noexcept { return b.offset_ < a.offset_; }
    friend constexpr bool operator>(packed_iterator a, packed_iterator b) noexcept { return b < a; }
    friend constexpr bool operator<=(packed_iterator a, packed_iterator b) noexcept { return !(b < a); }
    friend constexpr bool operator>=(packed_iterator a, packed_iterator b) noexcept { return !(a < b); }

private:
    Array* array_{};
    difference_type offset_{};  // how many elements are still to come
};

// A pair of iterators for range-for; it owns nothing.
template<class Iterator> class iterable {
public:
    constexpr iterable() = default;
    constexpr iterable(Iterator first, Iterator last) : first_{first}, last_{last} {}

    [[nodiscard]] constexpr Iterator begin() const noexcept { return first_; }
    [[nodiscard]] constexpr Iterator end() const noexcept { return last_; }

private:
    Iterator first_{};
    Iterator last_{};
};

class sparse_set {
    using traits = entt_traits<entity>;

public:
    using size_type = std::size_t;
    using iterator = packed_iterator<const std::vector<entity>>;

    sparse_set() = default;
    sparse_set(const sparse_set&) = delete;
    sparse_set& operator=(const sparse_set&) = delete;
    virtual ~sparse_set() = default;

    [[nodiscard]] size_type size() const noexcept { return packed_.size(); }
    [[nodiscard]] bool empty() const noexcept { return packed_.empty(); }
    [[nodiscard]] const entity* data() const noexcept { return packed_.data(); }
    [[nodiscard]] iterator begin() const noexcept { return {&packed_, size()}; }
    [[nodiscard]] iterator end() const noexcept { return {&packed_, 0}; }

    [[nodiscard]] bool contains(entity e) const noexcept {
        const id_type entry = lookup(e);
        return entry != vacant && to_version(entity{entry}) == to_version(e);
    }
    // Position in the packed array.
    [[nodiscard]] size_type index(entity e) const noexcept {
        ENTT_ASSERT(contains(e), "The set does not contain the entity");
        return sparse_[page_of(e)][offset_of(e)] & traits::entity_mask;
    }
    // The version under which the slot of e is known here, that of tombstone if it is not.
    [[nodiscard]] traits::version_type current(entity e) const noexcept { return to_version(entity{lookup(e)}); }

    void reserve(size_type count) { packed_.reserve(count); }

protected:
    sparse_set(sparse_set&&) noexcept = default;
    sparse_set& operator=(sparse_set&&) noexcept = default;

    bool slot_is_known(entity e) const noexcept { return lookup(e) != vacant; }
    size_type slot_position(entity e) const noexcept { return lookup(e) & traits::entity_mask; }

    // Appends e, or throws and changes nothing that shows.
    void push(entity e) {
        ENTT_ASSERT(e != null && e != tombstone, "null and tombstone cannot own anything");
        ENTT_ASSERT(!slot_is_known(e), "The set contains the entity already");
        const size_type page = page_of(e);
        if (page >= sparse_.size()) sparse_.resize(page + 1);
        if (!sparse_[page]) {
            sparse_[page].reset(new id_type[page_size]);
            std::fill_n(sparse_[page].get(), page_size, vacant);
        }
        packed_.push_back(e);
        place(packed_.size() - 1, e);
    }

    // Writes e to a position that exists; the slot of e must have been pushed before, under whatever version.
    void place(size_type position, entity e) noexcept {
        packed_[position] = e;
        sparse_[page_of(e)][offset_of(e)] =
            to_integral(traits::construct(static_cast<id_type>(position), to_version(e)));
    }

    void swap_and_pop(size_type position) noexcept {
        const entity gone = packed_[position];
        place(position, packed_.back());
        sparse_[page_of(gone)][offset_of(gone)] = vacant;
        packed_.pop_back();
    }

private:
    static constexpr size_type page_size = 4096;
    static constexpr id_type vacant = ~id_type{};

    static size_type page_of(entity e) noexcept { return to_entity(e) / page_size; }
    static size_type offset_of(entity e) noexcept { return to_entity(e) % page_size; }

    id_type lookup(entity e) const noexcept {
        const size_type page = page_of(e);
        return page < sparse_.size() && sparse_[page] ? sparse_[page][offset_of(e)] : vacant;
    }

    std::vector<std::unique_ptr<id_type[]>> sparse_;  // an entry holds a position where an identifier holds its slot
    std::vector<entity> packed_;
};

}  // namespace internal

using sparse_set = internal::sparse_set;

}  // namespace entt
