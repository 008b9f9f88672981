#include <tactus/engine/errors.hpp>

namespace tactus {

namespace {

std::string joined(const std::vector<Issue>& issues) {
    std::string text;
    for (const Issue& issue : issues) {
        if (!text.empty()) text += '\n';
        text += issue.text();
    }
    return text;
}

// Bytes of the UTF-8 character that starts at i; 0 if there is none.
std::size_t utf8_length(const std::string& text, std::size_t i) {
    const auto byte = [&text](std::size_t at) { return static_cast<unsigned char>(text[at]); };
    const std::size_t length = byte(i) < 0x80 ? 1 : byte(i) >= 0xF0 && byte(i) < 0xF5 ? 4 : byte(i) >= 0xE0 ? 3 : 2;
    if ((byte(i) >= 0x80 && byte(i) < 0xC2) || byte(i) >= 0xF5 || i + length > text.size()) return 0;
    for (std::size_t k = 1; k < length; ++k)
        if ((byte(i + k) & 0xC0) != 0x80) return 0;
    return length;
}

// What came from a file may hold anything: cut to a length, without control characters and broken UTF-8.
std::string printable(const std::string& text, std::size_t longest) {
    std::string shown;
    for (std::size_t i = 0; i < text.size();) {
        if (shown.size() >= longest) return shown + "...";
        const std::size_t length = utf8_length(text, i);
        const auto byte = static_cast<unsigned char>(text[i]);
        if (length == 0 || byte < ' ' || byte == 127)
            shown += '?';
        else
            shown += text.substr(i, length);
        i += length == 0 ? 1 : length;
    }
    return shown;
}

}  // namespace

std::string Issue::text() const {
    std::string line = printable(where, 200);
    const auto part = [&line](const std::string& piece) {
        if (!line.empty() && !piece.empty()) line += ": ";
        line += piece;
    };
    part(object.empty() ? "" : "'" + printable(object, 100) + "'");
    part(printable(field, 200));
    if (!value.empty() && !field.empty())
        line += " = " + printable(value, 200);
    else
        part(printable(value, 200));
    part(printable(allowed, 1000));
    return line;
}

InputError::InputError(std::vector<Issue> issues) : Error(joined(issues)), issues_(std::move(issues)) {}

}  // namespace tactus
