#include <tactus/engine/not_yet.hpp>

#include <algorithm>
#include <optional>
#include <tactus/engine/schema/definitions.hpp>

namespace tactus {

namespace {

// Two super-objects that could touch; nothing if there are none.
std::optional<std::pair<Entity, Entity>> possible_contact(World& world) {
    const entt::registry& registry = world.registry();
    if (!world.scene_of().contact_detection) return {};
    std::vector<Entity> touching;
    for (const Entity root : world.super_objects())
        if (!registry.get<SuperObject>(root).collision.empty()) touching.push_back(root);
    const auto excluded = world.excluded_pairs();
    for (std::size_t i = 0; i < touching.size(); ++i)
        for (std::size_t j = i + 1; j < touching.size(); ++j) {
            const auto is_pair = [&](const auto& pair) { return pair == std::pair{touching[i], touching[j]}; };
            if (std::none_of(excluded.begin(), excluded.end(), is_pair))
                return std::pair{registry.get<SuperObject>(touching[i]).collision.front(),
                                 registry.get<SuperObject>(touching[j]).collision.front()};
        }
    return {};
}

}  // namespace

std::vector<Issue> not_yet_simulated(World& world) {
    std::vector<Issue> issues;
    const entt::registry& registry = world.registry();
    const auto type_name = [](const auto& variant) { return std::string{schema::type_name(variant)}; };
    const std::string why = "is not simulated by this version yet";
    for (const Entity e : world.elements()) {
        const auto add = [&](const std::string& kind, const std::string& type) {
            issues.push_back({"", world.name(e), kind, type, why});
        };
        if (registry.all_of<CutJoint>(e)) add("joint", "closes a kinematic loop");
        if (const auto* force = registry.try_get<ForceElement>(e);
            force && std::holds_alternative<PolygonalContact>(force->type))
            add("force", type_name(force->type));
        if (const auto* drive = registry.try_get<Drive>(e);
            drive && !std::holds_alternative<Damper>(drive->type) && !std::holds_alternative<LinearSpring>(drive->type))
            add("drive", type_name(drive->type));
        if (registry.all_of<ReferencePath>(e)) add("path", "ReferencePath");
        if (const auto* record = registry.try_get<Record>(e);
            record && std::holds_alternative<ContactRecord>(record->type))
            add("record", type_name(record->type));
    }
    if (const auto pair = possible_contact(world))
        issues.push_back(
            {"", world.name(pair->first), "collidable", "true",
             "contact (here with '" + world.name(pair->second) +
                 "') is not simulated by this version yet; to go without: contactDetection of the scene = false"});
    for (std::size_t i = 0; i < world.actions().size(); ++i)
        issues.push_back({"", "", "actions." + std::to_string(i), type_name(world.actions()[i]), why});
    return issues;
}

}  // namespace tactus
