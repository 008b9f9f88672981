#include "demos/session/surface.hpp"

#include <tactus/engine/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <cmath>
#include <functional>
#include <map>
#include <numbers>

namespace demos::app {

using namespace tactus;

namespace {

constexpr double pi = std::numbers::pi;
constexpr int around = 48;  // vertices on a circle

struct ProfilePoint {
    double r, z, nr, nz;  // place and normal
};
using Profile = std::vector<ProfilePoint>;

// An arc about (r0, z0) from angle a to b; 0 looks outwards, pi/2 along the axis.
void arc(Profile& profile, double r0, double z0, double radius, double a, double b, int steps) {
    for (int i = 0; i <= steps; ++i) {
        const double t = a + (b - a) * i / steps;
        profile.push_back({r0 + radius * std::cos(t), z0 + radius * std::sin(t), std::cos(t), std::sin(t)});
    }
}

// Local (x, y, z) with z along the axis 1, 2 or 3 of a shape; the others follow cyclically.
Vec3 along(int axis, const Vec3& p) {
    switch (axis) {
    case 1: return {p.z(), p.x(), p.y()};
    case 2: return {p.y(), p.z(), p.x()};
    default: return p;
    }
}

// Turns a profile from the bottom to the top about an axis. Neighbours with different normals at one place make an edge.
void lathe(Surface& s, const Profile& profile, int axis, const Vec3& stretch = Vec3::Ones()) {
    std::vector<std::uint32_t> below, row;
    for (const ProfilePoint& p : profile) {
        row.clear();
        for (int i = 0; i <= around; ++i) {
            const double a = 2.0 * pi * i / around, c = std::cos(a), d = std::sin(a);
            const Vec3 n = along(axis, {p.nr * c, p.nr * d, p.nz});
            row.push_back(s.add(along(axis, {p.r * c, p.r * d, p.z}).cwiseProduct(stretch),
                                n.cwiseQuotient(stretch).normalized()));
        }
        for (std::size_t i = 0; !below.empty() && i < around; ++i) s.quad(below[i], below[i + 1], row[i + 1], row[i]);
        below = row;
    }
}

// A solid of revolution from a circle at z1 to a circle at z2, edges rounded.
Profile barrel(double r1, double z1, double r2, double z2, double bevel) {
    const double slope = std::atan2(r1 - r2, z2 - z1);  // of the wall's normal against the outward direction
    Profile profile{{0, z1, 0, -1}};
    // Rounded edges touch cap and wall: centres lie `bevel` inside of both.
    const auto corner = [&](double r, double z, double a, double b, double cap) {
        const double half = 0.5 * std::abs(b - a), inset = bevel * std::tan(half);
        if (r <= inset) {
            profile.push_back({r, z, std::cos(slope), std::sin(slope)});
            return;
        }
        arc(profile, r - inset, z - cap * bevel, bevel, a, b, 4);
    };
    corner(r1, z1, -0.5 * pi, slope, -1.0);
    corner(r2, z2, slope, 0.5 * pi, 1.0);
    profile.push_back({0, z2, 0, 1});
    return profile;
}

struct OutlinePoint {
    double x, y, nx, ny;
};

// A convex outline in the plane of x and y (counter-clockwise), thickened along z, edges rounded. `place` puts it in place.
void extrude(Surface& s, const std::vector<OutlinePoint>& outline, double half, double bevel,
             const std::function<Vec3(const Vec3&)>& place) {
    Profile profile;  // r is the distance inside of the outline, negated
    arc(profile, -bevel, -half + bevel, bevel, -0.5 * pi, 0.0, 4);
    arc(profile, -bevel, half - bevel, bevel, 0.0, 0.5 * pi, 4);
    std::vector<std::uint32_t> below, row;
    for (const ProfilePoint& p : profile) {
        row.clear();
        for (const OutlinePoint& o : outline)
            row.push_back(
                s.add(place({o.x + p.r * o.nx, o.y + p.r * o.ny, p.z}), place({p.nr * o.nx, p.nr * o.ny, p.nz})));
        for (std::size_t i = 0; !below.empty() && i < row.size(); ++i) {
            const std::size_t j = (i + 1) % row.size();
            s.quad(below[i], below[j], row[j], row[i]);
        }
        below = row;
    }
    for (const int side : {-1, 1}) {  // the caps
        const Vec3 n = place({0, 0, static_cast<double>(side)});
        const std::uint32_t middle = s.add(place({0, 0, side * half}), n);
        std::vector<std::uint32_t> rim;
        for (const OutlinePoint& o : outline)
            rim.push_back(s.add(place({o.x - bevel * o.nx, o.y - bevel * o.ny, side * half}), n));
        for (std::size_t i = 0; i < rim.size(); ++i) {
            const std::uint32_t a = rim[i], b = rim[(i + 1) % rim.size()];
            if (side > 0)
                s.triangles.insert(s.triangles.end(), {middle, a, b});
            else
                s.triangles.insert(s.triangles.end(), {middle, b, a});
        }
    }
}

std::vector<OutlinePoint> rounded_rectangle(double half_x, double half_y, double radius, int steps) {
    std::vector<OutlinePoint> outline;
    for (int corner = 0; corner < 4; ++corner) {
        const double sx = corner == 0 || corner == 3 ? 1 : -1, sy = corner < 2 ? 1 : -1;
        for (int i = 0; i <= steps; ++i) {
            const double a = 0.5 * pi * (corner + static_cast<double>(i) / steps), c = std::cos(a), d = std::sin(a);
            outline.push_back({sx * (half_x - radius) + radius * c, sy * (half_y - radius) + radius * d, c, d});
        }
    }
    return outline;
}

struct Maker {
    double bevel;
    Surface s = {};

    double fitting(double smallest) const { return std::clamp(bevel, 1e-3 * smallest, 0.25 * smallest); }
    void ball(double radius) {
        Profile profile;
        arc(profile, 0, 0, radius, -0.5 * pi, 0.5 * pi, around / 2);
        lathe(s, profile, 3);
    }
    void operator()(const Sphere& shape) { ball(0.5 * shape.diameter); }
    void operator()(const Ellipsoid& shape) {
        Profile profile;
        arc(profile, 0, 0, 0.5, -0.5 * pi, 0.5 * pi, around / 2);
        lathe(s, profile, 3, {shape.length_x, shape.length_y, shape.length_z});
    }
    void operator()(const Box& shape) {
        const double b = fitting(std::min({shape.length_x, shape.length_y, shape.length_z}));
        extrude(s, rounded_rectangle(0.5 * shape.length_x, 0.5 * shape.length_y, b, 3), 0.5 * shape.length_z, b,
                [](const Vec3& p) { return p; });
    }
    void operator()(const Cylinder& shape) {
        const double h = 0.5 * shape.length, b = fitting(std::min(shape.diameter, shape.length));
        if (shape.inner_diameter <= 0.0) {
            lathe(s, barrel(0.5 * shape.diameter, -h, 0.5 * shape.diameter, h, b), shape.axis);
            return;
        }
        const double r = 0.5 * shape.diameter, inner = 0.5 * shape.inner_diameter;
        lathe(s,
              {{inner, h, -1, 0},
               {inner, -h, -1, 0},
               {inner, -h, 0, -1},
               {r, -h, 0, -1},
               {r, -h, 1, 0},
               {r, h, 1, 0},
               {r, h, 0, 1},
               {inner, h, 0, 1}},
              shape.axis);
    }
    void operator()(const Cone& shape) {
        const double least = shape.top_diameter > 0 ? std::min(shape.top_diameter, shape.length) : shape.length;
        lathe(s, barrel(0.5 * shape.diameter, 0, 0.5 * shape.top_diameter, shape.length, fitting(least)), shape.axis);
    }
    void operator()(const Capsule& shape) {
        Profile profile;
        const double r = 0.5 * shape.diameter, h = 0.5 * shape.length;
        arc(profile, 0, -h, r, -0.5 * pi, 0.0, around / 4);
        arc(profile, 0, h, r, 0.0, 0.5 * pi, around / 4);
        lathe(s, profile, shape.axis);
    }
    void operator()(const Beam& shape) {
        const double b = fitting(std::min(shape.width, shape.thickness)), h = 0.5 * shape.length, r = 0.5 * shape.width;
        std::vector<OutlinePoint> outline;  // x along the length, y along the width
        for (const int end : {1, -1})
            for (int i = 0; i <= around / 2; ++i) {
                const double a = pi * i / (around / 2) - (end > 0 ? 0.5 : -0.5) * pi, c = std::cos(a), d = std::sin(a);
                outline.push_back({end * h + r * c, r * d, c, d});
            }
        // Length along the axis, width along the next one, thickness along the third.
        extrude(s, outline, 0.5 * shape.thickness, b, [&shape](const Vec3& p) {
            return along(shape.axis, {p.y(), p.z(), p.x()});
        });
    }
    // Facets, but smooth where neighbours are turned by less than 40 degrees.
    void operator()(const Mesh& shape) {
        if (!shape.data) return;
        const auto& v = shape.data->vertices;
        std::vector<Vec3> facets;
        std::vector<std::vector<std::size_t>> used(v.size());
        for (std::size_t t = 0; t < shape.data->triangles.size(); ++t) {
            const auto [a, b, c] = shape.data->triangles[t];
            const auto at = [&v](int i) -> const Vec3& { return v[static_cast<std::size_t>(i)]; };
            facets.push_back((at(b) - at(a)).cross(at(c) - at(a)));
            for (const int i : {a, b, c}) used[static_cast<std::size_t>(i)].push_back(t);
        }
        for (std::size_t t = 0; t < facets.size(); ++t)
            for (const int i : shape.data->triangles[t]) {
                Vec3 n = Vec3::Zero();
                for (const std::size_t other : used[static_cast<std::size_t>(i)])
                    if (facets[other].dot(facets[t]) > 0.77 * facets[other].norm() * facets[t].norm())
                        n += facets[other];
                s.triangles.push_back(s.add(v[static_cast<std::size_t>(i)], n.normalized()));
            }
    }
    void operator()(const CoordinateSystem& shape) {
        for (int axis = 1; axis <= 3; ++axis) {
            lathe(s, barrel(0.012 * shape.length, 0, 0.012 * shape.length, 0.85 * shape.length, 0), axis);
            lathe(s, barrel(0.03 * shape.length, 0.85 * shape.length, 0, shape.length, 0), axis);
        }
    }
    void operator()(const Spring& shape) {
        const Surface c = coil(shape.length, shape.diameter, shape.wire_diameter, shape.windings);
        s = c;
        for (std::size_t i = 0; i < c.vertices(); ++i)
            for (auto* list : {&s.positions, &s.normals}) {
                float* p = list->data() + 3 * i;
                const Vec3 turned = along(shape.axis, {p[0], p[1], p[2]});
                for (int k = 0; k < 3; ++k) p[k] = static_cast<float>(turned[k]);
            }
    }
    void operator()(const GearWheel& shape) {
        const double r = 0.5 * shape.diameter, root = 0.5 * shape.root_diameter, h = 0.5 * shape.length;
        std::vector<Vec3> rim;
        for (int i = 0; i < 4 * shape.teeth; ++i) {
            const double a = shape.angle + 2.0 * pi * (i + (i % 4 == 1 || i % 4 == 3 ? 0.3 : 0.0)) / (4 * shape.teeth);
            const double at = i % 4 == 1 || i % 4 == 2 ? r : root;
            rim.emplace_back(at * std::cos(a), at * std::sin(a), 0);
        }
        const double hub = 0.5 * shape.inner_diameter;
        for (std::size_t i = 0; i < rim.size(); ++i) {
            const Vec3 a = rim[i], b = rim[(i + 1) % rim.size()], up{0, 0, h};
            const Vec3 ia = hub * a.normalized(), ib = hub * b.normalized();
            const auto face = [&](const Vec3& p, const Vec3& q, const Vec3& u, const Vec3& w) {
                const Vec3 n = along(shape.axis, (q - p).cross(w - p).normalized());
                s.quad(s.add(along(shape.axis, p), n), s.add(along(shape.axis, q), n), s.add(along(shape.axis, u), n),
                       s.add(along(shape.axis, w), n));
            };
            face(a - up, b - up, b + up, a + up);
            face(ia + up, a + up, b + up, ib + up);
            face(ib - up, b - up, a - up, ia - up);
            if (hub > 0) face(ib - up, ia - up, ia + up, ib + up);
        }
    }
    void operator()(const Grid&) {}
    void operator()(const Text&) {}
};

}  // namespace

std::uint32_t Surface::add(const Vec3& p, const Vec3& n) {
    for (int k = 0; k < 3; ++k) {
        positions.push_back(static_cast<float>(p[k]));
        normals.push_back(static_cast<float>(n[k]));
    }
    return static_cast<std::uint32_t>(vertices() - 1);
}

void Surface::quad(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t d) {
    triangles.insert(triangles.end(), {a, b, c, a, c, d});
}

Surface surface_of(const Shape& shape, double bevel) {
    Maker maker{bevel};
    std::visit(maker, shape);
    return std::move(maker.s);
}

Surface coil(double length, double diameter, double wire, int windings) {
    constexpr int ring = 10, per_winding = 28;
    Surface s;
    const double r = 0.5 * (diameter - wire), climb = length / (2.0 * pi * windings);
    std::vector<std::uint32_t> below, row;
    for (int i = 0; i <= windings * per_winding; ++i) {
        const double a = 2.0 * pi * i / per_winding;
        const Vec3 outward{std::cos(a), std::sin(a), 0},
            tangent = Vec3{-r * std::sin(a), r * std::cos(a), climb}.normalized();
        const Vec3 up = tangent.cross(-outward);
        const Vec3 center = r * outward + Vec3{0, 0, a * climb};
        row.clear();
        for (int k = 0; k <= ring; ++k) {
            const double b = 2.0 * pi * k / ring;
            const Vec3 n = std::cos(b) * outward + std::sin(b) * up;
            row.push_back(s.add(center + 0.5 * wire * n, n));
        }
        for (std::size_t k = 0; !below.empty() && k < ring; ++k) s.quad(below[k], row[k], row[k + 1], below[k + 1]);
        below = row;
    }
    return s;
}

}  // namespace demos::app
