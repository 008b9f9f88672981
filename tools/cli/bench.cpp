#include "benchmarks/bench.hpp"
#include "tools/cli/commands.hpp"

#include <nlohmann/json.hpp>

#include <algorithm>
#include <chrono>
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

std::string today() {
    const std::chrono::year_month_day date{std::chrono::floor<std::chrono::days>(std::chrono::system_clock::now())};
    char text[16];
    std::snprintf(text, sizeof text, "%04d-%02u-%02u", int{date.year()}, unsigned{date.month()}, unsigned{date.day()});
    return text;
}

struct Measured {
    const bench::Benchmark* benchmark;
    std::vector<bench::Row> rows;
};

// Of one benchmark, or of all of them: then each row says which one it belongs to.
void print_json(const std::string& name, const std::vector<Measured>& measured) {
    nlohmann::ordered_json json{
        {"bench", name}, {"machine", machine()}, {"date", today()}, {"rows", nlohmann::ordered_json::array()}};
    for (const Measured& m : measured)
        for (const bench::Row& row : m.rows) {
            nlohmann::ordered_json& j = json["rows"].emplace_back();
            if (measured.size() > 1) j["bench"] = m.benchmark->name;
            j["case"] = row.case_name;
            j["metric"] = row.metric;
            j["unit"] = row.unit;
            j["who"] = row.who;
            j["workers"] = row.workers;
            j["value"] = row.value;
        }
    std::cout << json.dump(1) << '\n';
}

// Tables of a documentation page: a line for each case and metric, a column for everybody who was measured.
void print_markdown(const std::vector<Measured>& measured) {
    std::printf("Measured on %s: %s.\n", today().c_str(), machine().c_str());
    for (const Measured& m : measured) {
        using Who = std::pair<std::string, int>;
        std::vector<Who> columns;
        std::vector<std::pair<std::string, std::map<Who, double>>> lines;
        for (const bench::Row& row : m.rows) {
            const Who who{row.who, row.workers};
            if (std::find(columns.begin(), columns.end(), who) == columns.end()) columns.push_back(who);
            std::string title = row.case_name + " | " + row.metric;
            if (row.unit != "1") title += " [" + row.unit + "]";
            auto line = std::find_if(lines.begin(), lines.end(), [&](const auto& l) { return l.first == title; });
            if (line == lines.end()) line = lines.insert(lines.end(), {title, {}});
            line->second[who] = row.value;
        }
        std::printf("\n## %s\n\n%s.\n\n| case | metric |", m.benchmark->name.c_str(), m.benchmark->what.c_str());
        for (const auto& [who, workers] : columns)
            std::printf(" %s%s |", who.c_str(),
                        workers > 1 ? (", " + std::to_string(workers) + " workers").c_str() : "");
        std::printf("\n|---|---|");
        for (std::size_t i = 0; i < columns.size(); ++i) std::printf("---|");
        std::printf("\n");
        for (const auto& [title, values] : lines) {
            std::printf("| %s |", title.c_str());
            for (const Who& who : columns)
                if (const auto value = values.find(who); value != values.end())
                    std::printf(value->second >= 1e3 && value->second < 1e9 ? " %.0f |" : " %.3g |", value->second);
                else
                    std::printf(" – |");
            std::printf("\n");
        }
    }
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
    std::cerr << "  all: each of them once\n";
    return nullptr;
}

}  // namespace

int bench(const std::string& name, int workers, BenchOutput output) {
    std::vector<Measured> measured;
    if (name == "all") {
        for (const bench::Benchmark& benchmark : bench::all()) {
            std::cerr << benchmark.name << " ...\n";
            measured.push_back({&benchmark, benchmark.run(workers)});
        }
    } else {
        const bench::Benchmark* benchmark = find(name);
        if (!benchmark) return wrong_input;
        measured.push_back({benchmark, benchmark->run(workers)});
    }
    switch (output) {
    case BenchOutput::json: print_json(name, measured); break;
    case BenchOutput::markdown: print_markdown(measured); break;
    case BenchOutput::table:
        for (const Measured& m : measured) {
            if (measured.size() > 1) std::printf("\n%s\n", m.benchmark->name.c_str());
            print_table(m.rows);
        }
    }
    return success;
}

int fuzz(const std::string& name, long count, std::uint64_t seed, int workers) {
    const bench::Benchmark* benchmark = find(name);
    if (!benchmark) return wrong_input;
    if (!benchmark->fuzz) {
        std::cerr << "tactus: the benchmark '" << name << "' has no --fuzz\n";
        return wrong_input;
    }
    const long failures = benchmark->fuzz(count, seed, workers);
    std::cerr << name << ": " << failures << " of " << count << " inputs break an invariant (seed " << seed << ")\n";
    return failures == 0 ? success : failed;
}

}  // namespace cli
