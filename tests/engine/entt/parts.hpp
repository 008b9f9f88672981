// What Tactus relies on in EnTT: the tests of this folder hold for EnTT itself and for the stand-in of
// engine/entt_stand_in. Here are the components that they give their entities, and lists of entities.
#pragma once

#include <entt/entt.hpp>

#include <algorithm>
#include <cstddef>
#include <stdexcept>
#include <vector>

namespace tactus::test::parts {

// Aggregates.
struct Position {
    double x{}, y{};
};
struct Velocity {
    double x{}, y{};
};

// Not an aggregate.
struct Mass {
    explicit Mass(double kilograms) : value{kilograms} {}
    double value;
};

// Tags.
struct Asleep {};
struct Fixed {};

// How many exist, to see that nothing is lost or destroyed twice.
struct Counted {
    static inline int alive = 0;

    explicit Counted(int v) : value{v} {
        if (v < 0) throw std::invalid_argument{"negative"};
        ++alive;
    }
    Counted(const Counted& other) : value{other.value} { ++alive; }
    Counted& operator=(const Counted&) = default;
    ~Counted() { --alive; }

    int value;
};

using Entities = std::vector<entt::entity>;

template<class Range> Entities listed(const Range& range) {
    Entities result;
    for (const auto e : range) result.push_back(e);
    return result;
}

inline Entities all_entities(entt::registry& registry) {
    Entities result;
    for (auto [e] : registry.storage<entt::entity>().each()) result.push_back(e);
    return result;
}

inline Entities create(entt::registry& registry, std::size_t count) {
    Entities result(count);
    for (auto& e : result) e = registry.create();
    return result;
}

inline Entities sorted(Entities entities) {
    std::sort(entities.begin(), entities.end());
    return entities;
}

}  // namespace tactus::test::parts
