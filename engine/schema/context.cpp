#include <tactus/engine/schema/context.hpp>

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <numeric>

namespace tactus::schema {

std::string text_of(double value) {
    if (std::isnan(value)) return "NaN";
    if (std::isinf(value)) return value > 0 ? "infinity" : "-infinity";
    std::array<char, 32> buffer{};
    const auto result = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value);
    return {buffer.data(), result.ptr};
}

std::string text_of(const Vec3& value) {
    return "[" + text_of(value[0]) + ", " + text_of(value[1]) + ", " + text_of(value[2]) + "]";
}

std::string nearest(std::string_view word, const std::vector<std::string>& words) {
    if (word.empty() || word.size() > 64) return {};
    std::string best;
    std::size_t best_distance = std::max<std::size_t>(2, word.size() / 3) + 1;
    std::vector<std::size_t> row;
    for (const std::string& candidate : words) {  // Levenshtein distance, one row at a time
        row.resize(candidate.size() + 1);
        std::iota(row.begin(), row.end(), std::size_t{0});
        for (std::size_t i = 1; i <= word.size(); ++i) {
            std::size_t diagonal = row[0];
            row[0] = i;
            for (std::size_t j = 1; j <= candidate.size(); ++j) {
                const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
                const std::size_t substituted = diagonal + (lower(word[i - 1]) == lower(candidate[j - 1]) ? 0 : 1);
                diagonal = row[j];
                row[j] = std::min({row[j] + 1, row[j - 1] + 1, substituted});
            }
        }
        if (row.back() < best_distance) {
            best_distance = row.back();
            best = candidate;
        }
    }
    return best;
}

}  // namespace tactus::schema
