#include "benchmarks/bench.hpp"

namespace bench {

std::vector<Row> structure(int workers);

const std::vector<Benchmark>& all() {
    static const std::vector<Benchmark> benchmarks = {
        {"structure", "building super-objects from scratch, and after one change", structure},
    };
    return benchmarks;
}

}  // namespace bench
