#include "benchmarks/bench.hpp"

namespace bench {

std::vector<Row> structure(int workers);
std::vector<Row> narrow_phase(int workers);
std::vector<Row> broad_phase(int workers);
std::vector<Row> dynamics_of_trees(int workers);
std::vector<Row> pipeline(int workers);
std::vector<Row> billiards(int workers);
std::vector<Row> pile(int workers);
std::vector<Row> dominoes(int workers);
std::vector<Row> actions(int workers);
std::vector<Row> frames(int workers);
std::vector<Row> contact(int workers);
long fuzz_contact(long count, std::uint64_t seed, int workers);
long fuzz_narrow_phase(long count, std::uint64_t seed, int workers);

const std::vector<Benchmark>& all() {
    static const std::vector<Benchmark> benchmarks = {
        {"structure", "building super-objects from scratch, and after one change", structure},
        {"narrow", "signed distance of two solids: time and error, cold and warm, beside other libraries", narrow_phase,
         fuzz_narrow_phase},
        {"broad", "all overlapping pairs of n moving boxes: time of a step, beside other libraries", broad_phase},
        {"dynamics", "one evaluation of the equations of motion, and motions of equal accuracy, beside another engine",
         dynamics_of_trees},
        {"pipeline", "pairs per second through broad phase, narrow phase and response, with and without motion bounds",
         pipeline},
        {"contact", "random scenes of solids of every kind in a box: energy kept, contacts, time", contact,
         fuzz_contact},
        {"billiards", "the break of sixteen balls: time, steps, energy and symmetry", billiards},
        {"pile", "spheres dropped into a bin: time, and where it goes", pile},
        {"dominoes", "a row of dominoes that falls over: time, steps and events", dominoes},
        {"actions", "attach and release while the World moves", actions},
        {"frames", "how long frames with a budget of 4 ms take, and how far they fall behind", frames},
    };
    return benchmarks;
}

}  // namespace bench
