// The published scenarios, from their scene files, against the end states of the original program (and, where those are
// wrong, against the physics: see the comments in scenes/final_states.json).
#include "tests/support/project.hpp"

#include <tactus/systems/results/cardan_angles.hpp>
#include <tactus/tactus.hpp>

#include <doctest/doctest.h>
#include <nlohmann/json.hpp>

#include <array>
#include <fstream>
#include <map>
#include <memory>

using namespace tactus;
using Json = nlohmann::json;

namespace {

const std::filesystem::path scenes = test::source / "tests/reference/scenes";

// Inverse of from_cardan_xzy: R = Rx(a0) Rz(a1) Ry(a2).
Vec3 to_cardan_xzy(const Quat& q) {
    const Mat3 R = q.toRotationMatrix();
    return {std::atan2(R(2, 1), R(1, 1)), std::atan2(-R(0, 1), std::hypot(R(0, 0), R(0, 2))),
            std::atan2(R(0, 2), R(0, 0))};
}

// The state vector of a finished run in the order and meaning of the reference.
Eigen::VectorXd state_vector(World& world, const Json& reference, const Eigen::VectorXd& wanted) {
    const auto names = reference["states"].get<std::vector<std::string>>();
    const bool xzy = reference.value("rotationSequence", "") == "x-z-y";
    std::map<std::string, std::vector<double>> values;
    for (const StateValue& state : world.states()) values[state.name] = state.values;
    const auto vector = [&](const std::string& name) {
        const auto& v = values.at(name);
        return Vec3{v.at(0), v.at(1), v.at(2)};
    };
    Eigen::VectorXd x(wanted.size());
    for (Eigen::Index i = 0; i < x.size(); ++i) {
        const std::string& name = names[static_cast<std::size_t>(i)];
        const std::string quantity = name.substr(0, name.find_first_of("[ "));
        const auto bracket = name.find('[');
        if (bracket == std::string::npos) {
            const auto controller = quantity.find(".ppi.PI.x");  // the servo's own state here
            x[i] = values.at(controller == std::string::npos ? quantity : quantity.substr(0, controller) + ".x").at(0);
            continue;
        }
        const Eigen::Index part = name[bracket + 1] - '1';
        const std::string owner = quantity.substr(0, quantity.rfind('.'));
        const std::string what = quantity.substr(quantity.rfind('.') + 1);
        const Vec3 in_reference = wanted.segment<3>(i - part);
        if (what == "rotation" && !xzy) {
            x[i] = systems::nearest_angles(vector(quantity), in_reference)[part];
        } else if (what == "rotation" || what == "rot") {  // also of the joint FreeMotion
            const Quat q = from_cardan_xyz(vector(owner + ".rotation"));
            x[i] = systems::nearest_angles(to_cardan_xzy(q), in_reference)[part];
        } else if (what == "r" || what == "v") {
            x[i] = vector(owner + (what == "r" ? ".translation" : ".velocity"))[part];
        } else if (what == "w") {  // in body axes
            const Quat q = from_cardan_xyz(vector(owner + ".rotation"));
            x[i] = (q.conjugate() * vector(owner + ".angularVelocity"))[part];
        } else {
            x[i] = vector(quantity)[part];
        }
    }
    return x;
}

Eigen::VectorXd numbers(const Json& json) {
    Eigen::VectorXd x(static_cast<Eigen::Index>(json.size()));
    for (std::size_t i = 0; i < json.size(); ++i) x[static_cast<Eigen::Index>(i)] = json[i].get<double>();
    return x;
}

Eigen::VectorXd end_state(const std::string& scene, const Json& reference, const Eigen::VectorXd& wanted,
                          std::optional<Solver> solver = {}, std::optional<double> tolerance = {}) {
    World world;
    add_document(world, read_document_file(scenes / scene), (scenes / scene).parent_path());
    Simulation simulation = world.simulation();
    if (solver) simulation.solver = *solver;
    if (tolerance) simulation.tolerance = *tolerance;
    world.set_simulation(simulation);
    world.run(simulation.stop_time, {.record = false});
    return state_vector(world, reference, wanted);
}

}  // namespace

TEST_CASE("every published scenario without contact ends where the original does") {
    const Json all = Json::parse(std::ifstream{scenes / "final_states.json"});
    int count = 0;
    for (const Json& reference : all["cases"]) {
        const std::string scene = reference["scene"];
        if (reference["class"] != "smooth") continue;
        CAPTURE(scene);
        // Where the original's physics is wrong (PendulumWithFix adds inertia tensors without turning them), the right
        // value is the test.
        const Eigen::VectorXd wanted =
            numbers(reference[reference.contains("physicallyCorrectValues") ? "physicallyCorrectValues" : "values"]);
        const double rtol = reference["check"]["rtol"];
        for (const Solver solver : {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk}) {
            CAPTURE(solver_name(solver));
            const Eigen::VectorXd x = end_state(scene, reference, wanted, solver);
            const double error = (x - wanted).norm() / std::max(x.norm(), wanted.norm());
            CHECK(error <= rtol);
        }
        ++count;
    }
    CHECK(count == 17);
}

TEST_CASE("the scenarios that were solved independently are met to the digits of that solution") {
    // Closed forms, and Runge-Kutta solutions given to ten digits.
    const Json all = Json::parse(std::ifstream{scenes / "final_states.json"});
    int count = 0;
    for (const Json& reference : all["cases"]) {
        const std::string scene = reference["scene"];
        const char* key = reference.contains("independentValues")         ? "independentValues"
                          : reference.contains("physicallyCorrectValues") ? "physicallyCorrectValues"
                                                                          : nullptr;
        if (reference["class"] != "smooth" || !key) continue;
        CAPTURE(scene);
        const Eigen::VectorXd wanted = numbers(reference[key]);
        const Eigen::VectorXd x = end_state(scene, reference, wanted, {}, 1e-10);
        CHECK((x - wanted).norm() <= 2e-8 * wanted.norm());
        ++count;
    }
    CHECK(count >= 13);
}

TEST_CASE("the box in a bushing with small angles ends where the original does") {
    // The original starts this variant with smaller angles: (0.12, 0.06, 0.03) rad, for which its end state is met to
    // eight digits.
    const Json all = Json::parse(std::ifstream{scenes / "final_states.json"});
    for (const Json& reference : all["cases"]) {
        if (reference["scene"] != "ForceElements/BoxBushing_Measurements.json") continue;
        const Eigen::VectorXd wanted = numbers(reference["otherVectors"]["largeAngles=false"]["values"]);
        World world;
        SceneDocument document = read_document_file(scenes / "ForceElements/BoxBushing_Measurements.json");
        document.objects.at(0).rotation = {0.12, 0.06, 0.03};
        std::get<Bushing>(document.forces.at(0).type).large_angles = false;
        document.simulation.tolerance = 1e-10;
        add_document(world, document, scenes);
        world.run(document.simulation.stop_time, {.record = false});
        const Eigen::VectorXd x = state_vector(world, reference, wanted);
        CHECK((x - wanted).norm() < 1e-8 * wanted.norm());
        return;
    }
    FAIL("the reference is gone");
}

TEST_CASE("scenarios with contact whose end states do not depend on the original's errors end there") {
    // Besides the class contact-clean: two of contact-scaled, where the true distance leads to the same end (measured by an
    // independent simulation). The ellipsoid on the sphere bounces 12 times; the original is not converged there.
    const Json all = Json::parse(std::ifstream{scenes / "final_states.json"});
    int count = 0;
    for (const Json& reference : all["cases"]) {
        const std::string scene = reference["scene"];
        const bool clean = reference["class"] == "contact-clean";
        if (!clean && scene != "Collision/Rattleback.json" && scene != "Collision/BouncingSphereContactResults.json")
            continue;
        CAPTURE(scene);
        const Eigen::VectorXd wanted = numbers(reference["values"]);
        const Eigen::VectorXd x = end_state(scene, reference, wanted);
        const double rtol = scene == "Collision/BouncingEllipsoidOnSphere.json" ? 5e-3 : 1e-3;
        CHECK((x - wanted).norm() <= rtol * std::max(x.norm(), wanted.norm()));
        ++count;
    }
    CHECK(count == 6);
}

TEST_CASE("contacts are as exact as independent simulations with the true distance") {
    // Digits that were computed for these cases with other programs, see comments in scenes/final_states.json.
    const auto run = [](const char* scene) {
        auto world = std::make_unique<World>();
        add_document(*world, read_document_file(scenes / scene), (scenes / scene).parent_path());
        world->run(world->simulation().stop_time, {.record = false});
        return world;
    };
    const auto sphere = run("Collision/BouncingSphere.json");
    CHECK(sphere->state(sphere->at("prism")).v[0] == doctest::Approx(-0.4418119).epsilon(2e-5));
    const auto rolling = run("Collision/BouncingSphereContactResults.json");
    const Pose X = rolling->pose(rolling->at("sphere"));
    CHECK(X.p.x() == doctest::Approx(0.618777).epsilon(2e-6));
    CHECK(X.p.y() == doctest::Approx(0.0998351).epsilon(2e-6));
    CHECK(rolling->velocity(rolling->at("sphere")).v.x() == doctest::Approx(0.701634).epsilon(2e-6));
    const auto rattleback = run("Collision/Rattleback.json");
    CHECK(rattleback->velocity(rattleback->at("ellipsoid")).w.z() == doctest::Approx(-2.29413408).epsilon(1e-5));
    const auto cradle = run("Collision/NewtonsCradle.json");
    CHECK(cradle->state(cradle->at("rev1")).v[0] == doctest::Approx(-1.1809588).epsilon(1e-4));
}

TEST_CASE("robots on servos move as in the original, also when they take hold, and friction carries the sphere") {
    // Where the arms are depends little on contact. The sphere slips and rolls a little: there the original's stiffness of
    // contacts, which depends on the shapes' size, makes fractions of a millimetre. Where its fingers are meshes: no sphere.
    const Json all = Json::parse(std::ifstream{scenes / "final_states.json"});
    const std::map<std::string, double> sphere_within{{"Robot/YouBotGripping.json", 1e-3},
                                                      {"Robot/ScenarioCollisionOnly.json", 1e-3},
                                                      {"Robot/YouBotsGripping.json", 3e-3},
                                                      {"Robot/YouBotWithSphere.json", 0.0},  // not looked at
                                                      // Fixed to plate and gripper in turn, with and without contact.
                                                      {"Segmented/ScenarioSegmentedCollisionOn.json", 0.0},
                                                      {"Segmented/ScenarioSegmentedOnly.json", 0.0},
                                                      {"Segmented/YouBotDynamicState.json", 0.0},
                                                      {"Segmented/YouBotFixSphere.json", 0.0}};
    int count = 0, spheres = 0;
    for (const Json& reference : all["cases"]) {
        const std::string scene = reference["scene"];
        const auto within = sphere_within.find(scene);
        if (within == sphere_within.end()) continue;
        CAPTURE(scene);
        const Eigen::VectorXd wanted = numbers(reference["values"]);
        const Eigen::VectorXd x = end_state(scene, reference, wanted);
        for (Eigen::Index i = 0; i < x.size(); ++i) {
            const std::string name = reference["states"][static_cast<std::size_t>(i)];
            CAPTURE(name);
            if (name.find("rev") != std::string::npos) {
                CHECK(std::abs(x[i] - wanted[i]) < 2e-6);
                ++count;
            }
            if (name.starts_with("sphere.translation") && within->second > 0.0) {
                CHECK(std::abs(x[i] - wanted[i]) < within->second);
                ++spheres;
            }
        }
    }
    CHECK(count == 10 + 10 + 20 + 10 + 4 * 10);
    CHECK(spheres == 9);
}

TEST_CASE("all other scenarios with contact simulate to the end with sane energies") {
    const Json all = Json::parse(std::ifstream{scenes / "final_states.json"});
    int count = 0;
    for (const Json& reference : all["cases"]) {
        const std::string scene = reference["scene"];
        const std::string kind = reference["class"];
        if (kind != "contact" && kind != "contact-scaled" && kind != "contact-chaotic") continue;
        CAPTURE(scene);
        World world;
        add_document(world, read_document_file(scenes / scene), (scenes / scene).parent_path());
        int starts = 0, ends = 0;
        world.on_contact([&](const ContactEvent& e) { (e.start ? starts : ends)++; });
        const Energies before = world.energies();
        world.run(world.simulation().stop_time, {.record = false});
        const Energies after = world.energies();
        const double scale = std::abs(before.kinetic) + std::abs(after.potential - before.potential) + after.dissipated;
        CHECK(std::abs(after.balance() - before.balance()) < 1e-4 * scale);
        CHECK(after.dissipated > -1e-6 * scale);
        CHECK(starts > 0);
        CHECK(starts >= ends);
        ++count;
    }
    CHECK(count == 12);
}

TEST_CASE("the scenarios that the original refuses are refused, with a reason") {
    const auto words = [](const char* scene) -> std::string {
        try {
            World world;
            add_document(world, read_document_file(scenes / scene), (scenes / scene).parent_path());
            world.run(world.simulation().stop_time, {.record = false});
        } catch (const Error& error) { return error.what(); }
        return {};
    };
    CHECK(words("errors/InValidCollisionPairingError.json").find("there is no contact pair") != std::string::npos);
    CHECK(words("errors/Object3DWithoutParentError.json").find("connects") != std::string::npos);
    CHECK(words("errors/OrthogonalLinesError.json").find("must be") != std::string::npos);
    CHECK(words("errors/PlaneVsPlaneEdgesError.json").find("must be") != std::string::npos);
}
