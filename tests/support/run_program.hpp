// Runs a program as a user would: its own process, its own streams, its real exit status, and a time limit.
#pragma once

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

namespace tactus::test {

struct Run {
    int status = -1;         // exit status; -1 if a signal ended it
    int signal = 0;          // that ended it
    bool timed_out = false;  // ended here, because it took too long
    std::string out, err;

    bool exited_with(int wanted) const { return !timed_out && signal == 0 && status == wanted; }
    std::string text() const {  // for the report of a failed test
        const auto part = [](const std::string& s) { return s.size() > 2000 ? s.substr(0, 2000) + " [...]" : s; };
        const std::string end = timed_out ? "took too long"
                                : signal  ? "signal " + std::to_string(signal)
                                          : "exit " + std::to_string(status);
        return end + "\nstdout: " + part(out) + "\nstderr: " + part(err);
    }
};

inline std::string text_of_file(const std::filesystem::path& file) {
    std::ostringstream text;
    text << std::ifstream{file, std::ios::binary}.rdbuf();
    return text.str();
}

// A folder of this process's own below TACTUS_BINARY_DIR, removed at the end.
class TemporaryFolder {
public:
    explicit TemporaryFolder(const std::string& name)
        : path_{std::filesystem::path{TACTUS_BINARY_DIR} / "Testing" / (name + "." + std::to_string(getpid()))} {
        std::filesystem::create_directories(path_);
    }
    ~TemporaryFolder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;

    const std::filesystem::path& path() const { return path_; }
    std::filesystem::path write(const std::string& name, const std::string& content) const {
        std::ofstream{path_ / name, std::ios::binary} << content;
        return path_ / name;
    }

private:
    std::filesystem::path path_;
};

// Streams go through files in `folder`: a pipe that nobody reads would stop a program that prints much.
inline Run run_program(const std::string& program, std::vector<std::string> arguments,
                       const std::filesystem::path& folder, std::chrono::seconds limit = std::chrono::seconds{20}) {
    const std::string out = folder / "stdout.txt", err = folder / "stderr.txt";
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_addopen(&actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, STDOUT_FILENO, out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    posix_spawn_file_actions_addopen(&actions, STDERR_FILENO, err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    arguments.insert(arguments.begin(), program);
    std::vector<char*> argv;
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    pid_t child = 0;
    const int failed = posix_spawn(&child, program.c_str(), &actions, nullptr, argv.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    if (failed != 0) throw std::runtime_error{"cannot start " + program};

    Run run;
    int status = 0;
    const auto end = std::chrono::steady_clock::now() + limit;
    for (auto pause = std::chrono::microseconds{500}; waitpid(child, &status, WNOHANG) == 0;) {
        if (std::chrono::steady_clock::now() > end) {
            run.timed_out = true;
            kill(child, SIGKILL);
            waitpid(child, &status, 0);
            break;
        }
        std::this_thread::sleep_for(pause);
        if (pause < std::chrono::milliseconds{20}) pause *= 2;
    }
    if (WIFEXITED(status)) run.status = WEXITSTATUS(status);
    if (WIFSIGNALED(status)) run.signal = WTERMSIG(status);
    run.out = text_of_file(out);
    run.err = text_of_file(err);
    return run;
}

}  // namespace tactus::test
