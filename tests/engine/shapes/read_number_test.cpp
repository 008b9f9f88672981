// Numbers of mesh files: both ways to read them give the same bits and refuse the same words.
#include <tactus/engine/shapes/read_number.hpp>

#include <doctest/doctest.h>

#include <array>
#include <bit>
#include <clocale>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <random>
#include <string>
#include <string_view>
#include <vector>

using namespace tactus;

namespace {

using Reader = bool (*)(std::string_view, double&);
struct Way {
    std::string name;
    Reader read;
};

const std::vector<Way>& ways() {
    static const std::vector<Way> all {
        {"read_number", read_number}, {"C library", number_text::by_c_library},
#if defined(__cpp_lib_to_chars)
            {"from_chars", number_text::by_from_chars},
#endif
    };
    return all;
}

constexpr double untouched = 12345.678;

void check_value(const std::string& word, double expected) {
    for (const Way& way : ways()) {
        double x = untouched;
        CAPTURE(way.name);
        CAPTURE(word.substr(0, 60));
        REQUIRE(way.read(word, x));
        CHECK(std::bit_cast<std::uint64_t>(x) == std::bit_cast<std::uint64_t>(expected));
    }
}

void check_refused(std::string_view word) {
    for (const Way& way : ways()) {
        double x = untouched;
        CAPTURE(way.name);
        CAPTURE(std::string{word.substr(0, 60)});
        CHECK_FALSE(way.read(word, x));
        CHECK(x == untouched);
    }
}

std::string zeros(std::size_t count) { return std::string(count, '0'); }

}  // namespace

TEST_CASE("read_number: forms of numbers") {
    check_value("0", 0.0);
    check_value("-0", -0.0);
    check_value("-0.0e-5", -0.0);
    check_value("1", 1.0);
    check_value("-1.5", -1.5);
    check_value("1.", 1.0);
    check_value(".5", 0.5);
    check_value("-.5e1", -5.0);
    check_value("00012", 12.0);
    check_value("1e3", 1000.0);
    check_value("1E+3", 1000.0);
    check_value("25e-02", 0.25);
    check_value("1e0000000000000000000003", 1000.0);
    check_value("0e999999999999", 0.0);
}

TEST_CASE("read_number: words that are no numbers, or not only") {
    for (const std::string_view word :
         {"",     "-",    ".",    "-.",    "e5",   ".e5",   "1e",       "1e+",     "1e-",   "1,5",         "1.5f",
          "1.5 ", " 1.5", "1 2",  "1.5.2", "1e5e", "1e5.0", "--1",      "- 1",     "1-",    "0x10",        "0x1p3",
          "1p3",  "inf",  "-inf", "INF",   "nan",  "-nan",  "infinity", "nan(12)", "1_000", "1'000",       "1d5",
          "\t1",  "1\n",  "a",    "1a",    "++1",  "+-1",   "-+1",      "1e++5",   "1e5-",  "\xEF\xBC\x91"})
        check_refused(word);
    check_refused(std::string_view{"1\0", 2});
    check_refused(std::string_view{"1\0005", 3});
}

TEST_CASE("read_number: a plus sign in front, which from_chars does not know") {
    double x = untouched;
    CHECK(read_number("+1.5", x));
    CHECK(x == 1.5);
    x = untouched;
    CHECK_FALSE(read_number("+", x));
    CHECK_FALSE(read_number("++1", x));
    CHECK_FALSE(read_number("+-1", x));
    CHECK_FALSE(read_number("-+1", x));
    CHECK(x == untouched);
}

TEST_CASE("read_number: rounds to the nearest double, ties to the even one") {
    check_value("0.1", 0x1.999999999999ap-4);
    check_value("0.3", 0x1.3333333333333p-2);
    check_value("8.41e21", 0x1.c7e83209e90b2p+72);
    check_value("9007199254740993", 9007199254740992.0);  // tie, down to the even one
    check_value("9007199254740993.0000000000000000000000000000000001", 9007199254740994.0);  // just above it
    check_value("9007199254740995", 9007199254740996.0);                                     // tie, up to the even one
    check_value("9007199254740994.9999999999999999999999999999999999", 9007199254740994.0);  // just below it
    check_value("1.00000000000000011102230246251565404236316680908203125", 1.0);
    check_value("1.00000000000000011102230246251565404236316680908203124", 1.0);
    check_value("1.00000000000000011102230246251565404236316680908203126", 0x1.0000000000001p+0);
    // What decides stands behind very many digits.
    check_value("1.00000000000000011102230246251565404236316680908203125" + zeros(5000), 1.0);
    check_value("1.00000000000000011102230246251565404236316680908203125" + zeros(5000) + "1", 0x1.0000000000001p+0);
}

TEST_CASE("read_number: the ends of the range") {
    using limits = std::numeric_limits<double>;
    check_value("1.7976931348623157e308", limits::max());
    check_value("-1.7976931348623157e308", -limits::max());
    check_value("1.797693134862315807e308", limits::max());  // rounds down
    check_refused("1.797693134862315808e308");               // rounds up: out of range
    check_refused("1e309");
    check_refused("-1e309");
    check_refused("1e99999999999999999999");
    check_refused("1" + zeros(309));

    check_value("2.2250738585072014e-308", limits::min());
    check_value("2.2250738585072011e-308", 0x0.fffffffffffffp-1022);  // the largest subnormal
    check_value("2.2250738585072012e-308", limits::min());
    check_value("4.9406564584124654e-324", limits::denorm_min());
    check_value("5e-324", limits::denorm_min());
    check_value("-1.5e-323", -3 * limits::denorm_min());
    check_value("2.4703282292062328e-324", limits::denorm_min());  // a little more than half of it
    check_value("2.4703282292062327e-324", 0.0);                   // a little less
    check_value("1e-400", 0.0);
    check_value("-1e-400", -0.0);
    check_value("1e-99999999999999999999", 0.0);
}

TEST_CASE("read_number: words of a million characters") {
    const std::size_t million = 1'000'000;
    check_value(zeros(million) + "1.5", 1.5);
    check_value("1.5" + zeros(million), 1.5);
    check_value("0." + zeros(million), 0.0);
    check_value("0." + zeros(million - 1) + "15e1000000", 1.5);
    check_value("15" + zeros(million) + "e-1000001", 1.5);
    check_value("0." + std::string(million, '3'), 0x1.5555555555555p-2);
    check_refused(std::string(million, '9'));
    check_refused(std::string(million, '-'));
    check_refused("1.5" + zeros(million) + "x");
}

TEST_CASE("read_number: every double comes back from its 17 digits, and cut off digits give the same both ways") {
    std::mt19937_64 random{20240229};
    std::array<char, 64> text{};
    for (int i = 0; i < 20'000; ++i) {
        const double x = std::bit_cast<double>(random());
        if (!std::isfinite(x)) continue;
        std::snprintf(text.data(), text.size(), "%.17g", x);
        for (const Way& way : ways()) {
            double back = untouched;
            REQUIRE(way.read(text.data(), back));
            REQUIRE(std::bit_cast<std::uint64_t>(back) == std::bit_cast<std::uint64_t>(x));
        }
        std::snprintf(text.data(), text.size(), "%.*e", i % 25, x);
        double first = untouched;
        const bool finite = ways().front().read(text.data(), first);
        for (const Way& way : ways()) {
            double again = untouched;
            REQUIRE(way.read(text.data(), again) == finite);
            REQUIRE(std::bit_cast<std::uint64_t>(again) == std::bit_cast<std::uint64_t>(first));
        }
    }
}

TEST_CASE("read_number: a program whose locale has a decimal comma reads the same") {
    const std::string before = std::setlocale(LC_NUMERIC, nullptr);
    for (const char* name : {"de_DE.UTF-8", "de_DE.utf8", "fr_FR.UTF-8", "ru_RU.UTF-8", "German_Germany"})
        if (std::setlocale(LC_NUMERIC, name)) break;
    check_value("1.5", 1.5);
    check_value("1e-400", 0.0);
    check_refused("1,5");
    std::setlocale(LC_NUMERIC, before.c_str());
}
