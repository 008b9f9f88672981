#include "demos/scenes/springs.hpp"

#include "demos/scenes/parts.hpp"

namespace scenes {

using namespace tactus;

namespace {

void add_plate_on_springs(World& world, const Springs& options) {
    constexpr double x = 0.7, y = 0.45, thickness = 0.05, mass = 12.0, height = 0.4;  // [m], [kg]
    world.add({.name = "plate",
               .parent = "world",
               .free = true,
               .translation = {0, 0, height},
               .velocity = {0, 0, 0.4 * options.kick},
               .angular_velocity = options.kick * Vec3{1.2, 0.8, 0},
               .shape = Box{x, y, thickness},
               .material = "DryWood",
               .mass = mass});
    add_visual(world, "base", "world", {0, 0, 0.02}, Box{x + 0.12, y + 0.12, 0.04});
    for (int i = 0; i < 4; ++i) {
        const std::string number = std::to_string(i);
        const double sx = i % 2 == 0 ? -0.45 : 0.45, sy = i < 2 ? -0.42 : 0.42;
        world.add(
            {.name = "plate.corner" + number, .parent = "plate", .translation = {sx * x, sy * y, -0.5 * thickness}});
        // Feet stand a little outwards, so that the plate is held sideways, too.
        world.add({.name = "foot" + number, .parent = "world", .translation = {1.08 * sx * x, 1.08 * sy * y, 0.04}});
        world.add_force({.name = "spring" + number,
                         .type = SpringDamper{.object1 = "foot" + number,
                                              .object2 = "plate.corner" + number,
                                              .nominal_length = height - 0.5 * thickness - 0.04 +
                                                                mass * 9.81 / 4.0 / options.stiffness,
                                              .spring = options.stiffness,
                                              .damper = options.damping}});
    }
}

// A block around a post. Stiffness along and about the axes of the post.
void add_bushing(World& world, const std::string& name, const Vec3& p, const Vec3& stiffness, const Vec3& turning,
                 const Vec3& v, const Vec3& w) {
    constexpr double mass = 3.0;  // [kg]
    add_visual(world, "post_" + name, "world", {p.x(), p.y(), 0.5 * p.z()}, Cylinder{3, 0.05, p.z() + 0.24});
    world.add({.name = "mount_" + name, .parent = "world", .translation = p});
    world.add({.name = name,
               .parent = "world",
               .free = true,
               .translation = p,
               .velocity = v,
               .angular_velocity = w,
               .shape = Box{0.2, 0.2, 0.12},
               .material = "DryWood",
               .mass = mass});
    Bushing bushing{.object1 = "mount_" + name, .object2 = name, .nominal_force = {0, 0, -mass * 9.81}};
    for (std::size_t i = 0; i < 3; ++i) {
        const auto k = static_cast<Eigen::Index>(i);
        bushing.spring[i] = stiffness[k];
        bushing.damper[i] = 0.01 * stiffness[k];
        bushing.rotational_spring[i] = turning[k];
        bushing.rotational_damper[i] = 0.01 * turning[k];
    }
    bushing.large_angles = true;
    world.add_force({.name = "bushing_" + name, .type = bushing});
}

}  // namespace

void springs(World& world, const Springs& options) {
    world.scene({.gravity = {0, 0, -9.81}, .nominal_length = 0.5});
    world.set_simulation({.stop_time = 10.0, .tolerance = options.tolerance});
    add_plate_on_springs(world, options);
    add_bushing(world, "slider", {0.75, 0, 0.45}, {900, 900, 120}, {20, 20, 20}, options.kick * Vec3{0.2, 0, 1.0},
                Vec3::Zero());
    add_bushing(world, "turner", {1.2, 0, 0.45}, {2000, 2000, 2000}, {3, 3, 0.5}, Vec3::Zero(),
                options.kick * Vec3{2, 0, 6});
}

}  // namespace scenes
