// Scene files: JSON on one side, a SceneDocument on the other. Every message carries the JSON pointer of its place.
#pragma once

#include <tactus/engine/export.hpp>
#include <tactus/engine/scene/document.hpp>

#include <filesystem>
#include <string>
#include <string_view>

namespace tactus {

class World;

// Reads and checks a document. An InputError lists everything that is wrong.
TACTUS_API SceneDocument read_document(std::string_view json_text);
TACTUS_API SceneDocument read_document_file(const std::filesystem::path& file);

// Keys in a fixed order, values that equal their default left out; numbers so that they read back bit by bit.
TACTUS_API std::string write_document(const SceneDocument& document);

// Adds everything in a document to a World that has no Scene yet; mesh files are looked for in `folder`. On an error
// the World is left as it was, and the InputError carries JSON pointers.
TACTUS_API void add_document(World& world, const SceneDocument& document, const std::filesystem::path& folder);

// What a World holds, as a document; relative mesh files are made relative to `folder`.
TACTUS_API SceneDocument to_document(const World& world, const std::filesystem::path& folder);

// The palettes of the project, engine/materials/palettes/*.json.
TACTUS_API MaterialsDef read_palette_files();

// The JSON Schema (draft 2020-12) of scene files.
TACTUS_API std::string scene_schema();

}  // namespace tactus
