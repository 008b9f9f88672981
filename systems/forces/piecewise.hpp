// A table as integrators want it: the piece in use is chosen at events only, so that in between the function is smooth
// even where a solver looks past the end of the piece.
#pragma once

#include <tactus/engine/functions.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::systems {

// How far beyond a limit [of any unit] something must be to be called so. No zero-crossing function is then exactly zero at
// a restart, where integrators would not see it move away.
inline double hysteresis(double limit) { return std::isfinite(limit) ? 1e-12 * (1.0 + std::abs(limit)) : 0.0; }

template<class Value> class Piecewise {
public:
    explicit Piecewise(Table<Value> table) : table_{std::move(table)} {}
    const Table<Value>& table() const { return table_; }

    // Chooses the piece that holds from x on.
    void enter(double x) { piece_ = after(x); }

    // Chooses the neighbour on the side at which x lies nearer to the end of the piece.
    void leave(double x) {
        const auto& xs = table_.x;
        if (lower() > -infinity && x - lower() <= upper() - x)
            piece_ = static_cast<std::size_t>(std::lower_bound(xs.begin(), xs.end(), lower()) - xs.begin());
        else
            piece_ = after(upper());
    }

    double lower() const { return piece_ == 0 ? -infinity : table_.x[piece_ - 1]; }
    double upper() const { return piece_ == table_.x.size() ? infinity : table_.x[piece_]; }
    // Positive inside the piece, zero just beyond its ends: a function that starts on a knot has a sign there.
    double margin(double x) const {
        return std::min({x - lower() + hysteresis(lower()), upper() + hysteresis(upper()) - x, 1e300});
    }

    Value operator()(double x) const {
        const auto& v = table_.values;
        if (piece_ == 0) return v.front();
        if (piece_ == v.size()) return v.back();
        const double s = (x - lower()) / (upper() - lower());
        return (1.0 - s) * v[piece_ - 1] + s * v[piece_];
    }

private:
    static constexpr double infinity = std::numeric_limits<double>::infinity();
    std::size_t after(double x) const {
        const auto& xs = table_.x;
        return static_cast<std::size_t>(std::upper_bound(xs.begin(), xs.end(), x) - xs.begin());
    }

    Table<Value> table_;
    std::size_t piece_ = 0;
};

// Integral of a table from 0 to x.
double integral(const Table<double>& table, double x);

}  // namespace tactus::systems
