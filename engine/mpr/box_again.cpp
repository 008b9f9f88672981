#include <tactus/engine/mpr/again.hpp>

#include <tactus/engine/mpr/lanes.hpp>
#include <tactus/engine/mpr/world_axes.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::mpr {

namespace {

using V = V3<double>;

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

}  // namespace tactus::mpr
