// The derived structure as a text, to compare two of them.
#pragma once

#include "tests/support/compare.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

namespace tactus::test {

// Everything that the structure system writes, as text.
inline std::string structure_text(World& world) {
    std::string text;
    const auto list = [&](const char* label, const std::vector<Entity>& entities) {
        text += label;
        for (const std::string& name : names(world, entities)) text += " " + name;
        text += "\n";
    };
    const entt::registry& registry = world.registry();
    const auto name = [&](Entity e) { return e == entt::null ? std::string{"-"} : world.name(e); };
    for (const Entity root : world.super_objects()) {
        const SuperObject& so = world.super_object(root);
        text += "# " + name(root) + " on " + name(so.parent) + " at " + name(so.anchor) + " by " + name(so.joint) +
                (so.reversed ? " reversed" : "") + (so.collides_with_parent ? "" : " excluded") + "\n";
        list(" members", so.members);
        list(" collision", so.collision);
        list(" mass", so.mass);
        list(" force", so.force);
        list(" visual", so.visual);
        list(" children", so.children);
        list(" cut", so.cut_joints);
        for (std::size_t i = 0; i < so.members.size(); ++i) {
            const MemberOf& member = registry.get<MemberOf>(so.members[i]);
            REQUIRE(member.root == root);
            REQUIRE(member.index == i);
            text += "  " + std::to_string(member.X_RB.p[0]) + " " + std::to_string(member.X_RB.q.w()) + "\n";
        }
        if (const MassProperties* mass = world.mass_of(root))
            text += " m " + std::to_string(mass->mass) + " " + std::to_string(mass->inertia.trace()) + "\n";
    }
    return text;
}

}  // namespace tactus::test
