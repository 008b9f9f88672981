// What a World keeps while it moves; included by the files that move it only, because it brings all systems along.
#pragma once

#include <tactus/engine/world_impl.hpp>
#include <tactus/systems/integration/simulator.hpp>
#include <tactus/systems/results/recorder.hpp>

namespace tactus {

struct World::Impl::Motion {
    std::unique_ptr<systems::Simulator> simulator;  // of the present segment
    std::optional<double> time;                     // [s] once the World has moved, or has been looked at
    double start = 0.0;                             // [s] where that was
    systems::Recorder recorder;
    Results results;
    bool recording = false;
    bool moving = false;    // in advance or run ...
    bool stepping = false;  // ... where an integrator is at work
    std::vector<Segment> segments;
    Statistics before;                    // of earlier segments
    systems::Pace pace;                   // of steps, for calls with a budget
    systems::Simulator::Earlier earlier;  // of earlier segments
};

}  // namespace tactus
