#include "demos/demo.hpp"

#include <algorithm>
#include <stdexcept>

namespace demos {

namespace {

std::vector<const Demo*>& registered() {
    static std::vector<const Demo*> list;
    return list;
}

// Changes of a letter that lead from one word to the other.
std::size_t changes(std::string_view a, std::string_view b) {
    std::vector<std::size_t> row(b.size() + 1);
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t diagonal = row[0];
        row[0] = i;
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t above = row[j];
            row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0u : 1u)});
            diagonal = above;
        }
    }
    return row.back();
}

}  // namespace

double Set::value(std::string_view name) const {
    for (const Parameter& parameter : parameters)
        if (parameter.name == name) return parameter.value;
    throw std::logic_error("the demo has no parameter '" + std::string{name} + "'");
}

const std::vector<const Demo*>& all() {
    static const std::vector<const Demo*> sorted = [] {
        std::vector<const Demo*> list = registered();
        std::ranges::sort(list, [](const Demo* a, const Demo* b) {
            return a->order != b->order ? a->order < b->order : a->name < b->name;
        });
        return list;
    }();
    return sorted;
}

const Demo* find(std::string_view name) {
    for (const Demo* demo : all())
        if (demo->name == name) return demo;
    return nullptr;
}

std::string nearest_name(std::string_view name) {
    const Demo* best = nullptr;
    for (const Demo* demo : all())
        if (!best || changes(name, demo->name) < changes(name, best->name)) best = demo;
    return best ? best->name : "";
}

Register::Register(Demo demo) : demo_{std::move(demo)} { registered().push_back(&demo_); }

}  // namespace demos
