// Actions: what one attach and one release cost in worlds of n objects, until the next step can be taken.
#include "benchmarks/bench.hpp"

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
    return rows;
}

}  // namespace bench
