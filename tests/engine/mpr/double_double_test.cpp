// Numbers of two doubles against 113-bit arithmetic.
#include <tactus/engine/mpr/double_double.hpp>

#include "tests/support/solids.hpp"

#include <doctest/doctest.h>

using namespace tactus::test;
using tactus::mpr::DoubleDouble;

namespace {

// With u = 2^-53, sum, product, quotient and root are good to a few u^2 = 1.2e-32 (Joldes, Muller, Popescu 2017: 3, 5
// and less than 10); a narrow Real only sees its own digits.
constexpr double accuracy = sizeof(Real) > sizeof(double) && sizeof(long double) <= sizeof(Real) ? 1e-30 : 1e-18;

Real exact(const DoubleDouble& a) {
    const auto high = static_cast<double>(a);
    return Real{high} + Real{static_cast<double>(a - DoubleDouble{high})};
}

// High parts and low parts are of one size each when the numbers are: nothing is lost where they cancel.
Real exact_sum(const DoubleDouble& a, const DoubleDouble& b) {
    const auto ah = static_cast<double>(a), bh = static_cast<double>(b);
    const auto al = static_cast<double>(a - DoubleDouble{ah}), bl = static_cast<double>(b - DoubleDouble{bh});
    return (Real{ah} + Real{bh}) + (Real{al} + Real{bl});
}

double relative_error(const DoubleDouble& found, Real wanted) {
    if (wanted == 0) return static_cast<double>(magnitude(exact(found)));
    return static_cast<double>(magnitude((exact(found) - wanted) / wanted));
}

struct Numbers {
    Random random{3};
    DoubleDouble next() {
        const double scale = std::pow(10.0, random.uniform(-12, 12));
        const double high = scale * random.uniform(0.1, 1) * (random.number(2) ? 1 : -1);
        return DoubleDouble{high} + DoubleDouble{high * 0x1p-54 * random.uniform(-1, 1)};
    }
};

}  // namespace

TEST_CASE("sum, difference, product and quotient of double-doubles have about 31 digits") {
    Numbers numbers;
    double sum = 0, difference = 0, product = 0, quotient = 0;
    for (int i = 0; i < 20000; ++i) {
        const DoubleDouble a = numbers.next(), b = numbers.next();
        sum = std::max(sum, relative_error(a + b, exact(a) + exact(b)));
        difference = std::max(difference, relative_error(a - b, exact(a) - exact(b)));
        product = std::max(product, relative_error(a * b, exact(a) * exact(b)));
        quotient = std::max(quotient, relative_error(a / b, exact(a) / exact(b)));
    }
    CAPTURE(accuracy);
    CHECK(sum < accuracy);
    CHECK(difference < accuracy);
    CHECK(product < accuracy);
    CHECK(quotient < accuracy);
}

TEST_CASE("the square root of a double-double has about 31 digits, and is zero for what has none") {
    Numbers numbers;
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        const DoubleDouble a = abs(numbers.next()), r = sqrt(a);
        worst = std::max(worst, relative_error(r, root(exact(a))));
    }
    CHECK(worst < accuracy);
    CHECK(static_cast<double>(sqrt(DoubleDouble{0})) == 0);
    CHECK(static_cast<double>(sqrt(DoubleDouble{-1.0})) == 0);
    CHECK(relative_error(sqrt(DoubleDouble{4}), 2) == 0);
}

TEST_CASE("cancellation leaves what double cannot hold") {
    const DoubleDouble tiny{0x1p-80}, one{1.0};
    CHECK(static_cast<double>((one + tiny) - one) == 0x1p-80);
    // (1 + 2^-30)^2 = 1 + 2^-29 + 2^-60 needs 61 bits, (1 + 2^-50)^2 101 bits.
    for (const double e : {0x1p-30, 0x1p-50}) {
        const DoubleDouble square = DoubleDouble{1 + e} * DoubleDouble{1 + e};
        CHECK(static_cast<double>(square - DoubleDouble{1.0} - DoubleDouble{2 * e}) == e * e);
    }
    const DoubleDouble third = DoubleDouble{1} / DoubleDouble{3};
    CHECK(std::abs(static_cast<double>(third * DoubleDouble{3} - one)) < 1e-31);
    CHECK(std::abs(static_cast<double>(third) - 1.0 / 3) == 0);
}

TEST_CASE("sums of nearly opposite double-doubles keep their relative accuracy") {
    Numbers numbers;
    double worst = 0;
    for (int i = 0; i < 20000; ++i) {
        const DoubleDouble a = numbers.next();
        const DoubleDouble b = -a * (DoubleDouble{1.0} + DoubleDouble{numbers.random.uniform(-1e-17, 1e-17)});
        worst = std::max(worst, relative_error(a + b, exact_sum(a, b)));
    }
    CHECK(worst < accuracy);
}

TEST_CASE("double-doubles are ordered by their low parts, too") {
    const DoubleDouble one{1.0}, more = one + DoubleDouble{0x1p-70}, less = one - DoubleDouble{0x1p-70};
    CHECK(less < one);
    CHECK(one < more);
    CHECK(more > less);
    CHECK(one <= one);
    CHECK(one >= one);
    CHECK_FALSE(one < one);
    CHECK_FALSE(more <= one);
    CHECK(static_cast<double>(abs(less - one)) == 0x1p-70);
    CHECK(static_cast<double>(abs(-more)) == 1.0);
    CHECK(static_cast<double>(-more + more) == 0.0);
}
