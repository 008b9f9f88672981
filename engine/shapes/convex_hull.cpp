#include <tactus/engine/shapes/convex_hull.hpp>

#include <tactus/engine/errors.hpp>
#include <tactus/engine/mpr/core.hpp>

extern "C" {
#include <libqhull_r/qhull_ra.h>
}

#include <algorithm>
#include <cstdio>
#include <map>

namespace tactus {

namespace {

struct Facets {
    std::vector<std::array<std::uint32_t, 3>> triangles;  // of the given points, counter-clockwise seen from outside
    std::vector<std::array<double, 4>> planes;            // one for each of them: outward unit normal, offset
};

Facets run_qhull(const std::vector<Vec3>& points) {
    std::vector<coordT> coordinates;
    coordinates.reserve(3 * points.size());
    for (const Vec3& p : points) coordinates.insert(coordinates.end(), {p.x(), p.y(), p.z()});
    qhT state;
    qhT* qh = &state;
    qh_zero(qh, nullptr);
    std::FILE* nowhere = std::fopen("/dev/null", "w");
    char command[] = "qhull Qt";  // triangulated
    const int failed = qh_new_qhull(qh, 3, static_cast<int>(points.size()), coordinates.data(), False, command, nowhere,
                                    nowhere ? nowhere : stderr);
    Facets facets;
    if (!failed) {
        facetT* facet = nullptr;
        FORALLfacets {
            std::array<std::uint32_t, 3> triangle{};
            std::size_t k = 0;
            vertexT *vertex = nullptr, **vertexp = nullptr;
            FOREACHvertex_(facet->vertices) if (k < 3) triangle[k++] =
                static_cast<std::uint32_t>(qh_pointid(qh, vertex->point));
            const Vec3 n{facet->normal[0], facet->normal[1], facet->normal[2]};
            const Vec3 &a = points[triangle[0]], &b = points[triangle[1]], &c = points[triangle[2]];
            if ((b - a).cross(c - a).dot(n) < 0) std::swap(triangle[1], triangle[2]);
            facets.triangles.push_back(triangle);
            facets.planes.push_back({n.x(), n.y(), n.z(), -facet->offset});
        }
    }
    int left = 0, total = 0;
    qh_freeqhull(qh, !qh_ALL);
    qh_memfreeshort(qh, &left, &total);
    if (nowhere) std::fclose(nowhere);
    if (failed || facets.triangles.size() < 4)
        throw InputError({"", "", "shape", std::to_string(points.size()) + " vertices",
                          "must not lie in one plane: they enclose no volume"});
    return facets;
}

// Volume and centroid by tetrahedra from the first vertex.
Vec3 centroid_of(const ConvexHull& hull) {
    const Vec3 origin = hull.vertex(0);
    double volume = 0;
    Vec3 sum = Vec3::Zero();
    for (const auto& t : hull.triangles) {
        const Vec3 a = hull.vertex(t[0]) - origin, b = hull.vertex(t[1]) - origin, c = hull.vertex(t[2]) - origin;
        const double v = a.dot(b.cross(c));
        volume += v;
        sum += v * (a + b + c);
    }
    return origin + 0.25 / volume * sum;
}

}  // namespace

ConvexHull convex_hull(const std::vector<Vec3>& points) {
    for (const Vec3& p : points)
        if (!p.allFinite()) throw InputError({"", "", "shape", "", "vertices must be finite"});
    if (points.size() < 4)
        throw InputError({"", "", "shape", std::to_string(points.size()) + " vertices", "must be at least 4"});
    // Qhull's limits are absolute in part: give it points of size one.
    Vec3 low = points[0], high = points[0];
    for (const Vec3& p : points) low = low.cwiseMin(p), high = high.cwiseMax(p);
    const Vec3 middle = 0.5 * low + 0.5 * high;
    const double extent = 0.5 * (high - low).maxCoeff();
    if (!(extent > 0)) throw InputError({"", "", "shape", "", "all vertices are at the same place"});
    std::vector<Vec3> scaled;
    for (const Vec3& p : points) scaled.push_back((p - middle) / extent);
    const Facets facets = run_qhull(scaled);

    ConvexHull hull;
    std::map<std::uint32_t, std::uint32_t> number;  // of the vertices in use
    for (const auto& t : facets.triangles)
        for (const std::uint32_t i : t) number.emplace(i, 0);
    for (auto& [point, i] : number) {
        i = hull.count++;
        hull.x.push_back(points[point].x());
        hull.y.push_back(points[point].y());
        hull.z.push_back(points[point].z());
    }
    std::vector<std::vector<std::uint32_t>> beside(hull.count);
    for (auto t : facets.triangles) {
        for (std::uint32_t& i : t) i = number[i];
        hull.triangles.push_back(t);
        for (std::size_t k = 0; k < 3; ++k) {
            beside[t[k]].push_back(t[(k + 1) % 3]);
            beside[t[k]].push_back(t[(k + 2) % 3]);
        }
    }
    for (const auto& plane : facets.planes) {
        Vec3 n{plane[0], plane[1], plane[2]};
        double d = -1e300;  // the outermost vertex: no rounding puts a vertex outside
        for (std::uint32_t i = 0; i < hull.count; ++i) d = std::max(d, n.dot(hull.vertex(i)));
        const std::array<double, 4> kept{n.x(), n.y(), n.z(), d};
        if (std::find(hull.planes.begin(), hull.planes.end(), kept) == hull.planes.end()) hull.planes.push_back(kept);
    }
    hull.first.push_back(0);
    for (auto& others : beside) {
        std::sort(others.begin(), others.end());
        others.erase(std::unique(others.begin(), others.end()), others.end());
        hull.neighbour.insert(hull.neighbour.end(), others.begin(), others.end());
        hull.first.push_back(static_cast<std::uint32_t>(hull.neighbour.size()));
    }
    hull.centroid = centroid_of(hull);
    while (hull.x.size() % 8 != 0) {
        hull.x.push_back(hull.x.back());
        hull.y.push_back(hull.y.back());
        hull.z.push_back(hull.z.back());
    }
    std::size_t s = 0;
    for (int i = -1; i <= 1; ++i)
        for (int j = -1; j <= 1; ++j)
            for (int k = -1; k <= 1; ++k) {
                if (i == 0 && j == 0 && k == 0) continue;
                std::uint32_t best = 0;
                const Vec3 d{double(i), double(j), double(k)};
                for (std::uint32_t v = 1; v < hull.count; ++v)
                    if (d.dot(hull.vertex(v)) > d.dot(hull.vertex(best))) best = v;
                hull.start[s++] = best;
            }
    return hull;
}

// By duality about `inside`: the plane n.p <= d becomes the point n / d, and back.
ConvexHull inner_hull(const ConvexHull& hull, double radius, const Vec3& inside) {
    double size = 0;
    for (const auto& plane : hull.planes)
        size = std::max(size, plane[3] - Vec3{plane[0], plane[1], plane[2]}.dot(inside));
    std::vector<Vec3> dual;
    for (const auto& plane : hull.planes) {
        const Vec3 n{plane[0], plane[1], plane[2]};
        dual.push_back(n * (size / (plane[3] - n.dot(inside) - radius)));
    }
    std::vector<Vec3> vertices;
    for (const auto& plane : run_qhull(dual).planes) {
        const Vec3 v = inside + size / plane[3] * Vec3{plane[0], plane[1], plane[2]};
        const auto same = [&](const Vec3& o) { return (o - v).norm() <= 1e-13 * size; };
        if (std::none_of(vertices.begin(), vertices.end(), same)) vertices.push_back(v);
    }
    return convex_hull(vertices);
}

namespace mpr {

namespace {

#if defined(__GNUC__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wpsabi"  // the vectors below never cross a call
#endif

// Two lanes for the baseline processor, four where there are wider ones: the same numbers, and the same vertex, since
// products are rounded before they are added.
TACTUS_NEWER_TOO Feature scan(const double* x, const double* y, const double* z, std::size_t count, double dx,
                              double dy, double dz) {
    using Lanes = double __attribute__((vector_size(32)));
    using Index = long long __attribute__((vector_size(32)));
    const auto dots = [&](std::size_t i) __attribute__((always_inline)) {
        Lanes vx, vy, vz;
        __builtin_memcpy(&vx, x + i, sizeof vx);
        __builtin_memcpy(&vy, y + i, sizeof vy);
        __builtin_memcpy(&vz, z + i, sizeof vz);
        return vx * dx + vy * dy + vz * dz;
    };
    // Two chains, so that one does not wait for the other.
    Lanes best0 = dots(0), best1 = dots(4);
    Index which0 = {0, 1, 2, 3}, which1 = {4, 5, 6, 7}, here0 = which0, here1 = which1;
    for (std::size_t i = 8; i < count; i += 8) {
        const Lanes v0 = dots(i), v1 = dots(i + 4);
        here0 += 8;
        here1 += 8;
        const Index more0 = v0 > best0, more1 = v1 > best1;
        best0 = more0 ? v0 : best0;
        which0 = more0 ? here0 : which0;
        best1 = more1 ? v1 : best1;
        which1 = more1 ? here1 : which1;
    }
    // The best of all lanes, halving them: a branch here would be a guess.
    const auto better =
        [](const Lanes& other, const Index& others, Lanes& best, Index& which) __attribute__((always_inline)) {
        const Index more = other > best;
        best = more ? other : best;
        which = more ? others : which;
    };
    better(best1, which1, best0, which0);
    better(Lanes{best0[2], best0[3], best0[0], best0[1]}, Index{which0[2], which0[3], which0[0], which0[1]}, best0,
           which0);
    better(Lanes{best0[1], best0[0], best0[3], best0[2]}, Index{which0[1], which0[0], which0[3], which0[2]}, best0,
           which0);
    return static_cast<Feature>(which0[0]);
}

constexpr std::uint32_t scan_up_to = 96;  // vertices; measured: beyond that, climbing is faster

}  // namespace

Feature support_vertex(const ConvexHull& hull, double x, double y, double z, Feature hint) {
    if (hull.count <= scan_up_to) {
        const Feature i = scan(hull.x.data(), hull.y.data(), hull.z.data(), hull.x.size(), x, y, z);
        return std::min(i, hull.count - 1);
    }
    const auto value = [&](Feature i) { return hull.x[i] * x + hull.y[i] * y + hull.z[i] * z; };
    // From the better of the last vertex and the extreme one of a coarse direction.
    const double most = std::max({std::abs(x), std::abs(y), std::abs(z)});
    const auto third = [&](double c) { return c > 0.4 * most ? 2 : c < -0.4 * most ? 0 : 1; };
    const int cell = 9 * third(x) + 3 * third(y) + third(z);
    Feature best = hull.start[static_cast<std::size_t>(cell > 13 ? cell - 1 : cell == 13 ? 12 : cell)];
    if (hint < hull.count && value(hint) > value(best)) best = hint;
    return climb(hull, V3<double>{x, y, z}, best);
}

}  // namespace mpr

}  // namespace tactus
