// Bundle: neighbours in a BoxForest that look for overlapping boxes together. The tree is walked once for their common
// bounds; each box is then compared with the leaves that were met, four boxes at a time, mostly without a branch.
#pragma once

#include <tactus/systems/broad_phase/box_forest.hpp>

namespace tactus::systems {

inline constexpr std::uint32_t bundle_leaves = BoxForest::tree_alignment / 4;

inline std::uint32_t bundle_count(const BoxForest& forest) { return forest.leaves() / bundle_leaves; }
inline std::uint32_t bundle_of(std::uint32_t slot) { return slot / BoxForest::tree_alignment; }

class Bundle {
public:
    // Those of the bundle's objects that are marked as `searched`.
    Bundle(const BoxForest& forest, std::uint32_t index, std::span<const std::uint8_t> searched)
        : forest_{forest}, first_leaf_{index * bundle_leaves} {
        for (std::uint32_t slot = 4 * first_leaf_; slot < 4 * (first_leaf_ + bundle_leaves); ++slot)
            if (const std::uint32_t object = forest.object(slot); object != BoxForest::none && searched[object]) {
                slots_[size_++] = slot;
                bounds_.include(box(slot));
            }
    }

    // Calls visit(object of the bundle, other) for all overlaps with boxes of `other`; in its own forest, each object also
    // overlaps itself.
    template<class Visit> void for_pairs(const BoxForest& other, Visit&& visit) const {
        search(other, 0,
               [&](std::uint32_t slot, std::uint32_t slot2) { visit(forest_.object(slot), other.object(slot2)); });
    }

    // The same within its own forest, for boxes in later slots.
    template<class Visit> void for_later_pairs(Visit&& visit) const {
        search(forest_, first_leaf_, [&](std::uint32_t slot, std::uint32_t slot2) {
            if (slot < slot2) visit(forest_.object(slot), forest_.object(slot2));
        });
    }

private:
    FloatBox box(std::uint32_t slot) const { return forest_.leaf(slot / 4).get(slot % 4); }

    template<class Visit> void search(const BoxForest& other, std::uint32_t first_leaf, Visit&& visit) const {
        std::array<std::uint32_t, 64> leaves;
        std::size_t met = 0;
        const auto compare = [&] {
            for (std::size_t i = 0; i < size_; ++i) {
                const Probe probe{box(slots_[i])};
                for (std::size_t l = 0; l < met; ++l)
                    for (unsigned hits = probe.hits(other.leaf(leaves[l])); hits != 0; hits &= hits - 1)
                        visit(slots_[i], 4 * leaves[l] + static_cast<std::uint32_t>(std::countr_zero(hits)));
            }
            met = 0;
        };
        other.for_leaves(bounds_, first_leaf, [&](std::uint32_t leaf) {
            leaves[met++] = leaf;
            if (met == leaves.size()) compare();
        });
        compare();
    }

    const BoxForest& forest_;
    std::uint32_t first_leaf_;
    std::array<std::uint32_t, BoxForest::tree_alignment> slots_;
    std::size_t size_ = 0;
    FloatBox bounds_;
};

}  // namespace tactus::systems
