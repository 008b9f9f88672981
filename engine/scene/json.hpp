// Described values as JSON. The three directions are compiled apart from each other: their templates are heavy.
#pragma once

#include <tactus/engine/scene/document.hpp>
#include <tactus/engine/schema/context.hpp>

#include <nlohmann/json.hpp>

namespace tactus::codec {

using Json = nlohmann::ordered_json;

// Text to JSON. An InputError for what is not valid JSON, nests too deep, or has a key twice, with its place.
Json parse(std::string_view text);

// Fills a document; what is wrong is reported to the context, with its place.
void read(const Json& json, SceneDocument& document, schema::Context& context);
void read(const Json& json, MaterialsDef& materials, schema::Context& context);

// Keys in the order of the field tables; values that equal their default are left out.
Json write(const SceneDocument& document);

// JSON Schema, draft 2020-12.
Json scene_schema();

}  // namespace tactus::codec
