// Solves A x = b for a BlockMatrix A by block LU factors.
//
// For matrices that are strong on the diagonal, like M - g D - g^2 K of an implicit step: rows are exchanged within a
// diagonal block only, never between nodes. What depends on the pattern alone is done once, in analyze(); factor() and
// solve() do not allocate.
#pragma once

#include <tactus/engine/linear/block_matrix.hpp>
#include <tactus/engine/linear/elimination.hpp>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace tactus {

class BlockLU {
public:
    // Order of elimination, and places for all blocks. Nothing is done if the pattern is that of the call before.
    void analyze(const BlockMatrix& A);

    // For an A with the pattern of analyze(). False when the turn comes to a diagonal block that is singular or not
    // finite; then there is nothing to solve with.
    bool factor(const BlockMatrix& A);
    int failed_node() const { return failed_; }  // in the last factor(); -1 if it went well

    void solve(std::span<double> b) const;  // b becomes x

    std::size_t blocks() const { return row_.size(); }  // of both factors together

private:
    struct alignas(64) CacheLine {
        double values[8];
    };

    BlockMatrix pattern_;  // of analyze(), without values
    Elimination elimination_;
    int failed_ = -1;

    // Nodes in order of elimination:
    std::vector<int> size_, offset_;  // rows, and where they are in b
    // Blocks of column j are first_[j] .. first_[j + 1] - 1: U, then D^-1 at diagonal_[j], then L without its diagonal.
    std::vector<int> first_, diagonal_;
    std::vector<char> upper_six_, lower_six_;  // column j of U, or of D and L, has 6 x 6 blocks only
    std::vector<int> last_;                    // columns j .. last_[j] of L have blocks in the same rows, all 6 x 6
    std::vector<double*> target_;              // while a column is computed: its block in a row

    // Blocks:
    std::vector<int> row_;         // in order of elimination
    std::vector<int> row_offset_;  // where that is in b
    std::vector<int> source_;      // index in A, or -1 for one that is filled
    std::vector<std::size_t> at_;  // its first value
    std::vector<CacheLine> storage_;

    double* values(int block) { return const_cast<double*>(std::as_const(*this).values(block)); }
    const double* values(int block) const {
        return reinterpret_cast<const double*>(storage_.data()) + at_[static_cast<std::size_t>(block)];
    }
    void place_blocks(const BlockMatrix& A);
    void find_equal_columns();
    void load(const BlockMatrix& A, int j);
    int subtract_products(int j, int b);
    void subtract_products_of_any_size(int j, int k, const double* U);
    void subtract_products(std::span<double> b, int begin, int end, int j, bool all_six) const;
};

}  // namespace tactus
