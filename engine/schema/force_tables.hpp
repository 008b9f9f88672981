// Field tables of force elements.
#pragma once

#include <tactus/engine/definitions.hpp>
#include <tactus/engine/schema/check.hpp>
#include <tactus/engine/schema/field.hpp>

namespace tactus::schema {

template<> struct Describe<WorldForce> {
    static constexpr std::string_view name = "WorldForce", doc = "a given force at the origin of an object";
    static constexpr auto fields = std::tuple{
        Field{"object", &WorldForce::object, refers_to(object_kind), "on which it acts"},
        Field{"force", &WorldForce::force, required(any("N")),
              "a vector, a table over time, or a function of the host's"},
        Field{"coordinates", &WorldForce::coordinates, may_refer_to(object_kind), "whose axes; left out: the world's"}};
};
template<> struct Describe<WorldTorque> {
    static constexpr std::string_view name = "WorldTorque", doc = "a given torque on an object";
    static constexpr auto fields =
        std::tuple{Field{"object", &WorldTorque::object, refers_to(object_kind), "on which it acts"},
                   Field{"torque", &WorldTorque::torque, required(any("N m")),
                         "a vector, a table over time, or a function of the host's"},
                   Field{"coordinates", &WorldTorque::coordinates, may_refer_to(object_kind),
                         "whose axes; left out: the world's"}};
};
template<> struct Describe<SpringDamper> {
    static constexpr std::string_view name = "SpringDamper", doc = "between the origins of two objects";
    static constexpr auto fields = std::tuple{
        Field{"object1", &SpringDamper::object1, refers_to(object_kind), "one end"},
        Field{"object2", &SpringDamper::object2, refers_to(object_kind), "the other end"},
        Field{"nominalLength", &SpringDamper::nominal_length, at_least(0, "m"), "length without spring force"},
        Field{"nominalForce", &SpringDamper::nominal_force, any("N"), "pulls the ends together"},
        Field{"spring", &SpringDamper::spring, any(), "elongation [m] to force [N]: a stiffness, a table, a function"},
        Field{"damper", &SpringDamper::damper, any(), "rate [m/s] to force [N]: a damping, a table, a function"}};
};
template<> struct Describe<Bushing> {
    static constexpr std::string_view name = "Bushing", doc = "springs and dampers along and about the axes of object1";
    static constexpr auto fields = std::tuple{
        Field{"object1", &Bushing::object1, refers_to(object_kind), "one side"},
        Field{"object2", &Bushing::object2, refers_to(object_kind), "the other side"},
        Field{"nominalForce", &Bushing::nominal_force, any("N"), "per axis"},
        Field{"spring", &Bushing::spring, any(), "per axis, displacement [m] to force [N]"},
        Field{"damper", &Bushing::damper, any(), "per axis, velocity [m/s] to force [N]"},
        Field{"nominalTorque", &Bushing::nominal_torque, any("N m"), "per axis"},
        Field{"rotationalSpring", &Bushing::rotational_spring, any(), "per axis, angle [rad] to torque [N m]"},
        Field{"rotationalDamper", &Bushing::rotational_damper, any(), "per axis, rate [rad/s] to torque [N m]"},
        Field{"largeAngles", &Bushing::large_angles, any(), "Cardan angles instead of small ones"}};
};
template<> struct Describe<PolygonalContact> {
    static constexpr std::string_view name = "PolygonalContact", doc = "elastic layers on two triangle surfaces";
    static constexpr auto fields = std::tuple{
        Field{"object1", &PolygonalContact::object1, refers_to(object_kind), "surface E, a Solid with a Mesh"},
        Field{"object2", &PolygonalContact::object2, refers_to(object_kind), "surface F, a Solid with a Mesh"},
        Field{"task", &PolygonalContact::task, between(1, 3), "1: both directions, halved; 2: base E; 3: base F"},
        Field{"flipFaces1", &PolygonalContact::flip_faces1, any(), "reverse the faces of E"},
        Field{"flipFaces2", &PolygonalContact::flip_faces2, any(), "reverse the faces of F"},
        Field{"maximumPenetration", &PolygonalContact::maximum_penetration, required(positive("m")), "search depth"},
        Field{"YoungsModulus1", &PolygonalContact::youngs_modulus1, at_least(0, "Pa"), "of E's layer; 0: rigid"},
        Field{"YoungsModulus2", &PolygonalContact::youngs_modulus2, at_least(0, "Pa"), "of F's layer; 0: rigid"},
        Field{"PoissonsRatio1", &PolygonalContact::poissons_ratio1, between(0, 0.45), "of E's layer"},
        Field{"PoissonsRatio2", &PolygonalContact::poissons_ratio2, between(0, 0.45), "of F's layer"},
        Field{"layerDepth1", &PolygonalContact::layer_depth1, at_least(0, "m"), "of E's layer; 0: rigid"},
        Field{"layerDepth2", &PolygonalContact::layer_depth2, at_least(0, "m"), "of F's layer; 0: rigid"},
        Field{"compressionDamping", &PolygonalContact::compression_damping, at_least(0, "N s/m^3"), "per area"},
        Field{"expansionDamping", &PolygonalContact::expansion_damping, at_least(0, "N s/m^3"), "per area"},
        Field{"expansionDampingMode", &PolygonalContact::expansion_damping_mode, between(0, 2),
              "0: clip the total force at 0; 1: none; 2: full"},
        Field{"dampingTransitionMode", &PolygonalContact::damping_transition_mode, between(0, 1),
              "1: damping grows over dampingTransitionDepth"},
        Field{"dampingTransitionDepth", &PolygonalContact::damping_transition_depth, at_least(0, "m"), "depth"},
        Field{"frictionCoefficient", &PolygonalContact::friction_coefficient, at_least(0), "friction"},
        Field{"frictionRegularizationVelocity", &PolygonalContact::friction_regularization_velocity, positive("m/s"),
              "below it friction is regularised"}};
    static void check(const PolygonalContact& c, Context& context) {
        const bool elastic1 = c.youngs_modulus1 > 0 && c.layer_depth1 > 0;
        const bool elastic2 = c.youngs_modulus2 > 0 && c.layer_depth2 > 0;
        if (!elastic1 && !elastic2) {
            const Context::Step step{context, "YoungsModulus1"};
            context.fail(text_of(c.youngs_modulus1), "at least one side needs a YoungsModulus and a layerDepth > 0");
        }
    }
};
template<> struct Describe<ForceDef> {
    static constexpr std::string_view name = "ForceElement", doc = "forces between objects, or on one";
    static constexpr auto fields = std::tuple{
        Field{"name", &ForceDef::name, required(name_of_element()), "unique path"}, in_line("type", &ForceDef::type)};
};

}  // namespace tactus::schema
