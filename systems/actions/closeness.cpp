#include <tactus/systems/actions/closeness.hpp>

#include <tactus/components/solid.hpp>
#include <tactus/components/visual.hpp>
#include <tactus/engine/errors.hpp>
#include <tactus/engine/mpr/signed_distance.hpp>
#include <tactus/engine/schema/context.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

namespace {

std::optional<CollisionShape> shape_of(const entt::registry& registry, Entity object) {
    const auto* solid = registry.try_get<Solid>(object);
    const auto* visual = registry.try_get<Visual>(object);
    const Shape* shape = solid && solid->shape ? &*solid->shape : visual ? &visual->shape : nullptr;
    if (!shape) return {};
    try {
        return collision_shape(*shape, solid ? solid->smoothing_radius : 0.0);
    } catch (const InputError&) { return {}; }  // drawn only, e.g. a coordinate system
}

}  // namespace

LockPair::LockPair(const entt::registry& registry, Entity lock, Entity to)
    : lock_{shape_of(registry, lock)}, to_{shape_of(registry, to)} {}

Closeness LockPair::closeness(const Pose& X_lock, const Twist& V_lock, const Pose& X_to, const Twist& V_to) const {
    const Vec3 r = X_lock.p - X_to.p;
    Closeness found;
    found.gap = lock_ && to_ ? signed_distance(*lock_, Frame{X_lock}, *to_, Frame{X_to}).distance : r.norm();
    found.speed = (V_lock.v - V_to.v - V_to.w.cross(r)).norm();
    found.angular_speed = (V_lock.w - V_to.w).norm();
    const Quat turn = X_to.q.conjugate() * X_lock.q;
    found.angle = 2.0 * std::atan2(turn.vec().norm(), std::abs(turn.w()));
    return found;
}

std::string unmet(const Closeness& found, const AttachConditions& conditions, double gap) {
    std::string words;
    const auto compare = [&words](const char* what, double value, double limit, const char* unit) {
        if (value <= limit * (1.0 + 1e-9)) return;  // where it has just come true, rounding does not matter
        words += (words.empty() ? "" : ", ") + std::string{what} + " " + schema::text_of(value) + " " + unit +
                 " (at most " + schema::text_of(limit) + ")";
    };
    compare("gap", found.gap, gap, "m");
    if (conditions.merge == Merge::Still) {
        compare("velocity", found.speed, conditions.velocity, "m/s");
        compare("angularVelocity", found.angular_speed, conditions.angular_velocity, "rad/s");
    }
    if (conditions.angle) compare("angle", found.angle, *conditions.angle, "rad");
    return words;
}

double margin(const Closeness& found, const AttachConditions& conditions, double gap) {
    const auto share = [](double value, double limit) { return 1.0 - value / std::max(limit, 1e-300); };
    double least = share(found.gap, gap);
    if (conditions.merge == Merge::Still)
        least = std::min(
            {least, share(found.speed, conditions.velocity), share(found.angular_speed, conditions.angular_velocity)});
    if (conditions.angle) least = std::min(least, share(found.angle, *conditions.angle));
    return least;
}

}  // namespace tactus::systems
