// Numbers from the reference palettes of the original program.
#include <tactus/tactus.hpp>

#include "tests/support/compare.hpp"

#include <doctest/doctest.h>

#include <limits>

using namespace tactus;
using tactus::test::contains;
using tactus::test::input_error;

TEST_CASE("the project's palettes hold the reference numbers") {
    const Palettes& p = Palettes::project();
    CHECK(p.solid_names().size() == 8);
    REQUIRE(p.solid("Steel"));
    CHECK(p.solid("Steel")->density == 8000.0);
    CHECK(p.solid("Steel")->youngs_modulus == 2e11);
    CHECK(p.solid("Steel")->poissons_ratio == 0.3);
    CHECK(p.solid("Steel")->linear_thermal_expansion_coefficient == 1.2e-5);
    CHECK(p.solid("BilliardBall")->density == 1768.0);
    CHECK(p.solid("BilliardBall")->youngs_modulus == 5.4e9);
    CHECK(p.solid("Aluminium")->thermal_conductivity == 237.0);
    CHECK_FALSE(p.solid("BilliardBall")->melting_point.has_value());  // unknown, not zero
    CHECK(p.solid("Unobtainium") == nullptr);
    REQUIRE(p.visual("RedTransparent"));
    CHECK(p.visual("RedTransparent")->transparency == 0.7);
    CHECK(p.visual("BlueTransparent")->transparency == 0.1);
    CHECK(p.own_pairs().size() == 10);
}

TEST_CASE("a contact pair is found in either order") {
    const Palettes& p = Palettes::project();
    for (const auto& pair : {p.contact("BilliardBall", "BilliardTable"), p.contact("BilliardTable", "BilliardBall")}) {
        REQUIRE(pair);
        CHECK(pair->sliding_friction_coefficient == 0.8);
        CHECK(pair->rotational_resistance_coefficient == 0.01);
        CHECK(pair->v_small == 0.01);
    }
}

TEST_CASE("a missing pair is the mean of the two self pairs: Steel on DryWood is 0.65, 0.4, 0.001") {
    const auto pair = Palettes::project().contact("Steel", "DryWood");
    REQUIRE(pair);
    CHECK(pair->coefficient_of_restitution == doctest::Approx(0.65).epsilon(1e-15));
    CHECK(pair->sliding_friction_coefficient == doctest::Approx(0.4).epsilon(1e-15));
    CHECK(pair->rotational_resistance_coefficient == doctest::Approx(0.001).epsilon(1e-15));
}

TEST_CASE("where a self pair is missing or not elastic there is no mean") {
    const Palettes& p = Palettes::project();
    CHECK_FALSE(p.contact("Aluminium", "Steel"));        // no entry for Aluminium at all
    CHECK_FALSE(p.contact("BilliardTable", "DryWood"));  // BilliardTable on itself is missing
    CHECK_FALSE(p.contact("Observer", "DryWood"));       // Observer on itself is no elastic response
    REQUIRE(p.contact("Observer", "Steel"));
    CHECK(p.contact("Observer", "Steel")->response == ContactResponse::Observer);
    CHECK(p.contact("Observer", "Steel")->alarm);
    CHECK(contains(p.contact_defect("Aluminium", "Steel"), "Aluminium"));
    CHECK(p.contact_defect("Steel", "Steel") == "");
}

TEST_CASE("a user's entry is added on top, overrides, and leaves the project's palettes alone") {
    World world;
    world.set_material("Cheese", SolidMaterial{.density = 1100.0, .youngs_modulus = 1e6, .poissons_ratio = 0.45});
    world.set_material("Steel", SolidMaterial{.density = 7850.0});
    world.set_contact_pair({.material1 = "Cheese", .material2 = "Cheese", .coefficient_of_restitution = 0.2});
    CHECK(world.materials().solid("Cheese")->density == 1100.0);
    CHECK(world.materials().solid("Steel")->density == 7850.0);
    CHECK(world.materials().contact("Cheese", "DryWood")->coefficient_of_restitution == doctest::Approx(0.4));
    CHECK(Palettes::project().solid("Steel")->density == 8000.0);
    CHECK(world.materials().own_solids().size() == 2);
}

TEST_CASE("impossible material numbers are refused and named") {
    World world;
    const std::string message =
        input_error([&] { world.set_material("Antimatter", SolidMaterial{.density = -1.0, .poissons_ratio = 0.7}); });
    CHECK(contains(message, "'Antimatter': density = -1: must be >= 0 [kg/m^3]"));
    CHECK(contains(message, "PoissonsRatio = 0.7"));
    CHECK(world.materials().solid("Antimatter") == nullptr);
    CHECK(contains(input_error([&] {
                       world.set_contact_pair(
                           {.material1 = "Steel", .material2 = "DryWood", .coefficient_of_restitution = 1.5});
                   }),
                   "coefficientOfRestitution = 1.5"));
}

TEST_CASE("overriding a density changes the masses that follow from it, and only those") {
    World world;
    world.scene();
    const Entity follows = world.add({.name = "a", .free = true, .shape = Box{1, 1, 1}, .material = "Steel"});
    const Entity fixed =
        world.add({.name = "b", .free = true, .shape = Box{1, 1, 1}, .material = "Steel", .mass = 5.0});
    CHECK(world.mass_of(follows)->mass == doctest::Approx(8000));
    world.set_material("Steel", SolidMaterial{.density = 7850.0});
    CHECK(world.mass_of(follows)->mass == doctest::Approx(7850));
    CHECK(world.mass_of(fixed)->mass == doctest::Approx(5));
    CHECK(
        contains(input_error([&] { world.set_material("Steel", SolidMaterial{}); }), "is needed for the mass of 'a'"));
    CHECK(world.mass_of(follows)->mass == doctest::Approx(7850));
}

TEST_CASE("a density that makes a mass overflow is refused, and nothing has changed") {
    World world;
    world.scene();
    const Entity small = world.add({.name = "small", .free = true, .shape = Box{1, 1, 1}, .material = "Steel"});
    const Entity large =
        world.add({.name = "large", .free = true, .shape = Box{1e10, 1e10, 1e10}, .material = "Steel"});
    for (const double density : {1e300, std::numeric_limits<double>::infinity()}) {
        CAPTURE(density);
        const std::string message =
            input_error([&] { world.set_material("Steel", SolidMaterial{.density = density}); });
        CHECK_MESSAGE(contains(message, "'Steel': density = "), message);
        CHECK(world.materials().solid("Steel")->density == 8000.0);
        CHECK(world.mass_of(small)->mass == doctest::Approx(8000));
        CHECK(world.mass_of(large)->mass == doctest::Approx(8e33));
    }
    CHECK(contains(input_error([&] { world.set_material("Steel", SolidMaterial{.density = 1e300}); }),
                   "must be smaller: mass and inertia of 'large' would not be finite"));
}

TEST_CASE("materials have names that can be read, and contact pairs name materials") {
    World world;
    for (const char* bad : {"", " Steel", "Steel ", "Dry\u00a0Wood", "Steel\u200b", "a\nb", "\ufeffSteel"}) {
        CAPTURE(bad);
        CHECK(contains(input_error([&] { world.set_material(bad, SolidMaterial{}); }), "the name of a material must"));
        CHECK(contains(input_error([&] { world.set_material(bad, VisualMaterial{}); }), "the name of a material must"));
    }
    world.set_material("Dry Wood (\u00d6l)", SolidMaterial{});
    const auto pair = [&](const std::string& a, const std::string& b) {
        return input_error([&] { world.set_contact_pair({.material1 = a, .material2 = b}); });
    };
    CHECK(pair("Steel", "Dry Wood (\u00d6l)") == "");
    CHECK(pair("Steel", "Stell") ==
          "'Steel, Stell': material2 = \"Stell\": is no material of the palette; did you mean Steel?");
    CHECK(contains(pair("", "Steel"), "material1 = \"\": must not be empty"));
    CHECK(world.materials().own_pairs().size() == 1);
}

TEST_CASE("colours have names") {
    CHECK(Color{"Red"}.rgb == std::array{255, 0, 0});
    CHECK(Color{"DarkGreen"}.rgb == std::array{0, 100, 0});
    CHECK_FALSE(Color::named("Redd"));
    World world;
    CHECK(
        contains(input_error([&] { world.set_material("x", VisualMaterial{.color = "Redd"}); }), "known colour name"));
}
