#include "demos/scenes/jacks.hpp"

#include "demos/scenes/parts.hpp"

#include <cmath>
#include <numbers>

namespace scenes {

using namespace tactus;

namespace {

// A spike along +z from the origin: rings of points around the axis that end in a cap.
Mesh spike(double length, double radius) {
    struct Ring {
        double z, r;
    };
    const Ring rings[] = {
        {0.0, 0.45 * radius}, {0.72 * length, 0.62 * radius}, {0.9 * length, radius}, {length, 0.55 * radius}};
    constexpr int corners = 8;
    Mesh mesh;
    for (const Ring& ring : rings)
        for (int i = 0; i < corners; ++i) {
            const double a = 2.0 * std::numbers::pi * i / corners;
            mesh.vertices.emplace_back(ring.r * std::cos(a), ring.r * std::sin(a), ring.z);
        }
    constexpr int count = 4;
    for (int k = 0; k + 1 < count; ++k)
        for (int i = 0; i < corners; ++i) {
            const int a = k * corners + i, b = k * corners + (i + 1) % corners;
            mesh.triangles.push_back({a, b, b + corners});
            mesh.triangles.push_back({a, b + corners, a + corners});
        }
    for (int i = 1; i + 1 < corners; ++i) {
        mesh.triangles.push_back({0, i + 1, i});
        const int top = (count - 1) * corners;
        mesh.triangles.push_back({top, top + i, top + i + 1});
    }
    return mesh;
}

}  // namespace

std::vector<Entity> jacks(World& world, const Jacks& options) {
    world.scene({.gravity = {0, 0, -9.81}, .elastic_contact_reduction_factor = 1e-2, .nominal_length = 0.2});
    world.set_simulation({.stop_time = 3.0, .tolerance = options.tolerance});
    add_bin(world, 1.4, 0.1, 0.06, "DryWood");
    const double q = 0.5 * std::numbers::pi;
    const Vec3 directions[] = {{0, 0, 0}, {2 * q, 0, 0}, {q, 0, 0}, {-q, 0, 0}, {0, q, 0}, {0, -q, 0}};
    std::vector<Entity> all;
    for (int i = 0; i < options.jacks; ++i) {
        const std::string jack = "jack" + std::to_string(i);
        const double turn = 2.4 * i, radius = i == 0 ? 0.0 : 0.26 * std::sqrt(i);
        all.push_back(world.add({.name = jack,
                                 .parent = "world",
                                 .free = true,
                                 .translation = {radius * std::cos(turn), radius * std::sin(turn), 0.45 + 0.12 * i},
                                 .rotation = {0.4 + i, 0.3, 0.7 * i},
                                 .velocity = {-0.3 * std::cos(turn), -0.3 * std::sin(turn), 0},
                                 .angular_velocity = {3.0 - i, 1.0 + i, 2}}));
        for (int k = 0; k < 6; ++k)
            world.add({.name = jack + ".spike" + std::to_string(k),
                       .parent = jack,
                       .rotation = directions[k],
                       .shape = spike(0.15, 0.045),
                       .material = "DryWood",
                       .collidable = true,
                       .smoothing_radius = 0.004,
                       .contact_sphere_radius = 0.02});
    }
    return all;
}

}  // namespace scenes
