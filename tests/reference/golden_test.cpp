// Golden states: the last bits of how every reference scene and every demo ends. They change with a law, a tolerance or an
// order of sums; a change of structure must leave them as they are. For 1 to 4 workers they are the same.
//
// Bits also depend on the functions of <cmath>, which processors and systems round differently. So golden_states.json has a
// table for each arithmetic that is known; on any other one only the numbers of workers are compared. After a change that is
// meant, TACTUS_GOLDEN=write tools/test -- -R golden writes the table of this machine anew.
#include "demos/demo.hpp"
#include "tests/support/project.hpp"

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <cmath>
#include <cstdlib>
#include <cstring>
#include <fstream>

using namespace tactus;
using Json = nlohmann::ordered_json;

namespace {

const std::filesystem::path table = test::source / "tests/reference/golden_states.json";

class Hash {  // FNV-1a
public:
    void add(double x) {
        std::uint64_t bits = 0;
        std::memcpy(&bits, &x, sizeof bits);
        add(bits);
    }
    void add(std::uint64_t bits) {
        for (int i = 0; i < 8; ++i, bits >>= 8) value_ = (value_ ^ (bits & 255u)) * 1099511628211ull;
    }
    void add(const std::string& text) {
        for (const char c : text) value_ = (value_ ^ static_cast<unsigned char>(c)) * 1099511628211ull;
    }
    std::string text() const {
        char digits[17];
        std::snprintf(digits, sizeof digits, "%016llx", static_cast<unsigned long long>(value_));
        return digits;
    }

private:
    std::uint64_t value_ = 14695981039346656037ull;
};

// How <cmath> rounds here.
std::string arithmetic() {
    Hash hash;
    for (int i = 1; i <= 2000; ++i) {
        const double x = 0.00137 * i + 1e-9 * i * i;
        for (const double y : {std::sin(x), std::cos(40 * x), std::tan(x), std::exp(x), std::log(x), std::log1p(x),
                               std::pow(x, 2.5), std::pow(x, 0.4), std::cbrt(x), std::atan2(x, 1.3), std::asin(x / 8),
                               std::acos(x / 8), std::hypot(x, 0.7)})
            hash.add(y);
    }
    return hash.text();
}

std::string end_of(World& world) {
    Hash hash;
    hash.add(world.time());
    for (const StateValue& state : world.states()) {
        hash.add(state.name);
        for (const double x : state.values) hash.add(x);
    }
    hash.add(static_cast<std::uint64_t>(world.touches().size()));
    hash.add(world.energies().balance());
    return hash.text();
}

std::string end_of_scene(const std::filesystem::path& file, int workers) {
    World world{{.workers = workers}};
    try {
        add_document(world, read_document_file(file), file.parent_path());
        world.run(world.simulation().stop_time, {.record = false});
    } catch (const Error& error) {  // of what this version does not simulate
        const std::string words = error.what();
        return words.substr(0, words.find('\n'));
    }
    return end_of(world);
}

std::string end_of_demo(const demos::Demo& demo, int workers) {
    World world{{.workers = workers}};
    demos::Set set{world, demo.parameters};
    demo.build(set);
    for (int frame = 0; frame < 60; ++frame) world.advance(1.0 / 60);
    return end_of(world);
}

Json ends(int workers) {
    Json found = Json::object();
    for (const char* folder : {"tests/reference/scenes", "demos/scenes"})
        for (const auto& file : test::scene_files(folder))
            found[std::filesystem::relative(file, test::source).generic_string()] = end_of_scene(file, workers);
    for (const demos::Demo* demo : demos::all()) found["demo " + demo->name] = end_of_demo(*demo, workers);
    return found;
}

}  // namespace

TEST_CASE("every scene and every demo ends as it did, to the last bit") {
    const Json found = ends(1);
    CHECK(found.size() > 70);
    Json golden = Json::object();
    if (std::ifstream file{table}) golden = Json::parse(file);
    const std::string here = arithmetic();
    if (const char* what = std::getenv("TACTUS_GOLDEN"); what && std::string{what} == "write") {
        golden[here] = found;
        std::ofstream{table} << golden.dump(1) << "\n";
        return;
    }
    if (!golden.contains(here)) {
        MESSAGE("<cmath> rounds in a way (" << here << ") for which there is no table");
        return;
    }
    for (const auto& [name, hash] : golden[here].items()) {
        CAPTURE(name);
        CHECK(found.value(name, "is not there") == hash.get<std::string>());
    }
    for (const auto& [name, hash] : found.items()) {
        CAPTURE(name);
        CHECK(golden[here].contains(name));
    }
}

TEST_CASE("every scene and every demo ends alike for 1 to 4 workers") {
    const Json one = ends(1);
    for (const int workers : {2, 3, 4}) {
        CAPTURE(workers);
        const Json more = ends(workers);
        for (const auto& [name, hash] : one.items()) {
            CAPTURE(name);
            CHECK(more.value(name, "is not there") == hash.get<std::string>());
        }
    }
}
