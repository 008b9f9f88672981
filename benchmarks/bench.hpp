// Benchmarks: a table of named ones; each gives rows, one for each measured number.
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <string>
#include <vector>

namespace bench {

struct Row {
    std::string case_name;  // e.g. "n=1000"
    std::string metric;     // e.g. "ns_per_object"
    std::string unit;
    std::string who;  // "tactus", or a peer
    int workers = 1;
    double value = 0.0;
};

struct Benchmark {
    std::string name;
    std::string what;                      // one sentence
    std::vector<Row> (*run)(int workers);  // workers 0: as the benchmark wants
    // Tries `count` hard random inputs and prints those that break an invariant; the number of them.
    long (*fuzz)(long count, std::uint64_t seed, int workers) = nullptr;  // workers 0: one for each core
};

const std::vector<Benchmark>& all();  // benchmarks/all.cpp

// Seconds that `work` takes: the fastest of `tries`, since everything else on a machine only adds.
template<class Work> double fastest(int tries, Work&& work) {
    double best = 1e300;
    for (int i = 0; i < tries; ++i) {
        const auto start = std::chrono::steady_clock::now();
        work();
        best = std::min(best, std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count());
    }
    return best;
}

}  // namespace bench
