#include "demos/app/signs.hpp"

#include "demos/session/pointing.hpp"
#include "demos/session/present.hpp"

#include <tactus/components/solid.hpp>
#include <tactus/engine/shapes/collision_shape.hpp>

#include <rlgl.h>

#include <algorithm>
#include <cmath>

namespace demos::app {

using tactus::Entity, tactus::Quat, tactus::Vec3, tactus::World;

namespace {

constexpr std::array<int, 3> force_color{230, 60, 40}, point_color{255, 176, 32}, portal_color{150, 60, 220};

Item plain(const GpuMesh& mesh, const tactus::Pose& pose, const Vec3& scale, std::array<int, 3> color) {
    Item item;
    item.mesh = &mesh;
    item.pose = pose;
    item.scale = scale;
    item.look.color = color;
    item.shadow = false;
    item.plain = true;
    return item;
}

}  // namespace

Signs::Signs()
    : ball_{surface_of(tactus::Sphere{1.0}, 0)}, rod_{surface_of(tactus::Cylinder{3, 1.0, 1.0}, 0)},
      tip_{surface_of(tactus::Cone{3, 1.0, 1.0}, 0)} {}

void Signs::dot(Stage& stage, const Vec3& at, double diameter, std::array<int, 3> color) {
    stage.more().push_back(plain(ball_, {at, Quat::Identity()}, Vec3::Constant(diameter), color));
}

void Signs::bar(Stage& stage, const Vec3& from, const Vec3& to, double thick, std::array<int, 3> color) {
    const double length = (to - from).norm();
    if (length < 1e-12) return;
    stage.more().push_back(plain(rod_, {0.5 * (from + to), Quat::FromTwoVectors(Vec3::UnitZ(), to - from)},
                                 {thick, thick, length}, color));
}

void Signs::arrow(Stage& stage, const Vec3& from, const Vec3& along, double thick, std::array<int, 3> color) {
    const double length = along.norm(), head = std::min(4.0 * thick, 0.5 * length);
    if (length < 1e-12) return;
    const Vec3 u = along / length, neck = from + (length - head) * u;
    bar(stage, from, neck, thick, color);
    stage.more().push_back(
        plain(tip_, {neck, Quat::FromTwoVectors(Vec3::UnitZ(), u)}, {2.6 * thick, 2.6 * thick, head}, color));
}

// Lengths grow with the root of the force: a hit is a thousand times a weight.
void Signs::add_contacts(World& world, Stage& stage, double size) {
    const double weight = std::max(1e-9, 9.81 * world.momentum().mass);
    for (const tactus::Touch& touch : world.touches()) {
        dot(stage, touch.point, 0.014 * size, point_color);
        const double force = touch.force.norm();
        if (force <= 0.0) continue;
        const double length = size * std::min(0.35, 0.12 * std::sqrt(force / weight));
        // On the one that moves; if both do, on the second.
        const bool first = !world.object(touch.object2).free && world.object(touch.object1).free;
        arrow(stage, touch.point, (first ? -length : length) / force * touch.force, 0.006 * size, force_color);
    }
}

void Signs::add_frames(World& world, Stage& stage, double size) {
    for (const Entity root : world.super_objects()) {
        const tactus::Pose X = world.pose(root);
        for (int k = 0; k < 3; ++k) {
            const Vec3 axis = X.R().col(k);
            std::array<int, 3> color{50, 50, 50};
            color[static_cast<std::size_t>(k)] = 225;
            arrow(stage, X.p, 0.09 * size * axis, 0.004 * size, color);
        }
    }
}

std::function<void()> Signs::portal(World& world, Stage& stage, Entity selected, double size) {
    if (!is_present(world, selected)) return nullptr;
    const auto pair = nearest_pair(world, selected);
    if (!pair) return nullptr;
    dot(stage, pair->distance.point1, 0.012 * size, portal_color);
    dot(stage, pair->distance.point2, 0.012 * size, portal_color);
    bar(stage, pair->distance.point1, pair->distance.point2, 0.004 * size, portal_color);
    return [pair = *pair] {
        rlDisableDepthTest();
        for (const std::vector<Vec3>* side : {&pair.portal1, &pair.portal2})
            for (std::size_t i = 0; i < side->size(); ++i) {
                const Vector3 a = to_raylib((*side)[i]), b = to_raylib((*side)[(i + 1) % side->size()]);
                DrawLine3D(a, b, {150, 60, 220, 255});
                if (side->size() == 3 && i == 0) {
                    const Vector3 c = to_raylib((*side)[2]);
                    DrawTriangle3D(a, b, c, {150, 60, 220, 36});
                    DrawTriangle3D(c, b, a, {150, 60, 220, 36});
                }
            }
        for (std::size_t i = 0; i < pair.portal1.size(); ++i)
            DrawLine3D(to_raylib(pair.portal1[i]), to_raylib(pair.portal2[i]), {150, 60, 220, 110});
        rlDrawRenderBatchActive();
        rlEnableDepthTest();
    };
}

std::function<void()> Signs::add(Session& session, Stage& stage, const SignSwitches& on, Entity selected, double size) {
    if (!session.world()) return nullptr;
    World& world = *session.world();
    if (on.contacts) add_contacts(world, stage, size);
    if (on.frames) add_frames(world, stage, size);
    std::vector<std::function<void()>> lines;
    if (on.portal) lines.push_back(portal(world, stage, selected, size));
    if (on.boxes) {
        std::vector<BoundingBox> boxes;
        for (const Entity e : present_elements(world)) {
            const auto* solid = world.registry().try_get<tactus::Solid>(e);
            if (!solid || !solid->shape || !solid->collidable) continue;
            const tactus::Pose X = world.pose(e);
            const tactus::Aabb box =
                tactus::loose_aabb(tactus::collision_shape(*solid->shape, solid->smoothing_radius), X.R(), X.p);
            boxes.push_back({to_raylib(box.min), to_raylib(box.max)});
        }
        lines.push_back([boxes] {
            for (const BoundingBox& box : boxes) DrawBoundingBox(box, {40, 90, 200, 255});
        });
    }
    if (session.grabbing()) {
        const Vec3 hand = world.pose(world.at("hand")).p, grip = world.pose(world.at("hand.grip")).p;
        dot(stage, hand, 0.018 * size, {40, 120, 230});
        dot(stage, grip, 0.012 * size, {40, 120, 230});
        bar(stage, hand, grip, 0.005 * size, {40, 120, 230});
    }
    return [lines] {
        for (const auto& line : lines)
            if (line) line();
    };
}

}  // namespace demos::app
