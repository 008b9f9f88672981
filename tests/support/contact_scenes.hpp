// Random scenes with contact, and a check of them from outside: every millisecond the distances of all pairs are computed
// anew and compared with what the engine says of its contacts, and energy must be kept.
#pragma once

#include "tests/support/random.hpp"
#include "tests/support/solids.hpp"

#include <tactus/tactus.hpp>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdio>
#include <set>
#include <string>
#include <utility>
#include <vector>

namespace tactus::test {

struct ContactScene {
    std::uint64_t seed = 0, number = 0;
    int bodies = 0;
    double tolerance = 0.0;
    Solver solver = Solver::CvodeBdf;
    double youngs_modulus = 0.0;  // [Pa]
    double smoothing = 0.0;       // [m]
    double gravity = 0.0;         // [m/s^2]
    int kind = -1;                // of all bodies; -1: mixed

    std::string text() const {
        char line[200];
        std::snprintf(line, sizeof line,
                      "seed %llu, scene %llu: %d bodies (%s), tolerance %.0e, E = %.0e, smoothing %g, g = %g, %s",
                      static_cast<unsigned long long>(seed), static_cast<unsigned long long>(number), bodies,
                      kind < 0 ? "mixed" : kind_name(kind).c_str(), tolerance, youngs_modulus, smoothing, gravity,
                      solver_names[static_cast<std::size_t>(solver)]);
        return line;
    }
};

inline ContactScene contact_scene(std::uint64_t seed, std::uint64_t number) {
    Random random{seed * 1000003 + number};
    ContactScene s{.seed = seed, .number = number};
    s.bodies = 5 + random.number(26);
    s.tolerance = std::array{1e-5, 1e-7, 1e-9}[static_cast<std::size_t>(random.number(3))];
    s.solver = std::array{Solver::CvodeBdf, Solver::CvodeBdf, Solver::CvodeAdams, Solver::ArkodeErk,
                          Solver::Ida}[static_cast<std::size_t>(random.number(5))];
    s.youngs_modulus = std::pow(10.0, random.uniform(8, 11));
    s.smoothing = random.number(4) == 0 ? 0.0 : 1e-3;
    s.gravity = random.number(2) ? 9.81 : 0.0;
    s.kind = random.number(3) == 0 ? random.number(kinds) : -1;
    return s;
}

// Bodies of 10 to 20 cm with random speeds in a box of 1.2 m; nothing takes energy.
inline std::vector<Entity> build(const ContactScene& scene, World& world) {
    Random random{scene.seed * 1000003 + scene.number + 500000000};
    world.scene({.gravity = {0, 0, -scene.gravity}});
    world.set_material("Test",
                       SolidMaterial{.density = 1000.0, .youngs_modulus = scene.youngs_modulus, .poissons_ratio = 0.3});
    world.set_contact_pair({.material1 = "Test",
                            .material2 = "Test",
                            .law = ContactLaw::Exact,
                            .coefficient_of_restitution = 1.0,
                            .sliding_friction_coefficient = 0.0,
                            .rotational_resistance_coefficient = 0.0,
                            .v_small = 1e-6});
    std::vector<Entity> solids;
    const double half = 0.6, thick = 0.2;
    for (int axis = 0; axis < 3; ++axis)
        for (const double side : {-1.0, 1.0}) {
            Vec3 size = Vec3::Constant(2 * (half + thick)), p = Vec3::Zero();
            size[axis] = thick;
            p[axis] = side * (half + 0.5 * thick);
            solids.push_back(world.add({.name = "wall" + std::to_string(axis) + (side < 0 ? "a" : "b"),
                                        .translation = p,
                                        .shape = Box{size.x(), size.y(), size.z()},
                                        .material = "Test",
                                        .collidable = true}));
        }
    struct Place {
        CollisionShape shape;
        Frame X;
    };
    std::vector<Place> placed;
    for (int i = 0; i < scene.bodies; ++i) {
        const int kind = scene.kind < 0 ? random.number(kinds) : scene.kind;
        const Shape shape = solid_shape(kind, random);
        const CollisionShape collision = collision_shape(shape, scene.smoothing);
        for (int tries = 0; tries < 200; ++tries) {
            const Quat q = random.orientation();
            const Frame X{q.toRotationMatrix(), random.vector(half - 0.2)};
            const auto is_near = [&](const Place& other) {
                return signed_distance(collision, X, other.shape, other.X).distance < 2e-3;
            };
            if (std::any_of(placed.begin(), placed.end(), is_near)) continue;
            placed.push_back({collision, X});
            Object3DDef def{.name = "b" + std::to_string(i), .free = true};
            def.translation = X.p;
            def.rotation = q;
            def.velocity = random.vector(2.0);
            def.angular_velocity = random.vector(5.0);
            def.shape = shape;
            def.material = "Test";
            def.smoothing_radius = scene.smoothing;
            def.collidable = true;
            solids.push_back(world.add(def));
            break;
        }
    }
    world.set_simulation({.solver = scene.solver, .tolerance = scene.tolerance});
    return solids;
}

// What is wrong with a run of this many seconds; empty if nothing is. `drift`, if given: the change of the energy, relative.
inline std::string check(const ContactScene& scene, double seconds, double* drift = nullptr) {
    constexpr double sure = 1e-10;  // [m] penetrations and distances that rounding does not make
    World world{{.workers = 1}};
    const std::vector<Entity> solids = build(scene, world);
    std::vector<CollisionShape> shapes;
    for (const Entity e : solids) {
        const auto& solid = world.registry().get<Solid>(e);
        shapes.push_back(collision_shape(*solid.shape, solid.smoothing_radius));
    }
    std::size_t starts = 0, ends = 0;
    world.on_contact([&](const ContactEvent& e) { ++(e.start ? starts : ends); });
    char line[300];
    try {
        const Energies before = world.energies();
        const int n = static_cast<int>(std::lround(1000 * seconds));
        double worst = 0.0;
        for (int ms = 1; ms <= n; ++ms) {
            world.advance(1e-3);
            std::set<std::pair<Entity, Entity>> touching;
            for (const Touch& t : world.touches()) {
                touching.insert({t.object1, t.object2});
                touching.insert({t.object2, t.object1});
            }
            std::vector<Frame> frames;
            for (const Entity e : solids) frames.emplace_back(world.pose(e));
            for (std::size_t i = 0; i < solids.size(); ++i)
                for (std::size_t k = std::max<std::size_t>(i + 1, 6); k < solids.size(); ++k) {
                    if ((frames[i].p - frames[k].p).norm() > shapes[i].size + shapes[k].size) continue;
                    const double d = signed_distance(shapes[i], frames[i], shapes[k], frames[k]).distance;
                    const bool is_contact = touching.count({solids[i], solids[k]}) > 0;
                    if (d < -sure && !is_contact) {
                        std::snprintf(line, sizeof line,
                                      "t = %.3f s: '%s' and '%s' are %.2e m in each other and no contact", world.time(),
                                      world.name(solids[i]).c_str(), world.name(solids[k]).c_str(), -d);
                        return line;
                    }
                    if (d > sure && is_contact) {
                        std::snprintf(line, sizeof line,
                                      "t = %.3f s: '%s' and '%s' are %.2e m apart and still a contact", world.time(),
                                      world.name(solids[i]).c_str(), world.name(solids[k]).c_str(), d);
                        return line;
                    }
                }
            worst = std::max(worst, std::abs(world.energies().balance() - before.balance()) / before.kinetic);
        }
        if (drift) *drift = worst;
        if (worst > 100.0 * scene.tolerance) {
            std::snprintf(line, sizeof line, "energy changed by %.2e, %.0f times the tolerance; %zu starts", worst,
                          worst / scene.tolerance, starts);
            return line;
        }
        if (starts - ends != world.touches().size()) {
            std::snprintf(line, sizeof line, "%zu starts less %zu ends are not the %zu contacts that there are", starts,
                          ends, world.touches().size());
            return line;
        }
    } catch (const std::exception& error) { return error.what(); }
    return {};
}

}  // namespace tactus::test
