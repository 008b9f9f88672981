#include <tactus/engine/mpr/again.hpp>

#include <tactus/engine/mpr/foot.hpp>
#include <tactus/engine/mpr/world_axes.hpp>

namespace tactus::mpr {

namespace {

using V = V3<double>;

// The core axes of a shape, in world axes.
struct CoreAxes {
    V x, y, z;

    CoreAxes(const CollisionShape& s, const Mat3& R)
        : x{column(R, s.axis)}, y{column(R, (s.axis + 1) % 3)}, z{column(R, (s.axis + 2) % 3)} {}
    V turned_back(const V& v) const { return {dot(x, v), dot(y, v), dot(z, v)}; }
    V to_world(const V& v) const { return v.x * x + v.y * y + v.z * z; }
};

// The foot of q on a vertex, an edge or a triangle of a hull. True if it is that on the hull, and q lies outside.
bool foot_on_hull(const CollisionShape& hull, const Feature* vertices, int count, const V& q, double slack,
                  Foot& foot) {
    const auto vertex = [&](Feature i) { return feature_point(hull, q, i); };
    Feature own[3] = {vertices[0], vertices[0], vertices[0]};  // each of them once
    int corners = 1;
    for (int i = 1; i < count; ++i)
        if (vertices[i] != own[0] && vertices[i] != own[corners - 1]) own[corners++] = vertices[i];
    const V v = vertex(own[0]), d = q - v, u = vertex(own[1]) - v;
    V up = d;  // from the foot to q
    if (corners == 3) {
        const V w = vertex(own[2]) - v, n = cross(u, w);
        const double n2 = norm2(n), s = dot(n, cross(d, w)), t = dot(n, cross(u, d));
        if (!(s >= 0 && t >= 0 && s + t <= n2)) return false;
        up = (dot(n, d) / n2) * n;
    } else if (corners == 2) {
        const double u2 = norm2(u), t = dot(d, u);
        if (!(t >= 0 && t <= u2)) return false;
        up = d - (t / u2) * u;
    }
    const double distance = norm(up);
    if (!(distance > 0)) return false;
    foot.distance = distance;
    foot.n = (1 / distance) * up;
    foot.point = q - up;
    Feature out = own[0];
    return dot(foot.n, support(hull, foot.n, out) - foot.point) <= slack;  // nothing lies beyond it
}

}  // namespace

bool end_again(const DistancePair& pair, SignedDistance& result) {
    const CollisionShape &A = *pair.A, &B = *pair.B;
    const Frame &X_WA = *pair.X_WA, &X_WB = *pair.X_WB;
    PairCache& cache = *pair.cache;
    const bool of_b = is_rod(B);
    const CollisionShape &rod = of_b ? B : A, &solid = of_b ? A : B;
    const Frame &X_rod = of_b ? X_WB : X_WA, &X_solid = of_b ? X_WA : X_WB;
    const Feature* ends = of_b ? cache.closest_B : cache.closest_A;
    for (int i = 1; i < cache.vertices; ++i)
        if (ends[i] != ends[0]) return false;  // somewhere between them
    const CoreAxes of_rod{rod, X_rod.R}, of_solid{solid, X_solid.R};
    const double place = ends[0] ? -rod.half[0] : rod.half[0];
    const V end = place * of_rod.x;
    Foot foot;
    const V q = of_solid.turned_back(between(X_solid.p, X_rod.p) + end);
    const double scale = A.size + B.size;
    if (solid.kind == CoreKind::hull) {
        const Feature* own = of_b ? cache.closest_A : cache.closest_B;
        if (!foot_on_hull(solid, own, cache.vertices, q, 1e-14 * scale, foot)) return false;
    } else if (!foot_of(solid, q, foot)) {
        return false;
    }
    if (!(foot.distance > 1e-6 * scale)) return false;
    // Nothing of the solid lies beyond the plane through the foot; nothing of the rod beyond that through its end.
    const V out = of_solid.to_world(foot.n), from_rod = -of_rod.turned_back(out);
    if (rod.kind == CoreKind::segment && !(place * from_rod.x > 1e-12 * rod.half[0])) return false;
    to_floats(of_b ? foot.n : from_rod, cache.normal);
    to_floats(of_b ? from_rod : foot.n, cache.normal_B);
    to_floats(of_b ? foot.point : V{place, 0, 0}, cache.point);
    if (of_b)
        set_result(A, B, X_WA.p, of_solid.to_world(foot.point), out, foot.distance, result);
    else
        set_result(A, B, X_WA.p, end, -out, foot.distance, result);
    result.iterations = 0;
    return true;
}

}  // namespace tactus::mpr
