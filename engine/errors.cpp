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

}  // namespace

std::string Issue::text() const {
    std::string line = where;
    const auto part = [&line](const std::string& piece, const char* separator) {
        if (piece.empty()) return;
        if (!line.empty()) line += separator;
        line += piece;
    };
    part(object.empty() ? "" : "'" + object + "'", ": ");
    part(field, ": ");
    if (!value.empty()) {
        if (!field.empty())
            line += " = " + value;
        else
            part(value, ": ");
    }
    part(allowed, ": ");
    return line;
}

InputError::InputError(std::vector<Issue> issues) : Error(joined(issues)), issues_(std::move(issues)) {}

}  // namespace tactus
