// Tactus: one evaluation is what an island does for its integrator; motions go through World.
#include "benchmarks/dynamics/engine.hpp"

#include <tactus/systems/forces/forces.hpp>
#include <tactus/systems/structure/structure.hpp>
#include <tactus/tactus.hpp>

#include <algorithm>
#include <array>
#include <optional>
#include <span>
#include <stdexcept>

namespace bench::dynamics {

namespace {

using tactus::Entity;
using tactus::Solver;
namespace systems = tactus::systems;

constexpr std::array solvers = {Solver::CvodeBdf, Solver::CvodeAdams, Solver::Ida, Solver::ArkodeErk};

class Tactus : public Engine {
public:
    std::string name() const override { return "tactus"; }
    std::vector<std::string> integrators() const override {
        std::vector<std::string> names;
        for (const Solver solver : solvers) names.emplace_back(solver_name(solver));
        return names;
    }
    double tightest() const override { return 1e-12; }
    std::string best() const override { return std::string{solver_name(Solver::CvodeAdams)}; }

    void load(const Model& model) override {
        model_ = model;
        define();
        world_->update_structure();
        const std::vector<Entity> order = systems::super_object_order(world_->registry(), world_->root());
        tree_ = systems::build_tree(world_->registry(), world_->root(), std::span{order}.subspan(1));
        forces_ = systems::build_forces(world_->registry(), world_->root(), tree_, {});
        const auto nq = static_cast<std::size_t>(tree_.nq), nv = static_cast<std::size_t>(tree_.nv);
        q_.assign(nq, 0.0);
        dq_ = q_;
        v_.assign(nv, 0.0);
        dv_ = v_;
        motion_.resize(tree_);
        applied_.resize(tree_);
        memory_.resize(tree_);
        systems::read_states(world_->registry(), tree_, q_, v_);
    }

    // As Island::derivative does it.
    void evaluate() override {
        q_[0] += nudge_ = -nudge_;
        systems::compute_motion(tree_, q_, v_, motion_);
        systems::compute_forces(forces_, {0.0, tree_, motion_, q_, v_}, applied_);
        systems::coordinate_rates(tree_, q_, v_, dq_);
        systems::forward_dynamics(tree_, motion_, applied_.wrenches, applied_.tau, memory_, dv_);
    }

    std::vector<double> accelerations() const override {
        std::vector<double> result;
        for (const Entity joint : joints_) {
            const tactus::Twist& a = memory_.accelerations[static_cast<std::size_t>(tree_.index_of_joint(joint))];
            result.insert(result.end(), {a.w.x(), a.w.y(), a.w.z(), a.v.x(), a.v.y(), a.v.z()});
        }
        return result;
    }

    void run(const std::string& integrator, double accuracy, double until, const std::function<void()>& look) override {
        const auto solver = std::ranges::find_if(solvers, [&](Solver s) { return solver_name(s) == integrator; });
        if (solver == solvers.end()) throw std::invalid_argument{integrator};
        world_->reset();
        world_->set_simulation({.solver = *solver, .tolerance = accuracy});
        tactus::RunOptions options{.record = false, .interval = look ? 1.0 : until};
        if (look) options.progress = [&](double) { look(); };
        world_->run(until, options);
    }

    std::vector<double> state() override {
        std::vector<double> result;
        for (const Entity joint : joints_) {
            const tactus::JointState state = world_->state(joint);
            result.insert(result.end(), {state.q[0], state.v[0]});
        }
        return result;
    }
    double energy() override { return world_->energies().balance(); }

private:
    void define() {
        world_.emplace();
        world_->scene({.gravity = {model_.gravity.x(), model_.gravity.y(), model_.gravity.z()}});
        joints_.clear();
        for (std::size_t i = 0; i < model_.bodies.size(); ++i) {
            const Body& body = model_.bodies[i];
            const std::string own = "body" + std::to_string(i);
            const tactus::MassProperties mass{body.mass, body.com, body.inertia};
            const tactus::Quat turn = tactus::rotation_about(body.axis, body.angle);
            if (body.joint == Joint::free) {
                joints_.push_back(world_->add({.name = own,
                                               .parent = "world",
                                               .free = true,
                                               .translation = body.anchor,
                                               .rotation = turn,
                                               .velocity = body.velocity,
                                               .angular_velocity = body.spin,
                                               .mass_properties = mass}));
                continue;
            }
            world_->add({.name = own, .parent = tactus::ParentRef::none(), .mass_properties = mass});
            const std::string parent = body.parent < 0 ? "world" : "body" + std::to_string(body.parent);
            world_->add({.name = own + ".anchor", .parent = parent, .translation = body.anchor});
            tactus::JointDef joint{.name = own + ".joint", .object1 = own + ".anchor", .object2 = own};
            if (body.joint == Joint::revolute)
                joint.type = tactus::Revolute{.axis = body.axis, .phi = body.angle, .w = body.spin.dot(body.axis)};
            else
                joint.type = tactus::Spherical{.rotation = turn, .angular_velocity = body.spin};
            joints_.push_back(world_->add_joint(joint));
        }
    }

    Model model_;
    std::optional<tactus::World> world_;
    std::vector<Entity> joints_;  // or free objects, in the order of the bodies
    systems::Tree tree_;
    systems::Forces forces_;
    systems::TreeMotion motion_;
    systems::Applied applied_;
    systems::DynamicsMemory memory_;
    std::vector<double> q_, v_, dq_, dv_;
    double nudge_ = 1e-9;
};

}  // namespace

std::unique_ptr<Engine> make_tactus() { return std::make_unique<Tactus>(); }

}  // namespace bench::dynamics
