#include "demos/scenes/space_robot.hpp"

#include <array>
#include <cmath>
#include <numbers>
#include <string>

namespace scenes {

using namespace tactus;

namespace {

constexpr double pi = std::numbers::pi;
constexpr double foot = 0.25;   // [m] from what a foot holds to the first axis that pitches
constexpr double limb = 0.7;    // [m] from there to the elbow, and from the elbow to the other one
constexpr double pitch = 0.45;  // [m] between places of the platform
constexpr double edge = 0.3;    // [m] of a box
constexpr double lift = 0.15;   // [m] above a place, before and after it is used

struct Place {
    int x, y;  // from 1
    Vec3 position(double z = 0.0) const { return {pitch * x, pitch * (y - 2), z}; }
    std::string name() const { return "X" + std::to_string(x) + "Y" + std::to_string(y); }
};

std::string lock_of(Place place) { return "platform.lock" + place.name(); }
std::string box_at(Place place, int level) { return "box" + place.name() + "Z" + std::to_string(level); }

void add_platform(World& world) {
    world.add({.name = "platform",
               .parent = "world",
               .translation = {3 * pitch, 0, -0.05},
               .shape = Box{6 * pitch, 4 * pitch, 0.1},
               .material = "Aluminium"});
    for (int x = 1; x <= 5; ++x)
        for (int y = 1; y <= 3; ++y)
            world.add(
                {.name = lock_of({x, y}), .parent = "world", .translation = Place{x, y}.position(), .lockable = true});
}

Entity add_box(World& world, Place place, int level) {
    const std::string name = box_at(place, level);
    const Entity box = world.add({.name = name,
                                  .parent = "world",
                                  .free = true,
                                  .translation = place.position(edge * (level - 0.5)),
                                  .assembly_root = true,
                                  .shape = Box{edge, edge, edge},
                                  .mass = 5.0});
    world.add({.name = name + ".lockZneg", .parent = name, .translation = {0, 0, -edge / 2}, .lockable = true});
    world.add({.name = name + ".lockZpos", .parent = name, .translation = {0, 0, edge / 2}, .lockable = true});
    return box;
}

// A part of the arm from its frame along z.
void add_part(World& world, const std::string& name, double length, double mass, const Color& color) {
    world.add({.name = name + ".body",
               .parent = name,
               .translation = {0, 0, length / 2},
               .shape = Cylinder{.axis = 3, .diameter = 0.1, .length = length},
               .mass = mass,
               .visual_material = VisualMaterial{.color = color}});
}

void add_arm(World& world, Place place) {
    const Color blue{40, 80, 220}, green{30, 160, 60}, light{220, 220, 225};
    world.add({.name = "robot.blue",
               .parent = "world",
               .free = true,
               .translation = place.position(),
               .assembly_root = true});
    world.add({.name = "blueLock", .parent = "robot.blue", .lockable = true});
    add_part(world, "robot.blue", foot / 2, 3.0, blue);
    // Rolls about z and pitches about y in turn; the same from either end.
    constexpr std::array lengths{foot / 2, limb / 2, limb / 2, limb / 2, limb / 2, foot / 2, foot / 2};
    std::string before = "robot.blue";
    double end = foot / 2;
    for (std::size_t i = 0; i < lengths.size(); ++i) {
        const bool last = i + 1 == lengths.size();
        const std::string number = std::to_string(i + 1), name = last ? "robot.green" : "robot.link" + number;
        world.add({.name = "robot.anchor" + number, .parent = before, .translation = {0, 0, end}});
        world.add({.name = name, .parent = ParentRef::none()});
        add_part(world, name, lengths[i], last ? 3.0 : 4.0, last ? green : light);
        world.add_joint({.name = "robot.rev" + number,
                         .object1 = "robot.anchor" + number,
                         .object2 = name,
                         .type = Revolute{.axis = i % 2 == 0 ? 3 : 2}});
        world.add_drive({.name = "robot.drive" + number,
                         .type = PrescribedMotion{.flange = "robot.rev" + number,
                                                  .reference = PathColumn{"robot.path", static_cast<int>(i + 1)}}});
        before = name;
        end = lengths[i];
    }
    world.add({.name = "greenLock", .parent = "robot.green", .translation = {0, 0, foot / 2}, .lockable = true});
}

// What the robot does, written down as actions.
class Program {
public:
    Program(Place place) : foot_at{place} {}
    std::vector<Action> actions;

    void attach(const std::string& lock, const std::string& to) {
        actions.emplace_back(Attach{.lock = lock, .to = to});
    }

    void take(const std::string& box, Place place, double top) {
        reach(place, top);
        actions.emplace_back(ReleaseAndAttach{.lock = box + ".lockZpos", .to = hand(), .waiting_period = 0.5});
        held = top + lift;
    }
    void put(const std::string& box, Place place, double top, const std::string& to) {
        reach(place, top);
        actions.emplace_back(ReleaseAndAttach{.lock = box + ".lockZneg", .to = to, .waiting_period = 0.5});
        held = top + lift;
    }
    void step_to(Place place) {
        reach(place, 0.0);
        actions.emplace_back(
            FlipChain{.new_lock = hand(), .to = lock_of(place), .old_lock = other(), .waiting_period = 0.5});
        on_blue = !on_blue;
        std::swap(place, foot_at);
        last = place;  // the other foot is there now
        held = lift;
    }

private:
    Place foot_at;
    bool on_blue = true;
    Place last{3, 2};   // where the hand is ...
    double held = 0.9;  // [m] ... and how high it is lifted before it goes elsewhere

    std::string hand() const { return on_blue ? "greenLock" : "blueLock"; }
    std::string other() const { return on_blue ? "blueLock" : "greenLock"; }

    std::vector<double> angles(Place place, double height) const {
        const Vec3 way = place.position() - foot_at.position();
        // Standing on the green foot it reaches backwards: that is how it stands after a step forwards.
        const double side = on_blue ? 1.0 : -1.0;
        return space_robot_angles(
            {on_blue, std::atan2(side * way.y(), side * way.x()), side * std::hypot(way.x(), way.y()), height});
    }
    void reach(Place place, double height) {
        const double above = std::max(held, height + lift);
        actions.emplace_back(
            MoveAlongPath{"robot.path", {angles(last, above), angles(place, above), angles(place, height)}});
        last = place;
    }
};

}  // namespace

std::vector<double> space_robot_angles(const SpaceRobotPose& pose) {
    // Two limbs from (0, foot) to (reach, height + foot) in the plane of the arm; the hand points down.
    const double distance = std::hypot(pose.reach, pose.height), side = pose.reach < 0.0 ? -1.0 : 1.0;
    const double tilt = std::atan2(std::abs(pose.reach), pose.height), bend = std::acos(distance / (2 * limb));
    const std::array pitches{side * (tilt - bend), side * 2 * bend, side * (pi - tilt - bend)};
    if (pose.on_blue) return {pose.yaw, pitches[0], 0, pitches[1], 0, pitches[2], pose.yaw};
    // Seen from the other end rolls are the same, pitches the opposite.
    return {pose.yaw, -pitches[2], 0, -pitches[1], 0, -pitches[0], pose.yaw};
}

SpaceRobotParts space_robot(World& world, const SpaceRobot& options) {
    world.scene({.gravity = NoGravity{}, .contact_detection = false, .nominal_length = 1.0});
    add_platform(world);
    const Place stand{2, 2}, step{3, 2};
    const std::vector<double> start = space_robot_angles({true, 0.0, pitch, 0.9});
    SpaceRobotParts parts;
    parts.path = world.add_path({.name = "robot.path",
                                 .path = {.position = start,
                                          .v_max = std::vector<double>(7, 0.6),
                                          .a_max = std::vector<double>(7, 0.4),
                                          .points = {}}});
    add_arm(world, stand);
    parts.blue = world.at("blueLock");
    parts.green = world.at("greenLock");
    const std::array<std::pair<Place, int>, 6> boxes{
        {{{1, 1}, 1}, {{1, 1}, 2}, {{1, 3}, 1}, {{1, 3}, 2}, {{4, 1}, 1}, {{4, 3}, 1}}};
    for (const auto& [place, level] : boxes) parts.boxes.push_back(add_box(world, place, level));
    world.set_simulation({.stop_time = 90.0, .tolerance = options.tolerance, .interval = 0.05});
    if (!options.program) return parts;

    Program program{stand};
    program.attach("blueLock", lock_of(stand));
    for (const auto& [place, level] : boxes)
        program.attach(box_at(place, level) + ".lockZneg",
                       level == 1 ? lock_of(place) : box_at(place, level - 1) + ".lockZpos");
    program.take(box_at({1, 1}, 2), {1, 1}, 2 * edge);
    program.put(box_at({1, 1}, 2), {4, 1}, 2 * edge, box_at({4, 1}, 1) + ".lockZpos");
    program.step_to(step);
    program.take(box_at({1, 3}, 2), {1, 3}, 2 * edge);
    program.put(box_at({1, 3}, 2), {4, 3}, 2 * edge, box_at({4, 3}, 1) + ".lockZpos");
    world.set_actions(program.actions);
    return parts;
}

}  // namespace scenes
