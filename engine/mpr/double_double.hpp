// A number as the sum of two doubles, about 32 digits (Dekker; Knuth). Only what the narrow phase needs.
//
// Relies on every operation being rounded to double by itself: no fast-math, no contraction to fused multiply-add.
#pragma once

#include <cmath>

namespace tactus::mpr {

class DoubleDouble {
public:
    constexpr DoubleDouble() = default;
    constexpr DoubleDouble(double value) : high_{value} {}
    constexpr DoubleDouble(int value) : high_{static_cast<double>(value)} {}

    explicit operator double() const { return high_; }
    explicit operator float() const { return static_cast<float>(high_); }

    friend DoubleDouble operator-(const DoubleDouble& a) { return {-a.high_, -a.low_}; }
    friend DoubleDouble operator+(const DoubleDouble& a, const DoubleDouble& b) {
        const DoubleDouble high = two_sum(a.high_, b.high_), low = two_sum(a.low_, b.low_);
        const DoubleDouble sum = quick_sum(high.high_, high.low_ + low.high_);
        return quick_sum(sum.high_, sum.low_ + low.low_);
    }
    friend DoubleDouble operator-(const DoubleDouble& a, const DoubleDouble& b) { return a + -b; }
    friend DoubleDouble operator*(const DoubleDouble& a, const DoubleDouble& b) {
        const DoubleDouble p = two_product(a.high_, b.high_);
        return quick_sum(p.high_, p.low_ + (a.high_ * b.low_ + a.low_ * b.high_));
    }
    friend DoubleDouble operator/(const DoubleDouble& a, const DoubleDouble& b) {
        const double q1 = a.high_ / b.high_;
        DoubleDouble rest = a - b * DoubleDouble{q1};
        const double q2 = rest.high_ / b.high_;
        rest = rest - b * DoubleDouble{q2};
        return quick_sum(q1, q2) + DoubleDouble{rest.high_ / b.high_};
    }

    friend bool operator<(const DoubleDouble& a, const DoubleDouble& b) {
        return a.high_ < b.high_ || (a.high_ == b.high_ && a.low_ < b.low_);
    }
    friend bool operator>(const DoubleDouble& a, const DoubleDouble& b) { return b < a; }
    friend bool operator<=(const DoubleDouble& a, const DoubleDouble& b) {
        return a.high_ < b.high_ || (a.high_ == b.high_ && a.low_ <= b.low_);
    }
    friend bool operator>=(const DoubleDouble& a, const DoubleDouble& b) { return b <= a; }

    friend DoubleDouble abs(const DoubleDouble& a) { return a.high_ < 0 ? -a : a; }
    friend DoubleDouble sqrt(const DoubleDouble& a) {
        if (!(a.high_ > 0)) return {};
        const double x = std::sqrt(a.high_);  // one step of Newton's method doubles its digits
        const DoubleDouble rest = a - two_product(x, x);
        return quick_sum(x, rest.high_ / (2 * x));
    }

private:
    constexpr DoubleDouble(double high, double low) : high_{high}, low_{low} {}

    static DoubleDouble quick_sum(double a, double b) {  // |a| >= |b|
        const double s = a + b;
        return {s, b - (s - a)};
    }
    static DoubleDouble two_sum(double a, double b) {
        const double s = a + b, v = s - a;
        return {s, (a - (s - v)) + (b - v)};
    }
    static DoubleDouble two_product(double a, double b) {
        const double p = a * b;
        const auto split = [](double x, double& high, double& low) {
            const double t = 134217729.0 * x;  // 2^27 + 1
            high = t - (t - x);
            low = x - high;
        };
        double ah, al, bh, bl;
        split(a, ah, al);
        split(b, bh, bl);
        return {p, ((ah * bh - p) + ah * bl + al * bh) + al * bl};
    }

    double high_ = 0, low_ = 0;
};

}  // namespace tactus::mpr
