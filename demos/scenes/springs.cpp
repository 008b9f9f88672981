#include "demos/scenes/springs.hpp"

#include "demos/scenes/parts.hpp"

namespace scenes {

using namespace tactus;

namespace {

// Hung up: on springs that push from below, a plate would tip over.
void add_plate_on_springs(World& world, const Springs& options) {
    constexpr double x = 0.7, y = 0.45, thickness = 0.05, mass = 12.0, height = 0.36, top = 0.86;  // [m], [kg]
    world.add({.name = "plate",
               .parent = "world",
               .free = true,
               .translation = {0, 0, height},
               .velocity = {0, 0, 0.4 * options.kick},
               .angular_velocity = options.kick * Vec3{1.2, 0.8, 0},
               .shape = Box{x, y, thickness},
               .material = "DryWood",
               .mass = mass});
    for (int i = 0; i < 4; ++i) {
        const std::string number = std::to_string(i);
        const double sx = i % 2 == 0 ? -1.0 : 1.0, sy = i < 2 ? -1.0 : 1.0;
        const Vec3 corner{0.45 * sx * x, 0.42 * sy * y, height + 0.5 * thickness};
        const Vec3 hook{1.12 * corner.x(), 1.12 * corner.y(), top};
        world.add({.name = "plate.corner" + number,
                   .parent = "plate",
                   .translation = {corner.x(), corner.y(), 0.5 * thickness}});
        world.add({.name = "hook" + number, .parent = "world", .translation = hook});
        const double now = (hook - corner).norm(), share = (hook - corner).z() / now;
        world.add_force({.name = "spring" + number,
                         .type = SpringDamper{.object1 = "hook" + number,
                                              .object2 = "plate.corner" + number,
                                              .nominal_length = now - mass * 9.81 / 4.0 / share / options.stiffness,
                                              .spring = options.stiffness,
                                              .damper = options.damping}});
        add_visual(world, "frame.post" + number, "world", {hook.x(), 0.32 * sy, 0.5 * top}, Cylinder{3, 0.03, top});
        if (i < 2) add_visual(world, "frame.beam" + number, "world", {hook.x(), 0, top}, Cylinder{2, 0.03, 0.67});
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
