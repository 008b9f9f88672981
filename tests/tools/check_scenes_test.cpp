// `tactus check` and the scenes of the project.
#include "tests/tools/command_line.hpp"

#include <doctest/doctest.h>

#include <cstddef>

using namespace tactus::test::command_line;
using tactus::test::contains;
using tactus::test::Run;
using tactus::test::scene_files;
using tactus::test::source;

TEST_CASE("every scene of the project is good") {
    std::size_t count = 0;
    for (const char* folder : {"tests/reference/scenes", "demos/scenes"})
        for (const auto& file : scene_files(folder)) {
            CAPTURE(file);
            const Run run = tactus_command({"check", file.string()});
            INFO(run.text());
            CHECK(run.exited_with(0));
            CHECK(run.out.empty());
            CHECK(contains(run.err, file.string() + ": good: "));
            ++count;
        }
    CHECK(count >= 60);
}

TEST_CASE("the scenes that are wrong on purpose are refused, or warned of") {
    const auto check = [](const char* name) {
        return tactus_command({"check", (source / "tests/reference/scenes/errors" / name).string()});
    };
    check_refusal(check("Object3DWithoutParentError.json"),
                  {"/objects/2/parent", "'bar.frame2'", "give it a parent, or a joint"});
    check_refusal(check("OrthogonalLinesError.json"),
                  {"/objects/0/shape/lengthY", "'ground'", "= 0", "/objects/2/shape/lengthX", "'capsuleX'", "> 0"});
    check_refusal(check("PlaneVsPlaneEdgesError.json"),
                  {"/objects/0/shape/lengthZ", "'ground'", "= 0", "/objects/2/shape/lengthZ", "'capsuleX'", "> 0"});

    const Run run = check("InValidCollisionPairingError.json");
    INFO(run.text());
    CHECK(run.exited_with(0));
    for (const char* word : {"warning", "\"BilliardTable\"", "\"DryWood\"", "contact pair"})
        CHECK_MESSAGE(contains(run.err, word), word);
}
