#include <tactus/systems/drives/path_motion.hpp>

#include <algorithm>
#include <cmath>
#include <limits>

namespace tactus::systems {

MoveTimes move_times(const ReferencePath& path, std::span<const double> from, std::span<const double> to) {
    // [s] at greatest speed, and [s^2] at greatest acceleration, from one point to the other
    double at_speed = 0.0, at_acceleration = 0.0;
    for (std::size_t j = 0; j < from.size(); ++j) {
        at_speed = std::max(at_speed, std::abs(to[j] - from[j]) / path.v_max[j]);
        at_acceleration = std::max(at_acceleration, std::abs(to[j] - from[j]) / path.a_max[j]);
    }
    if (at_speed <= 1000.0 * std::numeric_limits<double>::epsilon()) return {};
    // ds/dt up to 1 / at_speed, reached after at_acceleration / at_speed
    const double ramp = at_acceleration / at_speed;
    if (ramp >= at_speed) return {std::sqrt(at_acceleration), 0.0};
    return {ramp, at_speed - ramp};
}

PathMotion resting(const ReferencePath& path, double time) {
    const std::vector<double> zero(path.position.size(), 0.0);
    return {{{time, path.position, zero, zero}}};
}

namespace {

// Appends a move that begins where the last piece is at rest.
void append_move(const ReferencePath& path, std::span<const double> to, PathMotion& motion) {
    PathPiece piece = motion.pieces.back();
    const std::vector<double> from = piece.position;
    const MoveTimes times = move_times(path, from, to);
    if (times.duration() == 0.0) {
        motion.pieces.back().position.assign(to.begin(), to.end());
        return;
    }
    const double begin = piece.begin;
    const double speed = 1.0 / (times.ramp + times.cruise);  // ds/dt of the cruise, or at the top of the triangle
    // From `after` the start on, s and its rates.
    const auto append = [&](double after, double s, double ds, double dds) {
        piece.begin = begin + after;
        for (std::size_t j = 0; j < from.size(); ++j) {
            const double difference = to[j] - from[j];
            piece.position[j] = from[j] + difference * s;
            piece.velocity[j] = difference * ds;
            piece.acceleration[j] = difference * dds;
        }
        motion.pieces.push_back(piece);
    };
    motion.pieces.pop_back();
    append(0.0, 0.0, 0.0, speed / times.ramp);
    if (times.cruise > 0.0) append(times.ramp, 0.5 * speed * times.ramp, speed, 0.0);
    append(times.ramp + times.cruise, 1.0 - 0.5 * speed * times.ramp, speed, -speed / times.ramp);
    append(times.duration(), 1.0, 0.0, 0.0);
    motion.pieces.back().position.assign(to.begin(), to.end());  // without rounding
}

}  // namespace

double follow_points(const ReferencePath& path, const std::vector<std::vector<double>>& points, double time,
                     PathMotion& motion) {
    auto& pieces = motion.pieces;
    pieces.erase(pieces.begin(), pieces.begin() + static_cast<std::ptrdiff_t>(piece_at(motion, time)));
    if (pieces.back().begin < time) {  // at rest since then
        PathPiece rest = pieces.back();
        rest.begin = time;
        pieces.push_back(std::move(rest));
    }
    for (const std::vector<double>& point : points) append_move(path, point, motion);
    return pieces.back().begin;
}

std::size_t piece_at(const PathMotion& motion, double t) {
    const auto later = std::upper_bound(motion.pieces.begin(), motion.pieces.end(), t,
                                        [](double time, const PathPiece& piece) { return time < piece.begin; });
    return static_cast<std::size_t>(std::max<std::ptrdiff_t>(later - motion.pieces.begin() - 1, 0));
}

double next_corner(const PathMotion& motion, double t) {
    for (const PathPiece& piece : motion.pieces)
        if (piece.begin > t) return piece.begin;
    return std::numeric_limits<double>::infinity();
}

}  // namespace tactus::systems
