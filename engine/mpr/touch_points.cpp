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

constexpr double clear_apart = 0.05;  // of the rounding: cores that are nearer than this count as touching
constexpr double reach = 0.2;         // of the rounding
constexpr double fade = 0.25;         // of the rounding: points that stand for the same place fade out within this
constexpr double steep = 0.1;         // of the fading length: an edge that is out of reach there already does not count
constexpr double least_angle = 0.1;   // [rad] between crossing edges, below which they fade out
constexpr double nearly_flat = 0.98;  // cosine between a face's normal and that of the contact
// [rad] Where a circle is less inclined, which of its points is nearest means nothing: a fixed direction goes first there.
constexpr double level = 1e-6;

constexpr double negligible = 1e-3;  // weight

double ramp(double x) { return x <= 0.0 ? 0.0 : x >= 1.0 ? 1.0 : x * x * (3.0 - 2.0 * x); }
double least(double a, double b) { return a < b ? a : b; }

struct Corner {
    V p;
    std::uint32_t id = 0;
};
struct Edge {
    V p, q;
    std::uint32_t id = 0;
};

// What of a core may touch: corners and edges that are nearly as far in the direction n as anything of it.
class Near {
public:
    std::array<Corner, 64> corners;
    std::array<Edge, 96> edges;
    std::size_t corner_count = 0, edge_count = 0;

    // Core axes: the direction n of the other shape, that of the other's face, and a fixed one; [m] heights below the top
    // that still count, and how far from its ends an edge does.
    Near(const CollisionShape& s, const V& n, const V& face, const V& fixed, double limit, double from_end)
        : n_{n}, face_{face}, fixed_{fixed}, limit_{limit}, from_end_{from_end} {
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
    }

private:
    V n_, face_, fixed_;
    double limit_, from_end_, top_ = 0.0;

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
    V towards(int axis) const {
        const auto in_plane = [&](const V& v) { return axis == 0 ? V{0, v.y, v.z} : V{v.x, v.y, 0}; };
        const V u = in_plane(face_ + level * fixed_);
        const double length = norm(u);
        return length > 0.0 ? (1 / length) * u : V{0, 1, 0};
    }

    void circle(const V& center, int axis, double r, std::uint32_t id) {
        const V u = towards(axis);
        const V w = axis == 0 ? V{0, -u.z, u.y} : V{-u.y, u.x, 0};
        if (r == 0.0) return add(center, id);
        add(center + r * u, id);
        add(center + r * w, id | 1);
        add(center - r * u, id | 2);
        add(center - r * w, id | 3);
    }

    void round(const CollisionShape& s) {
        circle({s.z1, 0, 0}, 0, s.r1, 0);
        circle({s.z2, 0, 0}, 0, s.r2, 4);
        const V u = towards(0);
        add(V{s.z1, 0, 0} + s.r1 * u, V{s.z2, 0, 0} + s.r2 * u, 0);
    }

    void stadium(const CollisionShape& s) {
        const V u = towards(2);
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
        : pair_{pair}, X_WA_{X_WA}, rounding_{pair.A.radius + pair.B.radius}, points_{points} {
        const double limit = depth + reach * rounding_;
        const V n_B = -pair.R.transposed_times(n);
        const V face_A = facing(pair.A, n), face_B = facing(pair.B, n_B);
        const V fixed{0, 1, 0};
        Near a{pair.A, n, -(pair.R * face_B), fixed, limit, fade * rounding_};
        Near b{pair.B, n_B, -pair.R.transposed_times(face_A), pair.R.transposed_times(fixed), limit, fade * rounding_};
        b.turn(pair.R, pair.p);
        // The corners of the smaller shape come first; those of the other count where none of them is.
        const bool a_first = pair.A.size <= pair.B.size;
        for (std::size_t i = 0; i < a.corner_count; ++i) corner_of_a(a.corners[i], a_first ? nullptr : &b);
        for (std::size_t i = 0; i < b.corner_count; ++i) corner_of_b(b.corners[i], a_first ? &a : nullptr);
        for (std::size_t i = 0; i < a.edge_count; ++i)
            for (std::size_t j = 0; j < b.edge_count; ++j) crossing(a.edges[i], b.edges[j], n);
    }

private:
    const Pair<double>& pair_;
    const Frame& X_WA_;
    double rounding_;  // [m] of both
    std::vector<TouchPoint>& points_;

    Vec3 in_world(const V& v) const {
        const int x = pair_.A.axis, y = (x + 1) % 3, z = (x + 2) % 3;
        return v.x * X_WA_.R.col(x) + v.y * X_WA_.R.col(y) + v.z * X_WA_.R.col(z);
    }

    // a and b on the cores, n from a to b, all in A's core axes.
    void add(std::uint32_t key, double weight, double core_distance, const V& n, const V& a, const V& b) {
        const double distance = core_distance - rounding_;
        if (!(weight > negligible) || !(distance < reach * rounding_)) return;
        const V middle = 0.5 * ((a + pair_.A.radius * n) + (b - pair_.B.radius * n));
        points_.push_back(
            {key, (weight - negligible) / (1.0 - negligible), distance, in_world(n), X_WA_.p + in_world(middle)});
    }

    double away_from(const Near* others, const V& p) const {
        double d = rounding_;
        for (std::size_t i = 0; others && i < others->corner_count; ++i) d = least(d, norm(p - others->corners[i].p));
        return ramp(d / (fade * rounding_));
    }

    void corner_of_a(const Corner& c, const Near* others) {
        const Foot foot = foot_on(pair_.B, pair_.R.transposed_times(c.p - pair_.p));
        const V on_b = pair_.R * foot.point + pair_.p;
        add(c.id << 15, away_from(others, on_b), foot.distance, -(pair_.R * foot.n), c.p, on_b);
    }

    void corner_of_b(const Corner& c, const Near* others) {
        const Foot foot = foot_on(pair_.A, c.p);
        add(1U << 30 | c.id, away_from(others, foot.point), foot.distance, foot.n, foot.point, c.p);
    }

    void crossing(const Edge& a, const Edge& b, const V& n) {
        const V u = a.q - a.p, v = b.q - b.p, d = b.p - a.p;
        const double uu = norm2(u), vv = norm2(v), uv = dot(u, v);
        const double across2 = uu * vv - uv * uv;  // (|u| |v| sin)^2
        const double sine2 = across2 / (uu * vv);
        if (!(sine2 > 1e-4 * least_angle * least_angle)) return;
        const double s = (dot(u, d) * vv - dot(v, d) * uv) / across2, t = (dot(u, d) * uv - dot(v, d) * uu) / across2;
        if (s <= 0.0 || s >= 1.0 || t <= 0.0 || t >= 1.0) return;
        const V on_a = a.p + s * u, on_b = b.p + t * v;
        V across = cross(u, v);
        if (dot(across, n) < 0.0) across = -across;
        across = (1 / norm(across)) * across;
        const double to_end = least(least(s, 1.0 - s) * std::sqrt(uu), least(t, 1.0 - t) * std::sqrt(vv));
        const double weight = ramp(to_end / (fade * rounding_)) * ramp(std::sqrt(sine2) / least_angle);
        add(2U << 30 | a.id << 15 | b.id, weight, dot(on_b - on_a, across), across, on_a, on_b);
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

double touch_reach(const CollisionShape& A, const CollisionShape& B) { return mpr::reach * (A.radius + B.radius); }

void find_touch_points(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                       const SignedDistance& closest, std::vector<TouchPoint>& points) {
    points.clear();
    const double rounding = A.radius + B.radius;
    if (!may_touch_flat(A, B) || closest.distance + rounding <= mpr::clear_apart * rounding) return;
    const mpr::Pair<double> pair{A, X_WA, B, X_WB};
    const Vec3 n = X_WA.R.transpose() * closest.normal;
    mpr::Search{pair, X_WA, mpr::Pair<double>::in_core(A, n), std::max(0.0, -closest.distance), points};
}

}  // namespace tactus
