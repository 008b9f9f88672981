#include "demos/scenes/ellipsoid_on_sphere.hpp"

#include "demos/scenes/parts.hpp"

namespace scenes {

using namespace tactus;

Entity ellipsoid_on_sphere(World& world, const EllipsoidOnSphere& options) {
    world.scene({.gravity = {0, 0, -9.81}, .nominal_length = 0.3});
    world.set_simulation({.stop_time = 2.0, .tolerance = options.tolerance});
    world.add({.name = "globe",
               .parent = "world",
               .translation = {0, 0, 0.75},
               .shape = Sphere{1.5},
               .material = "Steel",
               .collidable = true});
    constexpr double width = 3.2, wall = 0.05, height = 0.7;  // [m]
    add_floor(world, "dish", width + 2 * wall, width + 2 * wall, 0.1, "Steel");
    for (int i = 0; i < 4; ++i) {
        const double side = (i < 2 ? -0.5 : 0.5) * (width + wall);
        const bool along_y = i % 2 == 0;
        world.add({.name = "fence" + std::to_string(i + 1),
                   .parent = "world",
                   .translation = {along_y ? side : 0.0, along_y ? 0.0 : side, 0.5 * height},
                   .shape = Box{along_y ? wall : width, along_y ? width + 2 * wall : wall, height},
                   .material = "Steel",
                   .collidable = true});
    }
    return world.add({.name = "ellipsoid",
                      .parent = "world",
                      .free = true,
                      .translation = {options.offset, 0, 1.8},
                      .angular_velocity = options.spin * Vec3{5, 0, -2},
                      .shape = Ellipsoid{0.1, 0.2, 0.3},
                      .material = "Steel",
                      .collidable = true});
}

}  // namespace scenes
