// Penetration: the shortest translation that separates two cores.
//
// The portal with r0 is a tetrahedron in A - B around the origin. Its face closest to the origin is pushed out by the
// support point in its direction, over and over; the smallest distance of a face is a lower bound of the penetration
// depth, every support plane an upper one. Polytopes end with both equal; curved shapes are polished from close faces.
#pragma once

#include <tactus/engine/mpr/polish.hpp>
#include <tactus/engine/mpr/portal.hpp>
#include <tactus/engine/mpr/separation.hpp>

namespace tactus::mpr {

template<class T> class Expansion {
public:
    Expansion(Pair<T>& pair, const DistanceOptions& options) : pair_{pair}, options_{options} {}
    ~Expansion() {}

    // False if the tetrahedron is too flat to begin with.
    bool start(const Portal<T>& portal) {
        vertices_[0].w = portal.r0;
        vertices_[0].a = Pair<T>::in_core(pair_.A, pair_.A.centroid);
        vertices_[1] = portal.r1, vertices_[2] = portal.r2, vertices_[3] = portal.r3;
        vertex_count_ = 4;
        const V3<T> n = portal.normal();
        const bool turned = dot(n, vertices_[1].w - vertices_[0].w) < T(0);
        static constexpr std::uint8_t outward[4][3] = {{1, 2, 3}, {0, 2, 1}, {0, 3, 2}, {0, 1, 3}};
        static constexpr std::uint8_t beside[4][3] = {{1, 2, 3}, {2, 0, 3}, {3, 0, 1}, {1, 0, 2}};
        face_count_ = 4;
        for (int i = 0; i < 4; ++i) {
            Face& f = faces_[i];
            for (int k = 0; k < 3; ++k) f.v[k] = outward[i][k], f.beside[k] = beside[i][k];
            if (turned) {
                std::swap(f.v[1], f.v[2]);
                std::swap(f.beside[0], f.beside[2]);
            }
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
        std::uint8_t across[PairCache::max_vertices][PairCache::max_vertices];  // the face with this edge
        for (int i = 0; i < face_count_; ++i) {
            Face& f = faces_[i];
            for (int k = 0; k < 3; ++k) f.v[k] = cache.face[i][k];
            if (!measure(i)) return false;
            for (int k = 0; k < 3; ++k) across[f.v[k]][f.v[k == 2 ? 0 : k + 1]] = static_cast<std::uint8_t>(i);
        }
        for (int i = 0; i < face_count_; ++i)
            for (int k = 0; k < 3; ++k) faces_[i].beside[k] = across[faces_[i].v[k == 2 ? 0 : k + 1]][faces_[i].v[k]];
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
        const auto take_vertex = [&](int i) {
            if (vertices >= PairCache::max_vertices) return false;
            number[i] = static_cast<std::uint8_t>(vertices);
            cache.feature_A[vertices] = vertices_[i].fa;
            cache.feature_B[vertices] = vertices_[i].fb;
            const V3<T> a = vertices_[i].a, b = pair_.R.transposed_times(vertices_[i].b() - pair_.p);
            store(pair_.A, a, cache.point_A[vertices]);
            store(pair_.B, b, cache.point_B[vertices]);
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
    bool polish_closest(Pair<T>& pair, const V3<T>& n, Contact<T>& contact) const {
        int best = -1;
        T most{};
        for (int i = 0; i < face_count_; ++i) {
            const T along = dot(faces_[i].n, n);
            if (!(along > T(0))) continue;
            const T cosine2 = along * along / norm2(faces_[i].n);
            if (best < 0 || cosine2 > most) best = i, most = cosine2;
        }
        return best >= 0 && polish(pair, faces_[best], contact);
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
            if (found && !polished && !take(best, high, contact)) guarantee = Guarantee::upper_bound;
            if (found) contact.guarantee = guarantee;
        };
        for (int i = 0; i < options_.max_iterations; ++i) {
            const int closest = closest_face(high - tolerance);
            if (closest < 0) return finish(sharp ? Guarantee::local : Guarantee::exact);  // nothing can be closer
            const Face& face = faces_[closest];
            const V3<T> n = normal(face);
            if (polished && dot(n, contact.n) > T(0.9986) && dot(vertices_[face.v[1]].w, n) > T(0.8) * high) {
                distance2_[closest] = never;  // 3 degrees: the same minimum
                sharp = true;
                continue;
            }
            const Vertex<T> w = pair_.support(n);
            const T depth = dot(w.w, n), gap = depth - dot(vertices_[face.v[1]].w, n);
            const bool final = gap <= tolerance || (!curved && is_vertex_of(face, w));
            if (depth < high || (final && depth <= high + tolerance)) {
                high = depth;
                best = face;
                found = true;
                polished = false;
            }
            if (final) {
                distance2_[closest] = never;
                continue;
            }
            if (curved && gap <= T(0.006) * pair_.scale) {
                Contact<T> local;
                if (polish(pair_, face, local) && local.distance <= T(0) && -local.distance <= depth) {
                    const T d = -local.distance;
                    if (d < high + tolerance) {
                        contact = local;
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
            if (!expand(closest, w)) break;
        }
        finish(polished ? Guarantee::local : Guarantee::upper_bound);
    }

private:
    static constexpr int max_vertices = 96, max_faces = 250;
    static constexpr std::uint8_t none = 255;
    static constexpr double never = 1e300;

    struct Face {
        V3<T> n;                       // outward, of any length
        T k;                           // n.p = k on the face
        T flat;                        // square of what n.p - k is for points that lie in the face, but for rounding
        std::uint8_t v[3], beside[3];  // beside[k]: the face across the edge v[k] - v[k+1]
        bool alive;
    };

    static V3<T> normal(const Face& f) { return normalized(f.n); }

    bool measure(int i) {
        Face& f = faces_[i];
        const V3<T>&a = vertices_[f.v[0]].w, &b = vertices_[f.v[1]].w, &c = vertices_[f.v[2]].w;
        f.n = cross(b - a, c - a);
        f.k = dot(f.n, a);
        f.alive = true;
        const double n2 = double(norm2(f.n)), k = double(f.k);
        f.flat = T(1e-28 * n2) * pair_.scale * pair_.scale;
        distance2_[i] = k > 0 ? k * k / n2 : 0;
        // The origin is inside; beyond rounding, a face that does not have it behind is turned inside out.
        return n2 > 1e-56 * scale4_ && (k >= 0 || T(k * k) <= T(1e4) * f.flat);
    }

    // The closest face that may hide something closer than `limit`.
    int closest_face(const T& limit) const {
        const double most = double(limit);
        double low = most > 0 ? most * most : 0;
        int best = -1;
        for (int i = 0; i < face_count_; ++i)
            if (distance2_[i] < low) best = i, low = distance2_[i];
        return best;
    }

    bool is_vertex_of(const Face& f, const Vertex<T>& w) const {
        for (const std::uint8_t v : f.v)
            if (!(inner_ && v == 0) && vertices_[v].fa == w.fa && vertices_[v].fb == w.fb) return true;
        return false;
    }

    // The part on A of the origin's foot point in the face, and that of A - B.
    V3<T> point_a(const Face& f, V3<T>& difference) const {
        const V3<T>&a = vertices_[f.v[0]].w, &b = vertices_[f.v[1]].w, &c = vertices_[f.v[2]].w;
        // Barycentric, of the origin's projection: the part of it along n drops out.
        T weight[3] = {dot(f.n, cross(b, c)), dot(f.n, cross(c, a)), dot(f.n, cross(a, b))};
        T sum{};
        for (T& w : weight) {
            if (w < T(0)) w = T(0);
            sum = sum + w;
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

    // True if the points are proven to belong to both shapes.
    bool take(const Face& f, const T& depth, Contact<T>& contact) const {
        V3<T> difference;
        const V3<T> a = point_a(f, difference);
        contact.distance = -depth;
        contact.n = normal(f);
        contact.a = a;
        contact.b = a - depth * contact.n;
        const T slack = T(1e-13) * pair_.scale;
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
        return p.solve(contact);
    }

    bool expand(int closest, const Vertex<T>& w) {
        changed_ = true;
        if (vertex_count_ >= max_vertices) return false;
        const auto apex = static_cast<std::uint8_t>(vertex_count_);
        vertices_[vertex_count_++] = w;
        // Faces that see the new vertex, from the closest one outwards; their rim.
        std::uint8_t buried[max_faces], from[max_vertices], to[max_vertices], rim[max_vertices];
        int dead = 0, edges = 0;
        const auto bury = [&](std::uint8_t i) {
            faces_[i].alive = false;
            buried[dead++] = i;
        };
        bury(static_cast<std::uint8_t>(closest));
        for (int next = 0; next < dead; ++next) {
            const Face& f = faces_[buried[next]];
            for (int k = 0; k < 3; ++k) {
                const Face& other = faces_[f.beside[k]];
                if (!other.alive) continue;
                const T above = dot(other.n, w.w) - other.k;
                if (above > T(0) && above * above > other.flat) {
                    bury(f.beside[k]);
                } else {
                    if (edges >= max_vertices) return false;
                    from[edges] = f.v[k], to[edges] = f.v[k == 2 ? 0 : k + 1], rim[edges] = f.beside[k];
                    ++edges;
                }
            }
        }
        // A rim of n edges encloses n - 2 faces at least: two new places are needed, more only if vertices were swallowed.
        if (edges < 3 || dead > edges || face_count_ + edges - dead > max_faces) return false;
        std::uint8_t place[max_vertices],
            starting[max_vertices];  // of the new faces; by the vertex where their edge starts
        for (int e = 0; e < edges; ++e) {
            place[e] = e < dead ? buried[e] : static_cast<std::uint8_t>(face_count_++);
            starting[from[e]] = starting[to[e]] = none;
        }
        for (int e = 0; e < edges; ++e) {
            if (starting[from[e]] != none) return false;  // the rim touches itself: rounding has the last word
            starting[from[e]] = place[e];
        }
        for (int e = 0; e < edges; ++e) {
            if (starting[to[e]] == none) return false;
            Face& outside = faces_[rim[e]];
            for (int k = 0; k < 3; ++k)
                if (outside.v[k] == to[e] && outside.v[k == 2 ? 0 : k + 1] == from[e]) outside.beside[k] = place[e];
        }
        for (int e = 0; e < edges; ++e) {
            Face& f = faces_[place[e]];
            f.v[0] = from[e], f.v[1] = to[e], f.v[2] = apex;
            f.beside[0] = rim[e];
            f.beside[1] = starting[to[e]];
            faces_[starting[to[e]]].beside[2] = place[e];
            if (!measure(place[e])) return false;
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
    double scale4_ = double(pair_.scale * pair_.scale) * double(pair_.scale * pair_.scale);
    int vertex_count_ = 0, face_count_ = 0;
    bool changed_ = true;
    bool inner_ = true;  // vertex 0 is the inner point, not on the surface
};

}  // namespace tactus::mpr
