// World: reference paths while it moves.
#include <tactus/engine/motion.hpp>
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/systems/definition_order.hpp>
#include <tactus/systems/drives/path_motion.hpp>
#include <tactus/systems/drives/reference.hpp>

#include <cmath>

namespace tactus {

void World::Impl::start_paths() {
    for (const Entity e : systems::in_definition_order<ReferencePath>(registry)) {
        if (registry.all_of<PathMotion>(e)) continue;
        const auto& path = registry.get<ReferencePath>(e);
        PathMotion& moves = registry.emplace<PathMotion>(e, systems::resting(path, *motion->time));
        systems::follow_points(path, path.points, *motion->time, moves);
    }
}

double World::Impl::start_path_motion(Entity path, const std::vector<std::vector<double>>& points, double time) {
    const double end =
        systems::follow_points(registry.get<ReferencePath>(path), points, time, registry.get<PathMotion>(path));
    if (motion->simulator && !outdated) motion->simulator->references_changed();
    return end;
}

double World::move_along_path(Entity e, const std::vector<std::vector<double>>& points) {
    Impl& w = *impl_;
    const auto& path = element<ReferencePath>(w.registry, e, "path");
    std::vector<Issue> issues;
    schema::Context context{issues, false};
    context.enter_element(name(e));
    schema::check_rows(points, path.position.size(), context);
    for (std::size_t i = 0; i < points.size(); ++i)
        for (std::size_t j = 0; j < points[i].size(); ++j)
            if (!std::isfinite(points[i][j])) {
                const schema::Context::Step list{context, "points"};
                const schema::Context::Step row{context, i};
                const schema::Context::Step number{context, j};
                context.fail(schema::text_of(points[i][j]), "must be a finite number");
            }
    throw_if_any(issues);
    w.simulator(*this);
    return w.start_path_motion(e, points, time());
}

PathState World::path_state(Entity e) {
    Impl& w = *impl_;
    element<ReferencePath>(w.registry, e, "path");
    w.simulator(*this);
    const auto& moves = w.registry.get<PathMotion>(e);
    const PathPiece& piece = moves.pieces[systems::piece_at(moves, time())];
    PathState now{piece.position, piece.velocity, piece.acceleration, moves.pieces.back().begin};
    for (std::size_t j = 0; j < now.position.size(); ++j) {
        const auto [position, velocity, acceleration] =
            systems::after({piece.position[j], piece.velocity[j], piece.acceleration[j]}, time() - piece.begin);
        now.position[j] = position;
        now.velocity[j] = velocity;
    }
    return now;
}

double World::drive_torque(Entity drive) {
    Impl& w = *impl_;
    const auto& type = element<Drive>(w.registry, drive, "drive").type;
    if (!reference_of(type))
        throw InputError({"", name(drive), "drive", std::string{schema::type_name(type)},
                          "must be a PdDrive, a Servo or a PrescribedMotion"});
    return w.simulator(*this).drive_torque(drive);
}

}  // namespace tactus
