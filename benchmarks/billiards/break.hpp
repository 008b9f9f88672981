// The break of a rack of balls, for engines that are not ours: plain numbers, so that an adapter needs nothing of Tactus.
#pragma once

namespace bench {

struct BreakSurface {
    double modulus = 0.0;      // [Pa] E / (1 - nu^2)
    double dissipation = 0.0;  // [s/m] d of f = K p^1.5 (1 + d p')
    double friction = 0.0;     // [1]
};

struct BreakModel {
    int balls = 0;
    const double* places = nullptr;  // [m] x, y, z of each; the cue ball first
    double radius = 0.0, mass = 0.0, speed = 0.0;
    double half_length = 0.0, half_width = 0.0;  // [m] between the cushions
    BreakSurface ball, table, cushion;
};

struct BreakResult {
    double wall = 0.0;  // [s]
    double evaluations = 0.0;
};

// Of the module of an engine: simulates some seconds at an accuracy.
using SimulateBreak = BreakResult (*)(const BreakModel& model, double seconds, double accuracy);

}  // namespace bench
