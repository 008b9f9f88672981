#include "benchmarks/dynamics/engine.hpp"

#ifdef TACTUS_PEER_SIMBODY
#include <dlfcn.h>

#include <cstdio>
#endif

namespace bench::dynamics {

std::vector<std::unique_ptr<Engine>> engines() {
    std::vector<std::unique_ptr<Engine>> list;
    list.push_back(make_tactus());
#ifdef TACTUS_PEER_SIMBODY
    // With its own symbols first; it stays loaded as long as the program runs.
    void* module = dlopen(TACTUS_PEER_SIMBODY, RTLD_NOW | RTLD_LOCAL | RTLD_DEEPBIND);
    void* make = module ? dlsym(module, "tactus_peer_engine") : nullptr;
    if (make)
        list.emplace_back(reinterpret_cast<Engine* (*)()>(make)());
    else
        std::fprintf(stderr, "tactus: runs without Simbody: %s\n", dlerror());
#endif
    return list;
}

}  // namespace bench::dynamics
