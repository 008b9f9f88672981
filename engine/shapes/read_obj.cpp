// Wavefront OBJ: "v x y z" and "f i j k ..."; polygons are cut into triangles.
#include <tactus/engine/shapes/mesh_file.hpp>

#include <algorithm>
#include <charconv>
#include <utility>

namespace tactus {

namespace {

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

}  // namespace

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
                file.refuse(number, "must have three finite numbers after v, not " + excerpt(trimmed(numbers)));
            if (surface.vertices.size() == max_vertices) file.refuse("must be a file with fewer vertices");
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
                file.refuse(number, "must be a vertex number from 1, or backwards from -1, not " + excerpt(word));
            if (i < 0) i += known + 1;
            if (i > largest) {
                largest = i;
                largest_line = number;
            }
            corners.push_back(static_cast<int>(i - 1));
        }
        if (corners.size() < (ends.empty() ? 0 : ends.back()) + 3)
            file.refuse(number, "must have at least three vertices after f");
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

}  // namespace tactus
