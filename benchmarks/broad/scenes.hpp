// Scenes for the broad phase: boxes that drift at constant velocity in a cube and are reflected at its walls.
//
// Sizes are alike (edges of 0.75 to 1.25 m), or spread (mean edge of a box log-uniform over 1:100, overall mean 1 m). The
// cube is as large as makes every box overlap one other on average. Indices say nothing about places.
#pragma once

#include <tactus/engine/shapes/collision_shape.hpp>

#include <random>
#include <string>
#include <vector>

namespace bench::broad {

inline constexpr double mean_edge = 1.0;          // [m]
inline constexpr double spread_of_sizes = 100.0;  // largest to smallest mean edge

enum class Sizes { like, spread };

struct SceneDef {
    int boxes = 1000;
    Sizes sizes = Sizes::like;
    double slowest = 0.01, fastest = 0.02;  // displacement per step, of the mean edge of all boxes
};

class Scene {
public:
    explicit Scene(const SceneDef& def);

    void step();  // every box moves
    const std::vector<tactus::Aabb>& boxes() const { return boxes_; }

private:
    void place();

    double half_side_ = 0.0;                              // [m] of the cube, which holds the centres
    std::vector<tactus::Vec3> centre_, half_, velocity_;  // [m], [m], [m per step]
    std::vector<tactus::Aabb> boxes_;
};

}  // namespace bench::broad
