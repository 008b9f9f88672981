// PairRules: which objects are never paired. Asked only for pairs that become candidates, so exclusions cost nothing later.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

namespace tactus::systems {

using GroupPair = std::pair<std::uint32_t, std::uint32_t>;

class PairRules {
public:
    void reset(std::span<const std::uint32_t> group, std::span<const GroupPair> excluded) {
        group_.assign(group.begin(), group.end());
        excluded_.clear();
        std::vector<std::uint32_t> excluding;
        for (const auto& [g, h] : excluded) {
            excluded_.push_back(std::minmax(g, h));
            excluding.insert(excluding.end(), {g, h});
        }
        std::sort(excluded_.begin(), excluded_.end());
        std::sort(excluding.begin(), excluding.end());
        excludes_.clear();
        for (const std::uint32_t g : group)
            excludes_.push_back(std::binary_search(excluding.begin(), excluding.end(), g));
    }

    bool is_fixed(std::uint32_t object) const { return group_[object] == 0; }

    bool may_pair(std::uint32_t a, std::uint32_t b) const {
        const std::uint32_t g = group_[a], h = group_[b];
        if (g == h) return false;
        if (!excludes_[a] || !excludes_[b]) return true;
        return !std::binary_search(excluded_.begin(), excluded_.end(), GroupPair{std::minmax(g, h)});
    }

private:
    std::vector<std::uint32_t> group_;    // of each object
    std::vector<std::uint8_t> excludes_;  // of each object: its group is in one of the excluded pairs
    std::vector<GroupPair> excluded_;     // sorted, the smaller group first
};

}  // namespace tactus::systems
