#include <tactus/systems/narrow_phase/collidable.hpp>

#include <tactus/components/solid.hpp>
#include <tactus/components/super_object.hpp>

#include <cmath>

namespace tactus::systems {

namespace {

int axis_of_revolution(const CollisionShape& shape) {
    switch (shape.kind) {
    case CoreKind::point:
    case CoreKind::segment:
    case CoreKind::round: return shape.axis;
    case CoreKind::ellipsoid:
        for (int k = 0; k < 3; ++k)
            if (shape.half[(k + 1) % 3] == shape.half[(k + 2) % 3]) return (shape.axis + k) % 3;
        return -1;
    default: return -1;
    }
}

}  // namespace

void Collidable::belong_to(const Link& carrier) {
    const Vec3 center = X_BM.p + X_BM.R * shape.centroid;
    offset = X_BM.R != Mat3::Identity() || X_BM.p != Vec3::Zero();
    jointed = link != 0 && (carrier.kind != JointKind::free || carrier.parent != 0);
    orbit = center.norm();
    from_axis = jointed && carrier.kind == JointKind::revolute ? carrier.axis[0].cross(center).norm() : -1.0;
}

std::vector<Collidable> build_collidables(const entt::registry& registry, Entity world, const Tree& tree) {
    std::vector<Collidable> collidables;
    for (std::size_t i = 0; i < tree.size(); ++i) {
        const Entity root = i == 0 ? world : tree.links[i].root;
        if (root == entt::null) continue;  // a rotor
        for (const Entity object : registry.get<SuperObject>(root).collision) {
            const auto& solid = registry.get<Solid>(object);
            const auto& member = registry.get<MemberOf>(object);
            Collidable c;
            c.object = object;
            c.link = static_cast<std::uint32_t>(i);
            c.shape = collision_shape(*solid.shape, solid.smoothing_radius);
            c.X_BM = Frame{member.X_RB};
            c.round_axis = axis_of_revolution(c.shape);
            c.belong_to(tree.links[i]);
            // A point p of the surface with normal n: |p| <= size and p.n >= inner, so |p x n| is at most this.
            const double inner = c.shape.inner + c.shape.radius;
            c.leverage = std::sqrt(std::max(0.0, (c.shape.size - inner) * (c.shape.size + inner)));
            collidables.push_back(std::move(c));
        }
    }
    return collidables;
}

void place(std::span<const Collidable> collidables, const TreeMotion& motion, bool all, Workers& workers,
           std::span<Placed> placed) {
    constexpr std::size_t grain = 256;
    workers.for_chunks(collidables.size(), grain, [&](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i)
            if (all || collidables[i].link != 0) place(collidables[i], motion.links[collidables[i].link], placed[i]);
    });
}

}  // namespace tactus::systems
