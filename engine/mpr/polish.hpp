// Polish: from features that are known to be (nearly) the closest ones to the exact normal and points.
//
// The signed distance is the maximum over unit directions n of -h(n), where h is the support function of A - B. Flat
// parts of the two shapes fix n wholly or to a circle (Extreme); what is left is smooth, and Newton's method on it
// converges quadratically: the derivative of the tangential part of the support point s is H + d I, with the second
// derivative H of h and d = -s.n.
#pragma once

#include <tactus/engine/mpr/patch.hpp>

namespace tactus::mpr {

template<class T> class Polish {
public:
    // Features of A and B, by pairs. `hint` is where on A the contact is about: used where it is free to move.
    Polish(Pair<T>& pair, const Feature* fa, const Feature* fb, int count, const V3<T>& n, const V3<T>& hint)
        : pair_{pair}, n_{n}, hint_{hint}, a_{extreme(pair.A, fa, count, n)}, b_{extreme(pair.B, fb, count,
                                                                                         -pair.R.transposed_times(n))} {
    }

    // True if the result is proven: both points belong to their shapes, and nothing lies beyond the planes through them.
    bool solve(Contact<T>& contact) { return find_normal() && find_points(contact); }

    // The same where both cores are smooth all around: every point with the normal n is extreme.
    bool solve_smooth(Contact<T>& contact) {
        if (!anywhere()) return false;
        Sym3<T> unused;
        const V3<T> a = Patch<T>::on_a(pair_, 0).point(n_, unused), b = Patch<T>::on_b(pair_, 0).point(n_, unused);
        contact = {dot(b - a, n_), n_, a, b, Guarantee::exact};
        return true;
    }

private:
    bool find_normal() {
        if (a_.kind == Directions::unknown || b_.kind == Directions::unknown) return false;
        if (a_.kind == Directions::one) return n_ = a_.w, true;
        if (b_.kind == Directions::one) return n_ = -(pair_.R * b_.w), true;
        const bool circle_a = a_.kind == Directions::circle, circle_b = b_.kind == Directions::circle;
        const V3<T> wb = pair_.R * b_.w;
        if (circle_a && circle_b) {
            const T k = dot(a_.w, wb), rest = T(1) - k * k;
            if (rest < T(1e-8)) return on_circle(a_.w, a_.c);
            const T c1 = a_.c, c2 = -b_.c;
            const T f = (c1 - k * c2) / rest, g = (c2 - k * c1) / rest, left = (T(1) - f * c1 - g * c2) / rest;
            if (!(left > T(0))) return false;
            using std::sqrt;
            const V3<T> across = cross(a_.w, wb);
            n_ = f * a_.w + g * wb + (dot(across, n_) < T(0) ? -sqrt(left) : sqrt(left)) * across;
            n_ = normalized(n_);
            return true;
        }
        if (circle_a) return on_circle(a_.w, a_.c);
        if (circle_b) return on_circle(wb, -b_.c);
        return anywhere();
    }

    // Both tangential and smooth: H n = 0, so H + d I maps the plane across n to itself, and n to d n; with more along n
    // it is regular there, and the step stays in the plane.
    bool anywhere() {
        using std::abs;
        const Patch<T> a = Patch<T>::on_a(pair_, a_.first), b = Patch<T>::on_b(pair_, b_.first);
        T last = T(1e300);
        for (int i = 0; i < most_steps; ++i) {
            Sym3<T> H;
            const V3<T> s = a.point(n_, H) - b.point(n_, H);
            const T d = -dot(s, n_);
            const V3<T> g = s + d * n_;
            const T g2 = norm2(g);
            if (g2 <= T(1e-30) * pair_.scale * pair_.scale) return true;
            if (i > 2 && g2 >= T(0.25) * last) return g2 <= T(1e-24) * pair_.scale * pair_.scale;
            last = g2;
            const bool mild = H.xx + H.yy + H.zz <= T(4) * pair_.scale;
            H.xx = H.xx + d, H.yy = H.yy + d, H.zz = H.zz + d;
            H.add(abs(d) + pair_.scale, n_);
            const T c0 = H.yy * H.zz - H.yz * H.yz, c1 = H.xz * H.yz - H.xy * H.zz, c2 = H.xy * H.yz - H.xz * H.yy;
            const T minor = H.xx * H.yy - H.xy * H.xy, det = H.xx * c0 + H.xy * c1 + H.xz * c2;
            if (!(H.xx > T(0)) || !(minor > T(0)) || !(det > T(0))) return false;  // no minimum near here
            const Sym3<T> adjugate{c0, c1, c2, H.xx * H.zz - H.xz * H.xz, H.xy * H.xz - H.xx * H.yz, minor};
            V3<T> step = (T(-1) / det) * (adjugate * g);
            const T length2 = norm2(step);
            if (length2 > T(0.1)) {
                using std::sqrt;
                step = (T(0.3) / sqrt(length2)) * step;
            }
            n_ = normalized(n_ + step);
            if (mild && g2 * length2 <= T(1e-28) * pair_.scale * pair_.scale)
                return true;  // what is left is the square
        }
        return false;
    }

    bool on_circle(const V3<T>& w, const T& c) {
        using std::abs;
        using std::sqrt;
        const Patch<T> a = Patch<T>::on_a(pair_, a_.first), b = Patch<T>::on_b(pair_, b_.first);
        const T radius = sqrt(T(1) - c * c);
        const auto put = [&](const V3<T>& v) {
            const V3<T> m = v - dot(v, w) * w;
            const T length = norm(m);
            if (!(length > T(1e-8))) return false;
            n_ = c * w + (radius / length) * m;
            return true;
        };
        if (!put(n_)) return false;
        T last = T(1e300);
        for (int i = 0; i < most_steps; ++i) {
            T bend{};
            const V3<T> along = cross(w, n_), s = a.point(n_, along, bend) - b.point(n_, along, bend);
            const T g = dot(s, along);
            if (abs(g) <= T(1e-15) * pair_.scale) return true;
            if (i > 2 && abs(g) >= T(0.5) * last) return abs(g) <= T(1e-12) * pair_.scale;
            last = abs(g);
            const T slope = bend + dot(s, c * w - n_);
            if (!(slope > T(0))) return false;
            T step = -g / slope;
            if (abs(step) > T(0.3)) step = step > T(0) ? T(0.3) : T(-0.3);
            if (!put(n_ + step * along)) return false;
            if (abs(g * step) <= T(1e-14) * pair_.scale) return true;
        }
        return false;
    }

    bool find_points(Contact<T>& contact) {
        const Vertex<T> v = pair_.support(n_);
        const T d = -dot(v.w, n_), slack = T(3e-13) * pair_.scale;
        const bool flat_a = a_.kind == Directions::one, flat_b = b_.kind == Directions::one;
        V3<T> a, b;
        if (flat_a && flat_b) {
            a = hint_;
            const T beyond = dot(a, n_) - dot(pair_.support_a(n_), n_);
            a = a - beyond * n_;
            b = a + d * n_;
        } else if (flat_a) {
            b = on_edge(b_, pair_.point_b(n_, b_.first), pair_.point_b(n_, b_.second), hint_ + d * n_);
            a = b - d * n_;
        } else if (flat_b) {
            a = on_edge(a_, pair_.point_a(n_, a_.first), pair_.point_a(n_, a_.second), hint_);
            b = a + d * n_;
        } else if (a_.kind == Directions::any && b_.kind == Directions::any && v.fa == a_.first && v.fb == b_.first) {
            a = v.a, b = v.b();
        } else if (!edges_meet(a, b)) {
            return false;
        }
        if (norm2(b - a - d * n_) > slack * slack) return false;
        if (flat_a && !contains(pair_.A, a, slack)) return false;
        if (flat_b && !contains(pair_.B, pair_.R.transposed_times(b - pair_.p), slack)) return false;
        contact = {d, n_, a, b, Guarantee::exact};
        return true;
    }

    static V3<T> on_edge(const Extreme<T>& e, const V3<T>& p, const V3<T>& q, const V3<T>& near) {
        if (e.kind != Directions::circle) return p;
        const V3<T> u = q - p;
        T t = dot(near - p, u) / norm2(u);
        t = t < T(0) ? T(0) : t > T(1) ? T(1) : t;
        return p + t * u;
    }

    // The points of two edges (or points) that lie opposite each other along n.
    bool edges_meet(V3<T>& a, V3<T>& b) const {
        const V3<T> a0 = pair_.point_a(n_, a_.first), b0 = pair_.point_b(n_, b_.first);
        const bool edge_a = a_.kind == Directions::circle, edge_b = b_.kind == Directions::circle;
        const V3<T> u = edge_a ? pair_.point_a(n_, a_.second) - a0 : V3<T>{};
        const V3<T> v = edge_b ? pair_.point_b(n_, b_.second) - b0 : V3<T>{};
        const T slack = T(1e-12);
        const auto within = [&](const T& t) { return t >= -slack && t <= T(1) + slack; };
        const V3<T> d = b0 - a0;
        T s{}, t{};
        if (edge_a && edge_b) {
            const T uu = norm2(u), vv = norm2(v), uv = dot(u, v), det = uu * vv - uv * uv;
            const T du = dot(d, u), dv = dot(d, v);
            if (det > T(1e-8) * uu * vv) {
                s = (vv * du - uv * dv) / det;
                t = (uv * du - uu * dv) / det;
            } else {  // side by side: the middle of where they overlap
                T lo = du / uu, hi = lo + uv / uu;
                if (lo > hi) std::swap(lo, hi);
                lo = lo < T(0) ? T(0) : lo;
                hi = hi > T(1) ? T(1) : hi;
                s = T(0.5) * (lo + hi);
                if (lo > hi) return false;
                t = (s * uv - dv) / vv;
            }
        } else if (edge_a) {
            s = dot(d, u) / norm2(u);
        } else if (edge_b) {
            t = -dot(d, v) / norm2(v);
        }
        if (!within(s) || !within(t)) return false;
        a = a0 + s * u;
        b = b0 + t * v;
        return true;
    }

    static constexpr int most_steps = 9;

    Pair<T>& pair_;
    V3<T> n_, hint_;
    Extreme<T> a_, b_;
};

}  // namespace tactus::mpr
