// STL files, in words and binary: what is read, and what is refused.
#include "tests/engine/shapes/triangle_mesh.hpp"

#include <doctest/doctest.h>

#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::test::meshes;
using test::contains;
using test::difference;

TEST_CASE("an ASCII STL file keeps every digit, a binary one those of float") {
    const Folder folder;
    const std::vector<Vec3> corners = box_corners(brick);
    const Triangles triangles = box_triangles();
    const std::string text = ascii_stl(corners, triangles);
    std::string crlf, upper, one_line;
    for (const char c : text) {
        crlf += c == '\n' ? "\r\n" : std::string{c};
        upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
        one_line += c == '\n' ? ' ' : c;
    }
    one_line = "solid\n" + one_line.substr(one_line.find("facet"));
    std::string nan_normals = text;
    for (std::size_t at; (at = nan_normals.find("normal 0 0 0")) != std::string::npos;)
        nan_normals.replace(at, 12, "normal nan -nan(ind) 1");
    std::string two_solids = text;
    two_solids.replace(text.find("  facet", text.size() / 2), 0, "endsolid one\n\nsolid facet\n");
    for (const File& file : std::vector<File>{{"a.stl", text},
                                              {"crlf.stl", crlf},
                                              {"UPPER.STL", upper},
                                              {"one line.stl", one_line},
                                              {"nan.stl", nan_normals},
                                              {"two.stl", two_solids}}) {
        CAPTURE(file.name);
        const Mesh mesh = folder.load(file.name, file.content);
        CHECK(mesh.data->vertices.size() == 8);
        CHECK(mesh.data->triangles.size() == 12);
        CHECK(difference(volume_integrals(*mesh.data), brick_integrals) < 1e-15);
    }
    const std::string binary = binary_stl(corners, triangles);
    const std::string with_name = binary_stl(corners, triangles, "solid made by an exporter");
    for (const File& file : std::vector<File>{{"b.stl", binary},
                                              {"solid.stl", with_name},
                                              {"appended.stl", binary + "colours"},
                                              {"solid appended.stl", with_name + std::string(3, '\0')}}) {
        CAPTURE(file.name);
        const Mesh mesh = folder.load(file.name, file.content);
        CHECK(mesh.data->vertices.size() == 8);
        CHECK(mesh.data->triangles.size() == 12);
        for (const Vec3& p : mesh.data->vertices) CHECK(p == p.cast<float>().cast<double>());
        CHECK(difference(volume_integrals(*mesh.data), brick_integrals) < 1e-6);  // rounded by 6e-8
    }
    const Mesh exact = folder.load("exact.stl", binary_stl(box_corners(Vec3{1, 2, 3}), triangles));
    CHECK(difference(volume_integrals(*exact.data), volume_integrals(Shape{Box{1, 2, 3}})) < 1e-15);
}

TEST_CASE("an STL file that cannot be read right is refused") {
    const Folder folder;
    const std::vector<Vec3> corners = box_corners(brick);
    const std::string ascii = ascii_stl(corners, box_triangles()), binary = binary_stl(corners, box_triangles());
    const auto replaced = [](std::string content, const std::string& from, const std::string& to) {
        return content.replace(content.find(from), from.size(), to);
    };
    std::string infinite = binary;
    infinite.replace(84 + 50 * 2 + 12, 4, std::string{"\0\0\x80\x7F", 4});
    const std::string head(80, 'x');
    const std::vector<Wrong> wrong{
        {"", "84 bytes"},
        {"hello", "84 bytes"},
        {binary.substr(0, 83), "84 bytes"},
        {binary.substr(0, binary.size() - 1), "announces 12 triangles and has bytes for 11"},
        {binary.substr(0, 84), "announces 12 triangles and has bytes for 0"},
        {head + "\xFF\xFF\xFF\xFF", "announces 4294967295 triangles"},
        {head + std::string(4, '\0'), "holds no triangles"},
        {infinite, "triangle 3"},
        {"solid\nendsolid\n", "holds no triangles"},
        {"solid", "end of the file"},
        {ascii.substr(0, ascii.find("endsolid")), "not the end of the file"},
        {ascii.substr(0, ascii.size() / 2), "line"},
        {replaced(ascii, "facet", "fact"), "line 2: must be 'facet' or 'endsolid', not \"fact\""},
        {replaced(ascii, "outer loop", "outer"), "line 4: must be 'loop', not \"vertex\""},
        {replaced(ascii, "endloop", "vertex 1 2 3\nendloop"), "'endloop', not \"vertex\""},
        {replaced(ascii, "vertex", "endloop"), "line 4: must be 'vertex', not \"endloop\""},
        {replaced(ascii, "vertex -", "vertex 1,5-"), "line 4: must have three finite numbers after vertex, not \"1,5-"},
        {replaced(ascii, "vertex -", "vertex nan -"), "line 4: must have three finite numbers"},
        {ascii + "garbage", "'solid', not \"garbage\""},
    };
    for (const Wrong& file : wrong) {
        CAPTURE(file.content);
        const std::string text = folder.failure_of("wrong.stl", file.content);
        CAPTURE(text);
        CHECK(contains(text, "shape.file = "));
        CHECK(contains(text, file.error));
    }
}
