// Sums over all that moves. World axes.
#pragma once

#include <tactus/engine/math.hpp>

namespace tactus {

struct Energies {  // [J]
    double kinetic = 0.0, potential = 0.0, elastic = 0.0;
    double dissipated = 0.0;  // by dampers and friction since the start
    double work = 0.0;        // done by given forces, and by drives that follow a reference, since the start

    double balance() const { return kinetic + potential + elastic + dissipated - work; }  // constant, but for errors
    Energies& operator+=(const Energies& o) {
        kinetic += o.kinetic;
        potential += o.potential;
        elastic += o.elastic;
        dissipated += o.dissipated;
        work += o.work;
        return *this;
    }
};

struct Momentum {
    double mass = 0.0;                     // [kg]
    Vec3 center_of_mass_W = Vec3::Zero();  // [m]
    Vec3 linear_W = Vec3::Zero();          // [kg m/s]
    Vec3 angular_W = Vec3::Zero();         // [kg m^2/s] about the world's origin

    Momentum& operator+=(const Momentum& o) {
        const double sum = mass + o.mass;
        if (sum > 0.0) center_of_mass_W = (mass * center_of_mass_W + o.mass * o.center_of_mass_W) / sum;
        mass = sum;
        linear_W += o.linear_W;
        angular_W += o.angular_W;
        return *this;
    }
};

}  // namespace tactus
