// NewtonMatrix: solves the systems (I - gamma df/dx) d = r of implicit integrators for x = (q, v, e), with only as many
// unknowns as there are speeds.
//
// With q' = N(q) v and M v' = tau(q, v) the coordinates can be eliminated, dq = r_q + gamma N dv, and what is left is
//
//   (M - gamma D - gamma^2 K) dv = M r_v + gamma K N^+ r_q,    D = dtau/dv,  K = dtau/dq N
//
// D and K hold what may be stiff: contacts, springs and dampers, and the gyroscopic torques of free bodies. How M, N and the
// directions of contacts change with q is left out: Newton's method makes up for it, and only its speed depends on that.
//
// Two ways to solve it. By blocks: one for each link, and one for each pair of links that a joint, a contact or a force
// element couples. Links that carry each other are all coupled, so chains of many links have a full matrix. Where links are
// coupled only with those that carry them and with what stands still, the articulated-body recursion of forward dynamics
// does it in time proportional to the number of links, with slopes added to the inertia of links and joints.
//
// Links whose motion is prescribed have no unknowns. States x of drives (StateCoupling) are eliminated like coordinates:
// dx = r_x + gamma (f_q dq + f_v dv); so are
// those of couplings.
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
    enum class Way { best, blocks };
    void set_pattern(const Tree& tree, std::span<const Coupling> couplings, std::span<const SpeedCoupling> speeds,
                     Way way = Way::best);

    // M, D and K at an instant; couplings as those of the pattern.
    void linearise(const Tree& tree, const TreeMotion& motion, std::span<const double> q,
                   std::span<const Coupling> couplings, std::span<const SpeedCoupling> speeds,
                   std::span<const StateCoupling> drives = {});

    bool factor(double gamma);              // false: singular
    bool factored_for(double gamma) const;  // closely enough

    // Whether a matrix made with the slopes `then` does where they are `now`: none of them has changed so much that a
    // correction would leave more than a tenth of an error along it.
    bool holds(std::span<const Coupling> then, std::span<const Coupling> now, double gamma) const;
    bool holds(std::span<const SpeedCoupling> then, std::span<const SpeedCoupling> now, double gamma) const;

    // In place. r_e, if not null, belongs to the energy that couplings dissipate; r_x to the states of drives, r_s to those of
    // couplings, which want r_e.
    void solve(const Tree& tree, std::span<const Coupling> couplings, std::span<double> r_q, std::span<double> r_v,
               double* r_e, std::span<double> r_x = {}, std::span<double> r_s = {});

    // Whether one of the couplings with a state decides what becomes of a motion in a step, rather than inertia.
    bool held_stiffly(std::span<const Coupling> couplings, double gamma) const;

    // Of the last solution: its largest relative motion, as a share of that which would change the slopes of a coupling by
    // their own size. 0 if it did not ask for r_e.
    double reach() const { return reach_; }
    bool recursive() const { return recursive_; }

    // For tests, by blocks.
    const BlockMatrix& mass() const { return M_; }
    const BlockMatrix& by_speed() const { return D_; }
    const BlockMatrix& by_place() const { return K_; }

private:
    using Columns = Eigen::Matrix<double, 6, Eigen::Dynamic, 0, 6, 6>;

    using Square = Eigen::Matrix<double, Eigen::Dynamic, Eigen::Dynamic, 0, 6, 6>;

    // A link of the recursion, about its origin.
    struct Joined {
        int carrier = 0;
        Vec3 r = Vec3::Zero();                            // [m] origin, from that of the carrier
        Mat6 inertia, by_speed, by_place;                 // of the link
        Square armature, joint_by_speed, joint_by_place;  // of its joint, along its speeds
        Square own;                                       // what the joint adds: armature - gamma (...)
        Mat6 total;                                       // of the link with all that it carries
        Columns left, right;                              // total S D^-1 and (S^T total)^T, D = S^T total S + own
        Square inverse;                                   // D^-1
        Vec6 moved, wrench;                               // of a right side or a solution
    };

    bool recursive_ = false;
    std::vector<Joined> joined_;
    double reach_ = 0.0;
    BlockMatrix M_, D_, K_, A_;
    BlockLU lu_;
    double gamma_ = 0.0;
    bool flat_ = true;                    // no link carries another
    std::vector<std::vector<int>> path_;  // of each link: itself and the links that carry it, but only those that have
                                          // unknowns
    std::vector<int> node_;               // of each link; -1: it has no unknowns (the world, prescribed ones)
    std::vector<int> link_of_speed_;
    std::vector<char> free_;         // of each link: it moves freely, with the velocity in world axes, or is the world
    std::vector<char> moves_;        // of each link: it, or one that carries it, has unknowns
    std::vector<double*> diagonal_;  // of A_, where drives with states act
    std::vector<StateCoupling> drives_;
    std::vector<Columns> columns_;  // of each link: its motions at its origin
    std::vector<Vec3> origin_;
    std::vector<SpatialInertia> inertia_;  // of each link with all that it carries
    struct Ease {
        double moving = 0.0, turning = 0.0;  // [1/kg], [1/(kg m^2)] of a link by itself; 0: it does not move
        Vec3 com = Vec3::Zero();             // [m] centre of mass from the origin
    };
    Vec6 ease_at(const Coupling& c) const;
    std::vector<Ease> ease_;
    std::vector<double> ease_of_speed_;
    std::vector<double> q_;  // where it was linearised
    std::vector<double> shift_, product_, rhs_;
    std::vector<Twist> moved_, sped_;  // links, by a solution

    int node(int link) const { return node_[static_cast<std::size_t>(link)]; }
    bool has_unknowns(std::size_t link) const { return node_[link] >= 0; }
    Columns columns_at(int link, const Vec3& point_W) const;
    void add(const Columns& left, int i, const Mat6& C, const Columns& right, int j, double sign,
             BlockMatrix& to) const;
    void add(const Coupling& coupling, const Mat6& C, BlockMatrix& to) const;
    void add_own(int i, const Mat6& C, BlockMatrix& to) const;
    void add_between_free(const Coupling& coupling, const Mat6& C, BlockMatrix& to) const;
    void find_ease(const Tree& tree, const TreeMotion& motion);
    void add_masses(const Tree& tree, const TreeMotion& motion);
    void add_gyroscopic(const Tree& tree, const TreeMotion& motion);
    bool may_recur(const Tree& tree, std::span<const Coupling> couplings, std::span<const SpeedCoupling> speeds) const;
    void linearise_links(const Tree& tree, const TreeMotion& motion, std::span<const Coupling> couplings,
                         std::span<const SpeedCoupling> speeds);
    bool factor_links();
    void add_right_sides(const Tree& tree, std::span<const double> r_v);
    void solve_links(const Tree& tree, std::span<double> rhs);
    double* entry(BlockMatrix& to, const Tree& tree, int i, int j) const;
    void push(const Tree& tree, const Coupling& coupling, const Vec6& wrench);
    double follow_couplings(const Tree& tree, std::span<const Coupling> couplings, std::span<const double> dv,
                            std::span<double> r_s);
};

}  // namespace tactus::systems
