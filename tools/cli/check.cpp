#include "tools/cli/commands.hpp"
#include "tools/cli/load.hpp"

#include <tactus/engine/not_yet.hpp>

namespace cli {

int check(const std::filesystem::path& scene) {
    tactus::World world;
    if (!load(scene, world)) return wrong_input;
    for (const tactus::Issue& issue : world.warnings())
        std::cerr << scene.string() << ": warning: " << issue.text() << '\n';
    std::cerr << scene.string() << ": good: " << world.elements().size() << " elements in "
              << world.super_objects().size() << " super-objects\n";
    return success;
}

int run(const RunOptions& options) {
    tactus::World world{{.workers = options.workers}};
    if (!load(options.scene, world)) return wrong_input;
    if (const double start = world.simulation().start_time; options.until && *options.until < start) {
        std::cerr << options.scene.string() << ": --until = " << *options.until << ": must be >= startTime (" << start
                  << ") [s]\n";
        return wrong_input;
    }
    for (const tactus::Issue& issue : tactus::not_yet_simulated(world))
        std::cerr << options.scene.string() << ": not yet simulated: " << issue.text() << '\n';
    return failed;
}

int schema() {
    std::cout << tactus::scene_schema();
    return success;
}

int demos(bool json) {
    if (json)
        std::cout << "[]\n";
    else
        std::cerr << "There are no demos yet. `tactus tree SCENE.json` prints what a scene is made of.\n";
    return success;
}

int demo(const std::string& name) {
    std::cerr << "tactus: there is no demo '" << name << "': this version has none yet\n";
    return wrong_input;
}

}  // namespace cli
