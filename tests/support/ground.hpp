// A ground of steel, and what happens on it.
#pragma once

#include <tactus/tactus.hpp>

namespace tactus::test {

// A material "Test" like steel whose contacts with itself have this restitution, and nothing else that takes energy unless
// it is given.
inline void add_material(World& world, double restitution, ContactLaw law = ContactLaw::Flores, double friction = 0.0,
                         double resistance = 0.0, double v_small = 0.01) {
    world.set_material("Test", SolidMaterial{.density = 7850.0, .youngs_modulus = 2e11, .poissons_ratio = 0.3});
    world.set_contact_pair({.material1 = "Test",
                            .material2 = "Test",
                            .law = law,
                            .coefficient_of_restitution = restitution,
                            .sliding_friction_coefficient = friction,
                            .rotational_resistance_coefficient = resistance,
                            .v_small = v_small});
}

// A free body of that material.
inline Object3DDef free_body(const std::string& name, const Shape& shape, const Vec3& p, const Vec3& v = Vec3::Zero()) {
    return {.name = name,
            .parent = "world",
            .free = true,
            .translation = p,
            .velocity = v,
            .shape = shape,
            .material = "Test",
            .collidable = true};
}

inline void add_ground(World& world) {  // its surface at z = 0
    world.add({.name = "ground",
               .parent = "world",
               .translation = {0, 0, -0.5},
               .shape = Box{10, 10, 1},
               .material = "Test",
               .collidable = true});
}

}  // namespace tactus::test
