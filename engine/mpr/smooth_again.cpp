#include <tactus/engine/mpr/again.hpp>

#include <tactus/engine/mpr/patch.hpp>
#include <tactus/engine/mpr/two.hpp>
#include <tactus/engine/mpr/world_axes.hpp>

#include <cmath>

namespace tactus::mpr {

namespace {

using V = V3<double>;

// Both cores seen along a first guess of the normal: in axes whose third is that guess. A direction near it is (x, y, 1), and
// what is sought are two numbers. Of every pair of numbers one belongs to A and one to B.
struct AlongNormal {
    V t1, t2, n;          // the axes, in world axes
    V3<Two> axis[3];      // of the ellipsoids
    Sym3<Two> shape;      // squares of the half lengths, turned
    V p;                  // [m] centre of B
    double x = 0, y = 0;  // the direction

    AlongNormal(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB, const V& guess)
        : n{guess} {
        const double up = std::copysign(1.0, n.z), f = -1 / (up + n.z), g = n.x * n.y * f;
        t1 = {1 + up * n.x * n.x * f, up * g, -up * n.x};
        t2 = {g, up + n.y * n.y * f, -n.y};
        for (int i = 0; i < 3; ++i) {
            const V3<Two> c = columns(X_WA, X_WB, i);
            axis[i] = {Two{t1.x} * c.x + Two{t1.y} * c.y + Two{t1.z} * c.z,
                       Two{t2.x} * c.x + Two{t2.y} * c.y + Two{t2.z} * c.z,
                       Two{n.x} * c.x + Two{n.y} * c.y + Two{n.z} * c.z};
            const Two half{A.half[i], B.half[i]};
            shape.add(half * half, axis[i]);
        }
        const V d = between(X_WA.p, X_WB.p);
        p = {dot(t1, d), dot(t2, d), dot(n, d)};
    }

    static V3<Two> columns(const Frame& X_WA, const Frame& X_WB, int i) {
        return {Two{X_WA.R(0, i), X_WB.R(0, i)}, Two{X_WA.R(1, i), X_WB.R(1, i)}, Two{X_WA.R(2, i), X_WB.R(2, i)}};
    }

    V to_world(const V& v) const { return v.x * t1 + v.y * t2 + v.z * n; }

    // The points with the normal (x, y, 1), from the centres (that of B backwards); f: 1 / support function.
    V3<Two> points(Two& f) const {
        const Two X{x}, Y{y};
        const V3<Two> m{shape.xx * X + shape.xy * Y + shape.xz, shape.xy * X + shape.yy * Y + shape.yz,
                        shape.xz * X + shape.yz * Y + shape.zz};
        f = inverse_root(m.x * X + m.y * Y + m.z);
        return f * m;
    }

    static Two inverse_root(Two square) { return Two{1.0} / sqrt(square + Two{1e-300}); }  // a sphere's core is a point
};

// Jacobian of the two numbers that vanish at the normal, and the step to there.
struct Step2 {
    double xx, xy, yx, yy, f;

    // False if there is no minimum near here.
    bool set(double jxx, double jxy, double jyx, double jyy) {
        xx = jxx, xy = jxy, yx = jyx, yy = jyy;
        const double det = xx * yy - xy * yx;
        f = -1 / det;
        return xx > 0 && det > 0;
    }
    void solve(double gx, double gy, double& sx, double& sy) const {
        sx = f * (yy * gx - xy * gy);
        sy = f * (xx * gy - yx * gx);
    }
};

// The first step, from (0, 0, 1), with the next term of the series: what is left is of third order.
bool first_step(AlongNormal& at) {
    const Sym3<Two>& S = at.shape;
    const Two f = AlongNormal::inverse_root(S.zz), px = f * S.xz, py = f * S.yz, pz = f * S.zz;
    const Two hxx = f * (S.xx - px * px), hxy = f * (S.xy - px * py), hyy = f * (S.yy - py * py);
    const double d = at.p.z - sum(pz), xy = sum(hxy);
    Step2 step;
    if (!step.set(sum(hxx) + d, xy, xy, sum(hyy) + d)) return false;
    double x, y;
    step.solve(sum(px) - at.p.x, sum(py) - at.p.y, x, y);
    const Two X{x}, Y{y}, along = px * X + py * Y, qx = hxx * X + hxy * Y, qy = hxy * X + hyy * Y;
    const Two twice = along + along, bend = qx * X + qy * Y;
    double x2, y2;
    step.solve(sum(f * (twice * qx + bend * px)), sum(f * (twice * qy + bend * py)), x2, y2);
    at.x = x - 0.5 * x2, at.y = y - 0.5 * y2;
    return x * x + y * y < 0.01;
}

// Newton's method to the end.
bool last_steps(AlongNormal& at, double scale) {
    for (int i = 0; i < 4; ++i) {
        Two f;
        const V3<Two> p = at.points(f);
        const double d = at.p.z - sum(p.z), gx = sum(p.x) - at.p.x + d * at.x, gy = sum(p.y) - at.p.y + d * at.y;
        const Sym3<Two>& S = at.shape;
        const double hxx = sum(f * (S.xx - p.x * p.x)), hxy = sum(f * (S.xy - p.x * p.y)),
                     hyy = sum(f * (S.yy - p.y * p.y)), hxz = sum(f * (S.xz - p.x * p.z)),
                     hyz = sum(f * (S.yz - p.y * p.z));
        Step2 step;
        if (!step.set(hxx + d - at.x * hxz, hxy - at.x * hyz, hxy - at.y * hxz, hyy + d - at.y * hyz)) return false;
        double x, y;
        step.solve(gx, gy, x, y);
        at.x += x, at.y += y;
        const double g2 = gx * gx + gy * gy;
        const bool mild = hxx + hyy <= 4 * scale;
        if (g2 <= 1e-30 * scale * scale || (mild && g2 * (x * x + y * y) <= 1e-28 * scale * scale))
            return true;  // what is left is the square
    }
    return false;
}

}  // namespace

bool smooth_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                  PairCache& cache, SignedDistance& result) {
    const double scale = A.size + B.size, size_a = A.size - A.radius, share = 1 / (scale - A.radius - B.radius);
    const Two weight{share * size_a, share * size_a - 1};  // the flatter core says more about the normal
    V3<Two> guess;
    for (int i = 0; i < 3; ++i)
        guess = guess + (weight * Two{double(cache.normal[i]), double(cache.normal_B[i])}) *
                            AlongNormal::columns(X_WA, X_WB, i);
    const V start{sum(guess.x), sum(guess.y), sum(guess.z)};
    const double length2 = norm2(start);
    if (!(length2 > 0.9)) return false;  // turned too far against each other
    AlongNormal at{A, X_WA, B, X_WB, (1 / std::sqrt(length2)) * start};
    if (!first_step(at) || !last_steps(at, scale)) return false;
    Two f;
    const V3<Two> points = at.points(f);
    const V n = (1 / std::sqrt(1 + at.x * at.x + at.y * at.y)) * V{at.x, at.y, 1};
    const V d = at.p - V{sum(points.x), sum(points.y), sum(points.z)};
    const double distance = dot(d, n), slack = 3e-13 * scale;
    if (norm2(d - distance * n) > slack * slack) return false;  // a needle bends too much for what was left out
    if (distance <= 0 && -distance > A.roundness - A.radius + B.roundness - B.radius) return false;
    for (int i = 0; i < 3; ++i) {
        const Two along = Two{n.x} * at.axis[i].x + Two{n.y} * at.axis[i].y + Two{n.z} * at.axis[i].z;
        cache.normal[i] = float(along.a()), cache.normal_B[i] = float(-along.b());
    }
    set_result(A, B, X_WA.p, at.to_world({points.x.a(), points.y.a(), points.z.a()}), at.to_world(n), distance, result);
    result.iterations = 0;
    return true;
}

}  // namespace tactus::mpr
