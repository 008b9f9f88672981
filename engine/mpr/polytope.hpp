// A polytope in A - B around the origin that grows by support points: from a portal, or from what an earlier query kept.
#pragma once

#include <tactus/engine/mpr/portal.hpp>

#include <algorithm>

namespace tactus::mpr {

template<class T> class Polytope {
public:
    explicit Polytope(Pair<T>& pair) : pair_{pair} {}
    ~Polytope() {}

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

protected:
    static constexpr int max_vertices = 96, max_faces = 250, max_rim = 96;
    static constexpr std::uint8_t none = 255;
    static constexpr double never = 1e300;

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

    bool has_inner(const Face& f) const { return inner_ && (f.v[0] == 0 || f.v[1] == 0 || f.v[2] == 0); }

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
    bool changed_ = true;
    bool broken_ = false;  // a polytope that is not to be kept
    bool linked_ = true;   // the faces know those beside them
    bool dented_ = false;  // the polytope was that of an earlier query: it need not be convex
    bool inner_ = true;    // vertex 0 is the inner point, not on the surface
};

}  // namespace tactus::mpr
