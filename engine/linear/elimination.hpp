// Private to engine/linear: in which order to eliminate the nodes of a graph, and what that fills.
//
// Eliminating a node connects all of its neighbours with each other. Next is always the node that adds the fewest
// connections (minimum fill, exact): on random packings of 1000 balls that leaves a sixth less work than the usual
// approximate minimum degree, and trees, also those whose links know all their ancestors, are not filled at all. The
// neighbours of a node are the bits of a row, so n nodes take n^2 / 8 bytes.
#pragma once

#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

namespace tactus {

namespace linear {
inline std::size_t at(int i) { return static_cast<std::size_t>(i); }
}  // namespace linear

class BlockMatrix;

class Elimination {
public:
    // A list of ascending numbers for each of n things.
    struct Lists {
        std::vector<int> first, item;  // item[first[k]] .. item[first[k + 1] - 1]

        std::span<const int> operator[](std::size_t k) const {
            return {item.data() + first[k], static_cast<std::size_t>(first[k + 1] - first[k])};
        }
        // The list of k gets j for each list of j that holds k.
        void transpose_of(const Lists& other);
    };

    void analyze(const BlockMatrix& pattern);

    // A node's place in the order is its position. Children in the elimination tree come just before their parents.
    std::span<const int> order() const { return order_; }        // node at a position
    std::span<const int> position() const { return position_; }  // of a node
    const Lists& lower() const { return lower_; }  // below a position's diagonal: the later ones it is connected with
    const Lists& upper() const { return upper_; }  // above: the earlier ones

private:
    using Word = std::uint64_t;
    std::vector<int> order_, position_;
    Lists lower_, upper_;

    // While eliminating:
    std::vector<int> node_, rank_;    // as they are numbered here, the others left out
    std::size_t words_ = 0;           // of a row
    std::vector<Word> bits_;          // rows: neighbours that are not eliminated
    std::vector<int> degree_;         // neighbours
    std::vector<std::int64_t> fill_;  // pairs of neighbours that are not connected
    std::vector<int> winner_;         // tournament: [1] is the node to eliminate next, [leaves_ + i] the contestant i
    std::size_t leaves_ = 0;
    std::vector<int> neighbours_;
    std::vector<Word> touched_, planes_;
    Lists structure_;                                // by step: neighbours at that time (nodes)
    std::vector<int> sequence_, step_;               // node eliminated in a step, and the inverse
    std::vector<int> parent_, head_, next_, stack_;  // the elimination tree, by step

    Word* row(int node) { return bits_.data() + static_cast<std::size_t>(node) * words_; }
    void load(const BlockMatrix& pattern);
    void close_ranks();
    void open_tournament();
    int winner_of(std::size_t match) const;
    void play(int node);
    void eliminate(int node);
    void connect_neighbours(int node);
    void connect(int a, int b);
    void order_by_tree();
};

}  // namespace tactus
