#include "benchmarks/bench.hpp"

namespace bench {

std::vector<Row> structure(int workers);
std::vector<Row> narrow_phase(int workers);
std::vector<Row> dynamics_of_trees(int workers);
long fuzz_narrow_phase(long count, std::uint64_t seed);

const std::vector<Benchmark>& all() {
    static const std::vector<Benchmark> benchmarks = {
        {"structure", "building super-objects from scratch, and after one change", structure},
        {"narrow", "signed distance of two solids: time and error, cold and warm, beside other libraries", narrow_phase,
         fuzz_narrow_phase},
        {"dynamics", "one evaluation of the equations of motion, and motions of equal accuracy, beside another engine",
         dynamics_of_trees},
    };
    return benchmarks;
}

}  // namespace bench
