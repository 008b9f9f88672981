#include "demos/scenes/rattleback.hpp"

#include "demos/scenes/parts.hpp"

#include <numbers>

namespace scenes {

using namespace tactus;

Entity rattleback(World& world, const Rattleback& options) {
    constexpr double x = 0.1, y = 0.02, z = 0.02, density = 700.0;  // [m], [kg/m^3]
    const double mass = density * std::numbers::pi / 6.0 * x * y * z;
    // Inertia of the ellipsoid, turned about the vertical; a little more about y than about z, so that no two are equal.
    const double a = options.skew * std::numbers::pi / 180.0, c = std::cos(a), s = std::sin(a);
    const double Ix = mass / 20.0 * (y * y + z * z), Iy = mass / 20.0 * (x * x + z * z);
    const double Iz = mass / 20.0 * (x * x + y * y);
    MassProperties properties;
    properties.mass = mass;
    properties.inertia << Ix * c * c + Iy * s * s, (Iy - Ix) * s * c, 0,  //
        (Iy - Ix) * s * c, Ix * s * s + Iy * c * c, 0,                    //
        0, 0, Iz;
    world.scene({.gravity = {0, 0, -9.81}, .nominal_length = x});
    world.set_simulation({.stop_time = 6.0, .tolerance = options.tolerance});
    add_floor(world, "ground", 0.2, 0.2, 0.01, "DryWood");
    return world.add({.name = "rattleback",
                      .parent = "world",
                      .free = true,
                      .translation = {0, 0, 0.5 * z},
                      .angular_velocity = {0, 0.1, options.spin},
                      .shape = Ellipsoid{x, y, z},
                      .material = "DryWood",
                      .mass_properties = properties,
                      .collidable = true});
}

}  // namespace scenes
