// What solvers are told about accuracy.
#pragma once

#include <tactus/engine/integrators/integrator.hpp>
#include <tactus/systems/kinematics/tree.hpp>

#include <limits>
#include <span>
#include <vector>

namespace tactus::systems {

// Relative tolerance of a solver's steps for a motion of this accuracy, with so many coordinates and speeds.
double tolerance_of_steps(Solver solver, double tolerance, bool contacts, std::size_t states);

// Where a link touches others, places matter in proportion to how far solids give way, not to where they are in the world.
struct LinkTouch {
    double depth = std::numeric_limits<double>::infinity();  // [m] by which it gives way
    double arm = 0.0;                                        // [m] by which turning changes distances
    double rounding = 0.0;                                   // [m] of distances
    double speed_rounding = 0.0;                             // [m/s] what it makes of speeds while the link rests
};

// Of each state of an island; `length` [m] is the size of what is modelled. One LinkTouch for each link, or none.
// `drives` of the states come after the speeds, then energies.
IntegratorOptions state_tolerances(const Tree& tree, std::size_t states, std::size_t drives, double length,
                                   double tolerance, std::span<const LinkTouch> touches);

}  // namespace tactus::systems
