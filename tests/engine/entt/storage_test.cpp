// Storage: the pool of a component, packed.
#include "tests/engine/entt/parts.hpp"

#include <doctest/doctest.h>

#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

using namespace tactus::test::parts;

TEST_CASE("storage: packed in the order of arrival, walked from the newest to the oldest") {
    entt::registry registry;
    auto& storage = registry.storage<Position>();
    static_assert(std::is_same_v<decltype(storage), entt::storage_for_t<Position>&>);
    CHECK(storage.empty());
    storage.reserve(3'000);
    CHECK(storage.empty());

    const auto entities = create(registry, 4);
    for (const auto e : entities) registry.emplace<Position>(e, static_cast<double>(entt::to_entity(e)));
    CHECK(&registry.storage<Position>() == &storage);
    CHECK(storage.size() == 4);
    CHECK(Entities(storage.data(), storage.data() + storage.size()) == entities);
    CHECK(storage.get(entities[2]).x == 2.0);

    std::vector<double> values;
    for (auto& position : storage) values.push_back(position.x);
    CHECK(values == std::vector<double>{3.0, 2.0, 1.0, 0.0});
    CHECK(storage.end() - storage.begin() == 4);
    CHECK(storage.begin()[1].x == 2.0);
    CHECK((storage.begin() + 3)->x == 0.0);
    CHECK(storage.begin() < storage.end());

    values.clear();
    for (auto [e, position] : storage.each()) {
        CHECK(&position == &registry.get<Position>(e));
        position.y = 5.0;
        values.push_back(position.x);
    }
    CHECK(values == std::vector<double>{3.0, 2.0, 1.0, 0.0});

    registry.remove<Position>(entities[1]);  // the last one fills the hole
    CHECK(Entities(storage.data(), storage.data() + storage.size()) == Entities{entities[0], entities[3], entities[2]});

    const auto* constant = std::as_const(registry).storage<Position>();
    static_assert(std::is_same_v<decltype(constant), const entt::storage_for_t<Position>*>);
    REQUIRE(constant == &storage);
    static_assert(std::is_same_v<decltype(constant->get(entities[0])), const Position&>);
    values.clear();
    for (const auto& position : *constant) values.push_back(position.y);
    for (auto [e, position] : constant->each()) values.push_back(position.x);
    CHECK(values == std::vector<double>{5.0, 5.0, 5.0, 2.0, 3.0, 0.0});

    storage.clear();
    CHECK(storage.size() == 0);
    CHECK_FALSE(storage.contains(entities[0]));
    CHECK(std::as_const(registry).storage<Velocity>() == nullptr);
}

TEST_CASE("storage: a tag takes no room beside its entities") {
    entt::registry registry;
    const auto entities = create(registry, 3);
    for (const auto e : entities) registry.emplace<Asleep>(e);
    auto& storage = registry.storage<Asleep>();
    CHECK(storage.size() == 3);
    CHECK(storage.data()[0] == entities[0]);
    Entities seen;
    for (auto tuple : storage.each()) {
        static_assert(std::tuple_size_v<decltype(tuple)> == 1);
        seen.push_back(std::get<0>(tuple));
    }
    CHECK(seen == Entities{entities[2], entities[1], entities[0]});
    storage.reserve(100);
    storage.clear();
    CHECK(storage.empty());
}
