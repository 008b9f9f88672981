#include <tactus/systems/dynamics/dynamics.hpp>
#include <tactus/systems/dynamics/rigid_link.hpp>

namespace tactus::systems {

void inverse_dynamics(const Tree& tree, const TreeMotion& motion, std::span<const Wrench> wrenches,
                      std::span<const double> dv, DynamicsMemory& memory, std::span<double> tau,
                      std::span<Wrench> reactions) {
    compute_accelerations(tree, motion, dv, memory.accelerations);
    for (std::size_t i = 0; i < tree.size(); ++i) {
        memory.bias[i] = inertia_wrench(tree.links[i], motion.links[i], memory.accelerations[i]);
        memory.bias[i].t -= wrenches[i].t;
        memory.bias[i].f -= wrenches[i].f;
    }
    for (std::size_t i = tree.size(); i-- > 1;) {
        const Link& link = tree.links[i];
        const auto columns = motion.columns_of(link);
        for (std::size_t k = 0; k < columns.size(); ++k)
            tau[static_cast<std::size_t>(link.v0) + k] = memory.bias[i].power(columns[k]);
        if (link.armature > 0.0)
            tau[static_cast<std::size_t>(link.v0)] += link.armature * dv[static_cast<std::size_t>(link.v0)];
        if (!reactions.empty()) reactions[i] = memory.bias[i];
        if (link.parent > 0)
            memory.bias[static_cast<std::size_t>(link.parent)] += memory.bias[i].moved_by(motion.links[i].r_W);
    }
}

void mass_matrix(const Tree& tree, const TreeMotion& motion, DynamicsMemory& memory, Eigen::Ref<Eigen::MatrixXd> M) {
    M.setZero();
    for (std::size_t i = 0; i < tree.size(); ++i) memory.inertia[i] = rigid_inertia(tree.links[i], motion.links[i]);
    for (std::size_t i = tree.size(); i-- > 1;) {
        const Link& link = tree.links[i];
        if (link.parent > 0)
            memory.inertia[static_cast<std::size_t>(link.parent)].add_moved_by(memory.inertia[i], motion.links[i].r_W);
    }
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const auto own = motion.columns_of(tree.links[i]);
        for (std::size_t k = 0; k < own.size(); ++k) {
            const Eigen::Index column = tree.links[i].v0 + static_cast<Eigen::Index>(k);
            Wrench F = memory.inertia[i] * own[k];  // what moves everything outward of i along this column
            for (std::size_t j = i; j != 0; j = static_cast<std::size_t>(tree.links[j].parent)) {
                const auto columns = motion.columns_of(tree.links[j]);
                for (std::size_t l = 0; l < columns.size(); ++l) {
                    const Eigen::Index row = tree.links[j].v0 + static_cast<Eigen::Index>(l);
                    M(row, column) = M(column, row) = F.power(columns[l]);
                }
                F = F.moved_by(motion.links[j].r_W);
            }
        }
        if (tree.links[i].armature > 0.0) M(tree.links[i].v0, tree.links[i].v0) += tree.links[i].armature;
    }
}

double kinetic_energy(const Tree& tree, const TreeMotion& motion, std::span<const double> v) {
    double sum = 0.0;
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const LinkMotion& B = motion.links[i];
        const Vec3 v_c = B.velocity.v + B.velocity.w.cross(B.com_W);
        sum += 0.5 * (tree.links[i].mass * v_c.squaredNorm() + B.velocity.w.dot(B.inertia_W * B.velocity.w));
        if (tree.links[i].armature > 0.0) {
            const double speed = v[static_cast<std::size_t>(tree.links[i].v0)];
            sum += 0.5 * tree.links[i].armature * speed * speed;
        }
    }
    return sum;
}

Momentum momentum(const Tree& tree, const TreeMotion& motion) {
    Momentum sum;
    for (std::size_t i = 1; i < tree.size(); ++i) {
        const Link& link = tree.links[i];
        if (!(link.mass > 0.0)) continue;
        const LinkMotion& B = motion.links[i];
        const Vec3 linear = link.mass * (B.velocity.v + B.velocity.w.cross(B.com_W));
        const Vec3 c = B.p_W + B.com_W;
        sum.mass += link.mass;
        sum.center_of_mass_W += link.mass * c;
        sum.linear_W += linear;
        sum.angular_W += B.inertia_W * B.velocity.w + c.cross(linear);
    }
    if (sum.mass > 0.0) sum.center_of_mass_W /= sum.mass;
    return sum;
}

}  // namespace tactus::systems
