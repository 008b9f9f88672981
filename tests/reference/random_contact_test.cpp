// Random scenes of solids of every kind, checked from outside at every millisecond. `tactus bench contact --fuzz N` checks
// as many more as one likes.
#include "tests/support/contact_scenes.hpp"

#include <doctest/doctest.h>

using namespace tactus::test;

TEST_CASE("in a hundred random scenes nothing is missed, energy is kept, and none gives up") {
    const std::uint64_t seed = 1;
    for (std::uint64_t i = 0; i < 100; ++i) {
        const ContactScene scene = contact_scene(seed, i);
        const std::string wrong = check(scene, 0.1);
        CAPTURE(scene.text());
        CHECK(wrong == "");
    }
}

TEST_CASE("solids of hundreds of metres that drift into each other keep their energy, with lengths of their size") {
    using namespace tactus;
    const std::uint64_t seed = 8101;
    int starts = 0;
    for (int i = 0; i < 40; ++i) {
        Random random{seed + static_cast<std::uint64_t>(i)};
        const double size = random.uniform(50, 1000), speed = random.uniform(0.05, 0.3);
        const double tolerance = std::pow(10.0, random.uniform(-7, -4.5));
        const auto solver = static_cast<Solver>(i % 4);
        World world{{.workers = 1}};
        world.scene({.gravity = NoGravity{}, .nominal_length = size});
        world.set_simulation({.solver = solver, .tolerance = tolerance});
        world.set_material("Test", SolidMaterial{.density = 1500.0, .youngs_modulus = 2e5, .poissons_ratio = 0.3});
        world.set_contact_pair({.material1 = "Test",
                                .material2 = "Test",
                                .law = ContactLaw::Exact,
                                .coefficient_of_restitution = 1.0,
                                .sliding_friction_coefficient = 0.0,
                                .rotational_resistance_coefficient = 0.0});
        const Shape shapes[] = {Box{size, 0.8 * size, 0.6 * size}, Cylinder{3, 0.8 * size, size}, Sphere{size},
                                Capsule{1, 0.5 * size, 0.6 * size}, Cone{1, size, size}};
        for (int k = 0; k < 3; ++k) {
            Object3DDef def{.name = "b" + std::to_string(k), .free = true};
            def.translation = 1.6 * size * (k - 1) * Vec3::UnitX() + 0.2 * size * random.vector(1.0);
            def.velocity = -speed * (k - 1) * Vec3::UnitX();
            def.rotation = random.orientation();
            def.angular_velocity = 0.2 * speed / size * random.vector(1.0);
            def.shape = shapes[random.number(5)];
            def.material = "Test";
            def.collidable = true;
            world.add(def);
        }
        world.on_contact([&](const ContactEvent& e) { starts += e.start; });
        const Energies before = world.energies();
        double worst = 0.0;
        for (int k = 0; k < 20; ++k) {
            world.advance(0.15 * size / speed);
            worst = std::max(worst, std::abs(world.energies().balance() - before.balance()) / before.kinetic);
        }
        CAPTURE(seed);
        CAPTURE(i);
        CAPTURE(size);
        CAPTURE(solver_name(solver));
        CAPTURE(tolerance);
        CHECK(worst < 100.0 * tolerance);
    }
    CHECK(starts > 80);
}
