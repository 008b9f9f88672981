#include <tactus/systems/dynamics/newton_matrix.hpp>

#include <tactus/systems/dynamics/rigid_link.hpp>
#include <tactus/systems/kinematics/joint_kinematics.hpp>

#include <algorithm>

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

}  // namespace

void NewtonMatrix::set_pattern(const Tree& tree, std::span<const Coupling> couplings,
                               std::span<const SpeedCoupling> speed_couplings) {
    const int n = static_cast<int>(tree.size());
    std::vector<int> sizes;
    std::vector<std::pair<int, int>> pairs;
    path_.assign(tree.size(), {});
    node_.assign(tree.size(), -1);
    link_of_speed_.assign(at(tree.nv), 0);
    flat_ = tree.flat;
    for (int i = 1; i < n; ++i) {
        const Link& link = tree.links[at(i)];
        const auto& carriers = path_[at(link.parent)];
        if (!link.prescribed) {
            node_[at(i)] = static_cast<int>(sizes.size());
            sizes.push_back(speeds(link.kind));
            for (int k = 0; k < sizes.back(); ++k) link_of_speed_[at(link.v0 + k)] = i;
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
    columns_.resize(tree.size());
    origin_.assign(tree.size(), Vec3::Zero());
    inertia_.resize(tree.size());
    moved_.resize(tree.size());
    sped_.resize(tree.size());
    q_.resize(at(tree.nq));
    for (auto* v : {&shift_, &product_, &rhs_}) v->resize(at(tree.integrated_v));
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

void NewtonMatrix::add(const Coupling& c, const Mat6& C, BlockMatrix& to) const {
    if (C.isZero(0.0)) return;
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

// Every link with all that it carries, then each of its motions against those of the links that carry it.
void NewtonMatrix::add_masses(const Tree& tree, const TreeMotion& motion) {
    const int n = static_cast<int>(tree.size());
    for (int i = 1; i < n; ++i) inertia_[at(i)] = rigid_inertia(tree.links[at(i)], motion.links[at(i)]);
    if (!flat_)
        for (int i = n - 1; i > 0; --i)
            if (const int parent = tree.links[at(i)].parent; parent > 0)
                inertia_[at(parent)].add_moved_by(inertia_[at(i)], motion.links[at(i)].r_W);
    for (int i = 1; i < n; ++i) {
        const Link& link = tree.links[at(i)];
        if (link.prescribed) continue;
        if (link.armature > 0.0) *entry(M_, tree, link.v0, link.v0) += link.armature;
        const Mat6 I = as_matrix(inertia_[at(i)]);
        for (const int j : path_[at(i)]) {
            const Columns right = columns_at(j, origin_[at(i)]);
            add(columns_[at(i)], i, I, right, j, 1.0, M_);
            if (i != j) add(right, j, I, columns_[at(i)], i, 1.0, M_);
        }
    }
}

// Of links that nothing but the world carries: there the turning speeds are all that matters.
void NewtonMatrix::add_gyroscopic(const Tree& tree, const TreeMotion& motion) {
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const Link& link = tree.links[i];
        if (link.kind != JointKind::free || link.parent != 0) continue;
        const LinkMotion& B = motion.links[i];
        const Vec3 &w = B.velocity.w, &c = B.com_W;
        const Mat3 force = link.mass * (skew(w.cross(c)) + skew(w) * skew(c));
        Mat6 C = Mat6::Zero();
        C.topLeftCorner<3, 3>() = skew(B.inertia_W * w) - skew(w) * B.inertia_W + skew(c) * force;
        C.bottomLeftCorner<3, 3>() = force;
        add(columns_[i], static_cast<int>(i), C, columns_[i], static_cast<int>(i), 1.0, D_);
    }
}

double* NewtonMatrix::entry(BlockMatrix& to, const Tree& tree, int i, int j) const {
    const int a = link_of_speed_[at(i)], b = link_of_speed_[at(j)];
    const int row = i - tree.links[at(a)].v0, column = j - tree.links[at(b)].v0;
    return to.block(to.block_index(node(a), node(b))) + row + column * to.size(node(a));
}

void NewtonMatrix::linearise(const Tree& tree, const TreeMotion& motion, std::span<const double> q,
                             std::span<const Coupling> couplings, std::span<const SpeedCoupling> speed_couplings,
                             std::span<const StateCoupling> drives) {
    for (BlockMatrix* m : {&M_, &D_, &K_}) m->set_zero();
    std::copy(q.begin(), q.end(), q_.begin());
    for (std::size_t i = 1; i < tree.size(); ++i) {
        origin_[i] = motion.links[i].p_W;
        const auto S = motion.columns_of(tree.links[i]);
        columns_[i].resize(6, static_cast<Eigen::Index>(S.size()));
        for (std::size_t k = 0; k < S.size(); ++k) columns_[i].col(static_cast<Eigen::Index>(k)) << S[k].w, S[k].v;
    }
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
    drives_.assign(drives.begin(), drives.end());
    diagonal_.clear();
    for (const StateCoupling& d : drives_)
        diagonal_.push_back(d.j < tree.integrated_v ? entry(A_, tree, d.j, d.j) : nullptr);
}

bool NewtonMatrix::factor(double gamma) {
    gamma_ = gamma;
    const auto M = M_.values(), D = D_.values(), K = K_.values();
    const auto A = A_.values();
    for (std::size_t i = 0; i < A.size(); ++i) A[i] = M[i] - gamma * (D[i] + gamma * K[i]);
    for (std::size_t i = 0; i < drives_.size(); ++i)
        if (diagonal_[i])
            *diagonal_[i] -=
                gamma * gamma * drives_[i].tau_by_state * (drives_[i].rate_by_speed + gamma * drives_[i].rate_by_place);
    return lu_.factor(A_);
}

void NewtonMatrix::solve(const Tree& tree, std::span<const Coupling> couplings, std::span<double> r_q,
                         std::span<double> r_v, double* r_e, std::span<double> r_x) {
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const Link& link = tree.links[i];
        if (link.prescribed) continue;
        motion_of(link, q_.data() + link.q0, r_q.data() + link.q0, shift_.data() + link.v0);
    }
    M_.multiply(r_v, rhs_);
    K_.multiply(shift_, product_);
    for (std::size_t i = 0; i < rhs_.size(); ++i) rhs_[i] += gamma_ * product_[i];
    for (std::size_t i = 0; i < drives_.size(); ++i) {
        const StateCoupling& d = drives_[i];
        if (diagonal_[i])
            rhs_[at(d.j)] += gamma_ * d.tau_by_state * (r_x[i] + gamma_ * d.rate_by_place * shift_[at(d.j)]);
    }
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
    if (!r_e) return;
    *r_e += gamma_ * dissipation_change(tree, couplings, r_v);
}

// [W] for small motions shift_ and changes dv of the speeds.
double NewtonMatrix::dissipation_change(const Tree& tree, std::span<const Coupling> couplings,
                                        std::span<const double> dv) {
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
        sum += c.power_by_place.dot(relative(moved_)) + c.power_by_speed.dot(relative(sped_));
    }
    return sum;
}

}  // namespace tactus::systems
