// Several numbers at once, each in its lane: what both shapes of a pair need, or what several pairs need, is computed in one
// go. A formula that is written for any number of lanes gives each of them the bits that it gives to a single number.
#pragma once

#include <tactus/engine/mpr/vec.hpp>

#include <cmath>
#include <type_traits>

#if defined(__SSE2__) || defined(_M_X64)
#include <emmintrin.h>
#define TACTUS_TWO_LANES
#endif

namespace tactus::mpr {

// Two numbers, and what a comparison of them says.
#if defined(TACTUS_TWO_LANES)

struct TwoFlags {
    __m128d v;
    explicit TwoFlags(__m128d lanes) : v{lanes} {}
};
inline TwoFlags operator&(TwoFlags x, TwoFlags y) { return TwoFlags{_mm_and_pd(x.v, y.v)}; }
inline TwoFlags operator|(TwoFlags x, TwoFlags y) { return TwoFlags{_mm_or_pd(x.v, y.v)}; }
inline TwoFlags operator!(TwoFlags x) {
    return TwoFlags{_mm_xor_pd(x.v, _mm_cmpeq_pd(_mm_setzero_pd(), _mm_setzero_pd()))};
}
inline unsigned bits(TwoFlags x) { return static_cast<unsigned>(_mm_movemask_pd(x.v)); }

struct Two {
    __m128d v;

    Two() : v{_mm_setzero_pd()} {}
    explicit Two(__m128d lanes) : v{lanes} {}
    explicit Two(double both) : v{_mm_set1_pd(both)} {}
    Two(double first, double second) : v{_mm_set_pd(second, first)} {}
    double a() const { return _mm_cvtsd_f64(v); }
    double b() const { return _mm_cvtsd_f64(_mm_unpackhi_pd(v, v)); }
};

inline Two operator+(Two x, Two y) { return Two{_mm_add_pd(x.v, y.v)}; }
inline Two operator-(Two x, Two y) { return Two{_mm_sub_pd(x.v, y.v)}; }
inline Two operator*(Two x, Two y) { return Two{_mm_mul_pd(x.v, y.v)}; }
inline Two operator/(Two x, Two y) { return Two{_mm_div_pd(x.v, y.v)}; }
inline Two operator-(Two x) { return Two{_mm_xor_pd(x.v, _mm_set1_pd(-0.0))}; }
inline TwoFlags operator<(Two x, Two y) { return TwoFlags{_mm_cmplt_pd(x.v, y.v)}; }
inline TwoFlags operator<=(Two x, Two y) { return TwoFlags{_mm_cmple_pd(x.v, y.v)}; }
inline Two sqrt(Two x) { return Two{_mm_sqrt_pd(x.v)}; }
inline Two abs(Two x) { return Two{_mm_andnot_pd(_mm_set1_pd(-0.0), x.v)}; }
inline Two min(Two x, Two y) { return Two{_mm_min_pd(x.v, y.v)}; }
inline Two copysign(Two size, Two sign) {
    const __m128d bit = _mm_set1_pd(-0.0);
    return Two{_mm_or_pd(_mm_andnot_pd(bit, size.v), _mm_and_pd(bit, sign.v))};
}
inline Two pick(TwoFlags which, Two x, Two y) {
    return Two{_mm_or_pd(_mm_and_pd(which.v, x.v), _mm_andnot_pd(which.v, y.v))};
}

#else

struct TwoFlags {
    bool of_a, of_b;
};
inline TwoFlags operator&(TwoFlags x, TwoFlags y) { return {x.of_a && y.of_a, x.of_b && y.of_b}; }
inline TwoFlags operator|(TwoFlags x, TwoFlags y) { return {x.of_a || y.of_a, x.of_b || y.of_b}; }
inline TwoFlags operator!(TwoFlags x) { return {!x.of_a, !x.of_b}; }
inline unsigned bits(TwoFlags x) { return unsigned(x.of_a) | unsigned(x.of_b) << 1; }

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
inline TwoFlags operator<(Two x, Two y) { return {x.of_a < y.of_a, x.of_b < y.of_b}; }
inline TwoFlags operator<=(Two x, Two y) { return {x.of_a <= y.of_a, x.of_b <= y.of_b}; }
inline Two sqrt(Two x) { return {std::sqrt(x.of_a), std::sqrt(x.of_b)}; }
inline Two abs(Two x) { return {std::abs(x.of_a), std::abs(x.of_b)}; }
inline Two min(Two x, Two y) { return {x.of_a < y.of_a ? x.of_a : y.of_a, x.of_b < y.of_b ? x.of_b : y.of_b}; }
inline Two copysign(Two size, Two sign) {
    return {std::copysign(size.of_a, sign.of_a), std::copysign(size.of_b, sign.of_b)};
}
inline Two pick(TwoFlags which, Two x, Two y) { return {which.of_a ? x.of_a : y.of_a, which.of_b ? x.of_b : y.of_b}; }

#endif

inline double sum(Two x) { return x.a() + x.b(); }

// The same for one number.
inline unsigned bits(bool x) { return x; }
inline double sqrt(double x) { return std::sqrt(x); }
inline double abs(double x) { return std::abs(x); }
inline double min(double x, double y) { return x < y ? x : y; }
inline double copysign(double size, double sign) { return std::copysign(size, sign); }
inline double pick(bool which, double x, double y) { return which ? x : y; }

// How many lanes a type has; the number in one of them; a value from those of its lanes.
template<class T> inline constexpr int lanes = 1;
template<> inline constexpr int lanes<Two> = 2;

inline double lane(double x, int) { return x; }
inline double lane(Two x, int i) { return i == 0 ? x.a() : x.b(); }

template<class T> V3<double> lane(const V3<T>& v, int i) { return {lane(v.x, i), lane(v.y, i), lane(v.z, i)}; }

template<class T, class F> TACTUS_ALWAYS_INLINE T each(F of_lane) {
    if constexpr (lanes<T> == 1)
        return of_lane(0);
    else
        return {of_lane(0), of_lane(1)};
}

// Numbers of both shapes of a pair, in every lane.
template<class T> struct BothOf {
    T of_a{}, of_b{};

    BothOf() = default;
    explicit BothOf(T both) : of_a{both}, of_b{both} {}
    BothOf(T x, T y) : of_a{x}, of_b{y} {}
    T a() const { return of_a; }
    T b() const { return of_b; }
};
template<class T> BothOf<T> operator+(BothOf<T> x, BothOf<T> y) { return {x.of_a + y.of_a, x.of_b + y.of_b}; }
template<class T> BothOf<T> operator-(BothOf<T> x, BothOf<T> y) { return {x.of_a - y.of_a, x.of_b - y.of_b}; }
template<class T> BothOf<T> operator*(BothOf<T> x, BothOf<T> y) { return {x.of_a * y.of_a, x.of_b * y.of_b}; }
template<class T> BothOf<T> operator/(BothOf<T> x, BothOf<T> y) { return {x.of_a / y.of_a, x.of_b / y.of_b}; }
template<class T> BothOf<T> sqrt(BothOf<T> x) { return {sqrt(x.of_a), sqrt(x.of_b)}; }
template<class T> T sum(BothOf<T> x) { return x.of_a + x.of_b; }

template<class T> using Both = std::conditional_t<std::is_same_v<T, double>, Two, BothOf<T>>;

}  // namespace tactus::mpr
