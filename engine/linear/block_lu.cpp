#include <tactus/engine/linear/block_lu.hpp>

#include <tactus/engine/linear/block_kernels.hpp>

#include <algorithm>
#include <cassert>

namespace tactus {

namespace {

constexpr int six = BlockMatrix::most_rows;
constexpr int most_at_once = 8;  // columns

using linear::at;

}  // namespace

void BlockLU::analyze(const BlockMatrix& A) {
    if (A.same_pattern(pattern_)) return;
    pattern_.copy_pattern(A);
    elimination_.analyze(A);
    place_blocks(A);
    find_equal_columns();
}

void BlockLU::place_blocks(const BlockMatrix& A) {
    const std::size_t n = at(A.nodes());
    const std::span<const int> order = elimination_.order(), position = elimination_.position();
    size_.resize(n);
    offset_.resize(n);
    for (std::size_t j = 0; j < n; ++j) {
        size_[j] = A.size(order[j]);
        offset_[j] = A.offset(order[j]);
    }

    first_.resize(n + 1);
    diagonal_.resize(n);
    target_.resize(n);
    row_.clear();
    row_offset_.clear();
    source_.clear();
    at_.clear();
    std::size_t values = 0;
    for (std::size_t j = 0; j < n; ++j) {
        const auto add = [&](int i) {
            row_.push_back(i);
            row_offset_.push_back(offset_[at(i)]);
            at_.push_back(values);
            values += at(block::stride(size_[at(i)]) * size_[j]);
        };
        first_[j] = static_cast<int>(row_.size());
        for (const int i : elimination_.upper()[j]) add(i);
        diagonal_[j] = static_cast<int>(row_.size());
        add(static_cast<int>(j));
        for (const int i : elimination_.lower()[j]) add(i);

        source_.resize(row_.size(), -1);
        for (int b = A.first_block(order[j]); b < A.first_block(order[j] + 1); ++b) {
            const int i = position[at(A.row_of(b))];
            const auto found = std::lower_bound(row_.begin() + first_[j], row_.end(), i);
            source_[at(static_cast<int>(found - row_.begin()))] = b;
        }
    }
    first_[n] = static_cast<int>(row_.size());
    storage_.resize(std::max(storage_.size(), (values + 7) / 8));
}

void BlockLU::find_equal_columns() {
    const int n = static_cast<int>(size_.size());
    upper_six_.resize(at(n));
    lower_six_.resize(at(n));
    last_.resize(at(n));
    const auto is_six = [&](int i) { return size_[at(i)] == six; };
    for (int j = n; j-- > 0;) {
        const auto above = row_.begin() + first_[at(j)], diagonal = row_.begin() + diagonal_[at(j)];
        const auto below = diagonal + 1, end = row_.begin() + first_[at(j) + 1];
        upper_six_[at(j)] = is_six(j) && std::all_of(above, diagonal, is_six);
        lower_six_[at(j)] = is_six(j) && std::all_of(below, end, is_six);
        last_[at(j)] = j;
        // All rows below in column j are also in the column of the first of them, so it is enough to count.
        if (!lower_six_[at(j)] || below == end || *below != j + 1) continue;
        if (end - below == first_[at(j) + 2] - diagonal_[at(j) + 1]) last_[at(j)] = last_[at(j) + 1];
    }
}

bool BlockLU::factor(const BlockMatrix& A) {
    assert(A.same_pattern(pattern_));
    failed_ = -1;
    const int n = static_cast<int>(size_.size());
    // A column at a time, from those before it: all of A = L U that is known of it is subtracted at once.
    for (int j = 0; j < n; ++j) {
        load(A, j);
        const int diagonal = diagonal_[at(j)], end = first_[at(j) + 1];
        for (int b = first_[at(j)]; b < diagonal;) b = subtract_products(j, b);
        double* const D = values(diagonal);
        if (!block::invert(D, A.block(source_[at(diagonal)]), size_[at(j)])) {
            failed_ = elimination_.order()[at(j)];
            return false;
        }
        if (diagonal + 1 == end) continue;
        if (lower_six_[at(j)])
            block::multiply_6(values(diagonal + 1), at(end - diagonal - 1), D);
        else
            for (int b = diagonal + 1; b < end; ++b)
                block::multiply(values(b), D, size_[at(row_[at(b)])], size_[at(j)]);
    }
    return true;
}

void BlockLU::load(const BlockMatrix& A, int j) {
    for (int b = first_[at(j)]; b < first_[at(j) + 1]; ++b) {
        const int i = row_[at(b)];
        target_[at(i)] = values(b);
        if (source_[at(b)] < 0)
            block::set_zero(values(b), size_[at(i)], size_[at(j)]);
        else
            block::copy(values(b), A.block(source_[at(b)]), size_[at(i)], size_[at(j)]);
    }
}

// Subtracts L_ik U_kj from column j, where k is the row of block b and, if columns k, k + 1, ... of L are filled alike,
// also of those after it. Returns the block to go on with.
int BlockLU::subtract_products(int j, int b) {
    const int k = row_[at(b)];
    if (!lower_six_[at(k)]) {
        subtract_products_of_any_size(j, k, values(b));
        return b + 1;
    }
    const double* const U = values(b);
    const int last = std::min({last_[at(k)], j - 1, k + most_at_once - 1});
    const double* L[most_at_once];
    for (int q = k; q < last; ++q) {  // rows up to the last column first: there U is needed
        const int below = diagonal_[at(q)] + 1, count = last - q;
        L[0] = values(below);
        block::subtract_products_6(target_.data(), row_.data() + below, at(count), {L, 1}, U + six * six * (q - k));
    }
    const int below = diagonal_[at(last)] + 1, count = first_[at(last) + 1] - below;
    for (int q = k; q <= last; ++q) L[q - k] = values(first_[at(q) + 1] - count);
    block::subtract_products_6(target_.data(), row_.data() + below, at(count), {L, at(last - k + 1)}, U);
    return b + last - k + 1;
}

void BlockLU::subtract_products_of_any_size(int j, int k, const double* U) {
    const int inner = size_[at(k)], columns = size_[at(j)];
    for (int b = diagonal_[at(k)] + 1; b < first_[at(k) + 1]; ++b) {
        const int i = row_[at(b)], rows = size_[at(i)];
        const double* const L = values(b);
        double* const C = target_[at(i)];
        if (rows == 1 && inner == 1 && columns == 1)
            C[0] -= L[0] * U[0];  // joints: a call would take longer
        else if (rows == six && inner == six && columns == six)
            block::subtract_products_6(target_.data(), &i, 1, {&L, 1}, U);
        else
            block::subtract_product(C, L, U, rows, inner, columns);
    }
}

void BlockLU::solve(std::span<double> b) const {
    assert(b.size() == at(pattern_.rows()) && failed_ < 0);
    const int n = static_cast<int>(size_.size());
    for (int j = 0; j < n; ++j) {
        const int begin = diagonal_[at(j)] + 1, end = first_[at(j) + 1];
        if (begin < end) subtract_products(b, begin, end, j, lower_six_[at(j)]);
    }
    for (int j = n; j-- > 0;) {
        const int begin = first_[at(j)], end = diagonal_[at(j)];
        block::multiply(values(end), b.data() + offset_[at(j)], size_[at(j)]);
        if (begin < end) subtract_products(b, begin, end, j, upper_six_[at(j)]);
    }
}

// Subtracts what some blocks of column j make of the part of b that belongs to it.
void BlockLU::subtract_products(std::span<double> b, int begin, int end, int j, bool all_six) const {
    const double* const x = b.data() + offset_[at(j)];
    if (all_six)
        return block::subtract_products_6(b.data(), &row_offset_[at(begin)], at(end - begin), values(begin), x);
    const int columns = size_[at(j)];
    for (int e = begin; e < end; ++e) {
        const int rows = size_[at(row_[at(e)])];
        if (rows == 1 && columns == 1)
            b[at(row_offset_[at(e)])] -= values(e)[0] * x[0];
        else if (rows == six && columns == six)
            block::subtract_products_6(b.data(), &row_offset_[at(e)], 1, values(e), x);
        else
            block::subtract_product(b.data() + row_offset_[at(e)], values(e), x, rows, columns);
    }
}

}  // namespace tactus
