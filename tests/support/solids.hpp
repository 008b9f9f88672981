// Random solids of every kind, nominal surfaces without support mappings, and pairs at about a wanted distance.
#pragma once

#include "tests/support/random.hpp"
#include "tests/support/reference_distance.hpp"

#include <tactus/engine/mpr/signed_distance.hpp>
#include <tactus/engine/shapes/convex_hull.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <functional>
#include <string>
#include <variant>
#include <vector>

namespace tactus::test {

// ---- solids of 10 to 20 cm -----------------------------------------------------------------------------------------

inline constexpr std::array<const char*, 9> kind_names{"sphere",  "ellipsoid", "box",  "cylinder", "cone",
                                                       "frustum", "capsule",   "beam", "mesh"};
inline constexpr int kinds = static_cast<int>(kind_names.size());
inline std::string kind_name(int kind) { return kind_names[static_cast<std::size_t>(kind)]; }
inline constexpr int sphere_kind = 0, ellipsoid_kind = 1, box_kind = 2, cylinder_kind = 3, cone_kind = 4,
                     frustum_kind = 5, capsule_kind = 6, beam_kind = 7, mesh_kind = 8;

inline Mesh point_cloud(Random& random, int count, const Vec3& half) {
    Mesh mesh;
    for (int i = 0; i < count; ++i) mesh.vertices.push_back(random.direction().cwiseProduct(half));
    return mesh;
}

inline Mesh cube_mesh(const Vec3& half) {
    Mesh mesh;
    for (int i = 0; i < 8; ++i)
        mesh.vertices.push_back(Vec3{i & 1 ? 1.0 : -1.0, i & 2 ? 1.0 : -1.0, i & 4 ? 1.0 : -1.0}.cwiseProduct(half));
    return mesh;
}

inline Shape random_shape(int kind, Random& random, int axis = 0) {
    const double a = random.uniform(0.1, 0.2), b = random.uniform(0.1, 0.2), c = random.uniform(0.1, 0.2);
    if (axis == 0) axis = 1 + random.number(3);
    switch (kind) {
    case sphere_kind: return Sphere{a};
    case ellipsoid_kind: return Ellipsoid{a, b, c};
    case box_kind: return Box{a, b, c};
    case cylinder_kind: return Cylinder{axis, a, b};
    case cone_kind: return Cone{axis, a, b};
    case frustum_kind: return Cone{axis, a, b, a * random.uniform(0.3, 0.8)};
    case capsule_kind: return Capsule{axis, 0.5 * a, b};
    case beam_kind: return Beam{axis, a, 0.5 * b, 0.5 * c};
    default: return point_cloud(random, 20, 0.5 * Vec3{a, b, c});
    }
}

// The same for a World, which wants meshes with triangles.
inline Shape solid_shape(int kind, Random& random) {
    Shape shape = random_shape(kind, random);
    if (auto* mesh = std::get_if<Mesh>(&shape)) {
        const ConvexHull hull = convex_hull(mesh->vertices);
        mesh->vertices.clear();
        for (std::uint32_t i = 0; i < hull.count; ++i) mesh->vertices.push_back(hull.vertex(i));
        for (const auto& [a, b, c] : hull.triangles)
            mesh->triangles.push_back({static_cast<int>(a), static_cast<int>(b), static_cast<int>(c)});
    }
    return shape;
}

// ---- nominal surfaces ----------------------------------------------------------------------------------------------

// A shape as the set where `level` <= 0, written down from its definition; level is a distance where a face is closest.
class NominalSolid {
public:
    explicit NominalSolid(const Shape& shape) {
        std::visit([this](const auto& s) { set(s); }, shape);
    }

    // [m] > 0 outside, 0 on the surface, < 0 inside; in the axes of the shape.
    double level(const Vec3& p) const {
        const Vec3 q{p[axis_], p[(axis_ + 1) % 3], p[(axis_ + 2) % 3]};
        return level_(q);
    }

    const Vec3& inside() const { return inside_; }

    // The point of the surface seen from inside() along a direction, by bisection.
    Vec3 surface_point(const Vec3& direction) const {
        double in = 0, out = 1;
        while (level(inside_ + out * direction) <= 0) out *= 2;
        for (int i = 0; i < 60; ++i) {
            const double middle = 0.5 * (in + out);
            (level(inside_ + middle * direction) <= 0 ? in : out) = middle;
        }
        return inside_ + in * direction;
    }

private:
    void set(const Sphere& s) {
        level_ = [r = 0.5 * s.diameter](const Vec3& q) { return q.norm() - r; };
    }
    void set(const Ellipsoid& s) {
        const Vec3 h = 0.5 * Vec3{s.length_x, s.length_y, s.length_z};
        level_ = [h](const Vec3& q) { return (q.cwiseQuotient(h).norm() - 1) * h.minCoeff(); };
    }
    void set(const Box& s) {
        const Vec3 h = 0.5 * Vec3{s.length_x, s.length_y, s.length_z};
        level_ = [h](const Vec3& q) { return (q.cwiseAbs() - h).maxCoeff(); };
    }
    void set(const Cylinder& s) {
        axis_ = s.axis - 1;
        level_ = [s](const Vec3& q) {
            return std::max(std::hypot(q.y(), q.z()) - 0.5 * s.diameter, std::abs(q.x()) - 0.5 * s.length);
        };
    }
    void set(const Cone& s) {
        axis_ = s.axis - 1;
        inside_[axis_] = 0.25 * s.length;
        const double r = 0.5 * s.diameter, t = 0.5 * s.top_diameter, angle = std::atan2(r - t, s.length);
        level_ = [s, r, angle](const Vec3& q) {
            const double flank = std::cos(angle) * (std::hypot(q.y(), q.z()) - r) + std::sin(angle) * q.x();
            return std::max({flank, -q.x(), q.x() - s.length});
        };
    }
    void set(const Capsule& s) {
        axis_ = s.axis - 1;
        level_ = [s](const Vec3& q) {
            const double beyond = std::max(0.0, std::abs(q.x()) - 0.5 * s.length);
            return std::sqrt(beyond * beyond + q.y() * q.y() + q.z() * q.z()) - 0.5 * s.diameter;
        };
    }
    void set(const Beam& s) {
        axis_ = s.axis - 1;
        level_ = [s](const Vec3& q) {
            const double beyond = std::max(0.0, std::abs(q.x()) - 0.5 * s.length);
            return std::max(std::hypot(beyond, q.y()) - 0.5 * s.width, std::abs(q.z()) - 0.5 * s.thickness);
        };
    }
    void set(const Mesh& s) {  // the planes through three vertices that have all others on one side
        std::vector<std::pair<Vec3, double>> planes;
        const std::vector<Vec3>& v = s.vertices;
        for (const Vec3& p : v) inside_ += p / static_cast<double>(v.size());
        for (std::size_t i = 0; i < v.size(); ++i)
            for (std::size_t j = i + 1; j < v.size(); ++j)
                for (std::size_t k = j + 1; k < v.size(); ++k) {
                    Vec3 n = (v[j] - v[i]).cross(v[k] - v[i]).normalized();
                    if (n.dot(v[i] - inside_) < 0) n = -n;
                    const auto within = [&](const Vec3& p) { return n.dot(p - v[i]) < 1e-13; };
                    if (std::all_of(v.begin(), v.end(), within)) planes.emplace_back(n, n.dot(v[i]));
                }
        level_ = [planes](const Vec3& q) {
            double most = -1e300;
            for (const auto& [n, d] : planes) most = std::max(most, n.dot(q) - d);
            return most;
        };
    }
    template<class Other> void set(const Other&) {}

    int axis_ = 0;
    Vec3 inside_ = Vec3::Zero();
    std::function<double(const Vec3&)> level_;
};

// ---- solids somewhere ----------------------------------------------------------------------------------------------

struct PlacedSolid {
    Shape shape;
    double smoothing = 0;
    Frame X;
    CollisionShape collision;

    PlacedSolid(const Shape& s, double rho, const Frame& X_WB = {})
        : shape{s}, smoothing{rho}, X{X_WB}, collision{collision_shape(s, rho)} {}

    ReferenceShape reference() const { return {shape, smoothing, X.R, X.p}; }
};

// Meshes stay sharp: the reference knows no smoothed ones.
inline PlacedSolid random_solid(int kind, double smoothing, Random& random) {
    const Shape shape = random_shape(kind, random);
    return {shape, kind == mesh_kind ? 0.0 : smoothing, {random.rotation(), random.vector(0.1)}};
}

inline SignedDistance ask(const PlacedSolid& A, const PlacedSolid& B, PairCache* cache = nullptr) {
    return signed_distance(A.collision, A.X, B.collision, B.X, {}, cache);
}

inline ReferenceDistance reference(const PlacedSolid& A, const PlacedSolid& B) {
    return reference_distance(A.reference(), B.reference());
}

// Moves B until its distance from A is about `distance`: only a way to choose positions.
inline void approach(const PlacedSolid& A, PlacedSolid& B, double distance, Random& random) {
    B.X.p = A.X.p + A.X.R * A.collision.centroid + 0.5 * random.direction();
    for (int i = 0; i < 6; ++i) {
        const SignedDistance now = ask(A, B);
        B.X.p += (distance - now.distance) * now.normal;
    }
}

}  // namespace tactus::test
