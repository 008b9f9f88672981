// The command line as its users meet it: real processes, real exit statuses. Broken files must be refused with words
// that let a person act: the place in the file, the object, and what is wrong or allowed there.
#pragma once

#include "tests/support/compare.hpp"
#include "tests/support/project.hpp"
#include "tests/support/run_program.hpp"

#include <doctest/doctest.h>

#include <cstddef>
#include <filesystem>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

namespace tactus::test::command_line {

inline const TemporaryFolder& temporary() {
    static const TemporaryFolder folder{"command_line"};
    return folder;
}

inline Run tactus_command(std::vector<std::string> arguments) {
    return run_program(TACTUS_CLI, std::move(arguments), temporary().path());
}

inline Run check_text(const std::string& json) {
    return tactus_command({"check", temporary().write("scene.json", json).string()});
}

inline std::vector<std::string> lines(const std::string& text) {
    std::vector<std::string> result;
    std::istringstream stream{text};
    for (std::string line; std::getline(stream, line);) result.push_back(line);
    return result;
}

// ---- what the broken files are made of -----------------------------------------------------------------------------

// A scene with further keys.
inline std::string scene(const std::string& keys) { return R"({"tactus": 1, "scene": {}, )" + keys + "}"; }

// ", " and further keys, if there are any.
inline std::string further(const std::string& keys) { return keys.empty() ? "" : ", " + keys; }

// A scene with one object, 'ball'; with a shape, or as it is.
inline std::string ball(const std::string& keys) {
    return scene(R"("objects": [{"name": "ball", "parent": "world", )" + keys + "}]");
}
inline std::string shaped(const std::string& shape, const std::string& keys = "") {
    return ball(R"("shape": )" + shape + further(keys));
}
inline std::string sphere(const std::string& keys) { return shaped(R"({"type": "Sphere"})", keys); }

// Objects, each as JSON.
inline std::string objects(const std::string& list) { return scene(R"("objects": [)" + list + "]"); }

// An arm that a Revolute joint, 'hinge', connects to a base; further keys of the joint, and of the file.
inline std::string hinge(const std::string& keys, const std::string& more = "") {
    return scene(R"("objects": [{"name": "base", "parent": "world"}, {"name": "arm"}], "joints": [{"name": "hinge",
        "type": "Revolute", "object1": "base", "object2": "arm")" +
                 further(keys) + "}]" + further(more));
}
// A joint as it is given, between the same two objects.
inline std::string joint(const std::string& given) {
    return scene(R"("objects": [{"name": "base", "parent": "world"}, {"name": "arm"}], "joints": [)" + given + "]");
}

// A body and a force element, 'push', of the given keys.
inline std::string force(const std::string& keys) {
    return scene(R"("objects": [{"name": "body", "parent": "world", "free": true, "shape": {"type": "Sphere"},
        "material": "Steel"}], "forces": [{"name": "push", )" +
                 keys + "}]");
}
inline std::string world_force(const std::string& given) {
    return force(R"("type": "WorldForce", "object": "body", "force": )" + given);
}

// A crate that is an assembly with a lock, a table that can take it, and one action.
inline std::string action(const std::string& given) {
    return scene(R"("objects": [{"name": "table", "parent": "world", "lockable": true},
        {"name": "crate", "parent": "world", "free": true, "assemblyRoot": true, "mass": 1, "shape": {"type": "Box"}},
        {"name": "crate.lock", "parent": "crate", "lockable": true}, {"name": "crate.side", "parent": "crate"}],
        "paths": [{"name": "route", "position": [0, 0], "vMax": [1, 1], "aMax": [1, 1]}], "actions": [)" +
                 given + "]");
}

// A servo on the hinge that follows a column of a path with two.
inline std::string servo(const std::string& reference) {
    return hinge("", R"("paths": [{"name": "route", "position": [0, 0], "vMax": [1, 1], "aMax": [1, 1]}],
        "drives": [{"name": "motor", "type": "Servo", "flange": "hinge", "reference": )" +
                         reference + "}]");
}

inline std::string repeated(const std::string& part, std::size_t count) {
    std::string text;
    text.reserve(part.size() * count);
    for (std::size_t i = 0; i < count; ++i) text += part;
    return text;
}

constexpr std::size_t ten_million = 10'000'000;

struct Broken {
    std::string name;
    std::string json;
    std::vector<std::string> words;  // that the message must hold
};

// Everything that holds for every refusal; `words` besides.
inline void check_refusal(const Run& run, const std::vector<std::string>& words) {
    INFO(run.text());
    CHECK(run.exited_with(2));
    CHECK(run.out.empty());
    CHECK(!run.err.empty());
    CHECK(run.err.size() < 20'000);
    for (const char* internal : {"exception", "nlohmann", "std::", "terminate", "Sanitizer"}) {
        CAPTURE(internal);
        CHECK(!contains(run.err, internal));
    }
    for (const std::string& word : words) {
        CAPTURE(word);
        CHECK(contains(run.err, word));
    }
}

inline void check_all(const std::vector<Broken>& table) {
    for (const Broken& broken : table) {
        CAPTURE(broken.name);
        const Run run = check_text(broken.json);
        check_refusal(run, broken.words);
        CHECK_MESSAGE(run.err.starts_with((temporary().path() / "scene.json").string() + ": "), run.text());
    }
}

}  // namespace tactus::test::command_line
