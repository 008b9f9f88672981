// The point of a simplex of one to four vertices that is closest to the origin.
#pragma once

#include <tactus/engine/mpr/pair.hpp>

namespace tactus::mpr {

template<class T> struct Simplex {
    Vertex<T> v[4];
    T weight[4]{};  // of the closest point
    int count = 0;
    V3<T> closest;
    bool inside = false;  // the origin lies in the tetrahedron

    void add(const Vertex<T>& vertex) { v[count++] = vertex; }

    bool has(const Vertex<T>& o) const {
        for (int i = 0; i < count; ++i)
            if (v[i].fa == o.fa && v[i].fb == o.fb) return true;
        return false;
    }

    V3<T> point_a() const {
        V3<T> sum;
        for (int i = 0; i < count; ++i) sum = sum + weight[i] * v[i].a;
        return sum;
    }

    // How far the weights miss the closest point, which they do where the simplex is long and narrow; squared.
    T missed2() const {
        V3<T> sum;
        for (int i = 0; i < count; ++i) sum = sum + weight[i] * v[i].w;
        return norm2(sum - closest);
    }

    // Keeps the smallest part that holds the closest point, of any simplex up to a triangle.
    void reduce() {
        if (count == 1) return keep(0);
        if (count == 2) return segment(0, 1);
        triangle(true);
    }

    // The same after a vertex was added that lies beyond the plane through the closest point: it belongs to the new part.
    void reduce_newest() {
        if (count == 2)
            segment(0, 1);
        else if (count == 3)
            triangle(false);
        else
            tetrahedron();
    }

private:
    void keep(int i) {
        v[0] = v[i];
        weight[0] = T(1);
        count = 1;
        closest = v[0].w;
    }

    // Place on the line i - j, from 0 to 1, and its squared distance.
    struct OnLine {
        T t, distance2;
        V3<T> point;
    };
    OnLine on_line(int i, int j) const {
        const V3<T>&a = v[i].w, &b = v[j].w;
        const V3<T> ab = b - a;
        const T t = -dot(a, ab), length2 = norm2(ab);
        if (t <= T(0)) return {T(0), norm2(a), a};
        if (t >= length2) return {T(1), norm2(b), b};
        const T s = t / length2;
        const V3<T> point = a + s * ab;
        return {s, norm2(point), point};
    }

    void take(int i, int j, const OnLine& line) {
        if (line.t <= T(0)) return keep(i);
        if (line.t >= T(1)) return keep(j);
        const Vertex<T> second = v[j];
        v[0] = v[i];
        v[1] = second;
        weight[0] = T(1) - line.t;
        weight[1] = line.t;
        count = 2;
        closest = line.point;
    }

    void segment(int i, int j) { take(i, j, on_line(i, j)); }

    struct OnTriangle {
        bool within;  // then weights of i, j, k
        T wi, wj, wk, distance2;
        V3<T> point;
        int from, to;  // else an edge
        OnLine line;
    };
    // `every`: also the edge i - j may be the closest, not only those that end in k.
    OnTriangle on_triangle(int i, int j, int k, const V3<T>& n, bool every) const {
        const V3<T>&a = v[i].w, &b = v[j].w, &c = v[k].w;
        const V3<T> m = cross(c, n);
        const T wi = dot(m, b), wj = -dot(m, a), wk = dot(n, cross(a, b));  // n.(b x c), n.(c x a), n.(a x b)
        OnTriangle r{};
        r.within = false;
        const T n2 = norm2(n);
        if (n2 > T(0) && wi >= T(0) && wj >= T(0) && wk >= T(0)) {
            const T f = T(1) / (wi + wj + wk);
            r.within = true;
            r.wi = wi * f, r.wj = wj * f, r.wk = wk * f;
            // Along the normal: exact however close the origin is. From the foot point, not from a vertex: the normal of a
            // long and narrow triangle is uncertain, and so would be the height of a vertex that is far away.
            const V3<T> foot = r.wi * a + r.wj * b + r.wk * c;
            r.point = (dot(n, foot) / n2) * n;
            r.distance2 = norm2(r.point);
            return r;
        }
        r.line = on_line(i, k);
        r.from = i, r.to = k;
        if (const OnLine other = on_line(j, k); other.distance2 < r.line.distance2) r.line = other, r.from = j;
        if (every)
            if (const OnLine other = on_line(i, j); other.distance2 < r.line.distance2)
                r.line = other, r.from = i, r.to = j;
        r.distance2 = r.line.distance2;
        return r;
    }

    void take(int i, int j, int k, const OnTriangle& r) {
        if (!r.within) return take(r.from, r.to, r.line);
        const Vertex<T> second = v[j], third = v[k];
        v[0] = v[i], v[1] = second, v[2] = third;
        weight[0] = r.wi, weight[1] = r.wj, weight[2] = r.wk;
        count = 3;
        closest = r.point;
    }

    void triangle(bool every) { take(0, 1, 2, on_triangle(0, 1, 2, cross(v[1].w - v[0].w, v[2].w - v[0].w), every)); }

    void tetrahedron() {
        const V3<T>& d = v[3].w;
        const V3<T> da = v[0].w - d, db = v[1].w - d, dc = v[2].w - d;
        const V3<T> nab = cross(da, db), nbc = cross(db, dc), nca = cross(dc, da);
        const T volume = dot(nab, dc);
        // Outside a face: the origin and the fourth vertex lie on different sides of it.
        const auto outside = [&](const V3<T>& n) { return volume >= T(0) ? dot(n, d) >= T(0) : dot(n, d) <= T(0); };
        OnTriangle best{};
        int i = -1, j = 0;
        const auto consider = [&](int a, int b, const V3<T>& n) {
            if (!outside(n)) return;
            const OnTriangle r = on_triangle(a, b, 3, n, false);
            if (i < 0 || r.distance2 < best.distance2) best = r, i = a, j = b;
        };
        consider(0, 1, nab);
        consider(1, 2, nbc);
        consider(2, 0, nca);
        if (i < 0) {
            inside = true;
            closest = {};
        } else {
            take(i, j, 3, best);
        }
    }
};

}  // namespace tactus::mpr
