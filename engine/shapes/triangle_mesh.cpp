#include <tactus/engine/shapes/triangle_mesh.hpp>

#include <tactus/engine/errors.hpp>
#include <tactus/engine/schema/context.hpp>
#include <tactus/engine/shapes/mesh_file.hpp>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <unordered_map>
#include <utility>

namespace tactus {

namespace {

void check_given(const Mesh& mesh) {
    const auto refuse = [](const std::string& field, const std::string& value, const std::string& allowed) {
        throw InputError(Issue{"", "", "shape." + field, value, allowed});
    };
    if (mesh.vertices.size() > max_vertices)
        refuse("vertices", std::to_string(mesh.vertices.size()) + " vertices",
               "must be fewer than " + std::to_string(max_vertices));
    for (std::size_t i = 0; i < mesh.vertices.size(); ++i)
        if (!mesh.vertices[i].allFinite())
            refuse("vertices", "vertex " + std::to_string(i), "must have finite coordinates [m]");
    if (mesh.triangles.empty()) refuse("triangles", "none", "must have at least one triangle, or give a file");
    for (std::size_t t = 0; t < mesh.triangles.size(); ++t)
        for (const int i : mesh.triangles[t])
            if (i < 0 || static_cast<std::size_t>(i) >= mesh.vertices.size())
                refuse("triangles", "index " + std::to_string(i) + " in triangle " + std::to_string(t),
                       "must be an index from 0 below the number of vertices, " + std::to_string(mesh.vertices.size()));
}

struct PointHash {
    std::size_t operator()(const std::array<double, 3>& p) const {
        std::uint64_t h = 0;
        for (const double x : p) {
            h = (h ^ std::bit_cast<std::uint64_t>(x)) * 0x9E3779B97F4A7C15u;  // 2^64 / golden ratio, odd
            h ^= h >> 32;
        }
        return static_cast<std::size_t>(h);
    }
};

// Scales, mirrors, merges equal vertices (after scaling: they are what is compared later), and leaves out triangles
// with two equal corners and vertices without a triangle, which do not belong to the surface.
TriangleMesh scaled(const Surface& surface, const Vec3& scale) {
    TriangleMesh mesh;
    mesh.triangles.reserve(surface.triangles.size());
    std::unordered_map<std::array<double, 3>, int, PointHash> index_of;
    std::vector<int> merged(surface.vertices.size(), -1);
    const auto index = [&](int raw) {
        int& i = merged[static_cast<std::size_t>(raw)];
        if (i < 0) {
            // + 0.0 turns -0.0 into 0.0: equal numbers must have equal bits for the hash.
            const Vec3 p = (scale.array() * surface.vertices[static_cast<std::size_t>(raw)].array() + 0.0).matrix();
            if (!p.allFinite())
                throw InputError(
                    Issue{"", "", "shape.scale", schema::text_of(scale), "must keep all coordinates finite"});
            const auto [entry, is_new] =
                index_of.try_emplace({p.x(), p.y(), p.z()}, static_cast<int>(mesh.vertices.size()));
            if (is_new) mesh.vertices.push_back(p);
            i = entry->second;
        }
        return i;
    };
    const bool mirrored = scale.prod() < 0.0;
    for (const auto& [a, b, c] : surface.triangles) {
        const int i = index(a), j = index(b), k = index(c);
        if (i == j || j == k || k == i) continue;
        mesh.triangles.push_back(mirrored ? std::array{i, k, j} : std::array{i, j, k});
    }
    return mesh;
}

struct Moments {
    double volume = 0.0;
    Vec3 first = Vec3::Zero();   // integral of x dV
    Mat3 second = Mat3::Zero();  // integral of x x^T dV
    double area = 0.0;
};

// Sums of signed tetrahedra between each triangle abc and the point `about`, from which x is measured. With
// D = a . (b x c) = 6 * volume:  integral of x = D/24 (a + b + c), of x x^T = D/120 (s s^T + a a^T + b b^T + c c^T),
// s = a + b + c (moments of a simplex; e.g. F. Tonon, J. Math. Stat. 1, 2005).
Moments moments(const TriangleMesh& mesh, const Vec3& about) {
    Moments sum;
    for (const auto& triangle : mesh.triangles) {
        const auto corner = [&](std::size_t i) -> const Vec3& {
            return mesh.vertices[static_cast<std::size_t>(triangle[i])];
        };
        const Vec3 a = corner(0) - about, b = corner(1) - about, c = corner(2) - about, s = a + b + c;
        // From the edges, the product errs relative to the triangle's area, not to the squared distance.
        const Vec3 normal = (corner(1) - corner(0)).cross(corner(2) - corner(0));
        const double D = a.dot(normal);
        sum.volume += D / 6.0;
        sum.first += D / 24.0 * s;
        sum.second += D / 120.0 * (s * s.transpose() + a * a.transpose() + b * b.transpose() + c * c.transpose());
        sum.area += normal.norm() / 2.0;
    }
    return sum;
}

[[noreturn]] void refuse_surface(const TriangleMesh& mesh, const std::string& why) {
    if (mesh.file.empty())
        throw InputError(Issue{"", "", "shape.triangles", std::to_string(mesh.triangles.size()) + " triangles", why});
    throw InputError(Issue{"", "", "shape.file", mesh.file.string(), why});
}

}  // namespace

void load_mesh(Mesh& mesh, const std::filesystem::path& folder) {
    if (!mesh.scale.allFinite() || (mesh.scale.array() == 0.0).any())
        throw InputError(Issue{"", "", "shape.scale", schema::text_of(mesh.scale),
                               "must have a finite factor per axis that is not 0"});
    if (!mesh.file.empty() && !(mesh.vertices.empty() && mesh.triangles.empty()))
        throw InputError(Issue{"", "", "shape.file", mesh.file, "must be a file, or vertices and triangles, not both"});

    TriangleMesh data;
    if (mesh.file.empty()) {
        check_given(mesh);
        data = scaled({mesh.vertices, mesh.triangles}, mesh.scale);
        if (data.triangles.empty())
            throw InputError(Issue{"", "", "shape.triangles", std::to_string(mesh.triangles.size()) + " triangles",
                                   "must have a triangle with three different corners"});
    } else {
        const std::filesystem::path path = std::filesystem::absolute(folder / mesh.file).lexically_normal();
        data = scaled(read_mesh_file(mesh.file, path), mesh.scale);
        if (data.triangles.empty())
            throw InputError(
                Issue{"", "", "shape.file", mesh.file, "must have a triangle with three different corners"});
        data.file = path;
    }
    mesh.data = std::make_shared<const TriangleMesh>(std::move(data));
}

std::size_t open_edges(const TriangleMesh& mesh) {
    struct Edge {
        int low, high;
        bool upwards;
    };
    std::vector<Edge> edges;
    edges.reserve(3 * mesh.triangles.size());
    for (const auto& [a, b, c] : mesh.triangles)
        for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, c}, std::pair{c, a}})
            edges.push_back({std::min(from, to), std::max(from, to), from < to});
    std::sort(edges.begin(), edges.end(), [](const Edge& a, const Edge& b) {
        return a.low != b.low ? a.low < b.low : a.high != b.high ? a.high < b.high : a.upwards < b.upwards;
    });

    std::size_t open = 0;
    for (std::size_t i = 0; i < edges.size();) {
        std::size_t next = i;
        while (next < edges.size() && edges[next].low == edges[i].low && edges[next].high == edges[i].high) ++next;
        if (next - i != 2 || edges[i].upwards == edges[i + 1].upwards) ++open;
        i = next;
    }
    return open;
}

VolumeIntegrals volume_integrals(const TriangleMesh& mesh) {
    if (mesh.triangles.empty()) refuse_surface(mesh, "must be a surface with triangles");
    if (const std::size_t open = open_edges(mesh); open > 0)
        refuse_surface(mesh, "must be a closed surface: " + std::to_string(open) +
                                 (open == 1 ? " edge does" : " edges do") +
                                 " not belong to exactly two triangles of opposite direction");

    // Mean of the vertices, taken from the first one so that a far surface loses no digits.
    Vec3 mean = Vec3::Zero();
    for (const Vec3& p : mesh.vertices) mean += (p - mesh.vertices.front()) / static_cast<double>(mesh.vertices.size());
    mean += mesh.vertices.front();
    const Moments rough = moments(mesh, mean);

    // Coordinates are rounded to eps times their size, which moves the surface: a smaller volume is not known at all.
    double size = 0.0;
    for (const Vec3& p : mesh.vertices) size = std::max(size, p.cwiseAbs().maxCoeff());
    const double unknown = 16.0 * std::numeric_limits<double>::epsilon() * size * rough.area;
    if (!std::isfinite(rough.volume) || !std::isfinite(rough.second.sum()))
        refuse_surface(mesh, "must be a smaller surface: its volume integrals overflow");
    if (rough.volume < -unknown)
        refuse_surface(mesh,
                       "must be a surface with triangles counter-clockwise seen from outside: this one is inside out");
    if (rough.volume <= unknown || rough.volume == 0.0)
        refuse_surface(mesh, "must be a surface that encloses a volume");

    // Once more about the centroid: only a residual is left of the parallel-axis term, nothing large to subtract.
    const Vec3 centroid = mean + rough.first / rough.volume;
    const Moments m = moments(mesh, centroid);
    const Vec3 rest = m.first / m.volume;
    const Mat3 S = m.second - m.volume * rest * rest.transpose();
    Mat3 inertia = -S;
    inertia.diagonal() << S(1, 1) + S(2, 2), S(2, 2) + S(0, 0), S(0, 0) + S(1, 1);
    return {m.volume, centroid + rest, inertia};
}

}  // namespace tactus
