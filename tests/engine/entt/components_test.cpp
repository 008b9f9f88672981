// Components: how they are built, changed, found and given up, and where they lie.
#include "tests/engine/entt/parts.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <tuple>
#include <type_traits>
#include <vector>

using namespace tactus::test::parts;

TEST_CASE("emplace: aggregates are built with braces, other types with parentheses") {
    entt::registry registry;
    const auto e = registry.create();
    auto& position = registry.emplace<Position>(e, 1.0, 2.0);
    static_assert(std::is_same_v<decltype(position), Position&>);
    CHECK(position.y == 2.0);
    CHECK(&registry.get<Position>(e) == &position);
    CHECK(registry.emplace<Velocity>(e, 3.0).x == 3.0);
    CHECK(registry.get<Velocity>(e).y == 0.0);
    CHECK(registry.emplace<Mass>(e, 4.0).value == 4.0);
    CHECK(registry.emplace<std::vector<int>>(e, 3u, 7) == std::vector<int>{7, 7, 7});
    CHECK(registry.emplace<std::array<int, 3>>(e, std::array<int, 3>{1, 2, 3})[2] == 3);
    CHECK(registry.emplace<int>(e) == 0);
    static_assert(std::is_same_v<decltype(registry.emplace<Asleep>(e)), void>);
    registry.emplace<Asleep>(e);
    CHECK(registry.all_of<Asleep>(e));

    const auto other = registry.create();
    registry.emplace<Position>(other);
    CHECK(registry.get<Position>(other).x == 0.0);
    registry.emplace<Velocity>(other, Velocity{5.0, 6.0});
    CHECK(registry.get<Velocity>(other).y == 6.0);
}

TEST_CASE("emplace_or_replace, replace, patch, get_or_emplace: what comes, changes or stays") {
    entt::registry registry;
    const auto e = registry.create();
    CHECK(registry.emplace_or_replace<Position>(e, 1.0, 1.0).x == 1.0);
    const auto* where = &registry.get<Position>(e);
    CHECK(&registry.emplace_or_replace<Position>(e, 2.0, 2.0) == where);
    CHECK(where->x == 2.0);
    CHECK(&registry.replace<Position>(e, 3.0, 3.0) == where);
    CHECK(where->y == 3.0);
    const auto& patched = registry.patch<Position>(
        e, [](Position& p) { p.x = 4.0; }, [](Position& p) { p.y = p.x + 1.0; });
    CHECK(&patched == where);
    CHECK(patched.y == 5.0);
    CHECK(&registry.get_or_emplace<Position>(e, 9.0, 9.0) == where);
    CHECK(where->x == 4.0);
    CHECK(registry.get_or_emplace<Mass>(e, 6.0).value == 6.0);
    CHECK(registry.get_or_emplace<Mass>(e, 7.0).value == 6.0);

    registry.emplace_or_replace<Asleep>(e);
    registry.emplace_or_replace<Asleep>(e);
    registry.replace<Asleep>(e);
    int calls = 0;
    registry.patch<Asleep>(e, [&calls] { ++calls; });
    CHECK(calls == 1);
    CHECK(registry.storage<Asleep>().size() == 1);
}

TEST_CASE("replace: always with braces, also where emplace takes parentheses") {
    entt::registry registry;
    const auto e = registry.create();
    CHECK(registry.emplace<std::vector<int>>(e, 3, 7) == std::vector<int>{7, 7, 7});
    CHECK(registry.replace<std::vector<int>>(e, 3, 7) == std::vector<int>{3, 7});
    CHECK(registry.emplace_or_replace<std::vector<int>>(e, 2, 8) == std::vector<int>{2, 8});
    const auto other = registry.create();
    CHECK(registry.emplace_or_replace<std::vector<int>>(other, 2, 8) == std::vector<int>{8, 8});
}

TEST_CASE("get and try_get: references and pointers, const from a const registry") {
    entt::registry registry;
    const auto& constant = registry;
    const auto e = registry.create();
    registry.emplace<Position>(e, 1.0, 2.0);
    registry.emplace<Mass>(e, 3.0);

    static_assert(std::is_same_v<decltype(registry.get<Position>(e)), Position&>);
    static_assert(std::is_same_v<decltype(registry.get<const Position>(e)), const Position&>);
    static_assert(std::is_same_v<decltype(constant.get<Position>(e)), const Position&>);
    static_assert(std::is_same_v<decltype(registry.get<Position, const Mass>(e)), std::tuple<Position&, const Mass&>>);
    static_assert(std::is_same_v<decltype(constant.get<Position, Mass>(e)), std::tuple<const Position&, const Mass&>>);
    static_assert(std::is_same_v<decltype(registry.try_get<Position>(e)), Position*>);
    static_assert(std::is_same_v<decltype(constant.try_get<Position>(e)), const Position*>);
    static_assert(
        std::is_same_v<decltype(registry.try_get<Position, const Mass>(e)), std::tuple<Position*, const Mass*>>);

    auto [position, mass] = registry.get<Position, Mass>(e);
    position.x = 10.0;
    mass.value = 30.0;
    CHECK(constant.get<Position>(e).x == 10.0);
    CHECK(constant.try_get<Mass>(e)->value == 30.0);
    CHECK(registry.try_get<Position>(e) == &position);
    CHECK(registry.try_get<Velocity>(e) == nullptr);
    CHECK(constant.try_get<Velocity>(e) == nullptr);
    const auto [found, missing] = constant.try_get<Position, Velocity>(e);
    CHECK(found == &position);
    CHECK(missing == nullptr);
}

TEST_CASE("all_of and any_of: also for components that nobody ever had") {
    entt::registry registry;
    const auto e = registry.create();
    const auto& constant = registry;
    CHECK_FALSE(constant.all_of<Position>(e));
    CHECK_FALSE(constant.any_of<Position, Asleep>(e));
    registry.emplace<Position>(e);
    CHECK(constant.all_of<Position>(e));
    CHECK_FALSE(constant.all_of<Position, Asleep>(e));
    CHECK(constant.any_of<Position, Asleep>(e));
    registry.emplace<Asleep>(e);
    CHECK(registry.all_of<Position, Asleep>(e));
    CHECK_FALSE(registry.any_of<Velocity, Fixed>(e));
}

TEST_CASE("remove counts what went, erase takes what is there, clear takes all of a kind") {
    entt::registry registry;
    const auto entities = create(registry, 3);
    for (const auto e : entities) {
        registry.emplace<Position>(e);
        registry.emplace<Asleep>(e);
    }
    const std::size_t removed = registry.remove<Position, Velocity, Asleep>(entities[0]);
    CHECK(removed == 2);
    CHECK(registry.remove<Position>(entities[0]) == 0);
    registry.erase<Position, Asleep>(entities[1]);
    CHECK(registry.orphan(entities[1]));
    CHECK(registry.all_of<Position, Asleep>(entities[2]));
    registry.clear<Position, Velocity>();
    CHECK_FALSE(registry.any_of<Position>(entities[2]));
    CHECK(registry.all_of<Asleep>(entities[2]));
    CHECK(registry.valid(entities[2]));
}

TEST_CASE("a recycled slot owns nothing of its former life") {
    entt::registry registry;
    const auto old = registry.create();
    registry.emplace<Position>(old, 1.0, 1.0);
    registry.emplace<Asleep>(old);
    registry.destroy(old);
    const auto young = registry.create();
    REQUIRE(entt::to_entity(young) == entt::to_entity(old));
    CHECK_FALSE(registry.any_of<Position, Asleep>(young));
    registry.emplace<Position>(young, 2.0, 2.0);
    CHECK_FALSE(registry.storage<Position>().contains(old));
    CHECK(registry.storage<Position>().contains(young));
    CHECK(registry.try_get<Position>(old) == nullptr);
}

TEST_CASE("components stay where they are while others come") {
    entt::registry registry;
    const auto first = registry.create();
    const auto* where = &registry.emplace<Position>(first, 1.0, 2.0);
    for (const auto e : create(registry, 20'000)) registry.emplace<Position>(e);
    CHECK(&registry.get<Position>(first) == where);
    CHECK(where->y == 2.0);

    // A component may therefore be copied from one that lies in the same pool.
    const auto copy = registry.create();
    CHECK(registry.emplace<Position>(copy, registry.get<Position>(first)).y == 2.0);
}

namespace {

struct alignas(64) Line {
    double values[8]{};
};
struct alignas(512) Block {
    std::uint8_t value{};
};

}  // namespace

TEST_CASE("over-aligned components lie on their alignment") {
    entt::registry registry;
    for (const auto e : create(registry, 2'500)) {
        registry.emplace<Line>(e);
        registry.emplace<Block>(e);
    }
    for (auto [e, line, block] : registry.view<Line, Block>().each()) {
        REQUIRE(reinterpret_cast<std::uintptr_t>(&line) % alignof(Line) == 0);
        REQUIRE(reinterpret_cast<std::uintptr_t>(&block) % alignof(Block) == 0);
        REQUIRE(registry.valid(e));
    }
}

TEST_CASE("move-only components are kept, moved into holes and given up") {
    entt::registry registry;
    const auto entities = create(registry, 3);
    for (int i = 0; i < 3; ++i)
        registry.emplace<std::unique_ptr<int>>(entities[static_cast<std::size_t>(i)], std::make_unique<int>(i));
    registry.remove<std::unique_ptr<int>>(entities[0]);
    CHECK(*registry.get<std::unique_ptr<int>>(entities[1]) == 1);
    CHECK(*registry.get<std::unique_ptr<int>>(entities[2]) == 2);
    registry.replace<std::unique_ptr<int>>(entities[2], std::make_unique<int>(7));
    CHECK(**registry.try_get<std::unique_ptr<int>>(entities[2]) == 7);
    registry.erase<std::unique_ptr<int>>(entities[2]);
    CHECK(*registry.get<std::unique_ptr<int>>(entities[1]) == 1);
}

TEST_CASE("a constructor that throws leaves the entity without the component") {
    {
        entt::registry registry;
        const auto entities = create(registry, 3);
        registry.emplace<Counted>(entities[0], 1);
        CHECK_THROWS_AS(registry.emplace<Counted>(entities[1], -1), std::invalid_argument);
        CHECK_FALSE(registry.all_of<Counted>(entities[1]));
        CHECK(registry.storage<Counted>().size() == 1);
        CHECK(registry.orphan(entities[1]));
        registry.emplace<Counted>(entities[2], 2);
        registry.emplace<Counted>(entities[1], 3);
        CHECK(registry.get<Counted>(entities[0]).value == 1);
        CHECK(registry.get<Counted>(entities[2]).value == 2);
        CHECK(registry.get<Counted>(entities[1]).value == 3);

        CHECK_THROWS_AS(registry.replace<Counted>(entities[1], -1), std::invalid_argument);
        CHECK(registry.get<Counted>(entities[1]).value == 3);
        CHECK(Counted::alive == 3);
        registry.destroy(entities[0]);
        CHECK(Counted::alive == 2);
    }
    CHECK(Counted::alive == 0);
}
