// Checks and references of the definitions, compiled once: the field tables are heavy on the compiler.
#pragma once

#include <tactus/engine/definitions.hpp>
#include <tactus/engine/schema/context.hpp>
#include <tactus/engine/schema/field.hpp>

#include <functional>
#include <string_view>

namespace tactus::schema {

// What is wrong with a definition by itself, whatever World it goes to.
void check_definition(const Scene& definition, Context& context);
void check_definition(const Object3DDef& definition, Context& context);
void check_definition(const JointDef& definition, Context& context);
void check_definition(const ForceDef& definition, Context& context);
void check_definition(const DriveDef& definition, Context& context);
void check_definition(const PathDef& definition, Context& context);
void check_definition(const RecordDef& definition, Context& context);
void check_definition(const Action& definition, Context& context);
void check_definition(const Uncertainty& definition, Context& context);
void check_definition(const Simulation& definition, Context& context);
void check_definition(const SolidMaterial& definition, Context& context);
void check_definition(const VisualMaterial& definition, Context& context);
void check_definition(const ContactPair& definition, Context& context);

// Rows of via points must have one number for each column of their path.
void check_rows(const std::vector<std::vector<double>>& rows, std::size_t columns, Context& context);

// Calls visit for every reference in a definition, with `context` standing at it.
using VisitRef = std::function<void(Ref&, const Rule&)>;
void for_each_ref(JointDef& definition, Context& context, const VisitRef& visit);
void for_each_ref(ForceDef& definition, Context& context, const VisitRef& visit);
void for_each_ref(DriveDef& definition, Context& context, const VisitRef& visit);
void for_each_ref(PathDef& definition, Context& context, const VisitRef& visit);
void for_each_ref(RecordDef& definition, Context& context, const VisitRef& visit);

// Whether `path` (keys separated by dots) leads to a number, vector or tensor that is set in the definition.
bool has_number(const Object3DDef& definition, std::string_view path);
bool has_number(const JointDef& definition, std::string_view path);
bool has_number(const ForceDef& definition, std::string_view path);
bool has_number(const DriveDef& definition, std::string_view path);

// The word that scene files use for the alternative, e.g. "Revolute".
std::string_view type_name(const Shape& shape);
std::string_view type_name(const JointType& type);
std::string_view type_name(const ForceType& type);
std::string_view type_name(const DriveType& type);
std::string_view type_name(const RecordType& type);
std::string_view type_name(const Action& action);

}  // namespace tactus::schema
