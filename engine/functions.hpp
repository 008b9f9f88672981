// Given functions of time or of a displacement: a constant, a table, or a callback of the host's known by its name.
#pragma once

#include <tactus/engine/math.hpp>

#include <string>
#include <variant>
#include <vector>

namespace tactus {

// Piecewise linear, constant outside. Two equal abscissae make a step; the later value holds from there on.
// Every abscissa is a time event where the argument is time.
template<class Value> struct Table {
    std::vector<double> x;      // [s] or [m] or [rad], never decreasing
    std::vector<Value> values;  // one for each x
    bool operator==(const Table&) const = default;
};

// A function that the host registers under this name (World::set_function) before the first step.
struct Callback {
    std::string function;
    bool operator==(const Callback&) const = default;
};

// t [s] -> vector (a force in N or a torque in N m)
struct TimeVector : std::variant<Vec3, Table<Vec3>, Callback> {
    using variant::variant;
    TimeVector() : variant{Vec3{0, 0, 0}} {}
    TimeVector(double x, double y, double z) : variant{Vec3{x, y, z}} {}
};

// Displacement or its rate -> force or torque: a number is the factor of a linear law
struct Law : std::variant<double, Table<double>, Callback> {
    using variant::variant;
    Law() : variant{0.0} {}
};

}  // namespace tactus
