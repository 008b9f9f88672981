#include <tactus/systems/dynamics/dynamics.hpp>
#include <tactus/systems/dynamics/rigid_link.hpp>

#include <atomic>
#include <limits>

namespace tactus::systems {

namespace {

template<int N> using MatN = Eigen::Matrix<double, N, N>;
template<int N> using VecN = Eigen::Matrix<double, N, 1>;

// Inverse of the inertia that a joint's N motions see; false if it is singular. Motions of different units are scaled
// to each other first. What is not a number stays so: solvers try states that make no sense, and turn back.
template<int N> bool invert(const MatN<N>& D, MatN<N>& inverse) {
    if constexpr (N == 1) {
        inverse(0, 0) = 1.0 / D(0, 0);
        return !(D(0, 0) <= 0.0);
    } else {
        if (!D.allFinite()) {
            inverse.setConstant(std::numeric_limits<double>::quiet_NaN());
            return true;
        }
        if (!(D.diagonal().minCoeff() > 0.0)) return false;
        const VecN<N> scale = D.diagonal().cwiseSqrt().cwiseInverse();
        const MatN<N> scaled = scale.asDiagonal() * D * scale.asDiagonal();
        // L D L^T, then Y = L^-1. The matrix is positive definite, so no pivots are needed; written out, because all loops
        // unroll then (a quarter of the time of a free body's evaluation against Eigen's LDLT).
        MatN<N> L = MatN<N>::Identity(), Y = MatN<N>::Identity();
        VecN<N> d;
        for (int j = 0; j < N; ++j) {
            d[j] = scaled(j, j);
            for (int k = 0; k < j; ++k) d[j] -= L(j, k) * L(j, k) * d[k];
            if (!(d[j] > 1e-15)) return false;
            for (int i = j + 1; i < N; ++i) {
                double sum = scaled(i, j);
                for (int k = 0; k < j; ++k) sum -= L(i, k) * L(j, k) * d[k];
                L(i, j) = sum / d[j];
            }
        }
        for (int j = 0; j < N; ++j)
            for (int i = j + 1; i < N; ++i) {
                double sum = 0.0;
                for (int k = j; k < i; ++k) sum -= L(i, k) * Y(k, j);
                Y(i, j) = sum;
            }
        for (int i = 0; i < N; ++i)
            for (int j = 0; j <= i; ++j) {
                double sum = 0.0;
                for (int k = i; k < N; ++k) sum += Y(k, i) * Y(k, j) / d[k];
                inverse(i, j) = inverse(j, i) = scale[i] * sum * scale[j];
            }
        return true;
    }
}

// Eliminates the joint of a link: what its parent feels of it is left in I and p.
template<int N>
bool eliminate(const Twist* S, const Twist& c, const double* tau, double armature, Wrench* U, double* factors,
               double* u, SpatialInertia& I, Wrench& p) {
    MatN<N> D;
    VecN<N> rest;
    for (int k = 0; k < N; ++k) {
        U[k] = I * S[k];
        rest[k] = tau[k] - p.power(S[k]);
        for (int l = 0; l <= k; ++l) D(k, l) = D(l, k) = U[k].power(S[l]);
    }
    if constexpr (N == 1) D(0, 0) += armature;
    MatN<N> inverse;
    if (!invert<N>(D, inverse)) return false;
    Eigen::Map<MatN<N>>{factors} = inverse;
    Eigen::Map<VecN<N>>{u} = rest;
    const VecN<N> given = inverse * rest;
    for (int k = 0; k < N; ++k) {
        Wrench K;  // column k of U D^-1
        for (int l = 0; l < N; ++l) {
            K.t += U[l].t * inverse(l, k);
            K.f += U[l].f * inverse(l, k);
        }
        I.A.noalias() -= K.t * U[k].t.transpose();
        I.B.noalias() -= K.t * U[k].f.transpose();
        I.C.noalias() -= K.f * U[k].f.transpose();
    }
    p += I * c;
    for (int k = 0; k < N; ++k) p += {U[k].t * given[k], U[k].f * given[k]};
    return true;
}

// v' of an eliminated joint, and the acceleration of its link; `a` comes in as the acceleration without it.
template<int N>
void substitute(const Twist* S, const Wrench* U, const double* factors, const double* u, Twist& a, double* dv) {
    VecN<N> rest = Eigen::Map<const VecN<N>>{u};
    for (int k = 0; k < N; ++k) rest[k] -= U[k].power(a);
    const VecN<N> result = Eigen::Map<const MatN<N>>{factors} * rest;
    for (int k = 0; k < N; ++k) {
        dv[k] = result[k];
        a = a + S[k] * result[k];
    }
}

bool eliminate(int n, const Twist* S, const Twist& c, const double* tau, double armature, Wrench* U, double* factors,
               double* u, SpatialInertia& I, Wrench& p) {
    switch (n) {
    case 1: return eliminate<1>(S, c, tau, armature, U, factors, u, I, p);
    case 2: return eliminate<2>(S, c, tau, armature, U, factors, u, I, p);
    default: return eliminate<3>(S, c, tau, armature, U, factors, u, I, p);
    }
}

// A joint whose acceleration is given hands on everything: nothing is left to its own inertia.
void hand_on(const Twist& S, const Twist& c, double dv, Wrench& U, double& u, const SpatialInertia& I, Wrench& p) {
    U = I * S;
    u = p.power(S);
    p += I * (c + S * dv);
}

void substitute(int n, const Twist* S, const Wrench* U, const double* factors, const double* u, Twist& a, double* dv) {
    switch (n) {
    case 1: return substitute<1>(S, U, factors, u, a, dv);
    case 2: return substitute<2>(S, U, factors, u, a, dv);
    default: return substitute<3>(S, U, factors, u, a, dv);
    }
}

// A link that moves freely takes nothing from its parent and gives nothing to it: its acceleration follows from what
// acts on it alone.
bool solve_free(const Link& link, const LinkMotion& B, const SpatialInertia& I, const Wrench& p, Twist& a) {
    if (link.leaf) {  // about its centre of mass, where rotation and translation are not coupled
        Mat3 inverse;
        if (!(link.mass > 0.0) || !invert<3>(B.inertia_W, inverse)) return false;
        a.w = inverse * (B.com_W.cross(p.f) - p.t);
        a.v = -p.f / link.mass - a.w.cross(B.com_W);
        return true;
    }
    MatN<6> M, inverse;
    M << I.A, I.B, I.B.transpose(), I.C;
    if (!invert<6>(M, inverse)) return false;
    VecN<6> rest;
    rest << -p.t, -p.f;
    const VecN<6> solution = inverse * rest;
    a = {solution.head<3>(), solution.tail<3>()};
    return true;
}

}  // namespace

SingularMass::SingularMass(std::size_t l, bool turning)
    : Error{turning ? "a joint moves no moment of inertia" : "a joint moves no mass"}, link{l}, turning_only{turning} {}

void DynamicsMemory::resize(const Tree& tree) {
    const auto nv = static_cast<std::size_t>(tree.nv);
    inertia.assign(tree.size(), {});
    bias.assign(tree.size(), {});
    accelerations.assign(tree.size(), {});
    columns.assign(nv, {});
    factors.assign(9 * tree.size(), 0.0);
    residual.assign(nv, 0.0);
    driving.assign(nv, 0.0);
}

namespace {

// The links begin .. end - 1, which must be all but the world, or any of a flat tree. Gives the one whose joint moves no
// mass, or 0.
std::size_t solve_links(const Tree& tree, const TreeMotion& motion, std::span<const Wrench> wrenches,
                        std::span<const double> tau, DynamicsMemory& memory, std::span<double> dv, std::size_t begin,
                        std::size_t end) {
    for (std::size_t i = begin; i < end; ++i) {
        const Link& link = tree.links[i];
        memory.inertia[i] = rigid_inertia(link, motion.links[i]);
        memory.bias[i] = velocity_wrench(link, motion.links[i]);
        memory.bias[i].t -= wrenches[i].t;
        memory.bias[i].f -= wrenches[i].f;
    }
    for (std::size_t i = end; i-- > begin;) {
        const Link& link = tree.links[i];
        const LinkMotion& B = motion.links[i];
        const auto v0 = static_cast<std::size_t>(link.v0);
        if (link.kind == JointKind::free) {
            if (!solve_free(link, B, memory.inertia[i], memory.bias[i], memory.accelerations[i])) return i;
            continue;
        }
        if (link.prescribed)
            hand_on(motion.columns[v0], B.bias, dv[v0], memory.columns[v0], memory.residual[v0], memory.inertia[i],
                    memory.bias[i]);
        else if (!eliminate(speeds(link.kind), &motion.columns[v0], B.bias, &tau[v0], link.armature,
                            &memory.columns[v0], &memory.factors[9 * i], &memory.residual[v0], memory.inertia[i],
                            memory.bias[i]))
            return i;
        if (link.parent > 0) {
            const auto parent = static_cast<std::size_t>(link.parent);
            memory.inertia[parent].add_moved_by(memory.inertia[i], B.r_W);
            memory.bias[parent] += memory.bias[i].moved_by(B.r_W);
        }
    }
    for (std::size_t i = begin; i < end; ++i) {
        const Link& link = tree.links[i];
        const LinkMotion& B = motion.links[i];
        const auto v0 = static_cast<std::size_t>(link.v0);
        const Twist& a_P = memory.accelerations[static_cast<std::size_t>(link.parent)];
        Twist a{a_P.w + B.bias.w, a_P.v + a_P.w.cross(B.r_W) + B.bias.v};
        if (link.kind == JointKind::free) {
            // The columns are two orthogonal triples: along frame 1's axes, and about them (at the origin of frame 2).
            const Twist rest{memory.accelerations[i].w - a.w, memory.accelerations[i].v - a.v};
            const Twist* S = &motion.columns[v0];
            for (int k = 0; k < 3; ++k) dv[v0 + 3 + static_cast<std::size_t>(k)] = S[3 + k].w.dot(rest.w);
            // A joint that is turned around couples them: turning frame 2 about frame 1 moves frame 1's origin.
            Vec3 linear = rest.v;
            for (int k = 0; k < 3; ++k) linear -= S[3 + k].v * dv[v0 + 3 + static_cast<std::size_t>(k)];
            for (int k = 0; k < 3; ++k) dv[v0 + static_cast<std::size_t>(k)] = S[k].v.dot(linear);
            continue;
        }
        if (link.prescribed) {
            a = a + motion.columns[v0] * dv[v0];
            memory.driving[v0] = memory.columns[v0].power(a) + memory.residual[v0] + link.armature * dv[v0] - tau[v0];
        } else {
            substitute(speeds(link.kind), &motion.columns[v0], &memory.columns[v0], &memory.factors[9 * i],
                       &memory.residual[v0], a, &dv[v0]);
        }
        memory.accelerations[i] = a;
    }
    return 0;
}

}  // namespace

void forward_dynamics(const Tree& tree, const TreeMotion& motion, std::span<const Wrench> wrenches,
                      std::span<const double> tau, DynamicsMemory& memory, std::span<double> dv) {
    memory.accelerations[0] = {};
    if (const std::size_t singular = solve_links(tree, motion, wrenches, tau, memory, dv, 1, tree.size()))
        throw SingularMass{singular, tree.links[singular].mass > 0.0};
}

void forward_dynamics(const Tree& tree, const TreeMotion& motion, std::span<const Wrench> wrenches,
                      std::span<const double> tau, DynamicsMemory& memory, std::span<double> dv, Workers& workers) {
    if (!tree.flat) return forward_dynamics(tree, motion, wrenches, tau, memory, dv);
    constexpr std::size_t grain = 128;
    memory.accelerations[0] = {};
    std::atomic<std::size_t> singular{0};
    workers.for_chunks(tree.size() - 1, grain, [&](std::size_t begin, std::size_t end) {
        if (const std::size_t link = solve_links(tree, motion, wrenches, tau, memory, dv, 1 + begin, 1 + end))
            singular = link;
    });
    if (const std::size_t link = singular) throw SingularMass{link, tree.links[link].mass > 0.0};
}

}  // namespace tactus::systems
