// Identifiers: 20 bits say which slot, 12 bits how often that slot has been used before.
#pragma once

#include <cstdint>
#include <type_traits>

namespace entt {

using id_type = std::uint32_t;

enum class entity : id_type {};

namespace internal {

// How an identifier is laid out. Other identifiers than integers have the layout of the integer that they stand for.
template<class Entity> struct layout_of;

template<class Entity>
requires std::is_enum_v<Entity>
struct layout_of<Entity> : layout_of<std::underlying_type_t<Entity>> {
};

template<class Entity>
requires std::is_class_v<Entity>
struct layout_of<Entity> : layout_of<typename Entity::entity_type> {
};

template<> struct layout_of<std::uint32_t> {
    using entity_type = std::uint32_t;
    using version_type = std::uint16_t;
    static constexpr entity_type entity_mask = 0xFFFFF;
    static constexpr entity_type version_mask = 0xFFF;
    static constexpr int version_shift = 20;
};

template<> struct layout_of<std::uint64_t> {
    using entity_type = std::uint64_t;
    using version_type = std::uint32_t;
    static constexpr entity_type entity_mask = 0xFFFFFFFF;
    static constexpr entity_type version_mask = 0xFFFFFFFF;
    static constexpr int version_shift = 32;
};

}  // namespace internal

template<class Entity> struct entt_traits {
private:
    using layout = internal::layout_of<Entity>;

public:
    using value_type = Entity;
    using entity_type = typename layout::entity_type;
    using version_type = typename layout::version_type;

    static constexpr entity_type entity_mask = layout::entity_mask;
    static constexpr entity_type version_mask = layout::version_mask;

    [[nodiscard]] static constexpr entity_type to_integral(const value_type e) noexcept {
        return static_cast<entity_type>(e);
    }
    [[nodiscard]] static constexpr entity_type to_entity(const value_type e) noexcept {
        return to_integral(e) & entity_mask;
    }
    [[nodiscard]] static constexpr version_type to_version(const value_type e) noexcept {
        return static_cast<version_type>(to_integral(e) >> layout::version_shift);
    }

    [[nodiscard]] static constexpr value_type construct(const entity_type index, const version_type version) noexcept {
        return value_type{(index & entity_mask) |
                          (static_cast<entity_type>(version & version_mask) << layout::version_shift)};
    }
    // The identifier that the slot of e gets next. The last version is the mark of tombstone, hence never handed out.
    [[nodiscard]] static constexpr value_type next(const value_type e) noexcept {
        const entity_type version = entity_type{to_version(e)} + 1u;
        return construct(to_entity(e), static_cast<version_type>(version == version_mask ? 0u : version));
    }
};

template<class Entity>
[[nodiscard]] constexpr typename entt_traits<Entity>::entity_type to_integral(const Entity e) noexcept {
    return entt_traits<Entity>::to_integral(e);
}
template<class Entity>
[[nodiscard]] constexpr typename entt_traits<Entity>::entity_type to_entity(const Entity e) noexcept {
    return entt_traits<Entity>::to_entity(e);
}
template<class Entity>
[[nodiscard]] constexpr typename entt_traits<Entity>::version_type to_version(const Entity e) noexcept {
    return entt_traits<Entity>::to_version(e);
}

// The conversions and comparisons below are declared as EnTT declares them, also where one could do with fewer: what is
// ambiguous there must be ambiguous here.

// Becomes an identifier of any type. Compares by the slot alone: an identifier of no entity, whatever its version.
struct null_t {
    template<class Entity> [[nodiscard]] constexpr operator Entity() const noexcept {
        using traits = entt_traits<Entity>;
        constexpr auto value = traits::construct(traits::entity_mask, traits::version_mask);
        return value;
    }

    [[nodiscard]] constexpr bool operator==(const null_t) const noexcept { return true; }
    [[nodiscard]] constexpr bool operator!=(const null_t) const noexcept { return false; }
    template<class Entity> [[nodiscard]] constexpr bool operator==(const Entity e) const noexcept {
        using traits = entt_traits<Entity>;
        return traits::to_entity(e) == traits::to_entity(*this);
    }
    template<class Entity> [[nodiscard]] constexpr bool operator!=(const Entity e) const noexcept {
        return !(e == *this);
    }
};

template<class Entity> [[nodiscard]] constexpr bool operator==(const Entity e, const null_t none) noexcept {
    return none.operator==(e);
}
template<class Entity> [[nodiscard]] constexpr bool operator!=(const Entity e, const null_t none) noexcept {
    return !(none == e);
}

// Becomes an identifier of any type. Compares by the version alone: an identifier of no entity, whatever its slot.
struct tombstone_t {
    template<class Entity> [[nodiscard]] constexpr operator Entity() const noexcept {
        using traits = entt_traits<Entity>;
        constexpr auto value = traits::construct(traits::entity_mask, traits::version_mask);
        return value;
    }

    [[nodiscard]] constexpr bool operator==(const tombstone_t) const noexcept { return true; }
    [[nodiscard]] constexpr bool operator!=(const tombstone_t) const noexcept { return false; }
    template<class Entity> [[nodiscard]] constexpr bool operator==(const Entity e) const noexcept {
        using traits = entt_traits<Entity>;
        return traits::to_version(e) == traits::to_version(*this);
    }
    template<class Entity> [[nodiscard]] constexpr bool operator!=(const Entity e) const noexcept {
        return !(e == *this);
    }
};

template<class Entity> [[nodiscard]] constexpr bool operator==(const Entity e, const tombstone_t none) noexcept {
    return none.operator==(e);
}
template<class Entity> [[nodiscard]] constexpr bool operator!=(const Entity e, const tombstone_t none) noexcept {
    return !(none == e);
}

inline constexpr null_t null{};
inline constexpr tombstone_t tombstone{};

}  // namespace entt
