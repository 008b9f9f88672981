#include <tactus/engine/instant.hpp>

#include <tactus/components/object3d.hpp>
#include <tactus/engine/errors.hpp>
#include <tactus/systems/integration/island.hpp>

namespace tactus {

namespace {

systems::Attachment place_of(systems::Island& island, Entity object) {
    const auto* member = island.registry().valid(object) ? island.registry().try_get<MemberOf>(object) : nullptr;
    if (member && island.registry().all_of<Absent>(object))
        throw InputError({"", island.registry().get<Name>(object).path, "", "", "an action has deleted it"});
    if (!member || !island.holds(member->root))
        throw InputError({"", "", "entity", "", "is no Object3D that this instant knows"});
    return systems::attachment(island.registry(), island.tree(), object);
}

std::size_t link_of(systems::Island& island, Entity joint) {
    if (const int i = island.tree().index_of_joint(joint); i > 0) return static_cast<std::size_t>(i);
    throw InputError({"", "", "entity", "", "is no joint, no free object and no rotor that this instant knows"});
}

}  // namespace

double Instant::time() const { return island_.time(); }

Pose Instant::pose(Entity object) const {
    const auto place = place_of(island_, object);
    const auto& B = island_.motion().links[static_cast<std::size_t>(place.link)];
    return Pose{B.p_W, Quat{B.R_WB}} * place.X_BM;
}

Twist Instant::velocity(Entity object) const {
    const auto point = systems::point_motion(place_of(island_, object), island_.motion());
    return {point.w_W, point.v_W};
}

Twist Instant::acceleration(Entity object) const {
    const auto place = place_of(island_, object);
    const Twist a = island_.accelerations()[static_cast<std::size_t>(place.link)];
    const auto point = systems::point_motion(place, island_.motion());
    return {a.w, a.v + a.w.cross(point.r_W) + point.w_W.cross(point.w_W.cross(point.r_W))};
}

JointState Instant::state(Entity joint) const {
    const systems::Link& link = island_.tree().links[link_of(island_, joint)];
    return systems::state_of(link, island_.q(), island_.v());
}

Wrench Instant::joint_wrench(Entity joint) const { return island_.reactions()[link_of(island_, joint)]; }

}  // namespace tactus
