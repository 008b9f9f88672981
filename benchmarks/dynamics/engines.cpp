#include "benchmarks/dynamics/engine.hpp"

#ifdef TACTUS_PEER_SIMBODY
#include <dlfcn.h>

#include <cstdio>
#endif

namespace bench::dynamics {

// Loaded once, with its own symbols first; it stays as long as the program runs.
void* simbody_function([[maybe_unused]] const char* name) {
#ifdef TACTUS_PEER_SIMBODY
    static void* const module = dlopen(TACTUS_PEER_SIMBODY, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    void* const function = module ? dlsym(module, name) : nullptr;
    if (!function) std::fprintf(stderr, "tactus: runs without Simbody: %s\n", dlerror());
    return function;
#else
    return nullptr;
#endif
}

std::vector<std::unique_ptr<Engine>> engines() {
    std::vector<std::unique_ptr<Engine>> list;
    list.push_back(make_tactus());
    if (void* make = simbody_function("tactus_peer_engine")) list.emplace_back(reinterpret_cast<Engine* (*)()>(make)());
    return list;
}

}  // namespace bench::dynamics
