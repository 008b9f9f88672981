// Reference paths: profiles by hand, limits that are met and never exceeded, corners that are events of the World.
#include "tests/support/random.hpp"

#include <tactus/systems/drives/path_motion.hpp>
#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <cmath>

using namespace tactus;
using namespace tactus::systems;

namespace {

struct Value {
    double position, velocity, acceleration;
};

Value value_at(const PathMotion& motion, double t, std::size_t column) {
    const PathPiece& piece = motion.pieces[piece_at(motion, t)];
    const double dt = t - piece.begin, a = piece.acceleration[column], v = piece.velocity[column];
    return {piece.position[column] + v * dt + 0.5 * a * dt * dt, v + a * dt, a};
}

PathMotion motion_of(const ReferencePath& path, double start = 0.0) {
    PathMotion motion = resting(path, start);
    follow_points(path, path.points, start, motion);
    return motion;
}

std::vector<double> corners(const PathMotion& motion) {
    std::vector<double> times;
    for (const PathPiece& piece : motion.pieces) times.push_back(piece.begin);
    return times;
}

ReferencePath random_path(test::Random& random) {
    const auto columns = static_cast<std::size_t>(random.uniform(1, 8));
    ReferencePath path;
    path.points.assign(static_cast<std::size_t>(random.uniform(1, 6)), std::vector<double>(columns, 0.0));
    for (std::size_t j = 0; j < columns; ++j) {
        path.position.push_back(random.uniform(-3, 3));
        path.v_max.push_back(std::exp(random.uniform(-3, 3)));
        path.a_max.push_back(std::exp(random.uniform(-3, 3)));
        for (auto& point : path.points) point[j] = random.uniform(-3, 3);
    }
    return path;
}

}  // namespace

TEST_CASE("a long way is a trapezoid of speed: ramp v/a, then cruise") {
    // 2 rad with 1 rad/s and 1 rad/s^2: 0.5 rad in 1 s, 1 rad in 1 s, 0.5 rad in 1 s.
    const PathMotion motion = motion_of({{1.0}, {1.0}, {1.0}, {{3.0}}}, 10.0);
    CHECK(corners(motion) == std::vector<double>{10.0, 11.0, 12.0, 13.0});
    CHECK(value_at(motion, 10.5, 0).position == 1.125);
    CHECK(value_at(motion, 11.0, 0).position == 1.5);
    CHECK(value_at(motion, 11.5, 0).velocity == 1.0);
    CHECK(value_at(motion, 12.5, 0).acceleration == -1.0);
    CHECK(value_at(motion, 12.5, 0).position == 2.875);
    CHECK(value_at(motion, 20.0, 0).position == 3.0);
    CHECK(value_at(motion, 20.0, 0).velocity == 0.0);
}

TEST_CASE("a short way is a triangle of speed: two ramps of sqrt(way / a)") {
    // 0.5 rad with 2 rad/s^2: 0.5 s up, 0.5 s down, top 1 rad/s although 9 rad/s were allowed.
    const PathMotion motion = motion_of({{0.0}, {9.0}, {2.0}, {{-0.5}}});
    CHECK(corners(motion) == std::vector<double>{0.0, 0.5, 1.0});
    CHECK(value_at(motion, 0.5, 0).velocity == -1.0);
    CHECK(value_at(motion, 0.5, 0).position == -0.25);
    CHECK(value_at(motion, 0.25, 0).acceleration == -2.0);
}

TEST_CASE("columns share their corner times: one is as fast as it may be, another accelerates as it may") {
    // Way 2 at 1 rad/s takes 2 s at full speed; way 1 at 1 rad/s^2 needs ds/dt' = 1: ramp 0.5 s, cruise 1.5 s.
    const PathMotion motion = motion_of({{0, 0}, {1, 10}, {4, 1}, {{2, 1}}});
    CHECK(corners(motion) == std::vector<double>{0.0, 0.5, 2.0, 2.5});
    CHECK(value_at(motion, 1.0, 0).velocity == doctest::Approx(1.0).epsilon(1e-15));
    CHECK(value_at(motion, 0.1, 1).acceleration == doctest::Approx(1.0).epsilon(1e-15));
    CHECK(value_at(motion, 1.0, 1).velocity == doctest::Approx(0.5).epsilon(1e-15));
}

TEST_CASE("a point where the path is already takes no time, and what follows starts when it should") {
    const PathMotion motion = motion_of({{0.0}, {1.0}, {1.0}, {{0.0}, {2.0}, {2.0}, {0.0}}}, 5.0);
    CHECK(corners(motion) == std::vector<double>{5.0, 6.0, 7.0, 8.0, 9.0, 10.0, 11.0});
}

TEST_CASE("limits are met and never exceeded; rates are the derivatives of positions, without a jump") {
    test::Random random{11};
    for (int trial = 0; trial < 300; ++trial) {
        CAPTURE(trial);
        const ReferencePath path = random_path(random);
        const double start = random.uniform(-5, 5);
        const PathMotion motion = motion_of(path, start);
        const std::size_t columns = path.position.size();
        bool at_a_limit = false;
        for (std::size_t k = 0; k + 1 < motion.pieces.size(); ++k) {
            const PathPiece &piece = motion.pieces[k], &next = motion.pieces[k + 1];
            const double dt = next.begin - piece.begin;
            REQUIRE(dt > 0.0);
            double speed = 0.0, acceleration = 0.0;  // over their limits
            for (std::size_t j = 0; j < columns; ++j) {
                speed = std::max(
                    {speed, std::abs(piece.velocity[j]) / path.v_max[j], std::abs(next.velocity[j]) / path.v_max[j]});
                acceleration = std::max(acceleration, std::abs(piece.acceleration[j]) / path.a_max[j]);
                // The integrals of acceleration and of velocity over the piece
                const double v = piece.velocity[j] + piece.acceleration[j] * dt;
                const double p = piece.position[j] + 0.5 * dt * (piece.velocity[j] + v);
                const double rounding = 1e-15 * (1.0 + std::abs(next.begin));  // [s] of the piece's duration
                CHECK(std::abs(v - next.velocity[j]) < 1e-15 * path.v_max[j] + rounding * path.a_max[j]);
                CHECK(std::abs(p - next.position[j]) < 1e-14 + rounding * path.v_max[j]);
            }
            CHECK(speed < 1.0 + 1e-14);
            CHECK(acceleration < 1.0 + 1e-14);
            // In every piece something is at its limit: the way could not be gone faster in this manner.
            CHECK(std::max(speed, acceleration) > 1.0 - 1e-14);
            at_a_limit = true;
        }
        CHECK(at_a_limit);
        for (std::size_t j = 0; j < columns; ++j) {
            CHECK(value_at(motion, start, j).position == path.position[j]);
            CHECK(motion.pieces.back().position[j] == path.points.back()[j]);
            CHECK(motion.pieces.back().velocity[j] == 0.0);
        }
    }
}

TEST_CASE("corners of a path are events at which the World stops exactly, also if nothing else moves") {
    World world;
    world.scene();
    world.set_simulation({.start_time = 2.0, .stop_time = 9.0});
    const Entity path = world.add_path({.name = "path", .path = {{0, 0}, {1, 1}, {1, 1}, {{2, 1}, {0, 0}}}});
    std::vector<double> times;
    world.on_event([&](const Event& event) {
        CHECK(event.kind == EventKind::path);
        CHECK(event.name == "path");
        CHECK(event.element == path);
        CHECK(world.time() == event.time);
        times.push_back(event.time);
    });
    CHECK(world.path_state(path).end == 8.0);
    world.run(9.0, {.record = false});
    CHECK(times == std::vector<double>{3, 4, 5, 6, 7, 8});
}

TEST_CASE("the reference of a path at the present time is what its profile says") {
    World world;
    world.scene();
    const Entity path = world.add_path({.name = "path", .path = {{0, 0}, {1, 1}, {1, 1}, {{2, 1}}}});
    world.advance(1.5);
    CHECK(world.path_state(path).position == std::vector<double>{1.0, 0.5});
    CHECK(world.path_state(path).velocity == std::vector<double>{1.0, 0.5});
    world.advance(1.0);  // 2.5 s: half of the last ramp is left
    CHECK(world.path_state(path).position == std::vector<double>{1.875, 0.9375});
    CHECK(world.path_state(path).acceleration == std::vector<double>{-1.0, -0.5});
    world.reset();
    CHECK(world.path_state(path).position == std::vector<double>{0.0, 0.0});
}

TEST_CASE("a path that is given more points goes there from now on, or after what is under way") {
    World world;
    world.scene();
    const Entity path = world.add_path({.name = "path", .path = {{0.0}, {1.0}, {1.0}, {}}});
    world.advance(4.0);
    CHECK(world.move_along_path(path, {{2.0}}) == 7.0);
    world.advance(1.5);
    CHECK(world.path_state(path).position[0] == 1.0);
    // Under way until 7 s, then 3 s back and 3 s forth; the reference has no jump.
    CHECK(world.move_along_path(path, {{0.0}, {2.0}}) == 13.0);
    CHECK(world.path_state(path).position[0] == 1.0);
    world.advance(3.0);  // 8.5 s
    CHECK(world.path_state(path).position[0] == 1.0);
    CHECK(world.path_state(path).velocity[0] == -1.0);
    int corners = 0;
    world.on_event([&](const Event&) { ++corners; });
    world.advance(10.0);
    CHECK(corners == 5);  // at 9, 10, 11, 12 and 13 s
    CHECK(world.path_state(path).position[0] == 2.0);
    // From a handler
    world.on_event([&](const Event& event) {
        if (event.name == "go") CHECK(world.move_along_path(path, {{1.0}}) == 22.0);
    });
    world.add_time_event("go", 20.0);
    world.advance(2.5);  // 21 s
    CHECK(world.path_state(path).position[0] == 1.5);
}

TEST_CASE("a path that was given points before the first step starts with the World, whenever that is") {
    World world;
    world.scene();
    const Entity path = world.add_path({.name = "path", .path = {{0.0}, {1.0}, {1.0}, {}}});
    CHECK(world.move_along_path(path, {{2.0}}) == 3.0);
    world.set_simulation({.start_time = -1.0});
    CHECK(world.path_state(path).end == 2.0);
    world.run(0.5, {.record = false});
    CHECK(world.path_state(path).position[0] == 1.0);
}

TEST_CASE("points that do not fit a path are refused, and the path stays as it was") {
    World world;
    world.scene();
    const Entity path = world.add_path({.name = "arm.path", .path = {{0, 0}, {1, 1}, {1, 1}, {}}});
    const auto words = [&](const std::vector<std::vector<double>>& points) -> std::string {
        try {
            world.move_along_path(path, points);
        } catch (const InputError& error) { return error.what(); }
        return {};
    };
    CHECK(words({{1, 2}, {1}}).find("'arm.path': points.1 = 1 number: must have 2") != std::string::npos);
    CHECK(words({{1, std::nan("")}}).find("must be a finite number") != std::string::npos);
    CHECK_THROWS_AS(world.move_along_path(world.root(), {{1, 2}}), InputError);
    CHECK(world.path_state(path).end == 0.0);
}
