// The robots of demos/scenes: what they reach, hold and carry.
#include "demos/scenes/gripping_robot.hpp"
#include "demos/scenes/space_robot.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <string>
#include <vector>

using namespace tactus;

namespace {

Vec3 seen_from(World& world, Entity object, Entity from) {
    const Pose X = world.pose(from);
    return X.q.conjugate() * (world.pose(object).p - X.p);
}

}  // namespace

TEST_CASE("friction alone carries the sphere from one plate to the other") {
    World world{{.workers = 1}};
    const scenes::GrippingRobotParts robot = scenes::gripping_robot(world);
    const double rest = world.pose(robot.plate1).p.z();
    const double before = world.energies().balance();

    // Gripped, lifted, carried: from the end of the lift to the end of the lowering it hardly moves in the gripper.
    double lifted = 0.0, slip = 0.0;
    Vec3 held = Vec3::Zero();
    while (world.time() < robot.end) {
        world.advance(std::min(0.05, robot.end - world.time()));
        const double height = world.pose(robot.sphere).p.z();
        if (height > rest + 0.03) {
            const Vec3 in_gripper = seen_from(world, robot.sphere, robot.gripper);
            if (held.isZero()) held = in_gripper;
            slip = std::max(slip, (in_gripper - held).norm());
        }
        lifted = std::max(lifted, height - rest);
    }
    CHECK(lifted > 0.15);
    CHECK(slip < 1e-3);
    // It lies on the other plate, where it was to be put down.
    const Vec3 away = world.pose(robot.sphere).p - world.pose(robot.plate2).p;
    CHECK(std::abs(away.z()) < 1e-4);
    CHECK(away.head<2>().norm() < 0.02);
    CHECK(world.velocity(robot.sphere).v.norm() < 0.02);
    CHECK(world.path_state(robot.path).end == doctest::Approx(robot.end).epsilon(1e-12));
    // Work of the motors is in motion and heat.
    CHECK(std::abs(world.energies().balance() - before) < 1e-3 * std::abs(world.energies().work));
}

TEST_CASE("all variants of gripping go the same way, and their locks meet where they are to be fixed") {
    for (const scenes::Grip grip :
         {scenes::Grip::both_contact_on, scenes::Grip::both_contact_off, scenes::Grip::segmented_only}) {
        World world{{.workers = 1}};
        const scenes::GrippingRobotParts robot = scenes::gripping_robot(world, {.grip = grip});
        std::vector<std::vector<double>> points;
        for (const Action& action : world.actions())
            if (const auto* move = std::get_if<MoveAlongPath>(&action))
                points.insert(points.end(), move->points.begin(), move->points.end());
        world.set_actions({});
        Scene scene = world.scene_of();
        scene.contact_detection = false;  // only where the arm goes is looked at
        world.replace_scene(scene);
        CHECK(world.move_along_path(robot.path, points) == doctest::Approx(robot.end).epsilon(1e-12));
        double nearest1 = 1.0, nearest2 = 1.0;
        world.on_event([&](const Event& event) {
            if (event.kind != EventKind::path) return;
            const Vec3 lock = world.pose(world.at("robot.gripper.lock")).p;
            nearest1 = std::min(nearest1, (lock - world.pose(robot.plate1).p).norm());
            nearest2 = std::min(nearest2, (lock - world.pose(robot.plate2).p).norm());
        });
        world.run(robot.end, {.record = false});
        CHECK(nearest1 < 1e-3);
        CHECK(nearest2 < 1e-3);
    }
}

TEST_CASE("the space robot's program reaches every lock that it takes, puts down on or steps to") {
    World world{{.workers = 1}};
    const scenes::SpaceRobotParts robot = scenes::space_robot(world);
    const std::vector<Action> actions = world.actions();
    world.set_actions({});
    // Where things are by the program alone; the arm itself floats: only its feet against each other matter.
    bool on_blue = true;
    Vec3 foot = world.pose(robot.blue).p;
    int reached = 0;
    const auto hand = [&] {
        const Pose X_foot = world.pose(on_blue ? robot.blue : robot.green);
        const Pose X_hand = world.pose(on_blue ? robot.green : robot.blue);
        // The hand is upside down against the foot; seen from the green foot, which is upside down, x and z are reversed.
        const Quat q = X_foot.q.conjugate() * X_hand.q;
        CHECK(std::abs(q.y()) == doctest::Approx(1.0).epsilon(1e-9));
        const Vec3 p = X_foot.q.conjugate() * (X_hand.p - X_foot.p);
        return Vec3{foot + (on_blue ? p : Vec3{-p.x(), p.y(), -p.z()})};
    };
    for (const Action& action : actions) {
        if (const auto* move = std::get_if<MoveAlongPath>(&action)) {
            const double end = world.move_along_path(robot.path, move->points);
            world.advance(end - world.time() + 0.01);
        } else if (const auto* change = std::get_if<ReleaseAndAttach>(&action)) {
            const bool takes = change->to == "greenLock" || change->to == "blueLock";
            CHECK(takes == change->lock.ends_with("lockZpos"));
            const Vec3 top = takes ? world.pose(world.at(change->lock)).p
                                   : Vec3{world.pose(world.at(change->to)).p + Vec3{0, 0, 0.3}};
            CHECK((hand() - top).norm() < 1e-9);
            ++reached;
        } else if (const auto* flip = std::get_if<FlipChain>(&action)) {
            CHECK((hand() - world.pose(world.at(flip->to)).p).norm() < 1e-9);
            foot = world.pose(world.at(flip->to)).p;
            on_blue = !on_blue;
            ++reached;
        }
    }
    CHECK(reached == 5);
    CHECK(world.statistics().states == 13 * 7 + 2);  // robot and boxes float; no joint has a state
}

TEST_CASE("a robot that floats turns against its own motion, and its momenta stay zero") {
    World world{{.workers = 1}};
    const scenes::SpaceRobotParts robot = scenes::space_robot(world, {.program = false, .tolerance = 1e-8});
    const Pose start = world.pose(robot.blue);
    world.run(1e-3, {.record = false});
    const double end = world.move_along_path(robot.path, {scenes::space_robot_angles({true, 1.0, 0.8, 0.2}),
                                                          scenes::space_robot_angles({true, -0.5, 1.1, 0.5})});
    world.run(0.6 * end, {.record = false});
    CHECK(world.energies().kinetic > 0.02);
    CHECK(world.momentum().linear_W.norm() < 1e-5);
    CHECK(world.momentum().angular_W.norm() < 1e-5);
    world.run(end, {.record = false});
    CHECK(std::abs(world.energies().kinetic) < 1e-8);
    CHECK(world.energies().work == doctest::Approx(0.0).epsilon(1.0).scale(1e-5));
    CHECK((world.pose(robot.blue).p - start.p).norm() > 0.02);
}

TEST_CASE("in every variant of gripping the sphere ends on the other plate") {
    for (const scenes::Grip grip :
         {scenes::Grip::both_contact_on, scenes::Grip::both_contact_off, scenes::Grip::segmented_only}) {
        CAPTURE(static_cast<int>(grip));
        World world{{.workers = 1}};
        const scenes::GrippingRobotParts robot = scenes::gripping_robot(world, {.grip = grip});
        std::vector<std::string> done;
        world.on_event([&](const Event& event) {
            if (event.kind != EventKind::action) return;
            CHECK(event.action->done);
            done.push_back(event.name.substr(0, event.name.find(' ')));  // "Attach 'sphere.lock' to ..."
        });
        world.run(robot.end, {.record = false});
        const bool only = grip == scenes::Grip::segmented_only;
        CHECK(done == (only ? std::vector<std::string>{"Attach", "ReleaseAndAttach", "ReleaseAndAttach"}
                            : std::vector<std::string>{"Attach", "Release", "Attach", "Release"}));
        const Vec3 away = world.pose(robot.sphere).p - world.pose(robot.plate2).p;
        CHECK(away.norm() < (only ? 2e-3 : 0.02));
        CHECK(world.velocity(robot.sphere).v.norm() < (only ? 1e-12 : 0.02));
        CHECK(world.path_state(robot.path).end == doctest::Approx(robot.end).epsilon(1e-12));
        // Fixed to a plate it has no states: six joints, places and speeds, and two energies.
        if (only) CHECK(world.statistics().states == 14);
    }
}

TEST_CASE("side by side the four variants do what each does alone, and none disturbs another") {
    World world{{.workers = 1}};
    const auto robots = scenes::gripping_robots(world);
    std::vector<int> changes(robots.size(), 0);
    world.on_event([&](const Event& event) {
        if (event.kind != EventKind::action) return;
        for (std::size_t i = 0; i < robots.size(); ++i)
            changes[i] += event.name.find("'variant" + std::to_string(i + 1) + ".sphere.lock'") != std::string::npos;
    });
    world.run(robots[0].end, {.record = false});
    CHECK(changes == std::vector{0, 4, 4, 3});
    for (std::size_t i = 0; i < robots.size(); ++i) {
        CAPTURE(i);
        World alone{{.workers = 1}};
        const auto robot = scenes::gripping_robot(alone, {.grip = static_cast<scenes::Grip>(i)});
        alone.run(robot.end, {.record = false});
        const Vec3 away = world.pose(robots[i].sphere).p - world.pose(robots[i].plate2).p;
        const Vec3 away_alone = alone.pose(robot.sphere).p - alone.pose(robot.plate2).p;
        CHECK((away - away_alone).norm() < 1e-3);
        CHECK(away.norm() < 0.02);
    }
}

TEST_CASE("the space robot stacks a box, walks, and stacks another one with its other foot") {
    World world{{.workers = 1}};
    const scenes::SpaceRobotParts robot = scenes::space_robot(world);
    const Vec3 home = world.pose(robot.blue).p;
    int changes = 0;
    world.on_event([&](const Event& event) {
        if (event.kind != EventKind::action) return;
        CHECK(event.action->done);
        CHECK(event.action->gap < 1e-9);
        ++changes;
    });
    world.run(world.simulation().stop_time, {.record = false});
    CHECK(changes == 7 + 2 + 1 + 2);
    const double pitch = 0.45, edge = 0.3;
    CHECK((world.pose(world.at("boxX1Y1Z2")).p - Vec3{4 * pitch, -pitch, 1.5 * edge}).norm() < 1e-9);
    CHECK((world.pose(world.at("boxX1Y3Z2")).p - Vec3{4 * pitch, pitch, 1.5 * edge}).norm() < 1e-9);
    CHECK((world.pose(robot.green).p - (home + Vec3{pitch, 0, 0})).norm() < 1e-9);
    CHECK((world.pose(robot.blue).p - home).norm() > 0.5);
    CHECK(world.statistics().states == 2);  // everything is fixed or prescribed: energies only
    CHECK(std::abs(world.energies().kinetic) < 1e-12);
    CHECK(std::abs(world.energies().balance()) < 1e-3);
}

TEST_CASE("the robots, their paths, drives and programs survive the way through a file") {
    const auto check = [](World& world) {
        const std::string text = write_document(to_document(world, ""));
        World again;
        add_document(again, read_document(text), "");
        CHECK(write_document(to_document(again, "")) == text);
        CHECK(again.actions() == world.actions());
        for (const Entity e : world.elements())
            if (world.registry().all_of<Drive>(e)) CHECK(again.drive(again.at(world.name(e))) == world.drive(e));
    };
    World gripping, walking;
    scenes::gripping_robot(gripping, {.grip = scenes::Grip::both_contact_off});
    scenes::space_robot(walking);
    check(gripping);
    check(walking);
}
