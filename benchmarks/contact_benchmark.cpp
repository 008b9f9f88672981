// Scenes with contact: how fast they run, where the time goes, and how right they are.
#include "benchmarks/bench.hpp"
#include "benchmarks/billiards/break.hpp"
#include "benchmarks/dynamics/engine.hpp"
#include "demos/scenes/billiards.hpp"
#include "demos/scenes/dominoes.hpp"
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

// The same break by an engine that is not ours, with stiffnesses and masses as here. It mixes the friction of surfaces, so
// that balls cannot rub on the cloth but not on each other: a little friction everywhere. Its contacts are not damped.
void add_peer(std::vector<Row>& rows, const std::string& name) {
    const auto simulate = reinterpret_cast<SimulateBreak>(dynamics::simbody_function("tactus_peer_break"));
    if (!simulate) return;
    World world{{.workers = 1}};
    const auto balls = scenes::billiards(world);
    std::vector<double> places;
    for (const Entity ball : balls) {
        const Vec3 p = world.pose(ball).p;
        places.insert(places.end(), p.data(), p.data() + 3);
    }
    const auto surface = [&](const char* material) {
        const SolidMaterial& m = *world.materials().solid(material);
        BreakSurface s;
        s.modulus = *m.youngs_modulus / (1.0 - *m.poissons_ratio * *m.poissons_ratio);
        s.friction = 0.05;
        return s;
    };
    BreakModel model;
    model.balls = static_cast<int>(balls.size());
    model.places = places.data();
    model.radius = 0.5 * scenes::billiard_ball_diameter;
    model.mass = world.mass_of(balls[0])->mass;
    model.speed = world.velocity(balls[0]).v.x();
    model.half_length = 0.5 * scenes::billiard_length - scenes::billiard_cushion_depth;
    model.half_width = 0.5 * scenes::billiard_width - scenes::billiard_cushion_depth;
    model.ball = surface("BilliardBall");
    model.table = surface("BilliardTable");
    model.cushion = surface("BilliardCushion");
    const BreakResult result = simulate(model, 5.0, 1e-5);
    const auto add = [&](const char* metric, const char* unit, double value) {
        rows.push_back({name, metric, unit, "simbody rk-merson", 1, value});
    };
    add("wall_s", "s", result.wall);
    add("real_time_factor", "1", 5.0 / result.wall);
    add("evaluations", "1", result.evaluations);
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
    add_peer(rows, name);
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

// A row that falls over and comes to rest, 1.5 s at tolerance 1e-4.
std::vector<Row> dominoes(int workers) {
    workers = workers > 0 ? workers : 1;
    std::vector<Row> rows;
    for (const int count : {15, 30}) {
        World world{{.workers = workers}};
        scenes::dominoes(world, count);
        world.profile(true);
        world.run(1.5, {.record = false});
        const std::string name = "n=" + std::to_string(count);
        add_statistics(rows, name, world, workers);
        add_stages(rows, name, world, workers);
    }
    return rows;
}

}  // namespace bench
