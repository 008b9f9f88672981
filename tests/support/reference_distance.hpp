// An independent reference of the signed distance of two solid shapes, in 33-digit arithmetic, with proven bounds.
//
//   signed distance = max over unit vectors n of s(n),   s(n) = min of n·b over B - max of n·a over A
//
// The shapes are cores plus balls, and balls only shift s(n), so the cores' difference D = A - B decides. Any n gives a
// lower bound of the result. An upper bound comes from inside D: apart, the length of a vector that is a mean of points
// of D (found by the nearest point of a growing simplex); penetrating, the distance of the origin to the nearest face of
// a polytope within D, grown at that face until it meets the bound of its normal. So the result is the global depth.
// Support points are displaced at random by 1e-24 of the size: no four of them are ever in a plane, ties never recur.
#pragma once

#include <tactus/engine/math.hpp>
#include <tactus/engine/shapes/shape.hpp>
#include <tactus/engine/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <queue>
#include <stdexcept>
#include <type_traits>
#include <vector>

namespace tactus::test {

#ifdef __SIZEOF_FLOAT128__
__extension__ typedef __float128 Real;
#else
using Real = long double;
#endif

inline Real root(Real a) {
    if (!(a > 0)) return 0;
    const Real r = std::sqrt(static_cast<long double>(a));
    return (r + a / r) / 2;  // one step of Newton doubles the digits
}
inline double root(double a) { return a > 0 ? std::sqrt(a) : 0; }
inline Real magnitude(Real a) { return a < 0 ? -a : a; }

template<class T> struct VecOf {
    T x = 0, y = 0, z = 0;

    VecOf() = default;
    VecOf(T a, T b, T c) : x{a}, y{b}, z{c} {}
    explicit VecOf(const Vec3& v) : x{v.x()}, y{v.y()}, z{v.z()} {}
    template<class Other>
    explicit VecOf(const VecOf<Other>& v) : x{static_cast<T>(v.x)}, y{static_cast<T>(v.y)}, z{static_cast<T>(v.z)} {}
    Vec3 to_double() const { return {static_cast<double>(x), static_cast<double>(y), static_cast<double>(z)}; }

    VecOf operator+(const VecOf& o) const { return {x + o.x, y + o.y, z + o.z}; }
    VecOf operator-(const VecOf& o) const { return {x - o.x, y - o.y, z - o.z}; }
    VecOf operator-() const { return {-x, -y, -z}; }
    VecOf operator*(T s) const { return {x * s, y * s, z * s}; }
    T dot(const VecOf& o) const { return x * o.x + y * o.y + z * o.z; }
    VecOf cross(const VecOf& o) const { return {y * o.z - z * o.y, z * o.x - x * o.z, x * o.y - y * o.x}; }
    T length() const { return root(dot(*this)); }
    VecOf unit() const { return *this * (1 / length()); }
};
using RealVec = VecOf<Real>;

namespace reference_detail {
enum class Core { point, segment, box, ellipsoid, round, stadium, hull };
}

// A solid shape at a pose: a core, plus a ball of `radius`.
template<class T> class ShapeOf {
public:
    // `smoothing_radius` is reduced to a tenth of the smallest length; a mesh must have none.
    ShapeOf(const Shape& shape, double smoothing_radius, const Mat3& R_WB, const Vec3& p_WB)
        : rows_{VecOf<T>{R_WB.row(0)}, VecOf<T>{R_WB.row(1)}, VecOf<T>{R_WB.row(2)}}, p_{p_WB} {
        std::visit([&](const auto& s) { set(s, smoothing_radius); }, shape);
    }

    // The same with fewer digits.
    template<class Other>
    explicit ShapeOf(const ShapeOf<Other>& o)
        : core_{o.core_}, axis_{o.axis_}, radius_{static_cast<T>(o.radius_)}, r1_{static_cast<T>(o.r1_)},
          z1_{static_cast<T>(o.z1_)}, r2_{static_cast<T>(o.r2_)}, z2_{static_cast<T>(o.z2_)}, half_{o.half_},
          vertices_(o.vertices_.begin(), o.vertices_.end()),
          rows_{VecOf<T>{o.rows_[0]}, VecOf<T>{o.rows_[1]}, VecOf<T>{o.rows_[2]}}, p_{o.p_} {}

    T radius() const { return radius_; }

    // Farthest point of the core, world axes.
    VecOf<T> core_support(const VecOf<T>& n_W) const {
        const VecOf<T> d = rows_[0] * n_W.x + rows_[1] * n_W.y + rows_[2] * n_W.z;
        const VecOf<T> s = from_axis(local_support(to_axis(d)));
        return p_ + VecOf<T>{rows_[0].dot(s), rows_[1].dot(s), rows_[2].dot(s)};
    }

    // Farthest extent of the whole shape along the unit vector n.
    T extent(const VecOf<T>& n_W) const { return core_support(n_W).dot(n_W) + radius_; }

private:
    template<class Other> friend class ShapeOf;
    using Core = reference_detail::Core;

    // Coordinates: x along the shape's axis, y and z the next ones cyclically.
    VecOf<T> to_axis(const VecOf<T>& d) const {
        return axis_ == 0 ? d : axis_ == 1 ? VecOf<T>{d.y, d.z, d.x} : VecOf<T>{d.z, d.x, d.y};
    }
    VecOf<T> from_axis(const VecOf<T>& s) const {
        return axis_ == 0 ? s : axis_ == 1 ? VecOf<T>{s.z, s.x, s.y} : VecOf<T>{s.y, s.z, s.x};
    }

    static T reduced(double radius, double smallest) { return std::min(T{radius}, T{smallest} / 10); }

    void set(const Sphere& s, double) { radius_ = T{s.diameter} / 2; }
    void set(const Ellipsoid& s, double) {
        core_ = Core::ellipsoid;
        half_ = VecOf<T>{s.length_x, s.length_y, s.length_z} * 0.5;
    }
    void set(const Box& s, double rho) {
        core_ = Core::box;
        radius_ = reduced(rho, std::min({s.length_x, s.length_y, s.length_z}));
        half_ = VecOf<T>{s.length_x, s.length_y, s.length_z} * 0.5 - VecOf<T>{radius_, radius_, radius_};
    }
    void set(const Cylinder& s, double rho) {
        core_ = Core::round;
        axis_ = s.axis - 1;
        radius_ = reduced(rho, std::min(s.diameter, s.length));
        r1_ = r2_ = T{s.diameter} / 2 - radius_;
        z2_ = T{s.length} / 2 - radius_;
        z1_ = -z2_;
    }
    void set(const Cone& s, double rho) {
        core_ = Core::round;
        axis_ = s.axis - 1;
        radius_ = reduced(rho, std::min(s.diameter, s.length));
        const T slope = (T{s.diameter} - T{s.top_diameter}) / (2 * T{s.length});
        const T r0 = T{s.diameter} / 2 - radius_ * root(1 + slope * slope);  // shifted side at the base plane
        z1_ = radius_;
        r1_ = r0 - slope * z1_;
        z2_ = T{s.length} - radius_;
        r2_ = r0 - slope * z2_;
        if (r2_ < 0) {
            r2_ = 0;
            z2_ = r0 / slope;
        }
    }
    void set(const Capsule& s, double) {
        core_ = Core::segment;
        axis_ = s.axis - 1;
        radius_ = T{s.diameter} / 2;
        half_.x = T{s.length} / 2;
    }
    void set(const Beam& s, double rho) {
        core_ = Core::stadium;
        axis_ = s.axis - 1;
        radius_ = reduced(rho, std::min({s.length, s.width, s.thickness}));
        half_ = {T{s.length} / 2, T{s.width} / 2 - radius_, T{s.thickness} / 2 - radius_};
    }
    void set(const Mesh& s, double rho) {
        if (rho != 0) throw std::invalid_argument("the reference knows no smoothed meshes");
        core_ = Core::hull;
        if (s.data)
            for (const Vec3& v : s.data->vertices) vertices_.emplace_back(v);
        else
            for (const Vec3& v : s.vertices) vertices_.emplace_back(Vec3{v.cwiseProduct(s.scale)});
    }
    template<class Other> void set(const Other&, double) { throw std::invalid_argument("not a solid shape"); }

    static T toward(T direction, T half) { return direction < 0 ? -half : half; }

    VecOf<T> local_support(const VecOf<T>& d) const {
        switch (core_) {
        case Core::point: return {};
        case Core::segment: return {toward(d.x, half_.x), 0, 0};
        case Core::box: return {toward(d.x, half_.x), toward(d.y, half_.y), toward(d.z, half_.z)};
        case Core::ellipsoid: {
            const VecOf<T> e{d.x * half_.x, d.y * half_.y, d.z * half_.z};
            const T l = e.length();
            return l > 0 ? VecOf<T>{half_.x * (e.x / l), half_.y * (e.y / l), half_.z * (e.z / l)} : VecOf<T>{};
        }
        case Core::round: {
            const T across = root(d.y * d.y + d.z * d.z);
            const bool top = d.x * z2_ + across * r2_ > d.x * z1_ + across * r1_;
            const T r = across > 0 ? (top ? r2_ : r1_) / across : 0;
            return {top ? z2_ : z1_, r * d.y, r * d.z};
        }
        case Core::stadium: {
            const T across = root(d.x * d.x + d.y * d.y);
            const T r = across > 0 ? half_.y / across : 0;
            return {toward(d.x, half_.x) + r * d.x, r * d.y, toward(d.z, half_.z)};
        }
        case Core::hull: break;
        }
        // The error of choosing by 19 digits is 1e-19 of the size.
        using Choice = std::conditional_t<std::is_same_v<T, double>, double, long double>;
        const auto x = static_cast<Choice>(d.x), y = static_cast<Choice>(d.y), z = static_cast<Choice>(d.z);
        Choice best = -INFINITY;
        const VecOf<T>* vertex = &vertices_.front();
        for (const VecOf<T>& v : vertices_) {
            const Choice along =
                x * static_cast<Choice>(v.x) + y * static_cast<Choice>(v.y) + z * static_cast<Choice>(v.z);
            if (along > best) {
                best = along;
                vertex = &v;
            }
        }
        return *vertex;
    }

    Core core_ = Core::point;
    int axis_ = 0;
    T radius_ = 0, r1_ = 0, z1_ = 0, r2_ = 0, z2_ = 0;
    VecOf<T> half_;
    std::vector<VecOf<T>> vertices_;
    std::array<VecOf<T>, 3> rows_;  // of R_WB
    VecOf<T> p_;
};
using ReferenceShape = ShapeOf<Real>;

// s(n) of two shapes, for a vector of any length.
inline Real separation_along(const ReferenceShape& A, const ReferenceShape& B, const RealVec& n_W) {
    const RealVec n = n_W.unit();
    return (B.core_support(-n) - A.core_support(n)).dot(n) - A.radius() - B.radius();
}

struct ReferenceDistance {
    double distance = 0;          // [m] rounded
    double gap = 0;               // [m] proven: the true distance is distance - rounding .. distance + gap
    Vec3 normal = Vec3::UnitX();  // unit vector from A to B
    int support_points = 0;
    Real precise = 0;  // [m] the largest s(n) that was found
};

namespace reference_detail {

class Solver {
public:
    Solver(const ReferenceShape& A, const ReferenceShape& B) : A_{A}, B_{B} {
        for (const RealVec& n : {RealVec{1, 0, 0}, RealVec{0, 1, 0}, RealVec{0, 0, 1}})
            for (const ReferenceShape* s : {&A, &B})
                size_ = std::max(size_, magnitude(s->core_support(n).dot(n) + s->core_support(-n).dot(-n)) / 2);
        size_ = std::max(size_, (B.core_support({1, 0, 0}) - A.core_support({1, 0, 0})).length() / 16);
        if (!(size_ > 0)) size_ = 1e-30;
        tolerance_ = size_ * Real{1e-20};
    }

    ReferenceDistance solve() {
        // Faces that multiply tell of rounding: again with other displacements.
        while (!apart() && !penetration() && ++salt_ < 8) {
            faces_.clear();
            order_ = {};
        }
        if (salt_ == 8) polish();
        ReferenceDistance result;
        result.precise = lower_ - A_.radius() - B_.radius();
        result.distance = static_cast<double>(result.precise);
        result.gap = static_cast<double>(std::max(Real{0}, upper_ - lower_));
        result.normal = normal_.to_double().normalized();
        result.support_points = calls_;
        return result;
    }

private:
    // A point of B - A, farthest against n; s(n) of the cores is its n component.
    RealVec point(const RealVec& n) {
        ++calls_;
        const RealVec w = B_.core_support(-n) - A_.core_support(n);
        const Real s = w.dot(n);
        if (!have_ || s > lower_) {
            lower_ = s;
            normal_ = n;
            have_ = true;
        }
        std::uint64_t state = salt_;  // the same point is always displaced in the same way
        for (const Real c : {w.x, w.y, w.z})
            state = mixed(state ^ std::bit_cast<std::uint64_t>(static_cast<double>(c)));
        const auto noise = [&] {
            state = mixed(state);
            return size_ * Real{1e-24} * static_cast<Real>(static_cast<long double>(state) / 0x1p63L - 1);
        };
        const Real dx = noise(), dy = noise(), dz = noise();
        return w + RealVec{dx, dy, dz};
    }

    static std::uint64_t mixed(std::uint64_t x) {  // splitmix64
        x += 0x9e3779b97f4a7c15u;
        x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9u;
        x = (x ^ (x >> 27)) * 0x94d049bb133111ebu;
        return x ^ (x >> 31);
    }

    // Nearest point of the simplex to the origin; the simplex keeps only the points that it needs.
    static RealVec reduce(std::vector<RealVec>& simplex) {
        Real best = -1;
        RealVec nearest;
        std::vector<RealVec> kept;
        for (unsigned mask = 1; mask < (1u << simplex.size()); ++mask) {
            std::vector<RealVec> y;
            for (std::size_t i = 0; i < simplex.size(); ++i)
                if (mask & (1u << i)) y.push_back(simplex[i]);
            RealVec v;
            if (!affine_nearest(y, v)) continue;
            const Real d = v.dot(v);
            if (best < 0 || d < best) {
                best = d;
                nearest = v;
                kept = std::move(y);
            }
        }
        simplex = std::move(kept);
        return nearest;
    }

    // Nearest point to the origin of the plane through points y; false if it is not a mean of them with weights > 0.
    static bool affine_nearest(const std::vector<RealVec>& y, RealVec& v) {
        v = y[0];
        if (y.size() == 1) return true;
        const RealVec e = y[1] - y[0];
        if (y.size() == 2) {
            const Real ee = e.dot(e);
            if (!(ee > 0)) return false;
            const Real t = -y[0].dot(e) / ee;
            v = y[0] + e * t;
            v = v - e * (v.dot(e) / ee);  // square to the segment also if the origin lies almost on it
            return t > 0 && t < 1;
        }
        const RealVec f = y[2] - y[0], n = e.cross(f);
        if (y.size() == 3) {
            const Real nn = n.dot(n);
            if (!(nn > 0)) return false;
            const Real a = n.dot(y[1].cross(y[2])), b = n.dot(y[2].cross(y[0])), c = n.dot(y[0].cross(y[1]));
            v = n * (n.dot(y[0]) / nn);
            return a > 0 && b > 0 && c > 0;
        }
        const Real volume = n.dot(y[3] - y[0]);
        const Real a = y[1].dot(y[2].cross(y[3])), b = -y[0].dot(y[2].cross(y[3])), c = y[0].dot(y[1].cross(y[3])),
                   d = -y[0].dot(y[1].cross(y[2]));
        v = {};
        return volume > 0 ? a > 0 && b > 0 && c > 0 && d > 0 : volume < 0 && a < 0 && b < 0 && c < 0 && d < 0;
    }

    // Distance of the cores; false, with a tetrahedron around the origin, if they penetrate.
    bool apart() {
        simplex_ = {point(RealVec{0.36, 0.48, 0.8})};
        RealVec v = simplex_[0];
        upper_ = v.length();
        for (int i = 0; i < 2000; ++i) {
            if (upper_ - lower_ <= tolerance_) return true;
            simplex_.push_back(point(v * (1 / upper_)));
            v = reduce(simplex_);
            if (simplex_.size() == 4) return false;
            const Real length = v.length();
            if (!(length < upper_)) break;  // rounding
            upper_ = length;
        }
        return true;
    }

    struct Face {
        std::array<int, 3> corner;
        RealVec n;  // unit, outwards
        Real d;     // distance of its plane from the origin
        Vec3 n_double;
        double d_double;
        bool gone = false;
    };

    void add_face(int a, int b, int c) {
        const RealVec cross = (points_[index(b)] - points_[index(a)]).cross(points_[index(c)] - points_[index(a)]);
        Face f{{a, b, c}, cross.unit(), 0, {}, 0};
        f.d = f.n.dot(points_[index(a)]);
        f.n_double = f.n.to_double();
        f.d_double = static_cast<double>(f.d);
        order_.emplace(f.d, static_cast<int>(faces_.size()));
        faces_.push_back(f);
    }
    static std::size_t index(int i) { return static_cast<std::size_t>(i); }

    // Depth of the cores. With D = B - A, s(n) = -(extent of D along -n), so the depth is the least extent. False if
    // rounding spoils the polytope.
    bool penetration() {
        points_ = simplex_;
        const Real volume = (points_[1] - points_[0]).cross(points_[2] - points_[0]).dot(points_[3] - points_[0]);
        if (volume < 0)
            for (const auto& [a, b, c] : {std::array{0, 1, 2}, {0, 3, 1}, {0, 2, 3}, {1, 3, 2}}) add_face(a, b, c);
        else
            for (const auto& [a, b, c] : {std::array{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}) add_face(a, b, c);
        std::vector<std::pair<int, int>> edges;
        while (points_.size() < max_points) {
            if (faces_.size() > 20 * points_.size() + 200) return false;
            while (faces_[index(order_.top().second)].gone) order_.pop();
            const Face nearest = faces_[index(order_.top().second)];
            upper_ = -nearest.d;
            if (upper_ - lower_ <= tolerance_) return true;
            const RealVec w = point(-nearest.n);
            const Vec3 w_double = w.to_double();
            const double unsure = 1e-14 * (w_double.norm() + static_cast<double>(size_));
            edges.clear();
            for (Face& f : faces_) {
                if (f.gone) continue;
                const double rough = f.n_double.dot(w_double) - f.d_double;
                if (rough < -unsure || (rough < unsure && !(f.n.dot(w) - f.d > 0))) continue;
                f.gone = true;
                for (std::size_t k = 0; k < 3; ++k) edges.emplace_back(f.corner[k], f.corner[(k + 1) % 3]);
            }
            if (edges.empty()) return true;  // the support point is in the face
            points_.push_back(w);
            std::sort(edges.begin(), edges.end());
            for (const auto& [a, b] : edges)
                if (!std::binary_search(edges.begin(), edges.end(), std::pair{b, a}))
                    add_face(a, b, static_cast<int>(points_.size()) - 1);
            if (faces_.size() > 4 * points_.size() + 64) compact();
        }
        polish();
        return true;
    }

    void compact() {
        std::erase_if(faces_, [](const Face& f) { return f.gone; });
        order_ = {};
        for (std::size_t i = 0; i < faces_.size(); ++i) order_.emplace(faces_[i].d, static_cast<int>(i));
    }

    // Where the least extent is nearly the same along a whole curve of directions the faces do not suffice: climb on.
    void polish() {
        for (Real step = 1e-2; step > Real{1e-22}; step /= 2) {
            for (bool better = true; better;) {
                better = false;
                const RealVec n = normal_;
                const RealVec t = n.cross(magnitude(n.x) < Real{0.6} ? RealVec{1, 0, 0} : RealVec{0, 1, 0}).unit();
                const RealVec u = n.cross(t);
                for (int k = 0; k < 8 && !better; ++k) {
                    const double angle = 0.78539816339744831 * k + 0.3;
                    const Real before = lower_;
                    point((n + (t * std::cos(angle) + u * std::sin(angle)) * step).unit());
                    better = lower_ > before + tolerance_ / 16;
                }
            }
        }
    }

    static constexpr std::size_t max_points = 1000;
    const ReferenceShape &A_, &B_;
    Real size_ = 0, tolerance_ = 0, lower_ = 0, upper_ = 0;
    bool have_ = false;
    RealVec normal_{1, 0, 0};
    int calls_ = 0;
    std::uint64_t salt_ = 1;
    std::vector<RealVec> simplex_, points_;
    std::vector<Face> faces_;
    using Entry = std::pair<Real, int>;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> order_;
};

}  // namespace reference_detail

inline ReferenceDistance reference_distance(const ReferenceShape& A, const ReferenceShape& B) {
    return reference_detail::Solver{A, B}.solve();
}

}  // namespace tactus::test
