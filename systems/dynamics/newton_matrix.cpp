#include <tactus/systems/dynamics/newton_matrix.hpp>

#include <tactus/systems/dynamics/rigid_link.hpp>
#include <tactus/systems/kinematics/joint_kinematics.hpp>

#include <Eigen/LU>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

namespace {

std::size_t at(int i) { return static_cast<std::size_t>(i); }

// N^+ dq: the small motion along a joint's speeds that changes its coordinates by dq. A quaternion's length does not matter.
void motion_of(const Link& link, const double* q, const double* dq, double* motion) {
    const int nv = speeds(link.kind);
    const auto quaternion = turning(link.kind);
    for (int i = 0; i < nv; ++i) motion[i] = dq[i];
    if (!quaternion) return;
    const double *p = q + quaternion->q, *d = dq + quaternion->q;
    const double scale = 2.0 / (p[0] * p[0] + p[1] * p[1] + p[2] * p[2] + p[3] * p[3]);
    double* w = motion + quaternion->v;  // twice the vector part of conj(p) d
    w[0] = scale * (p[3] * d[0] - p[0] * d[3] - p[1] * d[2] + p[2] * d[1]);
    w[1] = scale * (p[3] * d[1] - p[1] * d[3] - p[2] * d[0] + p[0] * d[2]);
    w[2] = scale * (p[3] * d[2] - p[2] * d[3] - p[0] * d[1] + p[1] * d[0]);
}

Mat6 as_matrix(const SpatialInertia& I) {
    Mat6 m;
    m << I.A, I.B, I.B.transpose(), I.C;
    return m;
}

// Links that nothing but the world carries: of their gyroscopic torques the turning speeds are all that matters.
bool turns_freely(const Link& link) { return link.kind == JointKind::free && link.parent == 0; }

Mat6 gyroscopic(const Link& link, const LinkMotion& B) {
    const Vec3 &w = B.velocity.w, &c = B.com_W;
    const Mat3 force = link.mass * (skew(w.cross(c)) + skew(w) * skew(c));
    Mat6 C = Mat6::Zero();
    C.topLeftCorner<3, 3>() = skew(B.inertia_W * w) - skew(w) * B.inertia_W + skew(c) * force;
    C.bottomLeftCorner<3, 3>() = force;
    return C;
}

Vec6 moved_by(const Vec6& twist, const Vec3& r) {  // to a point of the same body
    Vec6 moved = twist;
    moved.tail<3>() += Vec3{twist.head<3>()}.cross(r);
    return moved;
}

Vec6 wrench_moved_by(const Vec6& wrench, const Vec3& r) {  // from a point at r to where r counts from
    Vec6 moved = wrench;
    moved.head<3>() += r.cross(Vec3{wrench.tail<3>()});
    return moved;
}

// X^T C X, for motions at a point r from the origin: X moves a twist there.
Mat6 seen_from_origin(const Mat6& C, const Vec3& r) {
    const Mat3 R = skew(r);
    Mat6 moved = C;
    moved.leftCols<3>() -= C.rightCols<3>() * R;
    const Eigen::Matrix<double, 3, 6> forces = moved.bottomRows<3>();
    moved.topRows<3>() += R * forces;
    return moved;
}

}  // namespace

void NewtonMatrix::set_pattern(const Tree& tree, std::span<const Coupling> couplings,
                               std::span<const SpeedCoupling> speed_couplings, Way way) {
    const int n = static_cast<int>(tree.size());
    std::vector<int> sizes;
    node_.assign(tree.size(), -1);
    moves_.assign(tree.size(), false);
    free_.assign(tree.size(), false);
    free_[0] = true;
    link_of_speed_.assign(at(tree.nv), 0);
    flat_ = tree.flat;
    for (int i = 1; i < n; ++i) {
        const Link& link = tree.links[at(i)];
        moves_[at(i)] = !link.prescribed || moves_[at(link.parent)];
        if (link.prescribed) continue;
        node_[at(i)] = static_cast<int>(sizes.size());
        sizes.push_back(speeds(link.kind));
        for (int k = 0; k < sizes.back(); ++k) link_of_speed_[at(link.v0 + k)] = i;
    }
    columns_.resize(tree.size());
    origin_.assign(tree.size(), Vec3::Zero());
    inertia_.resize(tree.size());
    ease_.assign(tree.size(), {});
    ease_of_speed_.assign(at(tree.nv), 0.0);
    moved_.resize(tree.size());
    sped_.resize(tree.size());
    q_.resize(at(tree.nq));
    for (auto* v : {&shift_, &product_, &rhs_}) v->resize(at(tree.integrated_v));

    recursive_ = way == Way::best && may_recur(tree, couplings, speed_couplings);
    joined_.resize(recursive_ ? tree.size() : 0);
    if (recursive_) return;

    std::vector<std::pair<int, int>> pairs;
    path_.assign(tree.size(), {});
    for (int i = 1; i < n; ++i) {
        const auto& carriers = path_[at(tree.links[at(i)].parent)];
        if (has_unknowns(at(i))) {
            path_[at(i)].push_back(i);
            for (const int carrier : carriers) pairs.emplace_back(node(i), node(carrier));
        }
        path_[at(i)].insert(path_[at(i)].end(), carriers.begin(), carriers.end());
    }
    for (const Coupling& c : couplings)
        for (const int i : path_[c.a])
            for (const int j : path_[c.b])
                if (i != j) pairs.emplace_back(node(i), node(j));
    for (const SpeedCoupling& s : speed_couplings)
        if (const int i = node(link_of_speed_[at(s.i)]), j = node(link_of_speed_[at(s.j)]); i >= 0 && j >= 0 && i != j)
            pairs.emplace_back(i, j);
    M_.set_pattern(sizes, pairs);
    if (M_.same_pattern(A_)) return;
    for (BlockMatrix* m : {&D_, &K_, &A_}) m->set_pattern(sizes, pairs);
    lu_.analyze(A_);
}

// Flat trees are as well off with blocks.
bool NewtonMatrix::may_recur(const Tree& tree, std::span<const Coupling> couplings,
                             std::span<const SpeedCoupling> speed_couplings) const {
    const auto carries = [&](std::uint32_t a, std::uint32_t b) { return tree.links[b].parent == static_cast<int>(a); };
    const auto along_tree = [&](const Coupling& c) {
        return !moves_[c.a] || !moves_[c.b] || carries(c.a, c.b) || carries(c.b, c.a);
    };
    const auto in_one_joint = [&](const SpeedCoupling& s) {
        const int i = link_of_speed_[at(s.i)], j = link_of_speed_[at(s.j)];
        return i == j || i == 0 || j == 0;
    };
    return !flat_ && std::ranges::all_of(couplings, along_tree) && std::ranges::all_of(speed_couplings, in_one_joint);
}

NewtonMatrix::Columns NewtonMatrix::columns_at(int link, const Vec3& point_W) const {
    Columns c = columns_[at(link)];
    const Vec3 r = point_W - origin_[at(link)];
    for (Eigen::Index k = 0; k < c.cols(); ++k) c.col(k).tail<3>() += Vec3{c.col(k).head<3>()}.cross(r);
    return c;
}

void NewtonMatrix::add(const Columns& left, int i, const Mat6& C, const Columns& right, int j, double sign,
                       BlockMatrix& to) const {
    double* block = to.block(to.block_index(node(i), node(j)));
    if (left.cols() == 6 && right.cols() == 6) {
        const Mat6 l = left, r = right;
        Eigen::Map<Mat6>{block} += sign * (l.transpose() * (C * r));
    } else {
        Eigen::Map<Eigen::MatrixXd>{block, left.cols(), right.cols()} += sign * (left.transpose() * (C * right));
    }
}

// S^T C S of one link, at its origin.
void NewtonMatrix::add_own(int i, const Mat6& C, BlockMatrix& to) const {
    const Columns& S = columns_[at(i)];
    if (!free_[at(i)]) return add(S, i, C, S, i, 1.0, to);
    const Mat3 R = S.topRightCorner<3, 3>();
    Eigen::Map<Mat6> block{to.block(to.block_index(node(i), node(i)))};
    block.topLeftCorner<3, 3>() += C.bottomRightCorner<3, 3>();
    block.topRightCorner<3, 3>() += C.bottomLeftCorner<3, 3>() * R;
    block.bottomLeftCorner<3, 3>() += R.transpose() * C.topRightCorner<3, 3>();
    block.bottomRightCorner<3, 3>() += R.transpose() * (C.topLeftCorner<3, 3>() * R);
}

// Where both move freely, or one does and the other stands still: speeds are those of the origin, in world axes, and of
// turning, in the link's own.
void NewtonMatrix::add_between_free(const Coupling& c, const Mat6& C, BlockMatrix& to) const {
    const auto sides = {std::tuple{c.a, &c.arm_a, -1.0}, std::tuple{c.b, &c.arm_b, 1.0}};
    for (const auto& [column, column_arm, column_sign] : sides) {
        if (!has_unknowns(column)) continue;
        const Mat3 R = columns_[column].topRightCorner<3, 3>();
        // By the motion of the origin: turning moves the point by w x arm.
        const Mat3 turning_top = (C.topLeftCorner<3, 3>() - C.topRightCorner<3, 3>() * skew(*column_arm)) * R;
        const Mat3 turning_bottom = (C.bottomLeftCorner<3, 3>() - C.bottomRightCorner<3, 3>() * skew(*column_arm)) * R;
        for (const auto& [row, row_arm, row_sign] : sides) {
            if (!has_unknowns(row)) continue;
            const Mat3 R_T = columns_[row].topRightCorner<3, 3>().transpose();
            const Mat3 arm = skew(*row_arm);
            Eigen::Map<Mat6> block{
                to.block(to.block_index(node(static_cast<int>(row)), node(static_cast<int>(column))))};
            const double sign = row_sign * column_sign;
            block.topLeftCorner<3, 3>() += sign * C.bottomRightCorner<3, 3>();
            block.topRightCorner<3, 3>() += sign * turning_bottom;
            block.bottomLeftCorner<3, 3>() +=
                sign * (R_T * (C.topRightCorner<3, 3>() + arm * C.bottomRightCorner<3, 3>()));
            block.bottomRightCorner<3, 3>() += sign * (R_T * (turning_top + arm * turning_bottom));
        }
    }
}

void NewtonMatrix::add(const Coupling& c, const Mat6& C, BlockMatrix& to) const {
    if (C.isZero(0.0)) return;
    if (free_[c.a] && free_[c.b]) return add_between_free(c, C, to);
    const Vec3 point_a = origin_[c.a] + c.arm_a, point_b = origin_[c.b] + c.arm_b;
    const auto sides = {std::tuple{c.a, &point_a, -1.0}, std::tuple{c.b, &point_b, 1.0}};
    for (const auto& [row, row_point, row_sign] : sides)
        for (const auto& [column, column_point, column_sign] : sides)
            for (const int i : path_[row]) {
                const Columns left = columns_at(i, *row_point);
                for (const int j : path_[column])
                    add(left, i, C, columns_at(j, *column_point), j, row_sign * column_sign, to);
            }
}

// How easily links move by themselves, whatever else they may be joined to: more easily than they do.
void NewtonMatrix::find_ease(const Tree& tree, const TreeMotion& motion) {
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const Link& link = tree.links[i];
        const double inertia = motion.links[i].inertia_W.trace() / 3.0;
        const bool moves = moves_[i];
        ease_[i] = {moves && link.mass > 0.0 ? 1.0 / link.mass : 0.0, moves && inertia > 0.0 ? 1.0 / inertia : 0.0,
                    motion.links[i].com_W};
        if (link.prescribed) continue;
        const Mat6 I = as_matrix(inertia_[i]);
        for (Eigen::Index k = 0; k < columns_[i].cols(); ++k) {
            const double own = columns_[i].col(k).dot(I * columns_[i].col(k)) + link.armature;
            ease_of_speed_[at(link.v0) + static_cast<std::size_t>(k)] = own > 0.0 ? 1.0 / own : 0.0;
        }
    }
}

// Every link with all that it carries, then each of its motions against those of the links that carry it.
void NewtonMatrix::add_masses(const Tree& tree, const TreeMotion& motion) {
    const int n = static_cast<int>(tree.size());
    if (!flat_)
        for (int i = n - 1; i > 0; --i)
            if (const int parent = tree.links[at(i)].parent; parent > 0)
                inertia_[at(parent)].add_moved_by(inertia_[at(i)], motion.links[at(i)].r_W);
    for (int i = 1; i < n; ++i) {
        const Link& link = tree.links[at(i)];
        if (link.prescribed) continue;
        if (link.armature > 0.0) *entry(M_, tree, link.v0, link.v0) += link.armature;
        const Mat6 I = as_matrix(inertia_[at(i)]);
        add_own(i, I, M_);
        for (const int j : path_[at(i)]) {
            if (j == i) continue;
            const Columns right = columns_at(j, origin_[at(i)]);
            add(columns_[at(i)], i, I, right, j, 1.0, M_);
            add(right, j, I, columns_[at(i)], i, 1.0, M_);
        }
    }
}

void NewtonMatrix::add_gyroscopic(const Tree& tree, const TreeMotion& motion) {
    for (std::size_t i = 1; i < tree.size(); ++i)
        if (turns_freely(tree.links[i])) add_own(static_cast<int>(i), gyroscopic(tree.links[i], motion.links[i]), D_);
}

double* NewtonMatrix::entry(BlockMatrix& to, const Tree& tree, int i, int j) const {
    const int a = link_of_speed_[at(i)], b = link_of_speed_[at(j)];
    const int row = i - tree.links[at(a)].v0, column = j - tree.links[at(b)].v0;
    return to.block(to.block_index(node(a), node(b))) + row + column * to.size(node(a));
}

void NewtonMatrix::linearise(const Tree& tree, const TreeMotion& motion, std::span<const double> q,
                             std::span<const Coupling> couplings, std::span<const SpeedCoupling> speed_couplings,
                             std::span<const StateCoupling> drives) {
    std::copy(q.begin(), q.end(), q_.begin());
    for (std::size_t i = 1; i < tree.size(); ++i) {
        origin_[i] = motion.links[i].p_W;
        const auto S = motion.columns_of(tree.links[i]);
        columns_[i].resize(6, static_cast<Eigen::Index>(S.size()));
        for (std::size_t k = 0; k < S.size(); ++k) columns_[i].col(static_cast<Eigen::Index>(k)) << S[k].w, S[k].v;
    }
    for (std::size_t i = 1; i < tree.size(); ++i)
        free_[i] =
            has_unknowns(i) && turns_freely(tree.links[i]) && columns_[i].bottomLeftCorner<3, 3>() == Mat3::Identity();
    for (std::size_t i = 1; i < tree.size(); ++i) inertia_[i] = rigid_inertia(tree.links[i], motion.links[i]);
    find_ease(tree, motion);
    drives_.assign(drives.begin(), drives.end());
    diagonal_.clear();
    if (recursive_) return linearise_links(tree, motion, couplings, speed_couplings);

    for (BlockMatrix* m : {&M_, &D_, &K_}) m->set_zero();
    add_masses(tree, motion);
    add_gyroscopic(tree, motion);
    for (const Coupling& c : couplings) {
        add(c, c.by_place, K_);
        add(c, c.by_speed, D_);
    }
    for (const SpeedCoupling& s : speed_couplings) {
        if (s.i >= tree.integrated_v || s.j >= tree.integrated_v) continue;
        *entry(K_, tree, s.i, s.j) += s.by_place;
        *entry(D_, tree, s.i, s.j) += s.by_speed;
    }
    for (const StateCoupling& d : drives_)
        diagonal_.push_back(d.j < tree.integrated_v ? entry(A_, tree, d.j, d.j) : nullptr);
}

bool NewtonMatrix::factor(double gamma) {
    gamma_ = gamma;
    if (recursive_) {
        for (Joined& j : std::span{joined_}.subspan(1))
            j.own = j.armature - gamma * (j.joint_by_speed + gamma * j.joint_by_place);
    } else {
        const auto M = M_.values(), D = D_.values(), K = K_.values();
        const auto A = A_.values();
        for (std::size_t i = 0; i < A.size(); ++i) A[i] = M[i] - gamma * (D[i] + gamma * K[i]);
    }
    for (std::size_t i = 0; i < drives_.size(); ++i)
        if (diagonal_[i])
            *diagonal_[i] -=
                gamma * gamma * drives_[i].tau_by_state * (drives_[i].rate_by_speed + gamma * drives_[i].rate_by_place);
    return recursive_ ? factor_links() : lu_.factor(A_);
}

// -- By recursion -----------------------------------------------------------------------------------------------------

void NewtonMatrix::linearise_links(const Tree& tree, const TreeMotion& motion, std::span<const Coupling> couplings,
                                   std::span<const SpeedCoupling> speed_couplings) {
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const Link& link = tree.links[i];
        Joined& j = joined_[i];
        j.carrier = link.parent;
        j.r = motion.links[i].r_W;
        j.inertia = as_matrix(inertia_[i]);
        j.by_speed = turns_freely(link) ? gyroscopic(link, motion.links[i]) : Mat6{Mat6::Zero()};
        j.by_place.setZero();
        const Eigen::Index n = has_unknowns(i) ? columns_[i].cols() : 0;
        for (Square* s : {&j.armature, &j.joint_by_speed, &j.joint_by_place}) s->setZero(n, n);
        if (n == 1) j.armature(0, 0) = link.armature;
    }
    for (const Coupling& c : couplings) {
        // Against what stands still it acts on the other link, against the carrier along the joint between them.
        const auto on_link = [&](std::uint32_t link, const Vec3& arm) {
            joined_[link].by_speed += seen_from_origin(c.by_speed, arm);
            joined_[link].by_place += seen_from_origin(c.by_place, arm);
        };
        const auto in_joint = [&](std::uint32_t link, const Vec3& arm) {
            if (!has_unknowns(link)) return;
            const Columns& S = columns_[link];
            joined_[link].joint_by_speed += S.transpose() * seen_from_origin(c.by_speed, arm) * S;
            joined_[link].joint_by_place += S.transpose() * seen_from_origin(c.by_place, arm) * S;
        };
        if (c.a == c.b) continue;
        if (!moves_[c.a] && !moves_[c.b]) continue;
        if (!moves_[c.a])
            on_link(c.b, c.arm_b);
        else if (!moves_[c.b])
            on_link(c.a, c.arm_a);
        else if (tree.links[c.b].parent == static_cast<int>(c.a))
            in_joint(c.b, c.arm_b);
        else
            in_joint(c.a, c.arm_a);
    }
    const auto place = [&](int speed) {
        const int link = link_of_speed_[at(speed)];
        return std::pair{at(link), static_cast<Eigen::Index>(speed - tree.links[at(link)].v0)};
    };
    for (const SpeedCoupling& s : speed_couplings) {
        if (s.i >= tree.integrated_v || s.j >= tree.integrated_v) continue;
        const auto [link, row] = place(s.i);
        const Eigen::Index column = place(s.j).second;
        joined_[link].joint_by_place(row, column) += s.by_place;
        joined_[link].joint_by_speed(row, column) += s.by_speed;
    }
    for (Joined& j : std::span{joined_}.subspan(1)) j.own = j.armature;
    for (const StateCoupling& d : drives_) {
        diagonal_.push_back(nullptr);
        if (d.j >= tree.integrated_v) continue;
        const auto [link, row] = place(d.j);
        diagonal_.back() = &joined_[link].own(row, row);
    }
}

bool NewtonMatrix::factor_links() {
    for (Joined& j : std::span{joined_}.subspan(1)) j.total = j.inertia - gamma_ * (j.by_speed + gamma_ * j.by_place);
    for (std::size_t i = joined_.size(); i-- > 1;) {
        Joined& j = joined_[i];
        if (has_unknowns(i)) {
            const Columns& S = columns_[i];
            const Columns U = j.total * S;
            j.right = j.total.transpose() * S;
            const Square D = S.transpose() * U + j.own;
            // Motions of different units are scaled to each other first.
            const auto scale = D.diagonal().cwiseAbs().cwiseSqrt().cwiseInverse().eval();
            const Square scaled = scale.asDiagonal() * D * scale.asDiagonal();
            if (!scaled.allFinite()) return false;
            const Eigen::PartialPivLU<Square> lu{scaled};
            if (!(lu.matrixLU().diagonal().cwiseAbs().minCoeff() > 1e-15)) return false;
            j.inverse = scale.asDiagonal() * lu.inverse() * scale.asDiagonal();
            j.left = U * j.inverse;
            j.total -= j.left * j.right.transpose();
        }
        if (j.carrier > 0) joined_[at(j.carrier)].total += seen_from_origin(j.total, j.r);
    }
    return true;
}

// rhs_ = M r_v + gamma K shift_, but for what links hand down to those that carry them: that is left in their wrenches.
void NewtonMatrix::add_right_sides(const Tree& tree, std::span<const double> r_v) {
    joined_[0].moved.setZero();
    joined_[0].wrench.setZero();
    for (std::size_t i = 1; i < joined_.size(); ++i) {
        Joined& j = joined_[i];
        const Joined& carrier = joined_[at(j.carrier)];
        j.moved = moved_by(carrier.moved, j.r);
        j.wrench = moved_by(carrier.wrench, j.r);  // the small motion, for now
        if (!has_unknowns(i)) continue;
        const auto v0 = static_cast<std::size_t>(tree.links[i].v0);
        const Eigen::Index n = columns_[i].cols();
        const Eigen::Map<const Eigen::VectorXd> r{&r_v[v0], n}, shift{&shift_[v0], n};
        Eigen::Map<Eigen::VectorXd> rhs{&rhs_[v0], n};
        j.moved.noalias() += columns_[i] * r;
        j.wrench.noalias() += columns_[i] * shift;
        rhs.noalias() = j.armature.lazyProduct(r);
        rhs.noalias() += gamma_ * j.joint_by_place.lazyProduct(shift);
    }
    for (std::size_t i = 1; i < joined_.size(); ++i) {
        Joined& j = joined_[i];
        j.wrench = j.inertia * j.moved + gamma_ * (j.by_place * j.wrench).eval();
    }
}

void NewtonMatrix::solve_links(const Tree& tree, std::span<double> rhs) {
    for (std::size_t i = joined_.size(); i-- > 1;) {
        Joined& j = joined_[i];
        if (has_unknowns(i)) {
            const Eigen::Index n = columns_[i].cols();
            Eigen::Map<Eigen::VectorXd> u{&rhs[static_cast<std::size_t>(tree.links[i].v0)], n};
            u.noalias() += columns_[i].transpose().lazyProduct(j.wrench);
            j.wrench.noalias() -= j.left.lazyProduct(u);
        }
        if (j.carrier > 0) joined_[at(j.carrier)].wrench += wrench_moved_by(j.wrench, j.r);
    }
    joined_[0].moved.setZero();
    for (std::size_t i = 1; i < joined_.size(); ++i) {
        Joined& j = joined_[i];
        j.moved = moved_by(joined_[at(j.carrier)].moved, j.r);
        if (!has_unknowns(i)) continue;
        const Eigen::Index n = columns_[i].cols();
        Eigen::Map<Eigen::VectorXd> u{&rhs[static_cast<std::size_t>(tree.links[i].v0)], n};
        Eigen::Matrix<double, Eigen::Dynamic, 1, 0, 6, 1> rest = u;
        rest.noalias() -= j.right.transpose().lazyProduct(j.moved);
        u.noalias() = j.inverse.lazyProduct(rest);
        j.moved.noalias() += columns_[i].lazyProduct(u);
    }
}

// -- Both ways --------------------------------------------------------------------------------------------------------

bool NewtonMatrix::factored_for(double gamma) const { return std::abs(gamma - gamma_) <= 0.1 * gamma_; }

namespace {

constexpr double most_left = 0.1;  // of an error, by a correction

}  // namespace

// Roots of how easily the two links of a coupling are turned [1/(kg m^2)] and moved [1/kg] against each other, at its place.
Vec6 NewtonMatrix::ease_at(const Coupling& c) const {
    const Ease &a = ease_[c.a], &b = ease_[c.b];
    const double turning = a.turning + b.turning;
    const double moving =
        a.moving + a.turning * (c.arm_a - a.com).squaredNorm() + b.moving + b.turning * (c.arm_b - b.com).squaredNorm();
    Vec6 ease;
    ease << Vec3::Constant(std::sqrt(turning)), Vec3::Constant(std::sqrt(moving));
    return ease;
}

bool NewtonMatrix::held_stiffly(std::span<const Coupling> couplings, double gamma) const {
    for (const Coupling& c : couplings) {
        if (c.state < 0) continue;
        const Vec6 scale = ease_at(c);
        const Mat6 matrix = scale.asDiagonal() * (gamma * (c.by_speed + gamma * c.by_place)) * scale.asDiagonal();
        if (matrix.squaredNorm() > 1.0) return true;
    }
    return false;
}

// With the wrench C u that a relative motion u of two links causes, C = gamma D + gamma^2 K, and their ease W at the point
// where it acts, an error u becomes (1 - W C)^-1 W (C_now - C) u by a correction.
bool NewtonMatrix::holds(std::span<const Coupling> then, std::span<const Coupling> now, double gamma) const {
    if (then.size() != now.size()) return false;
    for (std::size_t i = 0; i < then.size(); ++i) {
        const Coupling &c = then[i], &d = now[i];
        if (c.a != d.a || c.b != d.b) return false;
        const Vec6 scale = ease_at(d);
        Mat6 change = gamma * (d.by_speed - c.by_speed + gamma * (d.by_place - c.by_place));
        change = scale.asDiagonal() * change * scale.asDiagonal();
        if (change.squaredNorm() <= most_left * most_left) continue;
        Mat6 matrix = -gamma * (c.by_speed + gamma * c.by_place);
        matrix = scale.asDiagonal() * matrix * scale.asDiagonal();
        matrix.diagonal().array() += 1.0;
        if (!(matrix.partialPivLu().solve(change).squaredNorm() <= most_left * most_left)) return false;
    }
    return true;
}

bool NewtonMatrix::holds(std::span<const SpeedCoupling> then, std::span<const SpeedCoupling> now, double gamma) const {
    for (std::size_t k = 0; k < then.size(); ++k) {
        const SpeedCoupling &c = then[k], &d = now[k];
        const double ease = gamma * std::sqrt(ease_of_speed_[at(c.i)] * ease_of_speed_[at(c.j)]);
        const double change = d.by_speed - c.by_speed + gamma * (d.by_place - c.by_place);
        if (!(std::abs(ease * change) <= most_left * (1.0 + std::abs(ease * (c.by_speed + gamma * c.by_place)))))
            return false;
    }
    return then.size() == now.size();
}

void NewtonMatrix::solve(const Tree& tree, std::span<const Coupling> couplings, std::span<double> r_q,
                         std::span<double> r_v, double* r_e, std::span<double> r_x, std::span<double> r_s) {
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const Link& link = tree.links[i];
        if (link.prescribed) continue;
        motion_of(link, q_.data() + link.q0, r_q.data() + link.q0, shift_.data() + link.v0);
    }
    if (recursive_) {
        add_right_sides(tree, r_v);
    } else {
        M_.multiply(r_v, rhs_);
        K_.multiply(shift_, product_);
        for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] += gamma_ * product_[i];
    }
    for (std::size_t i = 0; i < drives_.size(); ++i) {
        const StateCoupling& d = drives_[i];
        if (diagonal_[i])
            rhs_[at(d.j)] += gamma_ * d.tau_by_state * (r_x[i] + gamma_ * d.rate_by_place * shift_[at(d.j)]);
    }
    if (!r_s.empty())
        for (const Coupling& c : couplings) {
            if (c.state < 0) continue;
            const Eigen::Map<const Eigen::Vector4d> r{&r_s[static_cast<std::size_t>(c.state)]};
            push(tree, c, gamma_ / (1.0 + gamma_ * c.decay) * (c.by_state * r));
        }
    if (recursive_)
        solve_links(tree, rhs_);
    else
        lu_.solve(rhs_);
    std::copy(rhs_.begin(), rhs_.end(), r_v.begin());
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const Link& link = tree.links[i];
        if (link.prescribed) continue;
        double rates[7];
        coordinate_rates(link.kind, q_.data() + link.q0, r_v.data() + link.v0, rates);
        for (int k = 0; k < coordinates(link.kind); ++k) r_q[at(link.q0 + k)] += gamma_ * rates[k];
    }
    for (std::size_t i = 0; i < shift_.size(); ++i) shift_[i] += gamma_ * r_v[i];
    for (std::size_t i = 0; i < drives_.size(); ++i) {
        const StateCoupling& d = drives_[i];
        if (diagonal_[i]) r_x[i] += gamma_ * (d.rate_by_place * shift_[at(d.j)] + d.rate_by_speed * r_v[at(d.j)]);
    }
    reach_ = 0.0;
    if (!r_e) return;
    *r_e += gamma_ * follow_couplings(tree, couplings, r_v, r_s);
}

// Adds a wrench of a coupling to the right side.
void NewtonMatrix::push(const Tree& tree, const Coupling& c, const Vec6& wrench) {
    const auto add_to = [&](std::uint32_t link, const Vec3& arm, double sign) {
        const auto about = [&](const Vec3& r) {  // the same wrench at a point that it is r from
            Vec6 w = sign * wrench;
            w.head<3>() += r.cross(w.tail<3>());
            return w;
        };
        if (recursive_) {
            joined_[link].wrench += about(arm);
            return;
        }
        for (const int i : path_[link]) {
            const Columns& S = columns_[at(i)];
            Eigen::Map<Eigen::VectorXd> rhs{&rhs_[at(tree.links[at(i)].v0)], S.cols()};
            rhs.noalias() += S.transpose() * about(arm + origin_[link] - origin_[at(i)]);
        }
    };
    if (c.b != 0) add_to(c.b, c.arm_b, 1.0);
    if (c.a != 0) add_to(c.a, c.arm_a, -1.0);
}

// What follows from small motions shift_ and changes dv of the speeds: states of couplings, and [W] the dissipation.
double NewtonMatrix::follow_couplings(const Tree& tree, std::span<const Coupling> couplings, std::span<const double> dv,
                                      std::span<double> r_s) {
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const Link& link = tree.links[i];
        const auto parent = at(link.parent);
        const Vec3 r = origin_[i] - origin_[parent];
        moved_[i] = {moved_[parent].w, moved_[parent].v + moved_[parent].w.cross(r)};
        sped_[i] = {sped_[parent].w, sped_[parent].v + sped_[parent].w.cross(r)};
        if (link.prescribed) continue;
        for (Eigen::Index k = 0; k < columns_[i].cols(); ++k) {
            const Twist S{columns_[i].col(k).head<3>(), columns_[i].col(k).tail<3>()};
            const auto speed = at(link.v0) + static_cast<std::size_t>(k);
            moved_[i] = moved_[i] + S * shift_[speed];
            sped_[i] = sped_[i] + S * dv[speed];
        }
    }
    double sum = 0.0;
    for (const Coupling& c : couplings) {
        const auto relative = [&](const std::vector<Twist>& t) {
            Vec6 u;
            u << t[c.b].w - t[c.a].w, t[c.b].v + t[c.b].w.cross(c.arm_b) - t[c.a].v - t[c.a].w.cross(c.arm_a);
            return u;
        };
        const Vec6 moved = relative(moved_), sped = relative(sped_);
        sum += c.power_by_place.dot(moved) + c.power_by_speed.dot(sped);
        if (c.state >= 0 && !r_s.empty()) {
            Eigen::Map<Eigen::Vector4d> s{&r_s[static_cast<std::size_t>(c.state)]};
            s = (s + gamma_ * (c.rate_by_speed * sped)) / (1.0 + gamma_ * c.decay);
        }
        const auto reach = [&](double size, double range) {
            if (size > 0.0) reach_ = std::max(reach_, size / range);
        };
        reach(moved.tail<3>().norm(), c.place_range);
        reach(sped.tail<3>().norm(), c.speed_range);
        reach(sped.head<3>().norm(), c.spin_range);
    }
    return sum;
}

}  // namespace tactus::systems
