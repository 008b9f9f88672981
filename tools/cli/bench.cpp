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

}  // namespace

int bench(const std::string& name, int workers, bool json) {
    for (const bench::Benchmark& benchmark : bench::all()) {
        if (benchmark.name != name) continue;
        const std::vector<bench::Row> rows = benchmark.run(workers);
        if (json)
            print_json(name, rows);
        else
            print_table(rows);
        return success;
    }
    std::cerr << "tactus: there is no benchmark '" << name << "'; there are:\n";
    for (const bench::Benchmark& benchmark : bench::all())
        std::cerr << "  " << benchmark.name << ": " << benchmark.what << '\n';
    return wrong_input;
}

}  // namespace cli
