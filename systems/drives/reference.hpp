// What drives follow, ready for evaluation. Pieces are chosen at events only (enter), so that in between all is smooth.
#pragma once

#include <tactus/components/drive.hpp>
#include <tactus/systems/forces/given_functions.hpp>

#include <limits>

namespace tactus::systems {

struct ReferenceValue {
    double position = 0.0, velocity = 0.0, acceleration = 0.0;  // [rad] or [m], and their rates
};

// Where a piece of constant acceleration leads after dt [s].
inline ReferenceValue after(const ReferenceValue& begin, double dt) {
    const auto& [position, velocity, acceleration] = begin;
    return {position + dt * (velocity + 0.5 * dt * acceleration), velocity + dt * acceleration, acceleration};
}

class RunningReference {
public:
    // Of the drive `element`. What it needs of `functions` is copied; the path is looked up in the registry.
    RunningReference(const Reference& definition, const entt::registry& registry, const HostFunctions& functions,
                     Entity element);

    ReferenceValue operator()(double t) const;
    void enter(const entt::registry& registry, double t);

    double next_event() const { return next_; }  // [s] end of the piece
    Entity path() const { return path_; }        // null: follows none
    bool is_callback() const { return callback_.has_value(); }

private:
    Entity path_ = entt::null;
    std::size_t column_ = 0;
    Ramp ramp_;
    std::optional<GivenVector> callback_;
    // The piece in use.
    double begin_ = 0.0, next_ = std::numeric_limits<double>::infinity();
    ReferenceValue at_begin_;
};

}  // namespace tactus::systems
