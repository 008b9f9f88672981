#include <tactus/engine/utf8.hpp>

namespace tactus {

namespace {

unsigned byte_at(std::string_view text, std::size_t i) { return static_cast<unsigned char>(text[i]); }

// Precondition: a character of this length starts at i.
char32_t code_point(std::string_view text, std::size_t i, std::size_t length) {
    if (length == 1) return byte_at(text, i);
    char32_t code = byte_at(text, i) & (0xFFu >> (length + 1));
    for (std::size_t k = 1; k < length; ++k) code = (code << 6) | (byte_at(text, i + k) & 0x3Fu);
    return code;
}

bool is_unseen(char32_t c) {
    return c < 0x20 || (c >= 0x7F && c <= 0xA0) || c == 0xAD || c == 0x1680 || c == 0x180E ||
           (c >= 0x2000 && c <= 0x200F) || (c >= 0x2028 && c <= 0x202F) || (c >= 0x205F && c <= 0x206F) ||
           c == 0x3000 || c == 0xFEFF;
}

}  // namespace

std::size_t utf8_length(std::string_view text, std::size_t i) {
    const unsigned first = byte_at(text, i);
    const std::size_t length = first < 0x80                    ? 1
                               : first >= 0xC2 && first < 0xE0 ? 2
                               : first >= 0xE0 && first < 0xF0 ? 3
                               : first >= 0xF0 && first < 0xF5 ? 4
                                                               : 0;
    if (length == 0 || text.size() - i < length) return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte_at(text, i + k) & 0xC0u) != 0x80) return 0;
    if (length < 3) return length;
    const char32_t code = code_point(text, i, length);
    const bool shortest = code >= (length == 3 ? 0x800u : 0x10000u);
    return shortest && code <= 0x10FFFF && !(code >= 0xD800 && code <= 0xDFFF) ? length : 0;
}

bool is_utf8(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_length(text, i);
        if (length == 0) return false;
        i += length;
    }
    return true;
}

bool has_unseen_characters(std::string_view text) {
    for (std::size_t i = 0; i < text.size();) {
        const std::size_t length = utf8_length(text, i);
        if (length == 0) return true;
        if (is_unseen(code_point(text, i, length))) return true;
        i += length;
    }
    return false;
}

}  // namespace tactus
