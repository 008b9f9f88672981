// Given functions ready for evaluation: numbers, tables with the piece in use, callbacks that were looked up.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/engine/errors.hpp>
#include <tactus/engine/functions.hpp>
#include <tactus/systems/forces/piecewise.hpp>

#include <functional>
#include <map>
#include <optional>
#include <string>

namespace tactus::systems {

// What the host registered (World::set_function).
struct HostFunctions {
    std::map<std::string, std::function<Vec3(double)>, std::less<>> vectors;
    std::map<std::string, std::function<double(double)>, std::less<>> scalars;
};

// A callback threw, or is not there. Says which element called which function.
class FunctionError : public Error {
public:
    FunctionError(Entity e, std::string f, const std::string& what);
    Entity element;
    std::string function;
};

// t -> vector
class GivenVector {
public:
    GivenVector(const TimeVector& definition, const HostFunctions& functions, Entity element);

    Vec3 operator()(double t) const;
    void enter(double t) {
        if (table_) table_->enter(t);
    }
    bool is_callback() const { return static_cast<bool>(callback_); }
    double next_event() const { return table_ ? table_->upper() : std::numeric_limits<double>::infinity(); }

private:
    Vec3 constant_ = Vec3::Zero();
    std::optional<Piecewise<Vec3>> table_;
    std::function<Vec3(double)> callback_;
    std::string name_;  // of the callback
    Entity element_;
};

// displacement, or its rate -> force
class GivenLaw {
public:
    GivenLaw(const Law& definition, const HostFunctions& functions, Entity element);

    double operator()(double x) const;
    double energy(double x) const;  // integral from 0 to x; for callbacks by Gauss quadrature

    // A law that is a table has pieces: zero-crossing function, and what to do where it is zero.
    bool has_pieces() const { return table_.has_value(); }
    void enter(double x) {
        if (table_) table_->enter(x);
    }
    void leave(double x) { table_->leave(x); }
    double margin(double x) const { return table_->margin(x); }

private:
    double factor_ = 0.0;
    std::optional<Piecewise<double>> table_;
    std::function<double(double)> callback_;
    std::string name_;  // of the callback
    Entity element_;
};

}  // namespace tactus::systems
