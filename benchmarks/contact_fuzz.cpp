// Random scenes with contact, each checked from outside: nothing missed, energy kept, none gives up.
#include "benchmarks/bench.hpp"
#include "tests/support/contact_scenes.hpp"

#include <tactus/engine/executor.hpp>
#include <tactus/engine/workers.hpp>

#include <iostream>
#include <mutex>

namespace bench {

// Twelve scenes at each tolerance.
std::vector<Row> contact(int workers) {
    std::vector<Row> rows;
    for (const double tolerance : {1e-5, 1e-7, 1e-9}) {
        double worst = 0.0, broken = 0.0;
        const double wall = fastest(1, [&] {
            for (std::uint64_t i = 0; i < 12; ++i) {
                tactus::test::ContactScene scene = tactus::test::contact_scene(12, i);
                scene.tolerance = tolerance;
                double drift = 0.0;
                broken += !check(scene, 0.2, &drift).empty();
                worst = std::max(worst, drift);
            }
        });
        char name[40];
        std::snprintf(name, sizeof name, "tolerance %.0e", tolerance);
        const auto add = [&](const char* metric, const char* unit, double value) {
            rows.push_back({name, metric, unit, "tactus", std::max(1, workers), value});
        };
        add("largest change of energy", "1", worst);
        add("scenes that break an invariant", "1", broken);
        add("wall_s", "s", wall);
    }
    return rows;
}

long fuzz_contact(long count, std::uint64_t seed, int workers) {
    constexpr double seconds = 0.5;
    const tactus::OwnExecutor executor = tactus::make_executor(static_cast<std::size_t>(workers));
    tactus::Workers threads{*executor};
    std::vector<std::string> broken(static_cast<std::size_t>(count));
    std::mutex told;
    threads.for_chunks(broken.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) {
            const tactus::test::ContactScene scene = tactus::test::contact_scene(seed, i);
            broken[i] = check(scene, seconds);
            if (broken[i].empty()) continue;
            const std::lock_guard lock{told};  // as soon as it is known: a whole run takes hours
            std::cerr << scene.text() << "\n  " << broken[i] << std::endl;
        }
    });
    return std::count_if(broken.begin(), broken.end(), [](const std::string& what) { return !what.empty(); });
}

}  // namespace bench
