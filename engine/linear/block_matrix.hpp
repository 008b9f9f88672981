// A square sparse matrix of small dense blocks.
//
// Rows and columns are grouped in nodes (of 1 to 6 rows each: the velocities of a body). A node has a diagonal block; two
// nodes that act on each other have two more, (i, j) and (j, i). Blocks are column-major, without gaps.
#pragma once

#include <Eigen/Core>

#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace tactus {

class BlockMatrix {
public:
    static constexpr int most_rows = 6;  // of a node
    using Block = Eigen::Map<Eigen::MatrixXd>;
    using ConstBlock = Eigen::Map<const Eigen::MatrixXd>;

    // Which blocks there are; all of them become zero. A pair (i, j) of different nodes gives both (i, j) and (j, i), and
    // may come in either order and more than once. Memory is kept from pattern to pattern.
    void set_pattern(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs);
    void set_zero();

    int nodes() const { return static_cast<int>(size_.size()); }
    int rows() const { return offset_.back(); }
    int size(int node) const { return size_[index(node)]; }      // rows of a node
    int offset(int node) const { return offset_[index(node)]; }  // of a node's first row

    // Index of block (i, j), by bisection: to be asked once for each pattern. -1 if there is none.
    int block_index(int i, int j) const;
    double* block(int index_of_block) { return values_.data() + at_[index(index_of_block)]; }
    const double* block(int index_of_block) const { return values_.data() + at_[index(index_of_block)]; }
    Block block(int i, int j) { return {block(block_index(i, j)), size(i), size(j)}; }
    ConstBlock block(int i, int j) const { return {block(block_index(i, j)), size(i), size(j)}; }

    // Blocks of column j have the indices first_block(j) .. first_block(j + 1) - 1, their rows ascend.
    int first_block(int j) const { return first_[index(j)]; }
    int row_of(int index_of_block) const { return row_[index(index_of_block)]; }
    std::span<double> values() { return values_; }  // of all blocks, one after the other
    std::span<const double> values() const { return values_; }
    bool same_pattern(const BlockMatrix& other) const;
    void copy_pattern(const BlockMatrix& other);  // without values: there is no block to be asked for then

    void multiply(std::span<const double> x, std::span<double> y) const;  // y = A x

private:
    std::vector<int> size_, offset_{0}, first_{0};  // by node; the last two have one more
    std::vector<int> row_;                          // by block
    std::vector<std::size_t> at_;                   // by block: its first value
    std::vector<double> values_;

    static std::size_t index(int i) { return static_cast<std::size_t>(i); }
};

}  // namespace tactus
