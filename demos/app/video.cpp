#include "demos/app/video.hpp"

#include <cerrno>
#include <csignal>
#include <cstring>
#include <stdexcept>
#include <vector>

#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

namespace demos::app {

Video::Video(const std::filesystem::path& file, int width, int height, int frames_per_second)
    : file_{file}, width_{width}, height_{height} {
    int ends[2];
    if (pipe(ends) != 0) throw std::runtime_error("no pipe to ffmpeg can be made");
    std::signal(SIGPIPE, SIG_IGN);  // an ffmpeg that ends early is told by write()
    std::vector<std::string> words{"ffmpeg",
                                   "-y",
                                   "-loglevel",
                                   "error",
                                   "-f",
                                   "rawvideo",
                                   "-pix_fmt",
                                   "rgba",
                                   "-s",
                                   std::to_string(width) + "x" + std::to_string(height),
                                   "-r",
                                   std::to_string(frames_per_second),
                                   "-i",
                                   "pipe:0",
                                   "-vf",
                                   "pad=ceil(iw/2)*2:ceil(ih/2)*2",
                                   "-c:v",
                                   "libx264",
                                   "-pix_fmt",
                                   "yuv420p",
                                   "-crf",
                                   "18",
                                   "-movflags",
                                   "+faststart",
                                   "file:" + file.string()};
    std::vector<char*> arguments;
    for (std::string& word : words) arguments.push_back(word.data());
    arguments.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawn_file_actions_init(&actions);
    posix_spawn_file_actions_adddup2(&actions, ends[0], STDIN_FILENO);
    posix_spawn_file_actions_addclose(&actions, ends[0]);
    posix_spawn_file_actions_addclose(&actions, ends[1]);
    pid_t child = 0;
    const int failed = posix_spawnp(&child, "ffmpeg", &actions, nullptr, arguments.data(), environ);
    posix_spawn_file_actions_destroy(&actions);
    close(ends[0]);
    if (failed != 0) {
        close(ends[1]);
        throw std::runtime_error(std::string{"ffmpeg cannot be started ("} + std::strerror(failed) +
                                 "): install it, or run tools/setup demos");
    }
    process_ = child;
    to_ffmpeg_ = ends[1];
}

Video::~Video() {
    try {
        finish();
    } catch (const std::exception&) {}
}

void Video::add(const Image& image) {
    if (image.width != width_ || image.height != height_)
        throw std::runtime_error(file_.string() + ": a picture has another size than the film");
    const char* data = static_cast<const char*>(image.data);
    std::size_t left = 4u * static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_);
    while (left > 0) {
        const ssize_t written = write(to_ffmpeg_, data, left);
        if (written < 0 && errno == EINTR) continue;
        if (written <= 0) throw std::runtime_error(file_.string() + ": ffmpeg has stopped early");
        data += written;
        left -= static_cast<std::size_t>(written);
    }
    ++frames_;
}

void Video::finish() {
    if (process_ == 0) return;
    close(to_ffmpeg_);
    int status = 0;
    while (waitpid(process_, &status, 0) < 0 && errno == EINTR) {}
    process_ = 0;
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw std::runtime_error(file_.string() + ": ffmpeg could not write it");
}

}  // namespace demos::app
