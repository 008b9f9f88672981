// An engine that moves trees of bodies: Tactus, or a peer behind the same door.
#pragma once

#include "benchmarks/dynamics/models.hpp"

#include <functional>
#include <memory>
#include <string>

namespace bench::dynamics {

class Engine {
public:
    virtual ~Engine() = default;
    virtual std::string name() const = 0;
    virtual std::vector<std::string> integrators() const = 0;  // the default one first
    virtual double tightest() const = 0;   // accuracy that its best integrator can still be asked for
    virtual std::string best() const = 0;  // that integrator

    virtual void load(const Model& model) = 0;

    // Once everything that follows from the initial state, up to accelerations, after a coordinate has changed a little.
    virtual void evaluate() = 0;
    // What evaluate() found, body by body: angular acceleration and that of its origin, world axes.
    virtual std::vector<double> accelerations() const = 0;

    // From the initial state to `until` [s]; what it takes to start the integrator is part of it. `look`, if there is one,
    // is called at every second.
    virtual void run(const std::string& integrator, double accuracy, double until,
                     const std::function<void()>& look = {}) = 0;
    // Where that has led: angles and speeds of revolute joints, and the energy [J].
    virtual std::vector<double> state() = 0;
    virtual double energy() = 0;
};

// Tactus, and the peers that were found when this was built.
std::vector<std::unique_ptr<Engine>> engines();

std::unique_ptr<Engine> make_tactus();

void* simbody_function(const char* name);  // of the module with what is Simbody's; null if it was not found

}  // namespace bench::dynamics
