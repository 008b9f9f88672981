// Random scenes of solids of every kind, checked from outside at every millisecond. `tactus bench contact --fuzz N` checks
// as many more as one likes.
#include "tests/support/contact_scenes.hpp"

#include <doctest/doctest.h>

using namespace tactus::test;

TEST_CASE("in a hundred random scenes nothing is missed, energy is kept, and none gives up") {
    const std::uint64_t seed = 1;
    for (std::uint64_t i = 0; i < 100; ++i) {
        const ContactScene scene = contact_scene(seed, i);
        const std::string wrong = check(scene, 0.1);
        CAPTURE(scene.text());
        CHECK(wrong == "");
    }
}
