// Dynamics of a tree of super-objects, the thesis, eq. (2.5), (2.6): M(q) v' + h(q, v) = tau. Everything in O(n) but the
// mass matrix. Wrenches act on the links at their origins, in world axes; gravity is one of them.
//
// Forward dynamics is the articulated-body recursion, with all quantities in world axes and at the links' own origins:
// from a link to its parent only the reference point moves.
#pragma once

#include <tactus/engine/errors.hpp>
#include <tactus/engine/mechanics.hpp>
#include <tactus/engine/spatial.hpp>
#include <tactus/systems/kinematics/kinematics.hpp>

#include <Eigen/Core>

#include <span>
#include <vector>

namespace tactus::systems {

// A joint whose motion moves no mass: its acceleration is not determined.
class SingularMass : public Error {
public:
    SingularMass(std::size_t l, bool turning);
    std::size_t link;
    bool turning_only;  // there is mass, but no moment of inertia
};

// Memory of the recursions, so that no evaluation allocates.
struct DynamicsMemory {
    std::vector<SpatialInertia> inertia;  // articulated, at each link
    std::vector<Wrench> bias;
    std::vector<Twist> accelerations;
    std::vector<Wrench> columns;   // inertia times motion column, one for each speed
    std::vector<double> factors;   // inverse of each joint's own inertia, 9 numbers for each link
    std::vector<double> residual;  // one for each speed
    std::vector<double> driving;   // [N m] or [N] along each speed that is prescribed: what keeps it so, beyond tau

    void resize(const Tree& tree);
};

// dv = M^-1 (tau - h). Where speeds are prescribed their rates come in with dv, and memory.driving goes out.
void forward_dynamics(const Tree& tree, const TreeMotion& motion, std::span<const Wrench> wrenches,
                      std::span<const double> tau, DynamicsMemory& memory, std::span<double> dv);
void forward_dynamics(const Tree& tree, const TreeMotion& motion, std::span<const Wrench> wrenches,
                      std::span<const double> tau, DynamicsMemory& memory, std::span<double> dv, Workers& workers);

// tau = M dv + h. `reactions`, if not empty, receives the wrench that each link's joint exerts on it at its origin.
void inverse_dynamics(const Tree& tree, const TreeMotion& motion, std::span<const Wrench> wrenches,
                      std::span<const double> dv, DynamicsMemory& memory, std::span<double> tau,
                      std::span<Wrench> reactions = {});

// M(q); O(n depth)
void mass_matrix(const Tree& tree, const TreeMotion& motion, DynamicsMemory& memory, Eigen::Ref<Eigen::MatrixXd> M);

// Sums over all links.
double kinetic_energy(const Tree& tree, const TreeMotion& motion, std::span<const double> v);  // [J]
Momentum momentum(const Tree& tree, const TreeMotion& motion);

}  // namespace tactus::systems
