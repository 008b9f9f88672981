// Broad phase: which pairs of objects may touch, from their axis-aligned boxes.
//
// Two levels. Every moving object has a fat box (FatBoxes); while its box stays within, nothing about it changes. Pairs
// whose fat boxes overlap are the candidates. An update looks which objects have left their fat boxes, fattens those anew
// and searches their pairs in trees (BoxForest); or those of all, if many have left. So most updates only compare boxes.
//
// Objects have groups: objects of one group never pair, nor do those of two groups that exclude each other. Objects of
// group 0, the world, do not move, and never pair with each other; their boxes are looked at in the first update only.
//
// Pairs, their order and the boxes are the same for any number of workers. Nothing is allocated once buffers have grown.
#pragma once

#include <tactus/systems/broad_phase/box_forest.hpp>
#include <tactus/systems/broad_phase/candidates.hpp>
#include <tactus/systems/broad_phase/fat_boxes.hpp>
#include <tactus/systems/broad_phase/pair_rules.hpp>

namespace tactus::systems {

class BroadPhase {
public:
    // New objects: the group of each, and pairs of groups that exclude each other, in any order. All pairs whose boxes are
    // less than `reach` [m] apart will be candidates, so that other pairs are known to be at least that far apart.
    void reset(std::span<const std::uint32_t> group, std::span<const GroupPair> excluded_groups, double reach = 0.0);

    // The same objects in other groups. The pairs of `changed` are searched anew with the next update. False if an object
    // begins or ceases to move: then only reset() helps.
    bool regroup(std::span<const std::uint32_t> group, std::span<const GroupPair> excluded_groups,
                 std::span<const std::uint32_t> changed);
    bool has_to_search() const { return !regrouped_.empty(); }

    // The boxes as they are now, one for each object. Whether the candidates have changed. A box that is not finite (or
    // beyond 1e30 m, or inside out) overlaps nothing.
    bool update(std::span<const Aabb> boxes, Workers& workers);

    // Pairs a < b, ascending: all that overlap or touch or are within reach, and some more.
    std::span<const IndexPair> candidates() const { return candidates_.pairs(); }
    // How often the candidates have changed, and where each one was before the last change: an index, or -1 if it is new.
    std::uint64_t generation() const { return generation_; }
    std::span<const std::int32_t> former() const { return candidates_.former(); }

    // Indices of the candidates whose boxes overlap or touch, ascending. For the boxes of the last update. Valid until the
    // next call.
    std::span<const std::uint32_t> overlapping(std::span<const Aabb> boxes, Workers& workers);

private:
    void start(std::span<const Aabb> boxes, Workers& workers);
    void add_regrouped();
    void find_left(std::span<const Aabb> boxes, Workers& workers);
    void fatten(std::span<const std::uint32_t> objects, std::span<const Aabb> boxes, Workers& workers);
    void fit_tree(bool all, Workers& workers);
    void search(bool all, Workers& workers);
    void search_bundle(std::uint32_t index, bool all, std::vector<IndexPair>& found) const;

    PairRules rules_;
    std::vector<std::uint32_t> moving_, fixed_;  // objects
    FatBoxes fat_;
    BoxForest moving_tree_, fixed_tree_;
    Candidates candidates_;
    std::uint64_t generation_ = 0;
    bool started_ = false;

    std::vector<std::uint32_t> left_;         // objects that have left their fat boxes
    std::vector<std::uint32_t> regrouped_;    // objects with other groups than in the last update
    std::vector<std::uint8_t> searched_;      // of each object
    std::vector<std::uint32_t> bundles_;      // with objects to search
    std::vector<std::uint32_t> overlapping_;  // candidates
    std::vector<std::size_t> counts_;         // of each chunk of a loop
};

}  // namespace tactus::systems
