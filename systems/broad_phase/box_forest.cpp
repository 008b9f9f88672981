#include <tactus/systems/broad_phase/box_forest.hpp>

#include <tactus/systems/broad_phase/chunks.hpp>

namespace tactus::systems {

namespace {

constexpr double loosest = 4;  // that counts
constexpr Chunks objects{1024, 4}, groups_to_fit{256, 1};
constexpr std::size_t segment_chunk = 4096;  // items that are worth a worker

// Powers of four of the mean edge, for all floats.
constexpr std::size_t size_classes = 160;
std::uint8_t size_class(const FloatBox& box) {
    const float edge = box.edges() / 3;
    return edge > 0 ? static_cast<std::uint8_t>((std::ilogb(edge) + 150) / 2) : std::uint8_t{0};
}

}  // namespace

// How much larger a leaf is than at its tightest: what a search pays for. A few that span the world do no harm.
double BoxForest::leaf_looseness(std::size_t leaf) {
    const float edges = std::max(groups_[leaf].bounds().edges(), std::numeric_limits<float>::min());
    tightest_[leaf] = std::min(tightest_[leaf], edges);
    return std::min(static_cast<double>(edges) / static_cast<double>(tightest_[leaf]), loosest);
}

void BoxForest::build(std::span<const std::uint32_t> members, std::span<const FloatBox> boxes, Workers& workers) {
    slot_.resize(boxes.size());
    tree_.resize(boxes.size());
    plant_trees(members, boxes, workers);
    lay_out_levels();
    cut(workers);
    for_each_chunk(workers, object_.size(), objects, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t slot = begin; slot < end; ++slot) {
            object_[slot] = items_[slot].object;
            if (object_[slot] != none) slot_[object_[slot]] = static_cast<std::uint32_t>(slot);
        }
    });
    tightest_.assign(leaves(), FloatBox::inf);
    refit_all(boxes, workers);
}

// A tree for each class of sizes that there is, from the smallest to the largest; the items of a tree at its slots.
void BoxForest::plant_trees(std::span<const std::uint32_t> members, std::span<const FloatBox> boxes, Workers& workers) {
    for_each_chunk(workers, members.size(), objects, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (const std::uint32_t object : members.subspan(begin, end - begin))
            tree_[object] = size_class(boxes[object]);
    });
    std::array<std::uint32_t, size_classes> next{};
    for (const std::uint32_t object : members) ++next[tree_[object]];
    std::array<std::uint8_t, size_classes> tree_of_class{};
    trees_.clear();
    std::uint32_t end = 0;
    for (std::size_t c = 0; c < size_classes; ++c) {
        if (next[c] == 0) continue;
        Tree tree;
        tree.first_slot = end;
        tree.size = std::exchange(next[c], end);
        end += (tree.size + tree_alignment - 1) / tree_alignment * tree_alignment;
        tree_of_class[c] = static_cast<std::uint8_t>(trees_.size());
        trees_.push_back(tree);
    }
    for (const std::uint32_t object : members) {
        slot_[object] = next[tree_[object]]++;
        tree_[object] = tree_of_class[tree_[object]];
    }
    object_.assign(end, none);
    items_.assign(end, {{0, 0, 0}, none});
    for_each_chunk(workers, members.size(), objects, [&](std::size_t, std::size_t first, std::size_t last) {
        for (const std::uint32_t object : members.subspan(first, last - first)) {
            Item& item = items_[slot_[object]];
            const FloatBox& box = boxes[object];
            item.object = object;
            for (int k = 0; k < 3; ++k) item.centre[k] = box.empty() ? 0 : 0.5F * (box.min[k] + box.max[k]);
        }
    });
}

void BoxForest::lay_out_levels() {
    std::uint32_t groups = leaves();
    for (Tree& tree : trees_) {
        tree.first[0] = tree.first_slot / 4;
        for (tree.levels = 1; tree.groups(tree.levels - 1) > 1; ++tree.levels) {
            tree.first[tree.levels] = groups;
            groups += tree.groups(tree.levels);
        }
    }
    groups_.assign(groups, Box4{});
}

// Cuts the trees into parts, and the parts again, until they are single leaves.
void BoxForest::cut(Workers& workers) {
    segments_.clear();
    for (const Tree& tree : trees_)
        if (tree.size > 4) segments_.push_back({tree.first_slot, tree.first_slot + tree.size});
    while (!segments_.empty()) {
        std::size_t longest = 0;
        for (const Segment& s : segments_) longest = std::max<std::size_t>(longest, s.end - s.begin);
        workers.for_chunks(segments_.size(), 1 + segment_chunk / longest, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) cut(segments_[i]);
        });
        next_segments_.clear();
        for (const Segment& s : segments_) {
            const std::uint32_t middle = s.middle();
            if (middle - s.begin > 4) next_segments_.push_back({s.begin, middle});
            if (s.end - middle > 4) next_segments_.push_back({middle, s.end});
        }
        segments_.swap(next_segments_);
    }
}

// Across the longest extent of the centres.
void BoxForest::cut(const Segment& segment) {
    Item *begin = items_.data() + segment.begin, *end = items_.data() + segment.end;
    FloatBox bounds;
    for (const Item* item = begin; item != end; ++item) {
        const float* c = item->centre;
        bounds.include({{c[0], c[1], c[2]}, {c[0], c[1], c[2]}});
    }
    int axis = 0;
    for (int k = 1; k < 3; ++k)
        if (bounds.max[k] - bounds.min[k] > bounds.max[axis] - bounds.min[axis]) axis = k;
    std::nth_element(begin, items_.data() + segment.middle(), end,
                     [axis](const Item& a, const Item& b) { return a.centre[axis] < b.centre[axis]; });
}

void BoxForest::refit_all(std::span<const FloatBox> boxes, Workers& workers) {
    partial_sums_.assign(groups_to_fit.count(leaves()), 0);
    for_each_chunk(workers, leaves(), groups_to_fit, [&](std::size_t chunk, std::size_t begin, std::size_t end) {
        double sum = 0;
        for (std::size_t g = begin; g < end; ++g) {
            for (unsigned lane = 0; lane < 4; ++lane)
                if (const std::uint32_t object = object_[4 * g + lane]; object != none)
                    groups_[g].set(lane, boxes[object]);
            sum += leaf_looseness(g);
        }
        partial_sums_[chunk] = sum;
    });
    looseness_ = 0;
    for (const double sum : partial_sums_) looseness_ += sum;
    for (Tree& tree : trees_)
        for (std::uint32_t level = 1; level < tree.levels; ++level) bound(tree, level, workers);
}

// The boxes of a level: bounds of the groups below.
void BoxForest::bound(Tree& tree, std::uint32_t level, Workers& workers) {
    const std::size_t below = tree.groups(level - 1);
    for_each_chunk(workers, tree.groups(level), groups_to_fit, [&](std::size_t, std::size_t begin, std::size_t end) {
        for (std::size_t child = 4 * begin; child < std::min(4 * end, below); ++child)
            groups_[tree.first[level] + child / 4].set(child % 4, groups_[tree.first[level - 1] + child].bounds());
    });
}

void BoxForest::refit(std::span<const std::uint32_t> moved, std::span<const FloatBox> boxes) {
    for (const std::uint32_t object : moved) {
        const std::uint32_t slot = slot_[object];
        Box4& leaf = groups_[slot / 4];
        looseness_ -= leaf_looseness(slot / 4);
        leaf.set(slot % 4, boxes[object]);
        looseness_ += leaf_looseness(slot / 4);
        const Tree& tree = trees_[tree_[object]];
        std::uint32_t group = (slot - tree.first_slot) / 4;
        for (std::uint32_t level = 1; level < tree.levels; ++level) {
            const FloatBox bounds = groups_[tree.first[level - 1] + group].bounds();
            Box4& above = groups_[tree.first[level] + group / 4];
            if (above.get(group % 4) == bounds) break;
            above.set(group % 4, bounds);
            group /= 4;
        }
    }
}

}  // namespace tactus::systems
