#include <tactus/systems/broad_phase/broad_phase.hpp>

#include <tactus/systems/broad_phase/bundle_search.hpp>
#include <tactus/systems/broad_phase/chunks.hpp>

#include <cassert>

namespace tactus::systems {

namespace {

// If one of so many has left its fat box, others are about to: one search for all is cheaper than many for some.
constexpr std::size_t search_all_from = 16;
constexpr std::size_t refit_all_from = 32;
constexpr double too_loose = 1.5;  // leaves of the tree, against their tightest

constexpr Chunks checks{512, 8}, fattenings{512, 1}, searches{8, 1};  // of objects or candidates, objects, bundles
constexpr std::size_t prefetch_ahead = 16;                            // candidates: their second boxes lie anywhere

bool overlap(const Aabb& a, const Aabb& b) {
    bool all = true;
    for (int k = 0; k < 3; ++k) {
        all &= a.min[k] <= b.max[k];
        all &= b.min[k] <= a.max[k];
    }
    return all;
}

void prefetch([[maybe_unused]] const Aabb& box) {
#ifdef __GNUC__
    __builtin_prefetch(&box);
    __builtin_prefetch(&box.max[2]);
#endif
}

}  // namespace

void BroadPhase::reset(std::span<const std::uint32_t> group, std::span<const GroupPair> excluded_groups, double reach) {
    rules_.reset(group, excluded_groups);
    moving_.clear();
    fixed_.clear();
    for (std::uint32_t i = 0; i < group.size(); ++i) (group[i] == 0 ? fixed_ : moving_).push_back(i);
    fat_.reset(group.size(), reach);
    searched_.assign(group.size(), 0);
    candidates_.clear(group.size());
    regrouped_.clear();
    ++generation_;
    started_ = false;
}

bool BroadPhase::regroup(std::span<const std::uint32_t> group, std::span<const GroupPair> excluded_groups,
                         std::span<const std::uint32_t> changed) {
    assert(group.size() == searched_.size());
    for (const std::uint32_t object : changed)
        if ((group[object] == 0) != rules_.is_fixed(object)) return false;
    rules_.reset(group, excluded_groups);
    for (const std::uint32_t object : changed)
        if (group[object] != 0) regrouped_.push_back(object);
    return true;
}

bool BroadPhase::update(std::span<const Aabb> boxes, Workers& workers) {
    assert(boxes.size() == searched_.size());
    fat_.next_update();
    bool all = !started_;
    if (all)
        start(boxes, workers);
    else {
        find_left(boxes, workers);
        add_regrouped();
        if (left_.empty()) return false;
        all = left_.size() * search_all_from > moving_.size();
        fatten(all ? moving_ : left_, boxes, workers);
        fit_tree(all, workers);
    }
    search(all, workers);
    const bool changed = candidates_.finish_search(searched_, workers);
    for (const std::uint32_t object : all ? moving_ : left_) searched_[object] = 0;
    if (changed) ++generation_;
    return changed;
}

void BroadPhase::add_regrouped() {
    if (regrouped_.empty()) return;
    left_.insert(left_.end(), regrouped_.begin(), regrouped_.end());
    regrouped_.clear();
    std::sort(left_.begin(), left_.end());
    left_.erase(std::unique(left_.begin(), left_.end()), left_.end());
}

void BroadPhase::start(std::span<const Aabb> boxes, Workers& workers) {
    started_ = true;
    regrouped_.clear();
    fat_.set_origin(boxes);
    for (const std::uint32_t object : fixed_) fat_.fix(object, boxes[object]);
    for (const std::uint32_t object : moving_) fat_.fatten(object, boxes[object], 0.0);
    fixed_tree_.build(fixed_, fat_.boxes(), workers);
    moving_tree_.build(moving_, fat_.boxes(), workers);
}

void BroadPhase::find_left(std::span<const Aabb> boxes, Workers& workers) {
    left_.resize(moving_.size());
    counts_.assign(checks.count(moving_.size()), 0);
    for_each_chunk(workers, moving_.size(), checks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        std::size_t to = begin;
        for (std::size_t i = begin; i < end; ++i)
            if (!fat_.holds(moving_[i], boxes[moving_[i]])) left_[to++] = moving_[i];
        counts_[chunk] = to - begin;
    });
    left_.resize(close_gaps(left_, checks, counts_));
}

void BroadPhase::fatten(std::span<const std::uint32_t> objects, std::span<const Aabb> boxes, Workers& workers) {
    for_each_chunk(workers, objects.size(), fattenings, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (const std::uint32_t object : objects.subspan(begin, end - begin))
            fat_.fatten(object, boxes[object], moving_tree_.leaf_edge(object));
    });
}

void BroadPhase::fit_tree(bool all, Workers& workers) {
    if (all || left_.size() * refit_all_from > moving_.size())
        moving_tree_.refit_all(fat_.boxes(), workers);
    else
        moving_tree_.refit(left_, fat_.boxes());
    if (moving_tree_.looseness() > too_loose) moving_tree_.build(moving_, fat_.boxes(), workers);
}

// Objects are searched in bundles of neighbours. If all are searched, each pair is found from its first slot only.
void BroadPhase::search(bool all, Workers& workers) {
    for (const std::uint32_t object : all ? moving_ : left_) searched_[object] = 1;
    bundles_.clear();
    if (all)
        for (std::uint32_t i = 0; i < bundle_count(moving_tree_); ++i) bundles_.push_back(i);
    else {
        for (const std::uint32_t object : left_) bundles_.push_back(bundle_of(moving_tree_.slot(object)));
        std::sort(bundles_.begin(), bundles_.end());
        bundles_.erase(std::unique(bundles_.begin(), bundles_.end()), bundles_.end());
    }
    candidates_.start_search(searches.count(bundles_.size()));
    for_each_chunk(workers, bundles_.size(), searches, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        // Its own while it grows: that of another worker may be in the same cache line.
        std::vector<IndexPair> found = std::move(candidates_.found(chunk));
        for (std::size_t i = begin; i < end; ++i) search_bundle(bundles_[i], all, found);
        candidates_.found(chunk) = std::move(found);
    });
}

void BroadPhase::search_bundle(std::uint32_t index, bool all, std::vector<IndexPair>& found) const {
    const auto add = [&](std::uint32_t object, std::uint32_t other) {
        if (rules_.may_pair(object, other)) found.push_back({std::min(object, other), std::max(object, other)});
    };
    const Bundle bundle{moving_tree_, index, searched_};
    if (all)
        bundle.for_later_pairs(add);
    else
        bundle.for_pairs(moving_tree_, [&](std::uint32_t object, std::uint32_t other) {
            if (!searched_[other] || object < other) add(object, other);
        });
    bundle.for_pairs(fixed_tree_, add);
}

std::span<const std::uint32_t> BroadPhase::overlapping(std::span<const Aabb> boxes, Workers& workers) {
    const std::span<const IndexPair> pairs = candidates();
    overlapping_.resize(pairs.size());
    counts_.assign(checks.count(pairs.size()), 0);
    for_each_chunk(workers, pairs.size(), checks, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        std::size_t to = begin;
        for (std::size_t i = begin; i < end; ++i) {
            prefetch(boxes[pairs[std::min(i + prefetch_ahead, end - 1)].b]);
            overlapping_[to] = static_cast<std::uint32_t>(i);
            to += overlap(boxes[pairs[i].a], boxes[pairs[i].b]);
        }
        counts_[chunk] = to - begin;
    });
    return {overlapping_.data(), close_gaps(overlapping_, checks, counts_)};
}

}  // namespace tactus::systems
