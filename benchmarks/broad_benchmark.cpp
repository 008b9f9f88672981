// Broad phase: time of a step, in which all boxes move and all overlapping pairs are listed, beside its peers.
//
// Boxes drift at constant velocities, by 1 to 2 % of the mean edge in a step ("fast": 10 to 20 %), in places that have
// nothing to do with their indices. Everyone gets the same boxes, and has to find the same number of pairs in every step.
// Some steps cost far more than others (when many boxes leave their margins), so a row is the mean over all steps, each
// one the fastest of some runs.
#include "benchmarks/bench.hpp"
#include "benchmarks/broad/peer.hpp"
#include "benchmarks/broad/scenes.hpp"

#include <tactus/systems/broad_phase/broad_phase.hpp>

#include <taskflow/taskflow.hpp>

#include <numeric>
#include <stdexcept>

namespace bench {

namespace {

using broad::Peer;

constexpr std::size_t warm_up_steps = 10, timed_steps = 50;

class Tactus : public Peer {
public:
    explicit Tactus(tactus::Workers& workers) : workers_{workers} {}
    std::string name() const override { return "tactus"; }

    void prepare(std::span<const tactus::Aabb> boxes) override {
        std::vector<std::uint32_t> groups(boxes.size());
        std::iota(groups.begin(), groups.end(), 1U);
        broad_.reset(groups, {});
        place(boxes);
    }
    void place(std::span<const tactus::Aabb> boxes) override { boxes_ = boxes; }

    std::size_t step() override {
        broad_.update(boxes_, workers_);
        return broad_.overlapping(boxes_, workers_).size();
    }

private:
    tactus::Workers& workers_;
    tactus::systems::BroadPhase broad_;
    std::span<const tactus::Aabb> boxes_;
};

struct Case {
    std::string name;
    broad::SceneDef scene;
    int runs;
};

std::vector<Case> cases() {
    std::vector<Case> list;
    for (const auto& [suffix, sizes] : {std::pair{"", broad::Sizes::like}, {"/spread", broad::Sizes::spread}})
        for (const int n : {1000, 10000, 100000})
            list.push_back({"n=" + std::to_string(n) + suffix, {.boxes = n, .sizes = sizes}, n > 10000 ? 2 : 4});
    list.push_back({"n=10000/fast", {.boxes = 10000, .slowest = 0.1, .fastest = 0.2}, 2});
    return list;
}

// Mean time of a step [ms]. `pairs` of each step: written by the first who is asked, compared with those of others.
double ms_per_step(Peer& peer, const Case& c, std::vector<std::size_t>& pairs) {
    std::vector<double> fastest_of(timed_steps, 1e300);  // [s]
    for (int run = 0; run < c.runs; ++run) {
        broad::Scene scene{c.scene};
        peer.prepare(scene.boxes());
        for (std::size_t i = 0; i < warm_up_steps + timed_steps; ++i) {
            scene.step();
            peer.place(scene.boxes());
            std::size_t found = 0;
            const double seconds = fastest(1, [&] { found = peer.step(); });
            if (i == pairs.size()) pairs.push_back(found);
            if (found != pairs[i])
                throw std::runtime_error("broad phase, " + c.name + ": " + peer.name() + " finds " +
                                         std::to_string(found) + " pairs, not " + std::to_string(pairs[i]));
            if (i < warm_up_steps) continue;
            double& best = fastest_of[i - warm_up_steps];
            best = std::min(best, seconds);
        }
    }
    return 1e3 * std::accumulate(fastest_of.begin(), fastest_of.end(), 0.0) / timed_steps;
}

}  // namespace

std::vector<Row> broad_phase(int workers) {
    tf::Executor executor{static_cast<std::size_t>(workers > 0 ? workers : 2)};
    tactus::Workers one, some{executor};
    std::vector<Row> rows;
    for (const Case& c : cases()) {
        std::vector<std::size_t> pairs;
        for (tactus::Workers* w : {&one, &some}) {
            if (w == &some && some.count() == 1) continue;
            w->enter([&] {
                Tactus tactus{*w};
                const double ms = ms_per_step(tactus, c, pairs);
                rows.push_back({c.name, "ms_per_step", "ms", tactus.name(), static_cast<int>(w->count()), ms});
            });
        }
        for (auto& peer : broad::peers()) {
            const double ms = ms_per_step(*peer, c, pairs);
            if (rows.back().who == peer->name())  // a variant: the better one counts
                rows.back().value = std::min(rows.back().value, ms);
            else
                rows.push_back({c.name, "ms_per_step", "ms", peer->name(), 1, ms});
        }
    }
    return rows;
}

}  // namespace bench
