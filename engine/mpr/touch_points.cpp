#include <tactus/engine/mpr/touch_points.hpp>

#include <tactus/engine/mpr/foot.hpp>
#include <tactus/engine/mpr/pair.hpp>

#include <algorithm>
#include <array>
#include <cmath>

namespace tactus {

namespace mpr {
namespace {

using V = V3<double>;

constexpr double reach = 0.2;            // of the rounding
constexpr double fade = 0.25;            // of the rounding: points that stand for the same place fade out within this
constexpr double least_rounding = 1e-3;  // of the smaller shape's size: what sharp edges count as
constexpr double deepest = 0.5;       // of what is left to the middle of a core: deeper than this, corners mean nothing
constexpr double steep = 0.1;         // of the fading length: an edge that is out of reach there already does not count
constexpr double least_angle = 0.1;   // [rad] between crossing edges, below which they fade out
constexpr double nearly_flat = 0.98;  // cosine between a face's normal and that of the contact
// Where a circle is inclined by less than this part of the angle at which only one side of it touches, which of its points is
// nearest means little, and changes fast: there a fixed direction goes first.
constexpr double level = 0.3;
constexpr double most_level = 1e-3;  // [rad]
constexpr double lies = 0.995;       // cosine of a circle's inclination up to which all of its rim may touch
constexpr double negligible = 1e-3;  // weight

double ramp(double x) { return x <= 0.0 ? 0.0 : x >= 1.0 ? 1.0 : x * x * (3.0 - 2.0 * x); }
double ramp_slope(double x) { return x <= 0.0 || x >= 1.0 ? 0.0 : 6.0 * x * (1.0 - x); }
double least(double a, double b) { return a < b ? a : b; }

struct Corner {
    V p;
    std::uint32_t id = 0;
};
struct Edge {
    V p, q;
    std::uint32_t id = 0;
};

struct Circle {
    V center, axis;
    double r = 0.0;
    std::uint32_t id = 0;
};

// What of a core may touch: corners and edges that are nearly as far in the direction n as anything of it.
class Near {
public:
    std::array<Corner, 64> corners;
    std::array<Edge, 96> edges;
    std::array<Circle, 4> circles;
    std::size_t corner_count = 0, edge_count = 0, circle_count = 0;

    // Core axes: the direction n of the other shape, that of the other's face, and a fixed one; [m] how deep they are in each
    // other, heights below the top that still count, and how far from its ends an edge does.
    Near(const CollisionShape& s, const V& n, const V& face, const V& fixed, double depth, double limit,
         double from_end)
        : n_{n}, face_{face}, fixed_{fixed}, depth_{depth}, limit_{limit}, from_end_{from_end} {
        Feature top = 0;
        top_ = dot(n, support(s, n, top));
        switch (s.kind) {
        case CoreKind::segment:
            for (Feature i = 0; i < 2; ++i) add(feature_point(s, n, i), i);
            add({-s.half[0], 0, 0}, {s.half[0], 0, 0}, 0);
            break;
        case CoreKind::box: box(s); break;
        case CoreKind::round: round(s); break;
        case CoreKind::stadium: stadium(s); break;
        case CoreKind::hull: hull(*s.hull, top); break;
        case CoreKind::point:
        case CoreKind::ellipsoid: break;
        }
    }

    void turn(const M3<double>& R, const V& p) {
        for (std::size_t i = 0; i < corner_count; ++i) corners[i].p = R * corners[i].p + p;
        for (std::size_t i = 0; i < edge_count; ++i) {
            edges[i].p = R * edges[i].p + p;
            edges[i].q = R * edges[i].q + p;
        }
        for (std::size_t i = 0; i < circle_count; ++i) {
            circles[i].center = R * circles[i].center + p;
            circles[i].axis = R * circles[i].axis;
        }
    }

private:
    V n_, face_, fixed_;
    double depth_, limit_, from_end_, top_ = 0.0;

    double height(const V& p) const { return top_ - dot(n_, p); }

    void add(const V& p, std::uint32_t id) {
        if (height(p) < limit_ && corner_count < corners.size()) corners[corner_count++] = {p, id};
    }

    void add(const V& p, const V& q, std::uint32_t id) {
        if (edge_count == edges.size()) return;
        const double hp = height(p), hq = height(q), length = norm(q - p);
        const double low = least(hp, hq), rise = std::abs(hp - hq);
        if (low + rise * least(1.0, steep * from_end_ / length) < limit_) edges[edge_count++] = {p, q, id};
    }

    void box(const CollisionShape& s) {
        for (Feature i = 0; i < 8; ++i) add(feature_point(s, n_, i), i);
        for (Feature i = 0; i < 8; ++i)
            for (Feature bit = 1; bit < 8; bit <<= 1)
                if (!(i & bit)) add(feature_point(s, n_, i), feature_point(s, n_, i | bit), i << 3 | bit);
    }

    // Unit vector in the plane of a circle about the given axis (0: x, 2: z) towards the other shape's face.
    V towards(int axis, double r) const {
        const auto in_plane = [&](const V& v) { return axis == 0 ? V{0, v.y, v.z} : V{v.x, v.y, 0}; };
        const V u = in_plane(face_ + (r > 0.0 ? level * least(depth_ / r, most_level) : 0.0) * fixed_);
        const double length = norm(u);
        return length > 0.0 ? (1 / length) * u : V{0, 1, 0};
    }

    void circle(const V& center, int axis, double r, std::uint32_t id) {
        const V u = towards(axis, r);
        const V w = axis == 0 ? V{0, -u.z, u.y} : V{-u.y, u.x, 0};
        if (r == 0.0) return add(center, id);
        add(center + r * u, id);
        add(center + r * w, id | 1);
        add(center - r * u, id | 2);
        add(center - r * w, id | 3);
        const V x = axis == 0 ? V{1, 0, 0} : V{0, 0, 1};
        if (height(center) < limit_ && std::abs(dot(x, n_)) > lies) circles[circle_count++] = {center, x, r, id};
    }

    void round(const CollisionShape& s) {
        circle({s.z1, 0, 0}, 0, s.r1, 0);
        circle({s.z2, 0, 0}, 0, s.r2, 4);
        const V u = towards(0, s.r1 > s.r2 ? s.r1 : s.r2);
        add(V{s.z1, 0, 0} + s.r1 * u, V{s.z2, 0, 0} + s.r2 * u, 0);
    }

    void stadium(const CollisionShape& s) {
        const V u = towards(2, s.half[1]);
        const auto center = [&](Feature i) {
            return V{i & 1 ? -s.half[0] : s.half[0], 0, i & 2 ? -s.half[2] : s.half[2]};
        };
        for (Feature i = 0; i < 4; ++i) circle(center(i), 2, s.half[1], i << 2);
        for (Feature i = 0; i < 2; ++i) add(center(i) + s.half[1] * u, center(i | 2) + s.half[1] * u, i);
        for (Feature i = 0; i < 4; ++i) {
            const V side{0, i & 1 ? -s.half[1] : s.half[1], 0};
            add(center(i & 2 ? 2 : 0) + side, center(i & 2 ? 3 : 1) + side, 2 + i);
        }
    }

    // The vertices of a hull that are above a plane hang together: from the highest along edges.
    void hull(const ConvexHull& h, Feature top) {
        const auto vertex = [&](Feature i) { return V{h.x[i], h.y[i], h.z[i]}; };
        add(vertex(top), top);
        for (std::size_t i = 0; i < corner_count; ++i)
            for (std::uint32_t k = h.first[corners[i].id]; k < h.first[corners[i].id + 1]; ++k) {
                const Feature j = h.neighbour[k];
                const auto is_it = [j](const Corner& c) { return c.id == j; };
                if (std::none_of(corners.begin(), corners.begin() + static_cast<std::ptrdiff_t>(corner_count), is_it))
                    add(vertex(j), j);
                const auto is_near = [&](Feature v) { return height(vertex(v)) < limit_; };
                if (corners[i].id < j || !is_near(j)) add(corners[i].p, vertex(j), corners[i].id * 64 + (j & 63));
            }
    }
};

// Normal of the face of a core that looks in the direction n, or n itself if no face does.
V facing(const CollisionShape& s, const V& n) {
    const auto sign = [](double x) { return x < 0 ? -1.0 : 1.0; };
    const bool box = s.kind == CoreKind::box, stadium = s.kind == CoreKind::stadium;
    if ((box || s.kind == CoreKind::round) && std::abs(n.x) > nearly_flat) return {sign(n.x), 0, 0};
    if ((box || stadium) && std::abs(n.y) > nearly_flat) return {0, sign(n.y), 0};
    if ((box || stadium) && std::abs(n.z) > nearly_flat) return {0, 0, sign(n.z)};
    return n;
}

double rounding(const CollisionShape& A, const CollisionShape& B) {
    return std::max(A.radius + B.radius, least_rounding * least(A.size, B.size));
}

// [m] penetration up to which a corner is clearly on one side of a core.
double clear_depth(const CollisionShape& A, const CollisionShape& B) {
    const auto into = [](const CollisionShape& s) { return s.kind == CoreKind::segment ? 0.0 : deepest * s.inner; };
    return deepest * (A.radius + B.radius) + least(into(A), into(B));
}

Foot foot_on(const CollisionShape& s, const V& q) {
    Foot foot;
    if (foot_of(s, q, foot)) return foot;
    const CollisionShape point;
    const SignedDistance d = signed_distance(point, {Mat3::Identity(), Vec3{q.x, q.y, q.z}}, s, {});
    foot.distance = d.distance + s.radius;
    foot.n = {-d.normal[0], -d.normal[1], -d.normal[2]};
    foot.point = q - foot.distance * foot.n;
    return foot;
}

class Search {
public:
    Search(const Pair<double>& pair, const Frame& X_WA, const V& n, double depth, std::vector<TouchPoint>& points)
        : pair_{pair}, X_WA_{X_WA}, radius_{pair.A.radius + pair.B.radius}, rounding_{rounding(pair.A, pair.B)},
          points_{points} {
        const double limit = depth + reach * rounding_;
        const V n_B = -pair.R.transposed_times(n);
        const V face_A = facing(pair.A, n), face_B = facing(pair.B, n_B);
        const V fixed{0, 1, 0};
        Near a{pair.A, n, -(pair.R * face_B), fixed, depth, limit, fade * rounding_};
        Near b{pair.B,          n_B, -pair.R.transposed_times(face_A), pair.R.transposed_times(fixed), depth, limit,
               fade * rounding_};
        b.turn(pair.R, pair.p);
        // The corners of the smaller shape come first; those of the other count where none of them is.
        const bool a_first = pair.A.size <= pair.B.size;
        for (std::size_t i = 0; i < a.corner_count; ++i) corner_of_a(a.corners[i], a_first ? nullptr : &b);
        for (std::size_t i = 0; i < b.corner_count; ++i) corner_of_b(b.corners[i], a_first ? &a : nullptr);
        for (std::size_t i = 0; i < a.edge_count; ++i)
            for (std::size_t j = 0; j < b.edge_count; ++j) crossing(a.edges[i], b.edges[j], n);
        if (a.circle_count + b.circle_count > 0) rims(a, b, n);
    }

private:
    const Pair<double>& pair_;
    const Frame& X_WA_;
    double radius_;    // [m] of the balls around both cores
    double rounding_;  // [m] what lengths are compared with
    std::vector<TouchPoint>& points_;

    Vec3 in_world(const V& v) const {
        const int x = pair_.A.axis, y = (x + 1) % 3, z = (x + 2) % 3;
        return v.x * X_WA_.R.col(x) + v.y * X_WA_.R.col(y) + v.z * X_WA_.R.col(z);
    }

    // A weight and how it changes as B moves along A.
    struct Weight {
        double value = 1.0;
        V slope;  // [1/m]
    };

    // At a distance [m] from what stands for the same place, which grows as B moves along `away`.
    Weight fading(double distance, const V& away) const {
        const double x = distance / (fade * rounding_);
        return {ramp(x), (ramp_slope(x) / (fade * rounding_)) * away};
    }

    // a and b on the cores, n from a to b, all in A's core axes.
    void add(std::uint32_t key, const Weight& weight, double core_distance, const V& n, const V& a, const V& b) {
        const double distance = core_distance - radius_;
        if (!(weight.value > negligible) || !(distance < reach * rounding_)) return;
        const V middle = 0.5 * ((a + pair_.A.radius * n) + (b - pair_.B.radius * n));
        constexpr double scale = 1.0 / (1.0 - negligible);
        points_.push_back({key, scale * (weight.value - negligible), in_world(scale * weight.slope), distance,
                           in_world(n), X_WA_.p + in_world(middle)});
    }

    // Near corners of the other shape; `sign` as p moves with B or with A.
    Weight away_from(const Near* others, const V& p, double sign) const {
        double nearest = rounding_;
        V away;
        for (std::size_t i = 0; others && i < others->corner_count; ++i) {
            const V d = p - others->corners[i].p;
            const double length = norm(d);
            if (length < nearest) nearest = length, away = length > 0.0 ? (sign / length) * d : V{};
        }
        return fading(nearest, away);
    }

    void corner_of_a(const Corner& c, const Near* others) {
        const Foot foot = foot_on(pair_.B, pair_.R.transposed_times(c.p - pair_.p));
        const V on_b = pair_.R * foot.point + pair_.p;
        add(c.id << 15, away_from(others, on_b, -1.0), foot.distance, -(pair_.R * foot.n), c.p, on_b);
    }

    void corner_of_b(const Corner& c, const Near* others) {
        const Foot foot = foot_on(pair_.A, c.p);
        add(1U << 30 | c.id, away_from(others, foot.point, 1.0), foot.distance, foot.n, foot.point, c.p);
    }

    void crossing(const Edge& a, const Edge& b, const V& n) {
        const V u = a.q - a.p, v = b.q - b.p, d = b.p - a.p;
        const double uu = norm2(u), vv = norm2(v), uv = dot(u, v);
        const double across2 = uu * vv - uv * uv;  // (|u| |v| sin)^2
        if (!(across2 > 1e-4 * least_angle * least_angle * uu * vv)) return;
        const double s = (dot(u, d) * vv - dot(v, d) * uv) / across2, t = (dot(u, d) * uv - dot(v, d) * uu) / across2;
        if (s <= 0.0 || s >= 1.0 || t <= 0.0 || t >= 1.0) return;
        const double lu = std::sqrt(uu), lv = std::sqrt(vv);
        const double on_u = lu * least(s, 1.0 - s), on_v = lv * least(t, 1.0 - t);
        const V away_u = (s < 0.5 ? 1 / lu : -1 / lu) * u, away_v = (t < 0.5 ? 1 / lv : -1 / lv) * v;
        add_crossing(2U << 30 | a.id << 15 | b.id, a.p + s * u, (1 / lu) * u, b.p + t * v, (1 / lv) * v, n,
                     least(on_u, on_v), on_u < on_v ? away_u : V{}, on_u < on_v ? V{} : away_v);
    }

    // Two lines through a and b with the unit vectors u and v, at a distance [m] from what stands for the same place; it grows
    // as the crossing moves along away_a on a, or along away_b on b.
    void add_crossing(std::uint32_t key, const V& a, const V& u, const V& b, const V& v, const V& n, double distance,
                      const V& away_a, const V& away_b) {
        V across = cross(u, v);
        const double sine = norm(across);
        if (!(sine > 0.0)) return;
        across = (dot(across, n) < 0.0 ? -1 / sine : 1 / sine) * across;
        // As b moves by x, the crossing moves along a by x.m / u.m, m across v, and along b by -x.m / v.m, m across u.
        const V m_v = cross(v, across), m_u = cross(u, across);
        Weight weight = fading(distance, (dot(away_a, u) / dot(u, m_v)) * m_v - (dot(away_b, v) / dot(v, m_u)) * m_u);
        const double angle = ramp(sine / least_angle);
        weight.value *= angle;
        weight.slope = angle * weight.slope;
        add(key, weight, dot(b - a, across), across, a, b);
    }

    // ---- rims that lie flat, over edges and over each other; seen along n, where they are circles ----

    struct OnRim {
        V point, tangent;
    };
    static OnRim on_rim(const Circle& c, const V& n, const V& direction) {  // as seen along n
        const V out = direction - (dot(direction, c.axis) / dot(n, c.axis)) * n;
        return {c.center + (c.r / norm(out)) * out, normalized(cross(c.axis, out))};
    }

    void rims(const Near& a, const Near& b, const V& n) {
        for (std::size_t i = 0; i < a.circle_count; ++i) {
            for (std::size_t j = 0; j < b.edge_count; ++j) rim_and_edge(a, a.circles[i], b, b.edges[j], n, true);
            for (std::size_t j = 0; j < b.circle_count; ++j) rim_and_rim(a, a.circles[i], b, b.circles[j], n);
        }
        for (std::size_t i = 0; i < b.circle_count; ++i)
            for (std::size_t j = 0; j < a.edge_count; ++j) rim_and_edge(b, b.circles[i], a, a.edges[j], n, false);
    }

    // The crossing of curves at p with the unit tangents u on A, v on B.
    void add_rim_crossing(std::uint32_t key, const Near& a, const OnRim& on_a, const Near& b, const OnRim& on_b,
                          const V& n, double end_distance, const V& end_away_a, const V& end_away_b) {
        double nearest = least(rounding_, end_distance);
        V away_a = nearest == end_distance ? end_away_a : V{}, away_b = nearest == end_distance ? end_away_b : V{};
        const auto look_at = [&](const Near& near, const V& p, V& away, V& other) {
            for (std::size_t i = 0; i < near.corner_count; ++i) {
                const V d = p - near.corners[i].p;
                if (const double length = norm(d); length < nearest && length > 0.0)
                    nearest = length, away = (1 / length) * d, other = V{};
            }
        };
        look_at(a, on_a.point, away_a, away_b);
        look_at(b, on_b.point, away_b, away_a);
        // Curves are taken for their tangents where they cross as seen along n: right if that is across both.
        const V across = cross(on_a.tangent, on_b.tangent);
        if (std::abs(dot(across, n)) < lies * norm(across)) return;
        add_crossing(key, on_a.point, on_a.tangent, on_b.point, on_b.tangent, n, nearest, away_a, away_b);
    }

    void rim_and_edge(const Near& of_rim, const Circle& c, const Near& of_edge, const Edge& e, const V& n,
                      bool rim_is_a) {
        const auto flat = [&](const V& v) { return v - dot(v, n) * n; };
        const V d = e.q - e.p, u = flat(d), p = flat(e.p - c.center);
        const double uu = norm2(u), pu = dot(p, u), root2 = pu * pu - uu * (norm2(p) - c.r * c.r);
        if (!(uu > 0.0) || !(root2 > 0.0)) return;
        for (const double sign : {-1.0, 1.0}) {
            const double t = (-pu + sign * std::sqrt(root2)) / uu;
            if (t <= 0.0 || t >= 1.0) continue;
            const OnRim rim = on_rim(c, n, p + t * u);
            const double length = norm(d), end = length * least(t, 1.0 - t);
            const OnRim edge{e.p + t * d, (1 / length) * d};
            const V away = (t < 0.5 ? 1 / length : -1 / length) * d;
            const std::uint32_t key = 3U << 30 | (rim_is_a ? 1U << 29 : 0U) | c.id << 20 | e.id << 1 | (sign > 0.0);
            if (rim_is_a)
                add_rim_crossing(key, of_rim, rim, of_edge, edge, n, end, V{}, away);
            else
                add_rim_crossing(key, of_edge, edge, of_rim, rim, n, end, away, V{});
        }
    }

    void rim_and_rim(const Near& a, const Circle& ca, const Near& b, const Circle& cb, const V& n) {
        const V to_b = cb.center - ca.center, d = to_b - dot(to_b, n) * n;
        const double length2 = norm2(d), length = std::sqrt(length2);
        if (length >= ca.r + cb.r || length <= std::abs(ca.r - cb.r) || length == 0.0) return;
        const double along = (length2 + ca.r * ca.r - cb.r * cb.r) / (2 * length);
        const double side = std::sqrt(std::max(0.0, ca.r * ca.r - along * along));
        const V x = (1 / length) * d, y = cross(n, x);
        for (const double sign : {-1.0, 1.0}) {
            const V p = along * x + (sign * side) * y;  // from the centre of ca
            add_rim_crossing(3U << 30 | 1U << 28 | ca.id << 8 | cb.id << 1 | (sign > 0.0), a, on_rim(ca, n, p), b,
                             on_rim(cb, n, p - d), n, rounding_, V{}, V{});
        }
    }
};

}  // namespace
}  // namespace mpr

bool may_touch_flat(const CollisionShape& A, const CollisionShape& B) {
    const auto has_edges = [](const CollisionShape& s) {
        return s.kind != CoreKind::point && s.kind != CoreKind::ellipsoid;
    };
    return has_edges(A) && has_edges(B);
}

double touch_reach(const CollisionShape& A, const CollisionShape& B) { return mpr::reach * mpr::rounding(A, B); }

void find_touch_points(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                       const SignedDistance& closest, std::vector<TouchPoint>& points) {
    points.clear();
    const double depth = std::max(0.0, -closest.distance);
    if (!may_touch_flat(A, B) || depth > mpr::clear_depth(A, B)) return;
    const mpr::Pair<double> pair{A, X_WA, B, X_WB};
    const Vec3 n = X_WA.R.transpose() * closest.normal;
    mpr::Search{pair, X_WA, mpr::Pair<double>::in_core(A, n), depth, points};
}

}  // namespace tactus
