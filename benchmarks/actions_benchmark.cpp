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

// Seconds of one call of each, the fastest of many.
std::pair<double, double> attach_and_release(World& world) {
    using Clock = std::chrono::steady_clock;
    const Entity lock = world.at("assembly1.lock"), to = world.at("assembly0.lock");
    double attach = 1e9, release = 1e9;
    for (int i = 0; i < 50; ++i) {
        const auto t0 = Clock::now();
        world.attach(lock, to, {.gap = 10.0});
        const auto t1 = Clock::now();
        world.release(lock);
        const auto t2 = Clock::now();
        attach = std::min(attach, std::chrono::duration<double>(t1 - t0).count());
        release = std::min(release, std::chrono::duration<double>(t2 - t1).count());
    }
    return {attach, release};
}

}  // namespace

std::vector<Row> actions(int workers) {
    std::vector<Row> rows;
    for (const bool contact : {false, true})
        for (const int n : {100, 1000, 10000}) {
            Assemblies assemblies{n, contact, workers};
            const auto [attach, release] = attach_and_release(assemblies.world);
            const std::string name = "n=" + std::to_string(n) + (contact ? "/contact" : "");
            rows.push_back({name, "us_per_attach", "us", "tactus", workers, 1e6 * attach});
            rows.push_back({name, "us_per_release", "us", "tactus", workers, 1e6 * release});
        }
    return rows;
}

}  // namespace bench
