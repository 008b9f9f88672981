// What changes in the forces at events: pieces of tables, and joint stops.
#include <tactus/components/motion.hpp>
#include <tactus/systems/drives/path_motion.hpp>
#include <tactus/systems/forces/forces.hpp>

namespace tactus::systems {

namespace {

double coordinate(const ResistedSpeed& r, const ForceInstant& at) { return at.q[static_cast<std::size_t>(r.q)]; }

// Positive as long as the joint stays where the stop's mode says that it is.
double margin(const ResistedSpeed& r, const ForceInstant& at) {
    const double q = coordinate(r, at);
    const double lower = r.law.limits->lower, upper = r.law.limits->upper;
    switch (r.stop) {
    case Stop::lower: return lower + hysteresis(lower) - q;
    case Stop::upper: return q - upper + hysteresis(upper);
    case Stop::none: break;
    }
    return std::min(q - lower + hysteresis(lower), upper + hysteresis(upper) - q);
}

void change_stop(ResistedSpeed& r, const ForceInstant& at) {
    const double q = coordinate(r, at);
    if (r.stop != Stop::none)
        r.stop = Stop::none;
    else
        r.stop = q - r.law.limits->lower < r.law.limits->upper - q ? Stop::lower : Stop::upper;
}

// Calls `visit(law, argument)` for every law that is a table, and `visit_stop` for every joint with stops; in a fixed
// order, which numbers the zero-crossing functions.
template<class F, class Visit, class VisitStop>
void each(F& forces, const ForceInstant& at, Visit&& visit, VisitStop&& visit_stop) {
    for (auto& s : forces.springs)
        if (s.spring.has_pieces() || s.damper.has_pieces()) {
            const SpringReport now = report(s, at);
            if (s.spring.has_pieces()) visit(s.spring, now.length - s.nominal_length, s.element);
            if (s.damper.has_pieces()) visit(s.damper, now.rate, s.element);
        }
    for (auto& b : forces.bushings) {
        bool any = false;
        for (const auto* laws : {&b.spring, &b.damper, &b.rotational_spring, &b.rotational_damper})
            for (const auto& law : *laws) any = any || law.has_pieces();
        if (!any) continue;
        const BushingReport now = report(b, at);
        const auto three = [&](auto& laws, const Vec3& x) {
            for (std::size_t i = 0; i < 3; ++i)
                if (laws[i].has_pieces()) visit(laws[i], x[static_cast<Eigen::Index>(i)], b.element);
        };
        three(b.spring, now.translation);
        three(b.damper, now.velocity);
        three(b.rotational_spring, now.rotation);
        three(b.rotational_damper, now.rotation_rate);
    }
    for (auto& r : forces.resisted)
        if (r.law.limits) visit_stop(r);
}

}  // namespace

namespace {

// Calls `visit(reference, drive)` for everything that follows one.
template<class F, class Visit> void each_reference(F& forces, Visit&& visit) {
    for (auto& drive : forces.pds) visit(drive.reference, drive.element);
    for (auto& drive : forces.servos) visit(drive.reference, drive.element);
    for (auto& drive : forces.prescribed) visit(drive.reference, drive.element);
}

}  // namespace

void enter(Forces& forces, const entt::registry& registry, const ForceInstant& at) {
    enter_time(forces, registry, at.t);
    each(
        forces, at, [](GivenLaw& law, double x, Entity) { law.enter(x); },
        [&](ResistedSpeed& r) {
            const double q = coordinate(r, at);
            r.stop = q < r.law.limits->lower ? Stop::lower : q > r.law.limits->upper ? Stop::upper : Stop::none;
        });
}

void enter_time(Forces& forces, const entt::registry& registry, double t) {
    for (GivenForce& force : forces.given) force.value.enter(t);
    each_reference(forces, [&](RunningReference& reference, Entity) { reference.enter(registry, t); });
    for (PathCorner& path : forces.paths)
        if (const auto* motion = registry.try_get<PathMotion>(path.path)) path.next = next_corner(*motion, t);
}

double next_time_event(const Forces& forces) {
    double next = std::numeric_limits<double>::infinity();
    for (const GivenForce& force : forces.given) next = std::min(next, force.value.next_event());
    each_reference(forces, [&](const RunningReference& r, Entity) { next = std::min(next, r.next_event()); });
    for (const PathCorner& path : forces.paths) next = std::min(next, path.next);
    return next;
}

std::vector<Entity> at_time_event(const Forces& forces, double t) {
    std::vector<Entity> elements;
    for (const GivenForce& force : forces.given)
        if (force.value.next_event() <= t) elements.push_back(force.element);
    each_reference(forces, [&](const RunningReference& r, Entity drive) {
        if (r.path() == entt::null && r.next_event() <= t) elements.push_back(drive);
    });
    for (const PathCorner& path : forces.paths)
        if (path.next <= t) elements.push_back(path.path);
    return elements;
}

std::size_t zero_crossings(const Forces& forces) {
    std::size_t count = 0;
    const auto laws = [&](const std::vector<GivenLaw>& three) {
        for (const GivenLaw& law : three) count += law.has_pieces();
    };
    for (const PointSpring& s : forces.springs)
        count += static_cast<std::size_t>(s.spring.has_pieces()) + static_cast<std::size_t>(s.damper.has_pieces());
    for (const BushingElement& b : forces.bushings) {
        laws(b.spring), laws(b.damper);
        laws(b.rotational_spring), laws(b.rotational_damper);
    }
    for (const ResistedSpeed& r : forces.resisted) count += r.law.limits.has_value();
    return count;
}

void zero_crossings(const Forces& forces, const ForceInstant& at, std::span<double> g) {
    std::size_t i = 0;
    each(
        forces, at, [&](const GivenLaw& law, double x, Entity) { g[i++] = law.margin(x); },
        [&](const ResistedSpeed& r) { g[i++] = margin(r, at); });
}

Entity handle(Forces& forces, const ForceInstant& at, std::size_t crossing) {
    std::size_t i = 0;
    Entity changed = entt::null;
    each(
        forces, at,
        [&](GivenLaw& law, double x, Entity element) {
            if (i++ == crossing) law.leave(x), changed = element;
        },
        [&](ResistedSpeed& r) {
            if (i++ == crossing) change_stop(r, at), changed = r.joint;
        });
    return changed;
}

}  // namespace tactus::systems
