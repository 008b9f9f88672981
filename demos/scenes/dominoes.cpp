#include "demos/scenes/dominoes.hpp"

#include <string>

namespace scenes {

using namespace tactus;

std::vector<Entity> dominoes(World& world, int count, double tolerance) {
    constexpr double thickness = 0.01, width = 0.04, height = 0.08, spacing = 0.03, ball = 0.03;  // [m]
    world.scene({.gravity = {0, 0, -9.81}, .nominal_length = height});
    world.set_simulation({.stop_time = 1.5, .tolerance = tolerance, .interval = 0.01});
    world.set_material("Domino", SolidMaterial{.density = 700.0, .youngs_modulus = 1e10, .poissons_ratio = 0.3});
    world.set_contact_pair({.material1 = "Domino",
                            .material2 = "Domino",
                            .law = ContactLaw::Exact,
                            .coefficient_of_restitution = 0.6,
                            .sliding_friction_coefficient = 0.3,
                            .rotational_resistance_coefficient = 0.001});
    world.add({.name = "floor",
               .translation = {0, 0, -0.5},
               .shape = Box{20, 20, 1},
               .material = "Domino",
               .collidable = true});
    std::vector<Entity> all{world.add({.name = "ball",
                                       .free = true,
                                       .translation = {-0.04, 0, 0.07},
                                       .velocity = {1, 0, 0},
                                       .shape = Sphere{ball},
                                       .material = "Domino",
                                       .collidable = true})};
    for (int i = 0; i < count; ++i)
        all.push_back(world.add({.name = "domino" + std::to_string(i + 1),
                                 .free = true,
                                 .translation = {spacing * i, 0, 0.5 * height},
                                 .shape = Box{thickness, width, height},
                                 .material = "Domino",
                                 .collidable = true}));
    return all;
}

}  // namespace scenes
