// Programs: actions in sequence, at times and under conditions that are found exactly.
#include "tests/support/compare.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <cmath>
#include <memory>
#include <numbers>
#include <stdexcept>

using namespace tactus;
using namespace tactus::test;

namespace {

const MassProperties one_kilogram{1.0, Vec3::Zero(), 0.1 * Mat3::Identity()};

// A gripper that rests at x = 1 m, and a ball that comes along the x axis with 2 m/s.
void catching(World& world) {
    world.scene({.gravity = NoGravity{}});
    const auto body = [&](const std::string& name, double x, double v) {
        world.add({.name = name + ".body",
                   .free = true,
                   .translation = {x, 0, 0},
                   .velocity = {v, 0, 0},
                   .assembly_root = true,
                   .mass_properties = one_kilogram});
        world.add({.name = name, .parent = name + ".body", .lockable = true});
    };
    body("gripper", 1.0, 0.0);
    body("ball", 0.0, 2.0);
}

}  // namespace

TEST_CASE("a program waits for exact times, frames or not") {
    World world;
    catching(world);
    std::vector<double> times;
    world.add_program("clock", [&times](World& w) -> Program {
        times.push_back(w.time());
        co_await after(0.1);
        times.push_back(w.time());
        co_await after(0.0);
        co_await after(0.2);
        times.push_back(w.time());
    });
    CHECK_FALSE(world.program_is_over("clock"));
    for (int i = 0; i < 30; ++i) world.advance(1.0 / 60);
    CHECK(times == std::vector<double>{0.0, 0.1, 0.1 + 0.2});
    CHECK(world.program_is_over("clock"));
    world.reset();
    CHECK_FALSE(world.program_is_over("clock"));
    world.advance(0.2);
    CHECK(times.size() == 5);  // begun anew
}

TEST_CASE("a distance that falls below a limit grips, at the instant at which it does") {
    for (const bool as_list : {false, true}) {
        World world;
        catching(world);
        ActionReport report;
        if (as_list) {
            world.set_actions(
                {Until{
                     .quantity = Quantity::Distance, .of = "ball", .from = "gripper", .is = Side::Below, .limit = 0.25},
                 Attach{.lock = "ball", .to = "gripper", .conditions = {.gap = 0.3, .merge = Merge::Plastic}}});
            world.on_event([&](const Event& e) {
                if (e.kind == EventKind::action) report = *e.action;
            });
        } else {
            world.add_program("grip", [&report](World& w) -> Program {
                const Entity ball = w.at("ball"), gripper = w.at("gripper");
                co_await until(
                    [=](const Instant& now) { return 0.25 - (now.pose(ball).p - now.pose(gripper).p).norm(); });
                report = co_await attach("ball", "gripper", {.gap = 0.3, .merge = Merge::Plastic});
            });
        }
        world.advance(1.0);
        CHECK(report.done);
        CHECK(report.time == doctest::Approx(0.375).epsilon(1e-12));
        CHECK(report.gap == doctest::Approx(0.25).epsilon(1e-12));
        CHECK(world.velocity(world.at("gripper")).v.x() == doctest::Approx(1.0));
    }
}

TEST_CASE("an attach that waits is done as soon as its conditions hold") {
    for (const bool as_list : {false, true}) {
        World world;
        catching(world);
        const AttachConditions conditions{.gap = 0.125, .unmet = Unmet::Wait, .merge = Merge::Plastic};
        if (as_list)
            world.set_actions({Attach{.lock = "ball", .to = "gripper", .conditions = conditions}});
        else
            world.add_program("wait", [&](World&) -> Program { co_await attach("ball", "gripper", conditions); });
        std::vector<std::pair<EventKind, double>> events;
        world.on_event([&](const Event& e) { events.emplace_back(e.kind, e.time); });
        world.advance(1.0);
        REQUIRE(events.size() == 2);
        CHECK(events[0].first == EventKind::condition);
        CHECK(events[1].first == EventKind::action);
        CHECK(events[1].second == doctest::Approx(0.4375).epsilon(1e-12));
    }
    // It waits for speeds, too: a brake makes the ball slow.
    World world;
    world.scene({.gravity = NoGravity{}});
    world.set_simulation({.tolerance = 1e-9});
    world.add({.name = "rail", .lockable = true});
    world.add({.name = "ball", .parent = ParentRef::none(), .mass_properties = one_kilogram});
    world.add_joint({.name = "slide",
                     .object1 = "rail",
                     .object2 = "ball",
                     .type = Prismatic{.axis = 1, .v = 1.0, .resistance = {.damping = 2.0}}});
    world.add({.name = "load.body", .parent = "ball", .assembly_root = true, .mass_properties = one_kilogram});
    world.add({.name = "load", .parent = "load.body", .lockable = true});
    double caught = 0.0;
    world.add_program("stop", [&](World&) -> Program {
        caught =
            (co_await release_and_attach("load", "rail", {.gap = 10.0, .velocity = 0.1, .unmet = Unmet::Wait})).time;
    });
    world.advance(5.0);
    CHECK(caught == doctest::Approx(std::log(10.0)).epsilon(1e-8));  // v = exp(-d/m t), m = 2 kg
}

TEST_CASE("an attach that waits for a slow turn, or for a small angle, is done when it has come to that") {
    // A wheel that carries a load at its middle, and stops against a brake: I = 0.2 kg m^2, w = exp(-d/I t).
    const auto caught = [](const Revolute& turn, const AttachConditions& conditions) {
        World world;
        world.scene({.gravity = NoGravity{}});
        world.set_simulation({.tolerance = 1e-9});
        world.add({.name = "rail", .lockable = true});
        world.add({.name = "wheel", .parent = ParentRef::none(), .mass_properties = one_kilogram});
        world.add_joint({.name = "axle", .object1 = "rail", .object2 = "wheel", .type = turn});
        world.add({.name = "load.body", .parent = "wheel", .assembly_root = true, .mass_properties = one_kilogram});
        world.add({.name = "load", .parent = "load.body", .lockable = true});
        double time = -1.0;
        world.add_program(
            "stop", [&](World&) -> Program { time = (co_await release_and_attach("load", "rail", conditions)).time; });
        world.advance(5.0);
        return time;
    };
    AttachConditions conditions{.gap = 1.0, .velocity = 1.0, .angular_velocity = 0.1, .unmet = Unmet::Wait};
    CHECK(caught({.axis = 3, .w = 1.0, .resistance = {.damping = 0.2}}, conditions) ==
          doctest::Approx(std::log(10.0)).epsilon(1e-8));
    // Steadily on, to 0.3 rad before a whole turn.
    conditions.angular_velocity = 10.0;
    conditions.angle = 0.3;
    const double whole = 2 * std::numbers::pi;
    CHECK(caught({.axis = 3, .phi = whole - 1.0, .w = 0.5}, conditions) == doctest::Approx(1.4).epsilon(1e-8));
}

TEST_CASE("a joint whose force exceeds a limit breaks where the closed form says") {
    // A rigid pendulum that starts at rest at phi0. With I0 = I + m L^2: w^2 = 2 m g L (cos phi - cos phi0) / I0; the hinge
    // exerts m (g cos phi + L w^2) along it, and m g sin phi I / I0 across.
    const double g = 9.81, L = 0.8, m = 2.0, I = 0.05, I0 = I + m * L * L, phi0 = 1.4, breaks_at = 0.6;
    const double w = std::sqrt(2.0 * m * g * L * (std::cos(breaks_at) - std::cos(phi0)) / I0);
    const double limit = std::hypot(m * (g * std::cos(breaks_at) + L * w * w), m * g * std::sin(breaks_at) * I / I0);
    World world;
    world.scene({.gravity = {0, 0, -g}});
    world.set_simulation({.tolerance = 1e-9});
    world.add({.name = "bob",
               .parent = ParentRef::none(),
               .assembly_root = true,
               .mass_properties = MassProperties{m, {0, 0, -L}, I * Mat3::Identity()}});
    world.add({.name = "bob.lock", .parent = "bob", .translation = {0, 0, -L}, .lockable = true});
    const Entity rope = world.add_joint(
        {.name = "rope", .object1 = "world", .object2 = "bob", .type = Revolute{.axis = 2, .phi = phi0}});
    world.set_actions({Until{.quantity = Quantity::Force, .of = "rope", .is = Side::Above, .limit = limit},
                       Release{.lock = "bob.lock"}});
    double broken = 0.0, phi = 0.0;
    world.on_event([&](const Event& e) {
        if (e.kind == EventKind::condition) phi = world.state(rope).q[0];
        if (e.kind == EventKind::action) broken = e.time;
    });
    const double end = 0.6;
    world.run(end, {.record = false});
    REQUIRE(broken > 0.0);
    CHECK(phi == doctest::Approx(breaks_at).epsilon(1e-8));
    // From there on its centre flies as a stone, and it keeps turning as it did.
    const Entity lock = world.at("bob.lock");
    const double t = end - broken;
    CHECK(std::abs(world.velocity(lock).v.x()) == doctest::Approx(w * L * std::cos(phi)).epsilon(1e-7));
    CHECK(world.pose(lock).p.z() ==
          doctest::Approx(-L * std::cos(phi) - w * L * std::sin(phi) * t - 0.5 * g * t * t).epsilon(1e-7));
    CHECK(std::abs(world.velocity(lock).w.y()) == doctest::Approx(w).epsilon(1e-7));
}

TEST_CASE("a condition that holds already, or that jumps, is not waited for") {
    World world;
    catching(world);
    std::vector<double> times;
    const Entity ball = world.at("ball.body");
    world.add_program("far", [&](World& w) -> Program {
        co_await until([ball](const Instant& now) { return 0.5 - now.pose(ball).p.x(); });  // holds
        times.push_back(w.time());
        co_await until([ball](const Instant& now) { return now.pose(ball).p.x() - 100.0; });  // jumps there
        times.push_back(w.time());
    });
    world.add_time_event("kick", 0.25);
    world.on_event([&](const Event& e) {
        if (e.name != "kick") return;
        JointState state = world.state(ball);
        state.q[0] = 200.0;
        world.set_state(ball, state);
    });
    world.advance(1.0);
    CHECK(times == std::vector<double>{0.0, 0.25});
}

TEST_CASE("waiting periods, and events after periods, are kept by lists of actions") {
    World world;
    catching(world);
    world.set_actions(
        {Attach{
             .lock = "ball", .to = "gripper", .conditions = {.gap = 2, .merge = Merge::Plastic}, .waiting_period = 0.5},
         Release{.lock = "ball", .waiting_period = 0.25}, EventAfterPeriod{0.125}, Wait{0.125},
         Delete{.lock = "ball"}});
    std::vector<std::pair<std::string, double>> events;
    world.on_event([&](const Event& e) { events.emplace_back(e.name, e.time); });
    world.run(2.0);
    using Told = std::vector<std::pair<std::string, double>>;
    CHECK(events == Told{{"Attach 'ball' to 'gripper'", 0.0},
                         {"Release 'ball'", 0.5},
                         {"EventAfterPeriod", 0.875},
                         {"Delete 'ball'", 1.0}});
    CHECK(world.segments().size() == 4);
}

TEST_CASE("what goes wrong in a program is told with time, program and action; the rest of the World goes on") {
    World world;
    catching(world);
    world.set_actions({Wait{0.5}, Release{.lock = "ball"}});
    const SimulationError error = simulation_error([&] { world.run(2.0, {.record = false}); });
    CHECK(error.time == 0.5);
    CHECK(contains(error.what(), "'actions' failed at Release"));
    CHECK(contains(error.what(), "moves freely already"));
    CHECK(error.elements == std::vector<std::string>{"ball"});
    CHECK(world.time() == 0.5);
    world.run(2.0, {.record = false});
    CHECK(world.pose(world.at("ball")).p.x() == doctest::Approx(4.0));

    world.reset();
    world.set_actions({});
    world.add_program("thrower", [](World&) -> Program {
        co_await after(0.25);
        throw std::runtime_error{"no more"};
    });
    CHECK(contains(simulation_error([&] { world.run(2.0, {.record = false}); }).what(), "no more"));
    CHECK(world.program_is_over("thrower"));
    world.remove_program("thrower");
    // It can be caught inside.
    bool caught = false;
    world.add_program("careful", [&caught](World&) -> Program {
        try {
            co_await release("ball");
        } catch (const InputError&) { caught = true; }
        co_await after(0.125);
    });
    world.run(3.0, {.record = false});
    CHECK(caught);
    world.add_program("endless", [](World&) -> Program {
        while (true) co_await after(0.0);
    });
    CHECK(contains(simulation_error([&] { world.run(4.0, {.record = false}); }).what(), "does not let time go on"));
}

TEST_CASE("programs are named, and are checked at the door") {
    World world;
    catching(world);
    CHECK(
        contains(input_error([&] { world.add_program("actions", [](World&) -> Program { co_return; }); }), "actions"));
    CHECK(input_error([&] { world.add_program("p", {}); }) != "");
    world.add_program("p", [](World&) -> Program { co_return; });
    CHECK(contains(input_error([&] { world.add_program("p", [](World&) -> Program { co_return; }); }), "already"));
    CHECK(input_error([&] { world.remove_program("q"); }) != "");
    CHECK(contains(input_error([&] { world.set_actions({Until{.quantity = Quantity::Force, .of = "ball"}}); }),
                   "not a joint"));
    CHECK(contains(
        input_error([&] { world.set_actions({Attach{.lock = "ball", .to = "gripper", .conditions = {.gap = -1.0}}}); }),
        "gap"));
}

TEST_CASE("a World can go, or be reset, while its programs wait: what they hold is destroyed once") {
    const auto held = std::make_shared<int>(1);
    const auto hold = [&held](World&) -> Program {
        const auto own = held;
        co_await after(1.0);
        const auto never = [own](const Instant&) { return -1.0; };
        co_await until(never);
    };
    {
        World world;
        catching(world);
        world.add_program("hold", hold);
        world.advance(0.5);
        CHECK(held.use_count() == 2);
        world.advance(1.0);
        CHECK(held.use_count() >= 3);
        world.reset();
        world.advance(0.0);  // nothing is watched any more
        CHECK(held.use_count() == 1);
        world.advance(2.0);
        CHECK(held.use_count() >= 3);
    }
    CHECK(held.use_count() == 1);
    World world;
    catching(world);
    world.add_program("hold", hold);
    world.advance(0.5);
    world.clear();
    CHECK(held.use_count() == 1);
}

TEST_CASE("several programs run in their order at the same instant, and see what the others did") {
    World world;
    catching(world);
    std::string order;
    world.add_program("first", [&](World&) -> Program {
        co_await after(0.25);
        order += "a";
        co_await attach("ball", "gripper", {.gap = 2, .merge = Merge::Plastic});
    });
    world.add_program("second", [&](World& w) -> Program {
        co_await after(0.25);
        order += w.root_of(w.at("ball")) == w.root_of(w.at("gripper")) ? "b" : "?";
        co_await release("ball");
    });
    world.advance(1.0);
    CHECK(order == "ab");
    CHECK(world.segments().size() == 3);
}

TEST_CASE("scene files keep conditions and waits as they are") {
    World world;
    catching(world);
    const std::vector<Action> actions{
        Until{.quantity = Quantity::Speed, .of = "ball", .from = "gripper", .is = Side::Below, .limit = 0.5},
        Attach{.lock = "ball",
               .to = "gripper",
               .conditions = {.gap = 0.1,
                              .velocity = 0.2,
                              .angular_velocity = 0.3,
                              .angle = 0.4,
                              .unmet = Unmet::Wait,
                              .merge = Merge::Plastic},
               .waiting_period = 1.0,
               .contact_detection = false},
        Release{.lock = "ball"}};
    world.set_actions(actions);
    World other;
    add_document(other, read_document(write_document(to_document(world, "."))), ".");
    CHECK(other.actions() == actions);
}
