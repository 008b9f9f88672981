// Portals (the thesis, section 6.1): a portal is a triangle of support points of A - B that the ray
// from the inner point r0 through the origin passes.
//
// Phase 1 builds a first triangle, phase 2 turns it until the ray passes it, phase 3 moves it outwards. As soon as a
// support plane has the origin beyond it, the shapes are known to be apart; as soon as the portal lies beyond the origin,
// they are known to penetrate (theorem 6.1).
#pragma once

#include <tactus/engine/mpr/simplex.hpp>

namespace tactus::mpr {

enum class Found : std::uint8_t {
    portal,       // the ray passes it
    apart,        // r1 .. r3, as many as there are, are points of A - B near the origin
    penetrating,  // the origin lies between r0 and the portal
    on_ray,       // TC1: r1 lies on the ray and is the closest point in its direction
    undecided     // flat, touching to rounding, or the iteration limit
};

template<class T> struct Portal {
    V3<T> r0;
    Vertex<T> r1, r2, r3;
    int count = 0;  // of r1, r2, r3 that are set
    int phase2 = 0, phase3 = 0;

    V3<T> normal() const { return cross(r2.w - r1.w, r3.w - r1.w); }

    // Normal of the portal that looks away from r0.
    V3<T> outward() const {
        const V3<T> n = normal();
        return dot(n, r1.w - r0) < T(0) ? -n : n;
    }

    // Replaces one vertex by r4, so that the ray passes the new portal. False if it passes none.
    bool refine(const Vertex<T>& r4) {
        const V3<T> s = cross(r4.w - r0, r0);
        const T side1 = dot(r1.w - r0, s), side2 = dot(r2.w - r0, s), side3 = dot(r3.w - r0, s);
        // Without branches: they could only be guessed.
        const int above1 = side1 >= T(0), above2 = side2 >= T(0), above3 = side3 >= T(0);
        const int below1 = side1 <= T(0), below2 = side2 <= T(0), below3 = side3 <= T(0);
        Vertex<T>* const replaced[4] = {nullptr, &r2, &r1, &r3};
        const int which = below2 & above1 ? 3 : below3 & above2 ? 2 : below1 & above3 ? 1 : 0;
        if (which == 0) return false;
        *replaced[which] = r4;
        return true;
    }
};

// Phases 1 and 2. `support` gives a Vertex for a direction. With `sign_is_enough` they end as soon as a direction
// separates, and go on where r1 lies on the ray. `aside`: from another inner point than usual.
template<bool sign_is_enough, class T, class Support>
Found first_portal(const Pair<T>& pair, Support support, const DistanceOptions& options, Portal<T>& portal,
                   bool aside = false) {
    const T scale2 = pair.scale * pair.scale, tiny = T(1e-14) * scale2;
    V3<T>& r0 = portal.r0;
    auto &r1 = portal.r1, &r2 = portal.r2, &r3 = portal.r3;
    r0 = pair.inner_point();
    const T inner = T(pair.A.inner + pair.B.inner);     // a ball of this radius around r0 belongs to A - B
    if (aside || norm2(r0) <= T(1e-6) * inner * inner)  // any inner point will do, but one that has a direction
        r0 = r0 + (T(0.3) * inner) * V3<T>{T(0.6), T(0.48), T(0.64)};
    const auto beyond = [](const Vertex<T>& v, const V3<T>& d) { return sign_is_enough && dot(v.w, d) < T(0); };

    // Phase 1: lines 313-365
    V3<T> d = -r0;
    r1 = support(d);
    portal.count = 1;
    if (beyond(r1, d)) return Found::apart;
    d = cross(r0, r1.w);
    if (norm2(d) <= tiny * tiny) {  // r1 is on the ray
        if (!sign_is_enough) return Found::on_ray;
        d = perpendicular(normalized(r0));
    }
    r2 = support(d);
    portal.count = 2;
    if (beyond(r2, d)) return Found::apart;
    V3<T> n = cross(r1.w - r0, r2.w - r0);
    if (norm2(n) <= tiny * tiny) {
        d = -d;
        r2 = support(d);
        if (beyond(r2, d)) return Found::apart;
        n = cross(r1.w - r0, r2.w - r0);
        if (norm2(n) <= tiny * tiny) return Found::undecided;
    }
    if (dot(r0, n) > T(0)) std::swap(r1, r2), n = -n;
    r3 = support(n);
    portal.count = 3;
    if (beyond(r3, n)) return Found::apart;

    // Phase 2: lines 366-390
    for (;; ++portal.phase2) {
        if (portal.phase2 >= options.max_iterations) return Found::undecided;
        d = cross(r1.w - r0, r3.w - r0);
        if (dot(r0, d) < T(0)) {  // the ray leaves between r1 and r3: r2 lies on the other side
            r2 = r3;
        } else {
            d = cross(r3.w - r0, r2.w - r0);
            if (!(dot(r0, d) < T(0))) return Found::portal;
            r1 = r3;
        }
        r3 = support(d);
        if (beyond(r3, d)) return Found::apart;
    }
}

// Whether the origin lies in A - B, and a portal.
template<class T>
Found find_portal(Pair<T>& pair, const DistanceOptions& options, Portal<T>& portal, bool aside = false) {
    const Found found = first_portal<true>(
        pair, [&pair](const V3<T>& d) { return pair.support(d); }, options, portal, aside);
    if (found != Found::portal) return found;
    for (;; ++portal.phase3) {  // phase 3, until the sign is known
        if (portal.phase3 >= options.max_iterations) return Found::undecided;
        const V3<T> d = portal.outward();
        if (dot(d, portal.r1.w) >= T(0)) {
            // In the symmetry plane of both shapes the portal may be as flat as the ray: it says nothing.
            const T height = dot(d, portal.r1.w - portal.r0);
            if (height * height > T(1e-24) * pair.scale * pair.scale * norm2(d)) return Found::penetrating;
            if (aside) return Found::undecided;
            portal = {};
            return find_portal(pair, options, portal, true);
        }
        const Vertex<T> r4 = pair.support(d);
        if (dot(r4.w, d) < T(0)) return Found::apart;
        const T progress = dot(r4.w - portal.r1.w, d);
        if (progress * progress <= T(1e-30) * pair.scale * pair.scale * norm2(d)) return Found::undecided;  // touching
        if (!portal.refine(r4)) return Found::undecided;
    }
}

}  // namespace tactus::mpr
