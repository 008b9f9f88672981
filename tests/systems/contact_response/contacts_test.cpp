// Contacts that act at several places: what they exert together, and what they store.
#include "tests/support/ground.hpp"
#include "tests/support/solids.hpp"

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

TEST_CASE("what a contact keeps from one evaluation to the next changes nothing, wherever its solids go") {
    const std::uint64_t seed = 81;
    CAPTURE(seed);
    Random random{seed};
    Workers one;
    for (int a = 0; a < kinds; ++a)
        for (int b = a; b < kinds; ++b)
            for (int i = 0; i < 4; ++i) {
                std::vector<Collidable> solids(2);
                for (std::uint32_t k = 0; k < 2; ++k) {
                    solids[k].shape = collision_shape(random_shape(k == 0 ? a : b, random), i % 2 == 0 ? 1e-3 : 0.0);
                    solids[k].link = k + 1;
                }
                TreeMotion motion;
                motion.links.resize(3);
                LinkMotion &A = motion.links[1], &B = motion.links[2];
                B.R_WB = random.rotation();
                B.p_W = solids[0].shape.size * random.direction();
                const auto distance = [&] {
                    return signed_distance(solids[0].shape, {A.R_WB, A.p_W}, solids[1].shape, {B.R_WB, B.p_W});
                };
                B.p_W -= (distance().distance + 1e-4) * distance().normal;
                Contact fresh;
                fresh.a = 0, fresh.b = 1;
                fresh.flat = touch_along_edges(solids[0].shape, solids[1].shape);
                fresh.constants = {.stiffness = 1e9, .radius = 0.05, .friction = 0.3};
                Contact kept = fresh;
                const double pace = std::pow(10.0, random.uniform(-8, -3));
                for (int step = 0; step < 60; ++step) {
                    CAPTURE(kind_name(a));
                    CAPTURE(kind_name(b));
                    CAPTURE(i);
                    CAPTURE(step);
                    const double by = step % 5 == 0 ? 0.0 : step % 11 == 0 ? 100.0 * pace : pace;
                    B.p_W += by * random.vector(1.0);
                    B.R_WB = rotation_about(random.direction(), by) * B.R_WB;
                    A.p_W += by * random.vector(1.0);
                    B.velocity = {random.vector(1.0), random.vector(1.0)};
                    const double gap = distance().distance;
                    if (step % 3 == 0) {
                        find_gaps({&kept, 1}, solids, motion, {}, one);
                        if (std::abs(gap) > 1e-13) CHECK((kept.gap < 0.0) == (gap < 0.0));
                        if (kept.gap >= 0.0) CHECK(kept.gap == doctest::Approx(gap).epsilon(1e-9));
                    }
                    touch_contacts({&kept, 1}, solids, motion, {}, one);
                    respond({&kept, 1}, one);
                    Contact now = fresh;
                    touch_contacts({&now, 1}, solids, motion, {}, one);
                    respond({&now, 1}, one);
                    if (std::abs(gap) < 1e-13) continue;
                    CHECK((kept.gap < 0.0) == (now.gap < 0.0));
                    if (!(gap < 0.0)) continue;
                    const double p = now.motion.penetration;
                    CHECK(std::abs(kept.motion.penetration - p) < 1e-8 * p + 1e-14);
                    CHECK((kept.force.force - now.force.force).norm() < 1e-6 * now.force.force.norm() + 1e-9);
                    CHECK((kept.force.torque - now.force.torque).norm() < 1e-6 * now.force.force.norm() + 1e-9);
                }
            }
}
