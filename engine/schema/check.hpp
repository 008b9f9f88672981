// Checks a described value against its table: the same for input from C++ and from files.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/engine/functions.hpp>
#include <tactus/engine/materials/material.hpp>
#include <tactus/engine/rotation.hpp>
#include <tactus/engine/schema/context.hpp>
#include <tactus/engine/schema/field.hpp>

#include <array>
#include <cmath>
#include <map>
#include <optional>
#include <variant>
#include <vector>

namespace tactus::schema {

// "must be > 0 [m]"
std::string allowed_text(const Rule& rule);

void check(double value, const Rule& rule, Context& context);
void check(int value, const Rule& rule, Context& context);
void check(const Vec3& value, const Rule& rule, Context& context);
void check(const Mat3& value, const Rule& rule, Context& context);
void check(const Rotation& value, const Rule& rule, Context& context);
void check(const Axis& value, const Rule& rule, Context& context);
void check(const std::string& value, const Rule& rule, Context& context);
void check(const Ref& value, const Rule& rule, Context& context);
void check(const Color& value, const Rule& rule, Context& context);

// A text that is not UTF-8 could not be written to a scene file.
void check_utf8(const std::string& value, Context& context);

inline void check(bool, const Rule&, Context&) {}

template<class T>
requires std::is_enum_v<T>
void check(T, const Rule&, Context&) {}

template<Described T> void check(const T& value, const Rule&, Context& context);
template<class... T> void check(const std::variant<T...>& value, const Rule& rule, Context& context);
template<class T> void check(const Table<T>& value, const Rule& rule, Context& context);
inline void check(const Callback& value, const Rule&, Context& context);

template<class T> void check(const std::optional<T>& value, const Rule& rule, Context& context) {
    if (value) check(*value, rule, context);
}

template<class Range> void check_each(const Range& values, const Rule& rule, Context& context) {
    std::size_t i = 0;
    for (const auto& value : values) {
        const Context::Step step{context, i++};
        check(value, rule, context);
    }
}
template<class T> void check(const std::vector<T>& values, const Rule& rule, Context& context) {
    if (values.size() < rule.min_items)
        return context.fail(std::to_string(values.size()) + " elements",
                            "must have at least " + std::to_string(rule.min_items));
    check_each(values, rule, context);
}
template<class T, std::size_t n> void check(const std::array<T, n>& values, const Rule& rule, Context& context) {
    check_each(values, rule, context);
}
template<class T> void check(const std::map<std::string, T>& values, const Rule& rule, Context& context) {
    for (const auto& [key, value] : values) {
        const Context::Step step{context, key};
        check(value, rule, context);
    }
}

inline void check(const Callback& value, const Rule&, Context& context) {
    const Context::Step step{context, "function"};
    check(value.function, required(), context);
}

template<class T> void check(const Table<T>& value, const Rule& rule, Context& context) {
    if (value.x.empty() || value.x.size() != value.values.size())
        return context.fail(std::to_string(value.x.size()) + " x and " + std::to_string(value.values.size()) +
                                " values",
                            "a table needs at least one x and as many values");
    for (std::size_t i = 0; i < value.x.size(); ++i) {
        const Context::Step list{context, "x"};
        const Context::Step step{context, i};
        check(value.x[i], any(), context);
        if (i > 0 && value.x[i] < value.x[i - 1])
            context.fail(text_of(value.x[i]), "must not be smaller than the x before it, " + text_of(value.x[i - 1]));
    }
    const Context::Step list{context, "values"};
    check(value.values, rule, context);
}

// Structs derived from a variant (Law, Gravity, ...) come here too.
template<class... T> void check(const std::variant<T...>& value, const Rule& rule, Context& context) {
    std::visit([&](const auto& alternative) { check(alternative, rule, context); }, value);
}

template<Described T> void check(const T& value, const Rule&, Context& context) {
    for_each_field<T>([&](const auto& field) {
        if (field.in_line) return check(value.*field.member, field.rule, context);
        const Context::Step step{context, field.key};
        check(value.*field.member, field.rule, context);
    });
    if constexpr (HasOwnCheck<T>) Describe<T>::check(value, context);
}

}  // namespace tactus::schema
