// No contact is missed: the set of contacts is compared with the distances of all pairs, computed from poses alone.
#include "tests/support/solids.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <map>
#include <set>
#include <string>
#include <utility>
#include <vector>

using namespace tactus;
using namespace tactus::test;

namespace {

const Solver solvers[] = {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk};

// A World of solids "0", "1", ... that is looked at from outside.
class Watched {
public:
    Watched(Solver solver, double tolerance, const Gravity& gravity, const char* material)
        : world{{.workers = 1}}, material_{material} {
        world.scene({.gravity = gravity});
        world.set_simulation({.solver = solver, .tolerance = tolerance});
        world.set_material("Elastic", SolidMaterial{.density = 1000, .youngs_modulus = 1e8, .poissons_ratio = 0.3});
        world.set_contact_pair({.material1 = "Elastic",
                                .material2 = "Elastic",
                                .law = ContactLaw::Exact,
                                .coefficient_of_restitution = 0.6,
                                .sliding_friction_coefficient = 0.1});
    }

    World world;
    std::vector<Entity> entities;
    std::vector<ContactEvent> starts;
    int ends = 0;

    void add(const Shape& shape, const Vec3& p, const Quat& q = Quat::Identity(), bool free = false,
             const Vec3& v = Vec3::Zero(), const Vec3& w = Vec3::Zero()) {
        shapes_.push_back(collision_shape(shape, Object3DDef{}.smoothing_radius));
        entities.push_back(world.add({.name = "b" + std::to_string(shapes_.size()),
                                      .parent = "world",
                                      .free = free,
                                      .translation = p,
                                      .rotation = q,
                                      .velocity = v,
                                      .angular_velocity = w,
                                      .shape = shape,
                                      .material = "Elastic",
                                      .collidable = true,
                                      .contact_material = material_}));
        moves_.push_back(free);
    }

    void follow() {
        world.on_contact([this](const ContactEvent& e) {
            const std::pair pair = std::minmax(e.object1, e.object2);
            if (e.start) {
                starts.push_back(e);
                CHECK(touching_.insert(pair).second);
            } else {
                ++ends;
                CHECK(touching_.erase(pair) == 1);
            }
        });
    }

    // All pairs, now. [m] the worst of: penetration of a pair that is no contact; distance of a contact.
    struct Worst {
        double unseen = 0.0, apart = 0.0;
    };
    Worst compare() {
        std::vector<Frame> X;
        for (const Entity e : entities) X.emplace_back(world.pose(e));
        std::set<std::pair<Entity, Entity>> listed;
        for (const Touch& t : world.touches()) listed.insert(std::minmax(t.object1, t.object2));
        CHECK(listed == touching_);
        Worst worst;
        for (std::size_t i = 0; i < X.size(); ++i)
            for (std::size_t k = i + 1; k < X.size(); ++k) {
                if (!moves_[i] && !moves_[k]) continue;
                const bool contact = listed.contains(std::minmax(entities[i], entities[k]));
                const double reach = shapes_[i].size + shapes_[k].size;
                const Vec3 a = X[i].R * shapes_[i].centroid + X[i].p, b = X[k].R * shapes_[k].centroid + X[k].p;
                if (!contact && (a - b).norm() > reach) continue;
                const double d = signed_distance(shapes_[i], X[i], shapes_[k], X[k]).distance;
                if (contact)
                    worst.apart = std::max(worst.apart, d);
                else
                    worst.unseen = std::max(worst.unseen, -d);
            }
        return worst;
    }

private:
    const char* material_;
    std::vector<CollisionShape> shapes_;
    std::vector<bool> moves_;
    std::set<std::pair<Entity, Entity>> touching_;  // as events say
};

// Shapes are some decimetres large, ways some metres long: distances are known to 1e-13 m, and the hysteresis is below 1e-11.
constexpr double bound = 1e-10;  // [m]

void add_room(Watched& w, double half) {
    for (int k = 0; k < 3; ++k)
        for (const double side : {-1.0, 1.0}) {
            Vec3 p = Vec3::Zero(), size = Vec3::Constant(2.4 * half);
            p[k] = side * (half + 0.1), size[k] = 0.2;
            w.add(Box{size.x(), size.y(), size.z()}, p);
        }
}

}  // namespace

TEST_CASE("equal bodies that land together all start to touch in the same instant") {
    for (const char* material : {"Elastic", "Observer"})
        for (int kind = 0; kind < kinds; ++kind)
            for (const int count : {2, 3, 5, 9, 20, 50}) {
                if (count == 50 && material[0] == 'E' && kind != box_kind) continue;
                const auto seed = static_cast<std::uint64_t>(1000 * kind + count);
                const Solver solver = solvers[(kind + count) % 4];
                CAPTURE(std::string{material});
                CAPTURE(kind_name(kind));
                CAPTURE(seed);
                CAPTURE(solver_name(solver));
                Random random{seed};
                Watched w{solver, count % 2 ? 1e-6 : 1e-4, UniformGravity{{0, 0, -9.81}}, material};
                w.add(Box{60, 60, 1}, {0, 0, -0.5});
                const Shape shape = solid_shape(kind, random);
                const Quat q = random.orientation();
                const Vec3 spin = random.vector(5.0);
                for (int i = 0; i < count; ++i)
                    w.add(shape, {3.0 * (i % 8) - 12.0, 3.0 * (i / 8) - 9.0, 1.0}, q, true, Vec3::Zero(), spin);
                w.follow();
                while (w.starts.empty() && w.world.time() < 1.0) w.world.advance(1e-3);
                REQUIRE(!w.starts.empty());
                const double first = w.starts.front().time;
                std::set<Entity> landed;
                for (const ContactEvent& e : w.starts)
                    if (e.time < first + 1e-10) landed.insert(e.object2);
                CHECK(landed.size() == static_cast<std::size_t>(count));
                for (int k = 0; k < 5; ++k) {
                    w.world.advance(1e-3);
                    CHECK(w.compare().unseen < bound);
                }
            }
}

TEST_CASE("equal bodies that bounce together never sink into the ground") {
    for (int seed = 90; seed < 190; ++seed) {
        const Solver solver = solvers[seed % 4];
        CAPTURE(seed);
        CAPTURE(solver_name(solver));
        Random random{static_cast<std::uint64_t>(seed)};
        const int kind = seed / 4 % kinds, count = 2 + random.number(9);
        Watched w{solver, seed % 3 ? 1e-6 : 1e-4, UniformGravity{{0, 0, -9.81}}, "Elastic"};
        w.add(Box{60, 60, 1}, {0, 0, -0.5});
        const Shape shape = solid_shape(kind, random);
        const Quat q = random.orientation();
        const Vec3 spin = random.vector(5.0);
        for (int i = 0; i < count; ++i)
            w.add(shape, {3.0 * (i % 8) - 12.0, 3.0 * (i / 8) - 9.0, 0.4}, q, true, Vec3::Zero(), spin);
        w.follow();
        Watched::Worst worst;
        for (int k = 0; k < 500; ++k) {
            w.world.advance(1e-3);
            const Watched::Worst now = w.compare();
            worst = {std::max(worst.unseen, now.unseen), std::max(worst.apart, now.apart)};
        }
        CHECK(worst.unseen < bound);
        CHECK(worst.apart < bound);
    }
}

TEST_CASE("bodies that fly through each other and through walls are all seen") {
    int starts = 0, ends = 0;
    for (int run = 0; run < 48; ++run) {
        const auto seed = static_cast<std::uint64_t>(run + 1);
        const Solver solver = solvers[run % 4];
        CAPTURE(seed);
        CAPTURE(solver_name(solver));
        Random random{seed};
        Watched w{solver, run % 3 ? 1e-4 : 1e-6, NoGravity{}, "Observer"};
        add_room(w, 1.0);
        const int count = 5 + random.number(26);
        for (int i = 0; i < count; ++i)
            w.add(solid_shape(random.number(kinds), random), random.vector(0.9), random.orientation(), true,
                  random.vector(5.0), random.vector(20.0));
        w.follow();
        // Solvers stop at zeros of the host's, too, and go on; states are set on the way.
        const Entity some = w.entities.back();
        if (run % 2) w.world.add_zero_crossing({"x", [some](const Instant& at) { return at.pose(some).p.x(); }});
        double unseen = 0.0;
        for (int k = 0; k < 300; ++k) {
            if (k % 100 == 99) {
                const Entity e = w.entities[6 + static_cast<std::size_t>(random.number(count))];
                JointState state = w.world.state(e);
                for (std::size_t i = 0; i < 3; ++i) state.q[i] = random.uniform(-0.9, 0.9);
                w.world.set_state(e, state);
            }
            w.world.advance(1e-3);
            unseen = std::max(unseen, w.compare().unseen);
        }
        CHECK(unseen < bound);
        starts += static_cast<int>(w.starts.size());
        ends += w.ends;
    }
    CHECK(starts > 900);
    CHECK(ends > 600);
}

TEST_CASE("bodies that bounce in a room stay in it, and push whatever they touch") {
    for (int run = 0; run < 12; ++run) {
        const auto seed = static_cast<std::uint64_t>(run + 101);
        const Solver solver = solvers[run % 4];
        CAPTURE(seed);
        CAPTURE(solver_name(solver));
        Random random{seed};
        Watched w{solver, run % 3 ? 1e-4 : 1e-6, UniformGravity{{0, 0, -9.81}}, "Elastic"};
        add_room(w, 0.6);
        const int count = 5 + random.number(8);
        for (int i = 0; i < count; ++i)  // apart from each other at the start
            w.add(solid_shape(random.number(kinds), random),
                  {0.4 * (i % 3 - 1), 0.4 * (i / 3 % 3 - 1), 0.4 * (i / 9 - 0.5)}, random.orientation(), true,
                  random.vector(3.0), random.vector(10.0));
        w.follow();
        Watched::Worst worst;
        for (int k = 0; k < 150; ++k) {
            w.world.advance(1e-3);
            const Watched::Worst now = w.compare();
            worst = {std::max(worst.unseen, now.unseen), std::max(worst.apart, now.apart)};
        }
        CHECK(worst.unseen < bound);
        CHECK(worst.apart < 1e-6);
    }
}

// ---- work ----------------------------------------------------------------------------------------------------------

namespace {

// What turns at 300 rad/s, with corners or a rim that pass a block at this clearance [m].
void add_rotor(World& world, const Shape& shape, bool jointed, double clearance) {
    world.scene({.gravity = NoGravity{}});
    world.add({.name = "block",
               .parent = "world",
               .translation = {0.3 + clearance, 0, 0},
               .shape = Box{0.2, 0.4, 0.4},
               .material = "Steel",
               .collidable = true});
    world.add({.name = "rotor",
               .parent = jointed ? "" : "world",
               .free = !jointed,
               .angular_velocity = jointed ? Vec3::Zero() : Vec3{0, 0, 300},
               .shape = shape,
               .material = "Steel",
               .collidable = true,
               .smoothing_radius = 0.0});
    if (jointed)
        world.add_joint({.name = "axle",
                         .object1 = "world",
                         .object2 = "rotor",
                         .type = Revolute{.axis = 3, .w = 300},
                         .can_collide = true});
}

const Shape wheel = Cylinder{.axis = 3, .diameter = 0.4, .length = 0.05};
const Shape corners = Box{0.32, 0.24, 0.05};

// Calls work(world, jointed, clearance, touches) for every solver, free and jointed rotors, at four clearances.
template<class Work> void for_each_rotor(const Shape& shape, Work&& work) {
    for (const Solver solver : solvers)
        for (const bool jointed : {false, true})
            for (const double clearance : {1e-4, 1e-6, 1e-8, 1e-10}) {
                CAPTURE(solver_name(solver));
                CAPTURE(jointed);
                CAPTURE(clearance);
                World world{{.workers = 1}};
                world.set_simulation({.solver = solver});
                add_rotor(world, shape, jointed, clearance);
                int touches = 0;
                world.on_contact([&](const ContactEvent&) { ++touches; });
                work(world, jointed, clearance, touches);
            }
}

}  // namespace

TEST_CASE("a flywheel beside a block costs no more than one that is alone, however close it is") {
    for_each_rotor(wheel, [](World& world, bool, double, const int& touches) {
        world.advance(0.1);
        CHECK(touches == 0);
        const Statistics statistics = world.statistics();
        CHECK(statistics.pairs_tested <= statistics.integrator.root_evaluations + 5);  // one each, none between
    });
}

TEST_CASE("the work of proving a rotor apart from a block is bounded, however long its steps are") {
    for_each_rotor(corners, [](World& world, bool jointed, double clearance, const int& touches) {
        std::int64_t most = 0, before = 0;
        while (world.time() < 0.5 && touches == 0) {
            world.advance(0.5 - world.time(), Budget{0.0});  // one step, or a part of one
            const std::int64_t now = world.statistics().pairs_tested;
            most = std::max(most, now - before);
            before = now;
        }
        // Free bodies drift by the solver's errors, more than the smallest of these clearances.
        if (jointed || clearance > 1e-5) CHECK(touches == 0);
        CHECK(most < 400);
        CHECK(before < 200000);
    });
}

TEST_CASE("a rotor whose corners enter a block touches it at once, also in the middle of a long step") {
    for (const Solver solver : solvers)
        for (const double depth : {1e-4, 1e-6, 1e-8}) {
            CAPTURE(solver_name(solver));
            CAPTURE(depth);
            World world{{.workers = 1}};
            world.set_simulation({.solver = solver});
            add_rotor(world, corners, true, -depth);
            double first = -1.0;
            world.on_contact([&](const ContactEvent& e) {
                if (first < 0.0) first = e.time;
            });
            world.advance(0.01);
            // A corner at (0.16, -0.12) goes along its circle of 0.2 m to where x = 0.2 m - depth.
            const double angle = std::atan2(0.12, 0.16) - std::acos(1.0 - depth / 0.2);
            CHECK(first == doctest::Approx(angle / 300.0).epsilon(1e-6));
        }
}

TEST_CASE("pairs that are only observed touch when they do, however often within a step") {
    const std::uint64_t seed = 7701;
    int starts = 0;
    for (int i = 0; i < 60; ++i) {
        Random random{seed + static_cast<std::uint64_t>(i)};
        World world{{.workers = 1}};
        world.scene({.gravity = NoGravity{}});
        world.set_simulation(
            {.solver = static_cast<Solver>(i % 4), .tolerance = std::pow(10.0, random.uniform(-6, -3))});
        world.set_material("Test", SolidMaterial{.density = 1000.0, .youngs_modulus = 1e9, .poissons_ratio = 0.3});
        world.set_contact_pair({.material1 = "Test", .material2 = "Test", .response = ContactResponse::Observer});
        const Shape blade = random.number(2) ? Shape{Capsule{1, 0.05, 0.9}} : Shape{Box{1.0, 0.05, 0.1}};
        const Entity a = world.add({.name = "blade",
                                    .free = true,
                                    .translation = {-0.7, random.uniform(-0.5, 0.5), random.uniform(-0.3, 0.3)},
                                    .rotation = random.orientation(),
                                    .velocity = {0.3, 0, 0},
                                    .angular_velocity = random.uniform(5, 40) * random.direction(),
                                    .shape = blade,
                                    .material = "Test",
                                    .collidable = true});
        const Entity b =
            world.add({.name = "block", .shape = Box{0.5, 0.5, 0.5}, .material = "Test", .collidable = true});
        const auto shape_of = [&](Entity e) {
            const auto& solid = world.registry().get<Solid>(e);
            return collision_shape(*solid.shape, solid.smoothing_radius);
        };
        const CollisionShape A = shape_of(a), B = shape_of(b);
        world.on_contact([&](const ContactEvent& e) { starts += e.start; });
        int wrong = 0;
        for (int k = 0; k < 2000; ++k) {
            world.advance(2e-3);
            const double gap = signed_distance(A, Frame{world.pose(a)}, B, Frame{world.pose(b)}).distance;
            if (std::abs(gap) > 1e-6 && (gap < 0.0) != !world.touches().empty()) ++wrong;
        }
        CAPTURE(seed);
        CAPTURE(i);
        CHECK(wrong == 0);
    }
    CHECK(starts > 500);
}
