// Stage: the things of a World that are seen, as items for the renderer.
#pragma once

#include "demos/app/renderer.hpp"
#include "demos/session/session.hpp"

#include <map>
#include <span>
#include <variant>
#include <vector>

namespace demos::app {

class Stage {
public:
    // To be called when the World has moved or changed.
    void update(Session& session, bool super_object_colors = false);

    std::span<const Item> items() const { return items_; }
    std::span<const tactus::Entity> entities() const { return entities_; }  // of each item; null for springs
    std::vector<Item>& more() { return items_; }                            // signs that are added to a picture

    // A ball around what is seen of an object [m], world axes; radius 0: nothing is.
    struct Ball {
        tactus::Vec3 center = tactus::Vec3::Zero();
        double radius = 0.0;
    };
    Ball ball_around(tactus::Entity object) const;

private:
    struct Kept {
        std::variant<tactus::Shape, double> of;  // a shape, or the nominal length of a spring [m]
        GpuMesh mesh;
    };
    std::map<tactus::Entity, Kept> kept_;
    std::vector<Item> items_;
    std::vector<tactus::Entity> entities_;

    const GpuMesh& mesh_of(tactus::Entity e, const tactus::Shape& shape, double bevel);
    void add_springs(Session& session);
};

}  // namespace demos::app
