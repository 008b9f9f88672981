// What several threads may do to a registry at once.
#include "tests/engine/entt/parts.hpp"

#include <doctest/doctest.h>

#include <array>
#include <cstddef>
#include <thread>
#include <vector>

using namespace tactus::test::parts;

TEST_CASE("threads: several may read components, views and the context at once") {
    struct NeverUsed {
        int value{};
    };
    entt::registry registry;
    const auto& constant = registry;
    for (const auto e : create(registry, 5'000)) {
        registry.emplace<Position>(e, 1.0, 0.0);
        if (entt::to_entity(e) % 2 == 0) registry.emplace<Velocity>(e, 0.0, 2.0);
        if (entt::to_entity(e) % 4 == 0) registry.emplace<Asleep>(e);
    }
    registry.ctx().emplace<Mass>(3.0);

    std::array<double, 4> sums{};
    std::vector<std::thread> threads;
    for (double& sum : sums)
        threads.emplace_back([&registry, &constant, &sum] {
            for (auto [e, position] : registry.view<const Position>().each()) {
                sum += position.x;
                if (const auto* velocity = registry.try_get<Velocity>(e)) sum += velocity->y;
                sum += registry.get<Position>(e).y;
                if (constant.try_get<NeverUsed>(e) || constant.all_of<NeverUsed>(e)) sum = -1e9;
            }
            for (auto [e, position, velocity] :
                 constant.view<const Position, const Velocity>(entt::exclude<Asleep>).each())
                sum += constant.get<Position>(e).x + velocity.y + constant.ctx().get<Mass>().value;
        });
    for (auto& thread : threads) thread.join();
    for (const double sum : sums) CHECK(sum == 5'000 * 1.0 + 2'500 * 2.0 + 1'250 * (1.0 + 2.0 + 3.0));
}

TEST_CASE("threads: several may write the components of different entities") {
    entt::registry registry;
    const auto entities = create(registry, 4'000);
    for (const auto e : entities) registry.emplace<Position>(e);
    std::vector<std::thread> threads;
    for (std::size_t part = 0; part < 4; ++part)
        threads.emplace_back([&, part] {
            const auto view = registry.view<Position>();
            for (std::size_t i = part * 1'000; i < (part + 1) * 1'000; ++i)
                view.get<Position>(entities[i]).x = static_cast<double>(i);
        });
    for (auto& thread : threads) thread.join();
    for (std::size_t i = 0; i < entities.size(); ++i) REQUIRE(registry.get<Position>(entities[i]).x == double(i));
}
