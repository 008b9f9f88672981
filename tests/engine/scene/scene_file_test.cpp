// Scene files: nothing is lost, nothing is silently ignored, and the schema in the project is the one of the code.
#if defined(__SANITIZE_ADDRESS__) && !defined(__clang__)
#pragma GCC diagnostic ignored "-Wmaybe-uninitialized"  // GCC 12 with a sanitizer finds it in std::regex by mistake
#endif

#include <tactus/engine/not_yet.hpp>
#include <tactus/tactus.hpp>

#include "tests/support/compare.hpp"
#include "tests/support/project.hpp"
#include "tests/support/run_program.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <filesystem>
#include <fstream>
#include <random>
#include <regex>
#include <sstream>

using namespace tactus;
using tactus::test::contains;
using tactus::test::input_error;
using tactus::test::scene_files;
using tactus::test::source;
using tactus::test::text_of_file;

namespace {

std::string error_of(const std::string& json) {
    return input_error([&] {
        World world;
        add_document(world, read_document(json), source);
    });
}

}  // namespace

TEST_CASE("load, save, load is the identity for every scene of the project") {
    std::size_t count = 0;
    for (const auto* folder : {"tests/reference/scenes", "demos/scenes"})
        for (const auto& file : scene_files(folder)) {
            CAPTURE(file);
            const SceneDocument read = read_document_file(file);
            World first;
            add_document(first, read, file.parent_path());
            const SceneDocument saved = to_document(first, file.parent_path());
            const std::string text = write_document(saved);
            World second;
            add_document(second, read_document(text), file.parent_path());
            CHECK(to_document(second, file.parent_path()) == saved);
            CHECK(write_document(to_document(second, file.parent_path())) == text);
            // and nothing of the file itself is lost
            CHECK(saved.objects == read.objects);
            CHECK(saved.joints == read.joints);
            CHECK(saved.forces == read.forces);
            CHECK(saved.paths == read.paths);
            CHECK(saved.actions == read.actions);
            CHECK(saved.records == read.records);
            CHECK(saved.uncertainties == read.uncertainties);
            CHECK(saved.scene == read.scene);
            CHECK(saved.simulation == read.simulation);
            CHECK(saved.title == read.title);
            CHECK(saved.description == read.description);
            CHECK(saved.drives == read.drives);
            ++count;
        }
    CHECK(count >= 59);
}

TEST_CASE("a World made by hand survives the way through a file bit by bit") {
    std::mt19937_64 random{42};
    std::uniform_real_distribution<double> u{-1, 1};
    World world;
    world.scene({.name = "moon", .gravity = PointGravity{.mu = 4.9e12}, .gap = 0.2, .camera = {.distance = 3}});
    world.set_titles("by hand", "line\nbreak, \"quotes\" and ünïcode");
    world.set_material("Cheese", SolidMaterial{.density = 1100.0 / 3, .youngs_modulus = 1e6, .poissons_ratio = 0.45});
    world.set_material("Glow", VisualMaterial{.color = "Gold", .shadow_mask = ShadowMask::NoShadows});
    world.set_contact_pair({.material1 = "Cheese",
                            .material2 = "Cheese",
                            .law = ContactLaw::Exact,
                            .coefficient_of_restitution = 1.0 / 3});
    for (int i = 0; i < 20; ++i) {
        const Quat q = Quat{u(random), u(random), u(random), u(random)}.normalized();
        world.add({.name = "o" + std::to_string(i),
                   .free = i % 2 == 0,
                   .translation = {u(random), u(random), u(random)},
                   .rotation = i % 3 == 0 ? Rotation{q} : Rotation{u(random), u(random), u(random)},
                   .shape = Ellipsoid{1 + u(random) / 2, 0.5, 0.25},
                   .material = "Cheese",
                   .visual_material =
                       i % 4 == 0 ? VisualMaterialRef{"Glow"} : VisualMaterialRef{VisualMaterial{.color = {1, 2, 3}}}});
    }
    world.add({.name = "tetra",
               .shape = Mesh{.scale = {2, 1, 1},
                             .vertices = {{0, 0, 0}, {1, 0, 0}, {0, 1, 0}, {0, 0, 1.0 / 3}},
                             .triangles = {{0, 2, 1}, {0, 1, 3}, {0, 3, 2}, {1, 2, 3}}},
               .material = "Cheese"});
    world.add({.name = "arm", .parent = ParentRef::none()});
    world.add_joint(
        {.name = "uni",
         .object1 = "o1",
         .object2 = "arm",
         .type = Universal{.axis1 = {1, 1, 0},
                           .axis2 = -3,
                           .phi1 = 0.1,
                           .resistance1 = {.damping = 2, .limits = JointLimits{.lower = -1, .upper = 1.0 / 7}}}});
    world.add_force({.name = "wind",
                     .type = WorldForce{.object = "o0",
                                        .force = Table<Vec3>{{0, 1, 1}, {{0, 0, 0}, {1, 0, 0}, {0, 1.0 / 3, 0}}},
                                        .coordinates = "o1"}});
    world.add_force({.name = "law",
                     .type = SpringDamper{.object1 = "o0",
                                          .object2 = "o2",
                                          .spring = Table<double>{{-1, 0, 1}, {-2, 0, 5}},
                                          .damper = Callback{"mine"}}});
    const std::string text = write_document(to_document(world, ""));
    World again;
    add_document(again, read_document(text), "");
    CHECK(write_document(to_document(again, "")) == text);
    for (int i = 0; i < 20; ++i) {
        const std::string name = "o" + std::to_string(i);
        const Pose& a = world.registry().get<Placement>(world.at(name)).X_PB;
        const Pose& b = again.registry().get<Placement>(again.at(name)).X_PB;
        CHECK(a.p == b.p);
        CHECK(a.q.coeffs() == b.q.coeffs());
    }
    CHECK(world.mass_of(world.at("o0"))->inertia == again.mass_of(again.at("o0"))->inertia);
}

TEST_CASE("a scene saved in another folder still finds its meshes") {
    const auto folder = std::filesystem::temp_directory_path() / "tactus_scene_file_test";
    std::filesystem::create_directories(folder / "meshes");
    std::filesystem::create_directories(folder / "deeper" / "still");
    std::ofstream{folder / "meshes" / "t.obj"}
        << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    World world;
    add_document(world, read_document(R"({"tactus": 1, "scene": {}, "objects": [{"name": "t", "parent": "world",
        "shape": {"type": "Mesh", "file": "meshes/t.obj"}, "material": "Steel"}]})"),
                 folder);
    const SceneDocument moved = to_document(world, folder / "deeper" / "still");
    CHECK(std::get<Mesh>(*moved.objects[0].shape).file == "../../meshes/t.obj");
    World again;
    add_document(again, moved, folder / "deeper" / "still");
    CHECK(std::get<Mesh>(*to_document(again, folder).objects[0].shape).file == "meshes/t.obj");
    std::filesystem::remove_all(folder);
}

TEST_CASE("the JSON Schema in the project is the one that the code makes") {
    INFO("renew it: tools/tactus schema > engine/scene/tactus.scene.schema.json");
    CHECK(text_of_file(source / "engine/scene/tactus.scene.schema.json") == scene_schema());
}

TEST_CASE("the JSON Schema says what the loader requires of names, lists and ratios") {
    const auto schema = nlohmann::json::parse(scene_schema());
    const auto& defs = schema["$defs"];
    const auto& name = defs["Object3D"]["properties"]["name"];
    CHECK(name["maxLength"] == 1000);
    // The words of the pattern that std::regex knows, too: names as the World takes or refuses them.
    std::string pattern = name["pattern"];
    for (auto at = pattern.find("\\u"); at != std::string::npos; at = pattern.find("\\u"))
        pattern.erase(at, pattern[at + 6] == '-' ? 13 : 6);
    const std::regex regex{pattern};
    for (const char* text :
         {"a", "robot.arm.link1", "a-b_c", "1.2", ".a", "a.", "a..b", "a b", "a/b", "a\"b", "a\tb"}) {
        CAPTURE(text);
        World world;
        CHECK(std::regex_search(text, regex) == input_error([&] { world.add({.name = text}); }).empty());
    }
    const auto drive = [&](const std::string& type) {
        for (const auto& one : defs["Drive"]["oneOf"])
            if (one["properties"]["type"]["const"] == type) return one["properties"];
        return nlohmann::json{};
    };
    CHECK(drive("Gear")["ratio"]["not"]["const"] == 0);
    CHECK(defs["Path"]["properties"]["position"]["minItems"] == 1);
    CHECK(defs["Object3D"]["properties"]["parent"]["minLength"] == 1);
}

TEST_CASE("an axis is a whole number however it is written, as for the JSON Schema") {
    const auto axis = [](const std::string& given) {
        World world;
        const SceneDocument document = read_document(R"({"tactus": 1, "scene": {}, "objects": [{"name": "arm"}],
            "joints": [{"name": "hinge", "type": "Revolute", "object1": "world", "object2": "arm", "axis": )" +
                                                     given + "}]}");
        add_document(world, document, "");
        return std::get<Revolute>(world.joint(world.at("hinge")).type).axis.given_coordinate();
    };
    CHECK(axis("1.0") == 1);
    CHECK(axis("-3e0") == -3);
    CHECK(contains(input_error([&] { axis("1.5"); }), "must be 1, 2, 3, -1, -2, -3 or a vector"));
}

TEST_CASE("messages carry the JSON pointer, the object, the field, the value and what is allowed") {
    CHECK(
        error_of(
            R"({"tactus": 1, "scene": {}, "objects": [{"name": "ball", "parent": "world", "shape": {"type": "Sphere", "diameter": -1}}]})") ==
        "/objects/0/shape/diameter: 'ball': shape.diameter = -1: must be > 0 [m]");
    CHECK(
        error_of(
            R"({"tactus": 1, "scene": {}, "objects": [{"name": "ball", "parent": "world", "shape": {"type": "Shpere"}}]})") ==
        "/objects/0/shape/type: 'ball': shape.type = \"Shpere\": must be one of Sphere, Ellipsoid, Box, Cylinder, "
        "Cone, Capsule, Beam, "
        "Mesh, CoordinateSystem, Grid, Spring, GearWheel, Text; did you mean Sphere?");
    CHECK(error_of(R"({"tactus": 1, "scene": {}, "objcts": []})") == "/objcts: unknown key; did you mean objects?");
    CHECK(
        error_of(
            R"({"tactus": 1, "scene": {}, "joints": [{"name": "j", "type": "Revolute", "object1": "world", "object2": "x"}]})") ==
        "/joints/0/object2: 'j': object2 = \"x\": there is no Object3D of this name");
    CHECK(error_of(R"({"tactus": 1, "scene": {}, "objects": [{"name": "a", "parent": "b"}]})") ==
          "/objects/0/parent: 'a': parent = \"b\": there is no Object3D of this name");
    CHECK(error_of(R"({"tactus": 1, "scene": {"gravity": [0, 0]}})") ==
          "/scene/gravity = [0,0]: must be a list of three numbers");
    CHECK(error_of(R"({"tactus": 1, "scene": {"gravity": 9.81}})") ==
          "/scene/gravity = 9.81: must be a list [x, y, z] or an object with a \"type\", not a number");
    CHECK(error_of("[]") == "[]: must be an object, not a list");
    CHECK(error_of(R"({"tactus": 1, "scene": {}, "objects": [null]})") ==
          "/objects/0 = null: must be an object, not null");
    CHECK(error_of(R"({"tactus": 1, "scene": {}, "actions": [{"type": "Wait", "period": -1}]})") ==
          "/actions/0/period = -1: must be >= 0 [s]");
    CHECK(error_of(R"({"tactus": 1, "scene": {}, "paths": [{"name": "p", "position": [0, 0], "vMax": [1],
        "aMax": [1, 1]}]})") ==
          "/paths/0/vMax: 'p': vMax = 1 number: must have 2, one for each column, as position has");
    CHECK(error_of(R"({"tactus": 1, "scene": {}, "objects": [{"name": "a", "parent": "b"}, {"name": "b",
        "parent": "a"}]})") == "/objects/1/parent: 'b': parent = \"a\": makes a cycle: b → a → b");
}

TEST_CASE("one mistake gives one message, not one for everything that hangs on it") {
    const std::string message = error_of(R"({"tactus": 1, "scene": {}, "objects": [
        {"name": "a", "parent": "world", "mass": -1, "shape": {"type": "Sphere"}}, {"name": "b", "parent": "a"}],
        "forces": [{"name": "f", "type": "WorldForce", "object": "a", "force": [0, 0, 1]}]})");
    CHECK(message == "/objects/0/mass: 'a': mass = -1: must be >= 0 [kg]");
}

TEST_CASE("a World that refuses a document is empty and can take another one") {
    World world;
    CHECK(input_error([&] {
              add_document(
                  world, read_document(R"({"tactus": 1, "scene": {}, "objects": [{"name": "a", "parent": "b"}]})"), "");
          }) != "");
    CHECK(world.elements().empty());
    add_document(world, read_document(R"({"tactus": 1, "scene": {}, "objects": [{"name": "a", "parent": "world"}]})"),
                 "");
    CHECK(world.elements().size() == 2);
}

TEST_CASE("a World that refuses a document is as it was") {
    // All that a World can hold without a Scene; the document brings the parent that 'child' waits for.
    World world;
    const Entity child = world.add({.name = "child", .parent = "later"});
    const Entity box = world.add({.name = "box", .shape = Box{1, 1, 1}, .material = "Steel"});
    const Entity lid = world.add({.name = "lid", .parent = "box"});
    const Entity joint = world.add_joint({.name = "hinge", .object1 = "box", .object2 = "child", .type = Revolute{}});
    world.set_material("Cheese", SolidMaterial{.density = 1100});
    world.set_titles("title", "description");
    world.set_simulation({.stop_time = 3});
    const auto state = [&] {
        std::string text;
        for (const Entity e : world.elements()) text += world.name(e) + " ";
        for (const Entity e : {child, box, lid}) text += world.object(e).parent.path + " ";
        return text + world.joint(joint).object2.path + " " + world.title() + " " + world.description() + " " +
               std::to_string(world.simulation().stop_time) + " " +
               std::to_string(world.materials().own_solids().size());
    };
    const std::string before = state();
    const std::string objects = R"("objects": [{"name": "later", "parent": "world"},
        {"name": "handle", "parent": "lid"}, {"name": "waits", "parent": "nobody"}])";
    for (const std::string& json :
         {R"({"tactus": 1, "title": "other", "scene": {}, "simulation": {"stopTime": 9},
            "materials": {"solid": {"Goo": {"density": 1}, "Steel": {"density": 1}}}, )" +
              objects + R"(, "forces": [{"name": "push", "type": "WorldForce", "object": "box", "force": [0, 0, 1]}]})",
          std::string{
              R"({"tactus": 1, "scene": {"gravity": [0, 0, 0]}, "objects": [{"name": "box", "parent": "world"}]})"},
          std::string{R"({"tactus": 1, "scene": {}, "objects": [{"name": "later"}, {"name": "loose"}]})"}}) {
        CAPTURE(json);
        CHECK(input_error([&] { add_document(world, read_document(json), "elsewhere"); }) != "");
        CHECK(state() == before);
        CHECK((world.root() == entt::null));
        CHECK((world.find("handle") == entt::null));
    }
    // It goes on as if nothing had happened: the same names, the same waiting child.
    world.scene();
    CHECK(contains(input_error([&] { world.update_structure(); }), "'child': parent = \"later\""));
    world.add({.name = "later", .free = true});
    CHECK(tactus::test::names(world, world.super_objects()) == tactus::test::Names{"world", "later", "box"});
    CHECK(tactus::test::names(world, world.super_object(box).members) == tactus::test::Names{"box", "lid"});
    CHECK(world.registry().get<BodyMass>(box).properties.mass == doctest::Approx(8000));
    world.remove(lid);
}

TEST_CASE("a file keeps the order of its drives, also where a flange comes after those that use it") {
    const std::string json = R"({"tactus": 1, "scene": {}, "drives": [
        {"name": "brake", "type": "Damper", "flange1": "rotor", "d": 1},
        {"name": "rotor", "type": "RotorInertia", "inertia": 1},
        {"name": "spring", "type": "LinearSpring", "flange1": "wheel", "flange2": "rotor", "c": 1},
        {"name": "wheel", "type": "RotorInertia", "inertia": 2}]})";
    World world;
    const SceneDocument read = read_document(json);
    add_document(world, read, "");
    CHECK(to_document(world, "").drives == read.drives);
    world.remove(world.at("rotor"), Dependents::remove);  // defined after 'brake', which needs it
    CHECK(tactus::test::names(world, world.elements()) == tactus::test::Names{"world", "wheel"});
}

TEST_CASE("a text that is not UTF-8 is refused at the door, not when the scene is saved") {
    World world;
    world.scene();
    const std::string broken = "caf\xe9";  // Latin-1
    const auto refused = [&](auto call) {
        const std::string message = input_error(call);
        CHECK_MESSAGE(contains(message, "valid UTF-8"), message);
    };
    for (const std::string& text :
         {broken, std::string{"\xed\xa0\x80"}, std::string{"\xc0\xaf"}, std::string{"\xf0\x9f"}})
        refused([&] { world.add({.name = text}); });
    refused([&] { world.add({.name = "a", .parent = broken}); });
    refused([&] { world.add_joint({.name = broken, .object1 = "world", .object2 = "world", .type = Fix{}}); });
    refused([&] { world.add({.name = "a", .shape = Mesh{.file = broken + ".obj"}}); });
    refused([&] { world.add({.name = "a", .feature = Feature::Visual, .shape = Text{.text = broken}}); });
    refused([&] { world.set_titles("good", broken); });
    refused([&] { world.set_titles(broken, "good"); });
    refused([&] { world.set_material(broken, SolidMaterial{}); });
    refused([&] { world.set_material(broken, VisualMaterial{}); });
    refused([&] { world.set_actions({Attach{broken, "a"}}); });
    CHECK(world.title().empty());
    CHECK(world.elements().size() == 1);
    world.set_titles("caf\u00e9 \u2192 \U0001F600", "");
    CHECK(read_document(write_document(to_document(world, ""))).title == world.title());
    SceneDocument document;
    document.description = broken;
    refused([&] { write_document(document); });
}

TEST_CASE("what cannot be simulated yet is named, part by part") {
    World world;
    const auto file = source / "tests/reference/scenes/ForceElements/PCMTorusSphere.json";
    add_document(world, read_document_file(file), file.parent_path());
    std::string all;
    for (const Issue& issue : not_yet_simulated(world)) all += issue.text() + "\n";
    CHECK_MESSAGE(contains(all, "= PolygonalContact"), all);
}
