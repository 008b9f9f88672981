// Data files compiled into the library (material palettes, the scene schema), found by file name.
// The source is written by cmake/embed.cmake; which files: see tactus_embed in CMakeLists.txt.
#pragma once

#include <string_view>
#include <vector>

namespace tactus::embedded {

// Text of the file, e.g. file("tactus.scene.schema.json"). Empty if there is no such file.
std::string_view file(std::string_view name);

// Names of all embedded files, sorted.
std::vector<std::string_view> names();

}  // namespace tactus::embedded
