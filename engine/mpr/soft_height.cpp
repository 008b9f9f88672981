#include <tactus/engine/mpr/soft_height.hpp>

#include <tactus/engine/mpr/four.hpp>
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
        : n_{solid.in_axes(plane.n)}, c_{plane.c}, radius_{solid.shape_.radius + solid.shrunk_}, sign_{solid.sign_},
          shrunk_{solid.shrunk_ > 0.0} {}

    double height(const V& y) const { return sign_ * (dot(n_, y) - c_) + radius_; }
    Rim rim(const V& center, const V& k, double r) const {
        const V flat = n_ - dot(n_, k) * k;
        const double length = norm(flat);
        return {height(center), r * length, length > 0.0 ? (sign_ / length) * flat : perpendicular(k), length};
    }

    V downward() const { return sign_ * n_; }  // where heights grow
    double reach(double x, double y,
                 double z) const {  // [m] by how much the highest corner of a box is above its middle
        return std::abs(n_.x) * x + std::abs(n_.y) * y + std::abs(n_.z) * z;
    }

    // First all of them once: eighth powers are taken relative to the highest.
    void look_at(double height) { highest_ = std::max(highest_, height); }
    double highest() const { return highest_; }

    void start(const V& e1, const V& e2) {
        e1_ = e1, e2_ = e2;
        by_highest_ = 1.0 / highest_;
    }

    // A corner y, and how it moves as the core shrinks.
    void add(const V& y, const V& rate) {
        const double along = dot(n_, y), h = sign_ * (along - c_) + radius_;
        if (!(h > 0.0)) return;
        const double x1 = dot(e1_, y), x2 = dot(e2_, y);
        take(h, sign_ * x1, sign_ * x2, -sign_, along, x1 * x1, x1 * x2, x2 * x2, sign_ * dot(n_, rate) + 1.0);
    }

    // The same for four of them; those that are none have a weight of 0 in `some`.
    class Corners {
    public:
        explicit Corners(const Sum& sum)
            : sum_{sum}, n_{four(sum.n_)}, e1_{four(sum.e1_)}, e2_{four(sum.e2_)}, sign_{sum.sign_},
              base_{sum.radius_ - sum.sign_ * sum.c_}, by_highest_{sum.by_highest_} {}

        template<class Rate> TACTUS_ALWAYS_INLINE void add(const V3<Four>& y, const Four& some, Rate rate) {
            const Four along = dot(n_, y), x1 = dot(e1_, y), x2 = dot(e2_, y);
            const Four x = larger((sign_ * along + base_) * some, Four{}) * by_highest_;
            const Four squared = x * x, w6 = squared * squared * squared, w7 = w6 * x;
            const Four w6x1 = w6 * x1, w6x2 = w6 * x2, w7x1 = w7 * x1, w7x2 = w7 * x2;
            powers_ += w7 * x;
            weights_ += w7;
            slope1_ += w7x1;
            slope2_ += w7x2;
            along_ += w7 * along;
            second11_ += w7x1 * x1;
            second12_ += w7x1 * x2;
            second22_ += w7x2 * x2;
            square_ += w6;
            square1_ += w6x1;
            square2_ += w6x2;
            square11_ += w6x1 * x1;
            square12_ += w6x1 * x2;
            square22_ += w6x2 * x2;
            if (sum_.shrunk_) by_shrinking_ += w7 * (sign_ * dot(n_, rate()) + Four{1.0});
        }

        TACTUS_ALWAYS_INLINE void add_to(Sum& s) const {
            const double sign = s.sign_;
            s.powers_ += sum(powers_);
            s.slope_.x += sign * sum(slope1_), s.slope_.y += sign * sum(slope2_), s.slope_.z -= sign * sum(weights_);
            s.along_ += sum(along_);
            s.second_.x += sum(second11_), s.second_.y += sum(second12_), s.second_.z += sum(second22_);
            s.squares_.m00 += sum(square11_), s.squares_.m01 += sum(square12_), s.squares_.m11 += sum(square22_);
            s.squares_.m02 -= sum(square1_), s.squares_.m12 -= sum(square2_), s.squares_.m22 += sum(square_);
            s.by_shrinking_ += sum(by_shrinking_);
        }

    private:
        const Sum& sum_;
        const V3<Four> n_, e1_, e2_;
        const Four sign_, base_, by_highest_;
        Four powers_, weights_, slope1_, slope2_, along_, second11_, second12_, second22_;
        Four square_, square1_, square2_, square11_, square12_, square22_, by_shrinking_;

        static V3<Four> four(const V& v) { return {Four{v.x}, Four{v.y}, Four{v.z}}; }
    };

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
        // Pressure along the circle: its middle is at r h_b / h_a, and around that it is spread alike each way. Where that
        // middle is must not be told from moments about o that are much larger.
        const double first = r * h_b, around = 0.5 * (r * r * h_a - first * first / h_a), out = first / h_a;
        const double m1 = x1 + out * out1, m2 = x2 + out * out2, weight = sign_ * h_a;
        take(h, weight * m1, weight * m2, -weight, h_a * dot(n_, center) + sign_ * h_b * m.b, h_a * m1 * m1 + around,
             h_a * m1 * m2, h_a * m2 * m2 + around,
             h_a * (sign_ * dot(n_, center_rate) + 1.0) + h_b * m.length * r_rate);
    }

    Height result() const {
        if (!(powers_ > 0.0)) return {};  // the highest one was above the plane by rounding only
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
    bool shrunk_;
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
    : shape_{shape}, sign_{sign}, ends_{shape.kind == CoreKind::round ? ShrinkingEnds{shape} : ShrinkingEnds{}},
      room_{shape.kind == CoreKind::round ? ends_.room : mpr::room(shape)} {
    const int x = shape.axis, y = (x + 1) % 3, z = (x + 2) % 3;
    axis_[0] = column(X_WB.R, x);
    axis_[1] = column(X_WB.R, y);
    axis_[2] = column(X_WB.R, z);
    origin_ = in_axes(between(X_WB.p, o));
}

// All rims from o, the ends of a segment, and the tip of a cone, and how they move as the core shrinks.
template<class Corner, class Rim> TACTUS_ALWAYS_INLINE void Convex::each(Corner&& corner, Rim&& rim) const {
    const CollisionShape& s = shape_;
    const double d = shrunk_;
    const auto at = [&](double x, double y, double z) { return V{x - origin_.x, y - origin_.y, z - origin_.z}; };
    switch (s.kind) {
    case CoreKind::segment:
        for (const double x : {-s.half[0], s.half[0]}) corner(at(x, 0, 0), V{});
        break;
    case CoreKind::round: {
        const V axis{1, 0, 0};
        for (const bool first : {true, false}) {
            const double x = first ? s.z1 : s.z2, x_rate = first ? ends_.z1_rate : ends_.z2_rate;
            const double r = first ? s.r1 : s.r2, r_rate = first ? ends_.r1_rate : ends_.r2_rate;
            const V place = at(x + x_rate * d, 0, 0), rate{x_rate, 0, 0};
            if (r > 0.0)
                rim(place, axis, std::max(0.0, r + r_rate * d), rate, r_rate);
            else
                corner(place, rate);
        }
        break;
    }
    case CoreKind::stadium:
        for (int i = 0; i < 4; ++i) {
            const double z = i & 2 ? -1 : 1;
            rim(at(i & 1 ? -s.half[0] : s.half[0], 0, z * (s.half[2] - d)), V{0, 0, 1}, s.half[1] - d, V{0, 0, -z},
                -1.0);
        }
        break;
    case CoreKind::box:
    case CoreKind::hull:
    case CoreKind::point:
    case CoreKind::ellipsoid: break;
    }
}

// [m] height of the highest corner of a box or a hull
TACTUS_NEWER_TOO double Convex::highest_corner(const Sum& sum) const {
    const CollisionShape& s = shape_;
    if (s.kind == CoreKind::box)
        return sum.height(-1.0 * origin_) + sum.reach(s.half[0] - shrunk_, s.half[1] - shrunk_, s.half[2] - shrunk_);
    const ConvexHull& hull = *s.hull;
    const V n = sum.downward();
    const V3<Four> n4{Four{n.x}, Four{n.y}, Four{n.z}};
    Four farthest{-std::numeric_limits<double>::infinity()};
    for (std::size_t i = 0; i < hull.x.size(); i += 4)  // the last ones may stand there twice
        farthest = larger(dot(n4, {four_at(&hull.x[i]), four_at(&hull.y[i]), four_at(&hull.z[i])}), farthest);
    const double k = shrunk_ / s.inner;
    const V middle = core_axes(s.centroid);
    return sum.height(-1.0 * origin_) + (1.0 - k) * largest(farthest) + k * dot(n, middle);
}

// The corners of a box or a hull, four at a time.
TACTUS_NEWER_TOO void Convex::add_corners(Sum& sum) const {
    const CollisionShape& s = shape_;
    Sum::Corners corners{sum};
    const V3<Four> o{Four{origin_.x}, Four{origin_.y}, Four{origin_.z}};
    if (s.kind == CoreKind::box) {
        const Four one{1.0}, x_sign{-1, 1, -1, 1}, y_sign{-1, -1, 1, 1};
        const Four x = Four{s.half[0] - shrunk_} * x_sign, y = Four{s.half[1] - shrunk_} * y_sign;
        for (const double z : {-1.0, 1.0})
            corners.add(V3<Four>{x, y, Four{z * (s.half[2] - shrunk_)}} - o, one, [&]() TACTUS_INLINE_LAMBDA {
                return V3<Four>{-x_sign, -y_sign, Four{-z}};
            });
    } else {
        const ConvexHull& hull = *s.hull;
        const Four k{shrunk_ / s.inner}, inverse{1.0 / s.inner};
        const V middle = core_axes(s.centroid);
        const V3<Four> m{Four{middle.x}, Four{middle.y}, Four{middle.z}};
        for (std::uint32_t i = 0; i < hull.count; i += 4) {
            const V3<Four> corner{four_at(&hull.x[i]), four_at(&hull.y[i]), four_at(&hull.z[i])}, inward = m - corner;
            const auto there = [&](std::uint32_t lane) { return i + lane < hull.count ? 1.0 : 0.0; };
            corners.add(corner + k * inward - o, {1.0, there(1), there(2), there(3)},
                        [&]() TACTUS_INLINE_LAMBDA { return inverse * inward; });
        }
    }
    corners.add_to(sum);
}

Height Convex::beyond(const CuttingPlane& plane) const {
    Sum sum{*this, plane};
    const bool corners = shape_.kind == CoreKind::box || shape_.kind == CoreKind::hull;
    if (corners)
        sum.look_at(highest_corner(sum));
    else
        each([&](const V& y, const V&) TACTUS_INLINE_LAMBDA { sum.look_at(sum.height(y)); },
             [&](const V& center, const V& k, double r, const V&, double)
                 TACTUS_INLINE_LAMBDA { sum.look_at(soft_height(sum.rim(center, k, r))); });
    if (!(sum.highest() > 0.0)) return {};
    sum.start(in_axes(plane.e1), in_axes(plane.e2));
    if (corners)
        add_corners(sum);
    else
        each([&](const V& y, const V& rate) TACTUS_INLINE_LAMBDA { sum.add(y, rate); },
             [&](const V& center, const V& k, double r, const V& rate, double r_rate)
                 TACTUS_INLINE_LAMBDA { sum.add(center, k, r, rate, r_rate); });
    return sum.result();
}

double Convex::depth(const CuttingPlane& plane) const {
    Sum sum{*this, plane};
    if (shape_.kind == CoreKind::box || shape_.kind == CoreKind::hull)
        sum.look_at(highest_corner(sum));
    else
        each([&](const V& y, const V&) TACTUS_INLINE_LAMBDA { sum.look_at(sum.height(y)); },
             [&](const V& center, const V& k, double r, const V&, double) TACTUS_INLINE_LAMBDA {
                 const Rim m = sum.rim(center, k, r);
                 sum.look_at(m.a + m.b);
             });
    return sum.highest();
}

}  // namespace tactus::mpr
