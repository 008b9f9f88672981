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

std::string text_of(const Mat3& value) {
    return "[" + text_of(Vec3{value.row(0)}) + ", " + text_of(Vec3{value.row(1)}) + ", " + text_of(Vec3{value.row(2)}) +
           "]";
}

namespace {

// Letters to insert, delete, replace, or swap with their neighbour, to get from a to b; small and capital ones are alike.
std::size_t edits_between(std::string_view a, std::string_view b) {
    const auto lower = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c; };
    const auto same = [&](std::size_t i, std::size_t k) { return lower(a[i]) == lower(b[k]); };
    std::vector<std::size_t> before(b.size() + 1), row(b.size() + 1), next(b.size() + 1);
    std::iota(row.begin(), row.end(), std::size_t{0});
    for (std::size_t i = 1; i <= a.size(); ++i) {
        next[0] = i;
        for (std::size_t k = 1; k <= b.size(); ++k) {
            next[k] = std::min({row[k] + 1, next[k - 1] + 1, row[k - 1] + (same(i - 1, k - 1) ? 0 : 1)});
            if (i > 1 && k > 1 && same(i - 1, k - 2) && same(i - 2, k - 1))
                next[k] = std::min(next[k], before[k - 2] + 1);
        }
        before.swap(row);
        row.swap(next);
    }
    return row.back();
}

}  // namespace

std::string nearest(std::string_view word, const std::vector<std::string>& words) {
    if (word.size() > 64) return {};
    std::string best;
    // A few wrong letters, but more than half of them right.
    std::size_t best_edits = std::min(std::max<std::size_t>(2, word.size() / 3), word.size() / 2) + 1;
    for (const std::string& candidate : words) {
        const std::size_t longer = std::max(candidate.size(), word.size()) - std::min(candidate.size(), word.size());
        if (longer >= best_edits) continue;  // so many letters at least would have to be inserted or deleted
        if (const std::size_t edits = edits_between(word, candidate); edits < best_edits) {
            best_edits = edits;
            best = candidate;
        }
    }
    return best;
}

std::string joined(const std::vector<std::string>& words) {
    std::string list;
    for (const std::string& word : words) list += (list.empty() ? "" : ", ") + word;
    return list;
}

std::string did_you_mean(std::string_view word, const std::vector<std::string>& words, std::string_view otherwise) {
    if (const std::string meant = nearest(word, words); !meant.empty()) return "; did you mean " + meant + "?";
    return otherwise.empty() ? "" : "; " + std::string{otherwise} + " " + joined(words);
}

}  // namespace tactus::schema
