// Scenes with contact: how fast they run, where the time goes, and how right they are.
#include "benchmarks/bench.hpp"
#include "demos/scenes/billiards.hpp"
#include "demos/scenes/pile.hpp"

#include <tactus/tactus.hpp>

#include <cmath>

namespace bench {

namespace {

using namespace tactus;

void add_statistics(std::vector<Row>& rows, const std::string& name, const World& world, int workers) {
    const Statistics s = world.statistics();
    const auto add = [&](const char* metric, const char* unit, double value) {
        rows.push_back({name, metric, unit, "tactus", workers, value});
    };
    add("wall_s", "s", s.wall_time);
    add("real_time_factor", "1", s.real_time_factor());
    add("steps", "1", static_cast<double>(s.integrator.steps));
    add("evaluations", "1", static_cast<double>(s.integrator.evaluations));
    add("jacobians", "1", static_cast<double>(s.integrator.jacobians));
    add("events", "1", static_cast<double>(s.events));
}

void add_stages(std::vector<Row>& rows, const std::string& name, const World& world, int workers) {
    for (std::size_t i = 0; i < stage_names.size(); ++i)
        rows.push_back({name, "seconds in " + std::string{stage_names[i]}, "s", "tactus", workers,
                        world.stage_times().entries[i].seconds});
}

double mirror_error(World& world, const std::vector<Entity>& balls) {
    double worst = 0.0;
    for (std::size_t i = 0; i < balls.size(); ++i) {
        const auto mirrored = static_cast<std::size_t>(scenes::mirrored_ball(static_cast<int>(i)));
        Vec3 q = world.pose(balls[mirrored]).p;
        q.y() = -q.y();
        worst = std::max(worst, (world.pose(balls[i]).p - q).norm());
    }
    return worst;
}

}  // namespace

// The centred break of sixteen balls, 5 s at tolerance 1e-5, everything in one island.
std::vector<Row> billiards(int workers) {
    workers = workers > 0 ? workers : 1;
    std::vector<Row> rows;
    const std::string name = "break of 16, 5 s";
    {
        World world{{.workers = workers}};
        scenes::billiards(world);
        world.run(5.0, {.record = false});
        add_statistics(rows, name, world, workers);
    }
    World world{{.workers = workers}};  // once more, with looks in between
    const auto balls = scenes::billiards(world);
    double first_hit = -1.0;
    world.on_contact([&](const ContactEvent& e) {
        const bool between_balls = e.object1 != world.at("table") && world.object(e.object1).free;
        if (first_hit < 0.0 && e.start && between_balls) first_hit = e.time;
    });
    const Energies before = world.energies();
    world.run(0.5, {.record = false});
    rows.push_back({name, "mirror error at 0.5 s", "m", "tactus", workers, mirror_error(world, balls)});
    while (first_hit < 0.0) world.advance(0.001);
    world.advance(first_hit + 0.002 - world.time());  // the rack is broken within a millisecond
    const double balance = (world.energies().balance() - before.balance()) / before.kinetic;
    rows.push_back({name, "first hit", "s", "tactus", workers, first_hit});
    rows.push_back({name, "energy after the break / closed balance", "1", "tactus", workers, 1.0 + balance});
    world.advance(first_hit + 0.5 - world.time());
    rows.push_back({name, "mirror error 0.5 s after the break", "m", "tactus", workers, mirror_error(world, balls)});
    world.run(5.0, {.record = false});
    rows.push_back({name, "energy balance at 5 s", "1", "tactus", workers,
                    1.0 + (world.energies().balance() - before.balance()) / before.kinetic});
    return rows;
}

// Spheres dropped into a bin, 2 s at tolerance 1e-3. The largest pile runs for a shorter time, which its name says.
std::vector<Row> pile(int workers) {
    workers = workers > 0 ? workers : 1;
    std::vector<Row> rows;
    struct Size {
        int spheres;
        double seconds;
        const char* name;
    };
    for (const auto& [spheres, seconds, name] :
         {Size{20, 2.0, "n=20"}, Size{100, 2.0, "n=100"}, Size{1000, 0.1, "n=1000, 0.1 s"}}) {
        World world{{.workers = workers}};
        scenes::pile(world, spheres);
        world.profile(true);
        world.run(seconds, {.record = false});
        add_statistics(rows, name, world, workers);
        add_stages(rows, name, world, workers);
    }
    return rows;
}

}  // namespace bench
