#include <tactus/engine/errors.hpp>

#include <tactus/engine/utf8.hpp>

#include <algorithm>

#include <cstdio>

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
    const bool said = object.empty() && where.ends_with(pointer_of(field));  // the pointer ends with the field
    if (!said) part(printable(field, 200));
    if (!value.empty() && !field.empty())
        line += " = " + printable(value, 200);
    else
        part(printable(value, 200));
    part(printable(allowed, 1000));
    return line;
}

std::string pointer_of(std::string field) {
    std::replace(field.begin(), field.end(), '.', '/');
    return field.empty() ? "" : "/" + field;
}

void shorten(std::vector<Issue>& issues) {
    if (issues.size() <= most_issues) return;
    const std::size_t more = issues.size() - most_issues;
    issues.resize(most_issues);
    issues.push_back({"", "", "", "", "and " + std::to_string(more) + " more"});
}

InputError::InputError(std::vector<Issue> issues) : Error(joined(issues)), issues_(std::move(issues)) {}

SimulationError::SimulationError(double t, const std::string& why, std::vector<std::string> names)
    : Error{[&] {
          char time_text[64];
          std::snprintf(time_text, sizeof time_text, "at t = %.9g s: ", t);
          std::string text = time_text + why;
          for (std::size_t i = 0; i < names.size(); ++i) text += (i == 0 ? "; concerned: " : ", ") + names[i];
          return text;
      }()},
      time{t}, elements{std::move(names)} {}

}  // namespace tactus
