// JSON Schema of described values. `defs` collects the definitions that a schema refers to.
#include <tactus/engine/scene/json.hpp>

#include <tactus/engine/schema/document_tables.hpp>

#include <cmath>

namespace tactus::codec {

using schema::Context;
using schema::Describe;
using schema::Described;
using schema::is_a;
using schema::Rule;

namespace {

Json number_schema(const Rule& rule, const char* type);
Json vector_schema(const Rule& rule);
Json string_schema(const Rule& rule);

// The same characters that World refuses in names: spaces of any kind, quotes, slashes, and what is not seen.
constexpr const char* part_of_name =
    R"([^\s\u0000-\u001f\u007f-\u00a0\u00ad\u1680\u180e\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\ufeff"/.]+)";

template<class T> struct SchemaOf;

// Adds the properties of T to an object schema.
template<Described T> void schema_fields(Json& object, Json& defs) {
    schema::for_each_field<T>([&]<class Field>(const Field& field) {
        using Value = typename Field::Value;
        if (field.in_line) {
            if constexpr (Described<Value>) schema_fields<Value>(object, defs);
            return;  // a variant in line is spread over alternatives by object_schema
        }
        Json property = SchemaOf<Value>::make(field.rule, defs);
        std::string doc{field.doc};
        if (!field.rule.unit.empty()) doc += " [" + std::string{field.rule.unit} + "]";
        property["description"] = doc;
        object["properties"][std::string{field.key}] = std::move(property);
        if (field.rule.required) object["required"].push_back(field.key);
    });
}

template<Described T> Json plain_object_schema(Json& defs, std::string_view tag) {
    Json object;
    object["type"] = "object";
    if (!Describe<T>::doc.empty()) object["description"] = Describe<T>::doc;
    object["properties"] = Json::object();
    object["required"] = Json::array();
    if (!tag.empty()) {
        object["properties"]["type"] = Json{{"const", tag}};
        object["required"].push_back("type");
    }
    schema_fields<T>(object, defs);
    object["additionalProperties"] = false;
    return object;
}

template<class Owner, class Variant> struct InLineAlternatives;
template<class Owner, class... T> struct InLineAlternatives<Owner, std::variant<T...>> {
    static Json make(Json& defs) {
        Json list = Json::array();
        const auto add = [&]<class A>(std::type_identity<A>) {
            Json object = plain_object_schema<Owner>(defs, Describe<A>::name);
            object["description"] = Describe<A>::doc;
            schema_fields<A>(object, defs);
            list.push_back(std::move(object));
        };
        (add(std::type_identity<T>{}), ...);
        return Json{{"oneOf", list}};
    }
};

template<Described T> Json object_schema(Json& defs) {
    Json result;
    schema::for_each_field<T>([&]<class Field>(const Field& field) {
        if constexpr (is_a<typename Field::Value, std::variant>)
            if (field.in_line) result = InLineAlternatives<T, typename Field::Value>::make(defs);
    });
    return result.is_null() ? plain_object_schema<T>(defs, "") : result;
}

template<Described T> Json reference_schema(Json& defs) {
    const std::string name{Describe<T>::name};
    if (!defs.contains(name)) {
        defs[name] = Json::object();  // breaks recursion
        defs[name] = object_schema<T>(defs);
    }
    return Json{{"$ref", "#/$defs/" + name}};
}

template<class T> struct SchemaOf {
    static Json make(const Rule& rule, Json& defs) {
        if constexpr (Described<T>)
            return reference_schema<T>(defs);
        else if constexpr (std::is_same_v<T, bool>)
            return Json{{"type", "boolean"}};
        else if constexpr (std::is_same_v<T, int>)
            return number_schema(rule, "integer");
        else if constexpr (std::is_same_v<T, double>)
            return number_schema(rule, "number");
        else if constexpr (std::is_enum_v<T>)
            return Json{{"enum", schema::EnumNames<T>::names}};
        else if constexpr (std::is_same_v<T, Vec3>)
            return vector_schema(rule);
        else if constexpr (std::is_same_v<T, ParentRef>)
            return Json{{"type", "string"}, {"minLength", 1}};
        else if constexpr (std::is_same_v<T, Ref> || std::is_same_v<T, std::string>)
            return string_schema(rule);
        else
            return special(rule, defs);
    }
    static Json special(const Rule& rule, Json& defs);  // defined for the remaining types in json_codec.cpp
};

template<class T> struct SchemaOf<std::optional<T>> {
    static Json make(const Rule& rule, Json& defs) { return SchemaOf<T>::make(rule, defs); }
};
template<class T> struct SchemaOf<std::vector<T>> {
    static Json make(const Rule& rule, Json& defs) {
        Rule element = rule;
        element.required = false;
        element.min_items = 0;
        Json schema{{"type", "array"}, {"items", SchemaOf<T>::make(element, defs)}};
        if (rule.min_items > 0) schema["minItems"] = rule.min_items;
        return schema;
    }
};
template<class T, std::size_t n> struct SchemaOf<std::array<T, n>> {
    static Json make(const Rule& rule, Json& defs) {
        return Json{{"type", "array"}, {"items", SchemaOf<T>::make(rule, defs)}, {"minItems", n}, {"maxItems", n}};
    }
};
template<class T> struct SchemaOf<std::map<std::string, T>> {
    static Json make(const Rule& rule, Json& defs) {
        return Json{{"type", "object"},
                    {"propertyNames", {{"minLength", 1}, {"maxLength", schema::longest_name}}},
                    {"additionalProperties", SchemaOf<T>::make(rule, defs)}};
    }
};
template<class... T> struct SchemaOf<std::variant<T...>> {
    static Json make(const Rule&, Json& defs) {
        Json list = Json::array();
        const auto add = [&]<class A>(std::type_identity<A>) {
            const std::string name{Describe<A>::name};
            if (!defs.contains(name)) defs[name] = plain_object_schema<A>(defs, name);
            list.push_back(Json{{"$ref", "#/$defs/" + name}});
        };
        (add(std::type_identity<T>{}), ...);
        return Json{{"oneOf", list}};
    }
};

Json number_schema(const Rule& rule, const char* type) {
    Json schema{{"type", type}};
    if (std::isfinite(rule.min)) schema[rule.above_min ? "exclusiveMinimum" : "minimum"] = rule.min;
    if (std::isfinite(rule.max)) schema[rule.below_max ? "exclusiveMaximum" : "maximum"] = rule.max;
    if (rule.not_zero) schema["not"] = Json{{"const", 0}};
    return schema;
}

Json string_schema(const Rule& rule) {
    Json schema{{"type", "string"}};
    if (rule.required || rule.not_empty) schema["minLength"] = 1;
    if (rule.is_name) {
        schema["maxLength"] = schema::longest_name;
        const std::string part = part_of_name;
        schema["pattern"] = "^" + part + "(\\." + part + ")*$";
    }
    return schema;
}

Json vector_schema(const Rule& rule) {
    Rule element = rule;
    element.not_zero = false;
    Json schema{{"type", "array"}, {"items", number_schema(element, "number")}, {"minItems", 3}, {"maxItems", 3}};
    if (rule.not_zero) schema["not"] = Json{{"const", Json::array({0, 0, 0})}};
    return schema;
}

template<class Value> Json function_schema(const Rule& rule, Json& defs) {
    Json list = Json::array();
    list.push_back(SchemaOf<Value>::make(rule, defs));
    list.push_back(Json{{"type", "object"},
                        {"properties",
                         {{"x", SchemaOf<std::vector<double>>::make(schema::at_least_one({}), defs)},
                          {"values", SchemaOf<std::vector<Value>>::make(schema::at_least_one({}), defs)}}},
                        {"required", {"x", "values"}},
                        {"additionalProperties", false}});
    list.push_back(Json{{"type", "object"},
                        {"properties", {{"function", {{"type", "string"}, {"minLength", 1}}}}},
                        {"required", Json::array({"function"})},
                        {"additionalProperties", false}});
    return Json{{"oneOf", list}};
}

template<> Json SchemaOf<Mat3>::special(const Rule&, Json&) {
    const Json number = number_schema({}, "number");
    return Json{
        {"oneOf",
         Json::array({Json{{"type", "array"}, {"items", number}, {"minItems", 3}, {"maxItems", 3}},
                      Json{{"type", "array"}, {"items", number}, {"minItems", 6}, {"maxItems", 6}},
                      Json{{"type", "array"}, {"items", vector_schema({})}, {"minItems", 3}, {"maxItems", 3}}})}};
}

template<> Json SchemaOf<Rotation>::special(const Rule&, Json&) {
    const Json quaternion{{"type", "array"}, {"items", number_schema({}, "number")}, {"minItems", 4}, {"maxItems", 4}};
    return Json{{"oneOf", Json::array({vector_schema({}), Json{{"type", "object"},
                                                               {"properties", {{"quaternion", quaternion}}},
                                                               {"required", Json::array({"quaternion"})},
                                                               {"additionalProperties", false}}})}};
}

template<> Json SchemaOf<Axis>::special(const Rule&, Json&) {
    return Json{{"oneOf", Json::array({Json{{"enum", {1, 2, 3, -1, -2, -3}}}, vector_schema(schema::direction())})}};
}

template<> Json SchemaOf<Color>::special(const Rule&, Json&) {
    return Json{{"oneOf", Json::array({Json{{"type", "string"}},
                                       Json{{"type", "array"},
                                            {"items", {{"type", "integer"}, {"minimum", 0}, {"maximum", 255}}},
                                            {"minItems", 3},
                                            {"maxItems", 3}}})}};
}

template<> Json SchemaOf<VisualMaterialRef>::special(const Rule&, Json& defs) {
    return Json{{"oneOf", Json::array({Json{{"type", "string"}}, reference_schema<VisualMaterial>(defs)})}};
}

template<> Json SchemaOf<Gravity>::special(const Rule& rule, Json& defs) {
    Json schema = SchemaOf<std::variant<UniformGravity, NoGravity, PointGravity>>::make(rule, defs);
    schema["oneOf"].push_back(vector_schema({}));
    return schema;
}

template<> Json SchemaOf<TimeVector>::special(const Rule& rule, Json& defs) {
    return function_schema<Vec3>(rule, defs);
}

template<> Json SchemaOf<Law>::special(const Rule& rule, Json& defs) { return function_schema<double>(rule, defs); }

}  // namespace

Json scene_schema() {
    Json defs = Json::object();
    Json schema{{"$schema", "https://json-schema.org/draft/2020-12/schema"},
                {"$id", "tactus.scene.schema.json"},
                {"title", "Tactus scene"}};
    schema.update(plain_object_schema<SceneDocument>(defs, ""));
    schema["$defs"] = defs;
    return schema;
}

}  // namespace tactus::codec
