#include <tactus/engine/mpr/soft_depth.hpp>

#include <tactus/engine/mpr/core.hpp>
#include <tactus/engine/mpr/shrinking.hpp>
#include <tactus/engine/mpr/world_axes.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::mpr {
namespace {

using V = V3<double>;
using Mat2 = Eigen::Matrix2d;
using Mat3x6 = Eigen::Matrix<double, 3, 6>;

// A circle whose centre is a below the plane, and whose lowest point is a + b below it, counts with the height a + b of that
// point where it is inclined by b > level a; less inclined it is a face, up to 3/8 level stiffer: as four corners are.
constexpr double level = 0.5;

// The plane n.y = c between the two, y from the origin o of the query. Small motions of it: y1, y2, c, with
// n + y1 e1 + y2 e2. The first solid is free where n.y < c and has the sign +1, the second where n.y > c, with -1.
struct CuttingPlane {
    V n, e1, e2;
    double c = 0.0;  // [m]
};

// The soft height S of a solid beyond a plane: the norm (sum of h^8)^(1/8) of the heights h > 0 of its corners and rims, with
// its derivatives by the motions of the plane. Weights of corners are dS/dh.
struct Height {
    double value = 0.0;             // [m]
    Vec3 slope = Vec3::Zero();      // by the plane; the last is -sign times the sum of the weights
    Mat3 curvature = Mat3::Zero();  // likewise, but for that of the sphere of unit vectors n
    double along = 0.0;             // [m] sum of the weights times n.y
    Vec3 second = Vec3::Zero();     // [m^2] sums of the weights times y1 y1, y1 y2, y2 y2, coordinates along the plane
    double by_shrinking = 0.0;      // by `shrunk` of the solid
};

// Sums over corners and rims, in the axes of a core.
class HeightSum {
public:
    HeightSum(const V& n, const V& e1, const V& e2, double c, double radius, double sign)
        : n_{n}, e1_{e1}, e2_{e2}, c_{c}, radius_{radius}, sign_{sign} {}

    // First all of them once: eighth powers are taken relative to the highest.
    void look_at(const V& y) { highest_ = std::max(highest_, height(y)); }
    void look_at(const V& center, const V& k, double r) { highest_ = std::max(highest_, soft(rim(center, k, r))); }
    double highest() const { return highest_; }
    // The same of the lowest points themselves.
    void look_at_lowest(const V& center, const V& k, double r) {
        const Rim m = rim(center, k, r);
        highest_ = std::max(highest_, m.a + m.b);
    }

    // A corner y, and how it moves as the core shrinks.
    void add(const V& y, const V& rate) {
        const double h = height(y);
        if (!(h > 0.0)) return;
        const double x1 = dot(e1_, y), x2 = dot(e2_, y);
        take(h, {sign_ * x1, sign_ * x2, -sign_}, dot(n_, y), {x1 * x1, x1 * x2, x2 * x2}, sign_ * dot(n_, rate) + 1.0);
    }

    // A circle of radius r about k, likewise.
    void add(const V& center, const V& k, double r, const V& center_rate, double r_rate) {
        const Rim m = rim(center, k, r);
        const double h = soft(m);
        if (!(h > 0.0)) return;
        const V side = cross(k, m.across);
        const double x1 = dot(e1_, center), x2 = dot(e2_, center);
        const double out1 = dot(e1_, m.across), out2 = dot(e2_, m.across);
        const Vec3 by_a{sign_ * x1, sign_ * x2, -sign_}, by_b{sign_ * r * out1, sign_ * r * out2, 0.0};
        const Vec3 aside{dot(e1_, side), dot(e2_, side), 0.0};
        const double w = power6(h) * (h / highest_);
        double h_a = 1.0, h_b = 1.0, turning = r * r / m.b;  // derivatives of h; r^2 / b dh/db
        if (m.b < level * m.a) {
            const double t = m.b / (level * m.a), bend = 1.5 / (level * m.a);
            h_b = t * (1.5 - 0.5 * t * t);
            h_a = h / m.a - m.b / m.a * h_b;
            turning = bend * (1.0 - t * t / 3.0) * r * r;
            const Vec3 both = by_b - (m.b / m.a) * by_a;
            curvature_ += (w * bend * (1.0 - t * t)) * both * both.transpose();
        }
        curvature_ += (w * turning) * aside * aside.transpose();
        // Pressure along the circle: its middle is at r h_b / h_a, and around that it is spread alike each way.
        const double first = r * h_b, around = 0.5 * (r * r * h_a - first * first / h_a), middle = first * first / h_a;
        const Vec3 second{h_a * x1 * x1 + 2.0 * first * x1 * out1 + middle * out1 * out1 + around,
                          h_a * x1 * x2 + first * (x1 * out2 + x2 * out1) + middle * out1 * out2,
                          h_a * x2 * x2 + 2.0 * first * x2 * out2 + middle * out2 * out2 + around};
        take(h, h_a * by_a + h_b * by_b, h_a * dot(n_, center) + sign_ * h_b * m.b, second,
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
        s.curvature = w * curvature_ + (7.0 / s.value) * (w * root * squares_ - s.slope * s.slope.transpose());
        return s;
    }

private:
    V n_, e1_, e2_;
    double c_, radius_, sign_;
    double highest_ = 0.0;
    // With the weights (h / highest)^8, ^7 and, for `squares`, ^6.
    double powers_ = 0.0, along_ = 0.0, by_shrinking_ = 0.0;
    Vec3 slope_ = Vec3::Zero(), second_ = Vec3::Zero();
    Mat3 squares_ = Mat3::Zero(), curvature_ = Mat3::Zero();

    double height(const V& y) const { return sign_ * (dot(n_, y) - c_) + radius_; }
    double power6(double h) const {
        const double x = h / highest_, x2 = x * x;
        return x2 * x2 * x2;
    }

    struct Rim {
        double a, b;    // [m] height of the centre, and of the lowest point above it
        V across;       // unit vector from the centre to that
        double length;  // of n across the axis
    };
    Rim rim(const V& center, const V& k, double r) const {
        const V flat = n_ - dot(n_, k) * k;
        const double length = norm(flat);
        return {height(center), r * length, length > 0.0 ? (sign_ / length) * flat : perpendicular(k), length};
    }
    static double soft(const Rim& rim) {
        if (rim.b >= level * rim.a) return rim.a + rim.b;
        const double t = rim.b / (level * rim.a), t2 = t * t;
        return rim.a * (1.0 + level * (0.375 + 0.75 * t2 - 0.125 * t2 * t2));
    }

    void take(double h, const Vec3& by_plane, double along, const Vec3& second, double by_shrinking) {
        const double w6 = power6(h), x = h / highest_, w7 = w6 * x;
        powers_ += w7 * x;
        slope_ += w7 * by_plane;
        squares_ += w6 * by_plane * by_plane.transpose();
        along_ += w7 * along;
        second_ += w7 * second;
        by_shrinking_ += w7 * by_shrinking;
    }
};

// One of the two. Its core may be shrunk, by as much as the ball around it grows: faces stay where they are, edges become
// rounder.
class Convex {
public:
    Convex(const CollisionShape& shape, const Frame& X_WB, const Vec3& o, double sign) : shape_{shape}, sign_{sign} {
        const int x = shape.axis, y = (x + 1) % 3, z = (x + 2) % 3;
        axis_[0] = column(X_WB.R, x);
        axis_[1] = column(X_WB.R, y);
        axis_[2] = column(X_WB.R, z);
        origin_ = in_axes(between(X_WB.p, o));
    }

    double size() const { return shape_.size; }

    double room() const { return mpr::room(shape_); }  // [m]
    void shrink(double by) { shrunk_ = by; }

    Height beyond(const CuttingPlane& plane) const {
        HeightSum sum = begin(plane);
        each([&](const V& y, const V&) { sum.look_at(y); },
             [&](const V& center, const V& k, double r, const V&, double) { sum.look_at(center, k, r); });
        if (!(sum.highest() > 0.0)) return {};
        each([&](const V& y, const V& rate) { sum.add(y, rate); },
             [&](const V& center, const V& k, double r, const V& rate, double r_rate) {
                 sum.add(center, k, r, rate, r_rate);
             });
        return sum.result();
    }

    // [m] of its core's lowest point beyond the plane
    double core_depth(const CuttingPlane& plane) const { return depth(plane) - shape_.radius - shrunk_; }

    // [m] of its lowest point; 0 if all of it is on its own side
    double depth(const CuttingPlane& plane) const {
        HeightSum sum = begin(plane);
        each([&](const V& y, const V&) { sum.look_at(y); },
             [&](const V& center, const V& k, double r, const V&, double) { sum.look_at_lowest(center, k, r); });
        return sum.highest();
    }

private:
    const CollisionShape& shape_;
    double sign_;
    double shrunk_ = 0.0;  // [m]
    V axis_[3];            // core axes in the world
    V origin_;             // o in core axes

    V in_axes(const V& v) const { return {dot(axis_[0], v), dot(axis_[1], v), dot(axis_[2], v)}; }

    HeightSum begin(const CuttingPlane& plane) const {
        return {in_axes(plane.n), in_axes(plane.e1), in_axes(plane.e2), plane.c, shape_.radius + shrunk_, sign_};
    }

    // All corners and rims from o, and how they move as the core shrinks.
    template<class Corner, class Rim> void each(Corner&& corner, Rim&& rim) const {
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
};

// The energy k S^2.5 of one side, and its derivatives by the motions of the plane.
struct Pressed {
    double energy = 0.0, force = 0.0;  // force: change of the energy with S
    Height height;
    Mat3 curvature = Mat3::Zero();

    Pressed() = default;
    Pressed(const Convex& solid, double stiffness, const CuttingPlane& plane) : height{solid.beyond(plane)} {
        const double S = height.value, root = std::sqrt(S);
        energy = stiffness * S * S * root;
        force = 2.5 * stiffness * S * root;
        curvature = (3.75 * stiffness * root) * height.slope * height.slope.transpose() + force * height.curvature;
    }
    Vec3 slope() const { return force * height.slope; }
    double weight() const { return std::abs(height.slope[2]); }
    double center(int i) const { return -height.slope[i] / height.slope[2]; }  // [m] of pressure, along e1, e2
    Mat2 spread() const {                                                      // [m^2] of the pressure about it
        if (!(weight() > 0.0)) return Mat2::Zero();
        const double x = center(0), y = center(1);
        Mat2 spread;
        spread << height.second[0], height.second[1], height.second[1], height.second[2];
        spread /= weight();
        spread(0, 0) -= x * x, spread(0, 1) -= x * y, spread(1, 0) -= x * y, spread(1, 1) -= y * y;
        return spread;
    }
};

// (A^-1 + B^-1)^-1 = A - A (A + B)^-1 A of two matrices without negative eigenvalues.
Mat2 in_series(const Mat2& A, const Mat2& B) {
    if (A.trace() > B.trace()) return in_series(B, A);  // of the larger one no digits would be left
    const double rounding = 1e-12 * A.trace() + 1e-16 * B.trace();
    const double s00 = A(0, 0) + B(0, 0) + rounding, s11 = A(1, 1) + B(1, 1) + rounding, s01 = A(0, 1) + B(0, 1);
    const double determinant = s00 * s11 - s01 * s01;
    if (!(A.trace() > 0.0) || !(determinant > 0.0)) return Mat2::Zero();
    Mat2 inverse;
    inverse << s11, -s01, -s01, s00;
    const Mat2 result = A - A * (inverse / determinant) * A;
    return 0.5 * (result + result.transpose());
}

// The plane between two solids that costs the least energy.
class LeastPlane {
public:
    LeastPlane(const Convex& a, const Convex& b) : a_{a}, b_{b} {
        // The larger one gives way less, much larger ones next to nothing: so it makes no difference where on a floor.
        constexpr double least = 1e-6;  // of what can still be told from rounding
        const double share = std::pow(b.size() / a.size(), 8);
        share_a_ = std::clamp(share / (1.0 + share), least, 1.0 - least);
        share_b_ = 1.0 - share_a_;
        stiffness_a_ = 1.0 / (share_a_ * std::sqrt(share_a_));
        stiffness_b_ = 1.0 / (share_b_ * std::sqrt(share_b_));
    }

    Pressed pressed_a, pressed_b;
    CuttingPlane plane;

    double energy() const { return pressed_a.energy + pressed_b.energy; }

    // Where planes of this normal cut both. False if one separates them.
    bool start(const V& n) {
        plane.n = n;
        plane.e1 = perpendicular(n);
        plane.e2 = cross(plane.n, plane.e1);
        return cut();
    }
    bool cut() {
        const double reach = a_.size() + b_.size();  // far enough on either side that some height is positive
        plane.c = -reach;
        const double top = a_.depth(plane) - reach;
        plane.c = reach;
        const double overlap = top + (b_.depth(plane) - reach);
        if (!(overlap > 0.0)) return false;
        plane.c = top - share_a_ * overlap;
        return true;
    }

    // Of cores that are apart this is so only where the energy is least of all; there may be other planes from which it grows
    // whichever way they are tilted.
    bool separates_cores() const { return a_.core_depth(plane) + b_.core_depth(plane) <= 0.0; }

    void go_back_to(const LeastPlane& from) {
        pressed_a = from.pressed_a;
        pressed_b = from.pressed_b;
        plane = from.plane;
    }

    // Newton's method from the present plane.
    void descend() {
        constexpr int most = 100;
        constexpr double longest = 0.3;  // [rad]
        evaluate(plane);
        for (int i = 0; i < most; ++i) {
            const Vec3 slope = pressed_a.slope() + pressed_b.slope();
            Vec3 step;
            if (!solve(hessian(), slope, step)) return;
            const double gain = -0.5 * slope.dot(step);
            if (gain < 1e-11 * energy()) {  // it converges quadratically: after this step nothing is left
                evaluate(moved(step));
                return;
            }
            if (const double tilt = std::hypot(step[0], step[1]); tilt > longest) step *= longest / tilt;
            const LeastPlane before = *this;
            for (int halvings = 0;; ++halvings) {
                evaluate(before.moved(step));
                if (energy() < before.energy() && pressed_a.energy > 0.0 && pressed_b.energy > 0.0) break;
                // Where nothing but rounding is left to gain, shorter steps do not help.
                if (halvings == (gain < 1e-8 * before.energy() ? 8 : 40)) {
                    go_back_to(before);
                    return;
                }
                step *= 0.5;
            }
        }
    }

    // What both press with, and where: the same on either side but for rounding, which matters less where more gives way.
    const Pressed& better_known() const {
        return share_b_ * pressed_b.force > share_a_ * pressed_a.force ? pressed_b : pressed_a;
    }

    double wider_a() const { return std::max(1.0, share_b_ / share_a_); }
    double wider_b() const { return std::max(1.0, share_a_ / share_b_); }

    // Second derivatives of the least energy by motions of the second solid against the first, as motions of the plane.
    Mat3 stiffness() const {
        const Mat3& softer = better_known().curvature;
        const Mat3 k = softer - softer * hessian().inverse() * softer;
        return 0.5 * (k + k.transpose());
    }

private:
    const Convex &a_, &b_;
    double share_a_ = 0.5, share_b_ = 0.5, stiffness_a_ = 1.0, stiffness_b_ = 1.0;

    void evaluate(const CuttingPlane& at) {
        plane = at;
        pressed_a = Pressed{a_, stiffness_a_, at};
        pressed_b = Pressed{b_, stiffness_b_, at};
    }

    // The normal stays a unit vector: it moves on a sphere.
    Mat3 hessian() const {
        Mat3 H = pressed_a.curvature + pressed_b.curvature;
        const double sphere = pressed_b.force * pressed_b.height.along - pressed_a.force * pressed_a.height.along;
        H(0, 0) += sphere;
        H(1, 1) += sphere;
        return H;
    }

    // H step = -slope, with tilts made stiffer until H is positive definite.
    static bool solve(const Mat3& H, const Vec3& slope, Vec3& step) {
        const double scale = std::abs(H(0, 0)) + std::abs(H(1, 1));
        if (!(H(2, 2) > 0.0)) return false;
        const double m0 = H(0, 2) / H(2, 2), m1 = H(1, 2) / H(2, 2);
        const double d01 = H(0, 1) - m0 * H(1, 2);
        const double r0 = m0 * slope[2] - slope[0], r1 = m1 * slope[2] - slope[1];
        double shift = 0.0;
        for (int i = 0; i < 40; ++i) {
            const double d00 = H(0, 0) + shift - m0 * H(0, 2), d11 = H(1, 1) + shift - m1 * H(1, 2);
            const double determinant = d00 * d11 - d01 * d01;
            if (d00 > 0.0 && determinant > 1e-13 * d00 * d11) {
                step[0] = (r0 * d11 - r1 * d01) / determinant;
                step[1] = (r1 * d00 - r0 * d01) / determinant;
                step[2] = -slope[2] / H(2, 2) - m0 * step[0] - m1 * step[1];
                return step.allFinite();
            }
            shift = shift == 0.0 ? 1e-9 * scale : 8.0 * shift;
        }
        return false;
    }

    CuttingPlane moved(const Vec3& step) const {
        CuttingPlane to;
        to.n = normalized(plane.n + (step[0] * plane.e1 + step[1] * plane.e2));
        to.e1 = normalized(plane.e1 - dot(plane.e1, to.n) * to.n);
        to.e2 = cross(to.n, to.e1);
        to.c = plane.c + step[2];
        return to;
    }
};

}  // namespace

ContactDepth soft_depth(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                        const SignedDistance& closest) {
    const Vec3 o = 0.5 * (closest.point1 + closest.point2);
    Convex a{A, X_WA, o, 1.0}, b{B, X_WB, o, -1.0};
    LeastPlane least{a, b};
    const double radii = A.radius + B.radius, room_a = a.room(), room_b = b.room(), room = room_a + room_b;
    const auto of_a = [&](double by) { return room > 0.0 ? by * room_a / room : 0.0; };
    const auto of_b = [&](double by) { return room > 0.0 ? by * room_b / room : 0.0; };

    // Newton's method for the depth at which cores that are shrunk for it are that deep in each other. Most are not shrunk.
    double depth = -closest.distance, resistance = 1.0;
    ContactDepth s{.depth = depth, .normal = closest.normal, .point = o};
    if (!least.start({s.normal[0], s.normal[1], s.normal[2]})) return s;  // by rounding only
    DepthSearch search;
    for (int i = 0; i < 100; ++i) {
        const Shrinking shrinking{depth, radii, room};
        if (shrinking.value > 0.0 || i > 0) {
            a.shrink(of_a(shrinking.value)), b.shrink(of_b(shrinking.value));
            if (!least.cut()) {  // so small, they do not touch
                depth = search.next(depth, 0.0, 1.0);
                continue;
            }
        }
        least.descend();
        if (shrinking.value > 0.0 && !least.separates_cores()) {
            const bool hulls = A.kind == CoreKind::hull && B.kind == CoreKind::hull;
            const Vec3 n = hulls
                               ? Vec3{(X_WB.p + X_WB.R * middle(B) - X_WA.p - X_WA.R * middle(A)).normalized()}
                               : shrunk_distance(A, X_WA, of_a(shrinking.value), B, X_WB, of_b(shrinking.value)).normal;
            const LeastPlane before = least;
            if (n.squaredNorm() > 0.5 && least.start({n[0], n[1], n[2]})) least.descend();
            if (!least.separates_cores() && before.energy() < least.energy()) least.go_back_to(before);
        }
        const double found = std::pow(least.energy(), 0.4);
        resistance = 1.0;
        if (shrinking.slope > 0.0) {
            const double by_shrinking = least.pressed_a.force * least.pressed_a.height.by_shrinking * room_a / room +
                                        least.pressed_b.force * least.pressed_b.height.by_shrinking * room_b / room;
            resistance -= 0.4 * found / least.energy() * by_shrinking * shrinking.slope;
        }
        if (shrinking.slope == 0.0 && Shrinking{found, radii, room}.slope == 0.0) {
            depth = found;
            break;
        }
        depth = search.next(depth, found, resistance);
        if (search.found()) break;
    }

    const auto vec = [](const V& v) { return Vec3{v.x, v.y, v.z}; };
    const Vec3 normal = vec(least.plane.n), e1 = vec(least.plane.e1), e2 = vec(least.plane.e2);
    const Pressed &on_a = least.pressed_a, &on_b = least.pressed_b;
    const Pressed& press = least.better_known();
    if (!(press.force > 0.0)) return s;  // by rounding only
    const double x1 = press.center(0), x2 = press.center(1);
    s.depth = depth;
    s.normal = normal;
    s.point = o + least.plane.c * normal + x1 * e1 + x2 * e2;
    s.rate = 0.4 * depth / least.energy() * press.force * press.weight() / resistance;
    // Where both press: as springs in series, the narrower one decides, and the one that gives way more.
    Eigen::Matrix<double, 3, 2> along;
    along << e1, e2;
    s.spread = along * in_series(on_a.spread() * least.wider_a(), on_b.spread() * least.wider_b()) * along.transpose();
    // Tilts about the centre of pressure, not about o.
    Mat3 about = Mat3::Identity();
    about(0, 2) = x1;
    about(1, 2) = x2;
    Mat3x6 motion = Mat3x6::Zero();  // of the plane, as the second moves against the first
    motion.block<1, 3>(0, 0) = e1.cross(normal).transpose();
    motion.block<1, 3>(1, 0) = e2.cross(normal).transpose();
    motion.block<1, 3>(2, 3) = -normal.transpose();
    s.curvature = motion.transpose() * ((about * least.stiffness() * about.transpose()) / resistance) * motion;
    return s;
}

}  // namespace tactus::mpr
