// A scene file as plain data: what is in the JSON, nothing resolved yet.
#pragma once

#include <tactus/engine/definitions.hpp>

#include <map>
#include <string>
#include <vector>

namespace tactus {

// Materials that a scene adds to, or overrides in, the palettes of the project.
struct MaterialsDef {
    std::map<std::string, SolidMaterial> solid;
    std::vector<ContactPair> contact_pairs;
    std::map<std::string, VisualMaterial> visual;
    bool operator==(const MaterialsDef&) const = default;
};

struct SceneDocument {
    std::string schema;  // "$schema", for editors
    int version = 1;     // "tactus"
    std::string title;
    std::string description;
    Scene scene;
    MaterialsDef materials;
    std::vector<Object3DDef> objects;
    std::vector<JointDef> joints;
    std::vector<ForceDef> forces;
    std::vector<DriveDef> drives;
    std::vector<PathDef> paths;
    std::vector<Action> actions;
    std::vector<RecordDef> records;
    std::vector<Uncertainty> uncertainties;
    Simulation simulation;

    bool operator==(const SceneDocument&) const = default;
};

}  // namespace tactus
