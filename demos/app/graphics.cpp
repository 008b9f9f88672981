#include "demos/app/graphics.hpp"

#include <raylib.h>
#include <rlgl.h>

#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <string_view>

#include <csignal>
#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#ifdef __linux__
#include <sys/prctl.h>
#endif
#ifdef __SANITIZE_ADDRESS__
#include <dlfcn.h>
#include <link.h>
#include <vector>
#endif

namespace demos::app {

namespace {

std::string last_warning;
std::string renderer_name;

// raylib's own words are kept for errors instead of being printed; a fatal one would end the program otherwise.
void listen(int level, const char* format, va_list arguments) {
    char line[512];
    std::vsnprintf(line, sizeof line, format, arguments);
    const std::string_view text = line;
    if (const auto at = text.find("> Renderer:"); at != std::string_view::npos) renderer_name = text.substr(at + 11);
    if (level >= LOG_WARNING) last_warning = line;
}

#ifdef __SANITIZE_ADDRESS__
// A search for leaks knows those of drivers by the names of their libraries, and these only while they are loaded.
void keep_libraries_loaded() {
    std::vector<std::string> names;
    const auto note = [](dl_phdr_info* library, std::size_t, void* list) {
        if (library->dlpi_name) static_cast<std::vector<std::string>*>(list)->push_back(library->dlpi_name);
        return 0;
    };
    dl_iterate_phdr(note, &names);
    for (const std::string& name : names)
        if (void* library = dlopen(name.c_str(), RTLD_LAZY | RTLD_NOLOAD | RTLD_NODELETE)) dlclose(library);
}
#else
void keep_libraries_loaded() {}
#endif

// Whether a window can be opened, tried by a child: a failed try leaves libraries in a state that has no way back.
bool can_open(const char* driver) {
    std::fflush(nullptr);
    const pid_t child = fork();
    if (child < 0) return false;
    if (child == 0) {
        const int nowhere = ::open("/dev/null", O_RDWR);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
        setenv("SDL_VIDEODRIVER", driver, 1);
        SetTraceLogCallback(listen);
        SetConfigFlags(FLAG_WINDOW_HIDDEN);
        InitWindow(16, 16, "");
        _exit(IsWindowReady() && rlGetVersion() >= RL_OPENGL_33 ? 0 : 1);
    }
    int status = 0;
    while (waitpid(child, &status, 0) < 0) {}
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

// Starts a virtual display and makes it the one of this process; 0 if there is no such program.
int start_virtual_display() {
    int to_us[2];
    if (pipe(to_us) != 0) return 0;
    const pid_t child = fork();
    if (child == 0) {
        close(to_us[0]);
        const int nowhere = ::open("/dev/null", O_RDWR);
        dup2(nowhere, STDIN_FILENO);
        dup2(nowhere, STDOUT_FILENO);
        dup2(nowhere, STDERR_FILENO);
#ifdef __linux__
        prctl(PR_SET_PDEATHSIG, SIGTERM);  // however this program ends
#endif
        const std::string number = std::to_string(to_us[1]);
        execlp("Xvfb", "Xvfb", "-displayfd", number.c_str(), "-screen", "0", "2560x1440x24", "-nolisten", "tcp",
               nullptr);
        _exit(127);
    }
    close(to_us[1]);
    std::string display = ":";
    for (char c = 0; child > 0 && read(to_us[0], &c, 1) == 1 && c != '\n';) display += c;
    close(to_us[0]);
    if (display.size() == 1) {
        if (child > 0) waitpid(child, nullptr, 0);
        return 0;
    }
    setenv("DISPLAY", display.c_str(), 1);
    return child;
}

}  // namespace

bool Graphics::open(const std::string& title, int width, int height, unsigned int flags) {
    SetTraceLogCallback(listen);
    SetConfigFlags(flags);
    InitWindow(width, height, title.c_str());
    if (!IsWindowReady() || rlGetVersion() < RL_OPENGL_33) return false;
    keep_libraries_loaded();
    SetExitKey(KEY_NULL);
    for (const char* name : {"llvmpipe", "softpipe", "swrast", "SWR"})
        if (renderer_name.find(name) != std::string::npos) software_ = true;
    return true;
}

Graphics::~Graphics() {
    if (IsWindowReady()) CloseWindow();
    if (display_process_ > 0) {
        kill(display_process_, SIGTERM);
        waitpid(display_process_, nullptr, 0);
    }
}

std::unique_ptr<Graphics> Graphics::window(const std::string& title, int width, int height, std::string& why) {
#ifdef __linux__
    if (!std::getenv("SDL_VIDEODRIVER")) {
        const bool x11 = std::getenv("DISPLAY"), wayland = std::getenv("WAYLAND_DISPLAY");
        if (!x11 && !wayland) {
            why = "there is no display (DISPLAY and WAYLAND_DISPLAY are not set)";
            return nullptr;
        }
        // Where neither answers, SDL would go on with a window that nobody sees.
        setenv("SDL_VIDEODRIVER", x11 && wayland ? "x11,wayland" : x11 ? "x11" : "wayland", 1);
    }
#endif
    std::unique_ptr<Graphics> graphics{new Graphics};
    if (graphics->open(title, width, height, FLAG_WINDOW_RESIZABLE)) return graphics;
    why = "no window with OpenGL 3.3 can be opened" + (last_warning.empty() ? "" : ": " + last_warning);
    return nullptr;
}

std::unique_ptr<Graphics> Graphics::offscreen(int width, int height, std::string& why) {
    std::unique_ptr<Graphics> graphics{new Graphics};
    const char* driver = "offscreen";
    if (!can_open(driver)) {
        driver = "x11";
        if (!std::getenv("DISPLAY") || !can_open(driver)) graphics->display_process_ = start_virtual_display();
        if (graphics->display_process_ == 0 && !std::getenv("DISPLAY")) {
            why = "no OpenGL 3.3: neither an offscreen context nor a virtual display (Xvfb) can be had; install Mesa "
                  "(Debian: libgl1-mesa-dri, libegl1) or Xvfb, or run tools/setup demos";
            return nullptr;
        }
    }
    setenv("SDL_VIDEODRIVER", driver, 1);
    setenv("SDL_NO_SIGNAL_HANDLERS", "1",
           1);  // Ctrl-C ends the program: there is no window that could be asked to close
    if (graphics->open("tactus", width, height, FLAG_WINDOW_HIDDEN)) return graphics;
    why = "no OpenGL 3.3 without a display" + (last_warning.empty() ? "" : ": " + last_warning);
    return nullptr;
}

}  // namespace demos::app
