// Structure: time per object of a build from scratch, and time of one attach or release in a world of n objects.
#include "benchmarks/bench.hpp"

#include <tactus/systems/structure/structure.hpp>
#include <tactus/tactus.hpp>

namespace bench {

namespace {

using tactus::Entity;

constexpr int assembly_size = 10;

// Assemblies of ten boxes each, free in the world or hanging on one another by revolute joints, one of four each.
struct Assemblies {
    tactus::World world;
    std::vector<Entity> bodies;

    explicit Assemblies(int objects) {
        world.scene();
        const int count = objects / assembly_size;
        for (int a = 0; a < count; ++a) {
            const std::string prefix = "assembly" + std::to_string(a);
            const bool jointed = a % 4 == 3;
            bodies.push_back(world.add({.name = prefix + ".body",
                                        .parent = jointed ? tactus::ParentRef::none() : tactus::ParentRef{"world"},
                                        .free = !jointed,
                                        .translation = tactus::Vec3(3.0 * a, 0, 0),
                                        .assembly_root = true,
                                        .shape = tactus::Box{1, 0.5, 0.2},
                                        .material = "Steel",
                                        .collidable = true}));
            if (jointed)
                world.add_joint({.name = prefix + ".joint",
                                 .object1 = bodies[bodies.size() - 2],
                                 .object2 = bodies.back(),
                                 .type = tactus::Revolute{.axis = 3}});
            for (int i = 1; i < assembly_size; ++i)
                world.add({.name = prefix + ".part" + std::to_string(i),
                           .parent = bodies.back(),
                           .translation = {0, 0, 0.2 * i},
                           .rotation = {0.1 * i, 0, 0},
                           .shape = tactus::Sphere{0.1},
                           .material = "Steel",
                           .collidable = i % 2 == 0});
        }
        world.update_structure();
    }
};

// Time of one change: `moved` becomes fixed to `target`, or free again, and the structure is derived.
double us_per_change(tactus::World& world, Entity moved, Entity target) {
    constexpr int changes = 200;
    const double seconds = fastest(7, [&] {
        for (int i = 0; i < changes; ++i) {
            world.change(moved, [&](tactus::Object3DDef& o) {
                o.parent = i % 2 == 0 ? target : world.root();
                o.free = i % 2 == 1;
            });
            world.update_structure();
        }
    });
    return 1e6 * seconds / changes;
}

}  // namespace

std::vector<Row> structure(int) {
    std::vector<Row> rows;
    for (const int n : {1000, 10000, 100000}) {
        const std::string name = "n=" + std::to_string(n);
        Assemblies assemblies{n};
        tactus::World& world = assemblies.world;
        const double define = fastest(3, [n] { Assemblies{n}; });
        rows.push_back({name, "ns_per_object_defined", "ns", "tactus", 1, 1e9 * define / n});
        const int repeats = std::max(1, 100000 / n);
        const double build = fastest(7, [&] {
            for (int i = 0; i < repeats; ++i) tactus::systems::build_structure(world.registry(), world.root());
        });
        rows.push_back({name, "ns_per_object", "ns", "tactus", 1, 1e9 * build / repeats / n});

        // Attach a free assembly to its neighbour, derive, release it again, derive.
        rows.push_back({name, "us_per_change", "us", "tactus", 1,
                        us_per_change(world, assemblies.bodies[1], assemblies.bodies[0])});
    }
    // The same, attached to a world that has n fixed objects: its super-object is walked as a whole.
    for (const int n : {1000, 10000}) {
        tactus::World world;
        world.scene();
        for (int i = 0; i < n; ++i) world.add({.shape = tactus::Box{1, 1, 1}, .material = "Steel", .collidable = true});
        const Entity moved = world.add({.free = true, .shape = tactus::Sphere{1}, .material = "Steel"});
        rows.push_back({"n=" + std::to_string(n) + "/fixed", "us_per_change", "us", "tactus", 1,
                        us_per_change(world, moved, world.root())});
    }
    return rows;
}

}  // namespace bench
