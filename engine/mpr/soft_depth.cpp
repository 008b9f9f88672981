#include <tactus/engine/mpr/soft_depth.hpp>

#include <tactus/engine/mpr/least_plane.hpp>
#include <tactus/engine/mpr/shrinking.hpp>
#include <tactus/engine/mpr/world_axes.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace tactus::mpr {
namespace {

using V = V3<double>;
using Mat2 = Eigen::Matrix2d;
using Mat3x6 = Eigen::Matrix<double, 3, 6>;

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

// The depth at which cores that are shrunk for it are that deep in each other, and the plane between them. Most are not shrunk.
class SoftSearch {
    const CollisionShape &A_, &B_;
    const Frame &X_WA_, &X_WB_;
    Convex a_, b_;
    double radii_ = A_.radius + B_.radius, room_ = a_.room() + b_.room();  // [m]
    double share_ = 0.0;                                                   // of the first in what both are shrunk by

public:
    SoftSearch(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB, const Vec3& o)
        : A_{A}, B_{B}, X_WA_{X_WA}, X_WB_{X_WB}, a_{A, X_WA, o, 1.0}, b_{B, X_WB, o, -1.0} {
        if (room_ > 0.0) share_ = a_.room() / room_;
    }

    LeastPlane least{a_, b_};
    double depth = 0.0;       // [m]
    double resistance = 1.0;  // by how much more they must approach, as the cores shrink

    // Where the plane that was there goes with the two, which both push it: with the slopes of their energies about the centre
    // of pressure, (0, 0, -F) for A's copy of it and (-F t, F) for B's, which has gone by t,
    //   H_A y + H_B (y - y_B) = (F t, 0).
    // False if they have turned too far for that.
    bool follow(const DepthCache::Plane& was) {
        constexpr double farthest = 0.3;  // [rad]
        const Vec3 n = X_WA_.R * was.normal_A, e1 = X_WA_.R * was.tilt_A, e2 = n.cross(e1);
        const Vec3 n_b = X_WB_.R * was.normal_B, t = X_WB_.p + X_WB_.R * was.point_B - X_WA_.p - X_WA_.R * was.point_A;
        const double t1 = t.dot(e1), t2 = t.dot(e2);
        const Vec3 y_b{n_b.dot(e1), n_b.dot(e2), n_b.dot(t)};
        const Vec3 y = was.with_b * y_b + was.with_c.col(0) * t1 + was.with_c.col(1) * t2;
        if (!(y.head<2>().squaredNorm() + y_b.head<2>().squaredNorm() < farthest * farthest)) return false;
        depth = was.depth - was.rate * n.dot(t);
        if (!(depth > 0.5 * was.depth && depth < 2.0 * was.depth)) return false;
        a_.shrink(0.0);
        b_.shrink(0.0);
        least.plane = {{n[0], n[1], n[2]}, {e1[0], e1[1], e1[2]}, {e2[0], e2[1], e2[2]}, 0.0};
        least.plane = least.moved({y[0], y[1], y[2]});
        return true;
    }

    // False if a plane of this normal separates the two.
    bool begin(const Vec3& n, double guess) {
        depth = guess;
        a_.shrink(0.0);
        b_.shrink(0.0);
        return least.start({n[0], n[1], n[2]});
    }

    // Newton's method for both together, from a plane and a depth that are near. False if they were not.
    bool from_near() {
        constexpr double steepest = 0.1;  // [rad]
        double last = std::numeric_limits<double>::infinity();
        for (int i = 0; i < 12; ++i) {
            const Shrinking shrinking = shrink();
            least.evaluate();
            const std::optional<LeastPlane::Step> step = least.newton();
            if (!step || !(least.pressed_a.energy > 0.0) || !(least.pressed_b.energy > 0.0)) return false;
            const double energy = least.energy() - step->gain;  // after this step, but for its third power
            if (!(energy > 0.0) || step->tilt_squared() > steepest * steepest) return false;
            const double deeper = shrinking.value > 0.0 ? step_of(shrinking, std::pow(energy, 0.4)) : 0.0;
            const double error = std::max(step->gain / energy, std::abs(deeper) / depth);
            if (!(error < 0.5 * last)) return false;
            if (step->gain < 1e-24 * energy && std::abs(deeper) < 1e-14 * depth) return done(shrinking);
            if (shrinking.value == 0.0 && step->gain < 1e-14 * energy) {
                least.follow(*step);
                return done(shrinking);
            }
            last = error;
            least.plane = least.moved(step->by);
            depth += deeper;
            if (step->gain < 1e-11 * energy && std::abs(deeper) < 1e-7 * depth) {
                const Shrinking now = shrink();
                least.evaluate();
                if (done(now)) return true;
                if (now.value > 0.0) return false;
                last = std::numeric_limits<double>::infinity();  // it is too deep for cores that are not shrunk
            }
        }
        return false;
    }

    // From anywhere.
    void from_afar() {
        DepthSearch search;
        for (int i = 0; i < 100; ++i) {
            const Shrinking shrinking = shrink();
            if ((shrinking.value > 0.0 || i > 0) && !least.cut()) {  // so small, they do not touch
                depth = search.next(depth, 0.0, 1.0);
                continue;
            }
            least.descend();
            if (shrinking.value > 0.0 && !least.separates_cores()) look_elsewhere(shrinking.value);
            const double found = std::pow(least.energy(), 0.4);
            step_of(shrinking, found);
            if (shrinking.slope == 0.0 && Shrinking{found, radii_, room_}.slope == 0.0) {
                depth = found;
                return;
            }
            depth = search.next(depth, found, resistance);
            if (search.found()) return;
        }
    }

    // The same plane and depth as another search has found, with o elsewhere.
    void take(const SoftSearch& other, const Vec3& shift) {
        depth = other.depth;
        resistance = other.resistance;
        shrink();
        CuttingPlane plane = other.least.plane;
        plane.c -= plane.n.x * shift.x() + plane.n.y * shift.y() + plane.n.z * shift.z();
        least.evaluate(plane);
    }

private:
    Shrinking shrink() {
        const Shrinking shrinking{depth, radii_, room_};
        a_.shrink(share_ * shrinking.value);
        b_.shrink((1.0 - share_) * shrinking.value);
        return shrinking;
    }

    // The depth at the least energy of the present cores. False if it is none: the plane is not the least of all, or it is too
    // deep for cores that are not shrunk.
    bool done(const Shrinking& shrinking) {
        depth += step_of(shrinking, std::pow(least.energy(), 0.4));
        return shrinking.value > 0.0 ? least.separates_cores() : Shrinking{depth, radii_, room_}.value == 0.0;
    }

    // Newton's step of the depth if `found` is that of cores which are shrunk so far.
    double step_of(const Shrinking& shrinking, double found) {
        resistance = 1.0;
        if (shrinking.slope > 0.0) {
            const double by_shrinking = least.pressed_a.force * least.pressed_a.height.by_shrinking * share_ +
                                        least.pressed_b.force * least.pressed_b.height.by_shrinking * (1.0 - share_);
            resistance -= 0.4 * found / least.energy() * by_shrinking * shrinking.slope;
        }
        return (found - depth) / resistance;
    }

    // From the shortest way apart of the shrunk cores, if the plane that was found crosses them.
    void look_elsewhere(double shrunk) {
        const bool hulls = A_.kind == CoreKind::hull && B_.kind == CoreKind::hull;
        const Vec3 n = hulls ? Vec3{(X_WB_.p + X_WB_.R * middle(B_) - X_WA_.p - X_WA_.R * middle(A_)).normalized()}
                             : shrunk_distance(A_, X_WA_, share_ * shrunk, B_, X_WB_, (1.0 - share_) * shrunk).normal;
        const CuttingPlane before = least.plane;
        const double energy = least.energy();
        if (n.squaredNorm() > 0.5 && least.start({n[0], n[1], n[2]})) least.descend();
        if (!least.separates_cores() && energy < least.energy()) least.evaluate(before);
    }
};

// The radius of gyration r = sqrt(trace) of a spread. What rounding leaves of a point's would be r^2 = 1e-16 size^2, and its
// root anything up to 1e-8 size from one evaluation to the next: friction that remembers takes each for a motion. So r goes to
// zero with its square where a pressure is spread over less than 1e-3 of the smaller solid.
double radius_of_gyration(const Mat3& spread, double size) {
    constexpr double point = 1e-3;
    const double square = std::max(0.0, spread.trace()), least = point * size;
    return square / std::sqrt(square + least * least);
}

// What acts at the plane that was found. `size` [m] is that of the smaller one. False if nothing does, by rounding only.
bool press(const SoftSearch& search, const Vec3& o, double size, ContactDepth& s) {
    const LeastPlane& least = search.least;
    const auto vec = [](const V& v) { return Vec3{v.x, v.y, v.z}; };
    const Vec3 normal = vec(least.plane.n), e1 = vec(least.plane.e1), e2 = vec(least.plane.e2);
    const Pressed &on_a = least.pressed_a, &on_b = least.pressed_b;
    const Pressed& pressed = least.better_known();
    if (!(pressed.force > 0.0)) return false;
    const double x1 = pressed.x1(), x2 = pressed.x2();
    s.depth = search.depth;
    s.normal = normal;
    s.point = o + least.plane.c * normal + x1 * e1 + x2 * e2;
    s.rate = 0.4 * s.depth / least.energy() * pressed.force * pressed.weight() / search.resistance;
    // Where both press: as springs in series, the narrower one decides, and the one that gives way more.
    Eigen::Matrix<double, 3, 2> along;
    along << e1, e2;
    s.spread = along * in_series(on_a.spread() * least.wider_a(), on_b.spread() * least.wider_b()) * along.transpose();
    s.gyration = radius_of_gyration(s.spread, size);
    s.stiffness = {.e1 = e1,
                   .e2 = e2,
                   .x1 = x1,
                   .x2 = x2,
                   .softer = pressed.curvature.matrix(),
                   .both = least.hessian().matrix(),
                   .factor = 1.0 / search.resistance};
    return true;
}

// For follow(): everything about the centre of pressure.
void remember(const SoftSearch& search, const ContactDepth& s, const Frame& X_WA, const Frame& X_WB,
              DepthCache::Plane& cache) {
    const LeastPlane& least = search.least;
    Mat3 about = Mat3::Identity();
    about(0, 2) = s.stiffness.x1;
    about(1, 2) = s.stiffness.x2;
    const Mat3 inverse = (about * s.stiffness.both * about.transpose()).inverse();
    const Pressed& pressed = least.better_known();
    cache.with_b = inverse * (about * least.hessian_of_b().matrix() * about.transpose());
    cache.with_c = (pressed.force * pressed.weight()) * inverse.leftCols<2>();
    cache.point_A = X_WA.R.transpose() * (s.point - X_WA.p);
    cache.point_B = X_WB.R.transpose() * (s.point - X_WB.p);
    cache.normal_A = X_WA.R.transpose() * s.normal;
    cache.normal_B = X_WB.R.transpose() * s.normal;
    cache.tilt_A = X_WA.R.transpose() * s.stiffness.e1;
    cache.depth = s.depth;
    cache.rate = s.rate;
    cache.known = inverse.allFinite();
}

}  // namespace

bool soft_depth_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                      DepthCache::Plane& cache, ContactDepth& s) {
    const Vec3 o = X_WA.p + X_WA.R * cache.point_A;
    SoftSearch search{A, X_WA, B, X_WB, o};
    if (!search.follow(cache) || !search.from_near() || !press(search, o, std::min(A.size, B.size), s)) return false;
    remember(search, s, X_WA, X_WB, cache);
    return true;
}

ContactDepth soft_depth(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                        const SignedDistance& closest, DepthCache::Plane* cache) {
    const Vec3 o = 0.5 * (closest.point1 + closest.point2);
    SoftSearch search{A, X_WA, B, X_WB, o};
    ContactDepth s{.depth = -closest.distance, .normal = closest.normal, .point = o};
    if (cache) cache->known = false;
    if (!search.begin(closest.normal, -closest.distance)) return s;  // by rounding only
    if (!search.from_near()) {
        search.begin(closest.normal, -closest.distance);
        search.from_afar();
    }
    const double size = std::min(A.size, B.size);
    if (!press(search, o, size, s)) return s;
    // Moments about a far place have lost the digits of how the pressure is spread: once more, about its centre.
    const Vec3 center = s.point;
    SoftSearch there{A, X_WA, B, X_WB, center};
    there.take(search, center - o);
    if (press(there, center, size, s) && cache) remember(there, s, X_WA, X_WB, *cache);
    return s;
}

}  // namespace tactus::mpr
