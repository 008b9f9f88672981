#include <tactus/engine/linear/block_kernels.hpp>

#include <tactus/engine/linear/block_matrix.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <utility>

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>
#define TACTUS_AVX2 __attribute__((target("avx2")))
#endif

namespace tactus::block {

namespace {

constexpr int six = 6, half = 18, whole = 36;
constexpr int most_values = BlockMatrix::most_rows * BlockMatrix::most_rows;

using Pair = double __attribute__((vector_size(16)));

Pair load(const double* p) { return *reinterpret_cast<const Pair*>(p); }  // blocks are aligned,
Pair load_any(const double* p) {                                          // vectors are not
    Pair v;
    std::memcpy(&v, p, sizeof v);
    return v;
}
void store(double* p, Pair v) { *reinterpret_cast<Pair*>(p) = v; }
void store_any(double* p, Pair v) { std::memcpy(p, &v, sizeof v); }
Pair both(double x) { return Pair{x, x}; }
Pair absolute(Pair x) {
    using Bits = long long __attribute__((vector_size(16)));
    return std::bit_cast<Pair>(std::bit_cast<Bits>(x) & 0x7fffffffffffffff);
}

// By hand: compilers take the slow start of a string instruction for a copy of a constant size like this.
inline void copy_6(double* to, const double* from) {
#pragma GCC unroll 18
    for (int q = 0; q < half; ++q) store(to + 2 * q, load_any(from + 2 * q));
}

// -- 6 x 6 blocks, by pairs -------------------------------------------------------------------------------------------
// c -= A b for three columns, which with all that is needed just fit into 16 registers. The loop must stay one: unrolled,
// GCC puts all terms of a sum next to each other, and each waits for the one before.
inline void subtract_by_pairs(Pair (&c)[9], const double* a, const double* b) {
#pragma GCC unroll 1
    for (int k = 0; k < six; ++k, a += six, ++b) {
        const Pair a0 = load(a), a1 = load(a + 2), a2 = load(a + 4);
        const Pair b0 = both(b[0]), b1 = both(b[6]), b2 = both(b[12]);
        c[0] -= a0 * b0, c[1] -= a1 * b0, c[2] -= a2 * b0;
        c[3] -= a0 * b1, c[4] -= a1 * b1, c[5] -= a2 * b1;
        c[6] -= a0 * b2, c[7] -= a1 * b2, c[8] -= a2 * b2;
    }
}

void subtract_products_by_pairs(double* const* target, const int* row, std::size_t count,
                                std::span<const double* const> A, const double* B) {
    for (std::size_t i = 0; i < count; ++i)
        for (int begin = 0; begin < whole; begin += half) {
            double* const C = target[row[i]] + begin;
            const double* b = B + begin;
            Pair c[9];
#pragma GCC unroll 9
            for (int q = 0; q < 9; ++q) c[q] = load(C + 2 * q);
            for (const double* const a : A) {
                subtract_by_pairs(c, a + whole * i, b);
                b += whole;
            }
#pragma GCC unroll 9
            for (int q = 0; q < 9; ++q) store(C + 2 * q, c[q]);
        }
}

void multiply_by_pairs(double* A, std::size_t count, const double* B) {
    for (std::size_t i = 0; i < count; ++i, A += whole) {
        alignas(16) double copy[whole];
        copy_6(copy, A);
        for (int begin = 0; begin < whole; begin += half) {
            Pair c[9]{};
            subtract_by_pairs(c, copy, B + begin);
#pragma GCC unroll 9
            for (int q = 0; q < 9; ++q) store(A + begin + 2 * q, -c[q]);
        }
    }
}

// -- 6 x 6 blocks, by fours -------------------------------------------------------------------------------------------
#ifdef TACTUS_AVX2

// c -= A b for six columns. Two of them are three registers; the middle one has the end of one and the begin of the other.
TACTUS_AVX2 inline void subtract_by_fours(__m256d (&c)[9], const double* a, const double* b) {
#pragma GCC unroll 1
    for (int k = 0; k < six; ++k, a += six, ++b) {
        const __m256d a0123 = _mm256_loadu_pd(a), a2345 = _mm256_loadu_pd(a + 2);
        const __m256d a4501 = _mm256_permute2f128_pd(a0123, a2345, 3);
#pragma GCC unroll 3
        for (int j = 0; j < 3; ++j) {
            const __m256d b0 = _mm256_broadcast_sd(b + 12 * j), b1 = _mm256_broadcast_sd(b + 12 * j + 6);
            c[3 * j] -= a0123 * b0;
            c[3 * j + 1] -= a4501 * _mm256_blend_pd(b0, b1, 12);
            c[3 * j + 2] -= a2345 * b1;
        }
    }
}

TACTUS_AVX2 void subtract_products_by_fours(double* const* target, const int* row, std::size_t count,
                                            std::span<const double* const> A, const double* B) {
    for (std::size_t i = 0; i < count; ++i) {
        double* const C = target[row[i]];
        const double* b = B;
        __m256d c[9];
#pragma GCC unroll 9
        for (int q = 0; q < 9; ++q) c[q] = _mm256_loadu_pd(C + 4 * q);
        for (const double* const a : A) {
            subtract_by_fours(c, a + whole * i, b);
            b += whole;
        }
#pragma GCC unroll 9
        for (int q = 0; q < 9; ++q) _mm256_storeu_pd(C + 4 * q, c[q]);
    }
}

TACTUS_AVX2 void multiply_by_fours(double* A, std::size_t count, const double* B) {
    for (std::size_t i = 0; i < count; ++i, A += whole) {
        __m256d c[9]{};
        subtract_by_fours(c, A, B);
#pragma GCC unroll 9
        for (int q = 0; q < 9; ++q) _mm256_storeu_pd(A + 4 * q, -c[q]);
    }
}

const bool has_avx2 = __builtin_cpu_supports("avx2") != 0;

#endif

// -- Inverse ----------------------------------------------------------------------------------------------------------
// Gauss-Jordan in place, with partial pivoting.
void gauss_jordan(double* A, int n, int ld) {
    int swapped[BlockMatrix::most_rows];
    for (int k = 0; k < n; ++k) {
        double* const pivot = A + ld * k;
        int p = k;
        for (int r = k + 1; r < n; ++r)
            if (std::abs(pivot[r]) > std::abs(pivot[p])) p = r;
        swapped[k] = p;
        if (p != k)
            for (int c = 0; c < n; ++c) std::swap(A[ld * c + k], A[ld * c + p]);
        const double d = 1 / pivot[k];
        for (int c = 0; c < n; ++c) {
            if (c == k) continue;
            double* const a = A + ld * c;
            const double f = a[k] * d;
            for (int r = 0; r < n; ++r) a[r] -= pivot[r] * f;
            a[k] = f;
        }
        for (int r = 0; r < n; ++r) pivot[r] *= -d;
        pivot[k] = d;
    }
    for (int k = n; k-- > 0;)
        if (const int p = swapped[k]; p != k) std::swap_ranges(A + ld * k, A + ld * k + n, A + ld * p);
}

using Pairs = Pair[six][3];

template<int k> void gauss_jordan_step(Pairs& a, int (&swapped)[six]) {
    double* const pivot = reinterpret_cast<double*>(a[k]);
    int p = k;
    double most = std::abs(pivot[k]);
    for (int r = k + 1; r < six; ++r)
        if (const double x = std::abs(pivot[r]); x > most) most = x, p = r;
    swapped[k] = p;
    if (p != k) [[unlikely]]
        for (auto& c : a) std::swap(reinterpret_cast<double*>(c)[k], reinterpret_cast<double*>(c)[p]);
    const double d = 1 / pivot[k];
    for (int c = 0; c < six; ++c) {
        if (c == k) continue;
        const double f = a[c][k / 2][k % 2] * d;
        Pair x[3] = {a[c][0] - a[k][0] * both(f), a[c][1] - a[k][1] * both(f), a[c][2] - a[k][2] * both(f)};
        x[k / 2][k % 2] = f;
        for (int q = 0; q < 3; ++q) a[c][q] = x[q];
    }
    Pair x[3] = {a[k][0] * both(-d), a[k][1] * both(-d), a[k][2] * both(-d)};
    x[k / 2][k % 2] = d;
    for (int q = 0; q < 3; ++q) a[k][q] = x[q];
}

// The same, where a number is never written alone before a pair is read: that would have to wait.
void gauss_jordan_6(double* A) {
    Pairs& a = *reinterpret_cast<Pairs*>(A);
    int swapped[six];
    gauss_jordan_step<0>(a, swapped);
    gauss_jordan_step<1>(a, swapped);
    gauss_jordan_step<2>(a, swapped);
    gauss_jordan_step<3>(a, swapped);
    gauss_jordan_step<4>(a, swapped);
    gauss_jordan_step<5>(a, swapped);
    for (int k = six; k-- > 0;)
        if (const int p = swapped[k]; p != k) [[unlikely]]
            std::swap(a[k], a[p]);
}

// Sum of (|A_ij| + |origin_ij|) |A^-1_ji|: like a condition number, but the same in all units of rows and columns.
double scaled_condition(const double* A, const double* origin, const double* inverse, int n, int ld) {
    double sum = 0;
    for (int j = 0; j < n; ++j)
        for (int i = 0; i < n; ++i)
            sum += (std::abs(A[ld * j + i]) + std::abs(origin[n * j + i])) * std::abs(inverse[ld * i + j]);
    return sum;
}

// Three pairs of sums, so that they do not wait for each other.
double scaled_condition_6(const double* A, const double* origin, const double* inverse) {
    Pair sum[3]{};
    for (int j = 0; j < six; ++j, A += six, origin += six, ++inverse)
        for (int q = 0; q < 3; ++q) {
            const Pair size = absolute(load(A + 2 * q)) + absolute(load_any(origin + 2 * q));
            sum[q] += size * absolute(Pair{inverse[2 * six * q], inverse[2 * six * q + six]});
        }
    const Pair s = sum[0] + sum[1] + sum[2];
    return s[0] + s[1];
}

constexpr double most_condition = 1e14;  // times the rounding of a double: hardly a digit is left

// -- Any size ---------------------------------------------------------------------------------------------------------
// C - A B, or A B into a C that is not read.
template<std::size_t pairs, bool from_C>
void product(double* C, const double* A, const double* B, int inner, int columns) {
    for (int j = 0; j < columns; ++j, C += 2 * pairs, B += stride(inner)) {
        Pair c[pairs];
        for (std::size_t p = 0; p < pairs; ++p) c[p] = from_C ? load(C + 2 * p) : Pair{};
        const double* a = A;
        for (int k = 0; k < inner; ++k, a += 2 * pairs)
            for (std::size_t p = 0; p < pairs; ++p) c[p] -= load(a + 2 * p) * both(B[k]);
        for (std::size_t p = 0; p < pairs; ++p) store(C + 2 * p, from_C ? c[p] : -c[p]);
    }
}

template<bool from_C> void product(double* C, const double* A, const double* B, int rows, int inner, int columns) {
    switch ((rows + 1) / 2) {
    case 1: return product<1, from_C>(C, A, B, inner, columns);
    case 2: return product<2, from_C>(C, A, B, inner, columns);
    default: return product<3, from_C>(C, A, B, inner, columns);
    }
}

// -- 6 x 6 blocks times vectors ---------------------------------------------------------------------------------------
struct Six {
    Pair x0, x1, x2, x3, x4, x5;

    explicit Six(const double* x)
        : x0{both(x[0])}, x1{both(x[1])}, x2{both(x[2])}, x3{both(x[3])}, x4{both(x[4])}, x5{both(x[5])} {}
};

// Two rows of A x, as two sums that do not wait for each other.
inline Pair times(const double* A, const Six& s) {
    const Pair even = load(A) * s.x0 + load(A + 12) * s.x2 + load(A + 24) * s.x4;
    const Pair odd = load(A + 6) * s.x1 + load(A + 18) * s.x3 + load(A + 30) * s.x5;
    return even + odd;
}

}  // namespace

void subtract_products_6(double* const* target, const int* row, std::size_t count, std::span<const double* const> A,
                         const double* B) {
#ifdef TACTUS_AVX2
    if (has_avx2) return subtract_products_by_fours(target, row, count, A, B);
#endif
    subtract_products_by_pairs(target, row, count, A, B);
}

void subtract_product(double* C, const double* A, const double* B, int rows, int inner, int columns) {
    product<true>(C, A, B, rows, inner, columns);
}

void multiply_6(double* A, std::size_t count, const double* B) {
#ifdef TACTUS_AVX2
    if (has_avx2) return multiply_by_fours(A, count, B);
#endif
    multiply_by_pairs(A, count, B);
}

void multiply(double* A, const double* B, int rows, int inner) {
    alignas(16) double before[most_values];
    std::copy_n(A, stride(rows) * inner, before);
    product<false>(A, before, B, rows, inner, inner);
}

bool invert(double* A, const double* origin, int rows) {
    const int ld = stride(rows);
    alignas(16) double before[most_values];
    if (rows == six) {
        copy_6(before, A);
        gauss_jordan_6(A);
        return scaled_condition_6(before, origin, A) < most_condition;  // false for a NaN, too
    }
    std::copy_n(A, ld * rows, before);
    gauss_jordan(A, rows, ld);
    return scaled_condition(before, origin, A, rows, ld) < most_condition;
}

void copy(double* to, const double* from, int rows, int columns) {
    if (rows == six && columns == six) return copy_6(to, from);
    for (int c = 0; c < columns; ++c, from += rows, to += stride(rows)) {
        to[stride(rows) - 1] = 0;
        for (int r = 0; r < rows; ++r) to[r] = from[r];
    }
}

void set_zero(double* A, int rows, int columns) { std::fill_n(A, stride(rows) * columns, 0.0); }

void subtract_product(double* y, const double* A, const double* x, int rows, int columns) {
    for (int k = 0; k < columns; ++k, A += stride(rows))
        for (int r = 0; r < rows; ++r) y[r] -= A[r] * x[k];
}

void subtract_products_6(double* y, const int* row, std::size_t count, const double* A, const double* x) {
    const Six s{x};
    for (std::size_t i = 0; i < count; ++i, A += whole) {
        double* const y_i = y + row[i];
        for (int r = 0; r < six; r += 2) store_any(y_i + r, load_any(y_i + r) - times(A + r, s));
    }
}

void multiply(const double* A, double* x, int rows) {
    if (rows == six) {
        const Six s{x};
        for (int r = 0; r < six; r += 2) store_any(x + r, times(A + r, s));
        return;
    }
    double before[six];
    std::copy_n(x, rows, before);
    std::fill_n(x, rows, 0.0);
    for (int k = 0; k < rows; ++k, A += stride(rows))
        for (int r = 0; r < rows; ++r) x[r] += A[r] * before[k];
}

}  // namespace tactus::block
