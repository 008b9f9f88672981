// Solids that are deep in each other are taken with smaller cores and larger balls around them, so that the cores stay apart:
// faces stay where they are, edges become rounder. The distance of cores that are apart changes smoothly.
#pragma once

#include <tactus/engine/mpr/signed_distance.hpp>
#include <tactus/engine/shapes/collision_shape.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::mpr {

// How the two circles of a core move as it shrinks. Where that leaves room enough, all faces move alike; else, as one circle of
// a cone is much smaller than the other one or a point, the core shrinks towards the middle of the largest ball in it.
struct ShrinkingEnds {
    double room = 0.0;                    // [m]
    double center = 0.0;                  // [m] of what is left in the end
    double z1_rate = 0.0, z2_rate = 0.0;  // [1]
    double r1_rate = 0.0, r2_rate = 0.0;  // [1]

    ShrinkingEnds() = default;
    explicit ShrinkingEnds(const CollisionShape& s) {
        const double middle = 0.5 * (s.z2 - s.z1);
        const double ball1 = s.r1 * s.flank_r / (1.0 + s.flank_x), ball2 = s.r2 * s.flank_r / (1.0 - s.flank_x);
        const double largest = std::min(middle, std::max(ball1, ball2)), alike = std::min({middle, ball1, ball2});
        if (alike >= 0.5 * largest) {
            room = alike;
            center = 0.5 * (s.z1 + s.z2);
            z1_rate = 1.0, z2_rate = -1.0;
            r1_rate = -(1.0 + s.flank_x) / s.flank_r, r2_rate = -(1.0 - s.flank_x) / s.flank_r;
        } else {
            room = largest;
            center = ball1 >= ball2 ? s.z1 + room : s.z2 - room;
            z1_rate = (center - s.z1) / room, z2_rate = (center - s.z2) / room;
            r1_rate = -s.r1 / room, r2_rate = -s.r2 / room;
        }
    }
};

// [m] by which a core can be shrunk at most
inline double room(const CollisionShape& s) {
    switch (s.kind) {
    case CoreKind::box: return s.half.minCoeff();
    case CoreKind::round: return ShrinkingEnds{s}.room;
    case CoreKind::stadium: return std::min(s.half[1], s.half[2]);
    case CoreKind::ellipsoid:
    case CoreKind::hull: return 0.98 * s.inner;  // these shrink in proportion, and not to nothing
    case CoreKind::point:
    case CoreKind::segment: break;
    }
    return 0.0;
}

// [m] The middle of what is left of a core that is shrunk as far as there is room, in the shape's axes.
inline Vec3 middle(const CollisionShape& s) {
    Vec3 m = s.centroid;
    if (s.kind == CoreKind::round) m[s.axis] = ShrinkingEnds{s}.center;
    return m;
}

// [1] growth of the reach of a shape in a direction (its own axes) as its core shrinks.
double reach_rate(const CollisionShape& shape, double by, const Vec3& direction);

// The distance of two shapes whose cores have shrunk by this. At most one of them is a hull.
SignedDistance shrunk_distance(const CollisionShape& A, const Frame& X_WA, double by_A, const CollisionShape& B,
                               const Frame& X_WB, double by_B, PairCache* cache = nullptr);

// By how much two cores are shrunk together, at a depth: so much that they stay apart, as the balls around them then are
// larger than the depth. Nothing up to half the sum of the radii.
struct Shrinking {
    double value = 0.0, slope = 0.0;  // [m], and by the depth

    Shrinking(double depth, double radii, double room, double more = 1.2) {
        const double beyond = depth - 0.5 * radii;
        if (!(beyond > 0.0) || !(room > 0.0)) return;
        const double x = more * beyond * beyond / depth, rate = more * beyond / depth * (2.0 - beyond / depth);
        // As far as there is room: x / (1 + (x / room)^16)^(1/16).
        const double r2 = x / room * (x / room), r4 = r2 * r2, r16 = r4 * r4 * r4 * r4;
        const double bounded = 1.0 / std::sqrt(std::sqrt(std::sqrt(std::sqrt(1.0 + r16))));
        value = x * bounded;
        slope = rate * bounded / (1.0 + r16);
    }
};

// Newton's method for the depth that solids have when they are shrunk for just that depth. The deeper they are taken to be,
// the smaller they are: so each look says on which side the solution is, and where steps do not become shorter, the next look
// is in the middle.
class DepthSearch {
public:
    bool found() const { return found_; }

    // After `depth` there is this one to look at, if `deep` was the depth of solids that were shrunk for it.
    double next(double depth, double deep, double resistance) {
        const double step = (deep - depth) / resistance, newton = depth + step;
        // Newton's steps become shorter until they are made of rounding.
        found_ =
            std::abs(step) < 1e-13 * depth || (std::abs(step) < 1e-5 * depth && std::abs(step) > 0.2 * last_newton_);
        last_newton_ = std::abs(step);
        if (found_) return newton;
        (deep > depth ? low_ : high_) = depth;
        const bool good = newton > low_ && newton < high_ && std::abs(step) < 0.7 * last_step_;
        const double to = good ? newton : std::isfinite(high_) ? 0.5 * (low_ + high_) : 2.0 * depth;
        last_step_ = std::abs(to - depth);
        return to;
    }

private:
    double low_ = 0.0, high_ = std::numeric_limits<double>::infinity();  // [m]
    double last_step_ = std::numeric_limits<double>::infinity();         // [m]
    double last_newton_ = std::numeric_limits<double>::infinity();       // [m]
    bool found_ = false;
};

}  // namespace tactus::mpr
