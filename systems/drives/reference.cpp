#include <tactus/systems/drives/reference.hpp>

#include <tactus/components/motion.hpp>
#include <tactus/components/object3d.hpp>
#include <tactus/systems/drives/path_motion.hpp>

namespace tactus::systems {

RunningReference::RunningReference(const Reference& definition, const entt::registry& registry,
                                   const HostFunctions& functions, Entity element) {
    if (const auto* ramp = std::get_if<Ramp>(&definition)) ramp_ = *ramp;
    if (const auto* given = std::get_if<GivenMotion>(&definition))
        callback_.emplace(TimeVector{Callback{given->function}}, functions, element);
    if (const auto* column = std::get_if<PathColumn>(&definition)) {
        column_ = static_cast<std::size_t>(column->column - 1);
        for (const auto [e, path] : registry.view<const ReferencePath>().each())
            if (registry.get<Name>(e).path == column->path) path_ = e;
    }
}

ReferenceValue RunningReference::operator()(double t) const {
    if (callback_) {
        const Vec3 value = (*callback_)(t);
        return {value[0], value[1], value[2]};
    }
    return after(at_begin_, t - begin_);
}

void RunningReference::enter(const entt::registry& registry, double t) {
    if (callback_) return;
    if (path_ != entt::null) {
        const auto& motion = registry.get<PathMotion>(path_);
        const PathPiece& piece = motion.pieces[piece_at(motion, t)];
        begin_ = piece.begin;
        next_ = next_corner(motion, t);
        at_begin_ = {piece.position[column_], piece.velocity[column_], piece.acceleration[column_]};
        return;
    }
    const double end = ramp_.start_time + ramp_.duration;
    if (t < ramp_.start_time) {
        next_ = ramp_.start_time;
        at_begin_ = {ramp_.offset, 0.0, 0.0};
    } else if (t < end) {
        begin_ = ramp_.start_time;
        next_ = end;
        at_begin_ = {ramp_.offset, ramp_.height / ramp_.duration, 0.0};
    } else {
        next_ = std::numeric_limits<double>::infinity();
        at_begin_ = {ramp_.offset + ramp_.height, 0.0, 0.0};
    }
}

}  // namespace tactus::systems
