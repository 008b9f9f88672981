// Support mappings in local axes, for peers that leave them to their user.
#pragma once

#include "benchmarks/narrow/scenes.hpp"

#include <cmath>

namespace bench::narrow {

struct Support {
    enum class Kind { ellipsoid, box, round, capsule, beam, hull } kind = Kind::box;
    tactus::Vec3 half = tactus::Vec3::Zero();  // ellipsoid, box; capsule: radius, -, half length; beam
    double r1 = 0, z1 = 0, r2 = 0, z2 = 0;     // round
    const std::vector<tactus::Vec3>* vertices = nullptr;

    Support() = default;
    explicit Support(const tactus::Shape& shape) {
        std::visit([this](const auto& s) { set(s); }, shape);
    }

    tactus::Vec3 operator()(const tactus::Vec3& d) const {
        switch (kind) {
        case Kind::ellipsoid: {
            const tactus::Vec3 e = half.cwiseProduct(d);
            return half.cwiseProduct(e) / e.norm();
        }
        case Kind::box:
            return {std::copysign(half.x(), d.x()), std::copysign(half.y(), d.y()), std::copysign(half.z(), d.z())};
        case Kind::round: {
            const double across = std::sqrt(d.x() * d.x() + d.y() * d.y());
            const bool top = d.z() * z2 + across * r2 > d.z() * z1 + across * r1;
            const double r = across > 0 ? (top ? r2 : r1) / across : 0;
            return {r * d.x(), r * d.y(), top ? z2 : z1};
        }
        case Kind::capsule: {
            tactus::Vec3 p = d * (half.x() / d.norm());
            p.z() += std::copysign(half.z(), d.z());
            return p;
        }
        case Kind::beam: {
            const double across = std::sqrt(d.x() * d.x() + d.y() * d.y());
            const double r = across > 0 ? half.y() / across : 0;
            return {std::copysign(half.x(), d.x()) + r * d.x(), r * d.y(), std::copysign(half.z(), d.z())};
        }
        case Kind::hull: break;
        }
        const tactus::Vec3* best = vertices->data();
        double most = best->dot(d);
        for (const tactus::Vec3& v : *vertices)
            if (const double along = v.dot(d); along > most) {
                most = along;
                best = &v;
            }
        return *best;
    }

private:
    // Only with the axes that the scenes use: z for round shapes and capsules, x for beams.
    void set(const tactus::Sphere& s) {
        kind = Kind::capsule;
        half = {s.diameter / 2, 0, 0};
    }
    void set(const tactus::Ellipsoid& s) {
        kind = Kind::ellipsoid;
        half = tactus::Vec3{s.length_x, s.length_y, s.length_z} / 2;
    }
    void set(const tactus::Box& s) { half = tactus::Vec3{s.length_x, s.length_y, s.length_z} / 2; }
    void set(const tactus::Cylinder& s) {
        kind = Kind::round;
        r1 = r2 = s.diameter / 2;
        z2 = s.length / 2;
        z1 = -z2;
    }
    void set(const tactus::Cone& s) {
        kind = Kind::round;
        r1 = s.diameter / 2;
        r2 = s.top_diameter / 2;
        z2 = s.length;
    }
    void set(const tactus::Capsule& s) {
        kind = Kind::capsule;
        half = {s.diameter / 2, 0, s.length / 2};
    }
    void set(const tactus::Beam& s) {
        kind = Kind::beam;
        half = tactus::Vec3{s.length, s.width, s.thickness} / 2;
    }
    void set(const tactus::Mesh& s) {
        kind = Kind::hull;
        vertices = &s.vertices;
    }
    template<class Other> void set(const Other&) {}
};

}  // namespace bench::narrow
