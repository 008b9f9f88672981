// Penetration: the shortest translation that separates two cores.
//
// The portal with r0 is a tetrahedron in A - B around the origin. Its face closest to the origin is pushed out by the
// support point in its direction, over and over; the smallest distance of a face is a lower bound of the penetration
// depth, every support plane an upper one. Polytopes end with both equal; curved shapes are polished from close faces.
#pragma once

#include <tactus/engine/mpr/polish.hpp>
#include <tactus/engine/mpr/polytope.hpp>
#include <tactus/engine/mpr/separation.hpp>

#include <algorithm>

namespace tactus::mpr {

template<class T> class Expansion : public Polytope<T> {
public:
    Expansion(Pair<T>& pair, const DistanceOptions& options) : Polytope<T>{pair}, options_{options} {}

    // A local minimum of the depth of `pair` from the face whose normal is closest to n.
    bool polish_closest(Pair<T>& pair, const V3<T>& n, Contact<T>& contact) {
        int best = -1;
        T most{};
        for (int i = 0; i < face_count_; ++i) {
            const T along = dot(faces_[i].n, n);
            if (!(along > T(0))) continue;
            const T cosine2 = along * along / norm2(faces_[i].n);
            if (best < 0 || cosine2 > most) best = i, most = cosine2;
        }
        if (best < 0 || !polish(pair, faces_[best], contact)) return false;
        minimum_ = features_of(faces_[best]);
        return true;
    }

    // For a curved contact that was polished and is not deep: its features tell all, as if the cores were apart.
    bool polished_from(PairCache& cache) const {
        if (!minimum_.known) return false;
        minimum_.keep(cache.closest_A, cache.closest_B);
        cache.state = PairCache::State::apart;
        cache.vertices = 3;
        return true;
    }

    // The features in the cache still make a local minimum of the depth, and the cache knows of no other one near it: run()
    // may be told so.
    void start_from(const PairCache& cache) {
        for (int k = 0; k < 3; ++k) minimum_.a[k] = cache.closest_A[k], minimum_.b[k] = cache.closest_B[k];
        minimum_.known = alone_ = true;
    }

    // For a contact of curved shapes: from which features it was polished, and a lower bound of the depth in all directions but
    // those near its normal. Looks a little farther for it than the contact itself needs, `margin` beyond its depth, unless
    // the polytope is that of the cache: that has looked already.
    bool look_around(const Contact<T>& contact, double margin, PairCache& cache) {
        if (contact.guarantee > Guarantee::local || !minimum_.known || broken_) return false;
        const double depth = -double(contact.distance);
        double low = 0;
        for (int tries = changed_ ? most_looks : 0;; --tries) {
            int closest = -1;
            low = 1e300;
            for (int i = 0; i < face_count_; ++i) {
                const Face& f = faces_[i];
                if (is_near(f, contact.n)) continue;
                const double k = double(f.k), d2 = k > 0 ? k * k / double(norm2(f.n)) : 0;
                if (d2 < low) low = d2, closest = i;
            }
            low = std::sqrt(low);
            if (closest < 0 || tries == 0 || low > depth + margin || low < 0.5 * depth) break;
            if (vertex_count_ > PairCache::max_vertices - most_looks) break;  // it has to fit into the cache
            const Vertex<T> w = pair_.support(faces_[closest].n);
            const double gap = double(dot(w.w, faces_[closest].n) - faces_[closest].k);
            if (gap <= 1e-3 * double(pair_.scale * norm(faces_[closest].n))) break;  // it is as far out as it can be
            if (!expand(closest, w)) return broken_ = true, false;
        }
        minimum_.keep(cache.closest_A, cache.closest_B);
        cache.clearance = float(0.999999 * low);
        return true;
    }

    // The best result, with what is known about it. `known`: contact holds a local minimum already.
    void run(Contact<T>& contact, bool known = false) {
        const bool curved = pair_.curved();
        const T tolerance = T(options_.tolerance) * pair_.scale;
        const T deep = T(options_.exact_depth * (pair_.A.size < pair_.B.size ? pair_.A.size : pair_.B.size));
        T high = known ? -contact.distance : T(1e300);  // smallest depth found
        Face best;                                      // where, unless it was polished
        bool found = known, polished = known;
        bool sharp = false;  // a face was settled by the minimum near it, not by its distance
        contact.guarantee = Guarantee::sign_only;
        if (known && high <= pair_.rolling()) {
            contact.guarantee = Guarantee::exact;
            return;
        }
        const auto finish = [&](Guarantee guarantee) {
            if (found && !polished) {
                if (!take(best, high, contact))
                    guarantee = Guarantee::upper_bound;
                else if (curved && !has_inner(best))  // a flat contact that features tell as well
                    minimum_ = features_of(best);
            }
            if (found) contact.guarantee = guarantee;
        };
        // What has moved along may be too dented to get anywhere: soon a new beginning is faster.
        const int most = dented_ ? std::min(options_.max_iterations, 30) : options_.max_iterations;
        for (int i = 0; i < most; ++i) {
            const int closest = closest_face(high - tolerance);
            if (closest < 0) return finish(sharp ? Guarantee::local : Guarantee::exact);  // nothing can be closer
            const Face& face = faces_[closest];
            const V3<T> n = normal(face);
            if (polished && is_settled(face, n, contact)) {
                distance2_[closest] = never;
                sharp = true;
                continue;
            }
            const Vertex<T> w = pair_.support(face.n);
            const T depth = dot(w.w, n), gap = depth - dot(vertices_[face.v[1]].w, n);
            const bool final = gap <= tolerance || (!curved && is_vertex_of(face, w));
            if (depth < high || (final && depth <= high + tolerance)) {
                high = depth;
                best = face;
                found = true;
                polished = false;
                minimum_.known = alone_ = false;
            }
            if (final) {
                distance2_[closest] = never;
                continue;
            }
            // Features that the support point confirms are worth a try much earlier, where any local minimum will do.
            const bool confirmed = depth - gap > deep && gap <= T(0.05) * pair_.scale && has_features_of(face, w);
            if (curved && (confirmed || gap <= T(0.006) * pair_.scale)) {
                Contact<T> local;
                if (polish(pair_, face, local) && local.distance <= T(0) && -local.distance <= depth) {
                    const T d = -local.distance;
                    if (d < high + tolerance) {
                        contact = local;
                        minimum_ = features_of(face);
                        alone_ = false;
                        high = d;
                        polished = found = true;
                        if (d <= pair_.rolling()) return finish(Guarantee::exact);
                        if (d > deep) return finish(Guarantee::local);
                    }
                    if (dot(n, local.n) > T(0.98)) {
                        distance2_[closest] = never;
                        sharp = true;
                        continue;
                    }
                }
            }
            if (!expand(closest, w)) {
                broken_ = true;
                break;
            }
        }
        finish(polished ? Guarantee::local : Guarantee::upper_bound);
    }

private:
    using typename Polytope<T>::Face;
    using Polytope<T>::pair_;
    using Polytope<T>::vertices_;
    using Polytope<T>::faces_;
    using Polytope<T>::distance2_;
    using Polytope<T>::vertex_count_;
    using Polytope<T>::face_count_;
    using Polytope<T>::changed_;
    using Polytope<T>::broken_;
    using Polytope<T>::dented_;
    using Polytope<T>::inner_;
    using Polytope<T>::never;
    using Polytope<T>::after;
    using Polytope<T>::before;
    using Polytope<T>::closest_face;
    using Polytope<T>::has_inner;
    using Polytope<T>::expand;

    static constexpr int most_looks = 6;

    static V3<T> normal(const Face& f) { return normalized(f.n); }

    // What a minimum was polished from.
    struct Features {
        Feature a[3], b[3];
        bool known = false;

        void keep(Feature* of_a, Feature* of_b) const {
            for (int k = 0; k < 3; ++k) of_a[k] = a[k], of_b[k] = b[k];
        }
    };
    Features features_of(const Face& f) const {
        Features features;
        for (int k = 0; k < 3; ++k) features.a[k] = vertices_[f.v[k]].fa, features.b[k] = vertices_[f.v[k]].fb;
        features.known = true;
        return features;
    }

    // Within 18 degrees.
    static bool is_near(const Face& f, const V3<T>& n) {
        const double along = double(dot(f.n, n));
        return along > 0 && along * along > 0.9 * double(norm2(f.n));
    }

    bool has_features_of(const Face& f, const Vertex<T>& w) const {
        bool a = false, b = false;
        bool inner = false;
        for (const std::uint8_t v : f.v) {
            inner |= inner_ & (v == 0);
            a |= vertices_[v].fa == w.fa;
            b |= vertices_[v].fb == w.fb;
        }
        return a & b & !inner;
    }

    // Whether a face with the normal n looks at the minimum that was polished: within 3 degrees, or 6 if its features are the
    // same.
    bool is_settled(const Face& f, const V3<T>& n, const Contact<T>& polished) const {
        if (alone_) return is_near(f, polished.n);
        if (!(dot(vertices_[f.v[1]].w, n) > T(-0.8) * polished.distance)) return false;
        const T cosine = dot(n, polished.n);
        if (!(cosine > T(0.9945))) return false;
        if (cosine > T(0.9986)) return true;
        for (const std::uint8_t v : f.v) {
            if (inner_ && v == 0) return false;
            bool a = false, b = false;
            for (int k = 0; k < 3; ++k) {
                a = a || minimum_.a[k] == vertices_[v].fa;
                b = b || minimum_.b[k] == vertices_[v].fb;
            }
            if (!a || !b) return false;
        }
        return true;
    }

    bool is_vertex_of(const Face& f, const Vertex<T>& w) const {
        bool found = false;
        for (const std::uint8_t v : f.v)
            found |= (vertices_[v].fa == w.fa) & (vertices_[v].fb == w.fb) & !(inner_ & (v == 0));
        return found;
    }

    // The part on A of the origin's foot point in the face, and that of A - B. Two edges that cross make a parallelogram, of
    // which the face is half: the foot may lie in the other one.
    V3<T> point_a(const Face& f, V3<T>& difference) const {
        const V3<T>&a = vertices_[f.v[0]].w, &b = vertices_[f.v[1]].w, &c = vertices_[f.v[2]].w;
        // Barycentric, of the origin's projection: the part of it along n drops out.
        T weight[3] = {dot(f.n, cross(b, c)), dot(f.n, cross(c, a)), dot(f.n, cross(a, b))};
        T sum = weight[0] + weight[1] + weight[2];
        for (int k = 0; k < 3; ++k)
            if (weight[k] < T(0) &&
                !(weight[k] > -sum && is_corner(f, k) && weight[after[k]] <= sum && weight[before[k]] <= sum)) {
                sum = sum - weight[k];
                weight[k] = T(0);
            }
        V3<T> point;
        difference = {};
        for (int k = 0; k < 3; ++k) {
            const T w = sum > T(0) ? weight[k] / sum : T(1) / T(3);
            point = point + w * vertices_[f.v[k]].a;
            difference = difference + w * vertices_[f.v[k]].w;
        }
        return point;
    }

    // Whether the edges from the vertex k to the others are one of A and one of B.
    bool is_corner(const Face& f, int k) const {
        const auto &o = vertices_[f.v[k]], &p = vertices_[f.v[after[k]]], &q = vertices_[f.v[before[k]]];
        if (has_inner(f)) return false;
        for (const std::uint8_t v : f.v)
            if (!is_vertex(pair_.A, vertices_[v].fa) || !is_vertex(pair_.B, vertices_[v].fb)) return false;
        return (o.fa == p.fa && o.fb == q.fb) || (o.fb == p.fb && o.fa == q.fa);
    }

    // The normal of a long and narrow face may be off by so much that its corners differ in depth. True if not.
    bool is_level(const Face& f, const V3<T>& n, const T& depth, const T& slack) const {
        using std::abs;
        for (const std::uint8_t v : f.v)
            if (abs(dot(vertices_[v].w, n) - depth) > slack) return false;
        return true;
    }

    // True if the points are proven to belong to both shapes.
    bool take(const Face& f, const T& depth, Contact<T>& contact) const {
        V3<T> difference;
        const V3<T> a = point_a(f, difference);
        contact.distance = -depth;
        contact.n = normal(f);
        contact.a = a;
        contact.b = a - depth * contact.n;
        const T slack = T(1e-13) * pair_.scale;
        if (!is_level(f, contact.n, depth, slack)) {  // what its features say, if that is the same place
            using std::abs;
            Contact<T> better;
            if (!polish(pair_, f, better) || abs(better.distance + depth) > T(1e-9) * pair_.scale) return false;
            contact = better;
            return true;
        }
        if (norm2(difference - depth * contact.n) <= slack * slack) return true;
        return opposite_points(pair_, options_, contact);  // the face is part of a larger flat one
    }

    bool polish(Pair<T>& pair, const Face& f, Contact<T>& contact) const {
        Feature fa[3], fb[3];
        for (int k = 0; k < 3; ++k) {
            if (inner_ && f.v[k] == 0) return false;
            fa[k] = vertices_[f.v[k]].fa, fb[k] = vertices_[f.v[k]].fb;
        }
        V3<T> unused;
        Polish<T> p{pair, fa, fb, 3, normal(f), point_a(f, unused)};
        return p.solve(contact, 0);  // a wrong face is better pushed out than left
    }

    const DistanceOptions& options_;
    Features minimum_;    // of the face that the result was polished from
    bool alone_ = false;  // no other minimum is near it
};

}  // namespace tactus::mpr
