#include "tests/support/dense.hpp"

#include <Eigen/Cholesky>
#include <Eigen/LU>

namespace tactus::test {

Eigen::MatrixXd solve_dense(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) { return A.partialPivLu().solve(B); }

Eigen::MatrixXd dense(const BlockMatrix& A) {
    Eigen::MatrixXd D = Eigen::MatrixXd::Zero(A.rows(), A.rows());
    for (int j = 0; j < A.nodes(); ++j)
        for (int b = A.first_block(j); b < A.first_block(j + 1); ++b) {
            const int i = A.row_of(b);
            D.block(A.offset(i), A.offset(j), A.size(i), A.size(j)) =
                BlockMatrix::ConstBlock(A.block(b), A.size(i), A.size(j));
        }
    return D;
}

bool is_positive_definite(const Eigen::MatrixXd& A) { return Eigen::LLT<Eigen::MatrixXd>{A}.info() == Eigen::Success; }

}  // namespace tactus::test
