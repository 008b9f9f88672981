// How `tactus check` says what is wrong: all of it, once, shortly, with its place and advice.
#include "tests/tools/command_line.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <string>
#include <vector>

using namespace tactus::test::command_line;
using tactus::test::Run;

TEST_CASE("all that is wrong is said at once, and only that") {
    const Run run = check_text(scene(R"("objects": [
        {"name": "a", "parent": "world", "mass": -1, "shape": {"type": "Sphere", "diameter": 0}},
        {"name": "b", "parent": "a"}, {"name": "c", "parent": "world", "material": "Stell", "shape": {"type": "Box"}}],
        "joints": [{"name": "j", "type": "Revolute", "object1": "a", "object2": "b"}],
        "simulation": {"tolerance": 0})"));
    check_refusal(run,
                  {"/objects/0/mass", "/objects/0/shape/diameter", "/objects/2/material", "/simulation/tolerance"});
    CHECK_MESSAGE(lines(run.err).size() == 4, run.text());
}

TEST_CASE("one mistake gives one message") {
    const std::vector<Broken> table{
        {"a number for a parent", objects(R"({"name": "a", "parent": 7})"), {"/objects/0/parent", "'a'"}},
        {"a number for a type", shaped(R"({"type": 5, "diameter": 1})"), {"/objects/0/shape/type", "'ball'"}},
        {"an axis beyond all", hinge(R"("axis": 10000000000)"), {"/joints/0/axis", "'hinge'"}},
        {"an empty parameter",
         scene(R"("uncertainties": [{"parameter": "", "deviation": 1}])"),
         {"/uncertainties/0/parameter"}},
        {"a material that is refused",
         scene(R"("materials": {"solid": {"Goo": {"density": -1}}}, "objects": [{"name": "ball",
            "parent": "world", "shape": {"type": "Sphere"}, "material": "Goo"}])"),
         {"/materials/solid/Goo/density", "'Goo'"}},
        {"no columns", scene(R"("paths": [{"name": "p", "position": [], "vMax": [], "aMax": []}])"), {"/paths/0"}},
    };
    for (const Broken& broken : table) {
        CAPTURE(broken.name);
        const Run run = check_text(broken.json);
        check_refusal(run, broken.words);
        CHECK_MESSAGE(lines(run.err).size() == 1, run.text());
    }
}

TEST_CASE("advice names what was probably meant") {
    check_all({
        {"a parent with a typo", objects(R"({"name": "a", "parent": "wordl"})"), {"did you mean world?"}},
        {"a parent that is a joint",
         scene(R"("objects": [{"name": "base", "parent": "world"}, {"name": "arm"},
            {"name": "tip", "parent": "hinge"}], "joints": [{"name": "hinge", "type": "Revolute", "object1": "base",
            "object2": "arm"}])"),
         {"/objects/2/parent", "is a joint"}},
        {"a joint to a force element",
         scene(R"("objects": [{"name": "base", "parent": "world"}],
            "joints": [{"name": "hinge", "type": "Revolute", "object1": "base", "object2": "wind"}],
            "forces": [{"name": "wind", "type": "WorldForce", "object": "base", "force": [0, 0, 1]}])"),
         {"/joints/0/object2", "is a force element"}},
        {"a word in small letters", ball(R"("feature": "visual")"), {"did you mean Visual?"}},
    });
}

TEST_CASE("messages stay short, however long what is wrong") {
    const std::string much(ten_million, 'x');
    check_all({
        {"a name of 10 MB",
         objects(R"({"name": ")" + much + R"(", "parent": "world"})"),
         {"/objects/0/name", "10000000 characters", "must not be longer than 1000"}},
        {"a key of 10 MB", ball("\"" + much + "\": 1"), {"/objects/0/", "'ball'", "unknown key"}},
        {"a parent of 10 MB",
         objects(R"({"name": "a", "parent": ")" + much + "\"}"),
         {"/objects/0/parent", "'a'", "there is no Object3D of this name"}},
        {"a shape's type of 10 MB",
         shaped(R"({"type": ")" + much + "\"}"),
         {"/objects/0/shape/type", "'ball'", "must be one of"}},
        {"a text of 10 MB without an end", R"({"title": ")" + much, {"not valid JSON", "missing closing quote"}},
    });
}

TEST_CASE("no control character of a file reaches the terminal") {
    for (const char* name : {"a\\nb", "a\\u001b[31mb", "a\\u0007b"}) {
        CAPTURE(name);
        const Run run = check_text(objects(R"({"name": ")" + std::string{name} + R"(", "parent": "world"})"));
        check_refusal(run, {"/objects/0/name"});
        CHECK(lines(run.err).size() == 1);
        CHECK(std::none_of(run.err.begin(), run.err.end() - 1,
                           [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 127; }));
    }
}

TEST_CASE("a key that stands twice, or a number that overflows, is reported with its place") {
    check_all({
        {"twice", sphere(R"("mass": 1, "mass": 2)"), {"/objects/0/mass"}},
        {"1e999", ball(R"("translation": [1e999, 0, 0])"), {"line 1"}},
    });
}

TEST_CASE("JSON pointers escape the names of materials") {
    check_all({{"a/b~c",
                scene(R"("materials": {"solid": {"a/b~c": {"density": -1}}})"),
                {"/materials/solid/a~1b~0c/density"}}});
}
