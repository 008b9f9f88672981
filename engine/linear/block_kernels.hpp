// Private to engine/linear: arithmetic of small dense blocks.
//
// Blocks are column-major; columns are padded with zeros to an even number of rows, so that they are made of pairs and
// aligned like those. Sums run in the same order whatever instructions the processor has: always the same bits.
#pragma once

#include <cstddef>
#include <span>

namespace tactus::block {

constexpr int stride(int rows) { return rows + (rows & 1); }  // from column to column

// C -= A B, where A has `inner` columns and B and C have `columns`; A and C have `rows` rows.
void subtract_product(double* C, const double* A, const double* B, int rows, int inner, int columns);

// The same for 6 x 6 blocks, many at once: C_i -= A_i0 B_0 + A_i1 B_1 + ... for all i < count. A[k] are the blocks A_ik
// one after the other, B the blocks B_k; C_i is at target[row[i]].
void subtract_products_6(double* const* target, const int* row, std::size_t count, std::span<const double* const> A,
                         const double* B);

// A = A B, B square; and A_i = A_i B for 6 x 6 blocks one after the other.
void multiply(double* A, const double* B, int rows, int inner);
void multiply_6(double* A, std::size_t count, const double* B);

// A = A^-1. False if A is not finite, or so close to a singular matrix that hardly a digit would be right, also in view of
// the (not padded) block it was before others were subtracted.
bool invert(double* A, const double* origin, int rows);

// Takes over a block that is not padded.
void copy(double* to, const double* from, int rows, int columns);
void set_zero(double* A, int rows, int columns);

// Vectors are not padded. y -= A x; and y_i -= A_i x for 6 x 6 blocks one after the other, where y_i is at y[row[i]].
void subtract_product(double* y, const double* A, const double* x, int rows, int columns);
void subtract_products_6(double* y, const int* row, std::size_t count, const double* A, const double* x);

void multiply(const double* A, double* x, int rows);  // x = A x, A square

}  // namespace tactus::block
