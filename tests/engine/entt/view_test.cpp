// Views: which entities, in which order, and what may change while they are walked.
#include "tests/engine/entt/parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <set>
#include <string>
#include <tuple>
#include <type_traits>

using namespace tactus::test::parts;

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
