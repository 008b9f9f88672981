// Dense linear algebra to compare with, compiled once: its templates are heavy on the compiler.
#pragma once

#include <tactus/engine/linear/block_matrix.hpp>

#include <Eigen/Core>

namespace tactus::test {

// X with A X = B, by elimination with pivots.
Eigen::MatrixXd solve_dense(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B);

Eigen::MatrixXd dense(const BlockMatrix& A);

bool is_positive_definite(const Eigen::MatrixXd& A);

}  // namespace tactus::test
