#include <tactus/engine/mpr/signed_distance.hpp>

#include <tactus/engine/mpr/closed_forms.hpp>
#include <tactus/engine/mpr/penetration.hpp>
#include <tactus/engine/mpr/portal.hpp>
#include <tactus/engine/mpr/separation.hpp>

namespace tactus {

namespace mpr {
namespace {

// Result in the world, for shapes instead of cores.
SignedDistance to_world(const Pair<double>& pair, const Frame& X_WA, const Contact<double>& contact) {
    const int x = pair.A.axis, y = (x + 1) % 3, z = (x + 2) % 3;
    const auto turned = [&](const V3<double>& v) {
        return Vec3{v.x * X_WA.R.col(x) + v.y * X_WA.R.col(y) + v.z * X_WA.R.col(z)};
    };
    SignedDistance result;
    result.distance = contact.distance - pair.A.radius - pair.B.radius;
    result.normal = turned(contact.n);
    result.point1 = X_WA.p + turned(contact.a + pair.A.radius * contact.n);
    result.point2 = X_WA.p + turned(contact.b - pair.B.radius * contact.n);
    result.iterations = static_cast<std::uint16_t>(pair.evaluations);
    result.guarantee = contact.guarantee;
    return result;
}

// Both cores smooth everywhere: Newton's method from the direction of the centroids. True if it proves its result.
bool smooth(Pair<double>& pair, const V3<double>& start, Contact<double>& contact) {
    const Feature none = 0;
    Polish<double> polish{pair, &none, &none, 1, start, {}};
    if (!polish.solve_smooth(contact)) return false;
    const double rolling = pair.A.roundness - pair.A.radius + pair.B.roundness - pair.B.radius;
    return contact.distance > 0 || -contact.distance <= rolling;
}

void touching(Pair<double>& pair, const V3<double>& n, Contact<double>& contact) {
    const Vertex<double> v = pair.support(n);
    contact = {-dot(v.w, n), n, v.a, v.a - dot(v.w, n) * n, Guarantee::sign_only};
}

void remember(const Simplex<double>& simplex, const Contact<double>& contact, PairCache* cache) {
    if (!cache) return;
    cache->state = PairCache::State::apart;
    cache->vertices = static_cast<std::uint8_t>(simplex.count);
    for (int i = 0; i < simplex.count; ++i) {
        cache->feature_A[i] = simplex.v[i].fa;
        cache->feature_B[i] = simplex.v[i].fb;
    }
    cache->normal = to_eigen(contact.n);
    cache->point = to_eigen(contact.a);
}

void remember(const Expansion<double>& expansion, const Contact<double>& contact, PairCache* cache) {
    if (!cache) return;
    expansion.keep(*cache);
    cache->normal = to_eigen(contact.n);
    cache->point = to_eigen(contact.a);
}

void general(Pair<double>& pair, const DistanceOptions& options, Contact<double>& contact, PairCache* cache) {
    Portal<double> portal;
    const Found found = find_portal(pair, options, portal);
    Simplex<double> simplex;
    if (portal.count > 0) simplex.add(portal.r1);
    if (portal.count > 1) simplex.add(portal.r2);
    if (portal.count > 2) simplex.add(portal.r3);
    if (found == Found::apart) {
        if (separation(pair, simplex, options, contact) != Search::touching) return remember(simplex, contact, cache);
    } else if (found == Found::penetrating) {
        Expansion<double> expansion{pair, options};
        if (expansion.start(portal)) {
            expansion.run(contact);
            if (contact.guarantee != Guarantee::sign_only) return remember(expansion, contact, cache);
        }
    }
    V3<double> n = portal.count > 2 ? portal.normal() : -portal.r0;
    if (dot(n, portal.r0) > 0) n = -n;
    touching(pair, normalized(n), contact);
}

// From what the last query left. False if that does not lead to a proven result: then all is to be done anew.
bool warm(Pair<double>& pair, const DistanceOptions& options, Contact<double>& contact, PairCache& cache) {
    const bool curved = is_curved(pair.A) || is_curved(pair.B);
    const V3<double> n = from_eigen(cache.normal);
    if (cache.state == PairCache::State::apart) {
        if (curved) {
            Polish<double> polish{pair, cache.feature_A, cache.feature_B, cache.vertices, n, from_eigen(cache.point)};
            if (polish.solve(contact) && contact.distance > 0) {
                cache.normal = to_eigen(contact.n);
                cache.point = to_eigen(contact.a);
                return true;
            }
        }
        const float d[3] = {float(n.x), float(n.y), float(n.z)};
        Simplex<double> simplex;
        for (int i = 0; i < cache.vertices; ++i) simplex.add(pair.again(cache.feature_A[i], cache.feature_B[i], d));
        if (separation(pair, simplex, options, contact) != Search::done) return false;
        remember(simplex, contact, &cache);
        return true;
    }
    Expansion<double> expansion{pair, options};
    if (!expansion.start(cache)) return false;
    bool known = false;
    if (curved) known = expansion.polish_closest(n, contact);
    expansion.run(contact, known);
    if (contact.guarantee == Guarantee::sign_only || contact.guarantee == Guarantee::upper_bound) return false;
    remember(expansion, contact, &cache);
    return true;
}

}  // namespace
}  // namespace mpr

SignedDistance signed_distance(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                               const DistanceOptions& options, PairCache* cache) {
    using namespace mpr;
    if (SignedDistance known; point_form(A, X_WA, B, X_WB, known)) return known;
    Pair<double> pair{A, X_WA, B, X_WB};
    Contact<double> contact;
    const auto result = [&] { return to_world(pair, X_WA, contact); };
    if (A.kind == CoreKind::segment && B.kind == CoreKind::segment) {
        segment_segment(pair, contact);
        return result();
    }
    if (cache && cache->state == PairCache::State::apart && warm(pair, options, contact, *cache)) return result();
    if (A.kind == CoreKind::box && B.kind == CoreKind::box) {
        if (box_box(pair, contact)) return result();
        Simplex<double> simplex;
        simplex.add(pair.support(contact.n));
        if (separation(pair, simplex, options, contact) != Search::touching) {
            remember(simplex, contact, cache);
            return result();
        }
    }
    const auto is_smooth = [](const CollisionShape& s) {
        return s.kind == CoreKind::ellipsoid || s.kind == CoreKind::point;
    };
    if (is_smooth(A) && is_smooth(B)) {
        const bool known = cache && cache->state != PairCache::State::empty;
        const V3<double> start = known ? from_eigen(cache->normal) : pair.p;
        if (norm2(start) > 0 && smooth(pair, normalized(start), contact)) {
            if (cache) cache->state = PairCache::State::smooth, cache->normal = to_eigen(contact.n);
            return result();
        }
    }
    if (cache && cache->state == PairCache::State::penetrating && warm(pair, options, contact, *cache)) return result();
    general(pair, options, contact, cache);
    return result();
}

void signed_distances(std::span<const DistancePair> pairs, std::span<SignedDistance> results,
                      const DistanceOptions& options) {
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const DistancePair& pair = pairs[i];
        results[i] = signed_distance(*pair.A, *pair.X_WA, *pair.B, *pair.X_WB, options, pair.cache);
    }
}

}  // namespace tactus
