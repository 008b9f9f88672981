// Field table of a whole scene file.
#pragma once

#include <tactus/engine/scene/document.hpp>
#include <tactus/engine/schema/action_tables.hpp>
#include <tactus/engine/schema/drive_tables.hpp>
#include <tactus/engine/schema/force_tables.hpp>
#include <tactus/engine/schema/joint_tables.hpp>
#include <tactus/engine/schema/object_tables.hpp>
#include <tactus/engine/schema/record_tables.hpp>

namespace tactus::schema {

template<> struct Describe<SceneDocument> {
    static constexpr std::string_view name = "SceneDocument", doc = "A Tactus scene. SI units, angles in radians.";
    static constexpr auto fields = std::tuple{
        Field{"$schema", &SceneDocument::schema, any(), "for editors"},
        Field{"tactus", &SceneDocument::version, required(between(1, 1)), "version of the format"},
        Field{"title", &SceneDocument::title, any(), "a name for people"},
        Field{"description", &SceneDocument::description, any(), "what it shows"},
        Field{"scene", &SceneDocument::scene, required(), "the world"},
        Field{"materials", &SceneDocument::materials, any(), "besides those of the project"},
        Field{"objects", &SceneDocument::objects, any(), "parents before or after their children"},
        Field{"joints", &SceneDocument::joints, any(), "between objects"},
        Field{"forces", &SceneDocument::forces, any(), "force elements"},
        Field{"drives", &SceneDocument::drives, any(), "one-dimensional parts"},
        Field{"paths", &SceneDocument::paths, any(), "reference motions"},
        Field{"actions", &SceneDocument::actions, any(), "executed one after another"},
        Field{"records", &SceneDocument::records, any(), "further signals"},
        Field{"uncertainties", &SceneDocument::uncertainties, any(), "parameters that are not exactly known"},
        Field{"simulation", &SceneDocument::simulation, any(), "how to run it"}};
};

}  // namespace tactus::schema
