#include "demos/scenes/gripping_robot.hpp"

#include "demos/scenes/parts.hpp"

#include <tactus/systems/drives/path_motion.hpp>

#include <array>
#include <cmath>
#include <numbers>
#include <optional>
#include <string>
#include <utility>

namespace scenes {

using namespace tactus;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double sphere_radius = 0.025;                  // [m] of the sphere
constexpr double turn = 1.2;                             // [rad] from one plate to the other
constexpr double open = 0.06, closed = 0.048;            // [m] of the gripper; the sphere is met at 0.0498
const Vec3 grip_point{-0.0003, -0.005, 0.0275};          // [m] the sphere's centre in the gripper
const Vec3 base{-0.569, 0, 0.084}, axis1{-0.402, 0, 0};  // [m] of the base, and where the first axis is
constexpr double plate_top = 0.1592;                     // [m]
constexpr double smoothing = 0.001;                      // [m] of edges

Mat3 inertia(double xx, double yy, double zz, double xy, double xz, double yz) {
    Mat3 I;
    I << xx, xy, xz, xy, yy, yz, xz, yz, zz;
    return I;
}

struct ArmLink {
    MassProperties mass;
    Vec3 anchor_rotation;       // [rad] of its joint on the link before
    Vec3 end;                   // [m] where the next joint is
    Shape look;                 // what is seen of it ...
    Vec3 look_at;               // [m] ... and where
    double stiffness, damping;  // [N m/rad], [N m s/rad] of its drive: motor gains times the gear ratio squared
    double v_max;               // [rad/s]
};

const std::array<ArmLink, 5>& arm() {
    static const std::array<ArmLink, 5> links{{
        {{1.39,
          {0.0027876164947574313, -0.0034601792733472995, 0.041003685730104385},
          inertia(0.0023494418401818424, 0.002915680090622639, 0.0031447485206532685, 0.00019816907720510946,
                  0.00029651453033265453, -0.0002933728452363686)},
         {pi, 0, 0},
         {0.033, 0, 0},
         Cylinder{.axis = 3, .diameter = 0.11, .length = 0.09},
         {0, 0, 0.035},
         121680,
         2433.6,
         2.68512},
        {{1.318,
          {0.06930646765095064, 0.0013792004435754983, -0.033992565598119806},
          inertia(0.0006319954837924902, 0.005291013125401837, 0.005500959334256878, 2.0642853143744337e-05,
                  5.9922309350389184e-05, -4.643392618012742e-06)},
         {pi / 2, 0, -pi / 2},
         {0.155, 0, 0},
         Box{0.22, 0.07, 0.05},
         {0.0775, 0, -0.034},
         121680,
         2433.6,
         2.68512},
        {{0.821,
          {-0.00015861167202519343, 0.07907807743559714, 0.030758285811219196},
          inertia(0.002426864103783148, 0.00031878667087980846, 0.002562126714176948, 9.398450881718121e-06,
                  -5.459080936136197e-07, 0.0002870079919730615)},
         {0, 0, -pi / 2},
         {0, 0.135, 0},
         Box{0.06, 0.19, 0.05},
         {0, 0.0675, 0.031},
         50000,
         1000,
         4.8879},
        {{0.769,
          {-0.00012392384888140285, 0.041492984274763965, -0.0064930015598914865},
          inertia(0.0012269334318454274, 0.0006960423563635307, 0.0009623199657387253, 3.560570413228432e-07,
                  -1.2601213833664943e-07, -0.00021842368101977758)},
         {0, 0, 0},
         {0, 0.11316, 0},
         Box{0.06, 0.15, 0.05},
         {0, 0.0475, -0.0065},
         25205,
         504.1,
         5.8997},
        {{0.687,
          {-0.0008658744883501332, -0.0006767359101843324, -0.02215872413039707},
          inertia(0.0004041484711976662, 0.00022000764609903824, 0.00046844773863885866, 1.9643842289614075e-06,
                  6.575084593570452e-06, 1.9695892939749012e-06)},
         {-pi / 2, 0, 0},
         {0, 0, 0.05716},
         Cylinder{.axis = 3, .diameter = 0.05, .length = 0.06},
         {0, 0, 0.005},
         25205,
         504.1,
         5.8997},
    }};
    return links;
}

const VisualMaterial orange{.color = {255, 120, 20}}, grey{.color = {60, 60, 65}};

// Where a robot stands, and what the names of its parts begin with.
struct Station {
    std::string prefix, ground = "world";

    std::string operator()(const std::string& name) const { return prefix + name; }
};

// A plate with a place for the sphere, turned about the first axis of the robot.
Entity add_plate(World& world, const Station& place, const std::string& plate, double angle) {
    const std::string name = place(plate);
    const Eigen::AngleAxisd about_axis1{angle, Vec3::UnitZ()};
    const auto turned = [&](const Vec3& p) { return Vec3{axis1 + about_axis1 * (p - axis1)}; };
    world.add({.name = name,
               .parent = place.ground,
               .translation = turned({-0.729, 0, plate_top - 0.005}),
               .rotation = {0, 0, angle},
               .shape = Box{0.22, 0.22, 0.01},
               .material = "DryWood",
               .collidable = true,
               .smoothing_radius = smoothing});
    constexpr double leg = plate_top - 0.01;
    add_visual(world, name + ".leg", place.ground, turned({-0.729, 0, 0.5 * leg}),
               Cylinder{.axis = 3, .diameter = 0.04, .length = leg});
    return world.add({.name = name + ".lock",
                      .parent = place.ground,
                      .translation = turned({-0.78, 0.005, plate_top + sphere_radius}),
                      .rotation = {0, 0, angle},
                      .lockable = true});
}

void add_finger(World& world, const std::string& name, double side) {
    world.add({.name = name + ".bone",
               .parent = name,
               .translation = {0, 0.0082 * side, 0},
               .mass_properties = MassProperties{
                   0.01,
                   {-0.00026978969385178206, -0.0013369297065788774 * side, 0.011542843408089915},
                   inertia(1.8588092698807524e-06, 1.8242883200669402e-06, 4.092409673539435e-07,
                           7.504774060856183e-09 * side, -4.1580286824453085e-08, 2.5950708909215957e-07 * side)}});
    world.add({.name = name + ".pad",
               .parent = name,
               .translation = {0, 0.0051 * side, 0.0135},
               .shape = Box{0.012, 0.01, 0.045},
               .material = "GripPad",
               .mass = 1e-9,
               .collidable = true,
               .smoothing_radius = smoothing,
               .visual_material = VisualMaterial{.color = {170, 175, 180}}});
}

// Pads that hold well, and that a small slip is enough for: what is carried does not creep.
void add_materials(World& world) {
    SolidMaterial pad = *world.materials().solid("DryWood");
    world.set_material("GripPad", pad);
    world.set_contact_pair({.material1 = "DryWood",
                            .material2 = "GripPad",
                            .response = ContactResponse::Elastic,
                            .coefficient_of_restitution = 0.3,
                            .sliding_friction_coefficient = 0.8,
                            .rotational_resistance_coefficient = 0.001,
                            .v_small = 0.001,
                            .w_small = 0.01});
}

std::vector<double> at(double rev1, double rev2, double rev3, double rev4, double gripper) {
    return {rev1, rev2, rev3, rev4, 0.0, gripper};
}

using Points = std::vector<std::vector<double>>;

struct Way {  // points of the path, part by part
    Points approach, take, carry, put, leave;
};

Way way() {
    const double there = pi, away = pi - turn;
    return {.approach = {at(there, pi / 4, pi / 4, 0, open), at(there, pi / 4, pi / 4, 1.04, open)},
            .take = {at(there, pi / 4, pi / 4, 1.04, closed), at(there, 0.6854, pi / 4, 1.04, closed)},
            .carry = {at(there, 0, pi / 2, 0, closed), at(away, 0, pi / 2, 0, closed),
                      at(away, 0.6854, pi / 4, 1.04, closed), at(away, pi / 4 - 0.001, pi / 4, 1.04, closed)},
            .put = {at(away, pi / 4 - 0.001, pi / 4, 1.04, open)},
            .leave = {at(away, 0.6854, pi / 4, 1.04, open), at(away, 0, pi / 2, 0, open)}};
}

Points joined(std::initializer_list<Points> list) {
    Points all;
    for (const Points& points : list) all.insert(all.end(), points.begin(), points.end());
    return all;
}

ReferencePath path_of(Grip grip) {
    ReferencePath path{
        .position = at(0, 0, 0, 0, 0), .v_max = {}, .a_max = {1.5, 1.5, 1.5, 1.5, 1.5, 0.5}, .points = {}};
    for (const ArmLink& link : arm()) path.v_max.push_back(link.v_max);
    path.v_max.push_back(2.0);
    const auto [approach, take, carry, put, leave] = way();
    if (grip == Grip::collision_only) path.points = joined({approach, take, carry, put, leave});
    return path;
}

// What the program of a variant does; the first one has none, as its path begins by itself.
std::vector<Action> actions_of(Grip grip, const Station& place) {
    const auto [approach, take, carry, put, leave] = way();
    const std::string sphere = place("sphere.lock"), gripper = place("robot.gripper.lock");
    const std::string plate1 = place("plate1.lock"), plate2 = place("plate2.lock");
    const auto move = [&](const Points& points) { return MoveAlongPath{place("robot.path"), points}; };
    if (grip == Grip::segmented_only)
        return {Attach{.lock = sphere, .to = plate1},
                move(joined({approach, {take[0]}})),
                ReleaseAndAttach{.lock = sphere, .to = gripper},
                move(joined({{take[1]}, carry, put})),
                ReleaseAndAttach{.lock = sphere, .to = plate2},
                move(leave)};
    if (grip == Grip::collision_only) return {};
    const bool look = grip == Grip::both_contact_on;
    return {Attach{.lock = sphere, .to = plate1, .contact_detection = look},
            move(approach),
            Release{.lock = sphere, .contact_detection = true},
            move(take),
            Attach{.lock = sphere, .to = gripper, .contact_detection = look},
            move(joined({carry, put})),
            Release{.lock = sphere, .contact_detection = true},
            move(leave)};
}

// [s] for all of the way; it does not depend on the variant.
double duration() {
    const ReferencePath path = path_of(Grip::collision_only);
    const Points all = joined({{path.position}, path.points});
    double time = 0.0;
    for (std::size_t i = 1; i < all.size(); ++i) time += systems::move_times(path, all[i - 1], all[i]).duration();
    return time;
}

void set_scene(World& world, bool contact_detection, double tolerance) {
    world.scene({.gravity = {0, 0, -9.81},
                 .contact_detection = contact_detection,
                 .elastic_contact_reduction_factor = 1e-3,
                 .maximum_contact_damping = 1000,
                 .gap = 0.005,
                 .nominal_length = 0.3});
    add_materials(world);
    world.set_simulation({.stop_time = duration(), .tolerance = tolerance, .interval = 0.02});
}

GrippingRobotParts add_robot(World& world, const Station& place, Grip grip) {
    GrippingRobotParts parts;
    const std::string robot = place("robot");

    // ---- what stands still ----
    add_visual(world, robot + ".base", place.ground, base, Box{0.57, 0.25, 0.09}, {}, orange);
    add_visual(world, robot + ".column", place.ground, base + Vec3{0.143, 0, 0.046},
               Cylinder{.axis = 3, .diameter = 0.11, .length = 0.11}, {}, grey);
    parts.plate1 = add_plate(world, place, "plate1", 0.0);
    parts.plate2 = add_plate(world, place, "plate2", turn);

    // ---- the arm ----
    world.add({.name = robot + ".foot", .parent = place.ground, .translation = base + Vec3{0.167, 0, 0.161}});
    std::string before = robot + ".foot";
    Vec3 end = Vec3::Zero();
    for (std::size_t i = 0; i < arm().size(); ++i) {
        const ArmLink& data = arm()[i];
        const std::string number = std::to_string(i + 1), link = robot + ".link" + number;
        world.add({.name = link + ".anchor", .parent = before, .translation = end, .rotation = data.anchor_rotation});
        world.add({.name = link, .parent = ParentRef::none(), .mass_properties = data.mass});
        add_visual(world, link + ".look", link, data.look_at, data.look, {}, orange);
        world.add_joint({.name = robot + ".rev" + number,
                         .object1 = link + ".anchor",
                         .object2 = link,
                         .type = Revolute{.axis = 3},
                         .can_collide = true});
        before = link;
        end = data.end;
    }

    // ---- the gripper: one finger is fixed, the other one slides ----
    parts.gripper = world.add({.name = robot + ".gripper",
                               .parent = before,
                               .translation = end,
                               .rotation = {0, 0, -pi},
                               .mass_properties = MassProperties{
                                   0.199,
                                   {-3.733459726914831e-05, 2.2184064377283543e-05, -0.035116891760175586},
                                   inertia(0.00019875691978345672, 8.934623739301788e-05, 0.00019613427482361852,
                                           1.1866794278785473e-06, 3.073379695106231e-08, 9.549302687069972e-08)}});
    add_visual(world, robot + ".gripper.look", robot + ".gripper", {0, 0, -0.035}, Box{0.05, 0.09, 0.06}, {}, grey);
    world.add(
        {.name = robot + ".gripper.lock", .parent = robot + ".gripper", .translation = grip_point, .lockable = true});
    world.add({.name = robot + ".right_finger", .parent = robot + ".gripper", .translation = {0, -0.03, 0}});
    add_finger(world, robot + ".right_finger", -1.0);
    world.add({.name = robot + ".left_finger", .parent = ParentRef::none()});
    add_finger(world, robot + ".left_finger", 1.0);
    world.add_joint({.name = robot + ".prism",
                     .object1 = robot + ".right_finger",
                     .object2 = robot + ".left_finger",
                     .type = Prismatic{.axis = 2},
                     .can_collide = true});

    // ---- the sphere ----
    parts.sphere = world.add({.name = place("sphere"),
                              .parent = place.ground,
                              .free = true,
                              .translation = {-0.78, 0.005, plate_top + sphere_radius + 1e-5},
                              .assembly_root = true,
                              .shape = Sphere{2 * sphere_radius},
                              .material = "DryWood",
                              .collidable = true});
    world.add({.name = place("sphere.lock"), .parent = place("sphere"), .lockable = true});

    // ---- the way ----
    const std::string path = robot + ".path";
    parts.path = world.add_path({.name = path, .path = path_of(grip)});
    for (int i = 0; i < 5; ++i)
        world.add_drive({.name = robot + ".drive" + std::to_string(i + 1),
                         .type = PdDrive{.flange = robot + ".rev" + std::to_string(i + 1),
                                         .reference = PathColumn{path, i + 1},
                                         .stiffness = arm()[static_cast<std::size_t>(i)].stiffness,
                                         .damping = arm()[static_cast<std::size_t>(i)].damping}});
    world.add_drive(
        {.name = robot + ".drive6",
         .type =
             PdDrive{.flange = robot + ".prism", .reference = PathColumn{path, 6}, .stiffness = 5000, .damping = 100}});
    parts.end = duration();
    return parts;
}

// Contacts of one sphere, while others go on: the detection of the whole World is not for one robot to switch.
void set_collidable(World& world, const std::string& sphere, bool collidable) {
    world.change(world.at(sphere), [&](Object3DDef& def) { def.collidable = collidable; });
}

// One robot of several: what its actions say of contact detection holds for its own sphere.
Program run_actions(World& world, Station place, std::vector<Action> actions) {
    for (Action& action : actions) {
        const std::optional<bool> look = std::visit(
            [](auto& a) {
                if constexpr (requires { a.contact_detection; })
                    return std::exchange(a.contact_detection, {});
                else
                    return std::optional<bool>{};
            },
            action);
        co_await action;
        if (look) set_collidable(world, place("sphere"), *look);
    }
}

}  // namespace

GrippingRobotParts gripping_robot(World& world, const GrippingRobot& options) {
    set_scene(world, options.grip != Grip::segmented_only, options.tolerance);
    const GrippingRobotParts parts = add_robot(world, {}, options.grip);
    if (options.grip != Grip::collision_only) world.set_actions(actions_of(options.grip, {}));
    return parts;
}

std::array<GrippingRobotParts, 4> gripping_robots(World& world, double spacing, double tolerance) {
    set_scene(world, true, tolerance);
    std::array<GrippingRobotParts, 4> all;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const auto grip = static_cast<Grip>(i);
        const std::string name = "variant" + std::to_string(i + 1);
        const Station place{name + ".", name + ".ground"};
        world.add(
            {.name = place.ground, .parent = "world", .translation = {0, (1.5 - static_cast<double>(i)) * spacing, 0}});
        all[i] = add_robot(world, place, grip);
        if (grip == Grip::segmented_only) set_collidable(world, place("sphere"), false);
        if (const auto actions = actions_of(grip, place); !actions.empty())
            world.add_program(name, [place, actions](World& w) { return run_actions(w, place, actions); });
    }
    return all;
}

}  // namespace scenes
