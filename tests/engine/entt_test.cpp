// What Tactus relies on in EnTT. The same claims hold for EnTT itself and for the stand-in of engine/entt_stand_in.
#include <entt/entt.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <memory>
#include <optional>
#include <random>
#include <set>
#include <stdexcept>
#include <string>
#include <thread>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef ENTT_ASSERT
#error "ENTT_ASSERT is the check for misuse"
#endif
static_assert(ENTT_VERSION_MAJOR > 3 || (ENTT_VERSION_MAJOR == 3 && ENTT_VERSION_MINOR >= 12));

namespace {

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

using Entities = std::vector<entt::entity>;

template<class Range> Entities listed(const Range& range) {
    Entities result;
    for (const auto e : range) result.push_back(e);
    return result;
}

Entities all_entities(entt::registry& registry) {
    Entities result;
    for (auto [e] : registry.storage<entt::entity>().each()) result.push_back(e);
    return result;
}

Entities create(entt::registry& registry, std::size_t count) {
    Entities result(count);
    for (auto& e : result) e = registry.create();
    return result;
}

Entities sorted(Entities entities) {
    std::sort(entities.begin(), entities.end());
    return entities;
}

}  // namespace

// -- entities --------------------------------------------------------------------------------------------------------

TEST_CASE("entity: an identifier is 20 bits of slot and 12 bits of version") {
    constexpr auto e = entt::entity{0xABC12345};
    static_assert(entt::to_integral(e) == 0xABC12345);
    static_assert(entt::to_entity(e) == 0x12345);
    static_assert(entt::to_version(e) == 0xABC);
    static_assert(std::is_same_v<std::underlying_type_t<entt::entity>, std::uint32_t>);
    static_assert(std::is_same_v<entt::id_type, std::uint32_t>);
    static_assert(entt::entt_traits<entt::entity>::entity_mask == 0xFFFFF);
    static_assert(entt::entt_traits<entt::entity>::version_mask == 0xFFF);
    CHECK(entt::to_integral(entt::entity{}) == 0);
}

TEST_CASE("entity: null compares by the slot, tombstone by the version, and neither is ever valid") {
    const entt::entity null = entt::null;
    const entt::entity tombstone = entt::tombstone;
    CHECK((null == entt::null));
    CHECK((tombstone == entt::tombstone));
    CHECK((entt::null == entt::null));
    CHECK((entt::entity{0x123FFFFF} == entt::null));
    CHECK((entt::entity{0x123FFFFF} != entt::tombstone));
    CHECK((entt::entity{0xFFF00005} == entt::tombstone));
    CHECK((entt::entity{0xFFF00005} != entt::null));
    CHECK((entt::entity{} != entt::null));
    CHECK((entt::entity{} != entt::tombstone));

    entt::registry registry;
    CHECK_FALSE(registry.valid(null));
    CHECK_FALSE(registry.valid(tombstone));
    CHECK_FALSE(registry.valid(entt::entity{}));
    const auto e = registry.create();
    registry.emplace<Asleep>(e);
    CHECK((e != entt::null));
    CHECK_FALSE(registry.valid(null));
    CHECK_FALSE(registry.valid(tombstone));
    CHECK_FALSE(registry.all_of<Asleep>(null));
}

TEST_CASE("registry: a destroyed slot comes back with the next version, the last one destroyed first") {
    entt::registry registry;
    const auto entities = create(registry, 4);
    for (std::uint32_t i = 0; i < 4; ++i) {
        CHECK(entities[i] == entt::entity{i});
        CHECK(registry.valid(entities[i]));
    }
    CHECK(registry.destroy(entities[0]) == 1);
    CHECK(registry.destroy(entities[2]) == 1);
    CHECK_FALSE(registry.valid(entities[0]));
    CHECK(registry.valid(entities[1]));
    CHECK(registry.current(entities[0]) == 1);
    CHECK(registry.current(entities[1]) == 0);
    CHECK(registry.current(entt::entity{77}) == entt::to_version(entt::entity{entt::tombstone}));

    CHECK(registry.create() == entt::entity{0x00100002});
    CHECK(registry.create() == entt::entity{0x00100000});
    CHECK(registry.create() == entt::entity{4});
    CHECK_FALSE(registry.valid(entities[0]));
    CHECK_FALSE(registry.valid(entities[2]));
}

TEST_CASE("registry: the versions of a slot run around without ever being that of tombstone") {
    entt::registry registry;
    auto e = registry.create();
    for (int i = 0; i < 4094; ++i) {
        registry.destroy(e);
        e = registry.create();
        REQUIRE((e != entt::tombstone));
    }
    CHECK(entt::to_version(e) == 0xFFE);
    CHECK(registry.destroy(e) == 0);
    CHECK(registry.create() == entt::entity{0});
}

TEST_CASE("registry: a hint is taken exactly when its slot is free") {
    entt::registry registry;
    const auto far = entt::entity{0x003ABCDE};  // slot 703710, version 3
    CHECK(registry.create(far) == far);
    CHECK(registry.valid(far));

    const auto other = registry.create(far);
    CHECK(other != far);
    CHECK(registry.valid(other));

    registry.destroy(far);
    CHECK(registry.create(entt::entity{0x007ABCDE}) == entt::entity{0x007ABCDE});
    CHECK_FALSE(registry.valid(far));
    CHECK(registry.valid(registry.create(entt::null)));

    // The slots that hints have taken are not handed out again.
    REQUIRE(registry.create(entt::entity{5}) == entt::entity{5});
    REQUIRE(registry.create(entt::entity{6}) == entt::entity{6});
    const auto more = create(registry, 20);
    CHECK(std::set<entt::entity>(more.begin(), more.end()).size() == 20);
    CHECK(std::find(more.begin(), more.end(), entt::entity{5}) == more.end());
    CHECK(all_entities(registry).size() == 25);
}

TEST_CASE("registry: a hint may name a slot out of the middle of the released ones") {
    entt::registry registry;
    const auto entities = create(registry, 4);
    for (const auto e : entities) registry.destroy(e);
    CHECK(registry.create(entities[1]) == entities[1]);
    auto rest = create(registry, 3);
    CHECK(sorted(rest) == Entities{entt::entity{0x00100000}, entt::entity{0x00100002}, entt::entity{0x00100003}});
    CHECK(registry.create() == entt::entity{4});
}

TEST_CASE("registry: the storage of entities lists those in use, the newest first") {
    entt::registry registry;
    CHECK(all_entities(registry).empty());
    auto entities = create(registry, 5);
    CHECK(all_entities(registry) == Entities(entities.rbegin(), entities.rend()));
    registry.destroy(entities[1]);
    registry.destroy(entities[3]);
    CHECK(sorted(all_entities(registry)) == Entities{entities[0], entities[2], entities[4]});
    CHECK(registry.storage<entt::entity>().contains(entities[0]));

    // Destroying the current one is allowed.
    for (auto [e] : registry.storage<entt::entity>().each()) registry.destroy(e);
    CHECK(all_entities(registry).empty());
    CHECK(std::as_const(registry).storage<entt::entity>() != nullptr);
}

TEST_CASE("registry: a range is destroyed with all its components") {
    entt::registry registry;
    auto entities = create(registry, 6);
    for (const auto e : entities) registry.emplace<Position>(e);
    for (std::size_t i = 0; i < 6; i += 2) registry.emplace<Velocity>(entities[i]);

    const Entities some{entities[5], entities[1]};
    registry.destroy(some.begin(), some.end());
    CHECK(registry.view<Position>().size() == 4);
    CHECK_FALSE(registry.valid(entities[5]));

    const auto moving = registry.view<Position, Velocity>();
    registry.destroy(moving.begin(), moving.end());
    CHECK(listed(registry.view<Position>()) == Entities{entities[3]});

    const auto view = registry.view<Position>();
    registry.destroy(view.begin(), view.end());
    CHECK(all_entities(registry).empty());
}

TEST_CASE("registry: an orphan is an entity without components") {
    entt::registry registry;
    const auto e = registry.create();
    CHECK(registry.orphan(e));
    registry.emplace<Asleep>(e);
    CHECK_FALSE(registry.orphan(e));
    registry.remove<Asleep>(e);
    CHECK(registry.orphan(e));
}

TEST_CASE("registry: clear destroys every entity and invalidates every identifier") {
    entt::registry registry;
    const auto entities = create(registry, 10);
    for (const auto e : entities) registry.emplace<Mass>(e, 1.0);
    registry.clear();
    CHECK(registry.view<Mass>().empty());
    CHECK(all_entities(registry).empty());
    for (const auto e : entities) CHECK_FALSE(registry.valid(e));
    for (const auto e : create(registry, 10)) CHECK(entt::to_version(e) == 1);
}

// -- components ------------------------------------------------------------------------------------------------------

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

// -- storage ---------------------------------------------------------------------------------------------------------

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

// -- views -----------------------------------------------------------------------------------------------------------

namespace {

template<class... T> using Awake = entt::view<entt::get_t<T...>, entt::exclude_t<Asleep>>;

void drift(Awake<Position, const Velocity> bodies, double h) {
    for (auto [e, position, velocity] : bodies.each()) {
        static_assert(std::is_same_v<decltype(velocity), const Velocity&>);
        position.x += h * velocity.x;
        position.y += h * velocity.y;
    }
}

double total(entt::view<entt::get_t<const Mass>> masses) {
    double sum = 0.0;
    for (auto [e, mass] : masses.each()) sum += mass.value;
    return sum;
}

// Six entities; velocities for the even ones in rising order, the first three asleep.
struct Scene {
    entt::registry registry;
    Entities e = create(registry, 6);

    Scene() {
        for (const std::size_t i : {5u, 4u, 3u, 2u, 1u, 0u}) registry.emplace<Position>(e[i], double(i), 0.0);
        for (const std::size_t i : {0u, 2u, 4u}) registry.emplace<Velocity>(e[i], 1.0, double(i));
        for (const std::size_t i : {0u, 1u, 2u}) registry.emplace<Asleep>(e[i]);
    }
};

}  // namespace

TEST_CASE("view: types say what a system reads and writes") {
    Scene scene;
    drift(scene.registry.view<Position, const Velocity>(entt::exclude<Asleep>), 0.5);
    CHECK(scene.registry.get<Position>(scene.e[4]).x == 4.5);
    CHECK(scene.registry.get<Position>(scene.e[4]).y == 2.0);
    CHECK(scene.registry.get<Position>(scene.e[2]).x == 2.0);
    CHECK(scene.registry.get<Position>(scene.e[5]).x == 5.0);

    const auto& constant = scene.registry;
    static_assert(std::is_same_v<decltype(constant.view<const Mass>()), entt::view<entt::get_t<const Mass>>>);
    static_assert(std::is_same_v<decltype(constant.view<Mass>()), entt::view<entt::get_t<const Mass>>>);
    static_assert(std::is_same_v<decltype(constant.view<const Mass>(entt::exclude<Asleep>)),
                                 entt::view<entt::get_t<const Mass>, entt::exclude_t<const Asleep>>>);
    CHECK(total(constant.view<const Mass>()) == 0.0);
    scene.registry.emplace<Mass>(scene.e[0], 2.0);
    scene.registry.emplace<Mass>(scene.e[1], 3.0);
    CHECK(total(constant.view<const Mass>()) == 5.0);
    CHECK(total(scene.registry.view<const Mass>()) == 5.0);
}

TEST_CASE("view of one component: the whole pool, from the newest to the oldest") {
    Scene scene;
    auto view = scene.registry.view<Position>();
    CHECK(view.size() == 6);
    CHECK_FALSE(view.empty());
    CHECK(listed(view) == scene.e);
    CHECK(view.front() == scene.e[0]);
    CHECK(view.back() == scene.e[5]);
    CHECK(view.contains(scene.e[3]));
    CHECK_FALSE(scene.registry.view<Velocity>().contains(scene.e[3]));
    CHECK(static_cast<bool>(view));
    CHECK(view.end() - view.begin() == 6);

    static_assert(std::is_same_v<decltype(view.get<Position>(scene.e[1])), Position&>);
    view.get<Position>(scene.e[1]).y = 7.0;
    auto [position] = view.get(scene.e[1]);
    CHECK(position.y == 7.0);
    CHECK(scene.registry.view<const Position>().get<const Position>(scene.e[1]).y == 7.0);

    Entities seen;
    for (auto [e, p] : view.each()) {
        CHECK(&p == &scene.registry.get<Position>(e));
        seen.push_back(e);
    }
    CHECK(seen == scene.e);
    seen.clear();
    view.each([&seen](entt::entity e, Position& p) {
        p.y = 1.0;
        seen.push_back(e);
    });
    CHECK(seen == scene.e);
    double sum = 0.0;
    scene.registry.view<const Position>().each([&sum](const Position& p) { sum += p.y; });
    CHECK(sum == 6.0);
}

TEST_CASE("view of several components: those that own all, in the order of the smallest pool") {
    Scene scene;
    auto view = scene.registry.view<Position, Velocity>();
    CHECK(view.size_hint() == 3);
    CHECK(listed(view) == Entities{scene.e[4], scene.e[2], scene.e[0]});
    CHECK(listed(scene.registry.view<Velocity, Position>()) == listed(view));
    CHECK(view.front() == scene.e[4]);
    CHECK(view.back() == scene.e[0]);
    CHECK(view.contains(scene.e[2]));
    CHECK_FALSE(view.contains(scene.e[1]));
    CHECK_FALSE(view.contains(entt::null));

    // Of pools of equal size the one named first leads.
    scene.registry.clear<Position>();
    for (const std::size_t i : {4u, 2u, 0u}) scene.registry.emplace<Position>(scene.e[i]);
    CHECK(listed(scene.registry.view<Position, Velocity>()) == Entities{scene.e[0], scene.e[2], scene.e[4]});
    CHECK(listed(scene.registry.view<Velocity, Position>()) == Entities{scene.e[4], scene.e[2], scene.e[0]});
}

TEST_CASE("view of several components: get and each give references to the components") {
    Scene scene;
    auto view = scene.registry.view<Position, const Velocity>();
    const auto e = scene.e[2];
    static_assert(std::is_same_v<decltype(view.get<Position>(e)), Position&>);
    static_assert(std::is_same_v<decltype(view.get<const Velocity>(e)), const Velocity&>);
    CHECK(&view.get<Position>(e) == &scene.registry.get<Position>(e));
    auto [position, velocity] = view.get<Position, const Velocity>(e);
    CHECK(&position == &scene.registry.get<Position>(e));
    CHECK(&velocity == &scene.registry.get<Velocity>(e));
    static_assert(std::is_same_v<decltype(view.get(e)), std::tuple<Position&, const Velocity&>>);
    CHECK(&std::get<1>(view.get(e)) == &velocity);

    int count = 0;
    for (auto [each, p, v] : view.each()) {
        static_assert(std::is_same_v<decltype(p), Position&>);
        static_assert(std::is_same_v<decltype(v), const Velocity&>);
        CHECK(&p == &scene.registry.get<Position>(each));
        CHECK(&v == &scene.registry.get<Velocity>(each));
        ++count;
    }
    view.each([&](entt::entity each, Position& p, const Velocity& v) {
        CHECK(&p == &scene.registry.get<Position>(each));
        CHECK(&v == &scene.registry.get<Velocity>(each));
        ++count;
    });
    view.each([&](Position& p, const Velocity& v) {
        p.x = v.y;
        ++count;
    });
    CHECK(count == 9);
    // The iterable outlives the view that made it.
    for (auto [each, v, p] : scene.registry.view<Velocity, Position>().each()) CHECK(p.x == v.y);
}

TEST_CASE("view: tags select, but are not given") {
    Scene scene;
    Entities seen;
    for (auto tuple : scene.registry.view<Position, Asleep, Velocity>().each()) {
        static_assert(std::is_same_v<decltype(tuple), std::tuple<entt::entity, Position&, Velocity&>>);
        seen.push_back(std::get<0>(tuple));
    }
    CHECK(seen == Entities{scene.e[2], scene.e[0]});
    for (auto [e] : scene.registry.view<Asleep>().each()) seen.push_back(e);
    CHECK(seen.size() == 5);
    int count = 0;
    scene.registry.view<Asleep>().each([&count](entt::entity) { ++count; });
    scene.registry.view<Asleep>().each([&count] { ++count; });
    scene.registry.view<Position, Asleep>().each([&count](Position&) { ++count; });
    CHECK(count == 9);
    auto [position] = scene.registry.view<Position, Asleep>().get(scene.e[1]);
    CHECK(position.x == 1.0);
}

TEST_CASE("view: excluded components keep entities out, whatever else they own") {
    Scene scene;
    CHECK(listed(scene.registry.view<Position>(entt::exclude<Asleep>)) == Entities{scene.e[3], scene.e[4], scene.e[5]});
    CHECK(listed(scene.registry.view<Position>(entt::exclude<Asleep, Velocity>)) == Entities{scene.e[3], scene.e[5]});
    CHECK(listed(scene.registry.view<Position, Velocity>(entt::exclude<Asleep>)) == Entities{scene.e[4]});
    CHECK(listed(scene.registry.view<Position>(entt::exclude<Fixed>)) == scene.e);
    const auto awake = scene.registry.view<Position>(entt::exclude<Asleep>);
    CHECK(awake.size_hint() == 6);
    CHECK(awake.contains(scene.e[3]));
    CHECK_FALSE(awake.contains(scene.e[0]));
    CHECK(awake.front() == scene.e[3]);
    CHECK(awake.back() == scene.e[5]);

    const auto none = scene.registry.view<Velocity>(entt::exclude<Position>);
    CHECK(none.begin() == none.end());
    CHECK((none.front() == entt::null));
    CHECK((none.back() == entt::null));
}

TEST_CASE("view of a const registry: pools that do not exist are empty") {
    entt::registry registry;
    const auto e = registry.create();
    const auto& constant = registry;
    const auto one = constant.view<const Position>();
    CHECK(one.size() == 0);
    CHECK(one.empty());
    CHECK(one.begin() == one.end());
    CHECK_FALSE(one.contains(e));
    CHECK((one.front() == entt::null));
    CHECK_FALSE(static_cast<bool>(one));
    for ([[maybe_unused]] auto [each, position] : one.each()) FAIL("there is no position");
    one.each([](const Position&) { FAIL("there is no position"); });

    registry.emplace<Velocity>(e);
    const auto two = constant.view<const Position, const Velocity>(entt::exclude<Fixed>);
    CHECK(two.size_hint() == 0);
    CHECK(listed(two).empty());
    for ([[maybe_unused]] auto [each, position, velocity] : two.each()) FAIL("there is no position");
    two.each([](const Position&, const Velocity&) { FAIL("there is no position"); });
    CHECK(constant.storage<Position>() == nullptr);

    // A pool that does not exist excludes nobody.
    CHECK(listed(constant.view<const Velocity>(entt::exclude<Fixed>)) == Entities{e});

    const entt::view<entt::get_t<Position>> unbound_one{};
    const entt::view<entt::get_t<Position, Velocity>, entt::exclude_t<Asleep>> unbound_two{};
    CHECK(unbound_one.empty());
    CHECK(listed(unbound_two).empty());
}

TEST_CASE("view: a view made before its components sees them") {
    entt::registry registry;
    const auto one = registry.view<Position>();
    const auto two = registry.view<Position, Velocity>(entt::exclude<Asleep>);
    const auto e = registry.create();
    registry.emplace<Position>(e);
    registry.emplace<Velocity>(e);
    CHECK(listed(one) == Entities{e});
    CHECK(listed(two) == Entities{e});
}

TEST_CASE("view: iterators fit the algorithms of the standard library") {
    Scene scene;
    const auto one = scene.registry.view<Position>();
    const auto two = scene.registry.view<Position, Velocity>();
    static_assert(std::forward_iterator<decltype(two.begin())>);
    static_assert(std::is_same_v<std::iterator_traits<decltype(one.begin())>::iterator_category,
                                 std::random_access_iterator_tag>);
    CHECK(std::distance(two.begin(), two.end()) == 3);
    CHECK(std::count_if(one.begin(), one.end(), [&](auto e) { return scene.registry.all_of<Asleep>(e); }) == 3);
    CHECK(*std::next(one.begin(), 2) == scene.e[2]);
    auto it = two.begin();
    CHECK(*it++ == scene.e[4]);
    CHECK(*it == scene.e[2]);
}

// -- changes while a view is walked ----------------------------------------------------------------------------------

TEST_CASE("while a view is walked the current entity may be destroyed") {
    const std::size_t count = 3'000;
    for (int way = 0; way < 6; ++way) {
        CAPTURE(way);
        entt::registry registry;
        std::set<entt::entity> expected;
        for (const auto e : create(registry, count)) {
            registry.emplace<Position>(e, static_cast<double>(entt::to_entity(e)));
            registry.emplace<std::string>(e, "a name that is too long to be stored without an allocation");
            if (entt::to_entity(e) % 3 != 0) registry.emplace<Velocity>(e);
            if (way < 3 || entt::to_entity(e) % 3 != 0) expected.insert(e);
        }
        const auto visit = [&](entt::entity e) {
            REQUIRE(expected.erase(e) == 1);  // each once
            if (entt::to_entity(e) % 2 == 0) registry.destroy(e);
        };
        if (way == 0)
            for (const auto e : registry.view<Position>()) visit(e);
        else if (way == 1)
            for (auto [e, position] : registry.view<Position>().each()) visit(e);
        else if (way == 2)
            registry.view<Position>().each([&](entt::entity e, Position&) { visit(e); });
        else if (way == 3)
            for (const auto e : registry.view<Position, Velocity>()) visit(e);
        else if (way == 4)
            for (auto [e, position, velocity] : registry.view<Position, Velocity>().each()) visit(e);
        else
            registry.view<Position, Velocity>().each([&](entt::entity e, Position&, Velocity&) { visit(e); });
        CHECK(expected.empty());
        for (auto [e, position, name] : registry.view<Position, std::string>().each()) {
            REQUIRE(position.x == static_cast<double>(entt::to_entity(e)));
            REQUIRE(name.size() > 50);
        }
    }
}

TEST_CASE("while a view is walked the current entity may lose or gain components") {
    entt::registry registry;
    for (const auto e : create(registry, 100)) {
        registry.emplace<Position>(e);
        registry.emplace<Velocity>(e);
    }
    int visited = 0;
    for (const auto e : registry.view<Position, Velocity>(entt::exclude<Asleep>)) {
        if (visited % 4 == 0) registry.remove<Position>(e);
        if (visited % 4 == 1) registry.remove<Velocity>(e);
        if (visited % 4 == 2) registry.emplace<Asleep>(e);
        ++visited;
    }
    CHECK(visited == 100);
    CHECK(listed(registry.view<Position, Velocity>(entt::exclude<Asleep>)).size() == 25);
}

TEST_CASE("while a view is walked entities may come, and are not visited") {
    entt::registry registry;
    for (const auto e : create(registry, 10)) registry.emplace<Position>(e);
    int visited = 0;
    for (auto [e, position] : registry.view<Position>().each()) {
        for (const auto other : create(registry, 500)) registry.emplace<Position>(other);
        position.x = 3.0;
        CHECK(&registry.get<Position>(e) == &position);
        ++visited;
    }
    CHECK(visited == 10);
    CHECK(registry.view<Position>().size() == 5'010);
}

// -- signals ---------------------------------------------------------------------------------------------------------

namespace {

struct Call {
    std::string listener;
    entt::entity e;
    bool operator==(const Call&) const = default;
};
std::vector<Call> calls;
std::vector<std::string> names() {
    std::vector<std::string> result;
    for (const auto& call : calls) result.push_back(call.listener);
    calls.clear();
    return result;
}
using Names = std::vector<std::string>;

void first(entt::registry&, entt::entity e) { calls.push_back({"first", e}); }
void second(entt::registry&, entt::entity e) { calls.push_back({"second", e}); }
void third(entt::registry&, entt::entity e) { calls.push_back({"third", e}); }
void only_entity(entt::entity e) { calls.push_back({"only entity", e}); }
void nothing() { calls.push_back({"nothing", entt::null}); }

void constructed(entt::registry& registry, entt::entity e) {
    calls.push_back({"constructed " + std::to_string(registry.get<int>(e)), e});
}
void updated(entt::registry& registry, entt::entity e) {
    calls.push_back({"updated " + std::to_string(registry.get<int>(e)), e});
}
void destroyed(entt::registry& registry, entt::entity e) {
    CHECK(registry.valid(e));
    calls.push_back({"destroyed " + std::to_string(registry.get<int>(e)), e});
}
void give_position(entt::registry& registry, entt::entity e) { registry.emplace_or_replace<Position>(e); }

struct Listener {
    std::string name;
    entt::registry* seen{};

    void hear(entt::registry& registry, entt::entity e) {
        seen = &registry;
        calls.push_back({name + " hears", e});
    }
    void see(entt::registry&, entt::entity e) const { calls.push_back({name + " sees", e}); }
};
void with_payload(Listener& payload, entt::registry&, entt::entity e) { calls.push_back({payload.name + " paid", e}); }

}  // namespace

TEST_CASE("signals: after a component came, after it changed, before it goes") {
    calls.clear();
    entt::registry registry;
    registry.on_construct<int>().connect<&constructed>();
    registry.on_update<int>().connect<&updated>();
    registry.on_destroy<int>().connect<&destroyed>();
    const auto e = registry.create();

    registry.emplace<int>(e, 1);
    CHECK(calls == std::vector<Call>{{"constructed 1", e}});
    CHECK(names() == Names{"constructed 1"});
    registry.emplace_or_replace<int>(e, 2);
    registry.replace<int>(e, 3);
    registry.patch<int>(e, [](int& value) { value = 4; });
    registry.patch<int>(e);
    CHECK(names() == Names{"updated 2", "updated 3", "updated 4", "updated 4"});
    CHECK(registry.get_or_emplace<int>(e, 9) == 4);
    registry.get<int>(e) = 5;
    CHECK(names().empty());
    registry.remove<int>(e);
    registry.remove<int>(e);
    CHECK(names() == Names{"destroyed 5"});
    registry.emplace_or_replace<int>(e, 6);
    registry.erase<int>(e);
    CHECK(registry.get_or_emplace<int>(e, 7) == 7);
    registry.destroy(e);
    CHECK(names() == Names{"constructed 6", "destroyed 6", "constructed 7", "destroyed 7"});

    for (const auto other : create(registry, 2)) registry.emplace<int>(other, 8);
    registry.clear<int>();
    CHECK(names() == Names{"constructed 8", "constructed 8", "destroyed 8", "destroyed 8"});
    registry.emplace<int>(registry.create(), 9);
    registry.clear();
    CHECK(names() == Names{"constructed 9", "destroyed 9"});
    registry.emplace<int>(registry.create(), 10);
    registry.storage<int>().clear();
    CHECK(names() == Names{"constructed 10", "destroyed 10"});
}

TEST_CASE("signals: tags have them, too") {
    calls.clear();
    entt::registry registry;
    registry.on_construct<Asleep>().connect<&first>();
    registry.on_update<Asleep>().connect<&second>();
    registry.on_destroy<Asleep>().connect<&third>();
    const auto e = registry.create();
    registry.emplace<Asleep>(e);
    registry.emplace_or_replace<Asleep>(e);
    registry.patch<Asleep>(e);
    registry.destroy(e);
    CHECK(names() == Names{"first", "second", "second", "third"});
}

TEST_CASE("signals: the listener connected last is called first, and nobody twice") {
    calls.clear();
    entt::registry registry;
    auto sink = registry.on_construct<int>();
    CHECK(sink.empty());
    sink.connect<&first>();
    sink.connect<&second>();
    sink.connect<&third>();
    CHECK_FALSE(sink.empty());
    registry.emplace<int>(registry.create());
    CHECK(names() == Names{"third", "second", "first"});

    sink.connect<&third>();
    registry.emplace<int>(registry.create());
    CHECK(names() == Names{"third", "second", "first"});

    registry.on_construct<int>().disconnect<&second>();
    registry.emplace<int>(registry.create());
    CHECK(names() == Names{"third", "first"});
    sink.disconnect<&second>();
    sink.disconnect<&first>();
    sink.disconnect<&third>();
    CHECK(sink.empty());
    registry.emplace<int>(registry.create());
    CHECK(names().empty());
}

TEST_CASE("signals: members of an instance, functions with a payload, shorter lists of parameters") {
    calls.clear();
    entt::registry registry;
    Listener ann{"ann"};
    const Listener bob{"bob"};
    auto sink = registry.on_construct<int>();
    sink.connect<&Listener::hear>(ann);
    sink.connect<&Listener::see>(bob);
    sink.connect<&with_payload>(ann);
    sink.connect<&only_entity>();
    sink.connect<&nothing>();
    const auto e = registry.create();
    registry.emplace<int>(e);
    CHECK(calls[1].e == e);
    CHECK(names() == Names{"nothing", "only entity", "ann paid", "bob sees", "ann hears"});
    CHECK(ann.seen == &registry);

    sink.disconnect<&nothing>();
    sink.disconnect<&Listener::see>(bob);
    registry.emplace<int>(registry.create());
    auto heard = names();
    std::sort(heard.begin(), heard.end());
    CHECK(heard == Names{"ann hears", "ann paid", "only entity"});

    sink.connect<&Listener::see>(bob);
    sink.disconnect(&ann);  // all that ann is connected with
    registry.emplace<int>(registry.create());
    heard = names();
    std::sort(heard.begin(), heard.end());
    CHECK(heard == Names{"bob sees", "only entity"});

    sink.disconnect<&Listener::see>(ann);  // never connected
    sink.disconnect();
    CHECK(sink.empty());
}

TEST_CASE("signals: a listener may give the entity other components") {
    entt::registry registry;
    registry.on_construct<Velocity>().connect<&give_position>();
    for (const auto e : create(registry, 100)) registry.emplace<Velocity>(e);
    CHECK(registry.view<Position>().size() == 100);
}

// -- context ---------------------------------------------------------------------------------------------------------

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

// -- the registry as a whole -----------------------------------------------------------------------------------------

TEST_CASE("registry: moves with everything it has, and its listeners hear from its new place") {
    static_assert(!std::is_copy_constructible_v<entt::registry>);
    calls.clear();
    Listener ann{"ann"};
    entt::registry source;
    source.on_construct<int>().connect<&Listener::hear>(ann);
    const auto e = source.create();
    source.emplace<int>(e, 1);
    source.ctx().emplace<Mass>(2.0);

    entt::registry target{std::move(source)};
    CHECK(target.valid(e));
    CHECK(target.get<int>(e) == 1);
    CHECK(target.ctx().get<Mass>().value == 2.0);
    target.emplace<int>(target.create(), 2);
    CHECK(ann.seen == &target);

    entt::registry last;
    last.emplace<int>(last.create(), 9);
    last = std::move(target);
    CHECK(last.view<int>().size() == 2);
    last.emplace<int>(last.create(), 3);
    CHECK(ann.seen == &last);

    entt::registry other;
    other.swap(last);
    CHECK(all_entities(last).empty());
    other.emplace<int>(other.create(), 4);
    CHECK(ann.seen == &other);
    CHECK(other.view<int>().size() == 4);
}

TEST_CASE("registry: registries do not know of each other") {
    entt::registry a, b;
    const auto e = a.create();
    REQUIRE(b.create() == e);
    a.emplace<Position>(e, 1.0, 1.0);
    CHECK_FALSE(b.all_of<Position>(e));
    b.emplace<Position>(e, 2.0, 2.0);
    CHECK(a.get<Position>(e).x == 1.0);
    b.clear();
    CHECK(a.all_of<Position>(e));
}

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

// -- against a model -------------------------------------------------------------------------------------------------

namespace {

// The plainest registry that could be right: a map of rows, and per component the packed order as a vector.
struct Model {
    struct Row {
        std::optional<int> number;
        std::optional<std::string> text;
        bool asleep{};
    };

    static void swap_and_pop(Entities& packed, entt::entity e) {
        const auto hole = std::find(packed.begin(), packed.end(), e);
        *hole = packed.back();
        packed.pop_back();
    }
    void remove_number(entt::entity e) {
        if (!rows.at(e).number) return;
        rows.at(e).number.reset();
        swap_and_pop(numbers, e);
    }
    void remove_text(entt::entity e) {
        if (!rows.at(e).text) return;
        rows.at(e).text.reset();
        swap_and_pop(texts, e);
    }
    void remove_asleep(entt::entity e) {
        if (!rows.at(e).asleep) return;
        rows.at(e).asleep = false;
        swap_and_pop(sleepers, e);
    }
    void destroy(entt::entity e) {
        remove_number(e);
        remove_text(e);
        remove_asleep(e);
        rows.erase(e);
    }

    std::map<entt::entity, Row> rows;
    Entities numbers, texts, sleepers;
};

struct Tally {
    int constructed{}, updated{}, destroyed{};

    void on_construct() { ++constructed; }
    void on_update() { ++updated; }
    void on_destroy() { ++destroyed; }
};

Entities reversed(const Entities& entities) { return {entities.rbegin(), entities.rend()}; }

void check_entity(const entt::registry& registry, const Model& model, entt::entity e) {
    const auto& row = model.rows.at(e);
    REQUIRE(registry.valid(e));
    REQUIRE(registry.current(e) == entt::to_version(e));
    REQUIRE(registry.all_of<int>(e) == row.number.has_value());
    REQUIRE(registry.all_of<std::string>(e) == row.text.has_value());
    REQUIRE(registry.all_of<Asleep>(e) == row.asleep);
    REQUIRE(registry.any_of<int, std::string, Asleep>(e) == (row.number || row.text || row.asleep));
    REQUIRE(registry.orphan(e) == !(row.number || row.text || row.asleep));
    const auto [number, text] = registry.try_get<int, std::string>(e);
    REQUIRE((number ? std::optional{*number} : std::nullopt) == row.number);
    REQUIRE((text ? std::optional{*text} : std::nullopt) == row.text);
}

void check_whole(entt::registry& registry, const Model& model) {
    for (const auto& [e, row] : model.rows) check_entity(registry, model, e);
    Entities rows;
    for (const auto& [e, row] : model.rows) rows.push_back(e);
    REQUIRE(sorted(all_entities(registry)) == rows);

    REQUIRE(listed(registry.view<int>()) == reversed(model.numbers));
    REQUIRE(listed(registry.view<std::string>()) == reversed(model.texts));
    REQUIRE(listed(registry.view<Asleep>()) == reversed(model.sleepers));

    Entities expected;
    const auto& leading = model.texts.size() < model.numbers.size() ? model.texts : model.numbers;
    for (const auto e : reversed(leading)) {
        const auto& row = model.rows.at(e);
        if (row.number && row.text && !row.asleep) expected.push_back(e);
    }
    Entities seen;
    for (auto [e, number, text] : registry.view<int, const std::string>(entt::exclude<Asleep>).each()) {
        REQUIRE(number == model.rows.at(e).number);
        REQUIRE(text == model.rows.at(e).text);
        seen.push_back(e);
    }
    REQUIRE(seen == expected);
    seen.clear();
    registry.view<int, std::string>(entt::exclude<Asleep>).each([&](auto e, int&, std::string&) { seen.push_back(e); });
    REQUIRE(seen == expected);
}

}  // namespace

TEST_CASE("registry: 20000 random operations do what they do to a map") {
    const unsigned seed = 20'240'917;
    MESSAGE("seed " << seed);
    std::mt19937 random{seed};
    const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };

    entt::registry registry;
    Model model;
    Tally tally, expected;
    registry.on_construct<int>().connect<&Tally::on_construct>(tally);
    registry.on_update<int>().connect<&Tally::on_update>(tally);
    registry.on_destroy<int>().connect<&Tally::on_destroy>(tally);

    std::set<entt::entity> ever;  // an identifier is not given twice, as long as the versions do not run around
    const auto born = [&](entt::entity e) {
        REQUIRE(ever.insert(e).second);
        REQUIRE(model.rows.emplace(e, Model::Row{}).second);
    };
    const auto any = [&] {
        return std::next(model.rows.begin(), static_cast<std::ptrdiff_t>(below(model.rows.size())))->first;
    };
    const auto destroy = [&](entt::entity e) {
        expected.destroyed += model.rows.at(e).number.has_value();
        model.destroy(e);
    };

    for (int step = 0; step < 20'000; ++step) {
        CAPTURE(step);
        const auto choice = below(100);
        CAPTURE(choice);
        if (model.rows.empty() || choice < 18) {
            born(registry.create());
        } else if (choice < 20) {
            const auto hint = entt::entity{static_cast<std::uint32_t>(2'000 + below(5'000))};
            const bool taken = ever.contains(hint);
            const auto e = registry.create(taken ? entt::entity{entt::null} : hint);
            REQUIRE((taken || e == hint));
            born(e);
        } else if (choice < 28) {
            const auto e = any();
            registry.destroy(e);
            destroy(e);
            REQUIRE_FALSE(registry.valid(e));
            REQUIRE(registry.current(e) == entt::to_version(e) + 1);
        } else if (choice < 45) {
            const auto e = any();
            const int value = static_cast<int>(below(1'000));
            auto& row = model.rows.at(e);
            row.number ? ++expected.updated : ++expected.constructed;
            if (!row.number) model.numbers.push_back(e);
            if (!row.number && value % 2 == 0)
                registry.emplace<int>(e, value);
            else if (row.number && value % 3 == 0)
                registry.replace<int>(e, value);
            else if (row.number && value % 3 == 1)
                registry.patch<int>(e, [value](int& number) { number = value; });
            else
                registry.emplace_or_replace<int>(e, value);
            row.number = value;
        } else if (choice < 62) {
            const auto e = any();
            auto& row = model.rows.at(e);
            const std::string value(below(60), 'x');
            if (!row.text) model.texts.push_back(e);
            if (!row.text)
                registry.emplace<std::string>(e, value);
            else if (below(2) == 0)
                registry.replace<std::string>(e, value);
            else
                registry.get<std::string>(e) = value;
            row.text = value;
        } else if (choice < 72) {
            const auto e = any();
            auto& row = model.rows.at(e);
            if (!row.asleep) model.sleepers.push_back(e);
            registry.emplace_or_replace<Asleep>(e);
            row.asleep = true;
        } else if (choice < 90) {
            const auto e = any();
            const auto& row = model.rows.at(e);
            const bool all = row.number && row.asleep;
            expected.destroyed += row.number.has_value();
            if (all && below(2) == 0) {
                registry.erase<int, Asleep>(e);
            } else {
                const auto count = static_cast<std::size_t>(row.number.has_value() + row.asleep);
                REQUIRE(registry.remove<int, Asleep>(e) == count);
            }
            model.remove_number(e);
            model.remove_asleep(e);
        } else if (choice < 95) {
            const auto e = any();
            REQUIRE(registry.remove<std::string>(e) == (model.rows.at(e).text ? 1u : 0u));
            model.remove_text(e);
        } else if (choice < 97) {
            // Some of a pool as a range that is not its own.
            Entities range;
            for (const auto e : registry.view<int>())
                if (below(8) == 0) range.push_back(e);
            registry.destroy(range.begin(), range.end());
            for (const auto e : range) destroy(e);
        } else if (choice < 98) {
            for (const auto e : registry.view<int, std::string>()) {
                if (*model.rows.at(e).number % 5 != 0) continue;
                registry.destroy(e);
                destroy(e);
            }
        } else if (below(20) == 0) {
            registry.clear<std::string>();
            for (auto& [e, row] : model.rows) row.text.reset();
            model.texts.clear();
        } else if (below(20) == 0) {
            registry.clear();
            expected.destroyed += static_cast<int>(model.numbers.size());
            model = {};
        } else {
            entt::registry moved{std::move(registry)};
            registry = std::move(moved);
        }
        if (!model.rows.empty()) check_entity(registry, model, any());
        REQUIRE(registry.view<int>().size() == model.numbers.size());
        if (step % 100 == 0) check_whole(registry, model);
    }
    check_whole(registry, model);
    CHECK(tally.constructed == expected.constructed);
    CHECK(tally.updated == expected.updated);
    CHECK(tally.destroyed == expected.destroyed);
    CHECK(expected.destroyed > 1'000);
    CHECK(ever.size() > 3'000);
}
