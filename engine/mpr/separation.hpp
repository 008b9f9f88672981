// Separation: the exact distance of cores that are apart.
//
// Where the portal's closest point lies on an edge or a vertex, MPR only gives an upper bound (the thesis, theorem 6.3, 2).
// Its points are a simplex in A - B; support points towards the origin are added and the closest point of the simplex
// moves until a support plane proves that nothing is closer. Polytopes end there after finitely many points, curved
// shapes as soon as polishing their features succeeds.
#pragma once

#include <tactus/engine/mpr/polish.hpp>
#include <tactus/engine/mpr/simplex.hpp>

namespace tactus::mpr {

enum class Search : std::uint8_t { done, stalled, touching };

template<class T> void gather_features(const Simplex<T>& simplex, Feature* fa, Feature* fb) {
    for (int i = 0; i < simplex.count; ++i) fa[i] = simplex.v[i].fa, fb[i] = simplex.v[i].fb;
}

// `simplex` holds one to three points of A - B and is not reduced yet.
template<class T>
Search separation(Pair<T>& pair, Simplex<T>& simplex, const DistanceOptions& options, Contact<T>& contact) {
    const bool curved = pair.curved();
    const T tolerance = T(options.tolerance) * pair.scale;
    simplex.reduce();
    T low = T(0), up{}, try_below = T(0.02) * pair.scale;
    V3<T> n_low;  // the direction that proves `low`
    const auto finish = [&](const T& bound) {
        // Where the shapes nearly touch, the closest point is too small to tell the direction; a plane that separates does.
        // The points that belong to it are known only as well as their weights.
        bool exact = up - low <= T(16) * tolerance && simplex.missed2() <= T(256) * tolerance * tolerance;
        const V3<T> a = simplex.point_a(), b = a - simplex.closest;
        contact = {up, (T(-1) / up) * simplex.closest, a, b, exact ? Guarantee::exact : Guarantee::upper_bound};
        if (exact && bound < up - T(16) * tolerance) {
            // Along that plane's normal the points lie opposite each other if one of them moves a little: the one that can.
            contact.n = n_low;
            contact.b = a + up * n_low;
            if (!contains(pair.B, pair.R.transposed_times(contact.b - pair.p), T(16) * tolerance)) {
                contact.a = b - up * n_low, contact.b = b;
                exact = contains(pair.A, contact.a, T(16) * tolerance);
                if (!exact) contact.guarantee = Guarantee::upper_bound;
            }
        }
        return exact ? Search::done : Search::stalled;
    };
    for (int i = 0; i < options.max_iterations && !simplex.inside; ++i) {
        const V3<T> v = simplex.closest;
        up = norm(v);
        if (up <= T(32) * tolerance) return Search::touching;
        const V3<T> n = (T(-1) / up) * v;
        const Vertex<T> w = pair.support(n);
        const T bound = -dot(w.w, n);
        if (bound > low) low = bound, n_low = n;
        if (up - low <= tolerance || (!curved && simplex.has(w))) return finish(bound);
        if (curved && up - bound <= try_below) {
            Feature fa[4], fb[4];
            gather_features(simplex, fa, fb);
            Polish<T> polish{pair, fa, fb, simplex.count, n, simplex.point_a()};
            if (polish.solve(contact) && contact.distance >= low - tolerance && contact.distance <= up + tolerance)
                return Search::done;
            try_below = T(0.05) * (up - bound);
        }
        simplex.add(w);
        simplex.reduce_newest();
        if (!(norm2(simplex.closest) < up * up)) break;
    }
    if (simplex.inside) return Search::touching;
    up = norm(simplex.closest);
    return up <= T(32) * tolerance ? Search::touching : finish(T(0));
}

// Points of both cores that lie opposite each other along a given normal: moved apart along it, that is where they are
// closest. Leaves the contact as it is if there are none.
template<class T> bool opposite_points(const Pair<T>& pair, const DistanceOptions& options, Contact<T>& contact) {
    const V3<T> shift = (T(0.1) * pair.scale - contact.distance) * contact.n;
    Pair<T> apart = pair;
    apart.p = apart.p + shift;
    Simplex<T> simplex;
    simplex.add(apart.support(contact.n));
    Contact<T> found;
    if (separation(apart, simplex, options, found) == Search::touching) return false;
    const V3<T> b = found.a + contact.distance * contact.n;
    const T slack = T(1e-12) * pair.scale;
    if (!(norm2(found.b - shift - b) <= slack * slack)) return false;
    contact.a = found.a;
    contact.b = b;
    return true;
}

}  // namespace tactus::mpr
