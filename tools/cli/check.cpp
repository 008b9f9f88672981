#include "tools/cli/commands.hpp"
#include "tools/cli/load.hpp"

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

int schema() {
    std::cout << tactus::scene_schema();
    return success;
}

}  // namespace cli
