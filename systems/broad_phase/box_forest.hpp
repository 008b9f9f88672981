// BoxForest: bounding volume trees over boxes, one tree for each class of sizes (factor 4), so that a floor does not blur
// the tree of the gravel on it.
//
// A tree has no pointers. Its boxes sit in slots, ordered by median cuts of their centres; group i of level 0 holds the
// boxes of four slots, group i of level k + 1 the bounds of groups 4 i .. 4 i + 3 of level k. A box that moves changes its
// slot's box and the bounds above. Slots stay until the trees have become loose: then they are cut anew.
#pragma once

#include <tactus/engine/workers.hpp>
#include <tactus/systems/broad_phase/box4.hpp>

#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <vector>

namespace tactus::systems {

class BoxForest {
public:
    static constexpr std::uint32_t none = ~std::uint32_t{0};
    static constexpr std::uint32_t tree_alignment = 16;  // slots: each tree begins at a multiple

    // Boxes are indexed by object; `members` says which objects this forest has.
    void build(std::span<const std::uint32_t> members, std::span<const FloatBox> boxes, Workers& workers);

    // The boxes of `moved` are new, or all are.
    void refit(std::span<const std::uint32_t> moved, std::span<const FloatBox> boxes);
    void refit_all(std::span<const FloatBox> boxes, Workers& workers);

    // Mean size of the leaves, against what it was when they were tightest.
    double looseness() const { return leaves() > 0 ? looseness_ / leaves() : 1; }

    // Slots 4 g .. 4 g + 3 are those of leaf g.
    std::uint32_t leaves() const { return static_cast<std::uint32_t>(object_.size() / 4); }
    const Box4& leaf(std::uint32_t g) const { return groups_[g]; }
    std::uint32_t object(std::uint32_t slot) const { return object_[slot]; }  // or none
    std::uint32_t slot(std::uint32_t object) const { return slot_[object]; }

    // [m] Mean edge of the leaf in which an object is: how far apart neighbours are.
    double leaf_edge(std::uint32_t object) const {
        return static_cast<double>(groups_[slot_[object] / 4].bounds().edges()) / 3;
    }

    // Calls visit(leaf) for all leaves from `first` on whose bounds overlap `box`.
    template<class Visit> void for_leaves(const FloatBox& box, std::uint32_t first, Visit&& visit) const;

private:
    static constexpr int most_levels = 16;

    struct Tree {
        std::uint32_t first_slot = 0, size = 0;
        std::uint32_t levels = 1;                        // the last one has one group
        std::array<std::uint32_t, most_levels> first{};  // of the groups of each level

        std::uint32_t groups(std::uint32_t level) const { return ((size - 1) >> (2 * level + 2)) + 1; }
    };
    struct Item {
        float centre[3];  // [m]
        std::uint32_t object;
    };
    struct Segment {
        std::uint32_t begin, end;  // items

        // About half-way, and where a group of the largest level begins that does not hold all.
        std::uint32_t middle() const {
            const std::uint32_t size = end - begin;
            const unsigned level = (static_cast<unsigned>(std::bit_width(size - 1)) - 1) / 2;
            const std::uint32_t half_group = (std::uint32_t{1} << (2 * level)) / 2;
            return begin + std::max(1U, (size / 2 + half_group) >> (2 * level)) * 2 * half_group;
        }
    };

    void plant_trees(std::span<const std::uint32_t> members, std::span<const FloatBox> boxes, Workers& workers);
    void lay_out_levels();
    void cut(Workers& workers);
    void cut(const Segment& segment);
    double leaf_looseness(std::size_t leaf);
    void bound(Tree& tree, std::uint32_t level, Workers& workers);

    std::vector<Tree> trees_;
    std::vector<Box4> groups_;           // level 0 of all trees, then the upper levels
    std::vector<std::uint32_t> object_;  // of each slot
    std::vector<std::uint32_t> slot_;    // of each object
    std::vector<std::uint8_t> tree_;     // of each object
    std::vector<float> tightest_;        // [m] sum of edges of each leaf
    double looseness_ = 0;               // summed over the leaves

    std::vector<Item> items_;  // for building
    std::vector<Segment> segments_, next_segments_;
    std::vector<double> partial_sums_;
};

template<class Visit> void BoxForest::for_leaves(const FloatBox& box, std::uint32_t first, Visit&& visit) const {
    struct Node {
        std::uint32_t level, group;
    };
    const Probe probe{box};
    std::array<Node, 3 * most_levels + 1> stack;
    for (const Tree& tree : trees_) {
        if (tree.first[0] + tree.groups(0) <= first) continue;
        const std::uint32_t start = first > tree.first[0] ? first - tree.first[0] : 0;
        if (tree.levels == 1) visit(tree.first[0]);
        std::size_t height = 0;
        if (tree.levels > 1) stack[height++] = {tree.levels - 1, 0};
        while (height > 0) {
            const auto [level, group] = stack[--height];
            for (unsigned hits = probe.hits(groups_[tree.first[level] + group]); hits != 0; hits &= hits - 1) {
                const std::uint32_t child = 4 * group + static_cast<std::uint32_t>(std::countr_zero(hits));
                if ((std::uint64_t{child} + 1) << (2 * level - 2) <= start) continue;
                if (level > 1)
                    stack[height++] = {level - 1, child};
                else
                    visit(tree.first[0] + child);
            }
        }
    }
}

}  // namespace tactus::systems
