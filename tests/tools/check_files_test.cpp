// `tactus check` refuses what is no file, no JSON, or a file of another form or version.
#include "tests/tools/command_line.hpp"

#include <doctest/doctest.h>

#include <filesystem>
#include <string>

using namespace tactus::test::command_line;

TEST_CASE("files that cannot be read are refused") {
    const auto& folder = temporary().path();
    check_refusal(tactus_command({"check", (folder / "nowhere.json").string()}), {"nowhere.json", "exist"});
    check_refusal(tactus_command({"check", folder.string()}), {folder.string(), "folder"});
    check_refusal(tactus_command({"tree", (folder / "nowhere.json").string()}), {"nowhere.json", "exist"});
    check_refusal(tactus_command({"run", (folder / "nowhere.json").string()}), {"nowhere.json", "exist"});
    if (geteuid() != 0) {  // root reads everything
        const auto file = temporary().write("closed.json", R"({"tactus": 1, "scene": {}})");
        std::filesystem::permissions(file, std::filesystem::perms::none);
        check_refusal(tactus_command({"check", file.string()}), {"closed.json", "cannot be read"});
    }
}

TEST_CASE("what is not JSON is refused with its line and column") {
    check_all({
        {"an empty file", "", {"not valid JSON", "line 1", "unexpected end"}},
        {"only space", " \n\n", {"not valid JSON", "line 3", "unexpected end"}},
        {"truncated", "{\"tactus\": 1,\n\"scene\": {", {"not valid JSON", "line 2", "unexpected end"}},
        {"a trailing comma",
         "{\"tactus\": 1,\n\"scene\": {},\n}",
         {"not valid JSON", "line 3, column 1", "'}'", "JSON has no comma after the last element"}},
        {"a trailing comma in a list",
         ball(R"("translation": [1, 2, 3, ])"),
         {"JSON has no comma after the last element"}},
        {"a missing comma", "{\"tactus\": 1\n\"scene\": {}}", {"not valid JSON", "line 2", "'}'"}},
        {"NaN", ball(R"("smoothingRadius": NaN)"), {"not valid JSON", "line 1, column", "N", "JSON has no NaN"}},
        {"Infinity", ball(R"("smoothingRadius": Infinity)"), {"not valid JSON", "line 1, column", "I", "no infinity"}},
        {"nan", ball(R"("smoothingRadius": nan)"), {"not valid JSON", "JSON has no NaN"}},
        {"-inf", ball(R"("smoothingRadius": -inf)"), {"not valid JSON", "no infinity"}},
        {"a number with a leading zero", ball(R"("smoothingRadius": 01)"), {"not valid JSON", "line 1, column"}},
        {"single quotes", "{'tactus': 1, 'scene': {}}", {"not valid JSON", "line 1, column 2", "in double quotes"}},
        {"a comment",
         "{\"tactus\": 1,\n// a comment\n\"scene\": {}}",
         {"not valid JSON", "line 2", "/", "JSON has no comments"}},
        {"two documents", "{\"tactus\": 1, \"scene\": {}}\n{}", {"not valid JSON", "line 2", "expected end of input"}},
        {"invalid UTF-8", ball("\"material\": \"\xFF\xFE\""), {"not valid JSON", "line 1, column", "UTF-8"}},
        {"UTF-16", std::string{"\xFF\xFE{\0\"\0", 6}, {"not valid JSON", "line 1, column 1"}},
        {"a number that overflows", ball(R"("translation": [1e999, 0, 0])"), {"not valid JSON", "overflow", "1e999"}},
        {"half a surrogate pair", ball(R"("material": "\ud800")"), {"not valid JSON", "line 1, column", "surrogate"}},
        {"10 MB of [", repeated("[", ten_million), {"nested more than 32 deep"}},
        {"10 MB of {\"a\":", repeated("{\"a\":", ten_million / 5), {"nested more than 32 deep"}},
        {"40 levels where three numbers belong",
         ball(R"("translation": )" + repeated("[", 40) + repeated("]", 40)),
         {"nested more than 32 deep"}},
    });
}

TEST_CASE("a file of another form is refused") {
    check_all({
        {"a list", "[]", {"must be an object, not a list"}},
        {"a number", "3", {"must be an object, not a number"}},
        {"null", "null", {"must be an object, not null"}},
        {"no version", R"({"scene": {}})", {"/tactus", "is missing"}},
        {"a version in words", R"({"tactus": "1", "scene": {}})", {"/tactus", "\"1\"", "must be a whole number"}},
        {"half a version", R"({"tactus": 1.5, "scene": {}})", {"/tactus", "1.5", "must be a whole number"}},
        {"no scene", R"({"tactus": 1})", {"/scene", "is missing"}},
        {"two scenes", R"({"tactus": 1, "scene": [{}, {}]})", {"/scene", "must be an object, not a list"}},
        {"a key that stands twice", R"({"tactus": 1, "scene": {}, "scene": {}})", {"scene", "twice"}},
        {"another key that stands twice", sphere(R"("mass": 1, "mass": 2)"), {"mass", "twice"}},
        {"an unknown key",
         R"({"tactus": 1, "scene": {}, "objcts": []})",
         {"/objcts", "unknown key", "did you mean objects?"}},
        {"a key nobody knows",
         R"({"tactus": 1, "scene": {}, "quux!": []})",
         {"/quux!", "unknown key", "allowed are", "objects", "simulation"}},
        {"the results of a test", R"({"scenes": {}})", {"/tactus", "/scene", "is missing"}},
    });
}

TEST_CASE("a file of another version is refused") {
    check_all({
        {"version 2", R"({"tactus": 2, "scene": {}})", {"/tactus", "2", "1"}},
        {"version 0", R"({"tactus": 0, "scene": {}})", {"/tactus", "0", "1"}},
    });
}

TEST_CASE("values of a wrong type are refused") {
    check_all({
        {"a text for a number",
         shaped(R"({"type": "Sphere", "diameter": "1"})"),
         {"/objects/0/shape/diameter", "'ball'", "\"1\"", "must be a number, not a text"}},
        {"a text that spells NaN",
         sphere(R"("mass": "NaN")"),
         {"/objects/0/mass", "'ball'", "\"NaN\"", "must be a number, not a text"}},
        {"a bool for a number",
         ball(R"("smoothingRadius": true)"),
         {"/objects/0/smoothingRadius", "'ball'", "must be a number, not true or false"}},
        {"null for a number", sphere(R"("mass": null)"), {"/objects/0/mass", "'ball'", "must be a number, not null"}},
        {"a number for a bool",
         ball(R"("lockable": 1)"),
         {"/objects/0/lockable", "'ball'", "must be true or false, not a number"}},
        {"a number for a text",
         ball(R"("material": 5)"),
         {"/objects/0/material", "'ball'", "must be a text, not a number"}},
        {"a number for a name",
         objects(R"({"name": 3, "parent": "world"})"),
         {"/objects/0/name", "must be a text, not a number"}},
        {"a number for a word",
         ball(R"("feature": 1)"),
         {"/objects/0/feature", "'ball'", "must be a word, not a number"}},
        {"a list of two for a vector",
         ball(R"("translation": [1, 2])"),
         {"/objects/0/translation", "'ball'", "[1,2]", "must be a list of three numbers"}},
        {"a list of four for a vector",
         ball(R"("translation": [1, 2, 3, 4])"),
         {"/objects/0/translation", "'ball'", "must be a list of three numbers"}},
        {"a vector with a text",
         ball(R"("translation": [1, 2, "3"])"),
         {"/objects/0/translation", "'ball'", "must be a list of three numbers"}},
        {"an object for a list", scene(R"("objects": {"ball": {}})"), {"/objects", "must be a list, not an object"}},
        {"a list for an object", objects("[]"), {"/objects/0", "must be an object, not a list"}},
        {"a text for a shape",
         ball(R"("shape": "Sphere")"),
         {"/objects/0/shape", "'ball'", "\"Sphere\"", "must be an object with a \"type\""}},
        {"a fraction for a whole number",
         shaped(R"({"type": "Cylinder", "axis": 1.5})"),
         {"/objects/0/shape/axis", "'ball'", "1.5", "must be a whole number"}},
        {"a number for gravity",
         R"({"tactus": 1, "scene": {"gravity": 9.81}})",
         {"/scene/gravity", "9.81", "[x, y, z] or an object with a \"type\""}},
        {"two numbers for gravity",
         R"({"tactus": 1, "scene": {"gravity": [0, 9.81]}})",
         {"/scene/gravity", "must be a list of three numbers"}},
        {"a hundred thousand objects that are null",
         scene(R"("objects": [)" + repeated("null,", 99'999) + "null]"),
         {"/objects/0", "/objects/49", "must be an object, not null", "99950 more"}},
    });
}
