// The Minkowski difference A - B of two cores, in the core axes of A and relative to its origin: small numbers wherever
// in the world the pair is.
#pragma once

#include <tactus/engine/mpr/core.hpp>
#include <tactus/engine/mpr/signed_distance.hpp>

namespace tactus::mpr {

// A point w of A - B; a is its part on A, so a - w the one on B.
template<class T> struct Vertex {
    V3<T> w, a;
    Feature fa = 0, fb = 0;
    V3<T> b() const { return a - w; }
};

// Result in A's core axes, for the cores: the unit normal n from A to B, points a and b with b - a = distance n.
template<class T> struct Contact {
    T distance{};
    V3<T> n, a, b;
    Guarantee guarantee = Guarantee::exact;
};

template<class T> struct Pair {
    const CollisionShape &A, &B;
    M3<T> R;    // turns core axes of B into core axes of A
    V3<T> p;    // [m] origin of B
    T scale{};  // [m] size of the pair: what rounding is relative to
    int evaluations = 0;
    Feature hint_a = 0, hint_b = 0;

    Pair(const CollisionShape& shape_A, const Frame& X_WA, const CollisionShape& shape_B, const Frame& X_WB)
        : A{shape_A}, B{shape_B} {
        const int ax = A.axis, ay = ax == 2 ? 0 : ax + 1, az = ay == 2 ? 0 : ay + 1;
        const int bx = B.axis, by = bx == 2 ? 0 : bx + 1, bz = by == 2 ? 0 : by + 1;
        // Axis by axis, not by arrays: what was just written one by one is slow to read two at a time.
        const V3<T> b0 = column(X_WB.R, bx), b1 = column(X_WB.R, by), b2 = column(X_WB.R, bz);
        const V3<T> d{T(X_WB.p[0]) - T(X_WA.p[0]), T(X_WB.p[1]) - T(X_WA.p[1]), T(X_WB.p[2]) - T(X_WA.p[2])};
        const auto place = [&](const V3<T>& a, V3<T>& row, T& origin) {
            row = {dot(a, b0), dot(a, b1), dot(a, b2)};
            origin = dot(a, d);
        };
        place(column(X_WA.R, ax), R.row[0], p.x);
        place(column(X_WA.R, ay), R.row[1], p.y);
        place(column(X_WA.R, az), R.row[2], p.z);
        scale = T(A.size + B.size);
    }

    bool curved() const { return is_curved(A) || is_curved(B); }

    // [m] a ball of this radius rolls inside A - B everywhere: a local minimum of the depth that is smaller is the smallest.
    T rolling() const { return T(A.roundness - A.radius + B.roundness - B.radius); }

    // [m] inner point: centroid of A minus centroid of B.
    V3<T> inner_point() const { return in_core(A, A.centroid) - (R * in_core(B, B.centroid) + p); }

    Vertex<T> support(const V3<T>& d) {
        ++evaluations;
        Vertex<T> v;
        v.fa = hint_a, v.fb = hint_b;
        v.a = mpr::support(A, d, v.fa);
        v.w = v.a - (R * mpr::support(B, -R.transposed_times(d), v.fb) + p);
        hint_a = v.fa, hint_b = v.fb;
        return v;
    }

    // The vertex of two features, where the shapes are now, for the direction d.
    Vertex<T> again(Feature fa, Feature fb, const V3<T>& d) const {
        Vertex<T> v;
        v.fa = fa, v.fb = fb;
        v.a = point_a(d, fa);
        v.w = v.a - point_b(d, fb);
        return v;
    }

    V3<T> support_a(const V3<T>& d) const {
        Feature f = hint_a;
        return mpr::support(A, d, f);
    }

    // Points of features where n is the direction for A (and -n that for B).
    V3<T> point_a(const V3<T>& n, Feature f) const { return feature_point(A, n, f); }
    V3<T> point_b(const V3<T>& n, Feature f) const { return R * feature_point(B, -R.transposed_times(n), f) + p; }

    static V3<T> in_core(const CollisionShape& s, const Vec3& v) {
        return {T(v[s.axis]), T(v[(s.axis + 1) % 3]), T(v[(s.axis + 2) % 3])};
    }

private:
    static V3<T> column(const Mat3& m, int i) { return {T(m(0, i)), T(m(1, i)), T(m(2, i))}; }
};

}  // namespace tactus::mpr
