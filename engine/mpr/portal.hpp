// The improved MPR algorithm (seed 000, section 6.1; seed 004, section 4): a portal is a triangle of support points of
// A - B that the ray from the inner point r0 through the origin passes.
//
// Phase 1 builds a first triangle, phase 2 turns it until the ray passes it, phase 3 moves it outwards. As soon as a
// support plane has the origin beyond it, the shapes are known to be apart; as soon as the portal lies beyond the origin,
// they are known to penetrate (theorem 6.1).
#pragma once

#include <tactus/engine/mpr/simplex.hpp>

namespace tactus::mpr {

enum class Found : std::uint8_t { apart, penetrating, flat, undecided };

template<class T> struct Portal {
    V3<T> r0;
    Vertex<T> r1, r2, r3;
    int count = 0;  // of r1, r2, r3 that are set
    int phase2 = 0, phase3 = 0;

    V3<T> normal() const { return cross(r2.w - r1.w, r3.w - r1.w); }
};

// Whether the ray passes between the half planes of r1-r4 and r2-r4 (seed 000, lines 460-463).
template<class T> bool is_next_portal(const V3<T>& r0, const V3<T>& r1, const V3<T>& r2, const V3<T>& r4) {
    const V3<T> s = cross(r4 - r0, r0);
    return dot(r2 - r0, s) <= T(0) && dot(r1 - r0, s) >= T(0);
}

// Finds out whether the origin lies in A - B, and a portal. For `apart`, r1 .. r3 are points of A - B near the origin.
template<class T> Found find_portal(Pair<T>& pair, const DistanceOptions& options, Portal<T>& portal) {
    const T scale2 = pair.scale * pair.scale, tiny = T(1e-14) * scale2;
    V3<T>& r0 = portal.r0;
    auto &r1 = portal.r1, &r2 = portal.r2, &r3 = portal.r3;
    r0 = pair.inner_point();
    const T inner = T(pair.A.inner + pair.B.inner);  // a ball of this radius around r0 belongs to A - B
    if (norm2(r0) <= T(1e-6) * inner * inner)        // any inner point will do, but one that has a direction
        r0 = r0 + (T(0.3) * inner) * V3<T>{T(0.6), T(0.48), T(0.64)};
    const auto beyond = [](const Vertex<T>& v, const V3<T>& d) { return dot(v.w, d) < T(0); };

    // Phase 1
    V3<T> d = -r0;
    r1 = pair.support(d);
    portal.count = 1;
    if (beyond(r1, d)) return Found::apart;
    d = cross(r0, r1.w);
    if (norm2(d) <= tiny * tiny / scale2) d = perpendicular(normalized(r0));  // TC1: r1 is on the ray
    r2 = pair.support(d);
    portal.count = 2;
    if (beyond(r2, d)) return Found::apart;
    V3<T> n = cross(r1.w - r0, r2.w - r0);
    if (norm2(n) <= tiny * tiny) {
        d = -d;
        r2 = pair.support(d);
        if (beyond(r2, d)) return Found::apart;
        n = cross(r1.w - r0, r2.w - r0);
        if (norm2(n) <= tiny * tiny) return Found::flat;
    }
    if (dot(r0, n) > T(0)) std::swap(r1, r2), n = -n;
    r3 = pair.support(n);
    portal.count = 3;
    if (beyond(r3, n)) return Found::apart;

    // Phase 2
    for (;; ++portal.phase2) {
        if (portal.phase2 >= options.max_iterations) return Found::undecided;
        d = cross(r1.w - r0, r3.w - r0);
        if (dot(r0, d) < T(0)) {  // the ray leaves between r1 and r3: r2 lies on the other side
            r2 = r3;
        } else {
            d = cross(r3.w - r0, r2.w - r0);
            if (!(dot(r0, d) < T(0))) break;
            r1 = r3;
        }
        r3 = pair.support(d);
        if (beyond(r3, d)) return Found::apart;
    }

    // Phase 3, until the sign is known
    for (;; ++portal.phase3) {
        if (portal.phase3 >= options.max_iterations) return Found::undecided;
        d = portal.normal();
        if (dot(d, r1.w - r0) < T(0)) d = -d;
        if (dot(d, r1.w) >= T(0)) return Found::penetrating;
        const Vertex<T> r4 = pair.support(d);
        if (beyond(r4, d)) return Found::apart;
        const T progress = dot(r4.w - r1.w, d);
        if (progress * progress <= T(1e-30) * scale2 * norm2(d)) return Found::undecided;  // touching
        if (is_next_portal(r0, r1.w, r2.w, r4.w))
            r3 = r4;
        else if (is_next_portal(r0, r2.w, r3.w, r4.w))
            r1 = r4;
        else
            r2 = r4;
    }
}

}  // namespace tactus::mpr
