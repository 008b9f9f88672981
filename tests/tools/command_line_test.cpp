// The command line: its commands and options, its help, and what it prints.
#include "tests/tools/command_line.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <string>
#include <utility>
#include <vector>

using namespace tactus::test::command_line;
using tactus::test::contains;
using tactus::test::Run;
using tactus::test::source;

TEST_CASE("a wrong command line is refused with a way on") {
    const std::vector<std::vector<std::string>> wrong{{},
                                                      {"chek"},
                                                      {"--nonsense"},
                                                      {"check"},
                                                      {"check", "--nonsense", "x.json"},
                                                      {"check", "a", "b"},
                                                      {"bench"},
                                                      {"run", "--tol", "0", "x.json"},
                                                      {"run", "--tol", "nan", "x.json"},
                                                      {"run", "--until", "nan", "x.json"},
                                                      {"run", "--until", "inf", "x.json"},
                                                      {"run", "--until", "soon", "x.json"},
                                                      {"run", "--workers", "-1", "x.json"}};
    for (const auto& arguments : wrong) {
        CAPTURE(arguments.empty() ? "nothing" : arguments.front());
        const Run run = tactus_command(arguments);
        check_refusal(run, {"--help"});
    }
    check_refusal(tactus_command({"check", "--nonsense", "x.json"}), {"--nonsense"});
    check_refusal(tactus_command({"run", "--solver", "euler", "x.json"}), {"euler", "cvode-bdf", "arkode-erk"});
    check_refusal(tactus_command({"run", "--tol", "0", "x.json"}), {"--tol: 0: must be a number >= 1e-14 and <= 0.1"});
    check_refusal(tactus_command({"run", "--until", "nan", "x.json"}), {"--until: nan: must be a finite number [s]"});
    const auto late = temporary().write("late.json", scene(R"("simulation": {"startTime": 2, "stopTime": 3})"));
    check_refusal(tactus_command({"run", "--until", "-5", late.string()}),
                  {"late.json", "--until = -5: must be >= startTime (2) [s]"});
    check_refusal(tactus_command({"bench", "nonsense"}), {"'nonsense'", "there are", "structure"});
    check_refusal(tactus_command({"demo", "nonsense"}), {"'nonsense'"});
}

TEST_CASE("an unknown command is named") {
    check_refusal(tactus_command({"chek", "scene.json"}), {"chek", "--help"});
    check_refusal(tactus_command({"--nonsense"}), {"--nonsense", "--help"});
}

TEST_CASE("a missing file is named once in its line") {
    const Run run = tactus_command({"check", "nowhere.json"});
    CHECK(run.err.find("nowhere.json") == run.err.rfind("nowhere.json"));
}

TEST_CASE("help and version go to stdout") {
    for (const auto& arguments : {std::vector<std::string>{"--help"}, {"-h"}}) {
        const Run run = tactus_command(arguments);
        INFO(run.text());
        CHECK(run.exited_with(0));
        CHECK(run.err.empty());
        for (const char* command : {"check", "tree", "run", "schema", "demos", "demo", "bench", "--version"})
            CHECK_MESSAGE(contains(run.out, command), command);
    }
    const Run run = tactus_command({"--version"});
    CHECK(run.exited_with(0));
    CHECK(run.err.empty());
    CHECK(run.out == std::string{tactus::version} + "\n");
    for (const char* command : {"check", "tree", "run", "schema", "demos", "demo", "bench"}) {
        CAPTURE(command);
        const Run help = tactus_command({command, "--help"});
        CHECK_MESSAGE((help.exited_with(0) && help.err.empty() && contains(help.out, "Usage")), help.text());
    }
}

TEST_CASE("a run fails openly and names the parts that are not simulated yet") {
    const Run run =
        tactus_command({"run", (source / "tests/reference/scenes/ForceElements/PCMTorusSphere.json").string()});
    INFO(run.text());
    CHECK(run.exited_with(1));
    CHECK(run.out.empty());
    for (const char* word : {"PolygonalContact", "is not simulated by this version yet"})
        CHECK_MESSAGE(contains(run.err, word), word);
}

TEST_CASE("JSON on stdout is JSON") {
    const auto json = [](std::vector<std::string> arguments) {
        const Run run = tactus_command(std::move(arguments));
        INFO(run.text());
        CHECK(run.exited_with(0));
        CHECK(run.err.empty());
        return nlohmann::json::parse(run.out, nullptr, false);
    };
    const auto demos = json({"demos", "--json"});
    CHECK(demos.is_array());
    for (const auto& demo : demos) CHECK((demo.contains("name") && demo.contains("lesson")));

    const auto schema = json({"schema"});
    REQUIRE(schema.is_object());
    CHECK(schema["$schema"] == "https://json-schema.org/draft/2020-12/schema");
    CHECK(schema["properties"].contains("objects"));
    CHECK(schema["required"] == nlohmann::json::array({"tactus", "scene"}));
}

TEST_CASE("tree prints the super-objects of a scene") {
    const Run run = tactus_command({"tree", (source / "demos/scenes/robot_cell.json").string()});
    INFO(run.text());
    CHECK(run.exited_with(0));
    CHECK(run.err.empty());
    std::string rest = run.out;
    for (const char* word :
         {"4 super-objects", "1  the world", "floor", "2  free", "crate", "3  Revolute", "'robot.shoulderJoint'",
          "robot.upperArm", "4  Revolute", "'robot.elbowJoint'", "robot.tool"}) {
        CAPTURE(word);
        const auto at = rest.find(word);
        CHECK(at != std::string::npos);
        if (at != std::string::npos) rest = rest.substr(at);
    }
}
