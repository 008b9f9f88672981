#include <tactus/engine/linear/elimination.hpp>

#include <tactus/engine/linear/block_matrix.hpp>

#include <algorithm>
#include <bit>

namespace tactus {

namespace {

constexpr std::size_t bits = 64;  // of a word

using linear::at;

void set(std::uint64_t* row, int i) { row[at(i) / bits] |= std::uint64_t{1} << at(i) % bits; }

template<class Body> void for_bits(std::uint64_t word, std::size_t index, Body&& body) {
    for (; word; word &= word - 1) body(static_cast<int>(index * bits) + std::countr_zero(word));
}

// How many bits two rows have in common. Without the processor's own instruction, which not all have: sums within bytes.
int count_common(const std::uint64_t* a, const std::uint64_t* b, std::size_t words) {
    constexpr std::size_t most = 31;  // words until a byte is full
    int count = 0;
    for (std::size_t begin = 0; begin < words; begin += most) {
        std::uint64_t bytes = 0;
        for (std::size_t w = begin; w < std::min(begin + most, words); ++w) {
            std::uint64_t x = a[w] & b[w];
            x -= x >> 1 & 0x5555555555555555;
            x = (x & 0x3333333333333333) + (x >> 2 & 0x3333333333333333);
            bytes += (x + (x >> 4)) & 0x0f0f0f0f0f0f0f0f;
        }
        const std::uint64_t pairs = (bytes & 0x00ff00ff00ff00ff) + (bytes >> 8 & 0x00ff00ff00ff00ff);
        count += static_cast<int>(pairs * 0x0001000100010001 >> 48);
    }
    return count;
}

}  // namespace

void Elimination::Lists::transpose_of(const Lists& other) {
    const std::size_t n = other.first.size() - 1;
    first.assign(n + 1, 0);
    item.resize(other.item.size());
    for (const int k : other.item) ++first[at(k)];
    int end = 0;
    for (int& f : first) f = end += f;  // ends of the lists ...
    for (std::size_t j = n; j-- > 0;)
        for (const int k : other[j]) item[at(--first[at(k)])] = static_cast<int>(j);  // ... become begins
}

void Elimination::analyze(const BlockMatrix& pattern) {
    load(pattern);
    const int n = pattern.nodes();
    for (int step = 0; step < n; ++step) {
        if (words_ > 1 && at(n - step) <= node_.size() / 2) close_ranks();
        const int i = winner_[1];
        sequence_.push_back(node_[at(i)]);
        step_[at(node_[at(i)])] = step;
        eliminate(i);
    }
    order_by_tree();
}

void Elimination::load(const BlockMatrix& pattern) {
    const int nodes = pattern.nodes();
    const std::size_t n = at(nodes);
    words_ = (n + bits - 1) / bits;
    bits_.assign(n * words_, 0);
    degree_.resize(n);
    fill_.resize(n);
    step_.resize(n);
    node_.resize(n);
    sequence_.clear();
    structure_.first.assign(1, 0);
    structure_.item.clear();
    for (int j = 0; j < nodes; ++j) {
        node_[at(j)] = j;
        degree_[at(j)] = pattern.first_block(j + 1) - pattern.first_block(j) - 1;
        for (int b = pattern.first_block(j); b < pattern.first_block(j + 1); ++b)
            if (const int i = pattern.row_of(b); i != j) set(row(j), i);
    }
    for (int j = 0; j < nodes; ++j) {
        int ends = 0;  // of connections between neighbours
        for (int b = pattern.first_block(j); b < pattern.first_block(j + 1); ++b)
            if (const int i = pattern.row_of(b); i != j) ends += count_common(row(i), row(j), words_);
        const std::int64_t d = degree_[at(j)];
        fill_[at(j)] = (d * (d - 1) - ends) / 2;
    }
    open_tournament();
}

// Leaves out the nodes that are eliminated: towards the end rows are short, and there most of the work is.
void Elimination::close_ranks() {
    int left = 0;
    rank_.assign(node_.size(), -1);
    for (std::size_t i = 0; i < node_.size(); ++i)
        if (winner_[leaves_ + i] >= 0) rank_[i] = left++;
    const std::size_t words = (at(left) + bits - 1) / bits;
    for (std::size_t i = 0; i < node_.size(); ++i) {
        if (rank_[i] < 0) continue;
        touched_.assign(words, 0);
        for (std::size_t w = 0; w < words_; ++w)
            for_bits(bits_[i * words_ + w], w, [&](int j) { set(touched_.data(), rank_[at(j)]); });
        const std::size_t r = at(rank_[i]);
        std::copy(touched_.begin(), touched_.end(), bits_.begin() + static_cast<std::ptrdiff_t>(r * words));
        node_[r] = node_[i];
        degree_[r] = degree_[i];
        fill_[r] = fill_[i];
    }
    node_.resize(at(left));
    words_ = words;
    open_tournament();
}

void Elimination::open_tournament() {
    leaves_ = std::bit_ceil(std::max<std::size_t>(node_.size(), 2));
    winner_.assign(2 * leaves_, -1);
    for (std::size_t i = 0; i < node_.size(); ++i) winner_[leaves_ + i] = static_cast<int>(i);
    for (std::size_t m = leaves_; --m > 0;) winner_[m] = winner_of(m);
}

int Elimination::winner_of(std::size_t match) const {
    const int a = winner_[2 * match], b = winner_[2 * match + 1];
    if (a < 0 || b < 0) return std::max(a, b);
    const std::int64_t difference = fill_[at(a)] - fill_[at(b)];
    return difference < 0 || (difference == 0 && degree_[at(a)] <= degree_[at(b)]) ? a : b;
}

// A node's matches again, after its numbers have changed.
void Elimination::play(int node) {
    for (std::size_t m = (leaves_ + at(node)) / 2; m > 0; m /= 2) {
        const int before = winner_[m];
        winner_[m] = winner_of(m);
        if (before == winner_[m] && before != node) return;  // nothing new for the next round
    }
}

// Connects two neighbours of the node that is being eliminated.
void Elimination::connect(int a, int b) {
    Word *const row_a = row(a), *const row_b = row(b);
    const int common = count_common(row_a, row_b, words_);
    // For each common neighbour there is a pair less to be connected. Counted in binary, a plane for each digit.
    for (std::size_t w = 0; w < words_; ++w) {
        Word carry = row_a[w] & row_b[w];
        touched_[w] |= carry;
        for (std::size_t p = w; p < planes_.size(); p += words_) {
            const Word both = planes_[p] & carry;
            planes_[p] ^= carry;
            carry = both;
        }
    }
    // The other neighbours of a are not connected with its new neighbour b, and the other way round.
    fill_[at(a)] += degree_[at(a)]++ - common;
    fill_[at(b)] += degree_[at(b)]++ - common;
    set(row_a, b);
    set(row_b, a);
}

void Elimination::connect_neighbours(int node) {
    const int digits = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(fill_[at(node)])));
    planes_.assign(at(digits) * words_, 0);
    for (const int i : neighbours_)
        for (std::size_t w = at(i) / bits; w < words_; ++w) {
            Word missing = row(node)[w] & ~row(i)[w];
            if (w == at(i) / bits) missing &= ~Word{1} << at(i) % bits;  // beyond i itself: each pair once
            for_bits(missing, w, [&](int j) { connect(i, j); });
        }
    for (std::size_t w = 0; w < words_; ++w)
        for_bits(touched_[w], w, [&](int i) {
            for (int p = 0; p < digits; ++p)
                fill_[at(i)] -= static_cast<int>(planes_[at(p) * words_ + w] >> at(i) % bits & 1) << p;
        });
}

void Elimination::eliminate(int node) {
    neighbours_.clear();
    touched_.assign(row(node), row(node) + words_);
    for (std::size_t w = 0; w < words_; ++w) for_bits(row(node)[w], w, [&](int i) { neighbours_.push_back(i); });
    if (fill_[at(node)] > 0) connect_neighbours(node);

    // Without the node, pairs of it and a neighbour's other neighbours do not count any more.
    const int d = degree_[at(node)];
    for (const int i : neighbours_) {
        fill_[at(i)] -= degree_[at(i)]-- - d;
        row(i)[at(node) / bits] &= ~(Word{1} << at(node) % bits);
    }
    winner_[leaves_ + at(node)] = -1;
    play(node);
    for (std::size_t w = 0; w < words_; ++w)
        for_bits(touched_[w], w, [&](int i) {
            if (i != node) play(i);
        });
    for (const int i : neighbours_) structure_.item.push_back(node_[at(i)]);
    structure_.first.push_back(static_cast<int>(structure_.item.size()));
}

// Children just before their parents keeps what is used together close together, and fills the same.
void Elimination::order_by_tree() {
    const int n = static_cast<int>(sequence_.size());
    parent_.assign(at(n), n);
    head_.assign(at(n) + 1, -1);
    next_.resize(at(n));
    for (int s = 0; s < n; ++s)
        for (const int node : structure_[at(s)]) parent_[at(s)] = std::min(parent_[at(s)], step_[at(node)]);
    for (int s = n; s-- > 0;) {
        next_[at(s)] = head_[at(parent_[at(s)])];
        head_[at(parent_[at(s)])] = s;
    }

    // Depth first from the roots, backwards: parents before children, the child of the latest step first.
    order_.resize(at(n));
    position_.resize(at(n));
    stack_.clear();
    for (int s = head_[at(n)]; s >= 0; s = next_[at(s)]) stack_.push_back(s);
    for (int p = n; p-- > 0;) {
        const int s = stack_.back();
        stack_.pop_back();
        order_[at(p)] = sequence_[at(s)];
        position_[at(sequence_[at(s)])] = p;
        for (int c = head_[at(s)]; c >= 0; c = next_[at(c)]) stack_.push_back(c);
    }

    // The neighbours of each step as positions; two transpositions sort them.
    lower_.first.assign(1, 0);
    lower_.item.clear();
    for (const int node : order_) {
        for (const int i : structure_[at(step_[at(node)])]) lower_.item.push_back(position_[at(i)]);
        lower_.first.push_back(static_cast<int>(lower_.item.size()));
    }
    upper_.transpose_of(lower_);
    lower_.transpose_of(upper_);
}

}  // namespace tactus
