// Entities: their identifiers, how they come and go, and registries that do not know of each other.
#include "tests/engine/entt/parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <set>
#include <type_traits>
#include <utility>
#include <vector>

#ifndef ENTT_ASSERT
#error "ENTT_ASSERT is the check for misuse"
#endif
static_assert(ENTT_VERSION_MAJOR > 3 || (ENTT_VERSION_MAJOR == 3 && ENTT_VERSION_MINOR >= 12));

using namespace tactus::test::parts;

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

namespace {

// Identifiers need not be entt::entity.
enum class Wide : std::uint64_t {};
struct Boxed {
    using entity_type = std::uint32_t;
    constexpr Boxed(entity_type v) noexcept : value{v} {}
    constexpr operator entity_type() const noexcept { return value; }
    entity_type value;
};

template<class None>
constexpr bool becomes_any_identifier = std::is_nothrow_convertible_v<None, entt::entity>&&
    std::is_nothrow_convertible_v<None, std::uint32_t>&& std::is_nothrow_convertible_v<None, std::uint64_t>&&
        std::is_nothrow_convertible_v<None, Wide>&& std::is_nothrow_convertible_v<None, Boxed>;

template<class A, class B> constexpr bool compares(A a, B b) {
    static_assert(noexcept(a == b));
    static_assert(noexcept(a != b));
    static_assert(noexcept(b == a));
    static_assert(noexcept(b != a));
    return (a == b) == (b == a) && (a != b) == !(a == b) && (b != a) == !(b == a);
}

}  // namespace

TEST_CASE("null and tombstone: become identifiers of any type, and what is ambiguous in EnTT is ambiguous") {
    const auto check = []<class None>(None) {
        static_assert(becomes_any_identifier<None>);
        static_assert(compares(None{}, None{}) && compares(None{}, entt::entity{}) && compares(None{}, Wide{}));
        static_assert(compares(None{}, 0u) && compares(None{}, std::uint64_t{}) && compares(None{}, Boxed{0}));
        static_assert(std::is_empty_v<None> && std::is_trivially_copyable_v<None>);
        static_assert(!std::is_convertible_v<entt::entity, None>);
        static_assert(entt::entity{None{}} == entt::entity{0xFFFFFFFF});
        static_assert(std::uint64_t{None{}} == 0xFFFFFFFFFFFFFFFF);
        static_assert(None{} == Wide{None{}} && None{} == Boxed{None{}} && Wide{} != None{} && Boxed{0} != None{});

        // An allocator, too, is a type that they could become.
        using Vector = std::vector<entt::entity>;
        static_assert(std::is_constructible_v<Vector, std::size_t, entt::entity>);
        static_assert(!std::is_constructible_v<Vector, std::size_t, None>);
        // Only calling a conversion tells that it is not possible.
        static_assert(std::is_convertible_v<None, Vector>);
    };
    check(entt::null);
    check(entt::tombstone);
    static_assert(entt::null == Wide{0x12345678FFFFFFFF} && entt::tombstone != Wide{0x12345678FFFFFFFF});
    static_assert(entt::null != Wide{0xFFFFFFFF12345678} && entt::tombstone == Wide{0xFFFFFFFF12345678});

    std::vector<entt::entity> entities(3, entt::entity{entt::null});
    entities[1] = entt::entity{};
    CHECK(std::count(entities.begin(), entities.end(), entt::null) == 2);
    const auto chosen = entities.empty() ? entities[1] : entt::null;
    static_assert(std::is_same_v<decltype(chosen), const entt::entity>);
    CHECK((chosen == entt::null));
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
