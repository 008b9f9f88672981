#include <tactus/engine/scene/scene_file.hpp>

#include <tactus/engine/embedded.hpp>
#include <tactus/engine/scene/json.hpp>

#include <fstream>
#include <sstream>

namespace tactus {

using codec::Json;

namespace {

void throw_if_any(std::vector<Issue>& issues) {
    if (issues.empty()) return;
    shorten(issues);
    throw InputError(std::move(issues));
}

}  // namespace

SceneDocument read_document(std::string_view json_text) {
    const Json json = codec::parse(json_text);
    std::vector<Issue> issues;
    schema::Context context{issues, true};
    SceneDocument document;
    codec::read(json, document, context);
    if (issues.empty() && document.version != 1)
        issues.push_back(
            {"/tactus", "", "tactus", std::to_string(document.version), "must be 1, the version of the format"});
    throw_if_any(issues);
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

std::string write_document(const SceneDocument& document) {
    try {
        return codec::write(document).dump(1, ' ') + "\n";
    } catch (const Json::type_error&) {  // a World refuses such texts; a document or a folder's name may hold one
        throw InputError({"", "", "document", "", "cannot be written: a text in it is not valid UTF-8"});
    }
}

std::string scene_schema() { return codec::scene_schema().dump(1, ' ') + "\n"; }

MaterialsDef read_palette_files() {
    const auto palette = [](std::string_view file) { return codec::parse(embedded::file(file)); };
    const Json json{{"solid", palette("solid_materials.json")},
                    {"contactPairs", palette("contact_pairs.json")},
                    {"visual", palette("visual_materials.json")}};
    std::vector<Issue> issues;
    schema::Context context{issues, true};
    MaterialsDef materials;
    codec::read(json, materials, context);
    throw_if_any(issues);
    return materials;
}

}  // namespace tactus
