// What shapes look like: surfaces against the volumes of the shapes that they stand for.
#include "demos/session/surface.hpp"

#include <tactus/engine/shapes/mass_properties.hpp>

#include <doctest/doctest.h>

using namespace tactus;
using demos::app::Surface, demos::app::surface_of;

namespace {

double volume(const Surface& s) {  // by signed tetrahedra
    double sum = 0.0;
    const auto at = [&](std::size_t i) {
        const std::size_t v = 3 * s.triangles[i];
        return Vec3{s.positions[v], s.positions[v + 1], s.positions[v + 2]};
    };
    for (std::size_t t = 0; t < s.triangles.size(); t += 3) sum += at(t).cross(at(t + 1)).dot(at(t + 2)) / 6.0;
    return sum;
}

}  // namespace

TEST_CASE("the surface of a shape encloses its volume and reaches where the shape reaches") {
    for (int axis = 1; axis <= 3; ++axis) {
        const Shape shapes[] = {Sphere{0.3},
                                Ellipsoid{0.1, 0.2, 0.3},
                                Box{0.1, 0.2, 0.3},
                                Cylinder{axis, 0.2, 0.5},
                                Cylinder{axis, 0.2, 0.5, 0.1},
                                Cone{axis, 0.3, 0.5},
                                Cone{axis, 0.3, 0.5, 0.15},
                                Capsule{axis, 0.2, 0.4},
                                Beam{axis, 0.4, 0.2, 0.1}};
        for (const Shape& shape : shapes) {
            CAPTURE(axis);
            CAPTURE(shape.index());
            const Surface s = surface_of(shape, 1e-4);
            const double exact = volume_integrals(shape).volume;
            // A circle of 48 corners has 0.3 % less area than the round one, a sphere of half as many rows as much again.
            CHECK(volume(s) < exact * 1.0005);
            CHECK(volume(s) > exact * 0.990);
        }
    }
}

TEST_CASE("normals look outwards and have length one") {
    for (const Shape& shape :
         {Shape{Sphere{0.3}}, Shape{Box{0.1, 0.2, 0.3}}, Shape{Capsule{1, 0.2, 0.4}}, Shape{Beam{2, 0.4, 0.2, 0.1}}}) {
        const Surface s = surface_of(shape, 0.01);
        for (std::size_t i = 0; i < s.vertices(); ++i) {
            const Vec3 p{s.positions[3 * i], s.positions[3 * i + 1], s.positions[3 * i + 2]};
            const Vec3 n{s.normals[3 * i], s.normals[3 * i + 1], s.normals[3 * i + 2]};
            REQUIRE(n.norm() == doctest::Approx(1.0).epsilon(1e-5));
            REQUIRE(p.dot(n) > 0.0);  // these shapes are seen whole from their centre
        }
    }
}
