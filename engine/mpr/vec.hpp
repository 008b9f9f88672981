// Three coordinates of any number type: the kernel of the narrow phase runs in double and, where that does not reach
// the tolerance, in double-double.
#pragma once

#include <cmath>

// GCC leaves these as calls in large functions, with every vector passed through memory.
#if defined(__GNUC__)
#define TACTUS_ALWAYS_INLINE [[gnu::always_inline]] inline
#define TACTUS_INLINE_LAMBDA __attribute__((always_inline))
#else
#define TACTUS_ALWAYS_INLINE inline
#define TACTUS_INLINE_LAMBDA
#endif

// A function that newer processors run in their own way too, with the same bits: nothing is contracted.
#if defined(__x86_64__) && defined(__GNUC__) && !defined(__clang__) && !defined(__SANITIZE_ADDRESS__) &&               \
    !defined(__SANITIZE_THREAD__)
#define TACTUS_NEWER_TOO __attribute__((target_clones("avx2", "default")))
#else
#define TACTUS_NEWER_TOO
#endif

namespace tactus::mpr {

template<class T> struct V3 {
    T x{}, y{}, z{};

    constexpr V3() = default;
    constexpr V3(const T& x_, const T& y_, const T& z_) : x{x_}, y{y_}, z{z_} {}
    // One by one: two at once, as compilers copy structs, would wait until both were written to memory.
    constexpr V3(const V3& o) : x{o.x}, y{o.y}, z{o.z} {}
    constexpr V3& operator=(const V3& o) { return x = o.x, y = o.y, z = o.z, *this; }
};

template<class T> TACTUS_ALWAYS_INLINE V3<T> operator+(const V3<T>& a, const V3<T>& b) {
    return {a.x + b.x, a.y + b.y, a.z + b.z};
}
template<class T> TACTUS_ALWAYS_INLINE V3<T> operator-(const V3<T>& a, const V3<T>& b) {
    return {a.x - b.x, a.y - b.y, a.z - b.z};
}
template<class T> TACTUS_ALWAYS_INLINE V3<T> operator-(const V3<T>& a) { return {-a.x, -a.y, -a.z}; }
template<class T> TACTUS_ALWAYS_INLINE V3<T> operator*(const T& s, const V3<T>& a) {
    return {s * a.x, s * a.y, s * a.z};
}
template<class T> TACTUS_ALWAYS_INLINE T dot(const V3<T>& a, const V3<T>& b) {
    return a.x * b.x + a.y * b.y + a.z * b.z;
}
template<class T> TACTUS_ALWAYS_INLINE T norm2(const V3<T>& a) { return dot(a, a); }
template<class T> TACTUS_ALWAYS_INLINE T norm(const V3<T>& a) {
    using std::sqrt;
    return sqrt(norm2(a));
}
template<class T> TACTUS_ALWAYS_INLINE V3<T> cross(const V3<T>& a, const V3<T>& b) {
    return {a.y * b.z - a.z * b.y, a.z * b.x - a.x * b.z, a.x * b.y - a.y * b.x};
}
template<class T> TACTUS_ALWAYS_INLINE V3<T> normalized(const V3<T>& a) { return (T(1) / norm(a)) * a; }

// The same for what is a unit vector but for rounding, without a root.
template<class T> TACTUS_ALWAYS_INLINE V3<T> renormalized(const V3<T>& a) { return (T(1.5) - T(0.5) * norm2(a)) * a; }

// A unit vector perpendicular to a unit vector.
template<class T> V3<T> perpendicular(const V3<T>& n) {
    using std::abs;
    const bool use_x = abs(n.x) < T(0.57);
    return normalized(use_x ? V3<T>{T(0), n.z, -n.y} : V3<T>{-n.z, T(0), n.x});
}

// What a cache keeps of them.
inline V3<double> from_floats(const float* v) { return {double(v[0]), double(v[1]), double(v[2])}; }
inline void to_floats(const V3<double>& v, float* out) {
    out[0] = float(v.x), out[1] = float(v.y), out[2] = float(v.z);
}

// Rows of a rotation.
template<class T> struct M3 {
    V3<T> row[3];
    TACTUS_ALWAYS_INLINE V3<T> operator*(const V3<T>& v) const {
        return {dot(row[0], v), dot(row[1], v), dot(row[2], v)};
    }
    TACTUS_ALWAYS_INLINE V3<T> transposed_times(const V3<T>& v) const {
        return v.x * row[0] + v.y * row[1] + v.z * row[2];
    }
};

}  // namespace tactus::mpr
