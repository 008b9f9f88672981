#include "tests/support/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace tactus::test {

Eigen::MatrixXd solve_dense(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return A.partialPivLu().solve(B); }

bool is_positive_definite(const Eigen::MatrixXd& A) { return Eigen::LLT<Eigen::MatrixXd>{A}.info() == Eigen::Success; }

}  // namespace tactus::test
