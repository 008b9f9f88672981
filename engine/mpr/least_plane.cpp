#include <tactus/engine/mpr/least_plane.hpp>

#include <tactus/engine/mpr/world_axes.hpp>

#include <algorithm>

namespace tactus::mpr {

using V = V3<double>;
using Mat2 = Eigen::Matrix2d;

Pressed::Pressed(const Convex& solid, double stiffness, const CuttingPlane& plane) : height{solid.beyond(plane)} {
    const double S = height.value, root = std::sqrt(S);
    energy = stiffness * S * S * root;
    force = 2.5 * stiffness * S * root;
    curvature.add(force, height.curvature);
    curvature.add_square(3.75 * stiffness * root, height.slope.x, height.slope.y, height.slope.z);
}

void Pressed::follow(const V& by, double sphere) {
    const Sym3& K = curvature;
    const V change{(K.m00 + sphere) * by.x + K.m01 * by.y + K.m02 * by.z,
                   K.m01 * by.x + (K.m11 + sphere) * by.y + K.m12 * by.z, K.m02 * by.x + K.m12 * by.y + K.m22 * by.z};
    energy += force * dot(height.slope, by) + 0.5 * dot(change, by);
    height.slope = height.slope + (1.0 / force) * change;
}

Mat2 Pressed::spread() const {
    if (!(weight() > 0.0)) return Mat2::Zero();
    const double x = x1(), y = x2();
    Mat2 spread;
    spread << height.second.x, height.second.y, height.second.y, height.second.z;
    spread /= weight();
    spread(0, 0) -= x * x, spread(0, 1) -= x * y, spread(1, 0) -= x * y, spread(1, 1) -= y * y;
    return spread;
}

LeastPlane::LeastPlane(const Convex& a, const Convex& b) : a_{a}, b_{b} {
    // The larger one gives way less, much larger ones next to nothing: so it makes no difference where on a floor.
    constexpr double least = 1e-6;  // of what can still be told from rounding
    const double x = b.size() / a.size(), x2 = x * x, x4 = x2 * x2, share = x4 * x4;
    share_a_ = std::clamp(share / (1.0 + share), least, 1.0 - least);
    share_b_ = 1.0 - share_a_;
    stiffness_a_ = 1.0 / (share_a_ * std::sqrt(share_a_));
    stiffness_b_ = 1.0 / (share_b_ * std::sqrt(share_b_));
}

bool LeastPlane::start(const V& n) {
    plane.n = n;
    plane.e1 = perpendicular(n);
    plane.e2 = cross(plane.n, plane.e1);
    return cut();
}

bool LeastPlane::cut() {
    const double reach = a_.size() + b_.size();  // far enough on either side that some height is positive
    plane.c = -reach;
    const double top = a_.depth(plane) - reach;
    plane.c = reach;
    const double overlap = top + (b_.depth(plane) - reach);
    if (!(overlap > 0.0)) return false;
    plane.c = top - share_a_ * overlap;
    return true;
}

void LeastPlane::evaluate(const CuttingPlane& at) {
    plane = at;
    pressed_a = Pressed{a_, stiffness_a_, at};
    pressed_b = Pressed{b_, stiffness_b_, at};
}

void LeastPlane::descend() {
    constexpr int most = 100, shifts = 40;
    constexpr double longest = 0.3;  // [rad]
    evaluate();
    for (int i = 0; i < most; ++i) {
        const std::optional<Step> next = step(shifts);
        if (!next) return;
        V by = next->by;
        if (next->gain < 1e-11 * energy()) {  // it converges quadratically: after this step nothing is left
            evaluate(moved(by));
            return;
        }
        if (const double tilt = std::sqrt(next->tilt_squared()); tilt > longest) by = (longest / tilt) * by;
        const CuttingPlane from = plane;
        const double before = energy();
        for (int halvings = 0;; ++halvings) {
            evaluate(moved(from, by));
            if (energy() < before && pressed_a.energy > 0.0 && pressed_b.energy > 0.0) break;
            // Where nothing but rounding is left to gain, shorter steps do not help.
            if (halvings == (next->gain < 1e-8 * before ? 8 : 40)) {
                evaluate(from);
                return;
            }
            by = 0.5 * by;
        }
    }
}

void LeastPlane::follow(const Step& step) {
    pressed_a.follow(step.by, -pressed_a.force * pressed_a.height.along);
    pressed_b.follow(step.by, pressed_b.force * pressed_b.height.along);
    plane = moved(step.by);
}

// The normal stays a unit vector: it moves on a sphere.
Sym3 LeastPlane::hessian() const {
    Sym3 H = pressed_a.curvature;
    H.add(1.0, pressed_b.curvature);
    const double sphere = pressed_b.force * pressed_b.height.along - pressed_a.force * pressed_a.height.along;
    H.m00 += sphere;
    H.m11 += sphere;
    return H;
}

Sym3 LeastPlane::hessian_of_b() const {
    Sym3 H = pressed_b.curvature;
    const double sphere = pressed_b.force * (pressed_b.height.along - pressed_b.weight() * plane.c);
    H.m00 += sphere;
    H.m11 += sphere;
    return H;
}

// H step = -slope, with tilts made stiffer until H is positive definite.
std::optional<LeastPlane::Step> LeastPlane::step(int most_shifts) const {
    const Sym3 H = hessian();
    const V slope = pressed_a.force * pressed_a.height.slope + pressed_b.force * pressed_b.height.slope;
    if (!(H.m22 > 0.0)) return {};
    const double scale = std::abs(H.m00) + std::abs(H.m11);
    const double m0 = H.m02 / H.m22, m1 = H.m12 / H.m22;
    const double d01 = H.m01 - m0 * H.m12;
    const double r0 = m0 * slope.z - slope.x, r1 = m1 * slope.z - slope.y;
    double shift = 0.0;
    for (int i = 0; i <= most_shifts; ++i) {
        const double d00 = H.m00 + shift - m0 * H.m02, d11 = H.m11 + shift - m1 * H.m12;
        const double determinant = d00 * d11 - d01 * d01;
        if (d00 > 0.0 && determinant > 1e-13 * d00 * d11) {
            Step step;
            step.by.x = (r0 * d11 - r1 * d01) / determinant;
            step.by.y = (r1 * d00 - r0 * d01) / determinant;
            step.by.z = -slope.z / H.m22 - m0 * step.by.x - m1 * step.by.y;
            step.gain = -0.5 * dot(slope, step.by);
            if (!std::isfinite(step.gain)) return {};
            return step;
        }
        shift = shift == 0.0 ? 1e-9 * scale : 8.0 * shift;
    }
    return {};
}

CuttingPlane LeastPlane::moved(const CuttingPlane& from, const V& step) {
    CuttingPlane to;
    to.n = normalized(from.n + (step.x * from.e1 + step.y * from.e2));
    to.e1 = normalized(from.e1 - dot(from.e1, to.n) * to.n);
    to.e2 = cross(to.n, to.e1);
    to.c = from.c + step.z;
    return to;
}

}  // namespace tactus::mpr
