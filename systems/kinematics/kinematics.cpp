#include <tactus/systems/kinematics/kinematics.hpp>

#include <tactus/systems/kinematics/joint_kinematics.hpp>

namespace tactus::systems {

namespace {

// Frame 1 is the moving side: frame B moves in F as frame 1 does in frame 2. `m` becomes that motion, in B axes, with the
// reference point at B's origin. The acceleration of B's origin in F while the speeds are constant goes to `bias_v`.
void turn_around(JointMotion& m, int nv, Vec3& bias_v) {
    const Vec3 w = m.rate.w, v = m.rate.v, r = m.r_12;
    bias_v = m.bias_w.cross(r) + 2.0 * w.cross(v) - w.cross(w.cross(r));
    m.bias_w = -m.bias_w;
    m.rate = {-w, w.cross(r) - v};
    for (int i = 0; i < nv; ++i) m.columns[i] = {-m.columns[i].w, m.columns[i].w.cross(r) - m.columns[i].v};
}

}  // namespace

void TreeMotion::resize(const Tree& tree) {
    links.assign(tree.size(), {});
    columns.assign(static_cast<std::size_t>(tree.nv), {});
}

namespace {

void place_mass(const Link& link, LinkMotion& B) {
    B.com_W = B.R_WB * link.com_B;
    const Mat3 RI = B.R_WB * link.inertia_B;
    for (int r = 0; r < 3; ++r)
        for (int c = 0; c <= r; ++c) B.inertia_W(r, c) = B.inertia_W(c, r) = RI.row(r).dot(B.R_WB.row(c));
}

// Of a link that is Link::in_world. As below, without what is zero or one there; the same to the bit.
void compute_free_link(const Link& link, const double* q, const double* v, Twist* columns, LinkMotion& B) {
    B.R_WB = quaternion_of(q + 3).normalized().toRotationMatrix();
    B.p_W = B.r_W = Vec3{q[0], q[1], q[2]};
    B.velocity.w.noalias() = B.R_WB * Vec3{v[3], v[4], v[5]};
    B.velocity.v = {v[0], v[1], v[2]};
    B.turning = B.velocity.w.norm();
    B.bias = {};
    for (int i = 0; i < 3; ++i) {
        columns[i] = {Vec3::Zero(), Vec3::Unit(i)};
        columns[3 + i] = {B.R_WB.col(i), Vec3::Zero()};
    }
    place_mass(link, B);
}

void compute_links(const Tree& tree, std::span<const double> q, std::span<const double> v, TreeMotion& motion,
                   std::size_t begin, std::size_t end) {
    JointMotion m;
    for (std::size_t i = begin; i < end; ++i) {
        const Link& link = tree.links[i];
        const LinkMotion& P = motion.links[static_cast<std::size_t>(link.parent)];
        LinkMotion& B = motion.links[i];
        if (link.in_world) {
            compute_free_link(link, q.data() + link.q0, v.data() + link.v0, motion.columns.data() + link.v0, B);
            continue;
        }
        const int nv = speeds(link.kind);
        joint_motion(link, q.data() + link.q0, v.data() + link.v0, m);

        const Mat3 R_WF = P.R_WB * link.R_PF;
        Vec3 bias_v = Vec3::Zero();
        Vec3 r_F;          // [m] from F's origin to B's, world axes
        const Mat3* R_W1;  // axes in which `m` is given
        if (!link.reversed) {
            B.R_WB = R_WF * m.R_12;
            r_F = R_WF * m.r_12;
            R_W1 = &R_WF;
        } else {
            B.R_WB = R_WF * m.R_12.transpose();
            r_F = -(B.R_WB * m.r_12);
            R_W1 = &B.R_WB;
            turn_around(m, nv, bias_v);
        }
        B.r_W = P.R_WB * link.X_PF.p + r_F;
        B.p_W = P.p_W + B.r_W;
        for (int k = 0; k < nv; ++k)
            motion.columns[static_cast<std::size_t>(link.v0 + k)] = {*R_W1 * m.columns[k].w, *R_W1 * m.columns[k].v};

        // Relative motion is measured in F, which moves with P: complete transport terms for every joint.
        const Vec3& w_P = P.velocity.w;
        const Twist rate{*R_W1 * m.rate.w, *R_W1 * m.rate.v};
        const Vec3 carried = w_P.cross(B.r_W);
        B.velocity = {w_P + rate.w, P.velocity.v + carried + rate.v};
        B.carrying = P.turning;
        B.turning = P.turning + rate.w.norm();
        B.bias.w = w_P.cross(rate.w) + *R_W1 * m.bias_w;
        B.bias.v = w_P.cross(carried + 2.0 * rate.v) + *R_W1 * bias_v;

        place_mass(link, B);
    }
}

}  // namespace

void compute_motion(const Tree& tree, std::span<const double> q, std::span<const double> v, TreeMotion& motion) {
    compute_links(tree, q, v, motion, 1, tree.size());
}

void compute_motion(const Tree& tree, std::span<const double> q, std::span<const double> v, TreeMotion& motion,
                    Workers& workers) {
    if (!tree.flat) return compute_motion(tree, q, v, motion);
    constexpr std::size_t grain = 128;
    workers.for_chunks(tree.size() - 1, grain, [&](std::size_t begin, std::size_t end) {
        compute_links(tree, q, v, motion, 1 + begin, 1 + end);
    });
}

void compute_link(const Tree& tree, std::span<const double> q, std::span<const double> v, std::size_t link,
                  TreeMotion& motion) {
    compute_links(tree, q, v, motion, link, link + 1);
}

void coordinate_rates(const Tree& tree, std::span<const double> q, std::span<const double> v, std::span<double> dq) {
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const Link& link = tree.links[i];
        if (link.prescribed) continue;
        coordinate_rates(link.kind, q.data() + link.q0, v.data() + link.v0, dq.data() + link.q0);
    }
}

void compute_accelerations(const Tree& tree, const TreeMotion& motion, std::span<const double> dv,
                           std::span<Twist> accelerations) {
    accelerations[0] = {};
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const Link& link = tree.links[i];
        const LinkMotion& B = motion.links[i];
        const Twist& a_P = accelerations[static_cast<std::size_t>(link.parent)];
        Twist a{a_P.w + B.bias.w, a_P.v + a_P.w.cross(B.r_W) + B.bias.v};
        const auto columns = motion.columns_of(link);
        for (std::size_t k = 0; k < columns.size(); ++k) a = a + columns[k] * dv[static_cast<std::size_t>(link.v0) + k];
        accelerations[i] = a;
    }
}

}  // namespace tactus::systems
