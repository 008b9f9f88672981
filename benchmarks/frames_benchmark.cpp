// A frame loop with a budget: how long its frames really take, whatever the scene does.
#include "benchmarks/bench.hpp"
#include "demos/scenes/billiards.hpp"
#include "demos/scenes/gripping_robot.hpp"
#include "demos/scenes/pile.hpp"
#include "demos/scenes/rain.hpp"

#include <tactus/tactus.hpp>

#include <functional>

namespace bench {

namespace {

using namespace tactus;

constexpr Budget budget{4e-3};      // [s] of wall clock in each frame
constexpr double frame = 1.0 / 60;  // [s]

struct Host {
    World& world;
    int number = 0;                          // of the frame
    std::function<void(Host&)> before = {};  // each frame: what the game does
};

void measure(std::vector<Row>& rows, const std::string& name, Host host, int frames, int workers) {
    std::vector<double> milliseconds;
    double wanted = host.world.time();
    for (; host.number < frames; ++host.number) {
        milliseconds.push_back(1e3 * fastest(1, [&] {
                                   if (host.before) host.before(host);
                                   wanted += frame;
                                   wanted = std::min(wanted, host.world.time() +
                                                                 0.25);  // slow motion rather than never again in time
                                   host.world.advance(wanted - host.world.time(), budget);
                               }));
    }
    const double simulated = host.world.time();
    std::sort(milliseconds.begin(), milliseconds.end());
    const auto part = [&](double p) {
        return milliseconds[static_cast<std::size_t>(p * static_cast<double>(milliseconds.size() - 1))];
    };
    const auto add = [&](const char* metric, const char* unit, double value) {
        rows.push_back({name, metric, unit, "tactus", workers, value});
    };
    add("frame_ms_median", "ms", part(0.5));
    add("frame_ms_99", "ms", part(0.99));
    add("frame_ms_longest", "ms", part(1.0));
    add("simulated_per_frame", "1", simulated / (frame * frames));
}

// Ten bodies more in each frame, and the oldest ones go.
void storm(Host& host) {
    constexpr int most = 200;
    World& world = host.world;
    for (int i = 0; i < 10; ++i) {
        const int n = 10 * host.number + i;
        world.add({.name = "ball" + std::to_string(n),
                   .free = true,
                   .translation = {0.2 * (n % 10) - 0.9, 0.2 * (n / 10 % 10) - 0.9, 1.0},
                   .shape = Sphere{0.08},
                   .material = "DryWood",
                   .collidable = true});
        if (n >= most) world.remove(world.at("ball" + std::to_string(n - most)));
    }
}

}  // namespace

std::vector<Row> frames(int workers) {
    const WorldOptions options{.workers = workers > 0 ? workers : 1};
    std::vector<Row> rows;
    const auto scene = [&](const std::string& name, int count, auto build) {
        World world{options};
        std::function<void(Host&)> before = build(world);
        measure(rows, name, {world, 0, before}, count, options.workers);
    };
    using Nothing = std::function<void(Host&)>;
    scene("billiards", 300, [](World& w) { return scenes::billiards(w), Nothing{}; });
    scene("pile, n=20", 300, [](World& w) { return scenes::pile(w, 20), Nothing{}; });
    scene("pile, n=100", 300, [](World& w) { return scenes::pile(w, 100), Nothing{}; });
    scene("rain, n=60", 300, [](World& w) { return scenes::rain(w, {.bodies = 60}), Nothing{}; });
    scene("gripping robot", 300,
          [](World& w) { return scenes::gripping_robot(w, {.grip = scenes::Grip::both_contact_on}), Nothing{}; });
    scene("storm, n=200", 300, [](World& w) {
        w.scene({.gravity = {0, 0, -9.81}});
        w.set_simulation({.tolerance = 1e-3});
        w.add({.name = "floor",
               .translation = {0, 0, -0.5},
               .shape = Box{4, 4, 1},
               .material = "DryWood",
               .collidable = true});
        return Nothing{storm};
    });
    return rows;
}

}  // namespace bench
