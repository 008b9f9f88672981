#include "demos/scenes/bouncing_shapes.hpp"

#include "demos/scenes/parts.hpp"

namespace scenes {

using namespace tactus;

std::vector<Entity> bouncing_shapes(World& world, const BouncingShapes& options) {
    world.scene({.gravity = {0, 0, -9.81}, .elastic_contact_reduction_factor = 1e-2, .nominal_length = 0.3});
    world.set_simulation({.stop_time = 3.0, .tolerance = options.tolerance});
    world.set_contact_pair({.material1 = "DryWood",
                            .material2 = "DryWood",
                            .coefficient_of_restitution = options.restitution,
                            .sliding_friction_coefficient = options.friction,
                            .rotational_resistance_coefficient = 0.001});
    add_floor(world, "plate", 4.6, 3.2, 0.08, "DryWood");

    struct Throw {
        const char* name;
        Shape shape;
        Vec3 p, cardan, w;  // [m], [rad], [rad/s] in the shape's own axes
    };
    const Throw throws[] = {
        {"ellipsoid", Ellipsoid{0.22, 0.32, 0.5}, {-1.2, -0.25, 0.0}, {0.5, 0.3, 0}, {5, 0, -2}},
        {"capsule", Capsule{3, 0.22, 0.42}, {-0.7, 0.4, 0.1}, {1.0, 0.2, 0}, {2, 0, 1}},
        {"beam", Beam{1, 0.42, 0.22, 0.13}, {-0.2, -0.35, 0.2}, {0.6, 0.5, 0.2}, {3, 1, 0}},
        {"cone", Cone{3, 0.36, 0.5}, {0.3, 0.4, 0.05}, {0.9, 0.4, 0}, {1, 3, 0}},
        {"frustum", Cone{3, 0.36, 0.36, 0.18}, {0.75, -0.3, 0.15}, {2.2, 0.4, 0}, {-2, 1, 2}},
        {"cylinder", Cylinder{3, 0.3, 0.36}, {1.2, 0.3, 0.0}, {0.7, 0.6, 0}, {2, 2, 0}},
    };
    std::vector<Entity> all;
    for (const Throw& t : throws)
        all.push_back(world.add({.name = t.name,
                                 .parent = "world",
                                 .free = true,
                                 .translation = t.p + Vec3{0, 0, options.height},
                                 .rotation = t.cardan,
                                 .angular_velocity = options.spin * t.w,
                                 .angular_velocity_in_body = true,
                                 .shape = t.shape,
                                 .material = "DryWood",
                                 .collidable = true,
                                 .smoothing_radius = 0.012}));
    return all;
}

}  // namespace scenes
