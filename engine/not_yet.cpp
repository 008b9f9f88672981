#include <tactus/engine/not_yet.hpp>

#include <tactus/engine/schema/definitions.hpp>

namespace tactus {

std::vector<Issue> not_yet_simulated(const World& world) {
    std::vector<Issue> issues{
        {"", "", "motion", "", "this version derives the structure but does not integrate it yet"}};
    const entt::registry& registry = world.registry();
    const auto type_name = [](const auto& variant) { return std::string{schema::type_name(variant)}; };
    for (const Entity e : world.elements()) {
        const auto add = [&](const std::string& kind, const std::string& type) {
            issues.push_back({"", world.name(e), kind, type, ""});
        };
        if (const auto* object = registry.try_get<Object3D>(e)) {
            if (object->free) add("object", "free");
            if (const auto* solid = registry.try_get<Solid>(e); solid && solid->collidable) add("object", "collidable");
        }
        if (const auto* joint = registry.try_get<Joint>(e); joint && !joint->rigid())
            add("joint", type_name(joint->type));
        if (const auto* force = registry.try_get<ForceElement>(e)) add("force", type_name(force->type));
        if (const auto* drive = registry.try_get<Drive>(e)) add("drive", type_name(drive->type));
        if (registry.all_of<ReferencePath>(e)) add("path", "ReferencePath");
        if (const auto* record = registry.try_get<Record>(e)) add("record", type_name(record->type));
    }
    for (std::size_t i = 0; i < world.actions().size(); ++i)
        issues.push_back({"", "", "actions." + std::to_string(i), type_name(world.actions()[i]), ""});
    for (const Uncertainty& uncertainty : world.uncertainties())
        issues.push_back({"", "", "uncertainty", uncertainty.parameter, ""});
    return issues;
}

}  // namespace tactus
