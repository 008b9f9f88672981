// Reading of OBJ and STL files; inside of triangle_mesh.cpp.
//
// The readers are the project's own because they have to keep every digit and to refuse what they cannot read: the
// libraries at hand store coordinates as float, or take "1,5", "nan" or a missing number for another number silently.
#pragma once

#include <tactus/engine/errors.hpp>
#include <tactus/engine/math.hpp>

#include <array>
#include <filesystem>
#include <limits>
#include <string>
#include <string_view>
#include <vector>

namespace tactus {

inline constexpr std::size_t max_vertices = std::numeric_limits<int>::max();  // indices are int

// A surface as it is written: neither scaled nor merged.
struct Surface {
    std::vector<Vec3> vertices;
    std::vector<std::array<int, 3>> triangles;
};

// A file that is being read: knows how to complain.
struct MeshFile {
    std::string given;  // as its author wrote it
    std::string content;

    [[noreturn]] void refuse(const std::string& why) const {
        throw InputError(Issue{"", "", "shape.file", given, why});
    }
    [[noreturn]] void refuse(std::size_t line, const std::string& why) const {
        refuse("line " + std::to_string(line) + ": " + why);
    }
};

// The surface in an OBJ or STL file. `given` is its name as its author wrote it, for messages.
Surface read_mesh_file(const std::string& given, const std::filesystem::path& path);

Surface read_obj(const MeshFile& file);
Surface read_stl(const MeshFile& file);

// ---- text ----------------------------------------------------------------------------------------------------------

// Part of a file in an error message: short, and printable whatever the file holds.
std::string excerpt(std::string_view text);
std::string_view trimmed(std::string_view text);
// Takes the next word off the text; empty at the end.
std::string_view take_word(std::string_view& text);
std::string lower_case(std::string text);
// The next three words as finite numbers.
bool read_point(std::string_view& text, Vec3& p);

}  // namespace tactus
