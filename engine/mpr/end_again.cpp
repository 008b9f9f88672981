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
    if (!(place * from_rod.x > 1e-12 * rod.half[0])) return false;
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

}  // namespace tactus::mpr
