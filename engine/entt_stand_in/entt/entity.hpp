// Identifiers: 20 bits say which slot, 12 bits how often that slot has been used before.
#pragma once

#include <cstdint>

namespace entt {

using id_type = std::uint32_t;

enum class entity : id_type {};

template<class Entity> struct entt_traits;

template<> struct entt_traits<entity> {
    using value_type = entity;
    using entity_type = std::uint32_t;
    using version_type = std::uint16_t;

    static constexpr entity_type entity_mask = 0xFFFFF;
    static constexpr entity_type version_mask = 0xFFF;
    static constexpr int version_shift = 20;

    static constexpr entity_type to_integral(entity e) noexcept { return static_cast<entity_type>(e); }
    static constexpr entity_type to_entity(entity e) noexcept { return to_integral(e) & entity_mask; }
    static constexpr version_type to_version(entity e) noexcept {
        return static_cast<version_type>(to_integral(e) >> version_shift);
    }

    static constexpr entity construct(entity_type index, version_type version) noexcept {
        return entity{(index & entity_mask) | ((version & version_mask) << version_shift)};
    }
    // The identifier that the slot of e gets next. The last version is the mark of tombstone, hence never handed out.
    static constexpr entity next(entity e) noexcept {
        const entity_type version = to_version(e) + 1u;
        return construct(to_entity(e), static_cast<version_type>(version == version_mask ? 0u : version));
    }
};

constexpr std::uint32_t to_integral(entity e) noexcept { return entt_traits<entity>::to_integral(e); }
constexpr std::uint32_t to_entity(entity e) noexcept { return entt_traits<entity>::to_entity(e); }
constexpr std::uint16_t to_version(entity e) noexcept { return entt_traits<entity>::to_version(e); }

// Compares by the slot alone: an identifier of no entity, whatever its version.
struct null_t {
    constexpr operator entity() const noexcept { return entity{~id_type{}}; }

    friend constexpr bool operator==(null_t, null_t) noexcept { return true; }
    friend constexpr bool operator==(null_t, entity e) noexcept {
        return to_entity(e) == entt_traits<entity>::entity_mask;
    }
};

// Compares by the version alone: an identifier of no entity, whatever its slot.
struct tombstone_t {
    constexpr operator entity() const noexcept { return entity{~id_type{}}; }

    friend constexpr bool operator==(tombstone_t, tombstone_t) noexcept { return true; }
    friend constexpr bool operator==(tombstone_t, entity e) noexcept {
        return to_version(e) == entt_traits<entity>::version_mask;
    }
};

inline constexpr null_t null{};
inline constexpr tombstone_t tombstone{};

}  // namespace entt
