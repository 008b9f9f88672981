// Field tables: one description of every struct that a user fills in. Checks at the door, reading and writing of scene
// files, the JSON Schema and the resolution of references are all made from these tables, so that they cannot disagree.
#pragma once

#include <cstddef>
#include <limits>
#include <string_view>
#include <tuple>
#include <type_traits>

namespace tactus::schema {

// Kinds of elements that a Ref may name.
enum Kind : unsigned {
    object_kind = 1,
    joint_kind = 2,
    force_kind = 4,
    drive_kind = 8,
    path_kind = 16,
    record_kind = 32
};

inline constexpr std::size_t longest_name = 1000;  // [bytes] of elements and materials

// What a value must fulfil. Numbers must always be finite; bounds of vectors and lists hold for each element.
struct Rule {
    double min = -std::numeric_limits<double>::infinity();
    double max = std::numeric_limits<double>::infinity();
    bool above_min = false, below_max = false;  // bounds excluded
    bool required = false;                      // the key must be there
    bool not_empty = false;                     // a text must not be empty
    bool not_zero = false;                      // a number must not be 0, a vector must have a direction
    bool is_name = false;                       // of an element: parts separated by dots; World looks closer
    std::size_t min_items = 0;                  // of a list
    unsigned kinds = 0;                         // what a Ref may name
    bool may_be_ground = false;                 // an empty Ref means something (the ground, the world)
    std::string_view unit = "";
};

constexpr Rule any(std::string_view unit = "") {
    Rule rule;
    rule.unit = unit;
    return rule;
}
constexpr Rule at_least(double min, std::string_view unit = "") {
    Rule rule = any(unit);
    rule.min = min;
    return rule;
}
constexpr Rule positive(std::string_view unit = "") {
    Rule rule = at_least(0.0, unit);
    rule.above_min = true;
    return rule;
}
constexpr Rule between(double min, double max, std::string_view unit = "") {
    Rule rule = at_least(min, unit);
    rule.max = max;
    return rule;
}
constexpr Rule above_up_to(double min, double max, std::string_view unit = "") {
    Rule rule = between(min, max, unit);
    rule.above_min = true;
    return rule;
}
constexpr Rule direction() {
    Rule rule;
    rule.not_zero = true;
    return rule;
}
constexpr Rule refers_to(unsigned kinds) {  // to exactly one element of these kinds
    Rule rule;
    rule.kinds = kinds;
    rule.required = true;
    return rule;
}
constexpr Rule may_refer_to(unsigned kinds) {
    Rule rule;
    rule.kinds = kinds;
    rule.may_be_ground = true;
    return rule;
}
constexpr Rule required(Rule rule = {}) {
    rule.required = true;
    rule.not_empty = true;
    return rule;
}
constexpr Rule not_empty() {
    Rule rule;
    rule.not_empty = true;
    return rule;
}
constexpr Rule name_of_element() {
    Rule rule = not_empty();
    rule.is_name = true;
    return rule;
}
constexpr Rule not_zero(std::string_view unit = "") {
    Rule rule = any(unit);
    rule.not_zero = true;
    return rule;
}
constexpr Rule at_least_one(Rule rule) {
    rule.min_items = 1;
    return rule;
}

template<class Owner, class T> struct Field {
    using Value = T;
    std::string_view key;  // in scene files
    T Owner::*member;
    Rule rule;
    std::string_view doc;  // one line, for the JSON Schema
    bool in_line = false;  // a struct or a variant whose keys stand beside those of its owner
};

template<class Owner, class T> constexpr Field<Owner, T> in_line(std::string_view key, T Owner::*member) {
    return {key, member, {}, "", true};
}

// Specialised in tables.hpp for every described struct:
//   static constexpr std::string_view name = "Sphere";
//   static constexpr std::string_view doc = "...";
//   static constexpr auto fields = std::tuple{Field{...}, ...};
//   static void check(const T&, Context&);   optional: rules across fields
template<class T> struct Describe;

template<class T>
concept Described = requires {
    Describe<T>::fields;
};

template<class T>
concept HasOwnCheck = Described<T> && requires {
    &Describe<T>::check;
};

// Specialised for enums: static constexpr std::array names, in the order of the enumerators.
template<class T> struct EnumNames;

template<class T, template<class...> class Template> struct is_specialization : std::false_type {};
template<class... Args, template<class...> class Template>
struct is_specialization<Template<Args...>, Template> : std::true_type {};
template<class T, template<class...> class Template> inline constexpr bool is_a = is_specialization<T, Template>::value;

// Calls visit(field) for every field of T.
template<Described T, class Visit> constexpr void for_each_field(Visit&& visit) {
    std::apply([&](const auto&... field) { (visit(field), ...); }, Describe<T>::fields);
}

}  // namespace tactus::schema
