// A patch: the smooth piece of a core's surface that a feature stands for, in the core axes of A: a point, a rim (part of
// a circle), or an ellipsoid. It gives the point whose normal is n, and how that point turns with n.
#pragma once

#include <tactus/engine/mpr/pair.hpp>

namespace tactus::mpr {

// Symmetric matrix.
template<class T> struct Sym3 {
    T xx{}, xy{}, xz{}, yy{}, yz{}, zz{};

    TACTUS_ALWAYS_INLINE V3<T> operator*(const V3<T>& v) const {
        return {xx * v.x + xy * v.y + xz * v.z, xy * v.x + yy * v.y + yz * v.z, xz * v.x + yz * v.y + zz * v.z};
    }
    TACTUS_ALWAYS_INLINE void add(const T& f, const V3<T>& v) {  // f v v'
        const V3<T> fv = f * v;
        xx = xx + fv.x * v.x, xy = xy + fv.x * v.y, xz = xz + fv.x * v.z;
        yy = yy + fv.y * v.y, yz = yz + fv.y * v.z, zz = zz + fv.z * v.z;
    }
    TACTUS_ALWAYS_INLINE void add(const T& f, const Sym3& o) {
        xx = xx + f * o.xx, xy = xy + f * o.xy, xz = xz + f * o.xz;
        yy = yy + f * o.yy, yz = yz + f * o.yz, zz = zz + f * o.zz;
    }
};

template<class T> class Patch {
public:
    // On A: n is the outward normal.
    static Patch on_a(const Pair<T>& pair, Feature feature) {
        Patch patch;
        patch.set(pair.A, feature, [](const V3<T>& v) { return v; });
        return patch;
    }

    // A point, whatever the normal.
    static Patch at(const V3<T>& point) {
        Patch patch;
        patch.center_ = point;
        return patch;
    }

    // On B: n is the inward normal, that of A opposite it.
    static Patch on_b(const Pair<T>& pair, Feature feature) {
        Patch patch;
        patch.set(pair.B, feature, [&pair](const V3<T>& v) { return pair.R * v; });
        patch.center_ = patch.center_ + pair.p;
        patch.sign_ = T(-1);
        return patch;
    }

    bool is_rim() const { return kind_ == Kind::rim; }
    bool is_ellipsoid() const { return kind_ == Kind::ellipsoid; }
    const V3<T>& center() const { return center_; }
    const V3<T>& axis() const { return axis_; }  // of a rim
    const T& radius() const { return radius_; }

    // The point with the normal n; adds the second derivative of its support function to H.
    V3<T> point(const V3<T>& n, Sym3<T>& H) const {
        using std::sqrt;
        if (kind_ == Kind::point) return center_;
        if (kind_ == Kind::rim) {
            const V3<T> across = n - dot(n, axis_) * axis_;
            const T length2 = norm2(across);
            if (!(length2 > T(0))) return center_;
            const T f = T(1) / sqrt(length2);
            const V3<T> t = f * cross(axis_, across);
            H.add(radius_ * f, t);
            return center_ + (sign_ * radius_ * f) * across;
        }
        const V3<T> m = shape_ * n;
        const T f = T(1) / sqrt(dot(m, n));
        const V3<T> p = f * m;
        H.add(f, shape_);
        H.add(-f, p);
        return center_ + sign_ * p;
    }

    // The same where n may only turn in the plane of n and u: adds the part of the second derivative along u to `bend`.
    V3<T> point(const V3<T>& n, const V3<T>& u, T& bend) const {
        using std::sqrt;
        if (kind_ == Kind::point) return center_;
        if (kind_ == Kind::rim) {
            const V3<T> across = n - dot(n, axis_) * axis_;
            const T length2 = norm2(across);
            if (!(length2 > T(0))) return center_;
            const T f = T(1) / sqrt(length2), t = f * dot(cross(axis_, across), u);
            bend = bend + radius_ * f * t * t;
            return center_ + (sign_ * radius_ * f) * across;
        }
        const V3<T> m = shape_ * n;
        const T f = T(1) / sqrt(dot(m, n));
        const V3<T> p = f * m;
        const T along = dot(p, u);
        bend = bend + f * (dot(u, shape_ * u) - along * along);
        return center_ + sign_ * p;
    }

private:
    enum class Kind : std::uint8_t { point, rim, ellipsoid };

    template<class Turn> void set(const CollisionShape& s, Feature feature, Turn turn) {
        switch (s.kind) {
        case CoreKind::round:
            center_ = turn(V3<T>{T(feature ? s.z2 : s.z1), T(0), T(0)});
            radius_ = T(feature ? s.r2 : s.r1);
            kind_ = radius_ > T(0) ? Kind::rim : Kind::point;
            axis_ = turn(V3<T>{T(1), T(0), T(0)});
            break;
        case CoreKind::stadium:
            center_ =
                turn(V3<T>{T(feature & 1 ? -s.half[0] : s.half[0]), T(0), T(feature & 4 ? -s.half[2] : s.half[2])});
            radius_ = T(s.half[1]);
            kind_ = Kind::rim;
            axis_ = turn(V3<T>{T(0), T(0), T(1)});
            break;
        case CoreKind::ellipsoid: {
            kind_ = Kind::ellipsoid;
            const V3<T> axes[3] = {{T(1), T(0), T(0)}, {T(0), T(1), T(0)}, {T(0), T(0), T(1)}};
            for (int i = 0; i < 3; ++i) shape_.add(T(s.half[i]) * T(s.half[i]), turn(axes[i]));
            break;
        }
        default: center_ = turn(feature_point(s, V3<T>{T(1), T(0), T(0)}, feature));
        }
    }

    Kind kind_ = Kind::point;
    T sign_ = T(1), radius_{};
    V3<T> center_, axis_;
    Sym3<T> shape_;  // squares of the half lengths, turned
};

}  // namespace tactus::mpr
