// Signals: who hears of a component that comes, changes or goes, also from a registry that has moved.
#include "tests/engine/entt/parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

using namespace tactus::test::parts;

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
void with_pointer(Listener* payload, entt::entity e) { calls.push_back({payload->name + " pointed", e}); }

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

    // An instance given as a pointer: a member function does not mind, a function gets the pointer.
    sink.connect<&Listener::hear>(&ann);
    sink.connect<&with_pointer>(&ann);
    registry.emplace<int>(registry.create());
    CHECK(names() == Names{"ann pointed", "ann hears"});
    sink.disconnect<&with_pointer>(&ann);
    sink.disconnect<&Listener::hear>(&ann);
    CHECK(sink.empty());
}

TEST_CASE("signals: a listener may give the entity other components") {
    entt::registry registry;
    registry.on_construct<Velocity>().connect<&give_position>();
    for (const auto e : create(registry, 100)) registry.emplace<Velocity>(e);
    CHECK(registry.view<Position>().size() == 100);
}

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
