#include <tactus/engine/mpr/soft_height.hpp>

#include <tactus/engine/mpr/shrinking.hpp>
#include <tactus/engine/mpr/world_axes.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::mpr {

namespace {

using V = V3<double>;

// A circle whose centre is a below the plane, and whose lowest point is a + b below it, counts with the height a + b of that
// point where it is inclined by b > level a; less inclined it is a face, up to 3/8 level stiffer: as four corners are.
constexpr double level = 0.5;

struct Rim {
    double a, b;    // [m] height of the centre, and of the lowest point above it
    V across;       // unit vector from the centre to that
    double length;  // of n across the axis
};

double soft_height(const Rim& rim) {
    if (rim.b >= level * rim.a) return rim.a + rim.b;
    const double t = rim.b / (level * rim.a), t2 = t * t;
    return rim.a * (1.0 + level * (0.375 + 0.75 * t2 - 0.125 * t2 * t2));
}

}  // namespace

// Sums over corners and rims, in the axes of a core.
class Convex::Sum {
public:
    Sum(const Convex& solid, const CuttingPlane& plane)
        : n_{solid.in_axes(plane.n)}, c_{plane.c}, radius_{solid.shape_.radius + solid.shrunk_}, sign_{solid.sign_} {}

    double height(const V& y) const { return sign_ * (dot(n_, y) - c_) + radius_; }
    Rim rim(const V& center, const V& k, double r) const {
        const V flat = n_ - dot(n_, k) * k;
        const double length = norm(flat);
        return {height(center), r * length, length > 0.0 ? (sign_ / length) * flat : perpendicular(k), length};
    }

    // First all of them once: eighth powers are taken relative to the highest.
    void look_at(double height) { highest_ = std::max(highest_, height); }
    double highest() const { return highest_; }

    void start(const V& e1, const V& e2) {
        e1_ = e1, e2_ = e2;
        by_highest_ = 1.0 / highest_;
    }

    // A corner y, and how it moves as the core shrinks.
    TACTUS_ALWAYS_INLINE void add(const V& y, const V& rate) {
        const double along = dot(n_, y), h = sign_ * (along - c_) + radius_;
        if (!(h > 0.0)) return;
        const double x1 = dot(e1_, y), x2 = dot(e2_, y);
        take(h, sign_ * x1, sign_ * x2, -sign_, along, x1 * x1, x1 * x2, x2 * x2, sign_ * dot(n_, rate) + 1.0);
    }

    // A circle of radius r about k, likewise.
    void add(const V& center, const V& k, double r, const V& center_rate, double r_rate) {
        const Rim m = rim(center, k, r);
        const double h = soft_height(m);
        if (!(h > 0.0)) return;
        const V side = cross(k, m.across);
        const double x1 = dot(e1_, center), x2 = dot(e2_, center);
        const double out1 = dot(e1_, m.across), out2 = dot(e2_, m.across);
        const V by_a{sign_ * x1, sign_ * x2, -sign_}, by_b{sign_ * r * out1, sign_ * r * out2, 0.0};
        const double w = power6(h * by_highest_) * (h * by_highest_);
        double h_a = 1.0, h_b = 1.0, turning = r * r / m.b;  // derivatives of h; r^2 / b dh/db
        if (m.b < level * m.a) {
            const double t = m.b / (level * m.a), bend = 1.5 / (level * m.a);
            h_b = t * (1.5 - 0.5 * t * t);
            h_a = h / m.a - m.b / m.a * h_b;
            turning = bend * (1.0 - t * t / 3.0) * r * r;
            const V both = by_b - (m.b / m.a) * by_a;
            curvature_.add_square(w * bend * (1.0 - t * t), both.x, both.y, both.z);
        }
        curvature_.add_square(w * turning, dot(e1_, side), dot(e2_, side), 0.0);
        // Pressure along the circle: its middle is at r h_b / h_a, and around that it is spread alike each way.
        const double first = r * h_b, around = 0.5 * (r * r * h_a - first * first / h_a), middle = first * first / h_a;
        take(h, h_a * by_a.x + h_b * by_b.x, h_a * by_a.y + h_b * by_b.y, h_a * by_a.z,
             h_a * dot(n_, center) + sign_ * h_b * m.b,
             h_a * x1 * x1 + 2.0 * first * x1 * out1 + middle * out1 * out1 + around,
             h_a * x1 * x2 + first * (x1 * out2 + x2 * out1) + middle * out1 * out2,
             h_a * x2 * x2 + 2.0 * first * x2 * out2 + middle * out2 * out2 + around,
             h_a * (sign_ * dot(n_, center_rate) + 1.0) + h_b * m.length * r_rate);
    }

    Height result() const {
        const double root = std::sqrt(std::sqrt(std::sqrt(powers_)));  // S / highest
        const double w = root / powers_;                               // (highest / S)^7
        Height s;
        s.value = highest_ * root;
        s.slope = w * slope_;
        s.along = w * along_;
        s.second = w * second_;
        s.by_shrinking = w * by_shrinking_;
        const double seventh = 7.0 / s.value;
        s.curvature.add(w, curvature_);
        s.curvature.add(seventh * w * root, squares_);
        s.curvature.add_square(-seventh, s.slope.x, s.slope.y, s.slope.z);
        return s;
    }

private:
    V n_, e1_, e2_;
    double c_, radius_, sign_;
    double highest_ = 0.0, by_highest_ = 0.0;
    // With the weights (h / highest)^8, ^7 and, for `squares`, ^6.
    double powers_ = 0.0, along_ = 0.0, by_shrinking_ = 0.0;
    V slope_, second_;
    Sym3 squares_, curvature_;

    static double power6(double x) {
        const double x2 = x * x;
        return x2 * x2 * x2;
    }

    TACTUS_ALWAYS_INLINE void take(double h, double g0, double g1, double g2, double along, double s0, double s1,
                                   double s2, double by_shrinking) {
        const double x = h * by_highest_, w6 = power6(x), w7 = w6 * x;
        powers_ += w7 * x;
        slope_.x += w7 * g0, slope_.y += w7 * g1, slope_.z += w7 * g2;
        squares_.add_square(w6, g0, g1, g2);
        along_ += w7 * along;
        second_.x += w7 * s0, second_.y += w7 * s1, second_.z += w7 * s2;
        by_shrinking_ += w7 * by_shrinking;
    }
};

Convex::Convex(const CollisionShape& shape, const Frame& X_WB, const Vec3& o, double sign)
    : shape_{shape}, sign_{sign}, room_{mpr::room(shape)} {
    const int x = shape.axis, y = (x + 1) % 3, z = (x + 2) % 3;
    axis_[0] = column(X_WB.R, x);
    axis_[1] = column(X_WB.R, y);
    axis_[2] = column(X_WB.R, z);
    origin_ = in_axes(between(X_WB.p, o));
}

// All corners and rims from o, and how they move as the core shrinks.
template<class Corner, class Rim> void Convex::each(Corner&& corner, Rim&& rim) const {
    const CollisionShape& s = shape_;
    const double d = shrunk_;
    const auto at = [&](double x, double y, double z) { return V{x - origin_.x, y - origin_.y, z - origin_.z}; };
    switch (s.kind) {
    case CoreKind::segment:
        for (const double x : {-s.half[0], s.half[0]}) corner(at(x, 0, 0), V{});
        break;
    case CoreKind::box:
        for (int i = 0; i < 8; ++i) {
            const double x = i & 1 ? -1 : 1, y = i & 2 ? -1 : 1, z = i & 4 ? -1 : 1;
            corner(at(x * (s.half[0] - d), y * (s.half[1] - d), z * (s.half[2] - d)), V{-x, -y, -z});
        }
        break;
    case CoreKind::round: {
        const V axis{1, 0, 0};
        const ShrinkingEnds e{s};
        const auto end = [&](double x, double x_rate, double r, double r_rate) {
            const V place = at(x + x_rate * d, 0, 0), rate{x_rate, 0, 0};
            return r > 0.0 ? rim(place, axis, std::max(0.0, r + r_rate * d), rate, r_rate) : corner(place, rate);
        };
        end(s.z1, e.z1_rate, s.r1, e.r1_rate);
        end(s.z2, e.z2_rate, s.r2, e.r2_rate);
        break;
    }
    case CoreKind::stadium:
        for (int i = 0; i < 4; ++i) {
            const double z = i & 2 ? -1 : 1;
            rim(at(i & 1 ? -s.half[0] : s.half[0], 0, z * (s.half[2] - d)), V{0, 0, 1}, s.half[1] - d, V{0, 0, -z},
                -1.0);
        }
        break;
    case CoreKind::hull: {  // towards its middle
        const V m{s.centroid[s.axis], s.centroid[(s.axis + 1) % 3], s.centroid[(s.axis + 2) % 3]};
        const double inverse = 1.0 / s.inner;
        for (std::uint32_t i = 0; i < s.hull->count; ++i) {
            const V rate = inverse * (m - V{s.hull->x[i], s.hull->y[i], s.hull->z[i]});
            corner(at(s.hull->x[i] + d * rate.x, s.hull->y[i] + d * rate.y, s.hull->z[i] + d * rate.z), rate);
        }
        break;
    }
    case CoreKind::point:
    case CoreKind::ellipsoid: break;
    }
}

Height Convex::beyond(const CuttingPlane& plane) const {
    Sum sum{*this, plane};
    each([&](const V& y, const V&) TACTUS_INLINE_LAMBDA { sum.look_at(sum.height(y)); },
         [&](const V& center, const V& k, double r, const V&, double) {
             sum.look_at(soft_height(sum.rim(center, k, r)));
         });
    if (!(sum.highest() > 0.0)) return {};
    sum.start(in_axes(plane.e1), in_axes(plane.e2));
    each([&](const V& y, const V& rate) TACTUS_INLINE_LAMBDA { sum.add(y, rate); },
         [&](const V& center, const V& k, double r, const V& rate, double r_rate) {
             sum.add(center, k, r, rate, r_rate);
         });
    return sum.result();
}

double Convex::depth(const CuttingPlane& plane) const {
    Sum sum{*this, plane};
    each([&](const V& y, const V&) TACTUS_INLINE_LAMBDA { sum.look_at(sum.height(y)); },
         [&](const V& center, const V& k, double r, const V&, double) {
             const Rim m = sum.rim(center, k, r);
             sum.look_at(m.a + m.b);
         });
    return sum.highest();
}

}  // namespace tactus::mpr
