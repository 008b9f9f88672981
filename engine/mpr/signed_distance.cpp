#include <tactus/engine/mpr/signed_distance.hpp>

#include <tactus/engine/mpr/again.hpp>
#include <tactus/engine/mpr/closed_forms.hpp>
#include <tactus/engine/mpr/double_double.hpp>
#include <tactus/engine/mpr/flat_contact.hpp>
#include <tactus/engine/mpr/penetration.hpp>
#include <tactus/engine/mpr/portal.hpp>
#include <tactus/engine/mpr/separation.hpp>

namespace tactus {

namespace mpr {
namespace {

// Result in the world, for shapes instead of cores.
void to_world(const Pair<double>& pair, const Frame& X_WA, const Contact<double>& contact, SignedDistance& result) {
    const int x = pair.A.axis, y = x == 2 ? 0 : x + 1, z = y == 2 ? 0 : y + 1;
    const double *cx = X_WA.R.data() + 3 * x, *cy = X_WA.R.data() + 3 * y, *cz = X_WA.R.data() + 3 * z;
    const V3<double> n = renormalized(contact.n), a = contact.a + pair.A.radius * n, b = contact.b - pair.B.radius * n;
    result.distance = contact.distance - pair.A.radius - pair.B.radius;
    for (int i = 0; i < 3; ++i) {
        const V3<double> row{cx[i], cy[i], cz[i]};
        result.normal[i] = dot(row, n);
        result.point1[i] = X_WA.p[i] + dot(row, a);
        result.point2[i] = X_WA.p[i] + dot(row, b);
    }
    result.iterations = static_cast<std::uint16_t>(pair.evaluations);
    result.guarantee = contact.guarantee;
}

// Both cores smooth everywhere: Newton's method from the direction of the centroids. True if it proves its result.
bool smooth(Pair<double>& pair, const V3<double>& start, Contact<double>& contact) {
    const Feature none = 0;
    Polish<double> polish{pair, &none, &none, 1, start, {}};
    if (!polish.solve_smooth(contact)) return false;
    return contact.distance > 0 || -contact.distance <= pair.rolling();
}

// Cores whose distance is zero to rounding. Pushed into each other a little they have a normal; the distance is then that
// of the planes where they are.
template<class T>
void touching(Pair<T>& pair, const DistanceOptions& options, const V3<T>& towards, Contact<T>& contact) {
    using std::abs;
    const auto known = [&pair](const T& d) {  // apart, the points prove that nothing is closer
        return d > -T(1e-13) * pair.scale ? Guarantee::exact : Guarantee::local;
    };
    Pair<T> pushed = pair;
    pushed.p = pushed.p - (T(1e-4) * pair.scale) * towards;
    Portal<T> portal;
    Expansion<T> expansion{pushed, options};
    V3<T> n = towards;
    if (find_portal(pushed, options, portal) == Found::penetrating && expansion.start(portal)) {
        expansion.run(contact);
        const bool found = contact.guarantee != Guarantee::sign_only;
        if (found) n = contact.n;
        Contact<T> polished;
        if (found && pair.curved() && expansion.polish_closest(pair, n, polished) &&
            abs(polished.distance) <= T(1e-10) * pair.scale) {
            contact = polished;
            contact.guarantee = known(polished.distance);
            return;
        }
    }
    const Vertex<T> v = pair.support(n);
    const T d = -dot(v.w, n);
    contact = {d, n, v.a, v.a + d * n, Guarantee::sign_only};
    if (opposite_points(pair, options, contact)) contact.guarantee = known(d);
}

void remember(const Pair<double>& pair, const Contact<double>& contact, PairCache& cache) {
    to_floats(contact.n, cache.normal);
    to_floats(-pair.R.transposed_times(contact.n), cache.normal_B);
    to_floats(contact.a, cache.point);
}

void remember(const Pair<double>& pair, const Simplex<double>& simplex, const Contact<double>& contact,
              PairCache* cache) {
    if (!cache) return;
    cache->state = PairCache::State::apart;
    cache->vertices = static_cast<std::uint8_t>(simplex.count);
    gather_features(simplex, cache->closest_A, cache->closest_B);
    remember(pair, contact, *cache);
}

void remember(const Pair<double>& pair, Expansion<double>& expansion, const Contact<double>& contact,
              PairCache* cache) {
    if (!cache) return;
    cache->clearance = 0;
    if (-contact.distance <= pair.rolling() && expansion.polished_from(*cache)) return remember(pair, contact, *cache);
    const bool local = expansion.look_around(contact, 0.015 * pair.scale, *cache);
    if (expansion.changed()) expansion.keep(*cache);
    if (local) {
        const M3<double>& R = pair.R;
        for (int i = 0; i < 3; ++i) to_floats(R.row[i], cache->R + 3 * i);
        to_floats(pair.p, cache->p);
    }
    remember(pair, contact, *cache);
}

void remember(const Pair<DoubleDouble>&, const Simplex<DoubleDouble>&, const Contact<DoubleDouble>&, PairCache*) {}
void remember(const Pair<DoubleDouble>&, Expansion<DoubleDouble>&, const Contact<DoubleDouble>&, PairCache*) {}

// [m] No point of B's core has moved farther, seen from A, since the cache holds its clearance.
double moved(const Pair<double>& pair, const PairCache& cache) {
    const V3<double> c = Pair<double>::in_core(pair.B, pair.B.centroid);
    V3<double> shift = pair.p - from_floats(cache.p);
    double turned2 = 0;  // of two rotations: 8 times the squared sine of half the angle between them
    for (int i = 0; i < 3; ++i) {
        const V3<double> row = pair.R.row[i] - from_floats(cache.R + 3 * i);
        (i == 0 ? shift.x : i == 1 ? shift.y : shift.z) += dot(row, c);
        turned2 += norm2(row);
    }
    const double rounding = 1e-6 * (pair.scale + norm(pair.p) + norm(c));  // floats have seven digits
    return norm(shift) + std::sqrt(0.5 * turned2) * pair.B.size + rounding;
}

template<class T> void general(Pair<T>& pair, const DistanceOptions& options, Contact<T>& contact, PairCache* cache) {
    Portal<T> portal;
    const Found found = find_portal(pair, options, portal);
    if (found == Found::apart) {
        Simplex<T> simplex;
        if (portal.count > 0) simplex.add(portal.r1);
        if (portal.count > 1) simplex.add(portal.r2);
        if (portal.count > 2) simplex.add(portal.r3);
        if (separation(pair, simplex, options, contact) != Search::touching)
            return remember(pair, simplex, contact, cache);
    } else if (found == Found::penetrating) {
        Expansion<T> expansion{pair, options};
        if (expansion.start(portal)) {
            expansion.run(contact);
            if (contact.guarantee != Guarantee::sign_only) return remember(pair, expansion, contact, cache);
        }
    }
    V3<T> n = portal.count > 2 ? portal.normal() : -portal.r0;
    if (dot(n, portal.r0) > T(0)) n = -n;
    touching(pair, options, normalized(n), contact);
}

// Where double precision does not prove its result, twice the digits do.
void escalate(Pair<double>& pair, const Frame& X_WA, const Frame& X_WB, const DistanceOptions& options,
              Contact<double>& contact) {
    Pair<DoubleDouble> precise{pair.A, X_WA, pair.B, X_WB};
    Contact<DoubleDouble> better;
    general(precise, options, better, nullptr);
    pair.evaluations += precise.evaluations;
    if (better.guarantee > contact.guarantee) return;
    const auto rounded = [](const V3<DoubleDouble>& v) { return V3<double>{double(v.x), double(v.y), double(v.z)}; };
    contact = {double(better.distance), rounded(better.n), rounded(better.a), rounded(better.b), better.guarantee};
}

// The features that were closest, as they are now.
bool polish_again(Pair<double>& pair, const V3<double>& n, int count, Contact<double>& contact, PairCache& cache) {
    Polish<double> polish{
        pair, cache.closest_A, cache.closest_B, count, n, from_floats(cache.normal_B), from_floats(cache.point)};
    if (!polish.solve(contact)) return false;
    if (polish.moved(cache.closest_A, cache.closest_B, count))  // padded, for those who read all three
        for (int i = count; i < 3; ++i)
            cache.closest_A[i] = cache.closest_A[0], cache.closest_B[i] = cache.closest_B[0];
    const bool features = contact.distance > 0 || cache.state == PairCache::State::apart;  // no polytope any more
    if (features) cache.state = PairCache::State::apart, cache.vertices = static_cast<std::uint8_t>(count);
    return true;
}

// From what the last query left. False if that does not lead to a proven result: then all is to be done anew.
bool warm(Pair<double>& pair, const DistanceOptions& options, Contact<double>& contact, PairCache& cache) {
    const bool curved = pair.curved();
    const V3<double> n = renormalized(from_floats(cache.normal));
    if (cache.state == PairCache::State::apart) {
        if (curved && polish_again(pair, n, cache.vertices, contact, cache)) {
            if (-contact.distance > pair.rolling()) return false;  // there may be a shorter way out
            remember(pair, contact, cache);
            return true;
        }
        Simplex<double> simplex;
        for (int i = 0; i < cache.vertices; ++i) simplex.add(pair.again(cache.closest_A[i], cache.closest_B[i], n));
        if (separation(pair, simplex, options, contact) != Search::done) return false;
        remember(pair, simplex, contact, &cache);
        return true;
    }
    bool known = false;
    if (cache.clearance > 0 && polish_again(pair, n, 3, contact, cache)) {
        known = contact.distance <= 0 && dot(n, contact.n) > 0.95;  // the clearance holds farther away
        // The depth changes by what the shapes have moved at most, in every direction.
        if (contact.distance > 0 || (known && -contact.distance <= double(cache.clearance) - moved(pair, cache))) {
            if (known) contact.guarantee = -contact.distance <= pair.rolling() ? Guarantee::exact : Guarantee::local;
            remember(pair, contact, cache);
            return true;
        }
    }
    Expansion<double> expansion{pair, options};
    if (!expansion.start(cache)) return false;
    if (known)
        expansion.start_from(cache);
    else if (curved)
        known = expansion.polish_closest(pair, n, contact) && contact.distance <= 0;
    expansion.run(contact, known);
    if (contact.guarantee == Guarantee::sign_only || contact.guarantee == Guarantee::upper_bound) return false;
    remember(pair, expansion, contact, &cache);
    return true;
}

// Pairs that know so much from the last query that nothing else has to be set up.
bool known_again(const DistancePair& pair, const DistanceOptions& options, SignedDistance& result) {
    const CollisionShape &A = *pair.A, &B = *pair.B;
    switch (pair.cache->state) {
    case PairCache::State::smooth: return smooth_again(pair, result);
    case PairCache::State::boxes: return boxes_again(pair, result);
    case PairCache::State::apart:
        if (is_rod(A) != is_rod(B)) return end_again(pair, result);
        return A.kind == CoreKind::box && B.kind == CoreKind::box && box_corners_again(pair, options, result);
    default: return false;
    }
}

bool is_smooth(CoreKind kind) { return kind == CoreKind::ellipsoid || kind == CoreKind::point; }

// Whatever has to be computed, in A's core axes.
void compute(Pair<double>& pair, const Frame& X_WA, const Frame& X_WB, const DistanceOptions& options,
             Contact<double>& contact, PairCache* cache) {
    const CollisionShape &A = pair.A, &B = pair.B;
    if (A.kind == CoreKind::segment && B.kind == CoreKind::segment) return segment_segment(pair, contact);
    const bool boxes = A.kind == CoreKind::box && B.kind == CoreKind::box;
    const auto finish = [&] {
        if (!boxes && contact.guarantee <= Guarantee::local) center_flat_contact(pair, contact);
    };
    if (boxes) {
        int axis = 0;
        if (box_box(pair, contact, axis)) {
            if (cache) cache->state = PairCache::State::boxes, cache->axis = static_cast<std::uint8_t>(axis);
            return;
        }
    }
    if (cache && cache->state == PairCache::State::apart && warm(pair, options, contact, *cache)) return finish();
    if (boxes) {
        Simplex<double> simplex;
        simplex.add(pair.support(contact.n));
        if (separation(pair, simplex, options, contact) == Search::done) return remember(pair, simplex, contact, cache);
    }
    if (is_smooth(A.kind) && is_smooth(B.kind)) {
        const bool known = cache && cache->state != PairCache::State::empty;
        const V3<double> start = known ? from_floats(cache->normal) : pair.p;
        if (norm2(start) > 0 && smooth(pair, normalized(start), contact)) {
            if (cache) cache->state = PairCache::State::smooth, remember(pair, contact, *cache);
            return;
        }
    }
    if (cache && cache->state == PairCache::State::penetrating && warm(pair, options, contact, *cache)) return finish();
    general(pair, options, contact, cache);
    if (contact.guarantee > Guarantee::local) escalate(pair, X_WA, X_WB, options, contact);
    finish();
}

}  // namespace
}  // namespace mpr

SignedDistance signed_distance(const CollisionShape& A, const Frame& X_WA, const CollisionShape& B, const Frame& X_WB,
                               const DistanceOptions& options, PairCache* cache) {
    using namespace mpr;
    SignedDistance result;
    // First what is a formula: its cache, which is empty, is better left where it is.
    const bool points = A.kind == CoreKind::point || B.kind == CoreKind::point;
    if (points && point_form(A, X_WA, B, X_WB, result)) return result;
    if (cache && known_again({&A, &B, &X_WA, &X_WB, cache}, options, result)) return result;
    Pair<double> pair{A, X_WA, B, X_WB};
    union Unset {  // compute() sets all of it
        Contact<double> contact;
        Unset() {}
    } unset;
    compute(pair, X_WA, X_WB, options, unset.contact, cache);
    to_world(pair, X_WA, unset.contact, result);
    return result;
}

namespace {

using PairsAgain = unsigned (*)(const DistancePair* const (&)[2], SignedDistance* const (&)[2]);

// What a batch computes two at a time: smooth cores, boxes with a face, boxes with edges.
constexpr int all_alike = 3;
constexpr PairsAgain alike_again[all_alike] = {mpr::smooth_again, mpr::boxes_again, mpr::boxes_again};

// Which of those a pair is; none if it is all_alike. Other caches are better left where they are: formulas need none.
int alike(const DistancePair& pair) {
    const CoreKind a = pair.A->kind, b = pair.B->kind;
    if (a == CoreKind::box && b == CoreKind::box) {
        if (!pair.cache || pair.cache->state != PairCache::State::boxes) return all_alike;
        return pair.cache->axis < 6 ? 1 : 2;
    }
    const bool smooth =
        mpr::is_smooth(a) && mpr::is_smooth(b) && (a == CoreKind::ellipsoid || b == CoreKind::ellipsoid);
    return smooth && pair.cache && pair.cache->state == PairCache::State::smooth ? 0 : all_alike;
}

}  // namespace

void signed_distances(std::span<const DistancePair> pairs, std::span<SignedDistance> results,
                      const DistanceOptions& options) {
    const auto ask = [&](const DistancePair& pair, SignedDistance& result) {
        result = signed_distance(*pair.A, *pair.X_WA, *pair.B, *pair.X_WB, options, pair.cache);
    };
    // A pair waits until another one of its sort comes.
    const DistancePair* waiting[all_alike] = {};
    SignedDistance* slots[all_alike] = {};
    for (std::size_t i = 0; i < pairs.size(); ++i) {
        const int sort = alike(pairs[i]);
        if (sort == all_alike) {
            ask(pairs[i], results[i]);
        } else if (!waiting[sort]) {
            waiting[sort] = &pairs[i], slots[sort] = &results[i];
        } else {
            const DistancePair* const two[] = {waiting[sort], &pairs[i]};
            SignedDistance* const into[] = {slots[sort], &results[i]};
            const unsigned proven = alike_again[sort](two, into);
            waiting[sort] = nullptr;
            for (int k = 0; k < 2; ++k) {
                if (proven >> k & 1) continue;
                if (sort != 0) two[k]->cache->state = PairCache::State::empty;  // it touches with something else now
                ask(*two[k], *into[k]);
            }
        }
    }
    for (int sort = 0; sort < all_alike; ++sort)
        if (waiting[sort]) ask(*waiting[sort], *slots[sort]);
}

}  // namespace tactus
