// Hard random pairs for the narrow phase, each checked for what every answer has to fulfil.
#include "benchmarks/bench.hpp"
#include "tests/support/nasty_pairs.hpp"

#include <exception>
#include <iostream>

namespace bench {

long fuzz_narrow_phase(long count, std::uint64_t seed) {
    constexpr long shown = 20;
    const long stride = 1 + count / 5000;  // so many are compared with the reference, too: it takes milliseconds
    long failures = 0;
    for (long i = 0; i < count; ++i) {
        const tactus::test::NastyPair pair = tactus::test::nasty_pair(seed, static_cast<std::uint64_t>(i));
        tactus::test::InvariantOptions options;
        options.reference = i % stride == 0;
        if (!options.reference) options.directions = 20;
        std::string broken;
        try {
            broken = tactus::test::check_invariants(pair, tactus::test::query, options);
            if (broken.empty()) broken = tactus::test::check_warm_start(pair, options);
        } catch (const std::exception& error) { broken = error.what(); }
        if (!broken.empty() && ++failures <= shown) std::cerr << broken << "\n " << text(pair) << '\n';
    }
    if (failures > shown) std::cerr << "and " << failures - shown << " more\n";
    return failures;
}

}  // namespace bench
