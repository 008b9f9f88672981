// The commands of `tactus`. Each returns the exit status: 0 success, 1 the run failed, 2 the input is wrong.
// JSON and results go to stdout, words to stderr.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>
#include <vector>

namespace cli {

enum ExitStatus { success = 0, failed = 1, wrong_input = 2 };

struct RunOptions {
    std::filesystem::path scene;
    std::optional<double> until, tolerance;  // [s], relative
    std::string solver, results;
    int workers = 0;
    bool final_states = false, json = false;
};

struct DemoOptions {
    std::string name;  // empty: the gallery
    bool headless = false, json = false, no_caption = false;
    std::optional<double> seconds;  // [s]
    std::string shot, video, size;  // files; "1280x720"
    int workers = 0, smoothness = 2;
    std::vector<std::string> parameters;  // "name=value"
};

int check(const std::filesystem::path& scene);
int tree(const std::filesystem::path& scene);
int run(const RunOptions& options);
int schema();
int demos(bool json);
int demo(const DemoOptions& options);
enum class BenchOutput { table, json, markdown };
int bench(const std::string& name, int workers, BenchOutput output);  // "all": each of them
int fuzz(const std::string& name, long count, std::uint64_t seed, int workers);

}  // namespace cli
