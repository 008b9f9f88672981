#include "demos/app/stage.hpp"

#include "demos/session/present.hpp"

#include <tactus/components/force_element.hpp>
#include <tactus/components/solid.hpp>
#include <tactus/components/visual.hpp>

#include <algorithm>

namespace demos::app {

using tactus::Entity, tactus::Pose, tactus::Vec3, tactus::World;

namespace {

// As the demo says, or as the scene says, or by super-object.
Look look_of(World& world, Entity e, const tactus::VisualMaterialRef& material, const std::vector<Dress>& looks,
             std::size_t super_object) {
    const std::string& name = world.name(e);
    for (const Dress& dress : looks)
        if (name.starts_with(dress.prefix)) return dress.look;
    const tactus::VisualMaterial* found = std::get_if<tactus::VisualMaterial>(&material);
    if (!found) found = world.materials().visual(std::get<std::string>(material));
    if (found)
        return {
            .color = found->color.rgb, .roughness = 1.0 - 0.8 * found->shininess, .alpha = 1.0 - found->transparency};
    return super_object == 0 ? Look{.color = {176, 178, 182}, .roughness = 0.6} : looks::paint(super_object - 1);
}

// Colours far apart for neighbours.
Look numbered_look(std::size_t i) {
    if (i == 0) return {.color = {150, 152, 156}, .roughness = 0.7};
    return looks::paint(i * 3, 0.4);
}

}  // namespace

const GpuMesh& Stage::mesh_of(Entity e, const tactus::Shape& shape, double bevel) {
    Kept& kept = kept_[e];
    const auto* known = std::get_if<tactus::Shape>(&kept.of);
    if (!known || !(*known == shape) || kept.mesh.empty()) kept = {shape, GpuMesh{surface_of(shape, bevel)}};
    return kept.mesh;
}

void Stage::update(Session& session, bool super_object_colors) {
    items_.clear();
    entities_.clear();
    if (!session.world()) return;
    World& world = *session.world();
    const entt::registry& registry = world.registry();
    std::map<Entity, std::size_t> numbers;
    for (const Entity root : world.super_objects()) numbers.emplace(root, numbers.size());
    for (const Entity e : present_elements(world)) {
        const auto* solid = registry.try_get<tactus::Solid>(e);
        const auto* visual = registry.try_get<tactus::Visual>(e);
        if (!visual && (!solid || !solid->shape)) continue;
        const GpuMesh& mesh =
            visual ? mesh_of(e, visual->shape, 0.003) : mesh_of(e, *solid->shape, solid->smoothing_radius);
        if (mesh.empty()) continue;
        Item item;
        item.mesh = &mesh;
        item.pose = world.pose(e);
        const std::size_t number = numbers[world.root_of(e)];
        item.look = super_object_colors ? numbered_look(number)
                                        : look_of(world, e, visual ? visual->material : solid->visual_material,
                                                  session.looks(), number);
        items_.push_back(item);
        entities_.push_back(e);
    }
    add_springs(session);
    std::erase_if(kept_, [&](const auto& entry) { return !registry.valid(entry.first); });
}

// A coil as long as its spring is now.
void Stage::add_springs(Session& session) {
    World& world = *session.world();
    for (const Entity e : present_elements(world)) {
        const auto* element = world.registry().try_get<tactus::ForceElement>(e);
        const auto* spring = element ? std::get_if<tactus::SpringDamper>(&element->type) : nullptr;
        if (!spring || spring->nominal_length <= 0.0) continue;
        const Vec3 a = world.pose(spring->object1.entity).p, d = world.pose(spring->object2.entity).p - a;
        const double length = d.norm(), nominal = spring->nominal_length;
        if (length < 1e-9) continue;
        Kept& kept = kept_[e];
        const auto* known = std::get_if<double>(&kept.of);
        if (!known || *known != nominal) kept = {nominal, GpuMesh{coil(nominal, 0.22 * nominal, 0.028 * nominal, 8)}};
        Item item;
        item.mesh = &kept.mesh;
        item.pose = {a, tactus::Quat::FromTwoVectors(Vec3::UnitZ(), d)};
        item.scale = {1, 1, length / nominal};
        item.look = looks::steel();
        items_.push_back(item);
        entities_.push_back(entt::null);
    }
}

Stage::Ball Stage::ball_around(Entity object) const {
    for (std::size_t i = 0; i < entities_.size(); ++i)
        if (entities_[i] == object) return {items_[i].pose * items_[i].mesh->center(), items_[i].mesh->extent().norm()};
    return {};
}

}  // namespace demos::app
