// Graphics: OpenGL in a window, or without any display. One at a time.
#pragma once

#include <memory>
#include <string>

namespace demos::app {

class Graphics {
public:
    ~Graphics();
    Graphics(const Graphics&) = delete;
    Graphics& operator=(const Graphics&) = delete;

    // Null if it cannot be had; then `why` says so.
    static std::unique_ptr<Graphics> window(const std::string& title, int width, int height, std::string& why);
    // Without a display: by an offscreen context of the graphics library, else on a virtual display that is started here.
    static std::unique_ptr<Graphics> offscreen(int width, int height, std::string& why);

    bool software() const { return software_; }  // the processor draws: less is more

private:
    Graphics() = default;
    bool open(const std::string& title, int width, int height, unsigned int flags);
    bool software_ = false;
    int display_process_ = 0;  // of a virtual display, started here
};

}  // namespace demos::app
