#include <tactus/engine/shapes/collision_shape.hpp>

#include <tactus/engine/errors.hpp>
#include <tactus/engine/mpr/core.hpp>
#include <tactus/engine/shapes/mass_properties.hpp>
#include <tactus/engine/shapes/triangle_mesh.hpp>

#include <algorithm>
#include <cmath>

namespace tactus {

namespace {

double least(double a, double b, double c) { return std::min({a, b, c}); }

// Vector along an axis (0, 1, 2).
Vec3 along(int axis, double length) {
    Vec3 v = Vec3::Zero();
    v[axis] = length;
    return v;
}

struct Builder {
    double wanted;  // smoothing radius

    double smoothing(double smallest_length) const { return std::min(wanted, 0.1 * smallest_length); }

    CollisionShape operator()(const Sphere& s) const {
        CollisionShape c;
        c.radius = c.size = 0.5 * s.diameter;
        return c;
    }

    CollisionShape operator()(const Ellipsoid& s) const {
        CollisionShape c;
        c.kind = CoreKind::ellipsoid;
        c.half = 0.5 * Vec3{s.length_x, s.length_y, s.length_z};
        if (c.half.x() == c.half.y() && c.half.y() == c.half.z()) return (*this)(Sphere{s.length_x});
        c.size = c.half.maxCoeff();
        c.inner = c.half.minCoeff();
        c.roundness = c.half.minCoeff() * c.half.minCoeff() / c.half.maxCoeff();
        return c;
    }

    CollisionShape operator()(const Box& s) const {
        CollisionShape c;
        c.kind = CoreKind::box;
        c.radius = smoothing(least(s.length_x, s.length_y, s.length_z));
        c.half = 0.5 * Vec3{s.length_x, s.length_y, s.length_z} - Vec3::Constant(c.radius);
        c.size = c.half.norm() + c.radius;
        c.inner = c.half.minCoeff();
        return c;
    }

    CollisionShape operator()(const Cylinder& s) const {
        CollisionShape c = round(s.axis, smoothing(std::min(s.diameter, s.length)));
        c.r1 = c.r2 = 0.5 * s.diameter - c.radius;
        c.z2 = 0.5 * s.length - c.radius;
        c.z1 = -c.z2;
        c.size = std::hypot(c.r1, c.z2) + c.radius;
        c.inner = std::min(c.r1, c.z2);
        return c;
    }

    // The inner parallel body of a truncated cone is one: base and top plane move by the radius, and so does the side
    // line r(z) = rb - (rb - rt) z / L, along its normal.
    CollisionShape operator()(const Cone& s) const {
        CollisionShape c = round(s.axis, smoothing(std::min(s.diameter, s.length)));
        const double rb = 0.5 * s.diameter, rt = 0.5 * s.top_diameter, L = s.length, slant = std::hypot(rb - rt, L);
        if (const double in = incircle(rb, rt, L, slant); c.radius > 0.5 * in) c.radius = 0.5 * in;
        const double rho = c.radius;
        const auto radius_at = [&](double z) { return rb - ((rb - rt) * z + rho * slant) / L; };
        c.z1 = rho;
        c.r1 = radius_at(rho);
        c.z2 = L - rho;
        c.r2 = radius_at(c.z2);
        if (c.r2 < 0 || s.top_diameter == 0) {  // the sides meet before the top plane
            c.z2 = (L * rb - rho * slant) / (rb - rt);
            c.r2 = 0;
        }
        const double side = std::hypot(c.r1 - c.r2, c.z2 - c.z1);
        c.flank_x = (c.r1 - c.r2) / side, c.flank_r = (c.z2 - c.z1) / side;
        const double f = rb * rb + rb * rt + rt * rt;
        c.centroid = along(c.axis, 0.25 * L * (rb * rb + 2 * rb * rt + 3 * rt * rt) / f);
        const double z = c.centroid[c.axis];
        c.size = std::max(std::hypot(c.r1, z - c.z1), std::hypot(c.r2, c.z2 - z)) + rho;
        c.inner = least(z - c.z1, L - rho - z, radius_at(z) * L / slant);
        return c;
    }

    CollisionShape operator()(const Capsule& s) const {
        CollisionShape c;
        c.kind = CoreKind::segment;
        c.axis = static_cast<std::uint8_t>(s.axis - 1);
        c.radius = 0.5 * s.diameter;
        c.half = {0.5 * s.length, 0, 0};
        c.size = c.half.x() + c.radius;
        return c;
    }

    CollisionShape operator()(const Beam& s) const {
        CollisionShape c;
        c.kind = CoreKind::stadium;
        c.axis = static_cast<std::uint8_t>(s.axis - 1);
        c.radius = smoothing(least(s.length, s.width, s.thickness));
        c.half = {0.5 * s.length, 0.5 * s.width - c.radius, 0.5 * s.thickness - c.radius};
        c.size = std::hypot(c.half.x() + c.half.y(), c.half.z()) + c.radius;
        c.inner = std::min(c.half.y(), c.half.z());
        return c;
    }

    CollisionShape operator()(const Mesh& s) const {
        if (!s.data && s.vertices.empty()) throw InputError({"", "", "shape", "", "the mesh has not been loaded"});
        std::vector<Vec3> points = s.data ? s.data->vertices : s.vertices;
        if (!s.data)
            for (Vec3& p : points) p = p.cwiseProduct(s.scale);
        CollisionShape c;
        c.kind = CoreKind::hull;
        auto hull = std::make_shared<ConvexHull>(convex_hull(points));
        c.centroid = hull->centroid;
        double inradius = 1e300, extent = 0;
        for (const auto& plane : hull->planes)
            inradius = std::min(inradius, plane[3] - Vec3{plane[0], plane[1], plane[2]}.dot(c.centroid));
        for (std::uint32_t i = 0; i < hull->count; ++i)
            extent = std::max(extent, (hull->vertex(i) - c.centroid).norm());
        c.radius = std::min(wanted, 0.2 * inradius);  // of the inner ball: a tenth of its diameter
        if (c.radius > 0) {
            hull = std::make_shared<ConvexHull>(inner_hull(*hull, c.radius, c.centroid));
            extent = 0;
            for (std::uint32_t i = 0; i < hull->count; ++i)
                extent = std::max(extent, (hull->vertex(i) - c.centroid).norm());
        }
        c.size = extent + c.radius;
        c.inner = inradius - c.radius;
        c.hull = std::move(hull);
        return c;
    }

    template<class Other> CollisionShape operator()(const Other&) const {
        throw InputError({"", "", "shape", "", "only solid shapes can collide"});
    }

private:
    static CollisionShape round(int axis, double radius) {
        CollisionShape c;
        c.kind = CoreKind::round;
        c.axis = static_cast<std::uint8_t>(axis - 1);
        c.radius = radius;
        return c;
    }

    // Radius of the largest ball in a truncated cone that touches the base.
    static double incircle(double rb, double rt, double L, double slant) {
        return std::min(0.5 * L, rb * L / (slant + rb - rt));
    }
};

}  // namespace

CollisionShape collision_shape(const Shape& shape, double smoothing_radius) {
    CollisionShape c = std::visit(Builder{smoothing_radius}, shape);
    c.roundness += c.radius;
    return c;
}

Vec3 support_point(const CollisionShape& s, const Vec3& direction) {
    mpr::Feature feature = 0;
    const Vec3 e = direction.normalized();
    const int x = s.axis, y = (x + 1) % 3, z = (x + 2) % 3;
    const mpr::V3<double> p = mpr::support(s, mpr::V3<double>{e[x], e[y], e[z]}, feature);
    Vec3 point = s.radius * e;
    point[x] += p.x;
    point[y] += p.y;
    point[z] += p.z;
    return point;
}

Aabb loose_aabb(const CollisionShape& shape, const Mat3& R_WB, const Vec3& p_WB) {
    Aabb box;
    for (int i = 0; i < 3; ++i) {
        const Vec3 e = R_WB.row(i);
        box.max[i] = e.dot(support_point(shape, e));
        box.min[i] = e.dot(support_point(shape, -e));
    }
    const double margin = shape.kind == CoreKind::point ? 0.005 * shape.radius : 0.005 * (box.max - box.min).maxCoeff();
    box.max += p_WB + Vec3::Constant(margin);
    box.min += p_WB - Vec3::Constant(margin);
    return box;
}

}  // namespace tactus
