// OBJ files: what is read, and what is refused.
#include "tests/engine/shapes/triangle_mesh.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <random>
#include <string>
#include <vector>

using namespace tactus;
using namespace tactus::test::meshes;
using test::contains;
using test::difference;

TEST_CASE("an OBJ file keeps every digit of its coordinates") {
    const Folder folder;
    std::mt19937_64 generator{9};
    std::uniform_real_distribution<> uniform{-1.0, 1.0};
    std::vector<Vec3> points;
    for (int i = 0; i < 3000; ++i)
        points.push_back(std::pow(10.0, i % 13 - 6) * Vec3{uniform(generator), uniform(generator), uniform(generator)});
    std::string text = v_lines(points);
    for (int i = 1; i <= 3000; i += 3)
        text += "f " + std::to_string(i) + " " + std::to_string(i + 1) + " " + std::to_string(i + 2) + "\n";
    const Mesh mesh = folder.load("points.obj", text);
    CHECK(mesh.data->vertices == points);
    const Mesh box = folder.load("box.obj", box_obj(brick));
    CHECK(box.data->vertices.size() == 8);
    CHECK(box.data->file == folder.path() / "box.obj");
    CHECK(difference(volume_integrals(*box.data), brick_integrals) < 1e-15);
}

TEST_CASE("all the ways to write a box as an OBJ file enclose the same box") {
    const Folder folder;
    const std::string v = v_lines(box_corners(brick));
    const auto quads = [](const auto& corner_text) {
        std::string text;
        for (const auto& quad : box_quads) {
            text += "f";
            for (const int i : quad) text += " " + corner_text(i + 1);
            text += "\n";
        }
        return text;
    };
    const auto plain = [](int i) { return std::to_string(i); };
    const std::string text = v + quads(plain);
    std::string crlf, cr, continued = v;
    for (const char c : text) {
        crlf += c == '\n' ? "\r\n" : std::string{c};
        cr += c == '\n' ? '\r' : c;
    }
    for (const auto& [a, b, c, d] : box_quads)
        continued +=
            "f " + plain(a + 1) + " \\\n " + plain(b + 1) + " " + plain(c + 1) + " \\\r\n" + plain(d + 1) + "\n";
    std::string mixed = "# exported from C:\\models\\\n#v 1 2 3\nmtllib box.mtl\no a box\n";
    for (const Vec3& p : box_corners(brick)) mixed += "  v\t" + spaced(p) + " 1.0 # a corner\n\n";
    mixed += "vt 0 0\nvn 0 0 1\nvp 0.1\ng left right\ns off\nusemtl red\\\n" + quads(plain) + "l 1 2 3\np 1\n# end";

    const std::vector<File> files{
        {"triangles.obj", box_obj(brick)},
        {"quads.OBJ", text},
        {"texture.obj", v + "vt 0 0\n" + quads([](int i) { return std::to_string(i) + "/1"; })},
        {"normals.obj", v + "vn 0 0 1\n" + quads([](int i) { return std::to_string(i) + "//1"; })},
        {"both.obj", v + "vt 0 0\nvn 0 0 1\n" + quads([](int i) { return std::to_string(i) + "/1/1"; })},
        {"negative.obj", v + quads([](int i) { return std::to_string(i - 9); })},
        {"negative both.obj", v + "vn 0 0 1\n" + quads([](int i) { return std::to_string(i - 9) + "//-1"; })},
        {"faces first.obj", quads(plain) + v},
        {"crlf.obj", crlf},
        {"cr.obj", cr},
        {"continued.obj", continued},
        {"mixed.obj", mixed},
        {"no last line end.obj", text.substr(0, text.size() - 1)},
        {"mark.obj", "\xEF\xBB\xBF" + text},
    };
    for (const File& file : files) {
        CAPTURE(file.name);
        const Mesh mesh = folder.load(file.name, file.content);
        CHECK(mesh.data->vertices.size() == 8);
        CHECK(mesh.data->triangles.size() == 12);
        CHECK(difference(volume_integrals(*mesh.data), brick_integrals) < 1e-15);
    }
    // Groups that repeat their corners, as exporters write them.
    std::string groups;
    int first = 1;
    for (const auto& quad : box_quads) {
        groups += "g side" + std::to_string(first) + "\n";
        for (const int i : quad) groups += "v " + spaced(box_corners(brick)[static_cast<std::size_t>(i)]) + "\n";
        groups += "f -4 -3 -2 -1\n";
        first += 4;
    }
    const Mesh grouped = folder.load("groups.obj", groups);
    CHECK(grouped.data->vertices.size() == 8);
    CHECK(difference(volume_integrals(*grouped.data), brick_integrals) < 1e-15);
}

TEST_CASE("numbers may be written in any usual way") {
    const Folder folder;
    const Mesh mesh = folder.load("numbers.obj", "v +1 -.5 2.\nv 1e1 1E-1 -2.5e+3\nv 0 -0 007\nf 1 2 3\n");
    CHECK(mesh.data->vertices == std::vector<Vec3>{{1, -0.5, 2}, {10, 0.1, -2500}, {0, 0, 7}});
}

TEST_CASE("a prism on a polygon that is not convex is cut into triangles of the right direction") {
    // Polygons around the z axis; the last two have collinear corners, and a slit to a hole.
    struct Case {
        std::vector<Vec3> base;
        double area;
        bool slit = false;
    };
    const std::vector<Case> cases{
        {{{0, 0, 0}, {2, 0, 0}, {2, 1, 0}, {1, 1, 0}, {1, 2, 0}, {0, 2, 0}}, 3.0},  // L
        {{{0, 0, 0}, {1, 3, 0}, {0, 1, 0}, {-1, 3, 0}}, 1.0},                       // dart
        {{{0, 0, 0},
          {5, 0, 0},
          {5, 3, 0},
          {4, 3, 0},
          {4, 1, 0},
          {3, 1, 0},
          {3, 3, 0},
          {2, 3, 0},
          {2, 1, 0},
          {1, 1, 0},
          {1, 3, 0},
          {0, 3, 0}},
         11.0},                                                                                           // comb
        {{{0, 0, 0}, {1, 0, 0}, {2, 0, 0}, {2, 1, 0}, {2, 2, 0}, {1, 1, 0}, {0, 2, 0}, {0, 1, 0}}, 3.0},  // crown
        {{{0, 0, 0}, {3, 0, 0}, {3, 3, 0}, {0, 3, 0}, {0, 0, 0}, {1, 1, 0}, {1, 2, 0}, {2, 2, 0}, {2, 1, 0}, {1, 1, 0}},
         8.0,
         true},  // ring
    };
    const Folder folder;
    const Quat q = Quat{0.3, -0.5, 0.7, 0.2}.normalized();
    for (const Case& polygon : cases)
        for (std::size_t start = 0; start < polygon.base.size(); ++start) {
            CAPTURE(polygon.area);
            CAPTURE(start);
            const int n = static_cast<int>(polygon.base.size());
            std::vector<Vec3> vertices;
            for (const double z : {0.0, 0.5})
                for (const Vec3& p : polygon.base) vertices.push_back(q * Vec3{p.x(), p.y(), z});
            std::string top = "f", bottom = "f", sides;
            for (int k = 0; k < n; ++k) {
                const int i = (k + static_cast<int>(start)) % n, j = (i + 1) % n;
                top += " " + std::to_string(n + i + 1);
                bottom += " " + std::to_string(n - i);
                sides += "f " + std::to_string(i + 1) + " " + std::to_string(j + 1) + " " + std::to_string(n + j + 1) +
                         " " + std::to_string(n + i + 1) + "\n";
            }
            const Mesh mesh = folder.load("prism.obj", v_lines(vertices) + top + "\n" + bottom + "\n" + sides);

            double covered = 0.0;  // no overlaps: the areas of the triangles on top add up to that of the polygon
            for (const auto& t : mesh.data->triangles) {
                const auto at = [&](std::size_t i) -> Vec3 {
                    return q.conjugate() * mesh.data->vertices[static_cast<std::size_t>(t[i])];
                };
                const Vec3 a = at(0), b = at(1), c = at(2);
                if (std::min({a.z(), b.z(), c.z()}) < 0.25) continue;
                const double z = (b - a).cross(c - a).z();
                CHECK(z > -1e-14);
                covered += z / 2.0;
            }
            CHECK(std::abs(covered - polygon.area) < 1e-13);
            if (polygon.slit)  // its walls lie in one another
                CHECK(open_edges(*mesh.data) > 0);
            else
                CHECK(std::abs(volume_integrals(*mesh.data).volume - 0.5 * polygon.area) < 1e-13);
        }
}

TEST_CASE("an OBJ file that cannot be read right is refused with its line") {
    const Folder folder;
    const std::string v = "v 0 0 0\nv 1 0 0\nv 0 1 0\n";
    const std::vector<Wrong> wrong{
        {"v 0 0 0\nv 1,5 0 0\nv 0 1 0\nf 1 2 3\n", "line 2: must have three finite numbers after v, not \"1,5 0 0\""},
        {"v 0 0 0\nv nan 0 0\nv 0 1 0\nf 1 2 3\n", "line 2: must have three finite"},
        {"v 0 0 0\nv inf 0 0\nv 0 1 0\nf 1 2 3\n", "line 2: must have three finite"},
        {"v 0 0 0\nv 1e999 0 0\nv 0 1 0\nf 1 2 3\n", "line 2: must have three finite"},
        {"v 0 0 0\nv 1 0\nv 0 1 0\nf 1 2 3\n", "line 2: must have three finite"},
        {"v 0 0 0\nv 1 0x1 0\nv 0 1 0\nf 1 2 3\n", "line 2: must have three finite"},
        {"v 0 0 0\nv 1 +-1 0\nv 0 1 0\nf 1 2 3\n", "line 2: must have three finite"},
        {v + "f 1 2\n", "line 4: must have at least three"},
        {v + "f\n", "line 4: must have at least three"},
        {v + "f 1 2 0\n", "line 4: must be a vertex number"},
        {v + "f 1 2 -4\n", "line 4: must be a vertex number"},
        {v + "f 1 2 x\n", "line 4: must be a vertex number from 1, or backwards from -1, not \"x\""},
        {v + "f 1 2 3.5\n", "line 4: must be a vertex number"},
        {v + "f 1 2 /3\n", "line 4: must be a vertex number"},
        {v + "f 1 2 4294967297\n", "line 4: must be a vertex number"},
        {v + "f 1 2 99999999999999999999999\n", "line 4: must be a vertex number"},
        {v + "f 1 2 3\nf 1 2 9\n", "line 5: vertex number 9, but the number of vertices in the file is 3"},
        {v, "holds no triangles"},
        {"", "holds no triangles"},
        {"f 1 2 3\n", "line 1: vertex number 3, but the number of vertices in the file is 0"},
        {v + "f 1 1 2\n", "three different corners"},
        {v + "f 1 2 3\n", "3 edges"},
    };
    for (const Wrong& file : wrong) {
        CAPTURE(file.content);
        const std::string text = folder.failure_of("wrong.obj", file.content);
        CAPTURE(text);
        CHECK(contains(text, "shape.file = "));
        CHECK(contains(text, "wrong.obj"));
        CHECK(contains(text, file.error));
    }
}
