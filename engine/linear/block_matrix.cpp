#include <tactus/engine/linear/block_matrix.hpp>

#include <algorithm>
#include <cassert>

namespace tactus {

void BlockMatrix::set_pattern(std::span<const int> sizes, std::span<const std::pair<int, int>> pairs) {
    const std::size_t n = sizes.size();
    size_.assign(sizes.begin(), sizes.end());
    offset_.assign(n + 1, 0);
    first_.assign(n + 1, 1);  // the diagonal block
    for (std::size_t i = 0; i < n; ++i) {
        assert(size_[i] >= 1 && size_[i] <= most_rows);
        offset_[i + 1] = offset_[i] + size_[i];
    }
    for (const auto& [i, j] : pairs) {
        assert(i != j && index(i) < n && index(j) < n);
        ++first_[index(i)];
        ++first_[index(j)];
    }
    int end = 0;
    for (std::size_t j = 0; j <= n; ++j) {
        const int count = j < n ? first_[j] : 0;
        first_[j] = end;
        end += count;
    }

    // Rows of each column as they come; first_[j] is where the next one goes, and so ends as the begin of column j + 1.
    row_.resize(index(end));
    for (std::size_t j = 0; j < n; ++j) row_[index(first_[j]++)] = static_cast<int>(j);
    for (const auto& [i, j] : pairs) {
        row_[index(first_[index(j)]++)] = i;
        row_[index(first_[index(i)]++)] = j;
    }

    // In order, and each once.
    int begin = 0, kept = 0;
    std::size_t values = 0;
    at_.clear();
    for (std::size_t j = 0; j < n; ++j) {
        const auto from = row_.begin() + begin, to = row_.begin() + first_[j];
        begin = first_[j];
        first_[j] = kept;
        std::sort(from, to);
        int last = -1;
        for (auto i = from; i != to; ++i) {
            if (*i == last) continue;
            last = *i;
            row_[index(kept++)] = last;
            at_.push_back(values);
            values += index(size_[index(last)] * size_[j]);
        }
    }
    first_[n] = kept;
    row_.resize(index(kept));
    values_.assign(values, 0.0);
}

void BlockMatrix::set_zero() { std::fill(values_.begin(), values_.end(), 0.0); }

int BlockMatrix::block_index(int i, int j) const {
    const auto begin = row_.begin() + first_block(j), end = row_.begin() + first_block(j + 1);
    const auto found = std::lower_bound(begin, end, i);
    return found != end && *found == i ? static_cast<int>(found - row_.begin()) : -1;
}

bool BlockMatrix::same_pattern(const BlockMatrix& other) const {
    return size_ == other.size_ && first_ == other.first_ && row_ == other.row_;
}

void BlockMatrix::copy_pattern(const BlockMatrix& other) {
    size_ = other.size_;
    offset_ = other.offset_;
    first_ = other.first_;
    row_ = other.row_;
}

void BlockMatrix::multiply(std::span<const double> x, std::span<double> y) const {
    assert(x.size() == index(rows()) && y.size() == x.size());
    std::fill(y.begin(), y.end(), 0.0);
    for (int j = 0; j < nodes(); ++j) {
        const double* const x_j = x.data() + offset(j);
        for (int b = first_block(j); b < first_block(j + 1); ++b) {
            const int rows_i = size(row_of(b));
            double* const y_i = y.data() + offset(row_of(b));
            const double* a = block(b);
            if (rows_i == 6 && size(j) == 6) {
                using Six = Eigen::Matrix<double, 6, 6>;
                using SixRows = Eigen::Matrix<double, 6, 1>;
                Eigen::Map<SixRows>{y_i}.noalias() +=
                    Eigen::Map<const Six>{a}.lazyProduct(Eigen::Map<const SixRows>{x_j});
                continue;
            }
            for (int c = 0; c < size(j); ++c, a += rows_i)
                for (int r = 0; r < rows_i; ++r) y_i[r] += a[r] * x_j[c];
        }
    }
}

}  // namespace tactus
