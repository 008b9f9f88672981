#include <tactus/engine/shapes/mesh_file.hpp>
#include <tactus/engine/shapes/read_number.hpp>

#include <cstdint>
#include <fstream>

namespace tactus {

namespace {

bool is_space(char c) { return c == ' ' || (c >= '\t' && c <= '\r'); }

void read_content(MeshFile& file, const std::filesystem::path& path) {
    std::error_code error;
    const auto status = std::filesystem::status(path, error);
    if (!std::filesystem::exists(status)) file.refuse("there is no file at " + path.string());
    if (!std::filesystem::is_regular_file(status)) file.refuse("is not a file: " + path.string());
    const std::uintmax_t size = std::filesystem::file_size(path, error);
    std::ifstream stream{path, std::ios::binary};
    if (error || !stream) file.refuse("cannot be read: " + path.string());
    file.content.resize(size);
    stream.read(file.content.data(), static_cast<std::streamsize>(size));
    if (static_cast<std::uintmax_t>(stream.gcount()) != size)
        file.refuse("cannot be read to its end: " + path.string());
}

}  // namespace

std::string excerpt(std::string_view text) {
    constexpr std::size_t longest = 40;
    std::string out = "\"";
    for (const char c : text.substr(0, longest)) out += c >= ' ' && c <= '~' ? c : '?';
    return out + (text.size() > longest ? "...\"" : "\"");
}

std::string_view trimmed(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

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

bool read_point(std::string_view& text, Vec3& p) {
    return read_number(take_word(text), p.x()) && read_number(take_word(text), p.y()) &&
           read_number(take_word(text), p.z());
}

Surface read_mesh_file(const std::string& given, const std::filesystem::path& path) {
    MeshFile file{given, {}};
    const std::string extension = lower_case(path.extension().string());
    if (extension != ".obj" && extension != ".stl") file.refuse("must have the extension .obj or .stl");
    read_content(file, path);
    Surface surface = extension == ".obj" ? read_obj(file) : read_stl(file);
    if (surface.triangles.empty()) file.refuse("holds no triangles: " + path.string());
    return surface;
}

}  // namespace tactus
