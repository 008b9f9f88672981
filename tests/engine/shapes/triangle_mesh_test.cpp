// Surfaces from files and from memory: what is read, what is refused, and the integrals over what they enclose.
#include <tactus/engine/shapes/triangle_mesh.hpp>

#include <tactus/engine/errors.hpp>

#include "tests/support/run_program.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <fstream>
#include <limits>
#include <map>
#include <numbers>
#include <random>
#include <string>
#include <utility>
#include <vector>

using namespace tactus;

namespace {

using std::numbers::pi;
using Triangles = std::vector<std::array<int, 3>>;

// ---- surfaces ------------------------------------------------------------------------------------------------------

// Corner i of the box: bit 0 says +x, bit 1 +y, bit 2 +z.
std::vector<Vec3> box_corners(const Vec3& lengths, const Vec3& centre = Vec3::Zero()) {
    std::vector<Vec3> v;
    for (int i = 0; i < 8; ++i)
        v.push_back(centre + lengths.cwiseProduct(Vec3{(i & 1) - 0.5, (i >> 1 & 1) - 0.5, (i >> 2) - 0.5}));
    return v;
}

const std::vector<std::array<int, 4>> box_quads{{0, 4, 6, 2}, {1, 3, 7, 5}, {0, 1, 5, 4},
                                                {2, 6, 7, 3}, {0, 2, 3, 1}, {4, 5, 7, 6}};

Triangles box_triangles() {
    Triangles t;
    for (const auto& [a, b, c, d] : box_quads) {
        t.push_back({a, b, c});
        t.push_back({a, c, d});
    }
    return t;
}

Mesh given(std::vector<Vec3> vertices, Triangles triangles, const Vec3& scale = Vec3::Ones()) {
    Mesh mesh;
    mesh.vertices = std::move(vertices);
    mesh.triangles = std::move(triangles);
    mesh.scale = scale;
    return mesh;
}

VolumeIntegrals loaded_integrals(Mesh mesh) {
    load_mesh(mesh, {});
    return volume_integrals(*mesh.data);
}

// Vertices on the sphere of radius 1: an icosahedron, each triangle cut in four `levels` times.
TriangleMesh icosphere(int levels) {
    const double g = std::numbers::phi;
    TriangleMesh mesh;
    for (const Vec3& p :
         {Vec3{-1, g, 0}, Vec3{1, g, 0}, Vec3{-1, -g, 0}, Vec3{1, -g, 0}, Vec3{0, -1, g}, Vec3{0, 1, g},
          Vec3{0, -1, -g}, Vec3{0, 1, -g}, Vec3{g, 0, -1}, Vec3{g, 0, 1}, Vec3{-g, 0, -1}, Vec3{-g, 0, 1}})
        mesh.vertices.push_back(p.normalized());
    mesh.triangles = {{0, 11, 5},  {0, 5, 1},  {0, 1, 7},  {0, 7, 10}, {0, 10, 11}, {1, 5, 9}, {5, 11, 4},
                      {11, 10, 2}, {10, 7, 6}, {7, 1, 8},  {3, 9, 4},  {3, 4, 2},   {3, 2, 6}, {3, 6, 8},
                      {3, 8, 9},   {4, 9, 5},  {2, 4, 11}, {6, 2, 10}, {8, 6, 7},   {9, 8, 1}};
    for (int level = 0; level < levels; ++level) {
        std::map<std::pair<int, int>, int> middles;
        const auto middle = [&](int i, int j) {
            const auto [entry, is_new] =
                middles.try_emplace({std::min(i, j), std::max(i, j)}, static_cast<int>(mesh.vertices.size()));
            if (is_new) {
                const Vec3& a = mesh.vertices[static_cast<std::size_t>(i)];
                const Vec3& b = mesh.vertices[static_cast<std::size_t>(j)];
                mesh.vertices.push_back((a + b).normalized());
            }
            return entry->second;
        };
        Triangles finer;
        for (const auto& [a, b, c] : mesh.triangles) {
            const int ab = middle(a, b), bc = middle(b, c), ca = middle(c, a);
            finer.insert(finer.end(), {{a, ab, ca}, {b, bc, ab}, {c, ca, bc}, {ab, bc, ca}});
        }
        mesh.triangles = std::move(finer);
    }
    return mesh;
}

// ---- comparing -----------------------------------------------------------------------------------------------------

double difference(const VolumeIntegrals& a, const VolumeIntegrals& b) {
    return std::max({std::abs(a.volume - b.volume) / b.volume, (a.centroid - b.centroid).norm() / std::cbrt(b.volume),
                     (a.inertia - b.inertia).norm() / b.inertia.norm()});
}

VolumeIntegrals moved(VolumeIntegrals v, const Vec3& by) {
    v.centroid += by;
    return v;
}

MassProperties box_at(const Box& box, const Vec3& p) {
    MassProperties m = from_density(box, 1.0);
    m.center_of_mass += p;
    return m;
}

bool has(const std::string& text, const std::string& part) { return text.find(part) != std::string::npos; }

// The error of loading, and if that succeeds of integrating; empty if neither fails.
std::string failure(Mesh mesh, const std::filesystem::path& folder = {}) {
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

std::string digits(double x) {
    char text[40];
    std::snprintf(text, sizeof text, "%.17g", x);
    return text;
}

std::string spaced(const Vec3& p) { return digits(p.x()) + " " + digits(p.y()) + " " + digits(p.z()); }

std::string v_lines(const std::vector<Vec3>& vertices) {
    std::string text;
    for (const Vec3& p : vertices) text += "v " + spaced(p) + "\n";
    return text;
}

std::string box_obj(const Vec3& lengths) {
    std::string text = v_lines(box_corners(lengths));
    for (const auto& [a, b, c] : box_triangles())
        text += "f " + std::to_string(a + 1) + " " + std::to_string(b + 1) + " " + std::to_string(c + 1) + "\n";
    return text;
}

std::string ascii_stl(const std::vector<Vec3>& vertices, const Triangles& triangles) {
    std::string text = "solid made by a test\n";
    for (const auto& triangle : triangles) {
        text += "  facet normal 0 0 0\n    outer loop\n";
        for (const int i : triangle) text += "      vertex " + spaced(vertices[static_cast<std::size_t>(i)]) + "\n";
        text += "    endloop\n  endfacet\n";
    }
    return text + "endsolid made by a test\n";
}

void append_little_endian(std::string& bytes, std::uint32_t value) {
    for (int i = 0; i < 4; ++i) bytes += static_cast<char>(value >> 8 * i & 0xFF);
}

std::string binary_stl(const std::vector<Vec3>& vertices, const Triangles& triangles, std::string head = {}) {
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

const Vec3 brick{0.1, 0.2, 0.3};  // none of them a float or a finite binary fraction
const VolumeIntegrals brick_integrals = volume_integrals(Shape{Box{0.1, 0.2, 0.3}});

}  // namespace

// ---- integrals -----------------------------------------------------------------------------------------------------

TEST_CASE("the triangles of a box enclose what the box holds, wherever it is") {
    for (const Vec3& lengths :
         {Vec3{1, 1, 1}, Vec3{1, 2, 3}, Vec3{1e-4, 1, 1e4}, Vec3{1e-6, 1, 1}, Vec3{1e-6, 1e-6, 1}})
        for (const Vec3& centre : {Vec3{0, 0, 0}, Vec3{0.3, -0.4, 0.5}}) {
            CAPTURE(lengths);
            const VolumeIntegrals mesh = loaded_integrals(given(box_corners(lengths, centre), box_triangles()));
            const VolumeIntegrals box = moved(volume_integrals(Shape{Box{lengths[0], lengths[1], lengths[2]}}), centre);
            // A coordinate of size 1 is rounded by 1e-16: relative to the thinnest wall this is the error of the input.
            CHECK(difference(mesh, box) < 1e-15 + 1e-15 * (1.0 + centre.norm()) / lengths.minCoeff());
        }
}

TEST_CASE("each moment of inertia of a needle or plate mesh is as accurate as its own dimensions") {
    const Vec3 lengths{std::ldexp(1.0, -20), 1.0, std::ldexp(1.0, 12)};  // corners are exact binary numbers
    const VolumeIntegrals mesh = loaded_integrals(given(box_corners(lengths), box_triangles()));
    const VolumeIntegrals box = volume_integrals(Shape{Box{lengths[0], lengths[1], lengths[2]}});
    for (int i = 0; i < 3; ++i) CHECK(std::abs(mesh.inertia(i, i) / box.inertia(i, i) - 1.0) < 1e-14);
}

TEST_CASE("a tetrahedron has its textbook volume, centroid and products of inertia") {
    const double a = 0.7, b = 1.1, c = 1.9;
    const VolumeIntegrals v = loaded_integrals(
        given({{0, 0, 0}, {a, 0, 0}, {0, b, 0}, {0, 0, c}}, {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}));
    const double V = a * b * c / 6.0;
    // Integrals of x^2 and x y about the corner are V a^2/10 and V a b/20; less V a^2/16 and V a b/16.
    Mat3 inertia;
    inertia << 3 * (b * b + c * c), a * b, a * c,  //
        a * b, 3 * (a * a + c * c), b * c,         //
        a * c, b * c, 3 * (a * a + b * b);
    CHECK(difference(v, {V, Vec3{a, b, c} / 4.0, V / 80.0 * inertia}) < 2e-15);
    CHECK(v.inertia == v.inertia.transpose());
}

TEST_CASE("a turned and moved mesh has the turned and moved integrals") {
    std::mt19937_64 generator{7};
    std::uniform_real_distribution<> uniform{-1.0, 1.0};
    const auto random = [&] { return uniform(generator); };
    for (int trial = 0; trial < 30; ++trial) {
        const Pose X{Vec3{random(), random(), random()}, Quat{random(), random(), random(), random()}.normalized()};
        const Vec3 lengths{1.1 + random(), 1.1 + random(), 1.1 + random()};
        std::vector<Vec3> corners = box_corners(lengths);
        for (Vec3& p : corners) p = X * p;
        const VolumeIntegrals box = volume_integrals(Shape{Box{lengths[0], lengths[1], lengths[2]}});
        const MassProperties expected = transformed({box.volume, box.centroid, box.inertia}, X);
        CHECK(difference(loaded_integrals(given(corners, box_triangles())),
                         {expected.mass, expected.center_of_mass, expected.inertia}) < 2e-14);
    }
}

TEST_CASE("a mesh 1000 km away keeps the digits of its inertia") {
    const TriangleMesh near = icosphere(3);
    for (const Vec3& far : {Vec3{1e6, 0, 0}, Vec3{-1e6, 1e6, 1e6}}) {
        TriangleMesh away = near, rounded = near;
        for (std::size_t i = 0; i < near.vertices.size(); ++i) {
            away.vertices[i] = near.vertices[i] + far;     // moves each coordinate by up to 6e-11 m: rounded input
            rounded.vertices[i] = away.vertices[i] - far;  // the same rounded surface, near the origin
        }
        const VolumeIntegrals v = volume_integrals(away), exact = volume_integrals(rounded);
        CHECK(std::abs(v.volume / exact.volume - 1.0) < 1e-14);
        CHECK((v.inertia - exact.inertia).norm() < 1e-14 * exact.inertia.norm());
        CHECK((v.centroid - far - exact.centroid).norm() < 2.4e-10);  // one rounding at this distance
        CHECK(std::abs(v.volume / volume_integrals(near).volume - 1.0) < 1e-9);
        CHECK((v.inertia - volume_integrals(near).inertia).norm() < 1e-9 * exact.inertia.norm());
    }
}

TEST_CASE("finer and finer icospheres approach the ball, four times closer at each level") {
    const VolumeIntegrals ball = volume_integrals(Shape{Sphere{2.0}});
    double before = 0.0;
    for (int level = 1; level <= 6; ++level) {
        CAPTURE(level);
        const TriangleMesh mesh = icosphere(level);
        CHECK(open_edges(mesh) == 0);
        const VolumeIntegrals v = volume_integrals(mesh);
        const double error = difference(v, ball);
        CHECK(v.volume < ball.volume);
        CHECK(v.centroid.norm() < 1e-14);
        if (level > 1) CHECK(before / error == doctest::Approx(4.0).epsilon(level < 4 ? 0.1 : 0.01));
        before = error;
    }
    CHECK(before < 1e-3);
}

TEST_CASE("a cavity is missing, and two separate bodies add up") {
    std::vector<Vec3> corners = box_corners(Vec3{4, 4, 4});
    Triangles triangles = box_triangles();
    const std::vector<Vec3> inner = box_corners(Vec3{1, 1, 1}, Vec3{0.5, 0, 0});
    corners.insert(corners.end(), inner.begin(), inner.end());
    for (const auto& [a, b, c] : box_triangles()) triangles.push_back({a + 8, c + 8, b + 8});  // seen from inside
    const VolumeIntegrals hollow = loaded_integrals(given(corners, triangles));
    const MassProperties filled =
        combined({hollow.volume, hollow.centroid, hollow.inertia}, box_at(Box{1, 1, 1}, Vec3{0.5, 0, 0}));
    const VolumeIntegrals full = volume_integrals(Shape{Box{4, 4, 4}});
    CHECK(difference({filled.mass, filled.center_of_mass, filled.inertia}, full) < 1e-15);

    std::vector<Vec3> two = box_corners(Vec3{1, 2, 3}, Vec3{5, 0, 0});
    const std::vector<Vec3> other = box_corners(Vec3{3, 1, 1}, Vec3{-5, 1, 0});
    two.insert(two.end(), other.begin(), other.end());
    triangles = box_triangles();
    for (const auto& [a, b, c] : box_triangles()) triangles.push_back({a + 8, b + 8, c + 8});
    const VolumeIntegrals pair = loaded_integrals(given(two, triangles));
    const MassProperties sum = combined(box_at(Box{1, 2, 3}, Vec3{5, 0, 0}), box_at(Box{3, 1, 1}, Vec3{-5, 1, 0}));
    CHECK(difference(pair, {sum.mass, sum.center_of_mass, sum.inertia}) < 1e-15);
}

TEST_CASE("a mesh as a Shape has the integrals of its surface") {
    Mesh mesh = given(box_corners(brick), box_triangles());
    CHECK_THROWS_AS(volume_integrals(Shape{mesh}), InputError);
    load_mesh(mesh, {});
    CHECK(difference(volume_integrals(Shape{mesh}), brick_integrals) < 1e-15);
    CHECK(std::abs(from_mass(mesh, 3.0).inertia(0, 0) - 3.0 / 12.0 * (0.04 + 0.09)) < 1e-16);
}

// ---- scale ---------------------------------------------------------------------------------------------------------

TEST_CASE("a scaled mesh encloses the scaled body, mirrored or not") {
    for (const Vec3& scale : {Vec3{2, 2, 2}, Vec3{0.001, 0.001, 0.001}, Vec3{1, 2, 3}, Vec3{-1, 1, 1}, Vec3{1, -2, 1},
                              Vec3{-1, -1, 3}, Vec3{-2, -3, -4}}) {
        CAPTURE(scale);
        const Vec3 lengths{0.5, 0.75, 1.0}, centre{1, 2, 3};
        Mesh mesh = given(box_corners(lengths, centre), box_triangles(), scale);
        load_mesh(mesh, {});
        const Vec3 l = scale.cwiseAbs().cwiseProduct(lengths);
        const VolumeIntegrals box = moved(volume_integrals(Shape{Box{l[0], l[1], l[2]}}), scale.cwiseProduct(centre));
        CHECK(difference(volume_integrals(*mesh.data), box) < 1e-13);
        CHECK(mesh.vertices == box_corners(lengths, centre));  // as given: a saved scene says what was loaded
    }
}

TEST_CASE("a scale that would flatten or blow up a mesh is refused") {
    const double inf = std::numeric_limits<double>::infinity();
    for (const Vec3& scale : {Vec3{1, 0, 1}, Vec3{1, 1, inf}, Vec3{std::nan(""), 1, 1}})
        CHECK(has(failure(given(box_corners(brick), box_triangles(), scale)), "shape.scale = ["));
    CHECK(has(failure(given(box_corners(1e200 * brick), box_triangles(), Vec3::Constant(1e200))), "shape.scale"));
    CHECK(has(failure(given(box_corners(1e200 * brick), box_triangles())), "overflow"));
}

// ---- surfaces that are not closed, or turned the wrong way ---------------------------------------------------------

TEST_CASE("an open surface is refused with the number of its open edges") {
    Triangles triangles = box_triangles();
    triangles.pop_back();
    Mesh mesh = given(box_corners(brick), triangles);
    load_mesh(mesh, {});  // may still be shown
    CHECK(open_edges(*mesh.data) == 3);
    CHECK(has(failure(mesh), "must be a closed surface: 3 edges do not belong"));
    triangles = box_triangles();
    std::swap(triangles[0][0], triangles[0][1]);  // one triangle with the wrong direction
    CHECK(has(failure(given(box_corners(brick), triangles)), "3 edges"));
    triangles = box_triangles();
    triangles.push_back({0, 7, 3});  // a wall inside: its diagonal, and two box edges that now have three triangles
    CHECK(has(failure(given(box_corners(brick), triangles)), "3 edges"));
    CHECK(open_edges({{}, box_corners(brick), {{0, 1, 2}}}) == 3);
    CHECK(open_edges({{}, box_corners(brick), box_triangles()}) == 0);
    CHECK(open_edges({}) == 0);
    CHECK_THROWS_AS(volume_integrals(TriangleMesh{}), InputError);
}

TEST_CASE("a surface that is inside out or flat encloses no volume, and the error says which") {
    Triangles inverted;
    for (const auto& [a, b, c] : box_triangles()) inverted.push_back({a, c, b});
    CHECK(has(failure(given(box_corners(brick), inverted)), "inside out"));
    const Triangles sheet{{0, 1, 2}, {0, 2, 1}};
    std::mt19937_64 generator{8};
    std::uniform_real_distribution<> uniform{-1.0, 1.0};
    const auto random = [&] { return Vec3{uniform(generator), uniform(generator), uniform(generator)}; };
    for (int trial = 0; trial < 200; ++trial) {
        CHECK(has(failure(given({random(), random(), random()}, sheet)), "encloses a volume"));
        // A box without height, turned and far away, where coordinates are rounded by 1e-13: encloses only roundings.
        const Quat q = Quat{uniform(generator), uniform(generator), uniform(generator), 1.1}.normalized();
        const Vec3 far = 1000.0 * random();
        std::vector<Vec3> corners;
        for (const Vec3& p : box_corners(Vec3{1, 1, 3e-13})) corners.push_back(far + q * p);
        const std::string text = failure(given(corners, box_triangles()));
        CHECK((has(text, "encloses a volume") || has(text, " edge")));  // corners may have been merged
    }
}

TEST_CASE("meshes given in memory are checked") {
    CHECK(has(failure(Mesh{}), "shape.triangles"));
    CHECK(has(failure(given(box_corners(brick), {})), "shape.triangles = none: must have at least one triangle"));
    CHECK(has(failure(given(box_corners(brick), {{0, 1, 8}})), "index 8 in triangle 0"));
    CHECK(has(failure(given(box_corners(brick), {{0, 1, 2}, {0, -1, 2}})), "index -1 in triangle 1"));
    CHECK(has(failure(given(box_corners(brick), {{0, 1, 1}})), "three different corners"));
    std::vector<Vec3> corners = box_corners(brick);
    corners[5].y() = std::nan("");
    CHECK(has(failure(given(corners, box_triangles())), "vertex 5"));
    Mesh both = given(box_corners(brick), box_triangles());
    both.file = "box.obj";
    CHECK(has(failure(both), "not both"));
}

TEST_CASE("equal vertices become one, and what is not part of the surface is left out") {
    std::vector<Vec3> corners;
    Triangles triangles;
    for (const auto& triangle : box_triangles()) {  // every triangle with its own corners, as in an STL file
        const int i = static_cast<int>(corners.size());
        for (const int corner : triangle) corners.push_back(box_corners(brick)[static_cast<std::size_t>(corner)]);
        triangles.push_back({i, i + 1, i + 2});
    }
    triangles.push_back({0, 0, 1});
    corners.push_back({100, 100, 100});  // belongs to no triangle: would spoil the convex hull
    Mesh mesh = given(corners, triangles);
    load_mesh(mesh, {});
    CHECK(mesh.data->vertices.size() == 8);
    CHECK(mesh.data->triangles.size() == 12);
    CHECK(difference(volume_integrals(*mesh.data), brick_integrals) < 1e-15);

    Mesh zeros = given({{0.0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {-0.0, 0, -0.0}, {0, 0, 1}}, {{0, 1, 2}, {3, 4, 1}});
    load_mesh(zeros, {});
    CHECK(zeros.data->vertices.size() == 4);  // -0 is 0
}

// ---- OBJ -----------------------------------------------------------------------------------------------------------

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
        CHECK(has(text, "shape.file = "));
        CHECK(has(text, "wrong.obj"));
        CHECK(has(text, file.error));
    }
}

// ---- STL -----------------------------------------------------------------------------------------------------------

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
    const std::vector<Wrong> wrong{
        {"", "84 bytes"},
        {"hello", "84 bytes"},
        {binary.substr(0, 83), "84 bytes"},
        {binary.substr(0, binary.size() - 1), "announces 12 triangles and has bytes for 11"},
        {binary.substr(0, 84), "announces 12 triangles and has bytes for 0"},
        {std::string(80, 'x') + "\xFF\xFF\xFF\xFF", "announces 4294967295 triangles"},
        {std::string(80, 'x') + std::string(4, '\0'), "holds no triangles"},
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
        CHECK(has(text, "shape.file = "));
        CHECK(has(text, file.error));
    }
}

// ---- files ---------------------------------------------------------------------------------------------------------

TEST_CASE("a missing file is named with the absolute path looked at, another format with the known ones") {
    const Folder folder;
    Mesh mesh;
    mesh.file = "parts/../no such file.obj";
    CHECK(has(failure(mesh, folder.path()), (folder.path() / "no such file.obj").string()));
    CHECK(has(failure(mesh, {}), (std::filesystem::current_path() / "no such file.obj").string()));
    mesh.file = "model.gltf";
    CHECK(has(failure(mesh, folder.path()), ".obj or .stl"));
    mesh.file = "model";
    CHECK(has(failure(mesh, folder.path()), ".obj or .stl"));
    std::filesystem::create_directory(folder.path() / "folder.obj");
    mesh.file = "folder.obj";
    CHECK(has(failure(mesh, folder.path()), "is not a file"));
    mesh.file = std::string(5000, 'x') + ".obj";
    CHECK(has(failure(mesh, folder.path()), "there is no file at"));
    CHECK(mesh.data == nullptr);
}

TEST_CASE("file names may hold spaces and other letters, in sub-folders and as absolute paths") {
    const Folder folder;
    std::filesystem::create_directory(folder.path() / "sub folder");
    const std::string name = "sub folder/a box, gr\xC3\xB6\xC3\x9F"
                             "er.v2.obj";
    const Mesh mesh = folder.load(name, box_obj(brick));
    CHECK(difference(volume_integrals(*mesh.data), brick_integrals) < 1e-15);
    Mesh absolute;
    absolute.file = (folder.path() / name).string();
    load_mesh(absolute, "/another/folder");
    CHECK(absolute.data->file == mesh.data->file);
    CHECK(absolute.data->vertices == mesh.data->vertices);
}

TEST_CASE("a failed load leaves the mesh as it was") {
    const Folder folder;
    Mesh mesh = folder.load("box.obj", box_obj(brick));
    const auto before = mesh.data;
    folder.write("box.obj", "v 1 2\n");
    CHECK_THROWS_AS(load_mesh(mesh, folder.path()), InputError);
    CHECK(mesh.data == before);
}

TEST_CASE("garbage is refused, never obeyed: cut, flipped and random files") {
    const Folder folder;
    const std::vector<Vec3> corners = box_corners(brick);
    const std::vector<File> files{{"f.obj", box_obj(brick) + "f -1 -2 -3 -4 -5 -6 -7\nv 1 2 \\\n 3\n"},
                                  {"f.stl", ascii_stl(corners, box_triangles())},
                                  {"f.stl", binary_stl(corners, box_triangles())}};
    std::mt19937 generator{10};
    const auto below = [&generator](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>{0, n - 1}(generator);
    };
    const auto try_file = [&folder](const std::string& name, const std::string& content) {
        folder.failure_of(name, content);  // either result is right, as long as it is a result
    };
    const std::vector<std::string> pieces{
        "v ",     "f ",      "1e308 ",   "-1 ", "nan ",         "/",   "\\\n", "#", std::string(1, '\0'), "solid ",
        "facet ", "vertex ", "endloop ", "\r",  "99999999999 ", "\xFF"};
    for (const auto& [name, content] : files) {
        for (std::size_t size = 0; size < content.size(); size += 1 + below(7)) try_file(name, content.substr(0, size));
        for (int trial = 0; trial < 400; ++trial) {
            std::string broken = content;
            for (std::size_t n = 1 + below(4); n > 0; --n) broken[below(broken.size())] = static_cast<char>(below(256));
            if (trial % 2 == 0) broken.insert(below(broken.size()), pieces[below(pieces.size())]);
            try_file(name, broken);
        }
    }
    for (int trial = 0; trial < 400; ++trial) {
        std::string noise;
        for (std::size_t n = below(400); n > 0; --n)
            noise += trial % 2 == 0 ? std::string(1, static_cast<char>(below(256))) : pieces[below(pieces.size())];
        try_file("f.obj", noise);
        try_file("f.stl", noise);
        try_file("f.stl", "solid\n" + noise);
    }
}
