// The public door: what goes in, what comes out, and what is refused without a trace.
#include <tactus/tactus.hpp>

#include "tests/support/compare.hpp"

#include <doctest/doctest.h>

#include <taskflow/taskflow.hpp>

#include <filesystem>
#include <fstream>
#include <limits>

using namespace tactus;
using tactus::test::contains;
using tactus::test::input_error;
using tactus::test::Names;
using tactus::test::names;

TEST_CASE("the sample of the public door builds") {
    World world{{.workers = 2}};
    world.scene({.gravity = {0, 0, -9.81}});
    world.add({.name = "table", .shape = Box{2, 1, 0.1}, .material = "DryWood", .collidable = true});
    const Entity ball = world.add({.name = "ball",
                                   .free = true,
                                   .translation = {0, 0, 1.01},
                                   .shape = Sphere{0.04},
                                   .material = "Steel",
                                   .collidable = true});
    CHECK(world.super_objects().size() == 2);
    CHECK(world.mass_of(ball)->mass ==
          doctest::Approx(8000 * 3.141592653589793 / 6 * 0.04 * 0.04 * 0.04).epsilon(1e-14));
    CHECK(std::get<UniformGravity>(world.scene_of().gravity).acceleration == Vec3{0, 0, -9.81});
    CHECK(world.executor().num_workers() == 2);
}

TEST_CASE("the number of workers can be set, but not of a host's executor, nor while the World moves") {
    World world{{.workers = 2}};
    world.scene();
    world.set_workers(3);
    CHECK(world.executor().num_workers() == 3);
    CHECK(contains(input_error([&] { world.set_workers(-1); }), "from 0 to 1024"));
    CHECK(world.executor().num_workers() == 3);
    world.add_time_event("now", 0.5);
    std::string refused;
    world.on_event([&](const Event&) { refused = input_error([&] { world.set_workers(1); }); });
    world.advance(1.0);
    CHECK(contains(refused, "set_workers"));
    tf::Executor host{2};
    World guest{{.executor = &host}};
    CHECK(contains(input_error([&] { guest.set_workers(1); }), "host"));
}

TEST_CASE("elements are found by their path; an unknown path gets the nearest name") {
    World world;
    world.scene();
    const Entity link = world.add({.name = "robot.arm.link1"});
    CHECK(world.find("robot.arm.link1") == link);
    CHECK(world.name(link) == "robot.arm.link1");
    CHECK((world.find("robot.arm") == entt::null));
    CHECK(contains(input_error([&] { world.at("robot.arm.lnik1"); }), "did you mean robot.arm.link1?"));
}

TEST_CASE("parents may be added before their children or after") {
    World world;
    world.add({.name = "grandchild", .parent = "child"});
    world.add({.name = "child", .parent = "parent"});
    world.add({.name = "parent"});
    world.scene();
    CHECK(names(world, world.super_object(world.root()).members) == Names{"world", "parent", "child", "grandchild"});
}

TEST_CASE("there is exactly one Scene") {
    World world;
    CHECK(contains(input_error([&] { world.scene_of(); }), "no Scene yet"));
    world.scene({.name = "earth"});
    CHECK(contains(input_error([&] { world.scene({.name = "moon"}); }), "there is a Scene already (\"earth\")"));
    CHECK(contains(input_error([&] { world.remove(world.root()); }), "cannot be removed"));
    CHECK((world.find("moon") == entt::null));
}

TEST_CASE("names are unique among all elements, well formed, and never change") {
    World world;
    world.scene();
    const Entity a = world.add({.name = "a"});
    world.add({.name = "b", .free = true});
    CHECK(contains(input_error([&] { world.add({.name = "a"}); }),
                   "'a': name = \"a\": there is an element of this name already"));
    CHECK(contains(input_error([&] { world.add_joint({.name = "a", .object1 = "a", .object2 = "b"}); }), "already"));
    for (const char* bad : {".a", "a.", "a..b", "a b", "a/b", "a\"b", "a\n", "a\u00a0b", "a\u3000b", "\ufeffa"}) {
        CAPTURE(bad);
        CHECK(contains(input_error([&] { world.add({.name = bad}); }), "parts separated by dots"));
    }
    CHECK(contains(input_error([&] { world.change(a, [](Object3DDef& o) { o.name = "c"; }); }),
                   "a name cannot be changed"));
    CHECK(world.name(world.add({})).starts_with("object"));
    CHECK(world.elements().size() == 4);
}

TEST_CASE("no cycle of parents, directly, through others, or through a name that came later") {
    World world;
    world.scene();
    CHECK(contains(input_error([&] { world.add({.name = "self", .parent = "self"}); }), "its own parent"));
    world.add({.name = "a", .parent = "c"});
    world.add({.name = "b", .parent = "a"});
    CHECK(contains(input_error([&] { world.add({.name = "c", .parent = "b"}); }),
                   "parent = \"b\": makes a cycle: c → b → a → c"));
    CHECK((world.find("c") == entt::null));
    world.add({.name = "c"});
    CHECK(contains(input_error([&] { world.change(world.at("c"), [](Object3DDef& o) { o.parent = "b"; }); }),
                   "makes a cycle: c → b → a → c"));
    for (int i = 0; i < 100; ++i)
        world.add({.name = "d" + std::to_string(i), .parent = i == 0 ? "c" : "d" + std::to_string(i - 1)});
    CHECK(contains(input_error([&] { world.change(world.at("c"), [](Object3DDef& o) { o.parent = "d99"; }); }),
                   "makes a cycle: c → d99 → d98 → d97 → (95 more) → d1 → d0 → c"));
    CHECK(world.super_objects().size() == 1);
}

TEST_CASE("an error names the object, the field, the value and what is allowed") {
    World world;
    world.scene();
    const double nan = std::numeric_limits<double>::quiet_NaN();
    const auto refused = [&](const Object3DDef& object, const std::string& expected) {
        CAPTURE(expected);
        const std::string message = input_error([&] { world.add(object); });
        CHECK_MESSAGE(contains(message, expected), message);
        CHECK((world.find(object.name) == entt::null));
    };
    refused({.name = "x", .shape = Sphere{-1}}, "'x': shape.diameter = -1: must be > 0 [m]");
    refused({.name = "x", .shape = Sphere{0}}, "'x': shape.diameter = 0: must be > 0 [m]");
    refused({.name = "x", .translation = {0, nan, 0}},
            "'x': translation = [0, NaN, 0]: each element must be a finite number [m]");
    refused({.name = "x", .rotation = {nan, 0, 0}}, "rotation");
    refused({.name = "x", .rotation = Quat{2, 0, 0, 0}}, "the norm must be 1");
    refused({.name = "x", .velocity = {1, 0, 0}}, "'x': velocity = [1, 0, 0]: only a free object has one");
    refused({.name = "x", .lockable = true, .assembly_root = true}, "'x': lockable = true");
    refused({.name = "x", .shape = Box{1, 1, 1}, .material = "Stell"},
            "'x': material = \"Stell\": is no material of the palette; did you mean Steel?");
    refused({.name = "x", .shape = Box{1, 1, 1}, .collidable = true}, "'x': collidable = true: needs a material");
    refused({.name = "x", .material = "Steel", .collidable = true}, "'x': collidable = true: needs a shape");
    refused({.name = "x", .mass = 1.0}, "'x': mass = 1: needs a shape");
    refused({.name = "x", .shape = Box{1, 1, 1}, .mass = -3.0}, "'x': mass = -3: must be >= 0 [kg]");
    refused({.name = "x", .shape = Box{1, 1, 1}, .mass = 1.0, .mass_properties = MassProperties{.mass = 1}},
            "either mass or massProperties");
    refused({.name = "x", .feature = Feature::Visual}, "'x': shape: a Visual needs a shape");
    refused({.name = "x", .feature = Feature::Visual, .shape = Box{1, 1, 1}, .material = "Steel"},
            "a Visual has no mass");
    refused({.name = "x", .shape = Grid{}}, "'x': shape = \"Grid\": is only seen");
    refused({.name = "x", .shape = Cylinder{.diameter = 0.1, .inner_diameter = 0.2}},
            "'x': shape.innerDiameter = 0.2: must be < diameter (0.1)");
    refused({.name = "x", .shape = Cone{.diameter = 0.1, .top_diameter = 0.2}}, "shape.topDiameter = 0.2");
    refused({.name = "x", .shape = Cylinder{.axis = 4}}, "'x': shape.axis = 4: must be >= 1 and <= 3");
    refused({.name = "x", .shape = Mesh{.file = "nothing.obj"}}, "nothing.obj");
    refused({.name = "x", .visual_material = "Rde"}, "visualMaterial = \"Rde\"");
    MassProperties bad{.mass = 1.0};
    bad.inertia = Vec3{1, 1, 3}.asDiagonal();
    refused({.name = "x", .mass_properties = bad},
            "'x': massProperties.inertia = [[1, 0, 0], [0, 1, 0], [0, 0, 3]]: has a principal moment of inertia larger "
            "than the sum of the two others: 3 > 1 + 1 kg m^2; must be that of a real body");
}

TEST_CASE("unphysical inertia is refused: the mass properties of one of the original's own test scenes") {
    // cases.json, AllShapes: Ixx 3, Iyy 4, Izz 4, Ixy 6, Ixz 7, Iyz 9 has negative principal moments
    World world;
    world.scene();
    MassProperties m{.mass = 2, .center_of_mass = {1, 2, 3}};
    m.inertia << 3, 6, 7, 6, 4, 9, 7, 9, 4;
    CHECK(contains(input_error([&] { world.add({.name = "pipe", .mass_properties = m}); }),
                   "must be that of a real body"));
}

TEST_CASE("joints and force elements refer to what exists") {
    World world;
    world.scene();
    world.add({.name = "a", .free = true});
    const Entity j = world.add_joint({.name = "j",
                                      .object1 = "world",
                                      .object2 = world.add({.name = "b", .parent = ParentRef::none()}),
                                      .type = Prismatic{}});
    CHECK(contains(input_error([&] { world.add_joint({.name = "k", .object1 = "a", .object2 = "c", .type = Fix{}}); }),
                   "'k': object2 = \"c\": there is no Object3D of this name"));
    CHECK(contains(input_error([&] { world.add_joint({.name = "k", .object1 = "a", .object2 = "j", .type = Fix{}}); }),
                   "is a joint, not an Object3D"));
    CHECK(contains(input_error([&] { world.add_joint({.name = "k", .object1 = "a", .object2 = "a", .type = Fix{}}); }),
                   "another object"));
    CHECK(contains(input_error([&] { world.add_joint({.name = "k", .object1 = "a", .type = Fix{}}); }),
                   "'k': object2: is missing"));
    CHECK(contains(
        input_error([&] {
            world.add_joint({.name = "k", .object1 = "a", .object2 = "b", .type = Revolute{.axis = Vec3{0, 0, 0}}});
        }),
        "'k': axis = [0, 0, 0]: must not have length 0"));
    CHECK(contains(input_error([&] {
                       world.add_joint(
                           {.name = "k",
                            .object1 = "a",
                            .object2 = "b",
                            .type = Revolute{.resistance = {.limits = JointLimits{.lower = 1, .upper = -1}}}});
                   }),
                   "resistance.limits.lower = 1: must be < upper (-1)"));
    CHECK(contains(input_error([&] { world.add_drive({.name = "d", .type = Damper{.flange1 = "a", .d = 1}}); }),
                   "is an Object3D, not a joint or drive"));
    CHECK(contains(input_error([&] { world.add_drive({.name = "d", .type = Damper{.d = 1}}); }),
                   "one of the two flanges"));
    CHECK(contains(
        input_error([&] {
            world.add_force(
                {.name = "f",
                 .type = WorldForce{.object = "a", .force = Table<Vec3>{{1, 0}, {Vec3{0, 0, 0}, Vec3{0, 0, 0}}}}});
        }),
        "must not be smaller than the x before it"));
    CHECK(world.joint(j).object1.path == "world");
    CHECK(world.elements().size() == 4);
}

TEST_CASE("removing refuses what others need, or takes them along") {
    World world;
    world.scene();
    const Entity a = world.add({.name = "a", .free = true});
    world.add({.name = "a.child", .parent = "a"});
    world.add({.name = "b", .parent = ParentRef::none()});
    world.add_joint({.name = "j", .object1 = "a.child", .object2 = "b", .type = Revolute{}});
    world.add_drive({.name = "d", .type = Damper{.flange1 = "j", .d = 1}});
    world.add_force({.name = "f", .type = WorldForce{.object = "a", .force = {0, 0, 1}}});
    const std::string message = input_error([&] { world.remove(a); });
    CHECK(contains(message, "'a': is needed by"));
    CHECK(contains(message, "'a.child'"));
    CHECK(world.elements().size() == 7);
    world.remove(world.at("b"), Dependents::remove);  // with its joint and the damper on it
    CHECK(names(world, world.elements()) == Names{"world", "a", "a.child", "f"});
    world.remove(a, Dependents::remove);
    CHECK(names(world, world.elements()) == Names{"world"});
    CHECK(world.super_objects().size() == 1);
    world.add({.name = "a"});  // the name is free again
}

TEST_CASE("an action program must refer to lockables, and keeps what it needs") {
    World world;
    world.scene();
    world.add({.name = "base"});
    world.add({.name = "base.lock", .parent = "base", .lockable = true});
    world.add({.name = "cargo", .free = true, .assembly_root = true});
    world.add({.name = "cargo.lock", .parent = "cargo", .lockable = true});
    CHECK(contains(input_error([&] {
                       world.set_actions({Attach{"cargo", "base.lock"}});
                   }),
                   "actions.0.lock = \"cargo\": is not lockable"));
    CHECK(contains(input_error([&] {
                       world.set_actions({Attach{"base.lock", "cargo.lock"}});
                   }),
                   "belongs to no assembly"));
    CHECK(contains(input_error([&] { world.set_actions({Wait{-1}}); }), "actions.0.period = -1: must be >= 0 [s]"));
    CHECK(contains(input_error([&] { world.set_actions({MoveAlongPath{"p", {}}}); }), "no path of this name"));
    world.set_actions({Attach{"cargo.lock", "base.lock"}, EventAfterPeriod{5}, Release{"cargo.lock"}});
    CHECK(contains(input_error([&] { world.remove(world.at("cargo"), Dependents::remove); }),
                   "action 1 refers to 'cargo.lock'"));
    CHECK(world.actions().size() == 3);
}

TEST_CASE("a definition comes back as it went in") {
    World world;
    world.scene();
    Object3DDef def{.name = "o",
                    .parent = "world",
                    .free = true,
                    .translation = {1, 2, 3},
                    .rotation = {0.1, 0.2, 0.3},
                    .velocity = {4, 5, 6},
                    .angular_velocity = {7, 8, 9},
                    .angular_velocity_in_body = true,
                    .assembly_root = true,
                    .shape = Beam{.axis = 2, .length = 3},
                    .material = "Steel",
                    .mass = 4.5,
                    .collidable = true,
                    .contact_material = "DryWood",
                    .smoothing_radius = 0.002,
                    .contact_sphere_radius = 0.3,
                    .visual_material = "Red"};
    const Entity e = world.add(def);
    CHECK(world.object(e) == def);
    world.change(e, [](Object3DDef& o) { o.mass = 5.5; });
    def.mass = 5.5;
    CHECK(world.object(e) == def);
}

TEST_CASE("a mesh that is changed is loaded anew; one that is shared is loaded once") {
    const auto folder = std::filesystem::temp_directory_path() / "tactus_world_test";
    std::filesystem::create_directories(folder);
    std::ofstream{folder / "t.obj"} << "v 0 0 0\nv 1 0 0\nv 0 1 0\nv 0 0 1\nf 1 3 2\nf 1 2 4\nf 1 4 3\nf 2 3 4\n";
    World world{{.folder = folder}};
    world.scene();
    const Entity a = world.add({.name = "a", .free = true, .shape = Mesh{.file = "t.obj"}, .mass = 1.0});
    const Entity b = world.add({.name = "b", .free = true, .shape = Mesh{.file = "t.obj"}, .material = "Steel"});
    const auto surface = [&](Entity e) { return std::get<Mesh>(*world.registry().get<Solid>(e).shape).data; };
    CHECK(surface(a) == surface(b));
    CHECK(world.mass_of(b)->mass == doctest::Approx(8000.0 / 6));
    world.change(b, [](Object3DDef& o) { std::get<Mesh>(*o.shape).scale = {2, 1, 1}; });
    CHECK(world.mass_of(b)->mass == doctest::Approx(8000.0 / 3));
    CHECK(surface(a) != surface(b));
    const auto before = surface(b);
    world.change(b, [](Object3DDef& o) { o.translation = {1, 0, 0}; });
    CHECK(surface(b) == before);
    std::filesystem::remove_all(folder);
}

TEST_CASE("a host brings its own registry and executor, and its components stay") {
    struct Score {
        int points = 0;
    };
    entt::registry registry;
    tf::Executor executor{1};
    const Entity host_only = registry.create();
    registry.emplace<Score>(host_only, 1);
    Entity ball = entt::null;
    {
        World world{{.executor = &executor, .registry = &registry}};
        world.scene();
        ball = world.add({.name = "ball", .free = true, .shape = Sphere{0.1}, .material = "Steel"});
        registry.emplace<Score>(ball, 2);
        CHECK(&world.executor() == &executor);
        CHECK(&world.registry() == &registry);
        CHECK(world.mass_of(ball)->mass > 0);
        CHECK(contains(input_error([&] { World second{{.registry = &registry}}; }), "carries a World already"));
    }
    CHECK(registry.valid(ball));
    CHECK(registry.get<Score>(ball).points == 2);
    CHECK(registry.get<Score>(host_only).points == 1);
    CHECK_FALSE(registry.any_of<Object3D, Name, SuperObject>(ball));
    World again{{.registry = &registry}};
    again.scene();
    CHECK(again.super_objects().size() == 1);
}

TEST_CASE("materials that can meet but have no contact pair are warned about") {
    World world;
    world.scene();
    world.add({.name = "floor", .shape = Box{1, 1, 1}, .material = "DryWood", .collidable = true});
    world.add({.name = "ball", .free = true, .shape = Sphere{0.1}, .material = "BilliardTable", .collidable = true});
    world.add({.name = "ghost", .free = true});
    const std::vector<Issue> warnings = world.warnings();
    REQUIRE(warnings.size() == 2);
    CHECK(contains(warnings[0].text(), "'ghost': free = true: moves freely but has no mass"));
    CHECK(contains(warnings[1].text(), "\"BilliardTable\", \"DryWood\""));
}

TEST_CASE("materials are warned about only where they can meet") {
    const auto pairs = [](World& world) {
        std::vector<std::string> values;
        for (const Issue& issue : world.warnings())
            if (issue.field == "materials") values.push_back(issue.value);
        return values;
    };
    const auto add = [](World& world, const std::string& name, const std::string& parent, bool free,
                        const std::string& material) {
        world.add({.name = name,
                   .parent = parent,
                   .free = free,
                   .shape = Sphere{0.1},
                   .material = material,
                   .collidable = true});
    };
    World world;
    world.scene();
    for (const char* name : {"A", "B", "C"}) world.set_material(name, SolidMaterial{.density = 1});
    add(world, "a1", "world", false, "A");  // all on the world: nothing can meet
    add(world, "b1", "world", false, "B");
    add(world, "a2", "world", false, "A");
    CHECK(pairs(world).empty());
    add(world, "c1", "world", true, "C");  // meets what the world carries, but not itself
    add(world, "c2", "c1", false, "C");
    CHECK(pairs(world) == Names{"\"A\", \"C\"", "\"B\", \"C\""});
    add(world, "b2", "c1", false, "B");  // on two super-objects: meets everything, itself included
    CHECK(pairs(world) == Names{"\"A\", \"B\"", "\"A\", \"C\"", "\"B\", \"B\"", "\"B\", \"C\""});
    world.set_contact_pair({.material1 = "C", .material2 = "B", .response = ContactResponse::None});
    CHECK(pairs(world) == Names{"\"A\", \"B\"", "\"A\", \"C\"", "\"B\", \"B\""});
    world.set_contact_pair({.material1 = "A", .material2 = "C"});  // elastic, but nobody knows how stiff they are
    CHECK(pairs(world) == Names{"\"A\", \"B\"", "\"A\", \"C\"", "\"B\", \"B\""});
    for (const char* name : {"A", "B"}) {
        world.set_material(name, SolidMaterial{.density = 1, .youngs_modulus = 1e9, .poissons_ratio = 0.3});
        world.set_contact_pair({.material1 = name, .material2 = name});
    }
    CHECK(pairs(world) == Names{"\"A\", \"C\""});
}

TEST_CASE("removing an object takes its joints along before the objects that they hold") {
    World world;
    world.scene();
    const Entity a = world.add({.name = "a"});
    world.add({.name = "b", .parent = "a"});
    world.add({.name = "c", .parent = "b", .free = true});
    world.add_joint({.name = "j", .object1 = "a", .object2 = "c", .type = Revolute{}});
    world.remove(a, Dependents::remove);
    CHECK(names(world, world.elements()) == Names{"world"});
}

TEST_CASE("a member that moved away outlives the root that it had") {
    World world;
    world.scene();
    world.add({.name = "cart", .free = true});
    const Entity truck = world.add({.name = "truck", .free = true});
    const Entity box = world.add({.name = "box", .parent = "truck"});
    world.update_structure();
    world.change(box, [](Object3DDef& o) { o.parent = "cart"; });
    world.remove(truck, Dependents::remove);
    CHECK(world.root_of(box) == world.at("cart"));
}
