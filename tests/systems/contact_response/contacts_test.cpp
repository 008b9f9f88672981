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

TEST_CASE("places of a contact act together with all their moments and energies, whatever the deepest one carries") {
    // A box whose four corners are pressed into the ground, each by another depth, while it slides and turns.
    World world{{.workers = 1}};
    world.scene({});
    add_material(world, 0.5, ContactLaw::Flores, 0.3, 0.01);
    add_ground(world);
    world.add({.name = "box",
               .free = true,
               .translation = {0.3, 0.2, 0.05 - 1e-4},
               .rotation = {2e-4, 5e-4, 0.4},
               .velocity = {0.2, -0.1, -0.05},
               .angular_velocity = {0.3, -0.2, 0.5},
               .shape = Box{0.2, 0.3, 0.1},
               .material = "Test",
               .collidable = true});
    world.update_structure();
    const entt::registry& registry = world.registry();
    const std::vector<Entity> order = super_object_order(registry, world.root());
    const Tree tree = build_tree(registry, world.root(), std::span{order}.subspan(1));
    const std::vector<Collidable> collidables = build_collidables(registry, world.root(), tree);
    std::vector<double> q(static_cast<std::size_t>(tree.nq)), v(static_cast<std::size_t>(tree.nv));
    read_states(registry, tree, q, v);
    TreeMotion motion;
    motion.resize(tree);
    compute_motion(tree, q, v, motion);
    const ContactPairs pairs{registry, collidables, world.materials(), {}, 1.0, 2000.0};
    Workers workers;
    std::vector<Contact> contacts{begin_contact(collidables, pairs, 0, 1, motion, {}, 0.0)};
    Contact& c = contacts[0];
    start_points(c, collidables, tree);
    REQUIRE(c.acting.size() == 4);

    int shared = 0;
    for (; !c.acting.empty();) {
        touch_contacts(contacts, collidables, motion, {}, workers);
        CAPTURE(c.weight);
        shared += c.weight > 0.05 && c.weight < 0.95;
        const Vec3 deepest = c.point;
        const ContactForce f = contact_force(c.constants, c.damping, c.motion);
        respond(contacts, workers);
        Vec3 force = c.weight * f.force, moment = c.weight * (f.torque + deepest.cross(f.force));  // about the origin
        double energy = c.weight * contact_energy(c.constants, c.motion.penetration);
        for (const ContactPoint& p : c.points) {
            if (!p.acting) continue;
            force += p.force.force;
            moment += p.force.torque + p.touch.point.cross(p.force.force);
            energy += p.touch.weight * contact_energy(c.constants, p.motion.penetration);
        }
        Applied applied;
        applied.resize(tree, 0);
        apply_contacts(contacts, collidables, applied);
        for (const double on : {1.0, -1.0}) {
            const std::size_t link = collidables[on > 0.0 ? c.b : c.a].link;
            const Wrench& wrench = applied.wrenches[link];
            CHECK((wrench.f - on * force).norm() < 1e-12 * force.norm());
            CHECK((wrench.t + motion.links[link].p_W.cross(wrench.f) - on * moment).norm() < 1e-12 * moment.norm());
        }
        CHECK(contact_energy(contacts) == doctest::Approx(energy).epsilon(1e-12));

        // The deepest corner acts no more: the deepest place carries what the others do not.
        const auto last = std::max_element(c.points.begin(), c.points.end(), [](const auto& a, const auto& b) {
            return (a.acting ? a.motion.penetration : 0.0) < (b.acting ? b.motion.penetration : 0.0);
        });
        std::erase_if(c.acting, [&](const ActingPoint& p) { return p.key == last->touch.key; });
    }
    CHECK(shared >= 2);
}

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
