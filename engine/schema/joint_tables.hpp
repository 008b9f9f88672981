// Field tables of joints.
#pragma once

#include <tactus/engine/definitions.hpp>
#include <tactus/engine/schema/check.hpp>
#include <tactus/engine/schema/field.hpp>

namespace tactus::schema {

template<> struct Describe<JointLimits> {
    static constexpr std::string_view name = "JointLimits", doc = "elastic stops";
    static constexpr auto fields =
        std::tuple{Field{"lower", &JointLimits::lower, required(any("m or rad")), "lower stop"},
                   Field{"upper", &JointLimits::upper, required(any("m or rad")), "upper stop"},
                   Field{"stiffness", &JointLimits::stiffness, positive("N/m or N m/rad"), "beyond a stop"},
                   Field{"damping", &JointLimits::damping, at_least(0, "N s/m or N m s/rad"), "beyond a stop"}};
    static void check(const JointLimits& limits, Context& context) {
        const Context::Step step{context, "lower"};
        if (!(limits.lower < limits.upper))
            context.fail(text_of(limits.lower), "must be < upper (" + text_of(limits.upper) + ")");
    }
};
template<> struct Describe<JointResistance> {
    static constexpr std::string_view name = "JointResistance", doc = "what resists one degree of freedom";
    static constexpr auto fields = std::tuple{
        Field{"damping", &JointResistance::damping, at_least(0, "N s/m or N m s/rad"), "linear damping"},
        Field{"friction", &JointResistance::friction, at_least(0, "N or N m"), "Coulomb friction"},
        Field{"vSmall", &JointResistance::v_small, positive("m/s or rad/s"), "below it friction is regularised"},
        Field{"stiffness", &JointResistance::stiffness, at_least(0, "N/m or N m/rad"), "spring about rest"},
        Field{"rest", &JointResistance::rest, any("m or rad"), "where the spring is slack"},
        Field{"limits", &JointResistance::limits, any(), "elastic stops"}};
};
template<> struct Describe<Fix> {
    static constexpr std::string_view name = "Fix", doc = "object2 is fixed in object1";
    static constexpr auto fields =
        std::tuple{Field{"translation", &Fix::translation, any("m"), "of object2, in object1's axes"},
                   Field{"rotation", &Fix::rotation, any("rad"), "of object2 in object1, as for an Object3D"}};
};
template<> struct Describe<Revolute> {
    static constexpr std::string_view name = "Revolute", doc = "object2 turns by phi about an axis of object1";
    static constexpr auto fields =
        std::tuple{Field{"axis", &Revolute::axis, any(), "1, 2, 3, -1, -2, -3 or a vector"},
                   Field{"phi", &Revolute::phi, any("rad"), "initial angle"},
                   Field{"w", &Revolute::w, any("rad/s"), "initial rate"},
                   Field{"resistance", &Revolute::resistance, any(), "damping, friction, spring, stops"}};
};
template<> struct Describe<Prismatic> {
    static constexpr std::string_view name = "Prismatic", doc = "object2 slides by s along an axis of object1";
    static constexpr auto fields = std::tuple{
        Field{"axis", &Prismatic::axis, any(), "1, 2, 3, -1, -2, -3 or a vector"},
        Field{"s", &Prismatic::s, any("m"), "initial position"}, Field{"v", &Prismatic::v, any("m/s"), "initial rate"},
        Field{"resistance", &Prismatic::resistance, any(), "damping, friction, spring, stops"}};
};
template<> struct Describe<Spherical> {
    static constexpr std::string_view name = "Spherical", doc = "origins coincide, any rotation";
    static constexpr auto fields =
        std::tuple{Field{"rotation", &Spherical::rotation, any("rad"), "initial, of object2 in object1"},
                   Field{"angularVelocity", &Spherical::angular_velocity, any("rad/s"), "initial, in object1's axes"},
                   Field{"damping", &Spherical::damping, at_least(0, "N m s/rad"), "against relative rotation"}};
};
template<> struct Describe<Universal> {
    static constexpr std::string_view name = "Universal", doc = "phi1 about axis1 of object1, then phi2 about axis2";
    static constexpr auto fields = std::tuple{Field{"axis1", &Universal::axis1, any(), "in object1"},
                                              Field{"axis2", &Universal::axis2, any(), "in object2"},
                                              Field{"phi1", &Universal::phi1, any("rad"), "initial"},
                                              Field{"phi2", &Universal::phi2, any("rad"), "initial"},
                                              Field{"w1", &Universal::w1, any("rad/s"), "initial"},
                                              Field{"w2", &Universal::w2, any("rad/s"), "initial"},
                                              Field{"resistance1", &Universal::resistance1, any(), "of phi1"},
                                              Field{"resistance2", &Universal::resistance2, any(), "of phi2"}};
    static void check(const Universal& joint, Context& context) {
        const Context::Step step{context, "axis2"};
        if (joint.axis1.unit().cross(joint.axis2.unit()).norm() < 1e-9)
            context.fail(text_of(joint.axis2.unit()), "must not be parallel to axis1");
    }
};
template<> struct Describe<Cylindrical> {
    static constexpr std::string_view name = "Cylindrical", doc = "slides along and turns about the same axis";
    static constexpr auto fields =
        std::tuple{Field{"axis", &Cylindrical::axis, any(), "1, 2, 3, -1, -2, -3 or a vector"},
                   Field{"s", &Cylindrical::s, any("m"), "initial"},
                   Field{"phi", &Cylindrical::phi, any("rad"), "initial"},
                   Field{"v", &Cylindrical::v, any("m/s"), "initial"},
                   Field{"w", &Cylindrical::w, any("rad/s"), "initial"},
                   Field{"sliding", &Cylindrical::sliding, any(), "resistance of s"},
                   Field{"turning", &Cylindrical::turning, any(), "resistance of phi"}};
};
template<> struct Describe<Planar> {
    static constexpr std::string_view name = "Planar", doc = "slides in a plane and turns about its normal";
    static constexpr auto fields = std::tuple{Field{"axis", &Planar::axis, any(), "normal of the plane in object1"},
                                              Field{"s1", &Planar::s1, any("m"), "initial"},
                                              Field{"s2", &Planar::s2, any("m"), "initial"},
                                              Field{"phi", &Planar::phi, any("rad"), "initial"},
                                              Field{"v1", &Planar::v1, any("m/s"), "initial"},
                                              Field{"v2", &Planar::v2, any("m/s"), "initial"},
                                              Field{"w", &Planar::w, any("rad/s"), "initial"},
                                              Field{"sliding1", &Planar::sliding1, any(), "resistance of s1"},
                                              Field{"sliding2", &Planar::sliding2, any(), "resistance of s2"},
                                              Field{"turning", &Planar::turning, any(), "resistance of phi"}};
};
template<> struct Describe<Free> {
    static constexpr std::string_view name = "Free", doc = "six degrees of freedom";
    static constexpr auto fields =
        std::tuple{Field{"translation", &Free::translation, any("m"), "initial, of object2 in object1's axes"},
                   Field{"rotation", &Free::rotation, any("rad"), "initial, of object2 in object1"},
                   Field{"velocity", &Free::velocity, any("m/s"), "initial, in object1's axes"},
                   Field{"angularVelocity", &Free::angular_velocity, any("rad/s"), "initial, in object1's axes"}};
};
template<> struct Describe<JointDef> {
    static constexpr std::string_view name = "Joint", doc = "between two objects; either may be nearer to the world";
    static constexpr auto fields = std::tuple{
        Field{"name", &JointDef::name, required(name_of_element()), "unique path"}, in_line("type", &JointDef::type),
        Field{"object1", &JointDef::object1, refers_to(object_kind), "one side"},
        Field{"object2", &JointDef::object2, refers_to(object_kind), "the other side"},
        Field{"canCollide", &JointDef::can_collide, any(), "may the super-objects that it joins touch each other?"}};
};

}  // namespace tactus::schema
