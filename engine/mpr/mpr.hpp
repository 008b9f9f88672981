// The improved MPR algorithm of the seeds by itself: phases 1 to 3 with the termination conditions TC1 to TC3 and the
// best result so far (the thesis, section 6.1).
//
// Its distance has the right sign always, is exact for TC1, TC2 and where the closest point lies within the portal, and
// else an upper bound (theorems 6.1 and 6.3). signed_distance() uses its phases to find the sign and a portal, and goes
// on to the exact distance from there.
#pragma once

#include <tactus/engine/mpr/portal.hpp>

namespace tactus::mpr {

enum class Termination : std::uint8_t {
    tc1,        // r1 lies on the ray
    tc2,        // r4 lies on the normal of the portal through the origin
    tc3,        // r4 lies in the plane of the portal
    best,       // no further portal, or the iteration limit: the best of all iterations
    undecided,  // the difference of the shapes is flat
};

template<class T> struct MprResult {
    T distance{};   // [m] signed; of the shapes, balls included
    V3<T> n, a, b;  // normal from A to B, points of the shapes; in A's core axes
    Termination termination = Termination::undecided;
    bool within = true;  // the closest point lies within the portal, not on its rim
    T reached{};         // [m] smaller of TC2 and TC3 at the end
    int phase2 = 0, phase3 = 0;
};

template<class T> MprResult<T> improved_mpr(Pair<T>& pair, const DistanceOptions& options) {
    using std::abs;
    const T ball = T(pair.A.radius + pair.B.radius), tolerance = T(options.tolerance) * pair.scale;
    const auto support = [&](const V3<T>& d) {
        const V3<T> e = normalized(d);
        Vertex<T> v = pair.support(e);
        v.w = v.w + ball * e;
        v.a = v.a + T(pair.A.radius) * e;
        return v;
    };
    MprResult<T> result;
    Portal<T> portal;
    const Found found = first_portal<false>(pair, support, options, portal);
    result.phase2 = portal.phase2;
    if (found == Found::on_ray) {
        result.n = normalized(-portal.r0);
        result.distance = -dot(portal.r1.w, result.n);
        result.a = portal.r1.a;
        result.b = result.a + result.distance * result.n;
        result.termination = Termination::tc1;
        return result;
    }
    if (found != Found::portal) return result;

    // Lines 435-444: the closest point, along the normal for TC2, of the portal for TC3.
    const auto finish = [&](const Portal<T>& p, const V3<T>& e, const Vertex<T>& r4, bool tc2) {
        Simplex<T> simplex;
        simplex.add(p.r1), simplex.add(p.r2), simplex.add(p.r3);
        simplex.reduce();
        result.within = tc2 || simplex.count == 3;
        const T along = -dot(r4.w, e);
        if (result.within) {
            result.n = e;
            result.distance = tc2 ? along : -dot(p.r1.w, e);
            result.a = tc2 ? r4.a : simplex.point_a();
        } else {
            const T length = norm(simplex.closest);
            const bool apart = along > T(0);
            result.n = length > T(0) ? (T(apart ? -1 : 1) / length) * simplex.closest : e;
            result.distance = apart ? length : -length;
            result.a = simplex.point_a();
        }
        result.b = result.a + result.distance * result.n;
    };

    Portal<T> best_portal = portal;
    Vertex<T> best_r4;
    V3<T> best_e;
    bool best_tc2 = false, any = false;
    for (; result.phase3 < options.max_iterations; ++result.phase3) {
        const V3<T> d = portal.outward();
        if (!(norm2(d) > T(0))) break;
        const V3<T> e = normalized(d);
        const Vertex<T> r4 = support(e);
        const T tc2 = norm(cross(r4.w, e)), tc3 = abs(dot(r4.w - portal.r1.w, e));
        const T smaller = tc2 < tc3 ? tc2 : tc3;
        if (!any || smaller < result.reached) {
            any = true;
            result.reached = smaller;
            best_portal = portal, best_r4 = r4, best_e = e, best_tc2 = tc2 < tc3;
        }
        if (tc2 <= tolerance || tc3 <= tolerance) {
            finish(portal, e, r4, tc2 <= tolerance);
            result.termination = tc2 <= tolerance ? Termination::tc2 : Termination::tc3;
            return result;
        }
        if (!portal.refine(r4)) break;
    }
    if (any) {
        finish(best_portal, best_e, best_r4, best_tc2);
        result.termination = Termination::best;
    }
    return result;
}

}  // namespace tactus::mpr
