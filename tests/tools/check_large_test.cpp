// `tactus check` and files that are large. Each of these would take minutes, beyond the time limit of a run, if the work
// grew with the square of the size.
#include "tests/tools/command_line.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <cstddef>
#include <string>

using namespace tactus::test::command_line;
using tactus::test::contains;
using tactus::test::Run;

namespace {

// part(0), part(1), ... with commas between them.
template<class Part> std::string listed(std::size_t count, Part part) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += (i > 0 ? "," : "") + part(std::to_string(i));
    return text;
}

}  // namespace

TEST_CASE("a long text is no problem where a long text may stand") {
    const Run run = check_text(scene(R"("title": ")" + std::string(ten_million, 'x') + "\""));
    INFO(run.text());
    CHECK(run.exited_with(0));
}

TEST_CASE("thousands of names with a typo are refused, the first ones with advice") {
    check_all({
        {"parents",
         objects(listed(
             8000,
             [](const std::string& i) { return R"({"name": "object)" + i + R"(", "parent": "objekt)" + i + "\"}"; })),
         {"/objects/0/parent", "did you mean object0?", "/objects/49/parent", "did you mean object49?", "7950 more"}},
        {"sides of joints",
         scene(R"("objects": [)" +
               listed(8000, [](const std::string& i) { return R"({"name": "o)" + i + R"(", "parent": "world"})"; }) +
               R"(], "joints": [)" +
               listed(8000,
                      [](const std::string& i) {
                          return R"({"name": "j)" + i + R"(", "type": "Fix", "object1": "world", "object2": "ob)" + i +
                                 "\"}";
                      }) +
               "]"),
         {"/joints/0/object2", "did you mean o0?", "7950 more"}},
        {"materials",
         scene(R"("materials": {"solid": {)" +
               listed(8000, [](const std::string& i) { return "\"material" + i + R"(": {"density": 1})"; }) +
               R"(}}, "objects": [)" +
               listed(8000,
                      [](const std::string& i) {
                          return R"({"name": "o)" + i + R"(", "parent": "world", "shape": {"type": "Sphere"},
                              "material": "materia)" +
                                 i + "\"}";
                      }) +
               "]"),
         {"/objects/0/material", "did you mean material0?", "7950 more"}},
        {"locks of actions",
         scene(R"("objects": [)" +
               listed(8000, [](const std::string& i) { return R"({"name": "o)" + i + R"(", "parent": "world"})"; }) +
               R"(], "actions": [)" +
               listed(8000, [](const std::string& i) { return R"({"type": "Release", "lock": "ob)" + i + "\"}"; }) +
               "]"),
         {"/actions/0/lock", "did you mean o0?", "7950 more"}},
    });
}

TEST_CASE("an object may have very many keys") {
    const std::string materials =
        listed(200'000, [](const std::string& i) { return "\"material" + i + R"(": {"density": 1})"; });
    const Run good = check_text(scene(R"("materials": {"solid": {)" + materials + "}}"));
    INFO(good.text());
    CHECK(good.exited_with(0));
    const std::string keys = listed(200'000, [](const std::string& i) { return "\"key" + i + "\": 1"; });
    check_all({
        {"one of them twice",
         scene(R"("materials": {"solid": {)" + materials + R"(, "material7": {}}})"),
         {"/materials/solid/material7", "twice"}},
        {"nobody knows them", ball(keys), {"/objects/0/key0", "unknown key", "199950 more"}},
        {"no type that would tell them", shaped("{" + keys + "}"), {"/objects/0/shape/type", "is missing"}},
    });
}

TEST_CASE("very many objects that nothing connects are refused") {
    check_all({{"a hundred thousand",
                objects(listed(100'000, [](const std::string& i) { return R"({"name": "o)" + i + "\"}"; })),
                {"/objects/0/parent", "'o0'", "nothing connects this object", "/objects/49/parent", "99950 more"}}});
}

TEST_CASE("a parameter of very many parts is refused") {
    check_all({{"a million parts",
                scene(R"("uncertainties": [{"parameter": "a)" + repeated(".a", 1'000'000) + R"(", "deviation": 1}])"),
                {"/uncertainties/0/parameter", "must start with the name of an element"}}});
}

TEST_CASE("warnings are few, however many materials can meet") {
    const std::size_t count = 5000;
    const std::string balls = listed(count, [](const std::string& i) {
        return R"({"name": "o)" + i + R"(", "parent": "world", "free": true, "collidable": true,
            "shape": {"type": "Sphere"}, "material": "m)" +
               i + "\"}";
    });
    const auto materials = [&](const std::string& numbers, const std::string& pairs) {
        return scene(R"("materials": {"solid": {)" +
                     listed(count, [&](const std::string& i) { return "\"m" + i + "\": {" + numbers + "}"; }) +
                     R"(}, "contactPairs": [)" + pairs + R"(]}, "objects": [)" + balls + "]");
    };
    const Run lacking = check_text(materials(R"("density": 1)", ""));
    INFO(lacking.text());
    CHECK(lacking.exited_with(0));
    CHECK(contains(lacking.err, R"("m0", "m1")"));
    CHECK(contains(lacking.err, "there are more such pairs"));
    CHECK(lines(lacking.err).size() == 52);

    const Run complete = check_text(materials(
        R"("density": 1, "YoungsModulus": 1e9, "PoissonsRatio": 0.3)", listed(count, [](const std::string& i) {
            return R"({"material1": "m)" + i + R"(", "material2": "m)" + i + "\"}";
        })));
    INFO(complete.text());
    CHECK(complete.exited_with(0));
    CHECK(lines(complete.err).size() == 1);

    const Run massless = check_text(objects(listed(
        1000, [](const std::string& i) { return R"({"name": "o)" + i + R"(", "parent": "world", "free": true})"; })));
    INFO(massless.text());
    CHECK(massless.exited_with(0));
    CHECK(contains(massless.err, "and 950 more"));
    CHECK(lines(massless.err).size() == 52);
}

TEST_CASE("tree prints a chain of any depth, in lines that do not get longer and longer") {
    const std::string chain = listed(100'000, [](const std::string& i) {
        const std::string parent = i == "0" ? "world" : "o" + std::to_string(std::stoi(i) - 1);
        return R"({"name": "o)" + i + R"(", "parent": ")" + parent + R"(", "free": true})";
    });
    const Run run = tactus_command({"tree", temporary().write("chain.json", objects(chain)).string()});
    INFO(run.text());
    CHECK(run.exited_with(0));
    CHECK(contains(run.out, "[depth 31] 32  free"));
    CHECK(contains(run.out, "[depth 100000] 100001  free"));
    const auto all = lines(run.out);
    CHECK(all.size() > 200'000);
    CHECK(std::all_of(all.begin(), all.end(), [](const std::string& line) { return line.size() < 200; }));
}
