// STL, binary and ASCII.
#include <tactus/engine/shapes/mesh_file.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tactus {

namespace {

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
        file.refuse("must be an STL file: text that begins with 'solid', or at least 84 bytes, not " +
                    std::to_string(bytes.size()));
    const std::size_t count = little_endian_32(bytes.data() + 80);
    if (count > (bytes.size() - stl_head) / stl_facet)
        file.refuse("must be a complete STL file: it announces " + std::to_string(count) +
                    " triangles and has bytes for " + std::to_string((bytes.size() - stl_head) / stl_facet));
    if (3 * count > max_vertices) file.refuse("must be a file with fewer triangles");

    Surface surface;
    surface.vertices.reserve(3 * count);
    surface.triangles.reserve(count);
    for (std::size_t t = 0; t < count; ++t) {
        const char* at = bytes.data() + stl_head + t * stl_facet + 12;  // after the normal: corners tell it better
        for (int corner = 0; corner < 3; ++corner) {
            Vec3 p;
            for (int i = 0; i < 3; ++i, at += 4) p[i] = double{std::bit_cast<float>(little_endian_32(at))};
            if (!p.allFinite())
                file.refuse("must have finite coordinates: triangle " + std::to_string(t + 1) + " has another one");
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
                file_.refuse(line_, (inside ? "must be 'facet' or 'endsolid', not " : "must be 'solid', not ") +
                                        excerpt(word));
            }
        }
        if (inside) file_.refuse(line_, "must be 'facet' or 'endsolid', not the end of the file");
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
                file_.refuse(line_, "must have three finite numbers after vertex, not " +
                                        excerpt(trimmed(rest_.substr(0, rest_.find_first_of("\r\n")))));
            for (int k = 0; k < 3; ++k) take();
            surface_.vertices.push_back(p);
        }
        expect("endloop");
        expect("endfacet");
        const std::size_t i = surface_.vertices.size();
        if (i > max_vertices) file_.refuse("must be a file with fewer triangles");
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
            file_.refuse(line_,
                         "must be '" + keyword + "', not " + (word.empty() ? "the end of the file" : excerpt(word)));
    }

    const MeshFile& file_;
    std::string_view rest_;
    std::size_t line_ = 1;
    Surface surface_;
};

}  // namespace

Surface read_stl(const MeshFile& file) {
    return is_binary_stl(file.content) ? read_binary_stl(file) : AsciiStl{file}.read();
}

}  // namespace tactus
