// Simbody: one evaluation is a realization from Stage::Position, which the change of a coordinate leaves, to
// Stage::Acceleration. Its integrators report nothing and project nothing: there is nothing to project.
// This file is a module of its own, because the SUNDIALS inside Simbody has functions of the same names as ours.
// Simbody 3.7 is C++11: its headers do not compile as C++20. Its own classes differ with NDEBUG, which Debian's package is
// built without: it checks every index. cmake/peers.cmake sees to it that this file is compiled as the library was.
#include "benchmarks/dynamics/engine.hpp"

#include <Simbody.h>

#include <stdexcept>

namespace bench::dynamics {

namespace {

SimTK::Vec3 vector(const tactus::Vec3& v) { return {v.x(), v.y(), v.z()}; }

SimTK::MassProperties mass_properties(const Body& body) {
    const tactus::Mat3& I = body.inertia;
    const SimTK::Inertia central{I(0, 0), I(1, 1), I(2, 2), I(0, 1), I(0, 2), I(1, 2)};
    const SimTK::Vec3 com = vector(body.com);
    return {body.mass, com, central.shiftFromMassCenter(-com, body.mass)};
}

std::unique_ptr<SimTK::Integrator> make_integrator(const std::string& name, const SimTK::System& system) {
    if (name == "rk-merson") return std::make_unique<SimTK::RungeKuttaMersonIntegrator>(system);
    if (name == "rk-feldberg") return std::make_unique<SimTK::RungeKuttaFeldbergIntegrator>(system);
    if (name == "rk3") return std::make_unique<SimTK::RungeKutta3Integrator>(system);
    if (name == "cpodes-bdf") return std::make_unique<SimTK::CPodesIntegrator>(system, SimTK::CPodes::BDF);
    if (name == "cpodes-adams") return std::make_unique<SimTK::CPodesIntegrator>(system, SimTK::CPodes::Adams);
    throw std::invalid_argument{name};
}

class Simbody : public Engine {
public:
    std::string name() const override { return "simbody"; }
    std::vector<std::string> integrators() const override {
        return {"rk-merson", "rk-feldberg", "rk3", "cpodes-bdf", "cpodes-adams"};
    }
    double tightest() const override { return 1e-12; }
    std::string best() const override { return "rk-merson"; }

    void load(const Model& model) override {
        model_ = std::make_unique<Loaded>(model);
        end_ = model_->start;
    }

    void evaluate() override {
        model_->start.updQ()[0] += nudge_ = -nudge_;
        model_->system.realize(model_->start, SimTK::Stage::Acceleration);
    }

    std::vector<double> accelerations() const override {
        std::vector<double> result;
        for (const SimTK::MobilizedBody& body : model_->bodies) {
            const SimTK::SpatialVec& a = body.getBodyAcceleration(model_->start);
            for (int part = 0; part < 2; ++part)
                for (int i = 0; i < 3; ++i) result.push_back(a[part][i]);
        }
        return result;
    }

    void run(const std::string& integrator, double accuracy, double until, const std::function<void()>& look) override {
        const auto steps = make_integrator(integrator, model_->system);
        steps->setAccuracy(accuracy);
        steps->setFinalTime(until);
        steps->setReturnEveryInternalStep(false);
        steps->setProjectEveryStep(false);
        steps->setProjectInterpolatedStates(false);
        steps->initialize(model_->start);
        for (double t = look ? 1.0 : until; t <= until; t += 1.0) {
            while (steps->getTime() < t) steps->stepTo(t);
            if (!look) break;
            end_ = steps->getState();
            look();
        }
        end_ = steps->getState();
    }

    std::vector<double> state() override {
        std::vector<double> result;
        for (const SimTK::MobilizedBody& body : model_->bodies) {
            result.push_back(body.getOneQ(end_, 0));
            result.push_back(body.getOneU(end_, 0));
        }
        return result;
    }
    double energy() override {
        model_->system.realize(end_, SimTK::Stage::Dynamics);
        return model_->system.calcEnergy(end_);
    }

private:
    struct Loaded {
        SimTK::MultibodySystem system;
        SimTK::SimbodyMatterSubsystem matter{system};
        SimTK::GeneralForceSubsystem forces{system};
        SimTK::Force::Gravity gravity;
        std::vector<SimTK::MobilizedBody> bodies;
        SimTK::State start;

        explicit Loaded(const Model& model) : gravity{forces, matter, vector(model.gravity)} {
            matter.setShowDefaultGeometry(false);
            for (const Body& body : model.bodies) bodies.push_back(add(body));
            start = system.realizeTopology();
            system.realizeModel(start);
            for (std::size_t i = 0; i < bodies.size(); ++i) set(model.bodies[i], bodies[i]);
            system.realize(start, SimTK::Stage::Acceleration);
        }

        SimTK::MobilizedBody add(const Body& body) {
            SimTK::MobilizedBody& parent =
                body.parent < 0
                    ? static_cast<SimTK::MobilizedBody&>(matter.updGround())
                    : matter.updMobilizedBody(bodies[static_cast<std::size_t>(body.parent)].getMobilizedBodyIndex());
            const SimTK::Body::Rigid solid{mass_properties(body)};
            if (body.joint == Joint::spherical)
                return SimTK::MobilizedBody::Ball{parent, SimTK::Transform{vector(body.anchor)}, solid,
                                                  SimTK::Transform{}};
            if (body.joint == Joint::free)
                return SimTK::MobilizedBody::Free{parent, SimTK::Transform{vector(body.anchor)}, solid,
                                                  SimTK::Transform{}};
            // A Pin turns about z.
            const SimTK::Rotation axes{SimTK::UnitVec3{vector(body.axis)}, SimTK::ZAxis};
            return SimTK::MobilizedBody::Pin{parent, SimTK::Transform{axes, vector(body.anchor)}, solid,
                                             SimTK::Transform{axes}};
        }

        void set(const Body& body, const SimTK::MobilizedBody& mobilized) {
            if (body.joint == Joint::revolute) {
                mobilized.setOneQ(start, 0, body.angle);
                mobilized.setOneU(start, 0, body.spin.dot(body.axis));
                return;
            }
            const int first = body.joint == Joint::free ? 3 : 0;  // Free: angular speeds come first, as the quaternion
            mobilized.setQToFitRotation(start, SimTK::Rotation{body.angle, SimTK::UnitVec3{vector(body.axis)}});
            for (int i = 0; i < 3; ++i) {
                mobilized.setOneU(start, i, body.spin[i]);
                if (first > 0) mobilized.setOneU(start, first + i, body.velocity[i]);
            }
        }
    };

    std::unique_ptr<Loaded> model_;
    SimTK::State end_;
    double nudge_ = 1e-9;
};

}  // namespace

}  // namespace bench::dynamics

extern "C" bench::dynamics::Engine* tactus_peer_engine() { return new bench::dynamics::Simbody; }
