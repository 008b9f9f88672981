// Contacts that act at several places: what they exert together, and what they store.
#include "tests/support/ground.hpp"

#include <tactus/systems/contact_response/contacts.hpp>
#include <tactus/systems/forces/forces.hpp>
#include <tactus/systems/structure/structure.hpp>
#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <span>
#include <vector>

using namespace tactus;
using namespace tactus::systems;
using namespace tactus::test;

TEST_CASE("a box at rest on its face stores two fifths of its weight times its depth, as Hertz' springs do") {
    World world{{.workers = 1}};
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.tolerance = 1e-8});
    add_material(world, 0.1);
    add_ground(world);
    const double mass = 50.0, height = 0.1;
    const Entity box = world.add({.name = "box",
                                  .free = true,
                                  .translation = {0, 0, 0.5 * height},
                                  .shape = Box{0.2, 0.3, height},
                                  .material = "Test",
                                  .mass = mass,
                                  .collidable = true});
    world.run(1.0, {.record = false});
    const double depth = 0.5 * height - world.pose(box).p.z();
    CHECK(depth > 1e-8);
    CHECK(world.energies().elastic / (0.4 * mass * 9.81 * depth) == doctest::Approx(1.0).epsilon(1e-3));
}
