// Actions at the door: attach, release, flip, delete; what they keep, and what they refuse.
#include "tests/support/compare.hpp"
#include "tests/support/moving.hpp"
#include "tests/support/structure_text.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <numbers>

using namespace tactus;
using namespace tactus::test;

namespace {

const AttachConditions anyhow{.gap = 1e6, .merge = Merge::Plastic};  // wherever they are, however they move

// A body with a lock of the same name at its origin and an inertia without symmetry.
Entity add_assembly(World& world, const std::string& name, double mass, const Vec3& p, const Vec3& v = Vec3::Zero(),
                    const Vec3& w = Vec3::Zero(), const Rotation& rotation = {}) {
    Mat3 inertia = Vec3{0.2, 0.3, 0.4}.asDiagonal();
    inertia(0, 1) = inertia(1, 0) = 0.05;
    const Entity body = world.add({.name = name,
                                   .free = true,
                                   .translation = p,
                                   .rotation = rotation,
                                   .velocity = v,
                                   .angular_velocity = w,
                                   .assembly_root = true,
                                   .mass_properties = MassProperties{mass, {0.1, 0, 0}, mass * inertia}});
    world.add({.name = name + ".lock", .parent = name, .translation = {0, 0.2, 0}, .lockable = true});
    return body;
}

double difference(const Pose& a, const Pose& b) { return std::max((a.p - b.p).norm(), (a.R() - b.R()).norm()); }

double difference(const Twist& a, const Twist& b) { return std::max((a.v - b.v).norm(), (a.w - b.w).norm()); }

}  // namespace

TEST_CASE("what is attached stays where it is, and moves with what took it from then on") {
    World world;
    world.scene({.gravity = NoGravity{}});
    const Entity a = add_assembly(world, "a", 1, {0, 0, 0}, {1, 2, 3}, {0, 0, 1}, {0.1, 0.2, 0.3});
    // b moves as if it were a part of a.
    const Vec3 r{0.5, 0.1, 0};
    const Entity b = add_assembly(world, "b", 2, r, Vec3{1, 2, 3} + Vec3{0, 0, 1}.cross(r), {0, 0, 1}, {1, -0.5, 0.7});
    const Pose X_a = world.pose(a), X_b = world.pose(b);
    const Twist V_a = world.velocity(a), V_b = world.velocity(b);
    const Momentum before = world.momentum();
    const ActionReport report = world.attach("b.lock", "a.lock", {.gap = 1.0});
    CHECK(report.done);
    CHECK(report.unmet.empty());
    CHECK(report.time == 0.0);
    CHECK(report.speed < 1e-14);
    CHECK(report.gap == doctest::Approx((world.pose(world.at("b.lock")).p - world.pose(world.at("a.lock")).p).norm()));
    CHECK(report.states_before == 26);
    CHECK(report.states_after == 13);
    CHECK(std::abs(report.energy_lost) < 1e-13);
    CHECK(difference(world.pose(a), X_a) < 1e-15);
    CHECK(difference(world.pose(b), X_b) < 1e-15);
    CHECK(difference(world.velocity(a), V_a) < 1e-14);
    CHECK(difference(world.velocity(b), V_b) < 1e-14);
    CHECK((world.momentum().linear_W - before.linear_W).norm() < 1e-14);
    CHECK((world.momentum().angular_W - before.angular_W).norm() < 1e-14);
    CHECK(world.root_of(b) == a);
    CHECK(world.mass_of(a)->mass == doctest::Approx(3.0));

    const Pose X_ab = X_a.inverse() * X_b;
    world.advance(1.0);
    CHECK(difference(world.pose(a) * X_ab, world.pose(b)) < 1e-14);
    CHECK(input_error([&] { world.state(b); }) != "");  // it has none of its own
}

TEST_CASE("what is released goes on with its pose, velocity and angular velocity, however it is turned") {
    World world;
    world.scene({.gravity = NoGravity{}});
    world.set_simulation({.tolerance = 1e-10});
    const Entity a = add_assembly(world, "a", 1, {0, 0, 0}, {1, 2, 3}, {0.5, -0.3, 1}, {0.1, 0.2, 0.3});
    const Entity b = add_assembly(world, "b", 2, {0.5, 0.1, 0}, Vec3::Zero(), Vec3::Zero(), {1, -0.5, 0.7});
    world.attach("b.lock", "a.lock", anyhow);
    world.advance(0.7);
    const Pose X_a = world.pose(a), X_b = world.pose(b);
    const Twist V_a = world.velocity(a), V_b = world.velocity(b);
    const Momentum before = world.momentum();
    const Energies energies = world.energies();
    const ActionReport report = world.release("b.lock");
    CHECK(report.states_after == 26);
    CHECK(difference(world.pose(a), X_a) < 1e-15);
    CHECK(difference(world.pose(b), X_b) < 1e-15);
    CHECK(difference(world.velocity(a), V_a) < 1e-15);
    CHECK(difference(world.velocity(b), V_b) < 1e-14);
    CHECK((world.momentum().linear_W - before.linear_W).norm() < 1e-14);
    CHECK((world.momentum().angular_W - before.angular_W).norm() < 1e-14);
    CHECK(std::abs(world.energies().kinetic - energies.kinetic) < 1e-14);
    world.advance(0.5);  // both free: momentum of each is kept
    CHECK((world.momentum().angular_W - before.angular_W).norm() < 1e-8);
}

TEST_CASE("a plastic merge keeps momentum and angular momentum, and tells the energy that is lost") {
    World world;
    world.scene({.gravity = NoGravity{}});
    const Entity a = add_assembly(world, "a", 1, {0, 0, 0}, {3, 0, 0}, {0, 1, 0});
    const Entity b = add_assembly(world, "b", 2, {1, 0.5, 0.2}, {-1, 1, 0}, {2, 0, -1});
    CHECK(contains(input_error([&] { world.attach("b.lock", "a.lock", {.gap = 2}); }), "velocity"));
    const Momentum before = world.momentum();
    const Energies energies = world.energies();
    const ActionReport report = world.attach("b.lock", "a.lock", {.gap = 2, .merge = Merge::Plastic});
    const Momentum after = world.momentum();
    CHECK((after.linear_W - before.linear_W).norm() < 1e-14);
    CHECK((after.angular_W - before.angular_W).norm() < 1e-14);
    CHECK(report.energy_lost > 0.1);
    CHECK(energies.kinetic - world.energies().kinetic == doctest::Approx(report.energy_lost));
    CHECK(world.energies().balance() == doctest::Approx(energies.balance()));  // it counts as dissipated
    // The common centre of mass goes on with the common velocity.
    const MassProperties* mass = world.mass_of(a);
    const Pose X = world.pose(a);
    const Twist V = world.velocity(a);
    const Vec3 v_c = V.v + V.w.cross(X.q * mass->center_of_mass);
    CHECK((v_c - before.linear_W / 3.0).norm() < 1e-14);
    CHECK(difference(world.velocity(b), {V.w, V.v + V.w.cross(world.pose(b).p - X.p)}) < 1e-14);
}

TEST_CASE("the angle between two locks is that of the short way around") {
    // Axes at 100 and at -100 degrees differ by 160.
    const double degree = std::numbers::pi / 180;
    World world;
    world.scene({.gravity = NoGravity{}});
    for (const double side : {1.0, -1.0}) {
        const std::string name = side > 0.0 ? "a" : "b";
        world.add({.name = name,
                   .free = true,
                   .translation = {0.1 * side, 0, 0},
                   .rotation = {0, 0, 100 * degree * side},
                   .assembly_root = true,
                   .mass_properties = MassProperties{1.0, Vec3::Zero(), Mat3::Identity()}});
        world.add({.name = name + ".lock", .parent = name, .lockable = true});
    }
    const ActionReport report = world.attach("b.lock", "a.lock", {.gap = 0.3, .angle = 161 * degree});
    CHECK(report.done);
    CHECK(report.angle == doctest::Approx(160 * degree).epsilon(1e-14));
}

TEST_CASE("a rotor behind a gear keeps its momentum where its joint takes hold of something, and slows down with it") {
    World world;
    world.scene({.gravity = NoGravity{}});
    const double arm = 0.3, load = 0.5, rotor = 0.01, ratio = -7.0, w = 4.0;
    world.add({.name = "arm",
               .parent = ParentRef::none(),
               .mass_properties = MassProperties{2.0, Vec3::Zero(), arm * Mat3::Identity()}});
    world.add({.name = "arm.lock", .parent = "arm", .lockable = true});
    const Entity axle =
        world.add_joint({.name = "axle", .object1 = "world", .object2 = "arm", .type = Revolute{.axis = 3, .w = w}});
    world.add_drive({.name = "rotor", .type = RotorInertia{.inertia = rotor}});
    world.add_drive({.name = "gear", .type = Gear{.flange1 = "rotor", .flange2 = "axle", .ratio = ratio}});
    world.add({.name = "load",
               .free = true,
               .assembly_root = true,
               .mass_properties = MassProperties{1.0, Vec3::Zero(), load * Mat3::Identity()}});
    world.add({.name = "load.lock", .parent = "load", .lockable = true});
    const double before = world.energies().kinetic;
    const ActionReport report = world.attach("load.lock", "arm.lock", {.gap = 0.1, .merge = Merge::Plastic});
    REQUIRE(report.done);
    const double turning = arm + ratio * ratio * rotor;  // [kg m^2] about the axle
    CHECK(world.state(axle).v[0] == doctest::Approx(w * turning / (turning + load)).epsilon(1e-13));
    CHECK(before == doctest::Approx(0.5 * turning * w * w).epsilon(1e-13));
    CHECK(report.energy_lost == doctest::Approx(before - world.energies().kinetic).epsilon(1e-13));
    CHECK(report.energy_lost == doctest::Approx(before * load / (turning + load)).epsilon(1e-13));
}

TEST_CASE("a bullet that stays in a pendulum turns it as the ballistic pendulum turns") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    world.add({.name = "rod",
               .parent = ParentRef::none(),
               .translation = {0, 0, 0},
               .mass_properties = MassProperties{2.0, {0, 0, -0.4}, Vec3{0.1, 0.1, 0.01}.asDiagonal()}});
    world.add({.name = "rod.lock", .parent = "rod", .translation = {0, 0, -0.9}, .lockable = true});
    const Entity hinge =
        world.add_joint({.name = "hinge", .object1 = "world", .object2 = "rod", .type = Revolute{.axis = 2}});
    world.add({.name = "bullet",
               .free = true,
               .translation = {0, 0, -0.9},
               .velocity = {100, 0, 0},
               .assembly_root = true,
               .mass_properties = MassProperties{0.01, Vec3::Zero(), 1e-9 * Mat3::Identity()}});
    world.add({.name = "bullet.lock", .parent = "bullet", .lockable = true});
    world.attach("bullet.lock", "rod.lock", {.merge = Merge::Plastic});
    const double I = 0.1 + 2.0 * 0.16 + 0.01 * 0.81 + 1e-9;
    CHECK(world.state(hinge).v[0] == doctest::Approx(-0.01 * 100 * 0.9 / I).epsilon(1e-13));
}

TEST_CASE("attach has conditions; where they do not hold the World stays as it was") {
    World world;
    world.scene({.gravity = NoGravity{}, .gap = 0.01});
    add_assembly(world, "a", 1, {0, 0, 0});
    add_assembly(world, "b", 1, {0.5, 0, 0}, {0, 0.2, 0}, {0, 0, 0.4}, {0, 0, 0.25});
    world.advance(0.1);
    const auto text = [&] {
        std::string all = structure_text(world);
        for (const StateValue& state : world.states())
            for (const double x : state.values) all += state.name + " " + std::to_string(x) + "\n";
        return all;
    };
    const std::string before = text();
    const auto refused = [&](const AttachConditions& conditions, const char* word) {
        const std::string error = input_error([&] { world.attach("b.lock", "a.lock", conditions); });
        CAPTURE(error);
        CHECK(contains(error, "'b.lock'"));
        CHECK(contains(error, word));
        CHECK(text() == before);
    };
    refused({}, "gap 0.44");
    refused({.gap = 0.6}, "velocity 0.");
    refused({.gap = 0.6}, "at most 0.01");
    refused({.gap = 0.6, .velocity = 1.0}, "angularVelocity 0.4 rad/s (at most 0.1)");
    refused({.gap = 0.6, .angle = 0.2, .merge = Merge::Plastic}, "angle");
    CHECK(contains(input_error([&] { world.attach("b.lock", "a.lock", {.gap = -1.0}); }), "conditions.gap = -1"));
    refused({.gap = 0.6, .unmet = Unmet::Wait}, "only a program can wait");

    std::vector<std::string> told;
    world.on_event([&](const Event& e) {
        if (e.kind == EventKind::action)
            told.push_back(e.name + (e.action->done ? " done" : " skipped: " + e.action->unmet));
    });
    const ActionReport report = world.attach("b.lock", "a.lock", {.unmet = Unmet::Skip});
    CHECK_FALSE(report.done);
    CHECK(contains(report.unmet, "gap"));
    CHECK(text() == before);
    CHECK(world.attach("b.lock", "a.lock", {.gap = 0.6, .velocity = 1.0, .angular_velocity = 1.0, .angle = 0.3}).done);
    REQUIRE(told.size() == 2);
    CHECK(contains(told[0], "Attach 'b.lock' to 'a.lock' skipped: gap"));
    CHECK(told[1] == "Attach 'b.lock' to 'a.lock' done");
}

TEST_CASE("where both locks have shapes, the gap is the distance of the shapes") {
    World world;
    world.scene({.gravity = NoGravity{}});
    const auto ball = [&](const std::string& name, double x) {
        world.add({.name = name, .free = true, .translation = {x, 0, 0}, .assembly_root = true});
        world.add(
            {.name = name + ".ball", .parent = name, .lockable = true, .shape = Sphere{1.0}, .material = "Steel"});
    };
    ball("a", 0.0);
    ball("b", 1.0005);
    ball("c", 2.01);
    CHECK(world.attach("b.ball", "a.ball").gap == doctest::Approx(0.0005));  // the scene's gap is 1 mm
    CHECK(contains(input_error([&] { world.attach("c.ball", "b.ball"); }), "gap 0.00949"));
}

TEST_CASE("what is impossible is refused, with the reason") {
    World world;
    world.scene({.gravity = NoGravity{}});
    add_assembly(world, "a", 1, {0, 0, 0});
    add_assembly(world, "b", 1, {1, 0, 0});
    add_assembly(world, "c", 1, {2, 0, 0});
    world.add({.name = "post", .translation = {3, 0, 0}});
    world.add({.name = "post.lock", .parent = "post", .lockable = true});
    world.add({.name = "arm",
               .parent = ParentRef::none(),
               .assembly_root = true,
               .mass_properties = MassProperties{1, {0.5, 0, 0}, Mat3::Identity()}});
    world.add({.name = "arm.lock", .parent = "arm", .lockable = true});
    world.add_joint({.name = "shoulder", .object1 = "a", .object2 = "arm", .type = Revolute{.axis = 3}});
    const auto error = [&](auto call) {
        const std::string before = structure_text(world);
        const std::string words = input_error(call);
        CHECK(structure_text(world) == before);
        return words;
    };
    CHECK(contains(error([&] { world.attach("x.lock", "a.lock"); }), "there is no Object3D"));
    CHECK(contains(error([&] { world.attach("b", "a.lock"); }), "not lockable"));
    CHECK(contains(error([&] { world.attach("post.lock", "a.lock"); }), "belongs to no assembly"));
    CHECK(contains(error([&] { world.attach("a.lock", "arm.lock", anyhow); }), "hangs on what would be attached"));
    CHECK(contains(error([&] { world.attach("arm.lock", "b.lock", anyhow); }), "joints hold its assembly"));
    CHECK(contains(error([&] { world.release("b.lock"); }), "moves freely already"));
    CHECK(contains(error([&] { world.release_and_attach("b.lock", "a.lock", anyhow); }), "not attached"));
    CHECK(contains(error([&] { world.flip_chain("b.lock", "c.lock", "a.lock", anyhow); }), "no chain"));
    CHECK(contains(error([&] { world.act(Wait{1.0}); }), "only a program"));
    world.attach("b.lock", "a.lock", anyhow);
    world.attach("c.lock", "b.lock", anyhow);
    CHECK(contains(error([&] { world.attach("a.lock", "c.lock", anyhow); }), "hangs on what would be attached"));
    CHECK(contains(error([&] { world.delete_assembly("a.lock"); }), "is attached to it"));
    world.delete_assembly("c.lock");
    CHECK(contains(error([&] { world.release("c.lock"); }), "taken it out of the model"));
    CHECK(contains(error([&] { world.attach("b.lock", "c.lock", anyhow); }), "taken it out of the model"));
    CHECK(contains(input_error([&] { world.pose(world.at("c")); }), "deleted"));
    CHECK(contains(input_error([&] { world.change(world.at("c"), [](Object3DDef& o) {
                                         o.translation = {1, 1, 1};
                                     }); }),
                   "deleted"));
}

TEST_CASE("functions of the motion cannot act, handlers can") {
    World world;
    world.scene({.gravity = NoGravity{}});
    add_assembly(world, "a", 1, {0, 0, 0});
    add_assembly(world, "b", 1, {1, 0, 0}, {0, 1, 0});
    const Entity b = world.at("b");
    bool asked = false;
    world.add_zero_crossing({.name = "y", .function = [&](const Instant& now) {
                                 if (now.time() > 0.0 && !asked) {
                                     asked = true;
                                     CHECK(contains(input_error([&] { world.release("b.lock"); }), "event handler"));
                                 }
                                 return now.pose(b).p.y() - 0.25;
                             }});
    int caught = 0;
    world.on_event([&](const Event& e) {
        if (e.kind != EventKind::zero_crossing) return;
        world.attach("b.lock", "a.lock", anyhow);
        ++caught;
    });
    world.advance(1.0);
    CHECK(asked);
    CHECK(caught == 1);
    CHECK(world.root_of(b) == world.at("a"));
    CHECK(world.segments().size() == 2);
    CHECK(world.segments().back().start == doctest::Approx(0.25).epsilon(1e-12));
}

TEST_CASE("a joint that a release breaks lets go what it carries, and takes its dampers along") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.tolerance = 1e-9});
    const auto link = [&](const std::string& name, const std::string& on, double x, const char* joint) {
        world.add({.name = name,
                   .parent = ParentRef::none(),
                   .assembly_root = true,
                   .mass_properties = MassProperties{1, {0.5, 0, 0}, 0.1 * Mat3::Identity()}});
        world.add({.name = name + ".tip", .parent = name, .translation = {1, 0, 0}, .lockable = true});
        world.add({.name = name + ".on", .parent = on, .translation = {x, 0, 0}});
        return world.add_joint(
            {.name = joint, .object1 = name + ".on", .object2 = name, .type = Revolute{.axis = 2, .w = -1}});
    };
    link("upper", "world", 0, "shoulder");
    const Entity elbow = link("lower", "upper", 1, "elbow");
    link("hand", "lower", 1, "wrist");
    world.add_drive({.name = "damper", .type = Damper{.flange1 = "shoulder", .flange2 = "elbow", .d = 0.5}});
    world.advance(0.3);
    const Entity lower = world.at("lower"), hand = world.at("hand");
    const Pose X = world.pose(hand);
    const Twist V = world.velocity(hand), V_lower = world.velocity(lower);
    const JointState wrist = world.state(world.at("wrist"));
    world.release("lower.tip");
    CHECK(difference(world.pose(hand), X) < 1e-14);
    CHECK(difference(world.velocity(hand), V) < 1e-13);
    CHECK(difference(world.velocity(lower), V_lower) < 1e-14);
    CHECK(world.state(world.at("wrist")).q == wrist.q);
    CHECK(input_error([&] { world.state(elbow); }) != "");
    // What has come off falls: its centre of mass accelerates with g.
    const auto centre_velocity = [&] {
        Vec3 v = Vec3::Zero();
        for (const Entity e : {lower, hand}) {
            const Twist V_e = world.velocity(e);
            v += 0.5 * (V_e.v + V_e.w.cross(world.pose(e).q * Vec3{0.5, 0, 0}));
        }
        return v;
    };
    const Vec3 v0 = centre_velocity();
    world.advance(0.25);
    CHECK((centre_velocity() - v0 - Vec3{0, 0, -9.81 * 0.25}).norm() < 1e-7);
    world.reset();
    world.advance(0.3);
    CHECK(difference(world.pose(hand), X) < 1e-12);  // whole again
}

TEST_CASE("what a force element or joint needs goes with a deleted assembly, and comes back with reset") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    add_assembly(world, "a", 1, {0, 0, 0});
    add_assembly(world, "b", 2, {1, 0, 0});
    world.add_force({.name = "spring", .type = SpringDamper{.object1 = "a", .object2 = "b", .spring = 10.0}});
    world.add_record({.name = "sensor", .type = SensorRecord{.object = "b"}});
    world.run(0.1);
    world.delete_assembly("b.lock");
    CHECK(world.momentum().mass == 1.0);
    const double v = world.velocity(world.at("a")).v.z();
    world.run(0.2);
    CHECK(world.velocity(world.at("a")).v.z() == doctest::Approx(v - 0.981).epsilon(1e-6));  // no spring any more
    CHECK(std::isnan(world.results().find("sensor.distance")->values.back()));
    CHECK(std::isnan(world.results().find("spring.length")->values.back()));
    world.reset();
    CHECK(world.momentum().mass == 3.0);
    CHECK(world.pose(world.at("b")).p.x() == 1.0);
}

TEST_CASE("attached bodies keep what is changed about them, and reset brings their definition back") {
    World world;
    world.scene({.gravity = NoGravity{}});
    const Entity a = add_assembly(world, "a", 1, {0, 0, 0});
    const Entity b = add_assembly(world, "b", 2, {1, 0, 0});
    const Object3DDef defined = world.object(b);
    world.attach("b.lock", "a.lock", anyhow);
    CHECK(world.object(b) == defined);
    world.change(b, [](Object3DDef& o) { o.mass_properties->mass = 5.0; });
    CHECK(world.root_of(b) == a);
    CHECK(world.mass_of(a)->mass == 6.0);
    world.release("b.lock");
    world.change(b, [](Object3DDef& o) { o.translation = {2, 0, 0}; });  // placed anew: as defined from here on
    CHECK(world.pose(b).p.x() == 2.0);
    world.attach("b.lock", "a.lock", anyhow);
    CHECK(contains(input_error([&] { world.remove(a); }), "is needed by"));
    world.reset();
    CHECK(world.root_of(b) == b);
    CHECK(world.pose(b).p.x() == 2.0);
    CHECK(world.object(b).mass_properties->mass == 5.0);
}

TEST_CASE("contact detection can be switched while the World moves") {
    World world;
    world.scene({.gravity = {0, 0, -9.81}});
    world.add({.name = "table",
               .translation = {0, 0, -0.05},
               .shape = Box{2, 1, 0.1},
               .material = "Steel",
               .collidable = true});
    const Entity ball = world.add({.name = "ball",
                                   .free = true,
                                   .translation = {0, 0, 0.12},
                                   .assembly_root = true,
                                   .shape = Sphere{0.04},
                                   .material = "Steel",
                                   .collidable = true});
    world.add({.name = "ball.lock", .parent = "ball", .lockable = true});
    world.set_contact_detection(false);
    world.advance(0.5);
    CHECK(world.pose(ball).p.z() == doctest::Approx(0.12 - 0.5 * 9.81 * 0.25).epsilon(1e-6));
    world.reset();  // as the Scene says
    world.advance(0.5);
    CHECK(world.pose(ball).p.z() > 0.0);
    world.reset();
    world.add({.name = "hook", .translation = {0, 0, 0.12}, .lockable = true});
    world.act(Attach{.lock = "ball.lock", .to = "hook", .contact_detection = false});
    world.release("ball.lock");
    world.advance(0.5);
    CHECK(world.pose(ball).p.z() < -0.5);
}

// ---- flipping --------------------------------------------------------------------------------------------------------

namespace {

// Seven revolute joints from "blue" to "green", both with locks; two free bodies to walk on.
struct Chain {
    World world;
    std::vector<Entity> objects;

    Chain() {
        world.scene({.gravity = NoGravity{}});
        add_assembly(world, "blue", 1.5, {0, 0, 0}, {0.1, 0, 0.2}, {0.1, 0.2, 0.3}, {0.3, 0, 0.1});
        const Vec3 axes[] = {{0, 0, 1}, {0, 1, 0}, {1, 0, 0}, {0, 1, 0.2}, {1, 1, 0}, {0, 1, 0}, {0, 0.3, 1}};
        std::string on = "blue";
        for (int i = 1; i <= 7; ++i) {
            const std::string name = i == 7 ? "green" : "link" + std::to_string(i);
            world.add({.name = on + ".end",
                       .parent = on,
                       .translation = {0.3, 0.02 * i, 0.4},
                       .rotation = {0.1 * i, 0.2, 0}});
            world.add(
                {.name = name,
                 .parent = ParentRef::none(),
                 .assembly_root = i == 7,
                 .mass_properties = MassProperties{1.0 + 0.1 * i, {0.1, 0, 0.2}, Vec3{0.05, 0.06, 0.04}.asDiagonal()}});
            const bool backwards = i % 3 == 0;
            world.add_joint({.name = "joint" + std::to_string(i),
                             .object1 = backwards ? name : on + ".end",
                             .object2 = backwards ? on + ".end" : name,
                             .type = Revolute{.axis = Axis{axes[i - 1]}, .phi = 0.2 * i - 0.7, .w = 0.4 - 0.15 * i}});
            on = name;
        }
        world.add({.name = "green.lock", .parent = "green", .translation = {0.1, 0.2, 0.1}, .lockable = true});
        add_assembly(world, "base", 20, {-0.5, 0, 0});
        add_assembly(world, "island", 30, {3, 0, 0});
        for (const Entity e : world.elements())
            if (world.registry().all_of<Object3D>(e) && e != world.root()) objects.push_back(e);
    }

    void follow(const char* body, const char* object) { move_with(world, world.at(body), world.at(object)); }

    struct Motion {
        std::vector<Pose> poses;
        std::vector<Twist> velocities;
    };
    Motion motion() {
        Motion now;
        for (const Entity e : objects) {
            now.poses.push_back(world.pose(e));
            now.velocities.push_back(world.velocity(e));
        }
        return now;
    }
    double change_since(const Motion& before) {
        const Motion now = motion();
        double largest = 0.0;
        for (std::size_t i = 0; i < objects.size(); ++i)
            largest = std::max({largest, difference(now.poses[i], before.poses[i]),
                                difference(now.velocities[i], before.velocities[i])});
        return largest;
    }
};

}  // namespace

TEST_CASE("a flip of a seven-joint chain changes no pose and no velocity, and flipping back is the identity") {
    Chain chain;
    World& world = chain.world;
    chain.follow("base", "blue");
    world.attach("blue.lock", "base.lock", {.gap = 5.0});
    for (int i = 0; i < 20; ++i) {
        CAPTURE(i);
        world.advance(0.03);
        chain.follow("island", "green");
        const Chain::Motion before = chain.motion();
        const std::string structure = structure_text(world);
        std::vector<StateValue> states = world.states();
        const Momentum momentum = world.momentum();
        const Energies energies = world.energies();

        world.flip_chain("green.lock", "island.lock", "blue.lock",
                         {.gap = 10.0, .velocity = 1e-12, .angular_velocity = 1e-12});
        CHECK(chain.change_since(before) < 1e-12);
        CHECK(world.root_of(world.at("green")) == world.at("island"));
        CHECK(world.root_of(world.at("blue")) != world.at("base"));
        CHECK(world.super_object(world.root_of(world.at("blue"))).joint == world.at("joint1"));
        CHECK((world.momentum().linear_W - momentum.linear_W).norm() < 1e-12);
        CHECK((world.momentum().angular_W - momentum.angular_W).norm() < 1e-11);
        CHECK(std::abs(world.energies().kinetic - energies.kinetic) < 1e-12);

        world.flip_chain("blue.lock", "base.lock", "green.lock",
                         {.gap = 10.0, .velocity = 1e-12, .angular_velocity = 1e-12});
        CHECK(chain.change_since(before) < 1e-12);
        CHECK(structure_text(world) == structure);
        for (const StateValue& state : world.states()) {
            const auto same =
                std::find_if(states.begin(), states.end(), [&](const StateValue& s) { return s.name == state.name; });
            REQUIRE(same != states.end());
            for (std::size_t k = 0; k < state.values.size(); ++k)
                CHECK(std::abs(state.values[k] - same->values[k]) < 1e-12);
        }
    }
}

TEST_CASE("a chain walks: held at its other end it moves on with the same energy and momentum") {
    Chain chain;
    World& world = chain.world;
    world.set_simulation({.tolerance = 1e-9});
    chain.follow("base", "blue");
    world.attach("blue.lock", "base.lock", {.gap = 5.0});
    const Momentum momentum = world.momentum();
    const double energy = world.energies().balance();
    world.advance(0.5);
    world.flip_chain("green.lock", "island.lock", "blue.lock", {.gap = 10.0, .merge = Merge::Plastic});
    world.advance(0.5);
    world.flip_chain("blue.lock", "base.lock", "green.lock", {.gap = 10.0, .merge = Merge::Plastic});
    world.advance(0.5);
    CHECK((world.momentum().linear_W - momentum.linear_W).norm() < 1e-7);
    CHECK((world.momentum().angular_W - momentum.angular_W).norm() < 1e-6);
    CHECK(world.energies().balance() == doctest::Approx(energy).epsilon(1e-7));
    world.reset();
    CHECK(world.root_of(world.at("blue")) == world.at("blue"));
    CHECK((world.momentum().linear_W - momentum.linear_W).norm() > 1e-3);  // base is at rest again
}
