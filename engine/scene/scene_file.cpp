#include <tactus/engine/scene/scene_file.hpp>

#include <tactus/engine/embedded.hpp>
#include <tactus/engine/scene/json.hpp>
#include <tactus/engine/shapes/triangle_mesh.hpp>
#include <tactus/engine/world.hpp>

#include <algorithm>
#include <fstream>
#include <map>
#include <set>
#include <sstream>

namespace tactus {

using codec::Json;

namespace {

constexpr int deepest = 32;                            // no scene nests deeper; guards against hostile files
constexpr std::size_t largest = std::size_t{1} << 28;  // [bytes]
constexpr std::size_t most_issues = 50;                // more would not be read

// Watches the parser: refuses nesting that no scene has, and keys that are given twice (JSON would drop the first).
class ParseGuard {
public:
    bool operator()(int depth, Json::parse_event_t event, Json& parsed) {
        using Event = Json::parse_event_t;
        const auto level = static_cast<std::size_t>(depth);
        if (depth > deepest)
            throw InputError(
                {"", "", "", "",
                 "lists and objects are nested more than " + std::to_string(deepest) + " deep: this is no scene"});
        if (levels_.size() <= level + 1) levels_.resize(level + 2);
        if (levels_[level].in_list &&
            (event == Event::object_start || event == Event::array_start || event == Event::value))
            levels_[level].step = std::to_string(levels_[level].count++);
        if (event == Event::object_start || event == Event::array_start)
            levels_[level + 1] = {.in_list = event == Event::array_start};
        if (event != Event::key) return true;
        levels_[level].step = parsed.get<std::string>();
        if (levels_[level].keys.insert(levels_[level].step).second) return true;
        std::string pointer;
        for (std::size_t i = 1; i <= level; ++i) pointer += "/" + schema::pointer_step(levels_[i].step);
        throw InputError({pointer, "", "", "", "this key stands twice in the same object"});
    }

private:
    struct Level {
        bool in_list = false;
        std::size_t count = 0;       // elements of the list so far
        std::string step;            // index or key where the parser is
        std::set<std::string> keys;  // of the object so far
    };
    std::vector<Level> levels_;
};

// "number overflow parsing '1e999'" says no place: look the number up.
std::string place_of_number(std::string_view text, const std::string& words) {
    const auto quote = words.find('\'');
    if (quote == std::string::npos) return "";
    const auto at = text.find(words.substr(quote + 1, words.rfind('\'') - quote - 1));
    if (at == std::string_view::npos) return "";
    return " (line " +
           std::to_string(1 + std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n')) + ")";
}

Json parse(std::string_view text) {
    if (text.size() > largest) throw InputError({"", "", "", "", "the file is larger than 256 MiB: this is no scene"});
    try {
        return Json::parse(text, ParseGuard{});
    } catch (const Json::exception& e) {
        std::string words = e.what();
        if (const auto bracket = words.find("] "); bracket != std::string::npos) words = words.substr(bracket + 2);
        if (dynamic_cast<const Json::out_of_range*>(&e)) words += place_of_number(text, words);
        throw InputError({"", "", "", "", "not valid JSON: " + words});
    }
}

void finish(std::vector<Issue>& issues) {
    if (issues.empty()) return;
    if (issues.size() > most_issues) {
        const std::size_t more = issues.size() - most_issues;
        issues.resize(most_issues);
        issues.push_back({"", "", "", "", "and " + std::to_string(more) + " more"});
    }
    throw InputError(std::move(issues));
}

}  // namespace

SceneDocument read_document(std::string_view json_text) {
    const Json json = parse(json_text);
    std::vector<Issue> issues;
    schema::Context context{issues, true};
    SceneDocument document;
    codec::read(json, document, context);
    if (issues.empty() && document.version != 1)
        issues.push_back(
            {"/tactus", "", "tactus", std::to_string(document.version), "must be 1, the version of the format"});
    finish(issues);
    for (Object3DDef& object :
         document.objects)  // a file that names no parent means it: joints must connect the object
        if (object.parent.rule == ParentRule::automatic) object.parent = ParentRef::none();
    return document;
}

SceneDocument read_document_file(const std::filesystem::path& file) {
    std::error_code error;
    if (std::filesystem::is_directory(file, error))
        throw InputError({"", "", "", file.string(), "is a folder, not a scene file"});
    std::ifstream stream{file, std::ios::binary};
    if (!stream) throw InputError({"", "", "", file.string(), "cannot be read: does the file exist?"});
    std::ostringstream text;
    text << stream.rdbuf();
    return read_document(text.str());
}

std::string write_document(const SceneDocument& document) { return codec::write(document).dump(1, ' ') + "\n"; }

namespace {

// "shape.diameter" -> "/shape/diameter"
std::string pointer_of(std::string field) {
    std::replace(field.begin(), field.end(), '.', '/');
    return field.empty() ? "" : "/" + field;
}

// Gathers what is wrong, with the place in the file. What only follows from an element that was refused before is left out.
class Gatherer {
public:
    template<class Set> bool run(const std::string& where, Set set) {
        try {
            set();
            return true;
        } catch (const InputError& error) {
            for (Issue issue : error.issues()) {
                if (refused_.contains(issue.value)) continue;
                if (const auto kind = kinds_.find(issue.value);
                    kind != kinds_.end() && issue.allowed.starts_with("there is no "))
                    issue.allowed = "is " + kind->second + " and cannot stand here";
                issue.where = where + pointer_of(issue.field);
                issues.push_back(std::move(issue));
            }
            return false;
        }
    }

    template<class Def, class Add> void run_all(const std::vector<Def>& list, const std::string& key, Add add) {
        for (std::size_t i = 0; i < list.size(); ++i)
            if (!run("/" + key + "/" + std::to_string(i), [&] { add(list[i]); }))
                if constexpr (requires { list[i].name; }) refuse(list[i].name);
    }

    void refuse(const std::string& name) { refused_.insert(schema::in_quotes(name)); }

    // Elements of the file are known by their kind even before they are added.
    template<class Def> void know(const std::vector<Def>& list, const std::string& kind) {
        for (const Def& def : list) kinds_.emplace(schema::in_quotes(def.name), kind);
    }

    std::vector<Issue> issues;

private:
    std::set<std::string, std::less<>> refused_;             // in quotes, as messages show them
    std::map<std::string, std::string, std::less<>> kinds_;  // of the elements that are not Object3Ds
};

// Place in the file of the element that an error of the whole (of its structure) names.
std::string place_of(const SceneDocument& document, const std::string& name) {
    const auto search = [&name](const auto& list, const std::string& key) -> std::string {
        for (std::size_t i = 0; i < list.size(); ++i)
            if (list[i].name == name) return "/" + key + "/" + std::to_string(i);
        return "";
    };
    if (std::string place = search(document.objects, "objects"); !place.empty()) return place;
    return search(document.joints, "joints");
}

}  // namespace

void add_document(World& world, const SceneDocument& document, const std::filesystem::path& folder) {
    if (world.root() != entt::null)
        throw InputError({"", "", "scene", "", "this World has a Scene already: load into an empty one"});
    Gatherer gather;
    gather.know(document.joints, "a joint");
    gather.know(document.forces, "a force element");
    gather.know(document.drives, "a drive");
    gather.know(document.paths, "a path");
    gather.know(document.records, "a record");
    gather.run("/scene", [&] { world.scene(document.scene); });
    gather.run("", [&] { world.set_simulation(document.simulation); });
    for (const auto& [name, material] : document.materials.solid)
        if (!gather.run("/materials/solid/" + schema::pointer_step(name), [&] { world.set_material(name, material); }))
            gather.refuse(name);
    for (const auto& [name, material] : document.materials.visual)
        if (!gather.run("/materials/visual/" + schema::pointer_step(name), [&] { world.set_material(name, material); }))
            gather.refuse(name);
    gather.run_all(document.materials.contact_pairs, "materials/contactPairs",
                   [&](const ContactPair& pair) { world.set_contact_pair(pair); });
    world.set_folder(folder);
    gather.run_all(document.objects, "objects", [&](const Object3DDef& object) { world.add(object); });
    gather.run_all(document.joints, "joints", [&](const JointDef& joint) { world.add_joint(joint); });
    gather.run_all(document.forces, "forces", [&](const ForceDef& force) { world.add_force(force); });
    gather.run_all(document.paths, "paths", [&](const PathDef& path) { world.add_path(path); });
    for (const bool flanges : {true, false})  // drives that are flanges first: others may refer to them in any order
        gather.run_all(document.drives, "drives", [&](const DriveDef& drive) {
            const bool is_flange =
                std::holds_alternative<RotorInertia>(drive.type) || std::holds_alternative<SlidingMass>(drive.type);
            if (is_flange == flanges) world.add_drive(drive);
        });
    gather.run_all(document.records, "records", [&](const RecordDef& record) { world.add_record(record); });
    gather.run("", [&] { world.set_actions(document.actions); });
    gather.run("", [&] { world.set_uncertainties(document.uncertainties); });
    world.set_titles(document.title, document.description);
    if (gather.issues.empty()) {
        try {
            world.update_structure();
        } catch (const InputError& error) {
            for (Issue issue : error.issues()) {
                issue.where = place_of(document, issue.object) + pointer_of(issue.field);
                gather.issues.push_back(std::move(issue));
            }
        }
    }
    if (!gather.issues.empty()) world.clear();
    finish(gather.issues);
}

SceneDocument to_document(const World& world, const std::filesystem::path& folder) {
    SceneDocument document;
    document.schema = "tactus.scene.schema.json";
    document.title = world.title();
    document.description = world.description();
    document.scene = world.scene_of();
    document.materials = {world.materials().own_solids(), world.materials().own_pairs(),
                          world.materials().own_visuals()};
    const entt::registry& registry = world.registry();
    for (const Entity e : world.elements()) {
        if (e == world.root()) continue;
        if (registry.all_of<Object3D>(e)) {
            Object3DDef object = world.object(e);
            object.parent.entity = entt::null;
            if (object.parent.rule == ParentRule::automatic) {  // a file says it, or leaves it to the joints
                if (registry.all_of<CarriedByJoints>(e))
                    object.parent = ParentRef::none();
                else
                    object.parent = ParentRef{document.scene.name};
            }
            if (auto* mesh = object.shape ? std::get_if<Mesh>(&*object.shape) : nullptr; mesh && !mesh->file.empty()) {
                std::error_code error;
                const auto here = std::filesystem::absolute(folder.empty() ? "." : folder, error);
                const auto& file = mesh->data->file;
                if ((here / mesh->file).lexically_normal() != file.lexically_normal())
                    mesh->file = file.lexically_proximate(here.lexically_normal()).generic_string();
            }
            document.objects.push_back(std::move(object));
        } else if (registry.all_of<Joint>(e)) {
            document.joints.push_back(world.joint(e));
        } else if (registry.all_of<ForceElement>(e)) {
            document.forces.push_back(world.force(e));
        } else if (registry.all_of<Drive>(e)) {
            document.drives.push_back(world.drive(e));
        } else if (registry.all_of<ReferencePath>(e)) {
            document.paths.push_back(world.path(e));
        } else if (registry.all_of<Record>(e)) {
            document.records.push_back(world.record(e));
        }
    }
    document.actions = world.actions();
    document.uncertainties = world.uncertainties();
    document.simulation = world.simulation();
    return document;
}

std::string scene_schema() { return codec::scene_schema().dump(1, ' ') + "\n"; }

MaterialsDef read_palette_files() {
    const auto palette = [](std::string_view file) { return Json::parse(embedded::file(file)); };
    const Json json{{"solid", palette("solid_materials.json")},
                    {"contactPairs", palette("contact_pairs.json")},
                    {"visual", palette("visual_materials.json")}};
    std::vector<Issue> issues;
    schema::Context context{issues, true};
    MaterialsDef materials;
    codec::read(json, materials, context);
    finish(issues);
    return materials;
}

}  // namespace tactus
