// Boxes as the broad phase keeps them: single precision, rounded outward, and four at a time.
#pragma once

#include <tactus/engine/math.hpp>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#if defined(__SSE2__) || defined(_M_X64)
#define TACTUS_BOX4_SSE 1
#include <emmintrin.h>
#endif

namespace tactus::systems {

// [m] The default is empty: it overlaps nothing, and leaves a union as it is.
struct FloatBox {
    static constexpr float inf = std::numeric_limits<float>::infinity();

    float min[3] = {inf, inf, inf}, max[3] = {-inf, -inf, -inf};

    bool empty() const { return min[0] > max[0]; }
    float edges() const { return empty() ? 0 : max[0] - min[0] + (max[1] - min[1]) + (max[2] - min[2]); }  // their sum
    void include(const FloatBox& box) {
        for (int k = 0; k < 3; ++k) {
            min[k] = std::min(min[k], box.min[k]);
            max[k] = std::max(max[k], box.max[k]);
        }
    }
    bool operator==(const FloatBox&) const = default;
};

// A box that certainly holds `lower` .. `upper`. Magnitudes below 1e30 m.
inline FloatBox outward(const Vec3& lower, const Vec3& upper) {
    // More than half a unit in the last place of a float, and than half of the smallest float.
    const auto rounding = [](double x) { return 1e-7 * std::abs(x) + 1e-44; };
    FloatBox box;
    for (int k = 0; k < 3; ++k) {
        box.min[k] = static_cast<float>(lower[k] - rounding(lower[k]));
        box.max[k] = static_cast<float>(upper[k] + rounding(upper[k]));
    }
    return box;
}

// With `by` more on every side [m].
inline FloatBox grown(const FloatBox& box, double by) {
    const Vec3 around = Vec3::Constant(by);
    return outward(Vec3(box.min[0], box.min[1], box.min[2]) - around,
                   Vec3(box.max[0], box.max[1], box.max[2]) + around);
}

// Four boxes side by side.
struct alignas(16) Box4 {
    float min[3][4], max[3][4];  // [m]

    Box4() {
        for (int k = 0; k < 3; ++k)
            for (int lane = 0; lane < 4; ++lane) {
                min[k][lane] = FloatBox::inf;
                max[k][lane] = -FloatBox::inf;
            }
    }
    void set(unsigned lane, const FloatBox& box) {
        for (int k = 0; k < 3; ++k) {
            min[k][lane] = box.min[k];
            max[k][lane] = box.max[k];
        }
    }
    FloatBox get(unsigned lane) const {
        return {{min[0][lane], min[1][lane], min[2][lane]}, {max[0][lane], max[1][lane], max[2][lane]}};
    }
    FloatBox bounds() const;
};

inline FloatBox Box4::bounds() const {
    FloatBox box;
#ifdef TACTUS_BOX4_SSE
    // Lanes become rows (x, y, z, z), so that four rows give one.
    const auto across = [](const float(&rows)[3][4], auto&& combine, float* to) {
        __m128 a = _mm_load_ps(rows[0]), b = _mm_load_ps(rows[1]), c = _mm_load_ps(rows[2]), d = c;
        _MM_TRANSPOSE4_PS(a, b, c, d);
        alignas(16) float xyz[4];
        _mm_store_ps(xyz, combine(combine(a, b), combine(c, d)));
        std::copy_n(xyz, 3, to);
    };
    across(
        min, [](__m128 a, __m128 b) { return _mm_min_ps(a, b); }, box.min);
    across(
        max, [](__m128 a, __m128 b) { return _mm_max_ps(a, b); }, box.max);
#else
    for (unsigned lane = 0; lane < 4; ++lane) box.include(get(lane));
#endif
    return box;
}

// A box that is compared with many groups of four.
class Probe {
public:
#ifdef TACTUS_BOX4_SSE
    explicit Probe(const FloatBox& box) {
        for (int k = 0; k < 3; ++k) {
            min_[k] = _mm_set1_ps(box.min[k]);
            max_[k] = _mm_set1_ps(box.max[k]);
        }
    }
    // Bit i: overlaps box i, or touches it.
    unsigned hits(const Box4& boxes) const {
        __m128 all = _mm_cmple_ps(_mm_load_ps(boxes.min[0]), max_[0]);
        all = _mm_and_ps(all, _mm_cmpge_ps(_mm_load_ps(boxes.max[0]), min_[0]));
        for (int k = 1; k < 3; ++k) {
            all = _mm_and_ps(all, _mm_cmple_ps(_mm_load_ps(boxes.min[k]), max_[k]));
            all = _mm_and_ps(all, _mm_cmpge_ps(_mm_load_ps(boxes.max[k]), min_[k]));
        }
        return static_cast<unsigned>(_mm_movemask_ps(all));
    }

private:
    __m128 min_[3], max_[3];
#else
    explicit Probe(const FloatBox& box) : box_{box} {}
    unsigned hits(const Box4& boxes) const {
        unsigned mask = 0;
        for (unsigned lane = 0; lane < 4; ++lane) {
            bool all = true;
            for (int k = 0; k < 3; ++k) {
                all &= boxes.min[k][lane] <= box_.max[k];
                all &= boxes.max[k][lane] >= box_.min[k];
            }
            mask |= static_cast<unsigned>(all) << lane;
        }
        return mask;
    }

private:
    FloatBox box_;
#endif
};

}  // namespace tactus::systems
