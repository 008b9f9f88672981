// Point-to-point motion in joint space: from point to point and from rest to rest, every column within its limits of speed
// and acceleration, and all of them at the corners of their profiles at the same times.
//
// With the differences D_j of a move, every column is position_j + D_j s(t) with one s from 0 to 1. Its rate is at most
// min_j v_max_j / |D_j| and its acceleration min_j a_max_j / |D_j|: one column is at its limit in each phase. A trapezoid of
// speed, or a triangle where the limit of speed is not reached.
#pragma once

#include <tactus/components/drive.hpp>
#include <tactus/components/motion.hpp>

#include <span>

namespace tactus::systems {

struct MoveTimes {  // [s] of one move
    double ramp = 0.0, cruise = 0.0;
    double duration() const { return 2.0 * ramp + cruise; }
};

// Of the move between two points; zero where they are the same.
MoveTimes move_times(const ReferencePath& path, std::span<const double> from, std::span<const double> to);

PathMotion resting(const ReferencePath& path, double time);  // at its initial position

// Follows these points one after another: from `time` on, or after what is under way then. What is over by then is
// forgotten. Gives the time at which the last point is reached.
double follow_points(const ReferencePath& path, const std::vector<std::vector<double>>& points, double time,
                     PathMotion& motion);

// The piece that holds from t on; the first one before that.
std::size_t piece_at(const PathMotion& motion, double t);
double next_corner(const PathMotion& motion, double t);  // [s] after t; infinity if there is none

}  // namespace tactus::systems
