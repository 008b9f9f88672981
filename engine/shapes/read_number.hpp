// A word as a number: the whole word, correctly rounded, the same with every standard library and whatever the locale.
//
// std::from_chars does it where the standard library has it for floating-point numbers; libc++ (macOS, WebAssembly) has
// not. There the C library does it, under its "C" locale, for words that from_chars would take. Numbers too small for a
// double are 0 or the smallest double; from_chars of some libraries calls them out of range, so the C library decides
// these, too.
#pragma once

#include <charconv>
#include <clocale>
#include <cmath>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#if !defined(_WIN32)
#include <locale.h>  // newlocale
#endif
#if defined(__APPLE__)
#include <xlocale.h>
#endif

namespace tactus {

namespace number_text {

// [-] digits [. digits] [e [+ or -] digits], with at least one digit before or after the point.
inline bool is_decimal(std::string_view word) {
    const auto digits = [&word] {
        std::size_t count = 0;
        while (count < word.size() && word[count] >= '0' && word[count] <= '9') ++count;
        word.remove_prefix(count);
        return count;
    };
    if (word.starts_with('-')) word.remove_prefix(1);
    std::size_t count = digits();
    if (word.starts_with('.')) {
        word.remove_prefix(1);
        count += digits();
    }
    if (count == 0) return false;
    if (word.starts_with('e') || word.starts_with('E')) {
        word.remove_prefix(1);
        if (word.starts_with('+') || word.starts_with('-')) word.remove_prefix(1);
        if (digits() == 0) return false;
    }
    return word.empty();
}

inline bool by_c_library(std::string_view word, double& x) {
    if (!is_decimal(word)) return false;
    const std::string text{word};  // ends with a zero
#if defined(_WIN32)
    static const _locale_t classic = _create_locale(LC_ALL, "C");
    const double read = _strtod_l(text.c_str(), nullptr, classic);
#else
    static const locale_t classic = newlocale(LC_ALL_MASK, "C", nullptr);
    const double read = strtod_l(text.c_str(), nullptr, classic);
#endif
    if (!std::isfinite(read)) return false;
    x = read;
    return true;
}

#if defined(__cpp_lib_to_chars)
inline bool by_from_chars(std::string_view word, double& x) {
    double read = 0.0;
    const char* const end = word.data() + word.size();
    const auto [stop, error] = std::from_chars(word.data(), end, read);
    if (error == std::errc::result_out_of_range) return by_c_library(word, x);
    if (error != std::errc{} || stop != end || !std::isfinite(read)) return false;
    x = read;
    return true;
}
#endif

}  // namespace number_text

// The whole word as a finite number; x stays as it is if the word is none. One plus sign may stand in front.
inline bool read_number(std::string_view word, double& x) {
    if (word.starts_with('+') && !word.starts_with("+-")) word.remove_prefix(1);
#if defined(__cpp_lib_to_chars)
    return number_text::by_from_chars(word, x);
#else
    return number_text::by_c_library(word, x);
#endif
}

}  // namespace tactus
