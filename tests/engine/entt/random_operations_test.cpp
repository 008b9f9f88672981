// A registry against the plainest one that could be right, over many random operations.
#include "tests/engine/entt/parts.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <set>
#include <string>
#include <utility>

using namespace tactus::test::parts;

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
