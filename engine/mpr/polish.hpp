// Polish: from features that are known to be (nearly) the closest ones to the exact normal and points.
//
// The signed distance is the maximum over unit directions n of -h(n), where h is the support function of A - B. Flat
// parts of the two shapes fix n wholly or to a circle (Extreme); what is left is smooth, and Newton's method on it
// converges quadratically: the derivative of the tangential part of the support point s is H + d I, with the second
// derivative H of h and d = -s.n.
#pragma once

#include <tactus/engine/mpr/foot.hpp>
#include <tactus/engine/mpr/turning.hpp>

#include <type_traits>

namespace tactus::mpr {

// Features of one core that are extreme together, and the directions in which they are.
template<class T> struct Side {
    Feature features[3] = {};
    int count = 0;
    Cap cap = Cap::guess;
    Extreme<T> extreme{};

    bool flat() const { return extreme.kind == Directions::one; }
    bool edge() const { return extreme.kind == Directions::circle; }
    bool single() const { return extreme.kind == Directions::any; }

    // False if it is one of them already, or they are a face.
    bool add(Feature f) {
        for (int i = 0; i < count; ++i)
            if (features[i] == f) return false;
        if (count == 3) return false;
        features[count++] = f;
        return true;
    }
    bool only(Feature f) { return features[0] = f, count = 1, true; }

    // Up to three, each of them once.
    void take(const Feature* f, int given) {
        features[0] = f[0], count = 1;
        if (given > 1) features[1] = f[1], count += f[1] != f[0];
        if (given > 2) features[count] = f[2], count += f[2] != f[0] && f[2] != features[count - 1];
    }
};

template<class T> class Polish {
public:
    // Features of A and B, by pairs. n_a and n_b are about the normal, outwards in the core axes of each shape; `hint` is
    // where on A the contact is about: used where it is free to move.
    Polish(Pair<T>& pair, const Feature* fa, const Feature* fb, int count, const V3<T>& n_a, const V3<T>& n_b,
           const V3<T>& hint)
        : pair_{pair}, n_{n_a}, hint_{hint} {
        a_.take(fa, count);
        b_.take(fb, count);
        measure(n_b);
    }
    Polish(Pair<T>& pair, const Feature* fa, const Feature* fb, int count, const V3<T>& n, const V3<T>& hint)
        : Polish{pair, fa, fb, count, n, -pair.R.transposed_times(n), hint} {}

    // True if the result is proven: both points belong to their shapes, and nothing lies beyond the planes through them.
    // Where the proof fails, it often tells which features are the right ones: then those are tried, `moves` times.
    bool solve(Contact<T>& contact, int moves = 2) {
        const V3<T> start = n_;
        for (;;) {
            const Step step = attempt(contact);
            if (step == Step::proven) return true;
            if (step == Step::move_on) {
                if (moves-- == 0) return false;
                moved_ = true;
                a_.cap = b_.cap = Cap::guess;
            } else {
                n_ = start;
                if (!read_otherwise(step)) return false;
            }
            measure(-pair_.R.transposed_times(n_));
        }
    }

    // The features that were right, by pairs; false if they are those it began with.
    bool moved(Feature* fa, Feature* fb, int& count) const {
        if (!moved_) return false;
        count = a_.count > b_.count ? a_.count : b_.count;
        for (int i = 0; i < count; ++i) {
            fa[i] = a_.features[i < a_.count ? i : 0];
            fb[i] = b_.features[i < b_.count ? i : 0];
        }
        return true;
    }

    // The same where both cores are smooth all around: every point with the normal n is extreme.
    bool solve_smooth(Contact<T>& contact) {
        const Patch<T> on_a = Patch<T>::on_a(pair_, 0), on_b = Patch<T>::on_b(pair_, 0);
        const T slack = T(3e-13) * pair_.scale;
        // The curvature of a needle changes within a thousandth of a radian: there the last step may leave more than its
        // square, and needs another one.
        for (int tries = 0; tries < 2; ++tries) {
            if (!anywhere(on_a, on_b)) return false;
            Sym3<T> unused;
            const V3<T> a = on_a.point(n_, unused), b = on_b.point(n_, unused);
            const T d = dot(b - a, n_);
            contact = {d, n_, a, b, Guarantee::exact};
            if (norm2(b - a - d * n_) <= slack * slack) return true;
        }
        return false;
    }

private:
    enum class Step : std::uint8_t { proven, no_normal, no_points, move_on };

    void measure(const V3<T>& n_b) {
        a_.extreme = extreme(pair_.A, a_.features, a_.count, n_, a_.cap);
        b_.extreme = extreme(pair_.B, b_.features, b_.count, n_b, b_.cap);
    }

    // A cap instead of its rim where there is no normal, the rim instead of the cap where the points lie beside it.
    bool read_otherwise(Step failed) {
        const auto read = [failed](Side<T>& side, const CollisionShape& s, const V3<T>& n) {
            const bool round = s.kind == CoreKind::round;
            if (side.cap != Cap::guess || !(round || s.kind == CoreKind::stadium)) return false;
            const bool up = round ? side.features[0] == 1 : (side.features[0] & 4) == 0;
            const T along = round ? n.x : n.z;
            if ((up ? along : -along) < T(0.9)) return false;
            if (failed == Step::no_normal ? !side.single() : !side.flat()) return false;
            side.cap = failed == Step::no_normal ? Cap::yes : Cap::no;
            return true;
        };
        return read(a_, pair_.A, n_) || read(b_, pair_.B, -pair_.R.transposed_times(n_));
    }

    Step attempt(Contact<T>& contact) {
        if constexpr (std::is_same_v<T, double>) {
            Foot foot;
            if (b_.single() && is_vertex(pair_.B, b_.features[0]) && has_foot(pair_.A)) {
                const V3<T> own = feature_point(pair_.B, n_, b_.features[0]), b = pair_.R * own + pair_.p;
                foot_of(pair_.A, b, foot);
                if (is_near(foot, n_)) return vertex_of_b(contact, own, b, foot);
            } else if (a_.single() && is_vertex(pair_.A, a_.features[0]) && has_foot(pair_.B)) {
                const V3<T> a = feature_point(pair_.A, n_, a_.features[0]);
                foot_of(pair_.B, pair_.R.transposed_times(a - pair_.p), foot);
                if (is_near(foot, -pair_.R.transposed_times(n_))) return vertex_of_a(contact, a, foot);
            }
        }
        return find_normal() ? find_points(contact) : Step::no_normal;
    }

    // A point inside a core has a foot on each side of it: only the one that was asked for counts. One that came out on the
    // far side of a core that it pierces has its foot there.
    static bool is_near(const Foot& foot, const V3<T>& n) { return dot(foot.n, n) > (foot.distance > 0 ? 0 : 0.95); }

    // A vertex and any place of the other core: a formula. Proven if the vertex is extreme.
    Step vertex_of_b(Contact<T>& contact, const V3<T>& own, const V3<T>& b, const Foot& foot) {
        n_ = foot.n;
        if (!is_extreme(pair_.B, own, -pair_.R.transposed_times(n_), b_, pair_.hint_b)) {
            features_at(pair_.A, foot.n, a_);
            return Step::move_on;
        }
        contact = {foot.distance, n_, foot.point, b, Guarantee::exact};
        return Step::proven;
    }
    Step vertex_of_a(Contact<T>& contact, const V3<T>& a, const Foot& foot) {
        n_ = -(pair_.R * foot.n);
        if (!is_extreme(pair_.A, a, n_, a_, pair_.hint_a)) {
            features_at(pair_.B, foot.n, b_);
            return Step::move_on;
        }
        contact = {foot.distance, n_, a, pair_.R * foot.point + pair_.p, Guarantee::exact};
        return Step::proven;
    }

    // Whether the vertex p of a core is extreme; if not, what is joins the side's features.
    bool is_extreme(const CollisionShape& s, const V3<T>& p, const V3<T>& n, Side<T>& side, Feature& hint) {
        ++pair_.evaluations;
        const V3<T> most = support(s, n, hint);
        if (dot(n, most - p) <= T(1e-14) * pair_.scale) return true;
        side.add(hint);
        return false;
    }

    // The features of a core that are extreme in a direction, where several are at once.
    static void features_at(const CollisionShape& s, const V3<T>& n, Side<T>& side) {
        using std::abs;
        using std::sqrt;
        const T level = T(1e-9);
        Feature f = 0;
        support(s, n, f);
        side.only(f);
        if (s.kind == CoreKind::round) {
            const T across = sqrt(n.y * n.y + n.z * n.z);
            if (abs(T(s.r2 - s.r1) * across + T(s.z2 - s.z1) * n.x) <= level * T(s.size)) side.add(f ^ 1);
            return;
        }
        if (abs(n.x) <= level) side.add(f ^ 1);
        if (abs(n.y) <= level && s.kind == CoreKind::box) side.add(f ^ 2);
        if (abs(n.z) <= level && s.kind != CoreKind::segment) side.add(f ^ 4);
    }

    bool find_normal() {
        const Extreme<T>&on_a = a_.extreme, &on_b = b_.extreme;
        if (on_a.kind == Directions::unknown || on_b.kind == Directions::unknown) return false;
        if (a_.flat()) return n_ = on_a.w, true;
        if (b_.flat()) return n_ = -(pair_.R * on_b.w), true;
        const V3<T> wb = pair_.R * on_b.w;
        if (a_.edge() && b_.edge()) {
            const T k = dot(on_a.w, wb), rest = T(1) - k * k;
            if (rest < T(1e-8)) return on_circle(on_a.w, on_a.c, on_a.r, true);
            const T c1 = on_a.c, c2 = -on_b.c;
            const T f = (c1 - k * c2) / rest, g = (c2 - k * c1) / rest, left = (T(1) - f * c1 - g * c2) / rest;
            if (!(left > T(0))) return false;
            using std::sqrt;
            const V3<T> across = cross(on_a.w, wb);
            n_ = f * on_a.w + g * wb + (dot(across, n_) < T(0) ? -sqrt(left) : sqrt(left)) * across;
            n_ = normalized(n_);
            return true;
        }
        // Around an axis towards a vertex; else by Newton's method.
        if (a_.edge()) {
            if (pair_.A.kind == CoreKind::round && is_vertex(pair_.B, on_b.first) &&
                turn(on_a.w, on_a.c, on_a.r, pair_.point_b(n_, on_b.first)))
                return true;
            return on_circle(on_a.w, on_a.c, on_a.r, true);
        }
        if (b_.edge()) {
            if (pair_.B.kind == CoreKind::round && is_vertex(pair_.A, on_a.first) &&
                turn(wb, -on_b.c, on_b.r, pair_.p - pair_.point_a(n_, on_a.first)))
                return true;
            return on_circle(wb, -on_b.c, on_b.r, false);
        }
        return anywhere(Patch<T>::on_a(pair_, on_a.first), Patch<T>::on_b(pair_, on_b.first));
    }

    // Both tangential and smooth: H n = 0, so H + d I maps the plane across n to itself, and n to d n; with more along n
    // it is regular there, and the step stays in the plane.
    bool anywhere(const Patch<T>& a, const Patch<T>& b) {
        using std::abs;
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

    // The part of v that is across the unit vector w. Where little of it is left, rounding leaves some of w in it.
    static V3<T> part_across(const V3<T>& v, const V3<T>& w) {
        const V3<T> m = v - dot(v, w) * w;
        return norm2(m) < T(1e-6) * norm2(v) ? m - dot(m, w) * w : m;
    }

    // The direction on the circle that is closest to v; false if all are.
    bool turn(const V3<T>& w, const T& c, const T& radius, const V3<T>& v) {
        const V3<T> m = part_across(v, w);
        const T length = norm(m);
        if (!(length > T(1e-8) * pair_.scale)) return false;
        n_ = renormalized(c * w + (radius / length) * m);
        return true;
    }

    // n = c w + radius m, with a unit vector m across w that turns. The circle is that of an edge of A, or of B; a flank
    // that turns about its axis is as good as any point of the axis.
    bool on_circle(const V3<T>& w, const T& c, const T& radius, bool of_a) {
        using std::abs;
        const bool flank_a = of_a && pair_.A.kind == CoreKind::round,
                   flank_b = !of_a && pair_.B.kind == CoreKind::round;
        const Patch<T> a = flank_a ? Patch<T>::at({}) : Patch<T>::on_a(pair_, a_.extreme.first);
        const Patch<T> b = flank_b ? Patch<T>::at(pair_.p) : Patch<T>::on_b(pair_, b_.extreme.first);
        V3<T> m = part_across(n_, w);
        const T length = norm(m);
        if (!(length > T(1e-8))) return false;
        m = (T(1) / length) * m;
        if (!a.is_ellipsoid() && !b.is_ellipsoid()) return turn_to_minimum(Turning<T>{w, c, m, radius, a, b});
        T last = T(1e300);
        for (int i = 0; i < most_steps; ++i) {
            n_ = c * w + radius * m;
            T bend{};
            const V3<T> across = cross(w, m), along = radius * across;
            const V3<T> s = a.point(n_, along, bend) - b.point(n_, along, bend);
            const T g = dot(s, along);
            if (abs(g) <= T(1e-15) * pair_.scale) return true;
            if (i > 2 && abs(g) >= T(0.5) * last) return abs(g) <= T(1e-12) * pair_.scale;
            last = abs(g);
            const T slope = bend - radius * dot(s, m);
            if (!(slope > T(0))) return false;
            T step = -g / slope;
            if (abs(step) > T(0.3)) step = step > T(0) ? T(0.3) : T(-0.3);
            const T half = T(0.5) * step, f = T(1) / (T(1) + half * half);  // tangent of half the angle: no root
            m = (f * (T(1) - half * half)) * m + (f * step) * across;
            if (abs(g * step) <= T(1e-14) * pair_.scale) return n_ = c * w + radius * m, true;
        }
        return false;
    }

    // The same without ellipsoids.
    bool turn_to_minimum(Turning<T> turning) {
        using std::abs;
        T last = T(1e300);
        for (int i = 0; i < most_steps; ++i) {
            T g, slope, bend;
            turning.derivatives(g, slope, bend);
            const bool level = abs(g) <= T(1e-15) * pair_.scale;
            if (level || (i > 2 && abs(g) >= T(0.5) * last)) {
                n_ = turning.direction();
                return level || abs(g) <= T(1e-12) * pair_.scale;
            }
            last = abs(g);
            if (!(slope > T(0))) return false;
            // Halley's method: what is left is the third power.
            const T square = slope * slope, less = square - T(0.5) * g * bend;
            T step = -g * slope / (less > T(0.5) * square ? less : square);
            if (abs(step) > T(0.3)) step = step > T(0) ? T(0.3) : T(-0.3);
            turning.turn(step);
            if (abs(g * step * step) <= T(1e-17) * pair_.scale) return n_ = turning.direction(), true;
        }
        return false;
    }

    // What a side has to offer in a direction: the points of its features (of an edge both ends, else the first), and what is
    // farthest of all.
    struct Offer {
        V3<T> first, second, farthest;
        Feature out;
    };
    static Offer offer(const CollisionShape& s, const Side<T>& side, const V3<T>& n, Feature& hint) {
        using std::sqrt;
        const Extreme<T>& e = side.extreme;
        Offer offer;
        // All rims at once, and no guess which of them it is.
        if (s.kind == CoreKind::round) {
            const T across = sqrt(n.y * n.y + n.z * n.z), f = across > T(0) ? T(1) / across : T(0);
            const bool top = T(s.r2 - s.r1) * across + T(s.z2 - s.z1) * n.x > T(0);
            const auto at = [&](bool upper) {
                const T r = T(either(upper, s.r2, s.r1)) * f;
                return V3<T>{T(either(upper, s.z2, s.z1)), r * n.y, r * n.z};
            };
            offer.first = at(e.first), offer.second = at(e.second), offer.farthest = at(top);
            offer.out = hint = top;
            return offer;
        }
        if (s.kind == CoreKind::stadium) {
            const T across = sqrt(n.x * n.x + n.y * n.y), f = across > T(0) ? T(s.half[1]) / across : T(0);
            const auto at = [&](Feature k) {
                return V3<T>{T(turned(k & 1, s.half[0])) + f * n.x, f * n.y, T(turned(k & 4, s.half[2]))};
            };
            offer.out = hint = Feature(n.x < T(0)) | Feature(n.z < T(0)) << 2;
            offer.first = at(e.first), offer.second = at(e.second), offer.farthest = at(hint);
            return offer;
        }
        offer.farthest = support(s, n, hint);
        offer.out = hint;
        const auto point = [&](Feature f) { return f == hint ? offer.farthest : feature_point(s, n, f); };
        if (!side.flat()) offer.first = point(e.first);
        if (side.edge()) offer.second = point(e.second);
        return offer;
    }

    Step find_points(Contact<T>& contact) {
        ++pair_.evaluations;
        const V3<T> n_b = -pair_.R.transposed_times(n_);
        const Offer of_a = offer(pair_.A, a_, n_, pair_.hint_a), of_b = offer(pair_.B, b_, n_b, pair_.hint_b);
        const auto to_a = [&](const V3<T>& own) { return pair_.R * own + pair_.p; };
        const T d = dot(pair_.p, n_) - dot(of_a.farthest, n_) - dot(of_b.farthest, n_b), slack = T(3e-13) * pair_.scale;
        V3<T> a, b;
        if (a_.flat() && b_.flat()) {
            a = hint_;
            const T beyond = dot(a, n_) - dot(of_a.farthest, n_);
            a = a - beyond * n_;
            b = a + d * n_;
        } else if (a_.flat()) {
            b = b_.edge() ? on_edge(to_a(of_b.first), to_a(of_b.second), hint_ + d * n_) : to_a(of_b.first);
            a = b - d * n_;
        } else if (b_.flat()) {
            a = a_.edge() ? on_edge(of_a.first, of_a.second, hint_) : of_a.first;
            b = a + d * n_;
        } else {
            T s{}, t{};
            a = of_a.first, b = to_a(of_b.first);
            const V3<T> u = a_.edge() ? of_a.second - of_a.first : V3<T>{};
            const V3<T> v = b_.edge() ? pair_.R * (of_b.second - of_b.first) : V3<T>{};
            if (!edges_meet(b - a, u, v, s, t)) return move_on(of_a.out, of_b.out, s, t);
            a = a + s * u, b = b + t * v;
        }
        if (norm2(b - a - d * n_) > slack * slack) return move_on(of_a.out, of_b.out, T(0.5), T(0.5));
        if (a_.flat() && !is_on(pair_.A, a_, n_, a, slack)) return Step::no_points;
        if (b_.flat() && !is_on(pair_.B, b_, n_b, pair_.R.transposed_times(b - pair_.p), slack)) return Step::no_points;
        contact = {d, n_, a, b, Guarantee::exact};
        return Step::proven;
    }

    // Whether a point in the support plane of a flat side belongs to the core. Of a hull most do to the triangle that is known,
    // if that lies in the plane.
    static bool is_on(const CollisionShape& s, const Side<T>& side, const V3<T>& n, const V3<T>& p, const T& slack) {
        using std::abs;
        if (s.kind == CoreKind::hull && side.count == 3) {
            V3<T> to[3];
            bool in_plane = true;
            for (int k = 0; k < 3; ++k) {
                to[k] = feature_point(s, n, side.features[k]) - p;
                in_plane = in_plane && abs(dot(n, to[k])) <= slack;
            }
            const T x = dot(n, cross(to[0], to[1])), y = dot(n, cross(to[1], to[2])), z = dot(n, cross(to[2], to[0]));
            const bool around = (x > T(0) && y > T(0) && z > T(0)) || (x < T(0) && y < T(0) && z < T(0));
            if (in_plane && around) return true;
        }
        return contains(s, p, slack);
    }

    // Beyond the end of an edge, that end is next; beside something that lies farther out, that joins.
    Step move_on(Feature out_a, Feature out_b, const T& s, const T& t) {
        const auto next = [](Side<T>& side, const T& place, Feature out) {
            if (side.flat()) return false;
            if (side.edge() && place < T(0)) return side.only(side.extreme.first);
            if (side.edge() && place > T(1)) return side.only(side.extreme.second);
            return side.add(out);
        };
        const bool on_a = next(a_, s, out_a), on_b = next(b_, t, out_b);
        return on_a || on_b ? Step::move_on : Step::no_points;
    }

    static V3<T> on_edge(const V3<T>& p, const V3<T>& q, const V3<T>& near) {
        const V3<T> u = q - p;
        T t = dot(near - p, u) / norm2(u);
        t = t < T(0) ? T(0) : t > T(1) ? T(1) : t;
        return p + t * u;
    }

    // The places s and t, from 0 to 1, where two edges u and v (or points) lie opposite each other along n; d leads from the
    // begin of the first to that of the second.
    bool edges_meet(const V3<T>& d, const V3<T>& u, const V3<T>& v, T& s, T& t) const {
        const bool edge_a = a_.edge(), edge_b = b_.edge();
        const T slack = T(1e-12);
        const auto within = [&](const T& place) { return place >= -slack && place <= T(1) + slack; };
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
        const auto on = [](const T& place) { return place < T(0) ? T(0) : place > T(1) ? T(1) : place; };
        s = on(s), t = on(t);  // the least part of a long edge is far
        return true;
    }

    static constexpr int most_steps = 9;

    Pair<T>& pair_;
    V3<T> n_, hint_;
    Side<T> a_, b_;
    bool moved_ = false;
};

}  // namespace tactus::mpr
