// Actions: what one attach and one release cost in worlds of n objects, until the next step can be taken; and a robot that
// grips a sphere by friction, by changes of structure, or by both.
#include "benchmarks/bench.hpp"
#include "demos/scenes/gripping_robot.hpp"

#include <tactus/tactus.hpp>

namespace bench {

namespace {

using namespace tactus;

constexpr int assembly_size = 10;

// Assemblies of ten objects in a row, five of them collidable. All float freely: nothing touches.
struct Assemblies {
    World world;

    Assemblies(int objects, bool contact, int workers) : world{{.workers = workers}} {
        world.scene({.gravity = NoGravity{}, .contact_detection = contact});
        for (int a = 0; a < objects / assembly_size; ++a) {
            const std::string name = "assembly" + std::to_string(a);
            world.add({.name = name,
                       .parent = "world",
                       .free = true,
                       .translation = Vec3(3.0 * a, 0, 0),
                       .assembly_root = true,
                       .shape = Box{1, 0.5, 0.2},
                       .material = "Steel",
                       .collidable = true});
            world.add({.name = name + ".lock", .parent = name, .translation = {0.5, 0, 0}, .lockable = true});
            for (int i = 2; i < assembly_size; ++i)
                world.add({.name = name + ".part" + std::to_string(i),
                           .parent = name,
                           .translation = {0, 0, 0.2 * i},
                           .rotation = {0.1 * i, 0, 0},
                           .shape = Sphere{0.1},
                           .material = "Steel",
                           .collidable = i % 2 == 0});
        }
    }
};

// Seconds, the fastest of many: of one call of each, which leaves the new structure ready with its contacts; and of the first
// step after an attach, which makes the integrator.
struct Costs {
    double attach = 1e9, release = 1e9, first_step = 1e9;
};

Costs measure(World& world) {
    const Entity lock = world.at("assembly1.lock"), to = world.at("assembly0.lock");
    const AttachConditions anyhow{.gap = 10.0};
    Costs costs;
    for (int i = 0; i < 50; ++i) {
        costs.attach = std::min(costs.attach, fastest(1, [&] { world.attach(lock, to, anyhow); }));
        costs.release = std::min(costs.release, fastest(1, [&] { world.release(lock); }));
    }
    for (int i = 0; i < 5; ++i) {
        world.attach(lock, to, anyhow);
        costs.first_step = std::min(costs.first_step, fastest(1, [&] { world.advance(1e-3); }));
        world.release(lock);
    }
    return costs;
}

// The four variants of the thesis, section 12.2: wall time of the whole motion, and how far from its place the sphere ends.
void add_gripping(std::vector<Row>& rows, int workers) {
    using scenes::Grip;
    struct Variant {
        Grip grip;
        const char* name;
    };
    double segmented = 0.0;
    for (const auto& [grip, name] : {Variant{Grip::segmented_only, "gripping 4: segmented only"},
                                     {Grip::collision_only, "gripping 1: collision only"},
                                     {Grip::both_contact_on, "gripping 2: both, contact detection on"},
                                     {Grip::both_contact_off, "gripping 3: both, contact detection off while fixed"}}) {
        double off = 0.0;
        const double wall = fastest(3, [&] {
            World world{{.workers = workers}};
            const auto parts = scenes::gripping_robot(world, {.grip = grip});
            world.run(parts.end, {.record = false});
            off = (world.pose(parts.sphere).p - world.pose(parts.plate2).p).norm();
        });
        if (grip == Grip::segmented_only) segmented = wall;
        rows.push_back({name, "wall_s", "s", "tactus", workers, wall});
        rows.push_back({name, "wall / wall of segmented only", "1", "tactus", workers, wall / segmented});
        rows.push_back({name, "sphere from its place", "m", "tactus", workers, off});
    }
}

}  // namespace

std::vector<Row> actions(int workers) {
    std::vector<Row> rows;
    for (const bool contact : {true, false})
        for (const int n : {100, 1000, 10000}) {
            Assemblies assemblies{n, contact, workers};
            const Costs costs = measure(assemblies.world);
            const std::string name = "n=" + std::to_string(n) + (contact ? "" : "/no-contact");
            rows.push_back({name, "us_per_attach", "us", "tactus", workers, 1e6 * costs.attach});
            rows.push_back({name, "us_per_release", "us", "tactus", workers, 1e6 * costs.release});
            rows.push_back({name, "us_first_step", "us", "tactus", workers, 1e6 * costs.first_step});
        }
    add_gripping(rows, workers);
    return rows;
}

}  // namespace bench
