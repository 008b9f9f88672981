// Two equal balls on one table: one bounces by the elastic law, the other one by impulses (the thesis, section 7.2).
#pragma once

#include <tactus/engine/world.hpp>

#include <memory>

namespace scenes {

struct BouncingBall {
    double restitution = 0.7;  // [1] asked for, of both
    double height = 0.5;       // [m] of the balls above the table
    double tolerance = 1e-6;
};

// What was measured at the bounces so far; 0 before the first.
struct MeasuredRestitution {
    double elastic = 0.0, impulsive = 0.0;  // [1] speed after over speed before the last bounce
    double elastic_before = 0.0;            // [m/s] with which the elastic ball met the table last
};

// Objects "table", "elastic" and "impulsive". The impulsive ball is no solid that collides: where it reaches the table is
// a zero crossing, at which its speed is turned round; below 2 cm/s it stays on the table.
std::shared_ptr<const MeasuredRestitution> bouncing_ball(tactus::World& world, const BouncingBall& options = {});

}  // namespace scenes
