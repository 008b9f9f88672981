// What EnTT refuses, the stand-in must refuse: else code that compiles here breaks where EnTT itself is taken.
//
// refused.cmake compiles this file twice. As it stands it must compile; with TACTUS_REFUSED every line that ends with
// the mark must be an error. Beside each such line stands what is right.
#include "tests/engine/entt/parts.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <iterator>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

using namespace tactus::test::parts;

#ifdef TACTUS_REFUSED
namespace entt {
class registry;  // refused
}
#endif

namespace {

struct Listener {
    void hear(entt::registry&, entt::entity) {}
};
void pointed(Listener*, entt::registry&, entt::entity) {}
void referred(Listener&, entt::registry&, entt::entity) {}
[[maybe_unused]] void too_many(entt::registry&, entt::entity, int) {}
[[maybe_unused]] void another(std::string) {}

[[maybe_unused]] void null_and_tombstone(entt::registry& registry) {
    const auto e = registry.create();
#ifndef TACTUS_REFUSED
    std::vector<entt::entity> entities(3, entt::entity{entt::null});
    const std::vector<int> numbers;
    CHECK((e == entt::null));
    CHECK((e != entt::tombstone));
    static_cast<void>(entt::entity{entt::null} == entt::tombstone);
    static_cast<void>(entt::to_entity(entt::entity{entt::null}));
#else
    std::vector<entt::entity> entities(3, entt::null);                             // refused
    const std::vector<int> numbers = entt::null;                                   // refused
    CHECK(e == entt::null);                                                        // refused
    CHECK(e != entt::tombstone);                                                   // refused
    static_cast<void>(entt::null == std::string{});                                // refused
    static_cast<void>(entt::to_entity(entt::null));                                // refused
    static_cast<void>(entt::entt_traits<double>::entity_mask);                     // refused
    static_cast<void>(entt::entt_traits<entt::entity>::version_shift);             // refused
#endif
    static_cast<void>(entities.size() + numbers.size());
}

[[maybe_unused]] void results_that_nobody_takes(entt::registry& registry) {
    const auto& constant = registry;
    const auto e = registry.create();
#ifndef TACTUS_REFUSED
    registry.storage<Position>();
    registry.destroy(e);
    registry.remove<Position>(e);
    registry.ctx().emplace<Position>();
    registry.ctx().erase<Position>();
    static_cast<void>(constant);
#else
    registry.create();                                                             // refused
    registry.valid(e);                                                             // refused
    registry.current(e);                                                           // refused
    registry.orphan(e);                                                            // refused
    registry.all_of<Position>(e);                                                  // refused
    registry.any_of<Position>(e);                                                  // refused
    registry.get<Position>(e);                                                     // refused
    registry.try_get<Position>(e);                                                 // refused
    registry.get_or_emplace<Position>(e);                                          // refused
    registry.view<Position>();                                                     // refused
    registry.view<Position>().size();                                              // refused
    registry.view<Position>().get<Position>(e);                                    // refused
    registry.view<Position, Mass>().contains(e);                                   // refused
    registry.view<Position, Mass>().get(e);                                        // refused
    registry.view<Position, Mass>().each();                                        // refused
    constant.view<Position>();                                                     // refused
    constant.storage<Position>();                                                  // refused
    registry.storage<Position>().get(e);                                           // refused
    registry.storage<Position>().each();                                           // refused
    registry.storage<Position>().begin();                                          // refused
    registry.storage<Asleep>().empty();                                            // refused
    registry.storage<Asleep>().contains(e);                                        // refused
    registry.storage<Asleep>().index(e);                                           // refused
    registry.on_construct<Position>();                                             // refused
    registry.on_destroy<Position>().empty();                                       // refused
    registry.ctx();                                                                // refused
    registry.ctx().get<Position>();                                                // refused
    registry.ctx().find<Position>();                                               // refused
    registry.ctx().contains<Position>();                                           // refused
    entt::to_integral(e);                                                          // refused
#endif
}

[[maybe_unused]] void components(entt::registry& registry) {
    const auto e = registry.create();
#ifndef TACTUS_REFUSED
    registry.emplace<Position>(e, 1.0);
    registry.replace<Mass>(e, 4.0);
    registry.emplace<Asleep>(e);
    registry.emplace<std::vector<int>>(e);
#else
    registry.emplace<const Position>(e);                                           // refused
    registry.emplace<Position&>(e);                                                // refused
    registry.remove<const Position>(e);                                            // refused
    registry.clear<const Position>();                                              // refused
    static_cast<void>(registry.on_update<const Mass>());                           // refused
    static_cast<void>(registry.try_get<Asleep>(e));                                // refused
    static_cast<void>(registry.get<Position, Asleep>(e));                          // refused
    registry.storage<Mass>().replace(e, 4.0);                                      // refused
#endif
}

[[maybe_unused]] void views(entt::registry& registry) {
    const auto& constant = registry;
    const auto e = registry.create();
#ifndef TACTUS_REFUSED
    const Position& read = constant.view<Position>().get<Position>(e);
    Position& write = registry.view<Position>().get<const Position>(e);
    registry.view<Position, Mass>().each([](entt::entity, Position&, Mass&) {});
    registry.view<Asleep>().each([](entt::entity) {});
    static_cast<void>(registry.view<Position, Mass>().size_hint());
    static_cast<void>(read.x + write.x);
#else
    Position& write = constant.view<Position>().get<Position>(e);                  // refused
    static_cast<void>(constant.get<Position>(e).x = 1.0);                          // refused
    registry.view<const Position>().each([](entt::entity, Position&) {});          // refused
    registry.view<Position, Mass>().each([](entt::entity&, Position&, Mass&) {});  // refused
    registry.view<Position, Mass>().each([](Mass&, Position&) {});                 // refused
    registry.view<Asleep>().each([](Asleep&) {});                                  // refused
    static_cast<void>(registry.view<Position, Mass>().size());                     // refused
    static_cast<void>(registry.view<Position>().get<Velocity>(e));                 // refused
    static_cast<void>(registry.view<Position>().each().first);                     // refused
#endif
}

[[maybe_unused]] void signals(entt::registry& registry) {
    Listener listener;
    auto sink = registry.on_construct<Position>();
#ifndef TACTUS_REFUSED
    sink.connect<&Listener::hear>(listener);
    sink.connect<&Listener::hear>(&listener);
    sink.connect<&referred>(listener);
    sink.connect<&pointed>(&listener);
    sink.connect<[](entt::registry&, entt::entity) {}>();
#else
    sink.connect<&referred>(&listener);                                            // refused
    sink.connect<&pointed>(listener);                                              // refused
    sink.connect<&too_many>();                                                     // refused
    sink.connect<&another>();                                                      // refused
    sink.connect<[](entt::entity) {}>();                                           // refused
    registry.storage<Position>().constructed;                                      // refused
#endif
    static_cast<void>(listener);
}

[[maybe_unused]] void iterators_and_names(entt::registry& registry) {
    const auto& set = static_cast<const entt::sparse_set&>(registry.storage<Position>());
    const auto position = registry.storage<Position>().begin();
    const Mass mass{1.0};
#ifndef TACTUS_REFUSED
    static_cast<void>(set.begin() + 1);
    static_cast<void>(position + 1 < position);
    const Mass& kept = registry.ctx().insert_or_assign(mass);
    entt::registry other;
    other = std::move(registry);
    static_cast<void>(kept.value);
#else
    static_cast<void>(1 + set.begin());                                            // refused
    static_cast<void>(1 + position);                                               // refused
    static_cast<void>(position <=> position);                                      // refused
    Mass& kept = registry.ctx().insert_or_assign(mass);                            // refused
    entt::registry other = registry;                                               // refused
    static_assert(noexcept(registry.valid({})));                                   // refused
    static_assert(noexcept(registry.all_of<Mass>({})));                            // refused
    static_assert(noexcept(registry.try_get<Mass>({})));                           // refused
    static_assert(noexcept(registry.ctx().find<Mass>()));                          // refused
    entt::context* context = nullptr;                                              // refused
    entt::entity_storage* entities = nullptr;                                      // refused
    using Tag = entt::storage_for_t<Asleep>::value_type&;                          // refused
#endif
}

}  // namespace
