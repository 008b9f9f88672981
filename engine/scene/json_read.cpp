// Reading: JSON to described values.
#include <tactus/engine/scene/json.hpp>

#include <tactus/engine/schema/document_tables.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::codec {

using schema::Context;
using schema::Describe;
using schema::Described;
using schema::is_a;
using schema::Rule;

namespace {

// The keys that an object may have.
struct KnownKeys {
    std::vector<std::string> keys;
    bool others = false;  // nothing can be said about further keys: the type, which tells them, is wrong
};

std::string kind_of(const Json& json);
void report_unknown_keys(const Json& json, const KnownKeys& known, Context& context);

// ---- declared first: they call each other ---------------------------------------------------------------------------

void read(const Json& json, double& value, const Rule&, Context&);
void read(const Json& json, int& value, const Rule&, Context&);
void read(const Json& json, bool& value, const Rule&, Context&);
void read(const Json& json, std::string& value, const Rule&, Context&);
void read(const Json& json, Vec3& value, const Rule&, Context&);
void read(const Json& json, Mat3& value, const Rule&, Context&);
void read(const Json& json, Rotation& value, const Rule&, Context&);
void read(const Json& json, Axis& value, const Rule&, Context&);
void read(const Json& json, Color& value, const Rule&, Context&);
void read(const Json& json, Ref& value, const Rule&, Context&);
void read(const Json& json, ParentRef& value, const Rule&, Context&);
void read(const Json& json, VisualMaterialRef& value, const Rule&, Context&);
void read(const Json& json, Gravity& value, const Rule&, Context&);
void read(const Json& json, TimeVector& value, const Rule&, Context&);
void read(const Json& json, Law& value, const Rule&, Context&);

template<class T>
requires std::is_enum_v<T>
void read(const Json& json, T& value, const Rule&, Context& context);
template<Described T> void read(const Json& json, T& value, const Rule&, Context& context);
template<class... T> void read(const Json& json, std::variant<T...>& value, const Rule&, Context& context);
template<class T> void read(const Json& json, std::optional<T>& value, const Rule& rule, Context& context);
template<class T> void read(const Json& json, std::vector<T>& values, const Rule& rule, Context& context);
template<class T, std::size_t n>
void read(const Json& json, std::array<T, n>& values, const Rule& rule, Context& context);
template<class T> void read(const Json& json, std::map<std::string, T>& values, const Rule& rule, Context& context);

// ---- messages ------------------------------------------------------------------------------------------------------

std::string shown(const Json& json) {
    if (json.is_structured() && json.size() > 8) return kind_of(json) + " of " + std::to_string(json.size());
    std::string text = json.dump(-1, ' ', false, Json::error_handler_t::replace);
    if (text.size() > 60) text = text.substr(0, 57) + "...";
    return text;
}

std::string kind_of(const Json& json) {
    switch (json.type()) {
    case Json::value_t::object: return "an object";
    case Json::value_t::array: return "a list";
    case Json::value_t::string: return "a text";
    case Json::value_t::boolean: return "true or false";
    case Json::value_t::null: return "null";
    default: return "a number";
    }
}

void wrong_kind(const Json& json, std::string_view expected, Context& context) {
    context.fail(shown(json), "must be " + std::string{expected} + ", not " + kind_of(json));
}

void report_unknown_keys(const Json& json, const KnownKeys& known, Context& context) {
    if (known.others) return;
    for (const auto& [key, element] : json.items()) {
        if (std::find(known.keys.begin(), known.keys.end(), key) != known.keys.end()) continue;
        const Context::Step step{context, key};
        context.fail("", "unknown key" + schema::did_you_mean(key, known.keys, "allowed are"));
    }
}

// ---- plain values --------------------------------------------------------------------------------------------------

void read(const Json& json, double& value, const Rule&, Context& context) {
    if (!json.is_number()) return wrong_kind(json, "a number", context);
    value = json.get<double>();
}

void read(const Json& json, int& value, const Rule&, Context& context) {
    if (!json.is_number()) return wrong_kind(json, "a whole number", context);
    const double number = json.get<double>();
    if (number != std::floor(number) || std::abs(number) > std::numeric_limits<int>::max())
        return context.fail(shown(json), "must be a whole number");
    value = static_cast<int>(number);
}

void read(const Json& json, bool& value, const Rule&, Context& context) {
    if (!json.is_boolean()) return wrong_kind(json, "true or false", context);
    value = json.get<bool>();
}

void read(const Json& json, std::string& value, const Rule& rule, Context& context) {
    if (!json.is_string()) return wrong_kind(json, "a text", context);
    value = json.get<std::string>();
    if (rule.not_empty && value.empty()) context.fail("\"\"", "must not be empty");
}

bool is_numbers(const Json& json, std::size_t count) {
    return json.is_array() && json.size() == count &&
           std::all_of(json.begin(), json.end(), [](const Json& element) { return element.is_number(); });
}

void read(const Json& json, Vec3& value, const Rule&, Context& context) {
    if (!is_numbers(json, 3)) return context.fail(shown(json), "must be a list of three numbers");
    for (std::size_t i = 0; i < 3; ++i) value[static_cast<Eigen::Index>(i)] = json[i].get<double>();
}

void read(const Json& json, Mat3& value, const Rule&, Context& context) {
    const auto at = [&json](std::size_t i) { return json[i].get<double>(); };
    if (is_numbers(json, 3)) {
        value = Vec3{at(0), at(1), at(2)}.asDiagonal();
    } else if (is_numbers(json, 6)) {
        value << at(0), at(3), at(4), at(3), at(1), at(5), at(4), at(5), at(2);
    } else if (json.is_array() && json.size() == 3 && is_numbers(json[0], 3) && is_numbers(json[1], 3) &&
               is_numbers(json[2], 3)) {
        for (std::size_t i = 0; i < 3; ++i)
            for (std::size_t k = 0; k < 3; ++k)
                value(static_cast<Eigen::Index>(i), static_cast<Eigen::Index>(k)) = json[i][k].get<double>();
    } else {
        context.fail(shown(json), "must be [xx, yy, zz], [xx, yy, zz, xy, xz, yz] or three rows of three numbers");
    }
}

void read(const Json& json, Rotation& value, const Rule& rule, Context& context) {
    if (!json.is_object()) {
        Vec3 angles = Vec3::Zero();
        read(json, angles, rule, context);
        value = Rotation{angles};
        return;
    }
    const auto q = json.find("quaternion");
    report_unknown_keys(json, {{"quaternion"}}, context);
    if (q == json.end() || !is_numbers(*q, 4))
        return context.fail(shown(json), "must be [ax, ay, az] in rad or {\"quaternion\": [x, y, z, w]}");
    value = Rotation{Quat{(*q)[3].get<double>(), (*q)[0].get<double>(), (*q)[1].get<double>(), (*q)[2].get<double>()}};
}

void read(const Json& json, Axis& value, const Rule&, Context& context) {
    if (json.is_number()) {
        const double coordinate = json.get<double>();
        if (coordinate != std::floor(coordinate) || coordinate == 0 || std::abs(coordinate) > 3)
            return context.fail(shown(json), "must be 1, 2, 3, -1, -2, -3 or a vector of three numbers");
        value = Axis{static_cast<int>(coordinate)};
    } else if (is_numbers(json, 3)) {
        value = Axis{json[0].get<double>(), json[1].get<double>(), json[2].get<double>()};
    } else {
        context.fail(shown(json), "must be 1, 2, 3, -1, -2, -3 or a vector of three numbers");
    }
}

void read(const Json& json, Color& value, const Rule&, Context& context) {
    if (json.is_string()) {
        value = Color{json.get<std::string>()};
    } else if (is_numbers(json, 3)) {
        for (std::size_t i = 0; i < 3; ++i) {
            const double part = json[i].get<double>();
            if (part != std::floor(part) || part < 0 || part > 255)
                return context.fail(shown(json), "each part must be a whole number from 0 to 255");
            value.rgb[i] = static_cast<int>(part);
        }
    } else {
        context.fail(shown(json), "must be a colour name or [red, green, blue] from 0 to 255");
    }
}

void read(const Json& json, Ref& value, const Rule& rule, Context& context) { read(json, value.path, rule, context); }

void read(const Json& json, ParentRef& value, const Rule& rule, Context& context) {
    read(json, value.path, rule, context);
    if (!json.is_string()) return;
    if (value.path.empty()) return context.fail(shown(json), "must be the name of an object");
    value.rule = ParentRule::given;
}

void read(const Json& json, VisualMaterialRef& value, const Rule& rule, Context& context) {
    if (json.is_string())
        value = VisualMaterialRef{json.get<std::string>()};
    else if (json.is_object())
        read(json, value.emplace<VisualMaterial>(), rule, context);
    else
        wrong_kind(json, "a name of the visual palette or an object", context);
}

void read(const Json& json, Gravity& value, const Rule& rule, Context& context) {
    if (json.is_array()) return read(json, value.emplace<UniformGravity>().acceleration, rule, context);
    if (!json.is_object()) return wrong_kind(json, "a list [x, y, z] or an object with a \"type\"", context);
    using Variant = std::variant<UniformGravity, NoGravity, PointGravity>;
    read(json, static_cast<Variant&>(value), rule, context);
}

template<class Value, class Function>
void read_table_or_callback(const Json& json, Function& value, const Rule& rule, Context& context) {
    if (json.contains("function")) {
        report_unknown_keys(json, {{"function"}}, context);
        const Context::Step step{context, "function"};
        return read(json["function"], value.template emplace<Callback>().function, rule, context);
    }
    report_unknown_keys(json, {{"x", "values"}}, context);
    if (!json.contains("x") || !json.contains("values"))
        return context.fail(shown(json), "must have x and values (a table), or function");
    Table<Value>& table = value.template emplace<Table<Value>>();
    {
        const Context::Step step{context, "x"};
        read(json["x"], table.x, rule, context);
    }
    const Context::Step step{context, "values"};
    read(json["values"], table.values, rule, context);
}

void read(const Json& json, TimeVector& value, const Rule& rule, Context& context) {
    if (json.is_object()) return read_table_or_callback<Vec3>(json, value, rule, context);
    read(json, value.emplace<Vec3>(Vec3::Zero()), rule, context);
}

void read(const Json& json, Law& value, const Rule& rule, Context& context) {
    if (json.is_object()) return read_table_or_callback<double>(json, value, rule, context);
    read(json, value.emplace<double>(0.0), rule, context);
}

// ---- enumerations and containers ------------------------------------------------------------------------------------

template<class T>
requires std::is_enum_v<T>
void read(const Json& json, T& value, const Rule&, Context& context) {
    const auto& names = schema::EnumNames<T>::names;
    std::vector<std::string> words(names.begin(), names.end());
    if (!json.is_string()) return wrong_kind(json, "a word", context);
    const auto found = std::find(words.begin(), words.end(), json.get_ref<const std::string&>());
    if (found == words.end()) {
        const std::string advice = schema::did_you_mean(json.get_ref<const std::string&>(), words);
        for (std::string& word : words) word = schema::in_quotes(word);
        return context.fail(shown(json), "must be one of " + schema::joined(words) + advice);
    }
    value = static_cast<T>(found - words.begin());
}

template<class T> void read(const Json& json, std::optional<T>& value, const Rule& rule, Context& context) {
    read(json, value.emplace(), rule, context);
}

template<class T> void read(const Json& json, std::vector<T>& values, const Rule& rule, Context& context) {
    if (!json.is_array()) return wrong_kind(json, "a list", context);
    values.clear();
    values.reserve(json.size());
    for (std::size_t i = 0; i < json.size(); ++i) {
        const Context::Step step{context, i};
        read(json[i], values.emplace_back(), rule, context);
    }
}
template<class T, std::size_t n>
void read(const Json& json, std::array<T, n>& values, const Rule& rule, Context& context) {
    if (!json.is_array() || json.size() != n)
        return context.fail(shown(json), "must be a list of " + std::to_string(n));
    for (std::size_t i = 0; i < n; ++i) {
        const Context::Step step{context, i};
        read(json[i], values[i], rule, context);
    }
}
template<class T> void read(const Json& json, std::map<std::string, T>& values, const Rule& rule, Context& context) {
    if (!json.is_object()) return wrong_kind(json, "an object with a key for each name", context);
    for (const auto& [key, element] : json.items()) {
        const Context::Step step{context, key};
        read(element, values[key], rule, context);
    }
}

// ---- structs and variants ------------------------------------------------------------------------------------------

// Reads the keys of T from an object that may hold others; `known` collects the keys.
template<Described T> void read_fields(const Json& json, T& value, KnownKeys& known, Context& context);

// Reads the alternative that "type" names, its keys standing in the same object.
template<class... T> void read_tagged(const Json& json, std::variant<T...>& value, KnownKeys& known, Context& context) {
    known.keys.emplace_back("type");
    const std::vector<std::string> names{std::string{Describe<T>::name}...};
    const auto fail = [&](const std::string& given) {
        const Context::Step step{context, "type"};
        context.fail(given.empty() ? "" : schema::in_quotes(given), (given.empty() ? "is missing; " : "") +
                                                                        ("must be one of " + schema::joined(names)) +
                                                                        schema::did_you_mean(given, names));
        known.others = true;
    };
    const auto tag = json.find("type");
    if (tag == json.end()) return fail("");
    if (!tag->is_string()) {
        known.others = true;
        const Context::Step step{context, "type"};
        return wrong_kind(*tag, "a word", context);
    }
    const std::string given = tag->template get<std::string>();
    const bool found =
        ((given == Describe<T>::name && (read_fields(json, value.template emplace<T>(), known, context), true)) || ...);
    if (!found) fail(given);
}

template<Described T> void read_fields(const Json& json, T& value, KnownKeys& known, Context& context) {
    schema::for_each_field<T>([&]<class Field>(const Field& field) {
        using Value = typename Field::Value;
        if (field.in_line) {
            if constexpr (is_a<Value, std::variant>) return read_tagged(json, value.*field.member, known, context);
            if constexpr (Described<Value>) return read_fields(json, value.*field.member, known, context);
        }
        known.keys.emplace_back(field.key);
        const Context::Step step{context, field.key};
        const auto found = json.find(std::string{field.key});
        if (found == json.end()) {
            if (field.rule.required) context.fail("", "is missing");
            return;
        }
        read(*found, value.*field.member, field.rule, context);
    });
}

template<Described T> void read(const Json& json, T& value, const Rule&, Context& context) {
    if (!json.is_object()) return wrong_kind(json, "an object", context);
    constexpr bool is_element = requires { value.name; }
    || std::is_same_v<T, SceneDocument>;
    if constexpr (is_element && !std::is_same_v<T, SceneDocument>) {
        const auto name = json.find("name");
        context.enter_element(name != json.end() && name->is_string() ? name->template get<std::string>() : "");
    }
    KnownKeys known;
    read_fields(json, value, known, context);
    report_unknown_keys(json, known, context);
    if constexpr (is_element) context.leave_element();
}

// A variant that stands by itself: an object with a "type".
template<class... T> void read(const Json& json, std::variant<T...>& value, const Rule&, Context& context) {
    if (!json.is_object()) return wrong_kind(json, "an object with a \"type\"", context);
    KnownKeys known;
    read_tagged(json, value, known, context);
    report_unknown_keys(json, known, context);
}

}  // namespace

void read(const Json& json, SceneDocument& document, Context& context) { read(json, document, Rule{}, context); }

void read(const Json& json, MaterialsDef& materials, Context& context) { read(json, materials, Rule{}, context); }

}  // namespace tactus::codec
