// What solvers are told about accuracy.
#pragma once

#include <tactus/engine/integrators/solver.hpp>
#include <tactus/systems/kinematics/tree.hpp>

#include <vector>

namespace tactus::systems {

// Relative tolerance of a solver's steps for a motion of this accuracy.
double tolerance_of_steps(Solver solver, double tolerance);

// Of each state of an island; `length` [m] is the size of what is modelled.
std::vector<double> absolute_tolerances(const Tree& tree, std::size_t states, double length, double tolerance);

}  // namespace tactus::systems
