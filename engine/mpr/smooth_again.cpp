#include <tactus/engine/mpr/again.hpp>

#include <tactus/engine/mpr/lanes.hpp>
#include <tactus/engine/mpr/patch.hpp>
#include <tactus/engine/mpr/world_axes.hpp>

namespace tactus::mpr {

namespace {

// Pairs whose cores are seen along a first guess of the normal: in axes whose third is that guess. A direction near it is
// (x, y, 1), and what is sought are two numbers. T holds the numbers of one pair, or of several in its lanes.
template<class T> struct AlongNormal {
    using AB = Both<T>;
    using V = V3<T>;

    V t1, t2, n;     // the axes, in world axes
    V3<AB> axis[3];  // of the ellipsoids
    Sym3<AB> shape;  // squares of the half lengths, turned
    V p;             // [m] centre of B
    T x{}, y{};      // the direction

    AlongNormal(const DistancePair* const* pairs, const V& guess) : n{guess} {
        const T one{1.0}, up = copysign(one, n.z), f = -(one / (up + n.z)), g = n.x * n.y * f;
        t1 = {one + up * n.x * n.x * f, up * g, -up * n.x};
        t2 = {g, up + n.y * n.y * f, -n.y};
        for (int i = 0; i < 3; ++i) {
            const V3<AB> c = columns(pairs, i);
            axis[i] = {AB{t1.x} * c.x + AB{t1.y} * c.y + AB{t1.z} * c.z,
                       AB{t2.x} * c.x + AB{t2.y} * c.y + AB{t2.z} * c.z, AB{n.x} * c.x + AB{n.y} * c.y + AB{n.z} * c.z};
            const AB half = both(pairs, [i](const CollisionShape& s, const Frame&) { return s.half[i]; });
            shape.add(half * half, axis[i]);
        }
        const auto between = [pairs](int i) {
            return each<T>([&](int k) { return pairs[k]->X_WB->p[i] - pairs[k]->X_WA->p[i]; });
        };
        const V d{between(0), between(1), between(2)};
        p = {dot(t1, d), dot(t2, d), dot(n, d)};
    }

    template<class F> TACTUS_ALWAYS_INLINE static AB both(const DistancePair* const* pairs, F value) {
        return {each<T>([&](int k) { return value(*pairs[k]->A, *pairs[k]->X_WA); }),
                each<T>([&](int k) { return value(*pairs[k]->B, *pairs[k]->X_WB); })};
    }
    static V3<AB> columns(const DistancePair* const* pairs, int i) {
        const auto row = [&](int r) {
            return both(pairs, [r, i](const CollisionShape&, const Frame& X) { return X.R(r, i); });
        };
        return {row(0), row(1), row(2)};
    }

    V to_world(const V& v) const { return v.x * t1 + v.y * t2 + v.z * n; }

    // The points with the normal (x, y, 1), from the centres (that of B backwards); f: 1 / support function.
    V3<AB> points(AB& f) const {
        const AB X{x}, Y{y};
        const V3<AB> m{shape.xx * X + shape.xy * Y + shape.xz, shape.xy * X + shape.yy * Y + shape.yz,
                       shape.xz * X + shape.yz * Y + shape.zz};
        f = inverse_root(m.x * X + m.y * Y + m.z);
        return f * m;
    }

    static AB inverse_root(AB square) {
        return AB{T{1.0}} / sqrt(square + AB{T{1e-300}});
    }  // a sphere's core is a point
};

// Jacobian of the two numbers that vanish at the normal, and the step to there.
template<class T> struct Step2 {
    T xx, xy, yx, yy, f;

    // False if there is no minimum near here.
    auto set(T jxx, T jxy, T jyx, T jyy) {
        xx = jxx, xy = jxy, yx = jyx, yy = jyy;
        const T det = xx * yy - xy * yx, zero{};
        f = -(T{1.0} / det);
        return (zero < xx) & (zero < det);
    }
    void solve(T gx, T gy, T& sx, T& sy) const {
        sx = f * (yy * gx - xy * gy);
        sy = f * (xx * gy - yx * gx);
    }
};

// The first step, from (0, 0, 1), with the next term of the series: what is left is of third order.
template<class T> auto first_step(AlongNormal<T>& at) {
    using AB = Both<T>;
    const Sym3<AB>& S = at.shape;
    const AB f = AlongNormal<T>::inverse_root(S.zz), px = f * S.xz, py = f * S.yz, pz = f * S.zz;
    const AB hxx = f * (S.xx - px * px), hxy = f * (S.xy - px * py), hyy = f * (S.yy - py * py);
    const T d = at.p.z - sum(pz), xy = sum(hxy);
    Step2<T> step;
    const auto minimum = step.set(sum(hxx) + d, xy, xy, sum(hyy) + d);
    T x, y;
    step.solve(sum(px) - at.p.x, sum(py) - at.p.y, x, y);
    const AB X{x}, Y{y}, along = px * X + py * Y, qx = hxx * X + hxy * Y, qy = hxy * X + hyy * Y;
    const AB twice = along + along, bend = qx * X + qy * Y;
    T x2, y2;
    step.solve(sum(f * (twice * qx + bend * px)), sum(f * (twice * qy + bend * py)), x2, y2);
    at.x = x - T{0.5} * x2, at.y = y - T{0.5} * y2;
    return minimum & (x * x + y * y < T{0.01});
}

// Newton's method to the end, in each lane of `going`.
template<class T, class Flags> Flags last_steps(AlongNormal<T>& at, T scale, Flags going) {
    using AB = Both<T>;
    Flags done = !(going | !going);
    for (int i = 0; i < 4; ++i) {
        AB f;
        const V3<AB> p = at.points(f);
        const T d = at.p.z - sum(p.z), gx = sum(p.x) - at.p.x + d * at.x, gy = sum(p.y) - at.p.y + d * at.y;
        const Sym3<AB>& S = at.shape;
        const T hxx = sum(f * (S.xx - p.x * p.x)), hxy = sum(f * (S.xy - p.x * p.y)), hyy = sum(f * (S.yy - p.y * p.y)),
                hxz = sum(f * (S.xz - p.x * p.z)), hyz = sum(f * (S.yz - p.y * p.z));
        Step2<T> step;
        going = going & step.set(hxx + d - at.x * hxz, hxy - at.x * hyz, hxy - at.y * hxz, hyy + d - at.y * hyz);
        if (bits(going) == 0) break;
        T x, y;
        step.solve(gx, gy, x, y);
        at.x = pick(going, at.x + x, at.x), at.y = pick(going, at.y + y, at.y);
        const T g2 = gx * gx + gy * gy, scale2 = scale * scale;
        const auto mild = hxx + hyy <= T{4.0} * scale;
        // What is left is the square.
        const auto close = (g2 <= T{1e-30} * scale2) | (mild & (g2 * (x * x + y * y) <= T{1e-28} * scale2));
        done = done | (going & close);
        going = going & !close;
        if (bits(going) == 0) break;
    }
    return done;
}

// In which lanes the result is proven, bit by bit.
template<class T> unsigned smooth_again(const DistancePair* const* pairs, SignedDistance* const* results) {
    using AB = Both<T>;
    using V = V3<T>;
    const auto of = [pairs](auto value) { return each<T>([&](int k) { return double(value(*pairs[k])); }); };
    const T scale = of([](const DistancePair& q) { return q.A->size + q.B->size; });
    const T radius_a = of([](const DistancePair&q) { return q.A->radius; }),
            radius_b = of([](const DistancePair&q) { return q.B->radius; });
    const T one{1.0};
    const T part = of([](const DistancePair&q) { return q.A->size; }) - radius_a,
            share = one / (scale - radius_a - radius_b);
    const AB weight{share * part, share * part - one};  // the flatter core says more about the normal
    V3<AB> guess;
    for (int i = 0; i < 3; ++i)
        guess = guess + (weight * AB{of([i](const DistancePair& q) { return q.cache->normal[i]; }),
                                     of([i](const DistancePair& q) { return q.cache->normal_B[i]; })}) *
                            AlongNormal<T>::columns(pairs, i);
    const V start{sum(guess.x), sum(guess.y), sum(guess.z)};
    const T length2 = norm2(start);
    const auto near = T{0.9} < length2;  // else they have turned too far against each other
    AlongNormal<T> at{pairs, (one / sqrt(length2)) * start};
    const auto begun = near & first_step(at);
    if (bits(begun) == 0) return 0;
    auto good = last_steps(at, scale, begun);
    AB f;
    const V3<AB> points = at.points(f);
    const V n = (one / sqrt(one + at.x * at.x + at.y * at.y)) * V{at.x, at.y, one};
    const V d = at.p - V{sum(points.x), sum(points.y), sum(points.z)};
    const T distance = dot(d, n), slack = T{3e-13} * scale;
    good = good & (norm2(d - distance * n) <= slack * slack);  // a needle bends too much for what was left out
    const T rolling =
        of([](const DistancePair& q) { return q.A->roundness - q.A->radius + q.B->roundness - q.B->radius; });
    good = good & ((T{} < distance) | (-distance <= rolling));
    const unsigned proven = bits(good);
    const V normal = at.to_world(n), a = at.to_world({points.x.a(), points.y.a(), points.z.a()});
    AB along[3];
    for (int i = 0; i < 3; ++i) along[i] = AB{n.x} * at.axis[i].x + AB{n.y} * at.axis[i].y + AB{n.z} * at.axis[i].z;
    for (int k = 0; k < lanes<T>; ++k) {
        if (!(proven >> k & 1)) continue;
        const DistancePair& q = *pairs[k];
        for (int i = 0; i < 3; ++i) {
            q.cache->normal[i] = float(lane(along[i].a(), k));
            q.cache->normal_B[i] = float(-lane(along[i].b(), k));
        }
        set_result(*q.A, *q.B, q.X_WA->p, lane(a, k), lane(normal, k), lane(distance, k), *results[k]);
        results[k]->iterations = 0;
    }
    return proven;
}

}  // namespace

bool smooth_again(const DistancePair& pair, SignedDistance& result) {
    const DistancePair* const pairs[] = {&pair};
    SignedDistance* const results[] = {&result};
    return smooth_again<double>(pairs, results) != 0;
}

unsigned smooth_again(const DistancePair* const (&pairs)[2], SignedDistance* const (&results)[2]) {
    return smooth_again<Two>(&pairs[0], &results[0]);
}

}  // namespace tactus::mpr
