#include <tactus/engine/not_yet.hpp>

#include <tactus/engine/schema/definitions.hpp>
#include <tactus/systems/definition_order.hpp>
#include <tactus/systems/drives/drive_train.hpp>

#include <algorithm>

namespace tactus {

// Looks at elements that may be concerned only: this is asked at the start of every segment.
std::vector<Issue> not_yet_simulated(World& world) {
    std::vector<std::pair<Entity, Issue>> found;
    const entt::registry& registry = world.registry();
    const auto add = [&](Entity e, const std::string& kind, const std::string& type, const std::string& why) {
        found.push_back({e, {"", world.name(e), kind, type, why}});
    };
    const std::string not_yet = "is not simulated by this version yet";
    for (const Entity e : registry.view<CutJoint>()) add(e, "joint", "closes a kinematic loop", not_yet);
    for (const auto [e, force] : registry.view<const ForceElement>().each())
        if (std::holds_alternative<PolygonalContact>(force.type))
            add(e, "force", std::string{schema::type_name(force.type)}, not_yet);
    for (const auto& [e, problem] : systems::read_drive_train(registry).problems)
        add(e, "drive", std::string{schema::type_name(registry.get<Drive>(e).type)}, problem);
    std::sort(found.begin(), found.end(), [&](const auto& a, const auto& b) {
        return registry.get<Name>(a.first).serial < registry.get<Name>(b.first).serial;
    });
    std::vector<Issue> issues;
    for (auto& [e, issue] : found) issues.push_back(std::move(issue));
    return issues;
}

}  // namespace tactus
