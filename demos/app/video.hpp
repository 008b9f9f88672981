// Video: pictures that ffmpeg makes a film of.
#pragma once

#include <raylib.h>

#include <filesystem>
#include <string>

namespace demos::app {

class Video {
public:
    // Throws std::runtime_error if ffmpeg cannot be started.
    Video(const std::filesystem::path& file, int width, int height, int frames_per_second = 60);
    ~Video();
    Video(const Video&) = delete;
    Video& operator=(const Video&) = delete;

    void add(const Image& image);  // of the size given; waits until ffmpeg has taken it: none is dropped
    void finish();                 // throws if ffmpeg did not make a file of it
    int frames() const { return frames_; }

private:
    std::filesystem::path file_;
    int width_, height_, frames_ = 0;
    int process_ = 0, to_ffmpeg_ = -1;
};

}  // namespace demos::app
