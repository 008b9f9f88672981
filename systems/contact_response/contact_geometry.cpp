#include <tactus/systems/contact_response/contact_geometry.hpp>

#include <tactus/engine/shapes/triangle_mesh.hpp>

#include <algorithm>

namespace tactus::systems {

namespace {

double half_of_least(double a, double b, double c) { return 0.5 * std::min({a, b, c}); }

ContactRoundness roundness(const Sphere& s) { return {0.5 * s.diameter, false}; }
ContactRoundness roundness(const Ellipsoid& s) { return {half_of_least(s.length_x, s.length_y, s.length_z), false}; }
ContactRoundness roundness(const Box& s) { return {half_of_least(s.length_x, s.length_y, s.length_z), true}; }
ContactRoundness roundness(const Cylinder& s) { return {0.5 * std::min(s.diameter, s.length), false}; }
ContactRoundness roundness(const Cone& s) { return {0.25 * (s.diameter + s.top_diameter), false}; }
ContactRoundness roundness(const Capsule& s) { return {0.5 * s.diameter, false}; }
ContactRoundness roundness(const Beam& s) { return {half_of_least(s.length, s.width, s.thickness), true}; }
ContactRoundness roundness(const Mesh& s) {  // half the shortest side of its bounding box
    Vec3 low = s.data->vertices.front(), high = low;
    for (const Vec3& v : s.data->vertices) {
        low = low.cwiseMin(v);
        high = high.cwiseMax(v);
    }
    return {0.5 * (high - low).minCoeff(), false};
}
template<class NoSolid> ContactRoundness roundness(const NoSolid&) { return {}; }

}  // namespace

ContactRoundness contact_roundness(const Shape& shape, double given_radius) {
    ContactRoundness result = std::visit([](const auto& s) { return roundness(s); }, shape);
    if (given_radius > 0.0) result.radius = given_radius;
    return result;
}

double geometry_coefficient(const ContactRoundness& a, const ContactRoundness& b) {
    if (a.flat != b.flat) return a.flat ? b.radius : a.radius;
    return a.radius * b.radius / (a.radius + b.radius);
}

}  // namespace tactus::systems
