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
    add_floor(world, "dish", 9.0, 9.0, 0.1, "Steel");
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
