// Reading OBJ and STL files, checking surfaces, and integrating over what they enclose.
//
// The readers are written here because they have to keep every digit and to refuse what they cannot read: common
// libraries store coordinates as float, or take "1,5", "nan" or a missing number for some other number without a word.
#include <tactus/engine/shapes/triangle_mesh.hpp>

#include <tactus/engine/errors.hpp>

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <string_view>
#include <unordered_map>
#include <utility>

namespace tactus {

namespace {

constexpr std::size_t max_vertices = std::numeric_limits<int>::max();  // indices are int

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

// Part of a file in an error message: short, and printable whatever the file holds.
std::string excerpt(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string out = "\"";
    for (const char c : text.substr(0, longest)) out += c >= ' ' && c <= '~' ? c : '?';
    return out + (text.size() > longest ? "...\"" : "\"");
}

std::string text_of(const Vec3& v) {
    std::string text = "[";
    for (const double x : v) {
        char digits[32];
        text.append(digits, std::to_chars(digits, digits + sizeof digits, x).ptr) += ", ";
    }
    return text.replace(text.size() - 2, 2, "]");
}

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

// Takes the next word off the text; empty at the end.
std::string_view take_word(std::string_view& text) {
    std::size_t begin = 0;
    while (begin < text.size() && is_space(text[begin])) ++begin;
    std::size_t end = begin;
    while (end < text.size() && !is_space(text[end])) ++end;
    const std::string_view word = text.substr(begin, end - begin);
    text.remove_prefix(end);
    return word;
}

std::string lower_case(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

// The whole word as a finite number, correctly rounded and whatever the locale.
bool read_number(std::string_view word, double& x) {
    if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, x);
    return error == std::errc{} && stop == end && std::isfinite(x);
}

bool read_point(std::string_view& text, Vec3& p) {
    return read_number(take_word(text), p.x()) && read_number(take_word(text), p.y()) &&
           read_number(take_word(text), p.z());
}

// ---- polygons ------------------------------------------------------------------------------------------------------

// Whether p lies in the triangle abc or on its border, all seen along the normal n.
bool covers(const Vec3& a, const Vec3& b, const Vec3& c, const Vec3& p, const Vec3& n) {
    return n.dot((b - a).cross(p - a)) >= 0.0 && n.dot((c - b).cross(p - b)) >= 0.0 &&
           n.dot((a - c).cross(p - c)) >= 0.0;
}

// Whether the corner `at` can be cut off: convex, and no other corner of the polygon lies in its triangle.
bool is_ear(const std::vector<Vec3>& v, const std::vector<int>& polygon, std::size_t at, const Vec3& n) {
    const auto corner = [&](std::size_t i) -> const Vec3& {
        return v[static_cast<std::size_t>(polygon[i % polygon.size()])];
    };
    const Vec3& a = corner(at + polygon.size() - 1);
    const Vec3& b = corner(at);
    const Vec3& c = corner(at + 1);
    if (!(n.dot((b - a).cross(c - b)) > 0.0)) return false;
    for (std::size_t i = 0; i < polygon.size(); ++i) {
        const Vec3& p = corner(i);
        if (p != a && p != b && p != c && covers(a, b, c, p, n)) return false;
    }
    return true;
}

// Cuts a planar polygon into triangles of its own orientation: a fan where that works (as it does if it is convex),
// else ear by ear (G. H. Meisters, Polygons have ears, Amer. Math. Monthly 82, 1975). What has no ear (edges that
// cross, no area) ends as a fan too: the integrals of a fan are exact for any planar polygon, its overlaps cancel.
void append_polygon(const std::vector<Vec3>& v, std::vector<int> polygon, std::vector<std::array<int, 3>>& triangles) {
    const auto corner = [&](std::size_t i) -> const Vec3& { return v[static_cast<std::size_t>(polygon[i])]; };
    const auto area = [&](std::size_t i) -> Vec3 {  // of the fan triangle at the edge from corner i, doubled
        return (corner(i) - corner(0)).cross(corner(i + 1) - corner(0));
    };
    Vec3 n = Vec3::Zero();
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) n += area(i);
    bool fan = true;
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) fan = fan && n.dot(area(i)) > 0.0;

    constexpr std::size_t most_corners = 512;  // the search is of third order at worst: no hostage to a broken file
    while (!fan && polygon.size() > 3 && polygon.size() <= most_corners) {
        std::size_t at = 0;
        while (at < polygon.size() && !is_ear(v, polygon, at, n)) ++at;
        if (at == polygon.size()) break;
        const std::size_t size = polygon.size();
        triangles.push_back({polygon[(at + size - 1) % size], polygon[at], polygon[(at + 1) % size]});
        polygon.erase(polygon.begin() + static_cast<std::ptrdiff_t>(at));
    }
    for (std::size_t i = 1; i + 1 < polygon.size(); ++i) triangles.push_back({polygon[0], polygon[i], polygon[i + 1]});
}

// ---- OBJ -----------------------------------------------------------------------------------------------------------

// Lines of a text, ended by \n, \r\n or \r, without comment and outer space.
class ObjLines {
public:
    explicit ObjLines(std::string_view text) : rest_{text} {
        if (rest_.starts_with("\xEF\xBB\xBF")) rest_.remove_prefix(3);  // byte order mark of UTF-8
    }

    bool next() {
        if (rest_.empty()) return false;
        const std::size_t end = std::min(rest_.find_first_of("\r\n"), rest_.size());
        line_ = rest_.substr(0, end);
        line_ = trimmed(line_.substr(0, line_.find('#')));
        rest_.remove_prefix(end);
        rest_.remove_prefix(rest_.starts_with("\r\n") ? 2 : rest_.empty() ? 0 : 1);
        ++number_;
        return true;
    }

    // A statement goes on in the next line if its last character is a backslash. Not done by next(), because names and
    // paths in statements that do not matter here may end so as well.
    void append_continuation() {
        if (!line_.ends_with('\\')) return;
        joined_ = line_;
        while (joined_.ends_with('\\')) {
            joined_.back() = ' ';
            if (!next()) break;
            joined_ += line_;
        }
        line_ = joined_;
    }

    std::string_view line() const { return line_; }
    std::size_t number() const { return number_; }

private:
    std::string_view rest_, line_;
    std::string joined_;
    std::size_t number_ = 0;
};

// Reads "v x y z" and "f i j k ..."; all the rest (normals, texture, groups, materials, lines, curves) has no volume.
Surface read_obj(const MeshFile& file) {
    Surface surface;
    std::vector<int> corners;       // of all faces, from 0
    std::vector<std::size_t> ends;  // of each face in corners
    long long largest = 0;          // vertex number of all faces, from 1, ...
    std::size_t largest_line = 0;   // ... and its line: a face may come before its vertices

    ObjLines lines{file.content};
    while (lines.next()) {
        std::string_view line = lines.line();
        const std::string_view keyword = take_word(line);
        if (keyword != "v" && keyword != "f") continue;
        const std::size_t number = lines.number();
        lines.append_continuation();
        line = lines.line();
        take_word(line);

        if (keyword == "v") {
            Vec3 p;
            const std::string_view numbers = line;
            if (!read_point(line, p))
                file.refuse(number, "three finite numbers after v, not " + excerpt(trimmed(numbers)));
            if (surface.vertices.size() == max_vertices) file.refuse("a file with fewer vertices");
            surface.vertices.push_back(p);
            continue;
        }
        const auto known = static_cast<long long>(surface.vertices.size());
        for (std::string_view word = take_word(line); !word.empty(); word = take_word(line)) {
            // i, i/texture, i/texture/normal or i//normal; i counts from 1, or backwards from -1.
            const std::string_view digits = word.substr(0, word.find('/'));
            long long i = 0;
            const auto [stop, error] = std::from_chars(digits.data(), digits.data() + digits.size(), i);
            if (error != std::errc{} || stop != digits.data() + digits.size() || i == 0 || i < -known ||
                i > static_cast<long long>(max_vertices))
                file.refuse(number, "a vertex number from 1, or backwards from -1, not " + excerpt(word));
            if (i < 0) i += known + 1;
            if (i > largest) {
                largest = i;
                largest_line = number;
            }
            corners.push_back(static_cast<int>(i - 1));
        }
        if (corners.size() < (ends.empty() ? 0 : ends.back()) + 3)
            file.refuse(number, "at least three vertices after f");
        ends.push_back(corners.size());
    }
    if (largest > static_cast<long long>(surface.vertices.size()))
        file.refuse(largest_line, "vertex number " + std::to_string(largest) +
                                      ", but the number of vertices in the file is " +
                                      std::to_string(surface.vertices.size()));

    std::size_t begin = 0;
    for (const std::size_t end : ends) {
        append_polygon(surface.vertices, {corners.data() + begin, corners.data() + end}, surface.triangles);
        begin = end;
    }
    return surface;
}

// ---- STL -----------------------------------------------------------------------------------------------------------

std::uint32_t little_endian_32(const char* bytes) {
    std::uint32_t value = 0;
    for (int i = 3; i >= 0; --i) value = value << 8 | static_cast<unsigned char>(bytes[i]);
    return value;
}

constexpr std::size_t stl_head = 84, stl_facet = 50;  // bytes: 80 of text, count; normal, 3 vertices, attributes

// Binary files may begin with "solid" too, and may have something appended.
bool is_binary_stl(const std::string& content) {
    if (content.size() >= stl_head &&
        content.size() == stl_head + stl_facet * std::size_t{little_endian_32(content.data() + 80)})
        return true;
    std::string_view text = content;
    return lower_case(std::string{take_word(text)}) != "solid" || content.find('\0') != std::string::npos;
}

Surface read_binary_stl(const MeshFile& file) {
    const std::string& bytes = file.content;
    if (bytes.size() < stl_head)
        file.refuse("an STL file: text that begins with 'solid', or at least 84 bytes, not " +
                    std::to_string(bytes.size()));
    const std::size_t count = little_endian_32(bytes.data() + 80);
    if (count > (bytes.size() - stl_head) / stl_facet)
        file.refuse("a complete STL file: it announces " + std::to_string(count) + " triangles and has bytes for " +
                    std::to_string((bytes.size() - stl_head) / stl_facet));
    if (3 * count > max_vertices) file.refuse("a file with fewer triangles");

    Surface surface;
    surface.vertices.reserve(3 * count);
    surface.triangles.reserve(count);
    for (std::size_t t = 0; t < count; ++t) {
        const char* at = bytes.data() + stl_head + t * stl_facet + 12;  // after the normal: corners tell it better
        for (int corner = 0; corner < 3; ++corner) {
            Vec3 p;
            for (int i = 0; i < 3; ++i, at += 4) p[i] = double{std::bit_cast<float>(little_endian_32(at))};
            if (!p.allFinite())
                file.refuse("finite coordinates: triangle " + std::to_string(t + 1) + " has another one");
            surface.vertices.push_back(p);
        }
        const int i = static_cast<int>(3 * t);
        surface.triangles.push_back({i, i + 1, i + 2});
    }
    return surface;
}

// solid [name] { facet normal x y z  outer loop  vertex x y z (three times)  endloop  endfacet } endsolid [name],
// several solids one after the other.
class AsciiStl {
public:
    explicit AsciiStl(const MeshFile& file) : file_{file}, rest_{file.content} {}

    Surface read() {
        bool inside = false;
        for (std::string word = take(); !word.empty(); word = take()) {
            if (word == (inside ? "endsolid" : "solid")) {
                inside = !inside;
                rest_.remove_prefix(std::min(rest_.find_first_of("\r\n"), rest_.size()));  // its name
            } else if (inside && word == "facet") {
                read_facet();
            } else {
                file_.refuse(line_, (inside ? "'facet' or 'endsolid', not " : "'solid', not ") + excerpt(word));
            }
        }
        if (inside) file_.refuse(line_, "'facet' or 'endsolid', not the end of the file");
        return std::move(surface_);
    }

private:
    void read_facet() {
        expect("normal");
        for (int i = 0; i < 3; ++i) take();  // not used: the corners tell it better, and some writers put nan here
        expect("outer");
        expect("loop");
        for (int i = 0; i < 3; ++i) {
            expect("vertex");
            std::string_view at = rest_;
            Vec3 p;
            if (!read_point(at, p))
                file_.refuse(line_, "three finite numbers after vertex, not " +
                                        excerpt(trimmed(rest_.substr(0, rest_.find_first_of("\r\n")))));
            for (int k = 0; k < 3; ++k) take();
            surface_.vertices.push_back(p);
        }
        expect("endloop");
        expect("endfacet");
        const std::size_t i = surface_.vertices.size();
        if (i > max_vertices) file_.refuse("a file with fewer triangles");
        surface_.triangles.push_back({static_cast<int>(i - 3), static_cast<int>(i - 2), static_cast<int>(i - 1)});
    }

    std::string take() {
        const std::string_view before = rest_;
        const std::string_view word = take_word(rest_);
        const std::string_view passed = before.substr(0, before.size() - rest_.size());
        line_ += static_cast<std::size_t>(std::count(passed.begin(), passed.end(), '\n'));
        return lower_case(std::string{word});
    }

    void expect(const std::string& keyword) {
        if (const std::string word = take(); word != keyword)
            file_.refuse(line_, "'" + keyword + "', not " + (word.empty() ? "the end of the file" : excerpt(word)));
    }

    const MeshFile& file_;
    std::string_view rest_;
    std::size_t line_ = 1;
    Surface surface_;
};

// ---- files ---------------------------------------------------------------------------------------------------------

void read_content(MeshFile& file, const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) file.refuse("an existing file; there is none at " + path.string());
    if (!std::filesystem::is_regular_file(status)) file.refuse("a file; not one is " + path.string());
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    std::ifstream stream{path, std::ios::binary};
    if (error || !stream) file.refuse("a file that can be read; not so " + path.string());
    file.content.resize(size);
    stream.read(file.content.data(), static_cast<std::streamsize>(size));
    if (static_cast<std::uintmax_t>(stream.gcount()) != size)
        file.refuse("a file that can be read to its end; not so " + path.string());
}

Surface read_file(const std::string& given, const std::filesystem::path& path) {
    MeshFile file{given, {}};
    const std::string extension = lower_case(path.extension().string());
    if (extension != ".obj" && extension != ".stl") file.refuse("a file with the extension .obj or .stl");
    read_content(file, path);
    Surface surface = extension == ".obj"           ? read_obj(file)
                      : is_binary_stl(file.content) ? read_binary_stl(file)
                                                    : AsciiStl{file}.read();
    if (surface.triangles.empty()) file.refuse("a file with triangles; there is none in " + path.string());
    return surface;
}

void check_given(const Mesh& mesh) {
    const auto refuse = [](const std::string& field, const std::string& value, const std::string& allowed) {
        throw InputError(Issue{"", "", "shape." + field, value, allowed});
    };
    if (mesh.vertices.size() > max_vertices)
        refuse("vertices", std::to_string(mesh.vertices.size()) + " vertices", "fewer");
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        if (!mesh.vertices[i].allFinite()) refuse("vertices", "vertex " + std::to_string(i), "finite coordinates [m]");
    if (mesh.triangles.empty()) refuse("triangles", "none", "at least one triangle, or a file");
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (const int i : mesh.triangles[t])
            if (i < 0 || static_cast<std::size_t>(i) >= mesh.vertices.size())
                refuse("triangles", "index " + std::to_string(i) + " in triangle " + std::to_string(t),
                       "an index from 0 below the number of vertices, " + std::to_string(mesh.vertices.size()));
}

// ---- from what is written to a TriangleMesh ------------------------------------------------------------------------

struct PointHash {
    std::size_t operator()(const std::array<double, 3>& p) const {
        std::uint64_t h = 0;
        for (const double x : p) {
            h = (h ^ std::bit_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio, odd
            h ^= h >> 32;
        }
        return static_cast<std::size_t>(h);
    }
};

// Scales, mirrors, merges equal vertices (after scaling: they are what is compared later), and leaves out triangles
// with two equal corners and vertices without a triangle, which do not belong to the surface.
TriangleMesh scaled(const Surface& surface, const Vec3& scale) {
    TriangleMesh mesh;
    mesh.triangles.reserve(surface.triangles.size());
    std::unordered_map<std::array<double, 3>, int, PointHash> index_of;
    std::vector<int> merged(surface.vertices.size(), -1);
    const auto index = [&](int raw) {
        int& i = merged[static_cast<std::size_t>(raw)];
        if (i < 0) {
            // + 0.0 turns -0.0 into 0.0: equal numbers must have equal bits for the hash.
            const Vec3 p = (scale.array() * surface.vertices[static_cast<std::size_t>(raw)].array() + 0.0).matrix();
            if (!p.allFinite())
                throw InputError(
                    Issue{"", "", "shape.scale", text_of(scale), "factors that keep all coordinates finite"});
            const auto [entry, is_new] =
                index_of.try_emplace({p.x(), p.y(), p.z()}, static_cast<int>(mesh.vertices.size()));
            if (is_new) mesh.vertices.push_back(p);
            i = entry->second;
        }
        return i;
    };
    const bool mirrored = scale.prod() < 0.0;
    for (const auto& [a, b, c] : surface.triangles) {
        const int i = index(a), j = index(b), k = index(c);
        if (i == j || j == k || k == i) continue;
        mesh.triangles.push_back(mirrored ? std::array{i, k, j} : std::array{i, j, k});
    }
    return mesh;
}

// ---- integrals -----------------------------------------------------------------------------------------------------

struct Moments {
    double volume = 0.0;
    Vec3 first = Vec3::Zero();   // integral of x dV
    Mat3 second = Mat3::Zero();  // integral of x x^T dV
    double area = 0.0;
};

// Sums of signed tetrahedra between each triangle abc and the point `about`, from which x is measured. With
// D = a . (b x c) = 6 * volume:  integral of x = D/24 (a + b + c), of x x^T = D/120 (s s^T + a a^T + b b^T + c c^T),
// s = a + b + c (moments of a simplex; e.g. F. Tonon, J. Math. Stat. 1, 2005).
Moments moments(const TriangleMesh& mesh, const Vec3& about) {
    Moments sum;
    for (const auto& triangle : mesh.triangles) {
        const auto corner = [&](std::size_t i) -> const Vec3& {
            return mesh.vertices[static_cast<std::size_t>(triangle[i])];
        };
        const Vec3 a = corner(0) - about, b = corner(1) - about, c = corner(2) - about, s = a + b + c;
        // From the edges, the product errs relative to the triangle's area, not to the squared distance.
        const Vec3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        const double D = a.dot(normal);
        sum.volume += D / 6.0;
        sum.first += D / 24.0 * s;
        sum.second += D / 120.0 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
        sum.area += normal.norm() / 2.0;
    }
    return sum;
}

[[noreturn]] void refuse_surface(const TriangleMesh& mesh, const std::string& why) {
    if (mesh.file.empty())
        throw InputError(Issue{"", "", "shape.triangles", std::to_string(mesh.triangles.size()) + " triangles", why});
    throw InputError(Issue{"", "", "shape.file", mesh.file.string(), why});
}

}  // namespace

void load_mesh(Mesh& mesh, const std::filesystem::path& folder) {
    if (!mesh.scale.allFinite() || (mesh.scale.array() == 0.0).any())
        throw InputError(Issue{"", "", "shape.scale", text_of(mesh.scale), "a finite factor per axis that is not 0"});
    if (!mesh.file.empty() && !(mesh.vertices.empty() && mesh.triangles.empty()))
        throw InputError(Issue{"", "", "shape.file", mesh.file, "a file, or vertices and triangles, not both"});

    TriangleMesh data;
    if (mesh.file.empty()) {
        check_given(mesh);
        data = scaled({mesh.vertices, mesh.triangles}, mesh.scale);
        if (data.triangles.empty())
            throw InputError(Issue{"", "", "shape.triangles", std::to_string(mesh.triangles.size()) + " triangles",
                                   "a triangle with three different corners"});
    } else {
        const std::filesystem::path path = std::filesystem::absolute(folder / mesh.file).lexically_normal();
        data = scaled(read_file(mesh.file, path), mesh.scale);
        if (data.triangles.empty())
            throw InputError(Issue{"", "", "shape.file", mesh.file, "a triangle with three different corners"});
        data.file = path;
    }
    mesh.data = std::make_shared<const TriangleMesh>(std::move(data));
}

std::size_t open_edges(const TriangleMesh& mesh) {
    struct Edge {
        int low, high;
        bool upwards;
    };
    std::vector<Edge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (const auto& [a, b, c] : mesh.triangles)
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}})
            edges.push_back({std::min(from, to), std::max(from, to), from < to});
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.upwards < b.upwards;
    });

    std::size_t open = 0;
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t next = i;
        while (next < edges.size() && edges[next].low == edges[i].low && edges[next].high == edges[i].high) ++next;
        if (next - i != 2 || edges[i].upwards == edges[i + 1].upwards) ++open;
        i = next;
    }
    return open;
}

VolumeIntegrals volume_integrals(const TriangleMesh& mesh) {
    if (mesh.triangles.empty()) refuse_surface(mesh, "a surface with triangles");
    if (const std::size_t open = open_edges(mesh); open > 0)
        refuse_surface(mesh, "a closed surface: " + std::to_string(open) + (open == 1 ? " edge does" : " edges do") +
                                 " not belong to exactly two triangles of opposite direction");

    // Mean of the vertices, taken from the first one so that a far surface loses no digits.
    Vec3 mean = Vec3::Zero();
    for (const Vec3& p : mesh.vertices) mean += (p - mesh.vertices.front()) / static_cast<double>(mesh.vertices.size());
    mean += mesh.vertices.front();
    const Moments rough = moments(mesh, mean);

    // Coordinates are rounded to eps times their size, which moves the surface: a smaller volume is not known at all.
    double size = 0.0;
    for (const Vec3& p : mesh.vertices) size = std::max(size, p.cwiseAbs().maxCoeff());
    const double unknown = 16.0 * std::numeric_limits<double>::epsilon() * size * rough.area;
    if (!std::isfinite(rough.volume) || !std::isfinite(rough.second.sum()))
        refuse_surface(mesh, "a smaller surface: its volume integrals overflow");
    if (rough.volume < -unknown)
        refuse_surface(mesh, "a surface with triangles counter-clockwise seen from outside: this one is inside out");
    if (rough.volume <= unknown || rough.volume == 0.0) refuse_surface(mesh, "a surface that encloses a volume");

    // Once more about the centroid: only a residual is left of the parallel-axis term, nothing large to subtract.
    const Vec3 centroid = mean + rough.first / rough.volume;
    const Moments m = moments(mesh, centroid);
    const Vec3 rest = m.first / m.volume;
    const Mat3 S = m.second - m.volume * rest * rest.transpose();
    Mat3 inertia = -S;
    inertia.diagonal() << S(1, 1) + S(2, 2), S(2, 2) + S(0, 0), S(0, 0) + S(1, 1);
    return {m.volume, centroid + rest, inertia};
}

}  // namespace tactus
