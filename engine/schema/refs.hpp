// Finds every reference in a described value.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/engine/schema/context.hpp>
#include <tactus/engine/schema/field.hpp>

#include <concepts>
#include <optional>
#include <variant>

namespace tactus::schema {

// Calls visit(ref, rule) for every Ref in `value`, with `context` standing at it.
template<class T, class Visit> void visit_refs(T& value, const Rule& rule, Context& context, const Visit& visit) {
    using Plain = std::remove_const_t<T>;
    if constexpr (std::same_as<Plain, Ref>) {
        visit(value, rule);
    } else if constexpr (is_a<Plain, std::variant>) {
        std::visit([&](auto& alternative) { visit_refs(alternative, rule, context, visit); }, value);
    } else if constexpr (is_a<Plain, std::optional>) {
        if (value) visit_refs(*value, rule, context, visit);
    } else if constexpr (Described<Plain>) {
        for_each_field<Plain>([&](const auto& field) {
            if (field.in_line) return visit_refs(value.*field.member, field.rule, context, visit);
            const Context::Step step{context, field.key};
            visit_refs(value.*field.member, field.rule, context, visit);
        });
    }
}

}  // namespace tactus::schema
