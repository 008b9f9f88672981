// Surfaces of boxes in memory and as files, what loading them says, and the integrals over what they enclose.
#pragma once

#include <tactus/engine/shapes/triangle_mesh.hpp>

#include <tactus/engine/errors.hpp>

#include "tests/support/compare.hpp"
#include "tests/support/run_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <utility>
#include <vector>

namespace tactus::test::meshes {

using Triangles = std::vector<std::array<int, 3>>;

// ---- surfaces ------------------------------------------------------------------------------------------------------

// Corner i of the box: bit 0 says +x, bit 1 +y, bit 2 +z.
inline std::vector<Vec3> box_corners(const Vec3& lengths, const Vec3& centre = Vec3::Zero()) {
    std::vector<Vec3> v;
    for (int i = 0; i < 8; ++i)
        v.push_back(centre + lengths.cwiseProduct(Vec3{(i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2) - 0.5}));
    return v;
}

inline const std::vector<std::array<int, 4>> box_quads{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                       {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

inline Triangles box_triangles() {
    Triangles t;
    for (const auto& [a, b, c, d] : box_quads) {
        t.push_back({a, b, c});
        t.push_back({a, c, d});
    }
    return t;
}

inline Mesh given(std::vector<Vec3> vertices, Triangles triangles, const Vec3& scale = Vec3::Ones()) {
    Mesh mesh;
    mesh.vertices = std::move(vertices);
    mesh.triangles = std::move(triangles);
    mesh.scale = scale;
    return mesh;
}

inline VolumeIntegrals loaded_integrals(Mesh mesh) {
    load_mesh(mesh, {});
    return volume_integrals(*mesh.data);
}

// ---- comparing -----------------------------------------------------------------------------------------------------

inline VolumeIntegrals moved(VolumeIntegrals v, const Vec3& by) {
    v.centroid += by;
    return v;
}

// The error of loading, and if that succeeds of integrating; empty if neither fails.
inline std::string failure(Mesh mesh, const std::filesystem::path& folder = {}) {
    try {
        load_mesh(mesh, folder);
        volume_integrals(*mesh.data);
    } catch (const InputError& e) {
        REQUIRE(e.issues().size() == 1);
        CHECK(e.issues()[0].object.empty());
        CHECK(e.issues()[0].field.starts_with("shape."));
        CHECK(!e.issues()[0].allowed.empty());
        return e.what();
    }
    return {};
}

// ---- files ---------------------------------------------------------------------------------------------------------

// A folder that lives as long as the test, with a space in its name.
class Folder : public tactus::test::TemporaryFolder {
public:
    Folder() : TemporaryFolder{"mesh test"} {}

    Mesh load(const std::string& name, const std::string& content, const Vec3& scale = Vec3::Ones()) const {
        write(name, content);
        Mesh mesh;
        mesh.file = name;
        mesh.scale = scale;
        load_mesh(mesh, path());
        return mesh;
    }
    std::string failure_of(const std::string& name, const std::string& content) const {
        write(name, content);
        Mesh mesh;
        mesh.file = name;
        return failure(mesh, path());
    }
};

struct File {
    std::string name, content;
};

struct Wrong {
    std::string content, error;
};

inline std::string digits(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return text;
}

inline std::string spaced(const Vec3& p) { return digits(p.x()) + " " + digits(p.y()) + " " + digits(p.z()); }

inline std::string v_lines(const std::vector<Vec3>& vertices) {
    std::string text;
    for (const Vec3& p : vertices) text += "v " + spaced(p) + "\n";
    return text;
}

inline std::string box_obj(const Vec3& lengths) {
    std::string text = v_lines(box_corners(lengths));
    for (const auto& [a, b, c] : box_triangles())
        text += "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " + std::to_string(c + 1) + "\n";
    return text;
}

inline std::string ascii_stl(const std::vector<Vec3>& vertices, const Triangles& triangles) {
    std::string text = "solid made by a test\n";
    for (const auto& triangle : triangles) {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for (const int i : triangle) text += "      vertex " + spaced(vertices[static_cast<std::size_t>(i)]) + "\n";
        text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid made by a test\n";
}

inline void append_little_endian(std::string& bytes, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> 8 * i & 0xFF);
}

inline std::string binary_stl(const std::vector<Vec3>& vertices, const Triangles& triangles, std::string head = {}) {
    head.resize(80, ' ');
    append_little_endian(head, static_cast<std::uint32_t>(triangles.size()));
    for (const auto& triangle : triangles) {
        for (int i = 0; i < 3; ++i) append_little_endian(head, 0);
        for (const int corner : triangle)
            for (const double x : vertices[static_cast<std::size_t>(corner)])
                append_little_endian(head, std::bit_cast<std::uint32_t>(static_cast<float>(x)));
        head += "ab";
    }
    return head;
}

inline const Vec3 brick{0.1, 0.2, 0.3};  // none of them a float or a finite binary fraction
inline const VolumeIntegrals brick_integrals = volume_integrals(Shape{Box{0.1, 0.2, 0.3}});

}  // namespace tactus::test::meshes
