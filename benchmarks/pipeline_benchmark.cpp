// Throughput of collision: pairs per second through broad phase, narrow phase and response, with bodies that drift a little
// in each step, as between two evaluations of an integrator.
#include "benchmarks/bench.hpp"

#include <tactus/engine/executor.hpp>
#include <tactus/systems/contact_response/contacts.hpp>
#include <tactus/systems/narrow_phase/pair_watch.hpp>
#include <tactus/tactus.hpp>

#include <random>

namespace bench {

namespace {

using namespace tactus;
using namespace tactus::systems;

class Drift {
public:
    explicit Drift(std::size_t n) {
        std::mt19937_64 engine{7};
        const auto uniform = [&](double a, double b) {
            return a + (b - a) * static_cast<double>(engine() >> 11) * 0x1p-53;
        };
        const double side = 0.13 * std::cbrt(static_cast<double>(n));  // [m] most bodies of 0.1 m touch nothing
        for (std::size_t i = 0; i < n; ++i) {
            Collidable c;
            const Shape shapes[] = {Sphere{0.1}, Box{0.08, 0.06, 0.07}, Capsule{3, 0.06, 0.05}, Cylinder{3, 0.08, 0.08},
                                    Ellipsoid{0.1, 0.08, 0.06}};
            c.shape = collision_shape(shapes[i % 5], 0.001);
            c.link = static_cast<std::uint32_t>(i + 1);
            c.leverage = c.shape.size;
            collidables.push_back(c);
            start.push_back({uniform(0, side), uniform(0, side), uniform(0, side)});
            velocity.push_back({uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)});
        }
        links.resize(n + 1);
        motion.links.resize(n + 1);
        placed.resize(n);
        watch.reset(collidables, {}, [](IndexPair) { return true; }, {});
    }

    void move(double t, Workers& workers) {
        workers.for_chunks(collidables.size(), 256, [&](std::size_t begin, std::size_t end) {
            for (std::size_t i = begin; i < end; ++i) {
                LinkMotion& B = motion.links[i + 1];
                B.p_W = start[i] + t * velocity[i];
                B.velocity = {velocity[i], velocity[i]};
                B.R_WB = rotation_about(velocity[i].normalized(), t * velocity[i].norm()).toRotationMatrix();
            }
        });
        place(collidables, motion, true, workers, placed);
    }

    // Pairs that are looked at in each step.
    std::size_t begin(Workers& workers) {
        move(0.0, workers);
        watch.begin(0.0, collidables, placed, true, workers);
        watch.choose_hysteresis(placed);
        watch.least_gap(0.0, collidables, placed, none, workers, clock);
        const ContactConstants law{.stiffness = 1e9, .radius = 0.05, .restitution = 0.5, .friction = 0.3};
        contacts.clear();
        const std::vector<IndexPair> touching{watch.touching().begin(), watch.touching().end()};
        for (const IndexPair pair : touching) {
            Contact c;
            c.a = pair.a, c.b = pair.b;
            c.constants = law;
            c.flat = touch_along_edges(collidables[c.a].shape, collidables[c.b].shape);
            contacts.push_back(c);
            watch.set_contact(pair, true);
        }
        return watch.candidates();
    }

    void step(double t, bool with_bounds, Workers& workers) {
        clock.measure(Stage::kinematics, [&] { move(t, workers); });
        if (!with_bounds) watch.forget_distances();
        watch.least_gap(t, collidables, placed, none, workers, clock);
        clock.measure(Stage::narrow_phase, [&] { touch_contacts(contacts, collidables, motion, {}, workers); });
        clock.measure(Stage::response, [&] { respond(contacts, workers); });
        watch.begin(t, collidables, placed, false, workers);
        evaluated += watch.evaluated() + contacts.size();
    }

    std::size_t evaluated = 0;
    StageClock clock;

private:
    std::vector<Collidable> collidables;
    std::vector<Vec3> start, velocity;
    std::vector<Link> links;
    TreeMotion motion;
    std::vector<Placed> placed;
    std::vector<Contact> contacts;
    PairWatch watch;
    const PairWatch::Between none = [this](double t, IndexPair pair, Placed& a, Placed& b) {
        for (const auto& [i, p] : {std::pair{pair.a, &a}, std::pair{pair.b, &b}}) {
            LinkMotion B;
            B.p_W = start[i] + t * velocity[i];
            B.velocity = {velocity[i], velocity[i]};
            B.R_WB = rotation_about(velocity[i].normalized(), t * velocity[i].norm()).toRotationMatrix();
            place(collidables[i], B, *p);
        }
    };
};

}  // namespace

std::vector<Row> pipeline(int workers) {
    std::vector<Row> rows;
    constexpr int steps = 50;
    constexpr double dt = 2e-4;  // [s] bodies go 0.1 to 0.3 % of their size in a step
    for (const std::size_t n : {std::size_t{1000}, std::size_t{10000}}) {
        const std::string name = "n=" + std::to_string(n);
        double alone = 0.0, alone_all = 0.0;  // [s] of one worker
        for (const int w : workers > 0 ? std::vector<int>{workers} : std::vector<int>{1, 2}) {
            const OwnExecutor executor = w > 1 ? make_executor(static_cast<std::size_t>(w)) : no_executor();
            Workers threads = w > 1 ? Workers{*executor} : Workers{};
            for (const bool with_bounds : {true, false}) {
                Drift drift{n};
                double seconds = 0.0, pairs = 0.0, share = 0.0;  // [s] of all steps
                threads.enter([&] {
                    const std::size_t candidates = drift.begin(threads);
                    double t = 0.0;
                    for (int i = 0; i < 5; ++i) drift.step(t += dt, with_bounds, threads);  // warm
                    drift.evaluated = 0;
                    int count = 0;
                    seconds = fastest(5, [&] {
                        for (int i = 0; i < steps; ++i, ++count) drift.step(t += dt, with_bounds, threads);
                    });
                    pairs = static_cast<double>(candidates) * steps;
                    share = static_cast<double>(drift.evaluated) / (static_cast<double>(candidates) * count);
                    drift.clock.on = with_bounds;
                    for (int i = 0; i < steps; ++i) drift.step(t += dt, with_bounds, threads);
                });
                const std::string who = with_bounds ? "tactus" : "tactus without motion bounds";
                rows.push_back({name, "pairs_per_s", "1/s", who, w, pairs / seconds});
                rows.push_back({name, "share of pairs by the narrow phase", "1", who, w, share});
                for (std::size_t i = 0; i < stage_names.size(); ++i)  // as the profiler of the demos shows them
                    if (const StageClock::Entry& entry = drift.clock.entries[i]; entry.calls > 0)
                        rows.push_back({name, "ms_per_step in " + std::string{stage_names[i]}, "ms", who, w,
                                        1e3 * entry.seconds / steps});
                if (with_bounds && w == 1) alone = seconds;
                if (with_bounds && w > 1 && alone > 0.0)
                    rows.push_back({name, "parallel efficiency", "1", who, w, alone / seconds / w});
                if (!with_bounds && w == 1) alone_all = seconds;
                if (!with_bounds && w > 1 && alone_all > 0.0)
                    rows.push_back({name, "parallel efficiency", "1", who, w, alone_all / seconds / w});
            }
        }
    }
    return rows;
}

}  // namespace bench
