// Two numbers at once, one for each shape of a pair: what both shapes need is computed in one go.
#pragma once

#include <cmath>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define TACTUS_TWO_LANES
#endif

namespace tactus::mpr {

#if defined(TACTUS_TWO_LANES)

struct Two {
    __m128d v;

    Two() : v{_mm_setzero_pd()} {}
    explicit Two(__m128d lanes) : v{lanes} {}
    explicit Two(double both) : v{_mm_set1_pd(both)} {}
    Two(double of_a, double of_b) : v{_mm_set_pd(of_b, of_a)} {}
    double a() const { return _mm_cvtsd_f64(v); }
    double b() const { return _mm_cvtsd_f64(_mm_unpackhi_pd(v, v)); }
};

inline Two operator+(Two x, Two y) { return Two{_mm_add_pd(x.v, y.v)}; }
inline Two operator-(Two x, Two y) { return Two{_mm_sub_pd(x.v, y.v)}; }
inline Two operator*(Two x, Two y) { return Two{_mm_mul_pd(x.v, y.v)}; }
inline Two operator/(Two x, Two y) { return Two{_mm_div_pd(x.v, y.v)}; }
inline Two operator-(Two x) { return Two{_mm_xor_pd(x.v, _mm_set1_pd(-0.0))}; }
inline Two sqrt(Two x) { return Two{_mm_sqrt_pd(x.v)}; }
inline Two abs(Two x) { return Two{_mm_andnot_pd(_mm_set1_pd(-0.0), x.v)}; }
inline Two min(Two x, Two y) { return Two{_mm_min_pd(x.v, y.v)}; }
inline Two copysign(Two size, Two sign) {
    const __m128d bit = _mm_set1_pd(-0.0);
    return Two{_mm_or_pd(_mm_andnot_pd(bit, size.v), _mm_and_pd(bit, sign.v))};
}

#else

struct Two {
    double of_a = 0, of_b = 0;

    Two() = default;
    explicit Two(double both) : of_a{both}, of_b{both} {}
    Two(double x, double y) : of_a{x}, of_b{y} {}
    double a() const { return of_a; }
    double b() const { return of_b; }
};

inline Two operator+(Two x, Two y) { return {x.of_a + y.of_a, x.of_b + y.of_b}; }
inline Two operator-(Two x, Two y) { return {x.of_a - y.of_a, x.of_b - y.of_b}; }
inline Two operator*(Two x, Two y) { return {x.of_a * y.of_a, x.of_b * y.of_b}; }
inline Two operator/(Two x, Two y) { return {x.of_a / y.of_a, x.of_b / y.of_b}; }
inline Two operator-(Two x) { return {-x.of_a, -x.of_b}; }
inline Two sqrt(Two x) { return {std::sqrt(x.of_a), std::sqrt(x.of_b)}; }
inline Two abs(Two x) { return {std::abs(x.of_a), std::abs(x.of_b)}; }
inline Two min(Two x, Two y) { return {x.of_a < y.of_a ? x.of_a : y.of_a, x.of_b < y.of_b ? x.of_b : y.of_b}; }
inline Two copysign(Two size, Two sign) {
    return {std::copysign(size.of_a, sign.of_a), std::copysign(size.of_b, sign.of_b)};
}

#endif

inline double sum(Two x) { return x.a() + x.b(); }

}  // namespace tactus::mpr
