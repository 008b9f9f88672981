// Writing: described values to JSON.
#include <tactus/engine/scene/json.hpp>

#include <tactus/engine/schema/document_tables.hpp>

namespace tactus::codec {

using schema::Context;
using schema::Describe;
using schema::Described;
using schema::is_a;
using schema::Rule;

namespace {

template<class T>
concept List = is_a<T, std::vector> || requires(const T& t) {
    std::tuple_size<T>::value;
    t.begin();
};

inline Json write(double value) { return value; }
inline Json write(int value) { return value; }
inline Json write(bool value) { return value; }
inline Json write(const std::string& value) { return value; }
Json write(const Vec3& value);
Json write(const Mat3& value);
Json write(const Rotation& value);
Json write(const Axis& value);
Json write(const Color& value);
Json write(const Ref& value);
Json write(const VisualMaterialRef& value);
Json write(const Gravity& value);
Json write(const TimeVector& value);
Json write(const Law& value);

template<class T>
requires std::is_enum_v<T> Json write(T value);
template<Described T> Json write(const T& value);
template<class... T> Json write(const std::variant<T...>& value);
template<class T> Json write(const std::optional<T>& value);
template<List T> Json write(const T& values);
template<class T> Json write(const std::map<std::string, T>& values);

template<class T>
requires std::is_enum_v<T> Json write(T value) { return schema::EnumNames<T>::names[static_cast<std::size_t>(value)]; }

template<List T> Json write(const T& values) {
    Json list = Json::array();
    for (const auto& value : values) list.push_back(write(value));
    return list;
}
template<class T> Json write(const std::map<std::string, T>& values) {
    Json object = Json::object();
    auto& members = object.get_ref<Json::object_t&>();
    members.reserve(values.size());
    for (const auto& [key, value] : values) members.emplace_back(key, write(value));  // [] would search all before
    return object;
}
template<class T> Json write(const std::optional<T>& value) { return value ? write(*value) : Json(); }

template<Described T> void write_fields(const T& value, Json& object) {
    [[maybe_unused]] static const T defaults{};
    schema::for_each_field<T>([&]<class Field>(const Field& field) {
        using Value = typename Field::Value;
        const Value& member = value.*field.member;
        if (field.in_line) {
            if constexpr (is_a<Value, std::variant>) {
                std::visit(
                    [&]<class A>(const A& alternative) {
                        object["type"] = Describe<A>::name;
                        write_fields(alternative, object);
                    },
                    member);
                return;
            } else if constexpr (Described<Value>) {
                return write_fields(member, object);
            }
        }
        if constexpr (std::is_same_v<Value, ParentRef>)
            if (member.path.empty()) return;  // joints connect the object
        if (!field.rule.required && member == defaults.*field.member) return;
        object[std::string{field.key}] = write(member);
    });
}

template<Described T> Json write(const T& value) {
    Json object = Json::object();
    write_fields(value, object);
    return object;
}

template<class... T> Json write(const std::variant<T...>& value) {
    Json object = Json::object();
    std::visit(
        [&]<class A>(const A& alternative) {
            object["type"] = Describe<A>::name;
            write_fields(alternative, object);
        },
        value);
    return object;
}

template<class Value> Json write_function(const std::variant<Value, Table<Value>, Callback>& function) {
    if (const auto* constant = std::get_if<Value>(&function)) return write(*constant);
    if (const auto* callback = std::get_if<Callback>(&function)) return Json{{"function", callback->function}};
    const auto& table = std::get<Table<Value>>(function);
    return Json{{"x", write(table.x)}, {"values", write(table.values)}};
}

Json write(const Vec3& value) { return Json::array({value[0], value[1], value[2]}); }

Json write(const Mat3& m) {
    if (m(0, 1) == m(1, 0) && m(0, 2) == m(2, 0) && m(1, 2) == m(2, 1))
        return Json::array({m(0, 0), m(1, 1), m(2, 2), m(0, 1), m(0, 2), m(1, 2)});
    Json rows = Json::array();
    for (int i = 0; i < 3; ++i) rows.push_back(Json::array({m(i, 0), m(i, 1), m(i, 2)}));
    return rows;
}

Json write(const Rotation& value) {
    if (!value.given_quaternion()) return write(value.given_angles());
    const Quat& q = *value.given_quaternion();
    return Json{{"quaternion", Json::array({q.x(), q.y(), q.z(), q.w()})}};
}

Json write(const Axis& value) {
    return value.given_coordinate() != 0 ? Json(value.given_coordinate()) : write(value.given_direction());
}

Json write(const Color& value) { return value.name.empty() ? Json(value.rgb) : Json(value.name); }

Json write(const Ref& value) { return value.path; }

Json write(const VisualMaterialRef& value) {
    if (const auto* name = std::get_if<std::string>(&value)) return *name;
    return write(std::get<VisualMaterial>(value));
}

Json write(const Gravity& value) {
    if (const auto* uniform = std::get_if<UniformGravity>(&value)) return write(uniform->acceleration);
    using Variant = std::variant<UniformGravity, NoGravity, PointGravity>;
    return write(static_cast<const Variant&>(value));
}

Json write(const TimeVector& value) { return write_function<Vec3>(value); }

Json write(const Law& value) { return write_function<double>(value); }

}  // namespace

Json write(const SceneDocument& document) {
    Json object = Json::object();
    write_fields(document, object);
    return object;
}

}  // namespace tactus::codec
