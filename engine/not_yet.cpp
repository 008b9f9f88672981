#include <tactus/engine/not_yet.hpp>

#include <tactus/engine/schema/definitions.hpp>
#include <tactus/systems/drives/drive_train.hpp>

namespace tactus {

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
    }
    for (const auto& [e, problem] : systems::read_drive_train(registry).problems)
        issues.push_back({"", world.name(e), "drive", type_name(registry.get<Drive>(e).type), problem});
    for (std::size_t i = 0; i < world.actions().size(); ++i)
        issues.push_back({"", "", "actions." + std::to_string(i), type_name(world.actions()[i]), why});
    return issues;
}

}  // namespace tactus
