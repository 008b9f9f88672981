#include "benchmarks/bench.hpp"
#include "tools/cli/commands.hpp"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <fstream>
#include <iostream>
#include <map>
#include <thread>

namespace cli {

namespace {

std::string machine() {
    std::string model = "unknown processor";
    std::ifstream info{"/proc/cpuinfo"};
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name")) {
            model = line.substr(line.find(':') + 2);
            break;
        }
    return model + ", " + std::to_string(std::thread::hardware_concurrency()) + " threads";
}

void print_json(const std::string& name, const std::vector<bench::Row>& rows) {
    nlohmann::ordered_json json{{"bench", name}, {"machine", machine()}, {"rows", nlohmann::ordered_json::array()}};
    for (const bench::Row& row : rows)
        json["rows"].push_back({{"case", row.case_name},
                                {"metric", row.metric},
                                {"unit", row.unit},
                                {"who", row.who},
                                {"workers", row.workers},
                                {"value", row.value}});
    std::cout << json.dump(1) << '\n';
}

// The ratio says how many times as much a peer needs.
void print_table(const std::vector<bench::Row>& rows) {
    std::map<std::pair<std::string, std::string>, double> own;
    for (const bench::Row& row : rows)
        if (row.who == "tactus") own.insert({{row.case_name, row.metric}, row.value});
    std::printf("%-24s %-24s %-14s %7s %12s %-8s %6s\n", "case", "metric", "who", "workers", "value", "unit", "ratio");
    for (const bench::Row& row : rows) {
        const auto base = own.find({row.case_name, row.metric});
        std::printf("%-24s %-24s %-14s %7d %12.5g %-8s", row.case_name.c_str(), row.metric.c_str(), row.who.c_str(),
                    row.workers, row.value, row.unit.c_str());
        if (base != own.end() && base->second > 0 && row.who != "tactus")
            std::printf(" %6.2f", row.value / base->second);
        std::printf("\n");
    }
}

// The benchmark of that name; without one, a message and null.
const bench::Benchmark* find(const std::string& name) {
    for (const bench::Benchmark& benchmark : bench::all())
        if (benchmark.name == name) return &benchmark;
    std::cerr << "tactus: there is no benchmark '" << name << "'; there are:\n";
    for (const bench::Benchmark& benchmark : bench::all())
        std::cerr << "  " << benchmark.name << ": " << benchmark.what << '\n';
    return nullptr;
}

}  // namespace

int bench(const std::string& name, int workers, bool json) {
    const bench::Benchmark* benchmark = find(name);
    if (!benchmark) return wrong_input;
    const std::vector<bench::Row> rows = benchmark->run(workers);
    if (json)
        print_json(name, rows);
    else
        print_table(rows);
    return success;
}

int fuzz(const std::string& name, long count, std::uint64_t seed) {
    const bench::Benchmark* benchmark = find(name);
    if (!benchmark) return wrong_input;
    if (!benchmark->fuzz) {
        std::cerr << "tactus: the benchmark '" << name << "' has no --fuzz\n";
        return wrong_input;
    }
    const long failures = benchmark->fuzz(count, seed);
    std::cerr << name << ": " << failures << " of " << count << " inputs break an invariant (seed " << seed << ")\n";
    return failures == 0 ? success : failed;
}

}  // namespace cli
