// Simbody: spheres and half-spaces with compliant contact (Hertz stiffness, Hunt-Crossley damping, Stribeck friction),
// by its best integrator for this, Runge-Kutta-Merson. Part of the module of benchmarks/dynamics/peer_simbody.cpp.
#include "benchmarks/billiards/break.hpp"

#include <Simbody.h>

#include <chrono>

namespace {

SimTK::ContactMaterial material(const bench::BreakSurface& s) {
    return {s.modulus, s.dissipation, s.friction, s.friction, 0.0};
}

}  // namespace

extern "C" bench::BreakResult tactus_peer_break(const bench::BreakModel& model, double seconds, double accuracy) {
    using namespace SimTK;
    MultibodySystem system;
    SimbodyMatterSubsystem matter{system};
    GeneralForceSubsystem forces{system};
    const Force::Gravity gravity{forces, matter, -ZAxis, 9.81};
    ContactTrackerSubsystem tracker{system};
    CompliantContactSubsystem contacts{system, tracker};
    contacts.setTransitionVelocity(0.01);
    matter.setShowDefaultGeometry(false);

    // A half-space is solid where x is positive in its own frame.
    const auto wall = [&](const UnitVec3& normal, const Vec3& point, const bench::BreakSurface& surface) {
        const Rotation axes{UnitVec3{-normal}, XAxis};
        matter.updGround().updBody().addContactSurface(Transform{axes, point},
                                                       ContactSurface{ContactGeometry::HalfSpace(), material(surface)});
    };
    wall(UnitVec3{0, 0, 1}, Vec3{0, 0, 0}, model.table);
    wall(UnitVec3{-1, 0, 0}, Vec3{model.half_length, 0, 0}, model.cushion);
    wall(UnitVec3{1, 0, 0}, Vec3{-model.half_length, 0, 0}, model.cushion);
    wall(UnitVec3{0, -1, 0}, Vec3{0, model.half_width, 0}, model.cushion);
    wall(UnitVec3{0, 1, 0}, Vec3{0, -model.half_width, 0}, model.cushion);

    Body::Rigid ball{MassProperties{model.mass, Vec3{0}, model.mass * UnitInertia::sphere(model.radius)}};
    ball.addContactSurface(Transform{}, ContactSurface{ContactGeometry::Sphere(model.radius), material(model.ball)});
    std::vector<MobilizedBody::Free> balls;
    for (int i = 0; i < model.balls; ++i) balls.emplace_back(matter.updGround(), Transform{}, ball, Transform{});
    State state = system.realizeTopology();
    system.realizeModel(state);
    for (int i = 0; i < model.balls; ++i) {
        const double* p = model.places + 3 * i;
        balls[static_cast<std::size_t>(i)].setQToFitTranslation(state, Vec3{p[0], p[1], p[2]});
    }
    balls[0].setUToFitLinearVelocity(state, Vec3{model.speed, 0, 0});

    RungeKuttaMersonIntegrator steps{system};
    steps.setAccuracy(accuracy);
    steps.setFinalTime(seconds);
    steps.initialize(state);
    const auto start = std::chrono::steady_clock::now();
    while (steps.getTime() < seconds) steps.stepTo(seconds);
    const std::chrono::duration<double> wall_time = std::chrono::steady_clock::now() - start;
    return {wall_time.count(), 5.0 * steps.getNumStepsAttempted()};  // stages of Merson's method
}
