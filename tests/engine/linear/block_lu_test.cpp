// Block LU against dense LU, on all kinds of graphs and block sizes.
#include <tactus/engine/linear/block_kernels.hpp>
#include <tactus/engine/linear/block_lu.hpp>

#include "tests/support/allocation_counter.hpp"
#include "tests/support/dense.hpp"
#include "tests/support/random.hpp"

#include <doctest/doctest.h>

#include <Eigen/Core>

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace tactus;
using test::dense;
using test::Random;

namespace {

using Pairs = std::vector<std::pair<int, int>>;
using Matrix = Eigen::MatrixXd;
using Vector = Eigen::VectorXd;

constexpr double epsilon = std::numeric_limits<double>::epsilon();

struct Graph {
    std::string name;
    int nodes;
    Pairs pairs;
};

Graph chain(int n) {
    Graph g{"chain", n, {}};
    for (int i = 1; i < n; ++i) g.pairs.emplace_back(i, i - 1);
    return g;
}

Graph ring(int n) {
    Graph g = chain(n);
    g.name = "ring";
    g.pairs.emplace_back(0, n - 1);
    return g;
}

Graph star(int n, int hub) {
    Graph g{"star", n, {}};
    for (int i = 0; i < n; ++i)
        if (i != hub) g.pairs.emplace_back(hub, i);
    return g;
}

Graph complete(int n) {
    Graph g{"complete", n, {}};
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < i; ++j) g.pairs.emplace_back(i, j);
    return g;
}

Graph random_tree(int n, Random& random) {
    Graph g{"tree", n, {}};
    for (int i = 1; i < n; ++i) g.pairs.emplace_back(i, random.number(i));
    return g;
}

// Each link with all links that carry it, as the mass matrix of a mechanism has it.
Graph mechanism(int n, Random& random) {
    Graph g{"mechanism", n, {}};
    std::vector<int> parent{-1};
    for (int i = 1; i < n; ++i) {
        parent.push_back(random.number(i));
        for (int a = parent.back(); a >= 0; a = parent[static_cast<std::size_t>(a)]) g.pairs.emplace_back(a, i);
    }
    return g;
}

Graph scattered(int n, double mean_neighbours, Random& random) {
    Graph g{"scattered", n, {}};
    const int count = static_cast<int>(n * mean_neighbours / 2);
    for (int p = 0; n > 1 && p < count; ++p)
        if (const int i = random.number(n), j = random.number(n); i != j) g.pairs.emplace_back(i, j);
    return g;
}

Graph box(int x, int y, int z) {
    Graph g{"box", x * y * z, {}};
    for (int i = 0; i < g.nodes; ++i) {
        if (i % x > 0) g.pairs.emplace_back(i, i - 1);
        if (i / x % y > 0) g.pairs.emplace_back(i, i - x);
        if (i / x / y > 0) g.pairs.emplace_back(i - x * y, i);
    }
    return g;
}

std::vector<int> sizes(const Graph& g, int size) { return std::vector<int>(static_cast<std::size_t>(g.nodes), size); }
std::vector<int> random_sizes(const Graph& g, Random& random) {
    std::vector<int> s;
    for (int i = 0; i < g.nodes; ++i) s.push_back(1 + random.number(6));
    return s;
}
// Bodies, and now and then a joint.
std::vector<int> mostly_six(const Graph& g, Random& random) {
    std::vector<int> s;
    for (int i = 0; i < g.nodes; ++i) s.push_back(random.number(8) > 0 ? 6 : 1 + random.number(5));
    return s;
}

// Strong diagonal blocks, whose rows are out of order.
void fill(BlockMatrix& A, Random& random) {
    for (int j = 0; j < A.nodes(); ++j)
        for (int b = A.first_block(j); b < A.first_block(j + 1); ++b) {
            const int i = A.row_of(b), rows = A.size(i), neighbours = A.first_block(j + 1) - A.first_block(j);
            const int shift = random.number(rows);
            for (int c = 0; c < A.size(j); ++c)
                for (int r = 0; r < rows; ++r) {
                    double& a = A.block(b)[rows * c + r];
                    a = random.uniform(-1, 1);
                    if (i == j && (r + shift) % rows == c) a += 4.0 * neighbours;
                }
        }
}

BlockMatrix matrix(const Graph& g, const std::vector<int>& node_sizes, Random& random) {
    BlockMatrix A;
    A.set_pattern(node_sizes, g.pairs);
    fill(A, random);
    return A;
}

Vector random_vector(int n, Random& random) {
    Vector v{n};
    for (double& x : v) x = random.uniform(-1, 1);
    return v;
}

Vector solution(const BlockLU& lu, Vector b) {
    lu.solve({b.data(), static_cast<std::size_t>(b.size())});
    return b;
}

double largest(const Matrix& m) { return m.size() > 0 ? m.cwiseAbs().maxCoeff() : 0; }
double row_sum(const Matrix& m) { return m.size() > 0 ? m.cwiseAbs().rowwise().sum().maxCoeff() : 0; }

// Factors, solves, and looks at what is left: not more than some roundings of the largest terms.
void check_residual(BlockLU& lu, const BlockMatrix& A, Random& random) {
    REQUIRE(lu.factor(A));
    CHECK(lu.failed_node() == -1);
    const Matrix D = dense(A);
    const Vector b = random_vector(A.rows(), random), x = solution(lu, b);
    CHECK(largest(b - D * x) <= 8 * epsilon * (row_sum(D) * largest(x) + largest(b)));
}

// The same; and as A is far from singular, the solution is as good.
void check_solves(BlockLU& lu, const BlockMatrix& A, Random& random) {
    check_residual(lu, A, random);
    if (A.rows() == 0) return;
    const Vector b = random_vector(A.rows(), random), x = solution(lu, b);
    CHECK(largest(x - test::solve_dense(dense(A), b)) <= 1e-13 * largest(x));
}

std::vector<Graph> graphs(Random& random) {
    return {{"nothing", 0, {}},
            {"one", 1, {}},
            {"pair", 2, {{1, 0}}},
            {"three apart", 3, {}},
            chain(17),
            ring(9),
            star(17, 0),
            star(17, 16),
            star(80, 40),
            complete(5),
            complete(21),
            random_tree(40, random),
            mechanism(25, random),
            box(4, 3, 2),
            box(5, 5, 5),
            scattered(30, 1, random),
            scattered(70, 3, random),
            scattered(130, 5, random)};
}

}  // namespace

TEST_CASE("solutions are those of dense LU for all graphs and block sizes") {
    for (std::uint64_t seed = 1; seed <= 4; ++seed) {
        Random random{seed};
        BlockLU lu;  // the same for all: what is left of one must not matter for the next
        for (const Graph& g : graphs(random))
            for (const auto& node_sizes :
                 {sizes(g, 6), sizes(g, 1), sizes(g, 3), random_sizes(g, random), mostly_six(g, random)}) {
                CAPTURE(seed);
                CAPTURE(g.name);
                CAPTURE(g.nodes);
                const BlockMatrix A = matrix(g, node_sizes, random);
                lu.analyze(A);
                check_solves(lu, A, random);
            }
    }
}

TEST_CASE("solutions are those of dense LU for small random patterns") {
    for (std::uint64_t seed = 1; seed <= 300; ++seed) {
        CAPTURE(seed);
        Random random{seed};
        const int n = random.number(12);
        const Graph g = scattered(n, random.uniform(0, 6), random);
        const BlockMatrix A = matrix(g, random_sizes(g, random), random);
        BlockLU lu;
        lu.analyze(A);
        check_solves(lu, A, random);
    }
}

TEST_CASE("one analysis serves many factorisations, each as if it were the first") {
    Random random{5};
    const Graph g = scattered(60, 4, random);
    BlockMatrix A = matrix(g, mostly_six(g, random), random);
    BlockLU lu;
    lu.analyze(A);
    for (int i = 0; i < 5; ++i) {
        check_solves(lu, A, random);
        fill(A, random);
    }
    REQUIRE(lu.factor(A));
    BlockLU first;
    first.analyze(A);
    REQUIRE(first.factor(A));
    const Vector b = random_vector(A.rows(), random);
    CHECK(solution(lu, b) == solution(first, b));  // to the bit
}

TEST_CASE("trees are not filled, nor are mechanisms, and a ring only as much as it must") {
    Random random{6};
    for (const Graph& g : {chain(30), star(30, 7), random_tree(100, random), mechanism(60, random), complete(12)}) {
        CAPTURE(g.name);
        const BlockMatrix A = matrix(g, sizes(g, 1), random);
        BlockLU lu;
        lu.analyze(A);
        CHECK(lu.blocks() == static_cast<std::size_t>(A.first_block(g.nodes)));
    }
    const BlockMatrix A = matrix(ring(20), sizes(ring(20), 1), random);
    BlockLU lu;
    lu.analyze(A);
    CHECK(lu.blocks() == 60 + 2 * 17);  // a ring of 20 takes 17 more connections
}

TEST_CASE("the next node is always one that connects the fewest pairs") {
    for (std::uint64_t seed = 1; seed <= 20; ++seed) {
        CAPTURE(seed);
        Random random{seed};
        const int n = 20 + random.number(150);
        const Graph g = scattered(n, random.uniform(1, 5), random);
        BlockMatrix A;
        A.set_pattern(sizes(g, 1), g.pairs);
        BlockLU lu;
        lu.analyze(A);

        // The same, counted anew for each step. Ties are broken by degree, then by number.
        std::vector<std::set<int>> neighbours(static_cast<std::size_t>(g.nodes));
        const auto of = [&](int i) -> std::set<int>& { return neighbours[static_cast<std::size_t>(i)]; };
        for (const auto& [i, j] : g.pairs) of(i).insert(j), of(j).insert(i);
        const auto missing = [&](int i) {
            std::size_t count = 0;
            for (const int a : of(i))
                for (const int b : of(i)) count += a < b && !of(a).contains(b);
            return count;
        };
        std::set<int> left;
        for (int i = 0; i < g.nodes; ++i) left.insert(i);
        std::size_t blocks = left.size();
        while (!left.empty()) {
            const int next = *std::min_element(left.begin(), left.end(), [&](int a, int b) {
                return std::pair{missing(a), of(a).size()} < std::pair{missing(b), of(b).size()};
            });
            blocks += 2 * of(next).size();
            for (const int a : of(next)) {
                for (const int b : of(next))
                    if (a != b) of(a).insert(b);
                of(a).erase(next);
            }
            left.erase(next);
        }
        CHECK(lu.blocks() == blocks);
    }
}

TEST_CASE("a singular diagonal block is reported with its node") {
    Random random{7};
    for (const int size : {1, 2, 3, 4, 5, 6}) {
        CAPTURE(size);
        Graph g = chain(6);
        g.nodes = 9;  // three more, alone
        BlockMatrix A = matrix(g, sizes(g, size), random);
        BlockLU lu;
        lu.analyze(A);
        REQUIRE(lu.factor(A));

        A.block(7, 7).setZero();
        CHECK_FALSE(lu.factor(A));
        CHECK(lu.failed_node() == 7);

        // One row is a sum of others, up to rounding.
        if (size > 1) {
            Matrix D = A.block(5, 5);
            D.row(size - 1).setZero();
            for (int r = 0; r + 1 < size; ++r) D.row(size - 1) += random.uniform(-1, 1) * D.row(r);
            A.block(7, 7) = D;
            CHECK_FALSE(lu.factor(A));
            CHECK(lu.failed_node() == 7);
        }

        fill(A, random);
        check_solves(lu, A, random);
    }
}

TEST_CASE("a block that becomes singular by elimination is reported") {
    Random random{8};
    const Graph g{"pair", 2, {{0, 1}}};
    BlockMatrix A = matrix(g, sizes(g, 6), random);
    const Matrix A_00 = A.block(0, 0), A_01 = A.block(0, 1), A_10 = A.block(1, 0);
    const Matrix A_11 = A.block(1, 1);
    BlockLU lu;
    lu.analyze(A);
    REQUIRE(lu.factor(A));

    A.block(1, 1) = A_10 * test::solve_dense(A_00, A_01);  // nothing but rounding is left
    CHECK_FALSE(lu.factor(A));
    CHECK(lu.failed_node() == 1);

    A.block(1, 1) = A_11;
    A.block(1, 0) *= 1e18;  // what is subtracted has rank 5, and leaves nothing of the block
    A.block(0, 1).col(2) = 0.3 * A_01.col(1) - 0.7 * A_01.col(4);
    CHECK_FALSE(lu.factor(A));
    CHECK(lu.failed_node() == 1);
}

TEST_CASE("a stiff block is not taken for a singular one") {
    Random random{14};
    const Graph g = chain(4);
    for (const int size : {3, 6}) {
        CAPTURE(size);
        BlockMatrix A = matrix(g, sizes(g, size), random);
        // A contact that is 10^10 times as stiff as a body is heavy, in a direction that is no axis.
        const Vector n = random_vector(size, random).normalized();
        A.block(2, 2) += 1e10 * n * n.transpose();
        BlockLU lu;
        lu.analyze(A);
        check_residual(lu, A, random);
    }
}

TEST_CASE("numbers that are not finite are reported") {
    constexpr double infinity = std::numeric_limits<double>::infinity();
    for (const double bad : {std::numeric_limits<double>::quiet_NaN(), infinity, -infinity})
        for (const int size : {1, 3, 6}) {
            CAPTURE(bad);
            CAPTURE(size);
            Random random{9};
            Graph g = chain(5);
            g.nodes = 8;
            BlockMatrix A = matrix(g, sizes(g, size), random);
            BlockLU lu;
            lu.analyze(A);
            for (int e = 0; e < size * size; ++e) {
                const BlockMatrix good = A;
                A.block(6, 6)(e % size, e / size) = bad;
                CHECK_FALSE(lu.factor(A));
                CHECK(lu.failed_node() == 6);
                A = good;
                for (const auto& [i, j] : {std::pair{1, 2}, std::pair{2, 1}}) {
                    A.block(i, j)(e % size, e / size) = bad;
                    CHECK_FALSE(lu.factor(A));
                    CHECK((lu.failed_node() >= 0 && lu.failed_node() < 5));  // found where it has come to
                    A = good;
                }
            }
            check_solves(lu, A, random);
        }
}

TEST_CASE("units of rows and columns do not matter") {
    Random random{10};
    const Graph g = scattered(20, 3, random);
    const BlockMatrix A = matrix(g, mostly_six(g, random), random);
    BlockMatrix scaled = A;
    // Powers of two, so that nothing is rounded. Rows are not scaled within a node: they compete to be the pivot.
    Vector row{A.rows()}, column{A.rows()};
    for (int i = 0; i < A.nodes(); ++i) {
        row.segment(A.offset(i), A.size(i)).setConstant(std::ldexp(1.0, random.number(160) - 80));
        for (int r = 0; r < A.size(i); ++r) column[A.offset(i) + r] = std::ldexp(1.0, random.number(160) - 80);
    }
    for (int j = 0; j < A.nodes(); ++j)
        for (int b = A.first_block(j); b < A.first_block(j + 1); ++b) {
            const int i = A.row_of(b);
            for (int c = 0; c < A.size(j); ++c)
                for (int r = 0; r < A.size(i); ++r)
                    scaled.block(b)[A.size(i) * c + r] *= row[A.offset(i) + r] * column[A.offset(j) + c];
        }
    BlockLU lu, lu_scaled;
    lu.analyze(A);
    lu_scaled.analyze(scaled);
    REQUIRE(lu.factor(A));
    REQUIRE(lu_scaled.factor(scaled));
    const Vector b = random_vector(A.rows(), random);
    const Vector x = solution(lu, b), x_scaled = solution(lu_scaled, row.cwiseProduct(b));
    CHECK(x == column.cwiseProduct(x_scaled));  // to the bit
}

TEST_CASE("factor and solve do not allocate, and a pattern of a size seen before does not either") {
    if (!test::counts_allocations) return;
    Random random{11};
    const Graph small = scattered(20, 3, random), large = scattered(150, 5, random);
    BlockMatrix A;
    BlockLU lu;
    std::vector<double> b(900, 1.0);
    const std::vector<int> small_sizes = sizes(small, 6), large_sizes = sizes(large, 6);
    const auto analyze_both = [&] {
        A.set_pattern(small_sizes, small.pairs);
        lu.analyze(A);
        A.set_pattern(large_sizes, large.pairs);
        lu.analyze(A);
    };
    analyze_both();
    const long before = test::allocations();
    analyze_both();
    CHECK(test::allocations() == before);
    for (int i = 0; i < 3; ++i) {
        fill(A, random);
        CHECK(lu.factor(A));
        lu.solve(b);
    }
    CHECK(test::allocations() == before);
}

TEST_CASE("6 x 6 products have the bits of any others, whatever instructions the processor has") {
    Random random{12};
    constexpr std::size_t count = 5, inner = 3, values = 36;
    alignas(64) double C[count * values], expected[count * values], A[inner][count * values], B[inner * values];
    const auto randomize = [&](std::span<double> x) {
        for (double& v : x) v = random.uniform(-1, 1);
    };
    randomize(C);
    for (auto& a : A) randomize(a);
    randomize(B);
    std::copy(std::begin(C), std::end(C), std::begin(expected));

    double* target[count];
    const int row[count] = {3, 0, 4, 1, 2};
    for (std::size_t i = 0; i < count; ++i) target[row[i]] = C + values * i;
    const double* const columns[inner] = {A[0], A[1], A[2]};
    block::subtract_products_6(target, row, count, columns, B);
    for (std::size_t i = 0; i < count; ++i)
        for (std::size_t k = 0; k < inner; ++k)
            block::subtract_product(expected + values * i, A[k] + values * i, B + values * k, 6, 6, 6);
    CHECK(std::equal(std::begin(C), std::end(C), std::begin(expected)));

    block::multiply_6(C, count, B);
    for (std::size_t i = 0; i < count; ++i) block::multiply(expected + values * i, B, 6, 6);
    CHECK(std::equal(std::begin(C), std::end(C), std::begin(expected)));
}

TEST_CASE("a block matrix holds what is put into it") {
    BlockMatrix A;
    CHECK(A.nodes() == 0);
    CHECK(A.rows() == 0);
    A.set_pattern(std::vector{2, 6, 1, 3}, Pairs{{1, 0}, {0, 1}, {3, 1}, {1, 0}});
    CHECK(A.nodes() == 4);
    CHECK(A.rows() == 12);
    CHECK(A.size(1) == 6);
    CHECK(A.offset(3) == 9);
    CHECK(A.first_block(4) == 8);  // four on the diagonal, two pairs
    CHECK(A.block_index(0, 3) == -1);
    CHECK(A.block_index(2, 1) == -1);
    REQUIRE(A.block_index(1, 3) >= 0);
    CHECK(A.row_of(A.block_index(1, 3)) == 1);
    CHECK(A.block(1, 3).rows() == 6);
    CHECK(A.block(1, 3).cols() == 3);
    CHECK(dense(A).isZero(0));

    A.block(1, 3)(4, 2) = 7;
    A.block(3, 3)(0, 1) = -2;
    Matrix expected = Matrix::Zero(12, 12);
    expected(2 + 4, 9 + 2) = 7;
    expected(9, 9 + 1) = -2;
    CHECK(dense(A) == expected);
    CHECK(std::as_const(A).block(1, 3)(4, 2) == 7);
    CHECK(A.block(A.block_index(1, 3))[6 * 2 + 4] == 7);

    Random random{13};
    fill(A, random);
    const Vector x = random_vector(12, random);
    Vector y{12};
    A.multiply({x.data(), 12}, {y.data(), 12});
    CHECK(largest(y - dense(A) * x) <= 16 * epsilon * row_sum(dense(A)));
    A.set_zero();
    CHECK(dense(A).isZero(0));
}
