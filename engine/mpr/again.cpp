#include <tactus/engine/mpr/again.hpp>

#include <tactus/engine/mpr/foot.hpp>
#include <tactus/engine/mpr/patch.hpp>
#include <tactus/engine/mpr/two.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::mpr {

namespace {

using V = V3<double>;

V column(const Mat3& m, int i) { return {m(0, i), m(1, i), m(2, i)}; }
V between(const Vec3& from, const Vec3& to) { return {to[0] - from[0], to[1] - from[1], to[2] - from[2]}; }
V turned(const Mat3& R, const V& v) { return v.x * column(R, 0) + v.y * column(R, 1) + v.z * column(R, 2); }

// Points p + a of the first core and p + a + distance n of the second, all in world axes, as a result for the shapes.
void set_result(const CollisionShape& A, const CollisionShape& B, const Vec3& p, const V& a, const V& n,
                double distance, SignedDistance& result) {
    const double to_b = distance - B.radius;
    result.distance = to_b - A.radius;
    result.normal = {n.x, n.y, n.z};
    result.point1 = {p[0] + (a.x + A.radius * n.x), p[1] + (a.y + A.radius * n.y), p[2] + (a.z + A.radius * n.z)};
    result.point2 = {p[0] + (a.x + to_b * n.x), p[1] + (a.y + to_b * n.y), p[2] + (a.z + to_b * n.z)};
    result.guarantee = Guarantee::exact;
}

// ---- boxes ---------------------------------------------------------------------------------------------------------

constexpr double level = 1e-12;  // [rad] what is closer to a flat contact has a middle to be found

// Of the fifteen directions: 0-2 faces of A, 3-5 faces of B, 6-14 edges.
bool is_of_b(int axis) { return axis >= 3 && axis < 6; }

// What two boxes touch each other with, in world axes and relative to the centre of the first.
struct BoxContact {
    V n, a;           // from the first to the second; the point of the first
    double distance;  // [m]
    double room;      // [m] so far may the contact move in its face, or along its edges, before it leaves them
    double turn = 0;  // bound of how much the normal has turned, seen from the first, since the cache knows it
};

// Two boxes, the second as it is seen from the first.
struct TwoBoxes {
    const CollisionShape &first, &second;
    const Frame &X_first, &X_second;
    V d = between(X_first.p, X_second.p);

    V axis_of_first(int i) const { return column(X_first.R, i); }
    V axis_of_second(int i) const { return column(X_second.R, i); }
    V turned_back(const V& v) const {
        return {dot(v, axis_of_second(0)), dot(v, axis_of_second(1)), dot(v, axis_of_second(2))};
    }

    // A vertex of the second on the face k of the first.
    bool vertex_on_face(int k, BoxContact& contact) const {
        const int i1 = next(k), i2 = next(i1);
        const V out = axis_of_first(k), slope = turned_back(out);
        const double height = dot(out, d), sign = std::copysign(1.0, height);
        const Vec3& half = second.half;
        contact.n = sign * out;
        contact.distance = std::abs(height) - (first.half[k] + half[0] * std::abs(slope.x) +
                                               half[1] * std::abs(slope.y) + half[2] * std::abs(slope.z));
        const V vertex = d - std::copysign(half[0], sign * slope.x) * axis_of_second(0) -
                         std::copysign(half[1], sign * slope.y) * axis_of_second(1) -
                         std::copysign(half[2], sign * slope.z) * axis_of_second(2);
        contact.a = vertex - contact.distance * contact.n;
        contact.room = std::min(first.half[i1] - std::abs(dot(vertex, axis_of_first(i1))),
                                first.half[i2] - std::abs(dot(vertex, axis_of_first(i2))));
        return contact.room >= 0 && std::abs(slope.x) > level && std::abs(slope.y) > level && std::abs(slope.z) > level;
    }

    // Edge i of the first and edge j of the second. `last`: the normal that the cache knows, in the axes of the first.
    bool edge_on_edge(int i, int j, const float* last, BoxContact& contact) const {
        const int i1 = next(i), i2 = next(i1), j1 = next(j), j2 = next(j1);
        const V u = axis_of_first(i), v = axis_of_second(j), across = cross(u, v);
        const double sine2 = norm2(across);
        if (sine2 < 1e-4) return false;  // all but parallel
        const double sine = std::sqrt(sine2);
        const V n = std::copysign(1 / sine, dot(across, d)) * across;
        // Of both boxes at once: which of their edges these are, and from their centres to the middles of them (that of the
        // second backwards).
        const V3<Two> side1 = axes(i1, j1), side2 = axes(i2, j2), N = both(n);
        const Two slope1 = dot(N, side1), slope2 = dot(N, side2);
        const V3<Two> middle = copysign(Two{first.half[i1], second.half[j1]}, slope1) * side1 +
                               copysign(Two{first.half[i2], second.half[j2]}, slope2) * side2;
        const V to_first{middle.x.a(), middle.y.a(), middle.z.a()};
        const V from{d.x - sum(middle.x), d.y - sum(middle.y), d.z - sum(middle.z)};
        const double uv = dot(u, v), du = dot(from, u), dv = dot(from, v);
        const double t = (uv * du - dv) / sine2, s = du + t * uv;
        contact.n = n;
        contact.a = to_first + s * u;
        contact.distance = dot(from, n);
        contact.room = sine * std::min(first.half[i] - std::abs(s), second.half[j] - std::abs(t));
        contact.turn = std::abs(slope1.a() - double(last[i1])) + std::abs(slope2.a() - double(last[i2])) +
                       std::abs(double(last[i]));
        const Two flattest = min(abs(slope1), abs(slope2));
        return contact.room >= 0 && flattest.a() > level && flattest.b() > level;
    }

    static V3<Two> both(const V& v) { return {Two{v.x}, Two{v.y}, Two{v.z}}; }
    V3<Two> axes(int i, int j) const {
        const V a = axis_of_first(i), b = axis_of_second(j);
        return {Two{a.x, b.x}, Two{a.y, b.y}, Two{a.z, b.z}};
    }

    // The direction `axis` of the fifteen; those of B's faces are seen from B.
    bool contact_along(int axis, const float* last, BoxContact& contact) const {
        if (axis >= 6) return edge_on_edge((axis - 6) / 3, (axis - 6) % 3, last, contact);
        return vertex_on_face(axis < 3 ? axis : axis - 3, contact);
    }

    // [m] Bound of how far any point of the second has moved since the cache knows its pose. Two rows of a rotation tell how
    // far it turned: their squared changes add up to that of a point at the distance 1, at least. From row k on.
    double moved(const PairCache& cache, int k) const {
        const int k1 = next(k), k2 = next(k1);
        const auto change = [&](const V& now, const float* then) {
            return norm2(now - V{double(then[0]), double(then[1]), double(then[2])});
        };
        const V out = axis_of_first(k), out1 = axis_of_first(k1), out2 = axis_of_first(k2);
        const double turned2 = change(turned_back(out), cache.R + 3 * k) + change(turned_back(out1), cache.R + 3 * k1);
        const double p = dot(out, d), p1 = dot(out1, d), p2 = dot(out2, d);
        const double s = p - double(cache.p[k]), s1 = p1 - double(cache.p[k1]), s2 = p2 - double(cache.p[k2]);
        const double shifted2 = s * s + s1 * s1 + s2 * s2;
        const double rounding = 1e-6 * (first.size + second.size + std::abs(p) + std::abs(p1) + std::abs(p2));
        return std::sqrt(2 * (shifted2 + turned2 * (second.size * second.size))) +
               rounding;  // the sum of both, or more
    }

    static int next(int i) { return i == 2 ? 0 : i + 1; }
};

constexpr Angle any_other{1, 0}, aside{0.70710678118654752, 0.70710678118654752};

// The fifteen directions that can separate two boxes, in A's axes: three faces each, nine pairs of edges.
struct BoxAxes {
    static constexpr int count = 15;
    double x[count + 1], y[count + 1], z[count + 1];  // unit vectors
    double place[count + 1], gap[count + 1];          // [m] origin of B along them, and how far they separate

    double R[3][3], p[3];  // the axes of B, and its origin

    explicit BoxAxes(const TwoBoxes& boxes) {
        const Vec3 &a = boxes.first.half, &b = boxes.second.half;
        for (int i = 0; i < 3; ++i) {
            const V row = boxes.turned_back(boxes.axis_of_first(i));
            R[i][0] = row.x, R[i][1] = row.y, R[i][2] = row.z;
            p[i] = dot(boxes.axis_of_first(i), boxes.d);
        }
        double Q[3][3], n[9][3], place_[9], reach[9], f[9];
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) Q[i][j] = std::abs(R[i][j]);
        for (int i = 0; i < 3; ++i) {
            x[i] = i == 0, y[i] = i == 1, z[i] = i == 2, place[i] = p[i];
            gap[i] = std::abs(place[i]) - (a[i] + b[0] * Q[i][0] + b[1] * Q[i][1] + b[2] * Q[i][2]);
            x[3 + i] = R[0][i], y[3 + i] = R[1][i], z[3 + i] = R[2][i];
            place[3 + i] = x[3 + i] * p[0] + y[3 + i] * p[1] + z[3 + i] * p[2];
            gap[3 + i] = std::abs(place[3 + i]) - (b[i] + a[0] * Q[0][i] + a[1] * Q[1][i] + a[2] * Q[2][i]);
        }
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j) {
                const int i1 = (i + 1) % 3, i2 = (i + 2) % 3, j1 = (j + 1) % 3, j2 = (j + 2) % 3, e = 3 * i + j;
                const double v1 = R[i1][j], v2 = R[i2][j];
                n[e][i] = 0, n[e][i1] = -v2, n[e][i2] = v1;
                f[e] = v1 * v1 + v2 * v2;
                place_[e] = p[i2] * v1 - p[i1] * v2;
                reach[e] = a[i1] * Q[i2][j] + a[i2] * Q[i1][j] + b[j1] * Q[i][j2] + b[j2] * Q[i][j1];
                if (f[e] < 1e-16) reach[e] = 1e300;  // parallel edges: their faces decide
            }
        for (int e = 0; e < 9; ++e) {
            f[e] = 1 / std::sqrt(std::max(f[e], 1e-16));
            place[6 + e] = f[e] * place_[e];
            gap[6 + e] = f[e] * (std::abs(place_[e]) - reach[e]);
            x[6 + e] = f[e] * n[e][0], y[6 + e] = f[e] * n[e][1], z[6 + e] = f[e] * n[e][2];
        }
    }

    int best(double scale) const {
        int k = 0;
        for (int i = 1; i < count; ++i)  // a face rather than edges that say the same
            if (gap[i] > (i < 6 ? gap[k] : gap[k] + 1e-14 * scale)) k = i;
        return k;
    }

    // [m] The least depth of all other faces of A - B, and of those that are aside.
    void clearances(int k, double& all, double& other) const {
        const double there = std::copysign(1.0, place[k]);
        all = other = 2 * std::abs(place[k]) - gap[k];  // out on the other side
        for (int i = 0; i < count; ++i) {
            const double cosine = std::copysign(there, place[i] * there) * (x[i] * x[k] + y[i] * y[k] + z[i] * z[k]);
            const double depth = -gap[i], away = cosine > aside.cosine ? depth + 2 * std::abs(place[i]) : depth;
            all = i == k ? all : std::min(all, depth);
            other = i == k ? other : std::min(other, away);
        }
    }
};

// By all fifteen directions; fills the cache if one of them gives the result.
[[gnu::noinline]] bool boxes_anew(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B,
                                  const Frame& X_WB, PairCache& cache, BoxContact& contact) {
    const BoxAxes axes{TwoBoxes{A, B, X_WA, X_WB}};
    const int axis = axes.best(A.size + B.size);
    const bool of_b = is_of_b(axis);
    const TwoBoxes boxes{of_b ? B : A, of_b ? A : B, of_b ? X_WB : X_WA, of_b ? X_WA : X_WB};
    if (!boxes.contact_along(axis, cache.normal, contact)) return false;
    double all, other;
    axes.clearances(axis, all, other);
    const auto rounded_down = [](double depth) { return float(0.999999 * std::max(depth, 0.0)); };
    cache.state = PairCache::State::boxes;
    cache.axis = static_cast<std::uint8_t>(axis);
    cache.clearance = rounded_down(all);
    cache.clearance_aside = rounded_down(other);
    for (int i = 0; i < 3; ++i) {
        const V out = boxes.axis_of_first(i), row = boxes.turned_back(out);
        cache.p[i] = float(dot(out, boxes.d));
        cache.R[3 * i] = float(row.x), cache.R[3 * i + 1] = float(row.y), cache.R[3 * i + 2] = float(row.z);
        cache.normal[i] = float(dot(out, contact.n));
    }
    return true;
}

}  // namespace

bool boxes_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                 PairCache& cache, SignedDistance& result) {
    BoxContact contact;
    const auto still_closest = [&] {
        const int axis = cache.axis;
        const bool of_b = is_of_b(axis);
        const TwoBoxes boxes{of_b ? B : A, of_b ? A : B, of_b ? X_WB : X_WA, of_b ? X_WA : X_WB};
        if (!boxes.contact_along(axis, cache.normal, contact)) return false;
        if (contact.distance >= 0) return true;
        const double moved = boxes.moved(cache, axis < 3 ? axis : axis < 6 ? axis - 3 : (axis - 6) / 3);
        const Face face{-contact.distance, contact.room, contact.turn};
        return is_shortest(face, aside, double(cache.clearance_aside), moved) ||
               is_shortest(face, any_other, double(cache.clearance), moved);
    };
    if (!(cache.state == PairCache::State::boxes && still_closest()) && !boxes_anew(A, X_WA, B, X_WB, cache, contact))
        return false;
    if (is_of_b(cache.axis))
        set_result(A, B, X_WB.p, contact.a + contact.distance * contact.n, -contact.n, contact.distance, result);
    else
        set_result(A, B, X_WA.p, contact.a, contact.n, contact.distance, result);
    result.iterations = 0;
    return true;
}

bool box_corners_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                       const DistanceOptions& options, const PairCache& cache, SignedDistance& result) {
    const int last = cache.vertices - 1;
    const Feature differ_a = cache.closest_A[0] ^ cache.closest_A[last],
                  differ_b = cache.closest_B[0] ^ cache.closest_B[last];
    if (last > 1 || (differ_a && differ_b)) return false;
    const Feature edge = differ_a | differ_b;
    if (edge & (edge - 1)) return false;
    const double scale = A.size + B.size, tolerance = options.tolerance * scale;
    const auto corner = [](const CollisionShape& s, Feature f) {
        return V{f & 1 ? -s.half[0] : s.half[0], f & 2 ? -s.half[1] : s.half[1], f & 4 ? -s.half[2] : s.half[2]};
    };
    const V origin = between(X_WA.p, X_WB.p);  // relative to that of A, in world axes
    V a = turned(X_WA.R, corner(A, cache.closest_A[0]));
    V d = origin + turned(X_WB.R, corner(B, cache.closest_B[0])) - a;
    if (edge) {  // from that corner to the place on the edge
        const int i = static_cast<int>(edge >> 1);
        const CollisionShape& s = differ_a ? A : B;
        const V u = column(differ_a ? X_WA.R : X_WB.R, i);
        const Feature f = differ_a ? cache.closest_A[0] : cache.closest_B[0];
        const double along = differ_a ? dot(d, u) : -dot(d, u), place = f & edge ? along : -along;
        if (!(place >= 0 && place <= 2 * s.half[i])) return false;
        if (differ_a) a = a + along * u;
        d = differ_a ? d - along * u : d + along * u;
    }
    const double up = norm(d);
    if (!(up > 32 * tolerance)) return false;
    const V n = (1 / up) * d;
    // Nothing of either box lies beyond the planes through the points.
    double reach = 0;
    for (int i = 0; i < 3; ++i)
        reach += A.half[i] * std::abs(dot(n, column(X_WA.R, i))) + B.half[i] * std::abs(dot(n, column(X_WB.R, i)));
    if (!(up - (dot(n, origin) - reach) <= tolerance)) return false;
    set_result(A, B, X_WA.p, a, n, up, result);
    result.iterations = 0;
    return true;
}

// ---- the end of a segment ---------------------------------------------------------------------------------------------

namespace {

// The core axes of a shape, in world axes.
struct CoreAxes {
    V x, y, z;

    CoreAxes(const CollisionShape& s, const Mat3& R)
        : x{column(R, s.axis)}, y{column(R, (s.axis + 1) % 3)}, z{column(R, (s.axis + 2) % 3)} {}
    V turned_back(const V& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
    V to_world(const V& v) const { return v.x * x + v.y * y + v.z * z; }
};

void keep(const V& v, float* floats) { floats[0] = float(v.x), floats[1] = float(v.y), floats[2] = float(v.z); }

}  // namespace

bool end_again(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB, PairCache& cache,
               SignedDistance& result) {
    const bool of_b = B.kind == CoreKind::segment;
    const CollisionShape &rod = of_b ? B : A, &solid = of_b ? A : B;
    const Frame &X_rod = of_b ? X_WB : X_WA, &X_solid = of_b ? X_WA : X_WB;
    const Feature* ends = of_b ? cache.closest_B : cache.closest_A;
    for (int i = 1; i < cache.vertices; ++i)
        if (ends[i] != ends[0]) return false;  // somewhere between them
    const CoreAxes of_rod{rod, X_rod.R}, of_solid{solid, X_solid.R};
    const double place = ends[0] ? -rod.half[0] : rod.half[0];
    const V end = place * of_rod.x;
    Foot foot;
    if (!foot_of(solid, of_solid.turned_back(between(X_solid.p, X_rod.p) + end), foot)) return false;
    if (!(foot.distance > 1e-6 * (A.size + B.size))) return false;
    // Nothing of the solid lies beyond the plane through the foot; nothing of the rod beyond that through its end.
    const V out = of_solid.to_world(foot.n), from_rod = -of_rod.turned_back(out);
    if (!(place * from_rod.x > level * rod.half[0])) return false;
    keep(of_b ? foot.n : from_rod, cache.normal);
    keep(of_b ? from_rod : foot.n, cache.normal_B);
    keep(of_b ? foot.point : V{place, 0, 0}, cache.point);
    if (of_b)
        set_result(A, B, X_WA.p, of_solid.to_world(foot.point), out, foot.distance, result);
    else
        set_result(A, B, X_WA.p, end, -out, foot.distance, result);
    result.iterations = 0;
    return true;
}

// ---- smooth cores --------------------------------------------------------------------------------------------------

namespace {

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
    const double distance = dot(d, n);
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
