// The commands of `tactus`. Each returns the exit status: 0 success, 1 the run failed, 2 the input is wrong.
// JSON and results go to stdout, words to stderr.
#pragma once

#include <cstdint>
#include <filesystem>
#include <optional>
#include <string>

namespace cli {

enum ExitStatus { success = 0, failed = 1, wrong_input = 2 };

struct RunOptions {
    std::filesystem::path scene;
    std::optional<double> until, tolerance;  // [s], relative
    std::string solver, results;
    int workers = 0;
    bool final_states = false, json = false;
};

int check(const std::filesystem::path& scene);
int tree(const std::filesystem::path& scene);
int run(const RunOptions& options);
int schema();
int demos(bool json);
int demo(const std::string& name);
int bench(const std::string& name, int workers, bool json);
int fuzz(const std::string& name, long count, std::uint64_t seed);

}  // namespace cli
