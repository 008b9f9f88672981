// The context: variables that belong to the registry.
#include "tests/engine/entt/parts.hpp"

#include <doctest/doctest.h>

#include <atomic>
#include <memory>
#include <type_traits>

using namespace tactus::test::parts;

TEST_CASE("context: one variable per type") {
    entt::registry registry;
    const auto& constant = registry;
    CHECK_FALSE(registry.ctx().contains<Position>());
    CHECK(registry.ctx().find<Position>() == nullptr);
    CHECK(constant.ctx().find<Position>() == nullptr);
    CHECK_FALSE(registry.ctx().erase<Position>());

    auto& position = registry.ctx().emplace<Position>(1.0, 2.0);
    static_assert(std::is_same_v<decltype(position), Position&>);
    CHECK(position.y == 2.0);
    CHECK(&registry.ctx().emplace<Position>(3.0, 4.0) == &position);  // the one that exists stays
    CHECK(position.y == 2.0);
    registry.ctx().emplace<Mass>(5.0);
    CHECK(registry.ctx().get<Mass>().value == 5.0);
    CHECK(&registry.ctx().get<Position>() == &position);  // others came, this one stayed in place

    static_assert(std::is_same_v<decltype(registry.ctx().get<Position>()), Position&>);
    static_assert(std::is_same_v<decltype(registry.ctx().get<const Position>()), const Position&>);
    static_assert(std::is_same_v<decltype(constant.ctx().get<Position>()), const Position&>);
    static_assert(std::is_same_v<decltype(constant.ctx().find<Position>()), const Position*>);
    CHECK(constant.ctx().contains<const Position>());
    CHECK(&constant.ctx().get<const Position>() == &position);
    CHECK(registry.ctx().find<const Position>() == &position);

    CHECK(registry.ctx().insert_or_assign(Position{7.0, 8.0}).y == 8.0);
    CHECK(constant.ctx().get<Position>().x == 7.0);
    const Velocity velocity{9.0, 9.0};
    registry.ctx().insert_or_assign(velocity);
    CHECK(registry.ctx().get<Velocity>().x == 9.0);

    CHECK(registry.ctx().erase<Position>());
    CHECK_FALSE(registry.ctx().contains<Position>());
    CHECK(registry.ctx().contains<Velocity>());
    CHECK(registry.view<Position>().empty());  // components of the type are another matter
}

TEST_CASE("context: variables need not be movable and are destroyed with the registry") {
    {
        entt::registry registry;
        registry.ctx().emplace<std::atomic<int>>(3);
        CHECK(registry.ctx().get<std::atomic<int>>() == 3);
        registry.ctx().insert_or_assign(std::make_unique<int>(4));
        CHECK(*registry.ctx().get<std::unique_ptr<int>>() == 4);
        registry.ctx().insert_or_assign(std::make_unique<int>(5));
        CHECK(*registry.ctx().get<std::unique_ptr<int>>() == 5);
        registry.ctx().emplace<Counted>(1);
        CHECK(Counted::alive == 1);
    }
    CHECK(Counted::alive == 0);
}
