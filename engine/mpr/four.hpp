// Four numbers at once: corners of a solid, say. Compilers make of it what the processor has; nothing is contracted, so the
// bits are the same everywhere.
#pragma once

#include <tactus/engine/mpr/vec.hpp>

namespace tactus::mpr {

#if defined(__GNUC__)

struct Four {
    using Lanes [[gnu::vector_size(32)]] = double;
    Lanes v;

    TACTUS_ALWAYS_INLINE Four() : v{} {}
    TACTUS_ALWAYS_INLINE explicit Four(double all) : v{all, all, all, all} {}
    TACTUS_ALWAYS_INLINE Four(double a, double b, double c, double d) : v{a, b, c, d} {}
    TACTUS_ALWAYS_INLINE double operator[](int i) const { return v[i]; }
};

TACTUS_ALWAYS_INLINE void operator+=(Four& a, const Four& b) { a.v += b.v; }
TACTUS_ALWAYS_INLINE Four operator+(const Four& a, const Four& b) {
    Four r;
    r.v = a.v + b.v;
    return r;
}
TACTUS_ALWAYS_INLINE Four operator-(const Four& a, const Four& b) {
    Four r;
    r.v = a.v - b.v;
    return r;
}
TACTUS_ALWAYS_INLINE Four operator*(const Four& a, const Four& b) {
    Four r;
    r.v = a.v * b.v;
    return r;
}
TACTUS_ALWAYS_INLINE Four larger(const Four& a, const Four& b) {
    Four r;
    r.v = a.v > b.v ? a.v : b.v;
    return r;
}

#else

struct Four {
    double v[4];

    Four() : Four{0.0} {}
    explicit Four(double all) : v{all, all, all, all} {}
    Four(double a, double b, double c, double d) : v{a, b, c, d} {}
    double operator[](int i) const { return v[i]; }
};

inline void operator+=(Four& a, const Four& b) {
    for (int i = 0; i < 4; ++i) a.v[i] += b.v[i];
}
inline Four operator+(Four a, const Four& b) { return a += b, a; }
inline Four operator-(const Four& a, const Four& b) { return {a[0] - b[0], a[1] - b[1], a[2] - b[2], a[3] - b[3]}; }
inline Four operator*(const Four& a, const Four& b) { return {a[0] * b[0], a[1] * b[1], a[2] * b[2], a[3] * b[3]}; }
inline Four larger(const Four& a, const Four& b) {
    Four r = a;
    for (int i = 0; i < 4; ++i)
        if (!(a[i] > b[i])) r.v[i] = b[i];
    return r;
}

#endif

TACTUS_ALWAYS_INLINE Four operator-(const Four& a) { return Four{} - a; }
TACTUS_ALWAYS_INLINE Four four_at(const double* p) { return {p[0], p[1], p[2], p[3]}; }
TACTUS_ALWAYS_INLINE double sum(const Four& a) { return (a[0] + a[1]) + (a[2] + a[3]); }
TACTUS_ALWAYS_INLINE double largest(const Four& a) {
    const double x = a[0] > a[1] ? a[0] : a[1], y = a[2] > a[3] ? a[2] : a[3];
    return x > y ? x : y;
}

}  // namespace tactus::mpr
