// Separation: the exact distance of cores that are apart.
//
// Where the portal's closest point lies on an edge or a vertex, MPR only gives an upper bound (seed 000, theorem 6.3, 2).
// Its points are a simplex in A - B; support points towards the origin are added and the closest point of the simplex
// moves until a support plane proves that nothing is closer. Polytopes end there after finitely many points, curved
// shapes as soon as polishing their features succeeds.
#pragma once

#include <tactus/engine/mpr/polish.hpp>
#include <tactus/engine/mpr/simplex.hpp>

namespace tactus::mpr {

inline bool is_curved(const CollisionShape& s) {
    return s.kind == CoreKind::ellipsoid || s.kind == CoreKind::round || s.kind == CoreKind::stadium;
}

enum class Search : std::uint8_t { done, stalled, touching };

template<class T> void gather_features(const Simplex<T>& simplex, Feature* fa, Feature* fb) {
    for (int i = 0; i < simplex.count; ++i) fa[i] = simplex.v[i].fa, fb[i] = simplex.v[i].fb;
}

// `simplex` holds one to three points of A - B and is not reduced yet.
template<class T>
Search separation(Pair<T>& pair, Simplex<T>& simplex, const DistanceOptions& options, Contact<T>& contact) {
    using std::sqrt;
    const bool curved = is_curved(pair.A) || is_curved(pair.B);
    const T tolerance = T(options.tolerance) * pair.scale;
    simplex.reduce();
    T low = T(0), up{}, try_below = T(0.02) * pair.scale;
    for (int i = 0; i < options.max_iterations && !simplex.inside; ++i) {
        const V3<T> v = simplex.closest;
        up = norm(v);
        if (up <= T(1e-15) * pair.scale) return Search::touching;
        const V3<T> n = (T(-1) / up) * v;
        const Vertex<T> w = pair.support(n);
        const T bound = -dot(w.w, n);
        if (bound > low) low = bound;
        const bool finished = up - low <= tolerance || (!curved && simplex.has(w));
        if (curved && !finished && up - bound <= try_below) {
            Feature fa[4], fb[4];
            gather_features(simplex, fa, fb);
            Polish<T> polish{pair, fa, fb, simplex.count, n, simplex.point_a()};
            if (polish.solve(contact)) return Search::done;
            try_below = T(0.05) * (up - bound);
        }
        if (finished) {
            const V3<T> a = simplex.point_a();
            contact = {up, n, a, a - v, up - low <= T(16) * tolerance ? Guarantee::exact : Guarantee::upper_bound};
            return Search::done;
        }
        simplex.add(w);
        simplex.reduce_newest();
        if (!(norm2(simplex.closest) < up * up)) break;
    }
    if (simplex.inside) return Search::touching;
    up = norm(simplex.closest);
    const V3<T> n = (T(-1) / up) * simplex.closest, a = simplex.point_a();
    contact = {up, n, a, a - simplex.closest,
               up - low <= T(16) * tolerance ? Guarantee::exact : Guarantee::upper_bound};
    return contact.guarantee == Guarantee::exact ? Search::done : Search::stalled;
}

}  // namespace tactus::mpr
