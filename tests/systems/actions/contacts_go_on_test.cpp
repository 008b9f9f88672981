// Contacts over changes of the structure: which pairs touch is always what a look at all pairs says.
#include "tests/support/compare.hpp"
#include "tests/support/random.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <set>

using namespace tactus;
using namespace tactus::test;

namespace {

using Pairs = std::set<std::pair<std::string, std::string>>;

// Overlapping balls that feel no force of each other: free ones, one in three with an arm of two joints, and fixed ones.
struct Balls {
    World world;
    Random random;
    std::vector<std::string> locks, balls;
    Pairs touching;  // as events tell

    explicit Balls(std::uint64_t seed) : random{seed} {
        world.scene({.gravity = NoGravity{}});
        world.set_contact_pair({.material1 = "Steel", .material2 = "Steel", .response = ContactResponse::Observer});
        for (int i = 0; i < 4; ++i) ball("fixed" + std::to_string(i), "world");
        locks.push_back("fixed0.lock");
        world.add({.name = "fixed0.lock", .lockable = true});
        for (int i = 0; i < 9; ++i) {
            const std::string name = "body" + std::to_string(i);
            world.add({.name = name,
                       .parent = "world",
                       .free = true,
                       .translation = random.vector(1.0),
                       .rotation = random.orientation(),
                       .velocity = random.vector(0.5),
                       .angular_velocity = random.vector(1),
                       .assembly_root = true});
            world.add({.name = name + ".lock", .parent = name, .lockable = true});
            locks.push_back(name + ".lock");
            ball(name + ".ball1", name);
            ball(name + ".ball2", name);
            std::string on = name;
            for (int k = 0; k < (i % 3 == 0 ? 2 : 0); ++k) {
                const std::string link = name + ".link" + std::to_string(k);
                world.add({.name = link, .parent = ParentRef::none()});
                ball(link + ".ball", link);
                world.add_joint({.name = link + ".joint",
                                 .object1 = on,
                                 .object2 = link,
                                 .type = Revolute{.axis = Axis{random.direction()}, .w = random.uniform(-1, 1)},
                                 .can_collide = k == 1});
                on = link;
            }
        }
        world.on_contact([this](const ContactEvent& e) {
            const auto pair = std::minmax(world.name(e.object1), world.name(e.object2));
            if (e.start)
                CHECK(touching.insert(pair).second);
            else
                CHECK(touching.erase(pair) == 1);
        });
    }

    void ball(const std::string& name, const std::string& on) {
        world.add({.name = name,
                   .parent = on,
                   .translation = random.vector(0.4),
                   .shape = Sphere{random.uniform(0.2, 0.6)},
                   .material = "Steel",
                   .collidable = true});
        balls.push_back(name);
    }

    // Pairs that overlap, by looking at all of them; those that just touch are left out.
    std::pair<Pairs, Pairs> overlapping() {
        Pairs inside, hardly;
        const auto excluded = world.excluded_pairs();
        for (const std::string& a : balls)
            for (const std::string& b : balls) {
                const Entity ea = world.at(a), eb = world.at(b);
                if (!(a < b) || world.registry().all_of<Absent>(ea) || world.registry().all_of<Absent>(eb)) continue;
                const Entity ra = world.root_of(ea), rb = world.root_of(eb);
                if (ra == rb) continue;
                const bool no = std::any_of(excluded.begin(), excluded.end(), [&](const auto& pair) {
                    return pair == std::pair{ra, rb} || pair == std::pair{rb, ra};
                });
                if (no) continue;
                const auto radius = [&](Entity e) { return 0.5 * std::get<Sphere>(*world.object(e).shape).diameter; };
                const double d = (world.pose(ea).p - world.pose(eb).p).norm() - radius(ea) - radius(eb);
                if (d < 0.0) inside.insert({a, b});
                if (std::abs(d) < 1e-5) hardly.insert({a, b});
            }
        return {inside, hardly};
    }
};

}  // namespace

TEST_CASE("after any action the pairs that touch are those that overlap, whatever was known before") {
    int actions = 0, detected = 0;
    for (std::uint64_t seed = 1; seed <= 12; ++seed) {
        CAPTURE(seed);
        Balls b{seed};
        const AttachConditions anyhow{.gap = 100, .merge = Merge::Plastic};
        for (int k = 0; k < 150; ++k) {
            CAPTURE(k);
            const auto lock = [&] {
                return b.locks[static_cast<std::size_t>(b.random.number(static_cast<int>(b.locks.size())))];
            };
            const std::string moved = lock(), to = lock();
            const int kind = b.random.number(40);
            const std::string error = input_error([&] {
                if (kind < 18)
                    b.world.attach(moved, to, anyhow);
                else if (kind < 38)
                    b.world.release(moved);
                else
                    b.world.delete_assembly(moved);
            });
            actions += error.empty();
            b.world.advance(k % 5 == 0 ? 0.05 : 1e-4);
            auto [inside, hardly] = b.overlapping();
            Pairs told = b.touching;
            for (const auto& pair : hardly) {
                inside.erase(pair);
                told.erase(pair);
            }
            for (const auto& [first, second] : told)
                if (!inside.contains({first, second}))
                    FAIL_CHECK(first << " and " << second << " do not touch any more");
            for (const auto& [first, second] : inside)
                if (!told.contains({first, second}))
                    FAIL_CHECK(first << " and " << second << " touch, but were not told");
            detected += static_cast<int>(inside.size());
        }
    }
    CHECK(actions > 500);
    CHECK(detected > 5000);
}

TEST_CASE("a ball that is caught and let go bounces on as if distances had been computed anew") {
    // The same story twice; the second time every action is followed by a change of definitions, so that nothing is kept.
    const auto story = [](bool anew) {
        auto world = std::make_unique<World>();
        world->scene({.gravity = {0, 0, -9.81}});
        world->set_simulation({.tolerance = 1e-9});
        world->add({.name = "table",
                    .translation = {0, 0, -0.05},
                    .shape = Box{4, 4, 0.1},
                    .material = "Steel",
                    .collidable = true});
        for (int i = 0; i < 6; ++i) {
            const std::string name = "ball" + std::to_string(i);
            world->add(
                {.name = name, .free = true, .translation = {0.3 * i, 0, 0.1 + 0.05 * i}, .assembly_root = true});
            world->add({.name = name + ".lock",
                        .parent = name,
                        .lockable = true,
                        .shape = Sphere{0.1},
                        .material = "Steel",
                        .collidable = true});
        }
        std::vector<std::pair<std::string, double>> contacts;
        world->on_contact([&](const ContactEvent& e) {
            contacts.emplace_back(world->name(e.object1) + (e.start ? "+" : "-"), e.time);
        });
        const auto change = [&] {
            if (anew) world->set_simulation(world->simulation());
        };
        const AttachConditions anyhow{.gap = 100, .merge = Merge::Plastic};
        for (int k = 0; k < 8; ++k) {
            world->advance(0.05);
            world->attach("ball" + std::to_string(k % 6) + ".lock", "ball" + std::to_string((k + 1) % 6) + ".lock",
                          anyhow);
            change();
            world->advance(0.01);
            world->release("ball" + std::to_string(k % 6) + ".lock");
            change();
        }
        contacts.emplace_back("end", world->pose(world->at("ball3")).p.z());
        return contacts;
    };
    const auto kept = story(false), anew = story(true);
    REQUIRE(kept.size() == anew.size());
    CHECK(kept.size() > 12);
    for (std::size_t i = 0; i < kept.size(); ++i) {
        CHECK(kept[i].first == anew[i].first);
        CHECK(kept[i].second == doctest::Approx(anew[i].second).epsilon(1e-6));  // impacts multiply errors of steps
    }
}
