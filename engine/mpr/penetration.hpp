// Penetration: the shortest translation that separates two cores.
//
// The portal with r0 is a tetrahedron in A - B around the origin. Its face closest to the origin is pushed out by the
// support point in its direction, over and over; the smallest distance of a face is a lower bound of the penetration
// depth, every support plane an upper one. Polytopes end with both equal; curved shapes are polished from close faces.
#pragma once

#include <tactus/engine/mpr/polish.hpp>
#include <tactus/engine/mpr/portal.hpp>
#include <tactus/engine/mpr/separation.hpp>

#include <algorithm>

namespace tactus::mpr {

template<class T> class Expansion {
public:
    Expansion(Pair<T>& pair, const DistanceOptions& options) : pair_{pair}, options_{options} {}
    ~Expansion() {}

    // False if the tetrahedron is too flat to begin with.
    bool start(const Portal<T>& portal) {
        vertices_[0].fa = vertices_[0].fb = 0;
        vertices_[0].w = portal.r0;
        vertices_[0].a = Pair<T>::in_core(pair_.A, pair_.A.centroid);
        const bool turned = dot(portal.normal(), portal.r1.w - portal.r0) < T(0);
        vertices_[1] = portal.r1;
        vertices_[2] = turned ? portal.r3 : portal.r2;
        vertices_[3] = turned ? portal.r2 : portal.r3;
        vertex_count_ = 4;
        static constexpr std::uint8_t outward[4][3] = {{1, 2, 3}, {0, 2, 1}, {0, 3, 2}, {0, 1, 3}};
        static constexpr Edge beside[4][3] = {{edge(1, 1), edge(2, 1), edge(3, 1)},
                                              {edge(2, 2), edge(0, 0), edge(3, 0)},
                                              {edge(3, 2), edge(0, 1), edge(1, 0)},
                                              {edge(1, 2), edge(0, 2), edge(2, 0)}};
        face_count_ = 4;
        for (int i = 0; i < 4; ++i) {
            Face& f = faces_[i];
            for (int k = 0; k < 3; ++k) f.v[k] = outward[i][k], f.beside[k] = beside[i][k];
            if (!measure(i)) return false;
        }
        return true;
    }

    // The polytope of an earlier query, moved along. False if it does not lie around the origin any more.
    bool start(const PairCache& cache) {
        changed_ = false;
        vertex_count_ = cache.vertices;
        face_count_ = cache.faces;
        const bool curved_a = is_curved(pair_.A), curved_b = is_curved(pair_.B);
        const V3<T> any{T(1), T(0), T(0)};
        const auto from = [](const float* p) { return V3<T>{T(p[0]), T(p[1]), T(p[2])}; };
        for (int i = 0; i < vertex_count_; ++i) {
            Vertex<T>& v = vertices_[i];
            v.fa = cache.feature_A[i], v.fb = cache.feature_B[i];
            v.a = curved_a ? from(cache.point_A[i]) : feature_point(pair_.A, any, v.fa);
            const V3<T> b = curved_b ? from(cache.point_B[i]) : feature_point(pair_.B, any, v.fb);
            v.w = v.a - (pair_.R * b + pair_.p);
        }
        if (cache.inner) {
            vertices_[0].w = pair_.inner_point();
            vertices_[0].a = Pair<T>::in_core(pair_.A, pair_.A.centroid);
        }
        inner_ = cache.inner;
        linked_ = false;
        dented_ = true;
        for (int i = 0; i < face_count_; ++i) {
            for (int k = 0; k < 3; ++k) faces_[i].v[k] = cache.face[i][k];
            if (!measure(i)) return false;
        }
        return true;
    }

    // False if the polytope still is that of the cache.
    bool changed() const { return changed_; }

    // Keeps the polytope for the next query, if it is small enough.
    void keep(PairCache& cache) const {
        // A little towards the centroid, so that rounding to float leaves no point outside.
        const auto store = [](const CollisionShape& shape, const V3<T>& v, float* p) {
            const V3<T> c = Pair<T>::in_core(shape, shape.centroid), inside = c + T(1 - 2.5e-7) * (v - c);
            p[0] = float(inside.x), p[1] = float(inside.y), p[2] = float(inside.z);
        };
        std::uint8_t number[max_vertices];
        for (int i = 0; i < vertex_count_; ++i) number[i] = none;
        int vertices = 0, faces = 0;
        cache.state = PairCache::State::empty;
        cache.inner = false;
        if (broken_) return;
        const auto take_vertex = [&](int i) {
            if (vertices >= PairCache::max_vertices) return false;
            number[i] = static_cast<std::uint8_t>(vertices);
            cache.feature_A[vertices] = vertices_[i].fa;
            cache.feature_B[vertices] = vertices_[i].fb;
            if (is_curved(pair_.A)) store(pair_.A, vertices_[i].a, cache.point_A[vertices]);
            if (is_curved(pair_.B))
                store(pair_.B, pair_.R.transposed_times(vertices_[i].b() - pair_.p), cache.point_B[vertices]);
            ++vertices;
            return true;
        };
        if (inner_)
            for (int i = 0; i < face_count_ && !cache.inner; ++i)
                for (const std::uint8_t v : faces_[i].v) cache.inner = cache.inner || v == 0;
        if (cache.inner) take_vertex(0);
        for (int i = 0; i < face_count_; ++i) {
            if (faces >= PairCache::max_faces) return;
            for (int k = 0; k < 3; ++k) {
                const std::uint8_t v = faces_[i].v[k];
                if (number[v] == none && !take_vertex(v)) return;
                cache.face[faces][k] = number[v];
            }
            ++faces;
        }
        cache.vertices = static_cast<std::uint8_t>(vertices);
        cache.faces = static_cast<std::uint8_t>(faces);
        cache.state = PairCache::State::penetrating;
    }

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
    static constexpr int max_vertices = 96, max_faces = 250, max_rim = 96;
    static constexpr std::uint8_t none = 255;
    static constexpr double never = 1e300;
    static constexpr int most_looks = 6;

    // An edge of a face: the one from its vertex v[k] to the next.
    using Edge = std::uint16_t;
    static constexpr Edge edge(unsigned face, unsigned k) { return static_cast<Edge>(face << 2 | k); }
    static constexpr std::uint8_t after[3] = {1, 2, 0}, before[3] = {2, 0, 1};  // around a face

    struct Face {
        V3<T> n;         // outward, of any length
        T k;             // n.p = k on the face
        T flat;          // square of what n.p - k is for points that lie in the face, but for rounding
        Edge beside[3];  // beside[k]: the edge v[k] - v[k+1], as that of the face across
        std::uint8_t v[3];
        bool alive;
    };

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

    bool measure(int i) {
        const Face& f = faces_[i];
        const V3<T>&a = vertices_[f.v[0]].w, &b = vertices_[f.v[1]].w, &c = vertices_[f.v[2]].w;
        return measure(static_cast<unsigned>(i), cross(b - a, c - a), a);
    }

    // The same with the normal n and the point a of the face.
    bool measure(unsigned i, const V3<T>& n, const V3<T>& a) {
        Face& f = faces_[i];
        f.n = n;
        f.k = dot(n, a);
        f.alive = true;
        const double n2 = double(norm2(n)), k = double(f.k);
        f.flat = T(n2) * flat_;
        distance2_[i] = k > 0 ? k * k / n2 : 0;
        // The origin is inside; beyond rounding, a face that does not have it behind is turned inside out.
        return n2 > thin_ && (k >= 0 || T(k * k) <= T(1e4) * f.flat);
    }

    // The closest face that may hide something closer than `limit`.
    int closest_face(const T& limit) const {
        const double most = double(limit);
        double low = most > 0 ? most * most : 0;
        int best = -1;
        for (int i = 0; i < face_count_; ++i) {  // without branches: they could only be guessed
            const double d2 = distance2_[i];
            best += (i - best) & -int(d2 < low);
            low = d2 < low ? d2 : low;
        }
        return best;
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

    bool has_inner(const Face& f) const { return inner_ && (f.v[0] == 0 || f.v[1] == 0 || f.v[2] == 0); }

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

    // Which edges of a kept polytope belong together; most queries do without. False if one of them does not have just one
    // other: a vertex that was folded out may touch itself.
    bool link() {
        const auto count = static_cast<unsigned>(face_count_);
        constexpr Edge nowhere = 0xffff;
        Edge across[PairCache::max_vertices][PairCache::max_vertices];  // by the vertices at both ends
        std::fill_n(&across[0][0], PairCache::max_vertices * PairCache::max_vertices, nowhere);
        for (unsigned i = 0; i < count; ++i)
            for (unsigned k = 0; k < 3; ++k) {
                Edge& from_here = across[faces_[i].v[k]][faces_[i].v[after[k]]];
                if (from_here != nowhere) return false;
                from_here = edge(i, k);
            }
        for (unsigned i = 0; i < count; ++i)
            for (unsigned k = 0; k < 3; ++k) {
                faces_[i].beside[k] = across[faces_[i].v[after[k]]][faces_[i].v[k]];
                if (faces_[i].beside[k] == nowhere) return false;
            }
        return linked_ = true;
    }

    // A polytope that was convex where the shapes were may have dents where they are. Then a support point may be one of its
    // vertices: which one; otherwise a new one.
    unsigned vertex_of(const Vertex<T>& w) const {
        const int first = inner_ ? 1 : 0;
        int i = vertex_count_;
        if (dented_ && !pair_.curved())  // curved features are many points
            for (i = first; i < vertex_count_ && !(vertices_[i].fa == w.fa && vertices_[i].fb == w.fb);) ++i;
        return static_cast<unsigned>(i);
    }

    // And a face from the edge k of `f` to the vertex may have the origin outside, unless that edge ends in it.
    bool is_overhung(const Face& f, unsigned k, unsigned apex, const V3<T>& p) const {
        const unsigned to = f.v[k], from = f.v[after[k]];
        return to != apex && from != apex && dot(cross(vertices_[from].w, vertices_[to].w), p) < T(0);
    }

    // Edges around faces that are to be replaced, in order.
    struct Rim {
        Edge edge[max_rim];
        std::uint8_t buried[max_faces + 2];  // the faces
        unsigned edges = 0, dead = 1;
    };

    // Faces that see the point p, from the closest one outwards, and the edges of others around them: in order, since each
    // face is left through its next edge first. With branches on purpose: what follows need not wait for the sums that
    // decide, and a wrong guess costs less.
    bool find_rim(int closest, unsigned apex, const V3<T>& p, Rim& rim) {
        Edge later[max_faces];
        unsigned edges = 0, dead = 1, open = 2;
        rim.buried[0] = static_cast<std::uint8_t>(closest);
        faces_[closest].alive = false;
        later[0] = faces_[closest].beside[2], later[1] = faces_[closest].beside[1];
        for (unsigned across = faces_[closest].beside[0];;) {
            Face& other = faces_[across >> 2];
            const T above = dot(other.n, p) - other.k;
            if (other.alive) {
                const unsigned k = across & 3;
                if ((above > T(0) && above * above > other.flat) || (dented_ && is_overhung(other, k, apex, p))) {
                    other.alive = false;
                    rim.buried[dead++] = static_cast<std::uint8_t>(across >> 2);
                    later[open++] = other.beside[before[k]];
                    across = other.beside[after[k]];
                    continue;
                }
                if (edges == max_rim) return false;
                rim.edge[edges++] = static_cast<Edge>(across);
            }
            if (open == 0) break;
            across = later[--open];
        }
        rim.edges = edges, rim.dead = dead;
        return edges >= 3;
    }

    bool expand(int closest, const Vertex<T>& w) {
        changed_ = true;
        if (!linked_ && !link()) return false;
        const unsigned apex = vertex_of(w);
        if (apex >= max_vertices) return false;
        Rim rim;
        if (!find_rim(closest, apex, w.w, rim)) return false;
        if (apex < static_cast<unsigned>(vertex_count_)) return fold_out(apex, rim);
        vertices_[vertex_count_++] = w;
        // A rim of n edges encloses n - 2 faces, so two new places are needed; none if a vertex was swallowed.
        const unsigned edges = rim.edges, dead = rim.dead;
        if ((edges != dead + 2 && edges != dead) || face_count_ + 2 > max_faces) return false;
        rim.buried[dead] = static_cast<std::uint8_t>(face_count_);
        rim.buried[dead + 1] = static_cast<std::uint8_t>(face_count_ + 1);
        face_count_ += static_cast<int>(edges - dead);
        return fan(apex, rim.edge, edges, rim.buried, end_of(rim.edge[edges - 1]), edge(rim.buried[edges - 1], 1),
                   edge(rim.buried[0], 2));
    }

    // A vertex on the rim instead of a new one: its faces with the edges that do not end in it take the places of the old.
    bool fold_out(unsigned apex, Rim& rim) {
        unsigned first = 0;  // the edge from it
        while (first < rim.edges && begin_of(rim.edge[first]) != apex) ++first;
        if (first == rim.edges || rim.edges != rim.dead + 2) return false;
        std::rotate(rim.edge, rim.edge + first, rim.edge + rim.edges);
        const unsigned count = rim.dead;
        const Edge from = rim.edge[0], to = rim.edge[count + 1];
        if (end_of(to) != apex || begin_of(to) != end_of(rim.edge[count])) return false;
        faces_[from >> 2].beside[from & 3] = edge(rim.buried[0], 2);
        faces_[to >> 2].beside[to & 3] = edge(rim.buried[count - 1], 1);
        return fan(apex, rim.edge + 1, count, rim.buried, end_of(from), from, to);
    }

    // An edge around faces, as those see it.
    unsigned begin_of(Edge e) const { return faces_[e >> 2].v[after[e & 3]]; }
    unsigned end_of(Edge e) const { return faces_[e >> 2].v[e & 3]; }

    // Faces with an apex on edges that follow each other, from a vertex on, and what is beside the first and the last of them.
    bool fan(unsigned apex, const Edge* edges, unsigned count, const std::uint8_t* places, unsigned from,
             Edge before_first, Edge after_last) {
        const V3<T> p = vertices_[apex].w;
        V3<T> u = vertices_[from].w - p;
        Edge last = before_first;
        for (unsigned e = 0; e < count; ++e) {
            const unsigned place = places[e], across = edges[e], k = across & 3;
            Face &f = faces_[place], &other = faces_[across >> 2];
            if (other.v[after[k]] != from) return false;  // the rim touches itself: rounding has the last word
            const unsigned to = other.v[k];
            f.v[0] = static_cast<std::uint8_t>(from), f.v[1] = static_cast<std::uint8_t>(to);
            f.v[2] = static_cast<std::uint8_t>(apex);
            f.beside[0] = static_cast<Edge>(across), f.beside[2] = last;
            f.beside[1] = e + 1 < count ? edge(places[e + 1], 2) : after_last;
            other.beside[k] = edge(place, 0);
            const V3<T> next = vertices_[to].w - p;
            if (!measure(place, cross(u, next), p)) return false;
            u = next, from = to, last = edge(place, 1);
        }
        return true;
    }

    Pair<T>& pair_;
    const DistanceOptions& options_;
    union {  // not initialised: only what is in use is touched
        Vertex<T> vertices_[max_vertices];
    };
    union {
        Face faces_[max_faces];
    };
    double distance2_[max_faces];  // [m^2] of the faces that count
    double thin_ = 1e-56 * double(pair_.scale * pair_.scale) * double(pair_.scale * pair_.scale);  // [m^4]
    T flat_ = T(1e-28) * pair_.scale * pair_.scale;  // [m^2] distance from a plane that is rounding, squared
    int vertex_count_ = 0, face_count_ = 0;
    Features minimum_;    // of the face that the result was polished from
    bool alone_ = false;  // no other minimum is near it
    bool changed_ = true;
    bool broken_ = false;  // a polytope that is not to be kept
    bool linked_ = true;   // the faces know those beside them
    bool dented_ = false;  // the polytope was that of an earlier query: it need not be convex
    bool inner_ = true;    // vertex 0 is the inner point, not on the surface
};

}  // namespace tactus::mpr
