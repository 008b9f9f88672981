#include "demos/session/pointing.hpp"

#include "demos/session/present.hpp"

#include <tactus/components/solid.hpp>
#include <tactus/engine/mpr/portal.hpp>
#include <tactus/engine/shapes/collision_shape.hpp>

#include <algorithm>
#include <cmath>

namespace demos::app {

using namespace tactus;

namespace {

const Solid* shaped(const World& world, Entity e) {
    const Solid* solid = world.registry().try_get<Solid>(e);
    return solid && solid->shape ? solid : nullptr;
}

// Where a ray enters a ball; nothing if it passes it.
std::optional<double> entry(const Vec3& eye, const Vec3& d, const Vec3& center, double radius) {
    const Vec3 r = center - eye;
    const double along = r.dot(d), aside = (r - along * d).squaredNorm(), half = radius * radius - aside;
    if (half < 0.0 || along + radius < 0.0) return {};
    return std::max(0.0, along - std::sqrt(half));
}

}  // namespace

std::optional<Hit> first_hit(World& world, const Vec3& eye, const Vec3& direction) {
    const Vec3 d = direction.normalized();
    const CollisionShape point;  // nothing around its centre
    std::optional<Hit> best;
    for (const Entity e : present_elements(world)) {
        const Solid* solid = shaped(world, e);
        if (!solid) continue;
        const CollisionShape shape = collision_shape(*solid->shape, solid->smoothing_radius);
        const Frame X_WB{world.pose(e)};
        const auto start = entry(eye, d, X_WB.p + X_WB.R * shape.centroid, shape.size);
        if (!start) continue;
        const double end = *start + 2.0 * shape.size, close = 1e-4 * shape.size;
        for (double s = *start; s < end && (!best || s < best->distance);) {
            const Vec3 at = eye + s * d;
            const double gap = signed_distance(point, Frame{Mat3::Identity(), at}, shape, X_WB).distance;
            if (gap <= close) {
                best = Hit{e, at, s};
                break;
            }
            s += gap;
        }
    }
    return best;
}

std::optional<NearestPair> nearest_pair(World& world, Entity object) {
    const Solid* solid = shaped(world, object);
    if (!solid) return {};
    const CollisionShape A = collision_shape(*solid->shape, solid->smoothing_radius);
    const Frame X_WA{world.pose(object)};
    std::optional<NearestPair> best;
    CollisionShape nearest;
    for (const Entity e : present_elements(world)) {
        const Solid* other = shaped(world, e);
        if (!other || !other->collidable || world.root_of(e) == world.root_of(object)) continue;
        const CollisionShape B = collision_shape(*other->shape, other->smoothing_radius);
        const SignedDistance distance = signed_distance(A, X_WA, B, Frame{world.pose(e)});
        if (best && distance.distance >= best->distance.distance) continue;
        best = NearestPair{object, e, distance, {}, {}};
        nearest = B;
    }
    if (!best) return {};
    mpr::Pair<double> pair{A, X_WA, nearest, Frame{world.pose(best->object2)}};
    mpr::Portal<double> portal;
    mpr::find_portal(pair, {}, portal);
    const auto to_world = [&](const mpr::V3<double>& p) {  // core axes begin with the shape's axis
        Vec3 local;
        local[A.axis] = p.x;
        local[(A.axis + 1) % 3] = p.y;
        local[(A.axis + 2) % 3] = p.z;
        return Vec3{X_WA.p + X_WA.R * local};
    };
    const mpr::Vertex<double>* corners[] = {&portal.r1, &portal.r2, &portal.r3};
    for (int i = 0; i < portal.count; ++i) {
        best->portal1.push_back(to_world(corners[i]->a));
        best->portal2.push_back(to_world(corners[i]->b()));
    }
    return best;
}

}  // namespace demos::app
