// World: motion along reference paths.
#include <tactus/engine/motion.hpp>

namespace tactus {

// Starts a motion over these points at `time` [s]; returns when it ends.
double World::Impl::start_path_motion(Entity path, const std::vector<std::vector<double>>&, double) {
    throw InputError({"", registry.get<Name>(path).path, "path", "", "is not simulated by this version yet"});
}

}  // namespace tactus
