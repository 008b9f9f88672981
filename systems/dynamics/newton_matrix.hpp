// NewtonMatrix: solves the systems (I - gamma df/dx) d = r of implicit integrators for x = (q, v, e), with only as many
// unknowns as there are speeds.
//
// With q' = N(q) v and M v' = tau(q, v) the coordinates can be eliminated, dq = r_q + gamma N dv, and what is left is
//
//   (M - gamma D - gamma^2 K) dv = M r_v + gamma K N^+ r_q,    D = dtau/dv,  K = dtau/dq N
//
// One block for each link, and one for each pair of links that a joint, a contact or a force element couples. D and K hold
// what may be stiff: contacts, springs and dampers, and the gyroscopic torques of free bodies. How M, N and the directions
// of contacts change with q is left out: Newton's method makes up for it, and only its speed depends on that.
//
// Links whose motion is prescribed have no unknowns. States x of drives (StateCoupling) are eliminated like coordinates:
// dx = r_x + gamma (f_q dq + f_v dv).
#pragma once

#include <tactus/engine/linear/block_lu.hpp>
#include <tactus/systems/dynamics/coupling.hpp>
#include <tactus/systems/dynamics/dynamics.hpp>

#include <span>
#include <vector>

namespace tactus::systems {

class NewtonMatrix {
public:
    // Which links are coupled, only. Whenever that changes; linearise() must follow.
    void set_pattern(const Tree& tree, std::span<const Coupling> couplings, std::span<const SpeedCoupling> speeds);

    // M, D and K at an instant; couplings as those of the pattern.
    void linearise(const Tree& tree, const TreeMotion& motion, std::span<const double> q,
                   std::span<const Coupling> couplings, std::span<const SpeedCoupling> speeds,
                   std::span<const StateCoupling> drives = {});

    bool factor(double gamma);  // false: singular

    // In place. r_e, if not null, belongs to the energy that couplings dissipate; r_x to the states of drives.
    void solve(const Tree& tree, std::span<const Coupling> couplings, std::span<double> r_q, std::span<double> r_v,
               double* r_e, std::span<double> r_x = {});

    // For tests.
    const BlockMatrix& mass() const { return M_; }
    const BlockMatrix& by_speed() const { return D_; }
    const BlockMatrix& by_place() const { return K_; }

private:
    using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;

    BlockMatrix M_, D_, K_, A_;
    BlockLU lu_;
    double gamma_ = 0.0;
    bool flat_ = true;                    // no link carries another
    std::vector<std::vector<int>> path_;  // of each link: itself and the links that carry it, but only those that have
                                          // unknowns
    std::vector<int> node_;               // of each link; -1: it has no unknowns (the world, prescribed ones)
    std::vector<int> link_of_speed_;
    std::vector<double*> diagonal_;  // of A_, where drives with states act
    std::vector<StateCoupling> drives_;
    std::vector<Columns> columns_;  // of each link: its motions at its origin
    std::vector<Vec3> origin_;
    std::vector<SpatialInertia> inertia_;  // of each link with all that it carries
    std::vector<double> q_;                // where it was linearised
    std::vector<double> shift_, product_, rhs_;
    std::vector<Twist> moved_, sped_;  // links, by a solution

    int node(int link) const { return node_[static_cast<std::size_t>(link)]; }
    Columns columns_at(int link, const Vec3& point_W) const;
    void add(const Columns& left, int i, const Mat6& C, const Columns& right, int j, double sign,
             BlockMatrix& to) const;
    void add(const Coupling& coupling, const Mat6& C, BlockMatrix& to) const;
    void add_masses(const Tree& tree, const TreeMotion& motion);
    void add_gyroscopic(const Tree& tree, const TreeMotion& motion);
    double* entry(BlockMatrix& to, const Tree& tree, int i, int j) const;
    double dissipation_change(const Tree& tree, std::span<const Coupling> couplings, std::span<const double> dv);
};

}  // namespace tactus::systems
