// A rain of mixed shapes into a bin: for the throughput of collision detection.
#pragma once

#include <tactus/engine/world.hpp>

#include <vector>

namespace scenes {

struct Rain {
    int bodies = 30;
    int kinds =
        6;  // 1: spheres, 2: and ellipsoids, 3: and capsules, 6: and boxes, cylinders, frustums, rounded by 5 mm
    double tolerance = 1e-3;
    unsigned seed = 1;
};

// Bodies "body0", ... of about 0.1 m; a bin of "floor", "right", "left", "far", "near" around the origin. Gives the bodies
// back.
std::vector<tactus::Entity> rain(tactus::World& world, const Rain& options = {});
double rain_bin(int bodies);  // [m] inner width of the bin

}  // namespace scenes
