#include <tactus/engine/schema/definitions.hpp>

#include <tactus/engine/schema/document_tables.hpp>
#include <tactus/engine/schema/refs.hpp>

namespace tactus::schema {

void check_definition(const Scene& definition, Context& context) { check(definition, {}, context); }
void check_definition(const Object3DDef& definition, Context& context) { check(definition, {}, context); }
void check_definition(const JointDef& definition, Context& context) { check(definition, {}, context); }
void check_definition(const ForceDef& definition, Context& context) { check(definition, {}, context); }
void check_definition(const DriveDef& definition, Context& context) { check(definition, {}, context); }
void check_definition(const PathDef& definition, Context& context) { check(definition, {}, context); }
void check_definition(const RecordDef& definition, Context& context) { check(definition, {}, context); }
void check_definition(const Action& definition, Context& context) { check(definition, {}, context); }
void check_definition(const Uncertainty& definition, Context& context) { check(definition, {}, context); }
void check_definition(const Simulation& definition, Context& context) { check(definition, {}, context); }
void check_definition(const SolidMaterial& definition, Context& context) { check(definition, {}, context); }
void check_definition(const VisualMaterial& definition, Context& context) { check(definition, {}, context); }
void check_definition(const ContactPair& definition, Context& context) { check(definition, {}, context); }

void check_rows(const std::vector<std::vector<double>>& rows, std::size_t columns, Context& context) {
    for (std::size_t i = 0; i < rows.size(); ++i) {
        const Context::Step list{context, "points"};
        const Context::Step step{context, i};
        if (rows[i].size() != columns)
            context.fail(numbers_text(rows[i].size()),
                         "must have " + std::to_string(columns) + ", one for each column of the path");
    }
}

void for_each_ref(JointDef& definition, Context& context, const VisitRef& visit) {
    visit_refs(definition, {}, context, visit);
}
void for_each_ref(ForceDef& definition, Context& context, const VisitRef& visit) {
    visit_refs(definition, {}, context, visit);
}
void for_each_ref(DriveDef& definition, Context& context, const VisitRef& visit) {
    visit_refs(definition, {}, context, visit);
}
void for_each_ref(PathDef& definition, Context& context, const VisitRef& visit) {
    visit_refs(definition, {}, context, visit);
}
void for_each_ref(RecordDef& definition, Context& context, const VisitRef& visit) {
    visit_refs(definition, {}, context, visit);
}

namespace {

template<class T> bool leads_to_number(const T& value, std::string_view path) {
    if constexpr (std::is_same_v<T, double> || std::is_same_v<T, Vec3> || std::is_same_v<T, Mat3>) {
        return path.empty();
    } else if constexpr (is_a<T, std::optional>) {
        return value && leads_to_number(*value, path);
    } else if constexpr (is_a<T, std::variant>) {
        return std::visit([path](const auto& alternative) { return leads_to_number(alternative, path); }, value);
    } else if constexpr (Described<T>) {
        bool found = false;
        const auto dot = std::min(path.find('.'), path.size());
        const std::string_view rest = path.substr(std::min(dot + 1, path.size()));
        for_each_field<T>([&](const auto& field) {
            if (field.in_line)
                found = found || leads_to_number(value.*field.member, path);
            else if (field.key == path.substr(0, dot))
                found = found || leads_to_number(value.*field.member, rest);
        });
        return found;
    } else {
        return false;
    }
}

template<class Variant> std::string_view alternative_name(const Variant& variant) {
    return std::visit([]<class T>(const T&) { return Describe<T>::name; }, variant);
}

}  // namespace

bool has_number(const Object3DDef& definition, std::string_view path) { return leads_to_number(definition, path); }
bool has_number(const JointDef& definition, std::string_view path) { return leads_to_number(definition, path); }
bool has_number(const ForceDef& definition, std::string_view path) { return leads_to_number(definition, path); }
bool has_number(const DriveDef& definition, std::string_view path) { return leads_to_number(definition, path); }

std::string_view type_name(const Shape& shape) { return alternative_name(shape); }
std::string_view type_name(const JointType& type) { return alternative_name(type); }
std::string_view type_name(const ForceType& type) { return alternative_name(type); }
std::string_view type_name(const DriveType& type) { return alternative_name(type); }
std::string_view type_name(const RecordType& type) { return alternative_name(type); }
std::string_view type_name(const Action& action) { return alternative_name(action); }

}  // namespace tactus::schema
