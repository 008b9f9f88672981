// Entities, and references to them by name or by handle.
#pragma once

#include <entt/entt.hpp>

#include <string>
#include <string_view>

namespace tactus {

using Entity = entt::entity;

// Names an element of a World (an Object3D, a joint, ...) by its path, e.g. "robot.arm.link1", or by its entity.
// The World replaces the path by the entity when the element that holds the reference is added.
struct Ref {
    std::string path;
    Entity entity = entt::null;

    Ref() = default;
    Ref(Entity e) : entity{e} {}
    Ref(std::string p) : path{std::move(p)} {}
    Ref(std::string_view p) : path{p} {}
    Ref(const char* p) : path{p} {}

    bool empty() const { return path.empty() && entity == entt::null; }
    bool operator==(const Ref&) const = default;
};

}  // namespace tactus
