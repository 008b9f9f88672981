// Hard random pairs: each answer fulfils every invariant; some are compared with the reference.
#include "tests/support/nasty_pairs.hpp"

#include <doctest/doctest.h>

#include <exception>

using namespace tactus::test;

TEST_CASE("hard random pairs break no invariant") {
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
    constexpr std::uint64_t count = 20000;
#else
    constexpr std::uint64_t count = 100000;
#endif
    constexpr std::uint64_t seed = 1;
    int failures = 0;
    for (std::uint64_t i = 0; i < count; ++i) {
        const NastyPair pair = nasty_pair(seed, i);
        InvariantOptions options;
        options.reference = i % 100 == 0;
        if (!options.reference) options.directions = 20;
        std::string broken;
        try {
            broken = check_invariants(pair, query, options);
        } catch (const std::exception& error) { broken = error.what(); }
        if (broken.empty()) continue;
        ++failures;
        if (failures <= 20) MESSAGE(broken << "\n " << text(pair));
    }
    CHECK(failures == 0);
}
