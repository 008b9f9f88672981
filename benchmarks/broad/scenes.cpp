#include "benchmarks/broad/scenes.hpp"

#include <cmath>
#include <cstdint>

namespace bench::broad {

using tactus::Vec3;

namespace {

constexpr std::uint64_t seed = 20;

// The same numbers with every standard library: distributions of <random> are not.
double uniform(std::mt19937_64& random, double from, double to) {
    return from + (to - from) * static_cast<double>(random() >> 11) * 0x1p-53;
}

Vec3 vector(std::mt19937_64& random, double from, double to) {
    Vec3 v;
    for (int i = 0; i < 3; ++i) v[i] = uniform(random, from, to);
    return v;
}

Vec3 direction(std::mt19937_64& random) {
    for (;;) {
        const Vec3 v = vector(random, -1, 1);
        if (const double n = v.norm(); n < 1 && n > 1e-3) return v / n;
    }
}

// Log-uniform sizes from `smallest` to `spread_of_sizes` times that: the mean of size^k.
double moment(double smallest, int k) {
    return (std::pow(smallest * spread_of_sizes, k) - std::pow(smallest, k)) / (k * std::log(spread_of_sizes));
}

}  // namespace

Scene::Scene(const SceneDef& def) {
    std::mt19937_64 random{seed};
    const double smallest = mean_edge / moment(1, 1);
    // Mean volume of the places where a box overlaps another one: E (s1 + s2)^3.
    double meeting_volume = 8 * std::pow(mean_edge, 3);
    if (def.sizes == Sizes::spread) meeting_volume = 2 * moment(smallest, 3) + 6 * moment(smallest, 2) * mean_edge;
    half_side_ = 0.5 * std::cbrt(meeting_volume * def.boxes);
    for (int i = 0; i < def.boxes; ++i) {
        double edge = mean_edge;
        if (def.sizes == Sizes::spread) edge = smallest * std::pow(spread_of_sizes, uniform(random, 0, 1));
        half_.push_back(0.5 * edge * vector(random, 0.75, 1.25));
        centre_.push_back(vector(random, -half_side_, half_side_));
        velocity_.push_back(mean_edge * uniform(random, def.slowest, def.fastest) * direction(random));
    }
    boxes_.resize(centre_.size());
    place();
}

void Scene::step() {
    for (std::size_t i = 0; i < centre_.size(); ++i) {
        centre_[i] += velocity_[i];
        for (int k = 0; k < 3; ++k)
            if (std::abs(centre_[i][k]) > half_side_) velocity_[i][k] = -std::copysign(velocity_[i][k], centre_[i][k]);
    }
    place();
}

void Scene::place() {
    for (std::size_t i = 0; i < boxes_.size(); ++i) boxes_[i] = {centre_[i] - half_[i], centre_[i] + half_[i]};
}

}  // namespace bench::broad
