// Hard random pairs for the narrow phase, each checked for what every answer has to fulfil.
#include "benchmarks/bench.hpp"
#include "tests/support/nasty_pairs.hpp"

#include <tactus/engine/executor.hpp>
#include <tactus/engine/workers.hpp>

#include <exception>
#include <iostream>

namespace bench {

namespace {

constexpr std::size_t chunk = 1000;  // pairs
constexpr long shown = 20;

// What a chunk of the pairs broke: in a place of its own, so that the order is that of the pairs whoever did it.
struct Broken {
    long count = 0;
    std::vector<std::string> first;
};

std::string check(const tactus::test::NastyPair& pair, bool reference) {
    tactus::test::InvariantOptions options;
    options.reference = reference;
    if (!reference) options.directions = 20;
    try {
        return check_cold_and_warm(pair, options);
    } catch (const std::exception& error) { return error.what(); }
}

long print(const std::vector<Broken>& broken) {
    long failures = 0, printed = 0;
    for (const Broken& b : broken) {
        for (std::size_t i = 0; i < b.first.size() && printed < shown; ++i, ++printed) std::cerr << b.first[i] << '\n';
        failures += b.count;
    }
    if (failures > printed) std::cerr << "and " << failures - printed << " more\n";
    return failures;
}

}  // namespace

long fuzz_narrow_phase(long count, std::uint64_t seed, int workers) {
    const long stride = 1 + count / 5000;  // so many are compared with the reference, too: it takes milliseconds
    const auto pairs = static_cast<std::size_t>(count);
    std::vector<Broken> broken((pairs + chunk - 1) / chunk);
    const auto check_one = [&](std::size_t i, Broken& into) {
        const tactus::test::NastyPair pair = tactus::test::nasty_pair(seed, i);
        const std::string what = check(pair, static_cast<long>(i) % stride == 0);
        if (!what.empty() && ++into.count <= shown) into.first.push_back(what + "\n " + text(pair));
    };
    const tactus::OwnExecutor executor = tactus::make_executor(static_cast<std::size_t>(workers));
    tactus::Workers threads{*executor};
    threads.for_chunks(broken.size(), 1, [&](std::size_t begin, std::size_t end) {
        for (std::size_t c = begin; c < end; ++c)
            for (std::size_t i = c * chunk; i < std::min(pairs, (c + 1) * chunk); ++i) check_one(i, broken[c]);
    });
    return print(broken);
}

}  // namespace bench
