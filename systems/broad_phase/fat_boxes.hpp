// FatBoxes: for each object a box in which it may move without anything having to be done.
//
// A fat box is the box plus a margin on every side, plus the way that the object goes in the next updates if it goes on as
// it has since it was last fattened. Half of the reach around fat boxes makes pairs overlap that are closer than the reach.
#pragma once

#include <tactus/engine/shapes/collision_shape.hpp>
#include <tactus/systems/broad_phase/box4.hpp>

#include <span>
#include <vector>

namespace tactus::systems {

class FatBoxes {
public:
    void reset(std::size_t objects, double reach);

    // Before all others: places in single precision are relative to the first box that is somewhere.
    void set_origin(std::span<const Aabb> boxes);
    // Counts updates.
    void next_update() { ++updates_; }

    // Whether the box stays within its fat box, or still is nowhere (not finite).
    bool holds(std::uint32_t object, const Aabb& box) const {
        const FloatBox& limit = limits_[object];
        bool within = true;
        for (int k = 0; k < 3; ++k) {
            within &= box.min[k] - origin_[k] >= static_cast<double>(limit.min[k]);
            within &= box.max[k] - origin_[k] <= static_cast<double>(limit.max[k]);
        }
        return within || (limit.empty() && !is_somewhere(box));
    }

    // `spacing` [m]: where its neighbours are; it is not expected to get farther than half of that.
    void fatten(std::uint32_t object, const Aabb& box, double spacing);
    // The same for a box that will not move: it needs no margin.
    void fix(std::uint32_t object, const Aabb& box);

    // [m] With half of the reach around them, relative to the origin.
    std::span<const FloatBox> boxes() const { return boxes_; }

private:
    static bool is_somewhere(const Aabb& box);

    double half_reach_ = 0.0;     // [m]
    Vec3 origin_ = Vec3::Zero();  // [m]
    std::vector<FloatBox> limits_, boxes_;
    std::uint64_t updates_ = 0;
    std::vector<Vec3> centre_;             // [m] when it was fattened
    std::vector<std::uint64_t> fattened_;  // in this update; 0: never
};

}  // namespace tactus::systems
