// `tactus run` as its users meet it.
#include "tests/tools/command_line.hpp"

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>
#include <vector>

using namespace tactus::test::command_line;
using tactus::test::contains;
using tactus::test::Run;
using tactus::test::source;
using Json = nlohmann::json;

namespace {

const std::string pendulum = (source / "tests/reference/scenes/Basic/Pendulum.json").string();

Run tactus_run(std::vector<std::string> arguments) {
    arguments.insert(arguments.begin(), "run");
    return tactus_command(std::move(arguments));
}

}  // namespace

TEST_CASE("a scene is simulated, and its final states and statistics are printed as JSON") {
    for (const char* solver : {"cvode-bdf", "cvode-adams", "ida", "arkode-erk"}) {
        CAPTURE(solver);
        const Run run = tactus_run({pendulum, "--final", "--json", "--solver", solver, "--tol", "1e-9"});
        INFO(run.text());
        REQUIRE(run.exited_with(0));
        const Json json = Json::parse(run.out);
        CHECK(json["time"] == 3.0);
        CHECK(json["states"]["rev.phi"].get<double>() == doctest::Approx(-1.1395580466).epsilon(1e-8));
        CHECK(json["states"]["rev.w"].get<double>() == doctest::Approx(5.9705554915).epsilon(1e-8));
        const Json& statistics = json["statistics"];
        CHECK(statistics["solver"] == solver);
        for (const char* count : {"steps", "evaluations", "restarts", "states"})
            CHECK_MESSAGE(statistics[count].get<int>() > 0, count);
        for (const char* key : {"jacobians", "events", "wallTime", "realTimeFactor"})
            CHECK_MESSAGE(statistics.contains(key), key);
        CHECK(contains(run.err, "steps"));  // words go to stderr
    }
}

TEST_CASE("options of the command line go before those of the file") {
    const Json json = Json::parse(tactus_run({pendulum, "--json", "--until", "0.5"}).out);
    CHECK(json["time"] == 0.5);
    CHECK_FALSE(json.contains("states"));
    const Run words = tactus_run({pendulum, "--final", "--until", "0"});
    INFO(words.text());
    CHECK(words.exited_with(0));
    CHECK(contains(words.out, "rev.phi = 0  [rad]"));
}

TEST_CASE("results are written as CSV and JSON, and hold the same numbers") {
    const std::string csv = (temporary().path() / "r.csv").string(), json = (temporary().path() / "r.json").string();
    REQUIRE(tactus_run({pendulum, "--results", csv}).exited_with(0));
    REQUIRE(tactus_run({pendulum, "--results", json}).exited_with(0));
    const std::string table = tactus::test::text_of_file(csv);
    const Json signals = Json::parse(tactus::test::text_of_file(json));
    CHECK(std::count(table.begin(), table.end(), '\n') == 502);  // a head, and 501 communication points
    CHECK(signals["time"].size() == 501);
    CHECK(signals["time"].back() == 3.0);
    const std::string head = table.substr(0, table.find('\n'));
    for (const char* name : {"time", "rev.phi", "rev.w", "rev.force[1]", "energy.kinetic", "energy.potential"})
        CHECK_MESSAGE(contains("," + head + ",", std::string{","} + name + ","), name);
    const auto phi = static_cast<std::size_t>(
        std::count(head.begin(), head.begin() + static_cast<std::ptrdiff_t>(head.find("rev.phi")), ','));
    std::string last = table.substr(table.rfind('\n', table.size() - 2) + 1);
    for (std::size_t i = 0; i < phi; ++i) last = last.substr(last.find(',') + 1);
    CHECK(std::stod(last) == signals["signals"]["rev.phi"]["values"].back().get<double>());
    CHECK(signals["signals"]["rev.phi"]["unit"] == "rad");

    const Run other = tactus_run({pendulum, "--results", "r.txt"});
    CHECK(other.exited_with(2));
    CHECK(contains(other.err, "must end in .csv or .json"));
    const Run nowhere = tactus_run({pendulum, "--results", "no/such/folder/r.csv"});
    CHECK(nowhere.exited_with(1));
    CHECK(contains(nowhere.err, "cannot be written"));
}

TEST_CASE("a run that fails exits with 1, says when and why, and still writes what there is") {
    const auto scene = temporary().write("blow.json", R"({"tactus": 1, "scene": {"gravity": {"type": "NoGravity"}},
        "objects": [{"name": "body", "massProperties": {"mass": 1, "inertia": [1, 1, 1, 0, 0, 0]}}],
        "joints": [{"name": "slide", "type": "Prismatic", "object1": "world", "object2": "body", "s": 1}],
        "forces": [{"name": "push", "type": "WorldForce", "object": "body", "force": {"function": "unknown"}}]})");
    const Run missing = tactus_run({scene.string(), "--json"});
    INFO(missing.text());
    CHECK(missing.exited_with(1));
    CHECK(contains(missing.err, "function 'unknown'"));
    CHECK(contains(missing.err, "push"));

    const auto massless = temporary().write("massless.json", R"({"tactus": 1, "scene": {},
        "objects": [{"name": "ghost", "parent": "world", "free": true}]})");
    const std::string csv = (temporary().path() / "ghost.csv").string();
    const Run ghost = tactus_run({massless.string(), "--json", "--results", csv});
    INFO(ghost.text());
    CHECK(ghost.exited_with(1));
    CHECK(contains(ghost.err, "ghost"));
    CHECK(contains(ghost.err, "no mass"));
    const Json json = Json::parse(ghost.out);
    CHECK(contains(json["error"]["message"].get<std::string>(), "no mass"));
    CHECK(json["error"]["elements"][0] == "ghost");
    CHECK(std::filesystem::exists(csv));
}

TEST_CASE("the scene of the README swings with the energy that it started with") {
    const std::string json = (temporary().path() / "double.json").string();
    REQUIRE(tactus_run({(source / "demos/scenes/double_pendulum.json").string(), "--results", json}).exited_with(0));
    const Json signals = Json::parse(tactus::test::text_of_file(json))["signals"];
    const auto& kinetic = signals["energy.kinetic"]["values"];
    const auto& potential = signals["energy.potential"]["values"];
    double largest = 0;
    for (const Json& k : kinetic) largest = std::max(largest, k.get<double>());
    CHECK(largest > 10);
    for (std::size_t i = 0; i < kinetic.size(); ++i)
        CHECK(std::abs(kinetic[i].get<double>() + potential[i].get<double>()) < 1e-5 * largest);
}
