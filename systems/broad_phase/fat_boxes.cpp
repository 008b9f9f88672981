#include <tactus/systems/broad_phase/fat_boxes.hpp>

namespace tactus::systems {

namespace {

// Chosen by `tactus bench broad`, where the times have flat minima: wider boxes are left later, but have more neighbours
// whose boxes have to be compared in every update.
constexpr double fat = 0.05;            // of the smallest edge
constexpr double flattest = 0.02;       // smallest edge of the largest that still counts
constexpr double updates_ahead = 12;    // of the present motion
constexpr double farthest_ahead = 0.5;  // of the spacing

constexpr double farthest = 1e30;  // [m] beyond is nowhere

}  // namespace

void FatBoxes::reset(std::size_t objects, double reach) {
    half_reach_ = 0.5 * std::min(std::max(0.0, reach), farthest);
    origin_.setZero();
    limits_.assign(objects, {});
    boxes_.assign(objects, {});
    updates_ = 0;
    centre_.assign(objects, Vec3::Zero());
    fattened_.assign(objects, 0);
}

void FatBoxes::set_origin(std::span<const Aabb> boxes) {
    const auto first = std::find_if(boxes.begin(), boxes.end(), is_somewhere);
    origin_ = first != boxes.end() ? Vec3{0.5 * (first->min + first->max)} : Vec3::Zero();
}

bool FatBoxes::is_somewhere(const Aabb& box) {
    bool all = true;
    for (int k = 0; k < 3; ++k) all &= -farthest <= box.min[k] && box.min[k] <= box.max[k] && box.max[k] <= farthest;
    return all;
}

void FatBoxes::fatten(std::uint32_t object, const Aabb& box, double spacing) {
    if (!is_somewhere(box)) {
        limits_[object] = boxes_[object] = {};
        fattened_[object] = 0;
        return;
    }
    const Vec3 centre = 0.5 * (box.min + box.max);
    Vec3 ahead = Vec3::Zero();
    if (fattened_[object] != 0) {
        const double updates = static_cast<double>(std::max<std::uint64_t>(1, updates_ - fattened_[object]));
        const double most = farthest_ahead * spacing;
        ahead = ((centre - centre_[object]) * (updates_ahead / updates)).cwiseMax(-most).cwiseMin(most);
    }
    const Vec3 edges = box.max - box.min;
    const Vec3 around = Vec3::Constant(fat * std::max(edges.minCoeff(), flattest * edges.maxCoeff()));
    const Vec3 lower = box.min - origin_ - around + ahead.cwiseMin(0);
    const Vec3 upper = box.max - origin_ + around + ahead.cwiseMax(0);
    limits_[object] = outward(lower, upper);
    boxes_[object] = half_reach_ > 0 ? grown(limits_[object], half_reach_) : limits_[object];
    centre_[object] = centre;
    fattened_[object] = updates_;
}

void FatBoxes::fix(std::uint32_t object, const Aabb& box) {
    if (is_somewhere(box)) boxes_[object] = grown(outward(box.min - origin_, box.max - origin_), half_reach_);
}

}  // namespace tactus::systems
