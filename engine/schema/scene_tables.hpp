// Field tables of the Scene and of materials.
#pragma once

#include <tactus/components/scene.hpp>
#include <tactus/engine/materials/material.hpp>
#include <tactus/engine/scene/document.hpp>
#include <tactus/engine/schema/check.hpp>
#include <tactus/engine/schema/field.hpp>

namespace tactus::schema {

template<> struct Describe<NoGravity> {
    static constexpr std::string_view name = "NoGravity", doc = "weightless";
    static constexpr auto fields = std::tuple{};
};
template<> struct Describe<UniformGravity> {
    static constexpr std::string_view name = "UniformGravity", doc = "the same everywhere";
    static constexpr auto fields =
        std::tuple{Field{"acceleration", &UniformGravity::acceleration, any("m/s^2"), "in world axes"}};
};
template<> struct Describe<PointGravity> {
    static constexpr std::string_view name = "PointGravity", doc = "attraction to the world's origin";
    static constexpr auto fields =
        std::tuple{Field{"mu", &PointGravity::mu, positive("m^3/s^2"), "gravitational constant times mass"}};
};
template<> struct Describe<Camera> {
    static constexpr std::string_view name = "Camera", doc = "where a viewer starts";
    static constexpr auto fields = std::tuple{Field{"distance", &Camera::distance, positive("m"), "from the origin"},
                                              Field{"longitude", &Camera::longitude, any("rad"), "about the up axis"},
                                              Field{"latitude", &Camera::latitude, any("rad"), "above the horizon"}};
};
template<> struct Describe<Scene> {
    static constexpr std::string_view name = "Scene", doc = "the world: inertial frame and options of the whole scene";
    static constexpr auto fields = std::tuple{
        Field{"name", &Scene::name, name_of_element(), "of the world's Object3D"},
        Field{"gravity", &Scene::gravity, any("m/s^2"), "a vector in world axes, or another field of gravity"},
        Field{"contactDetection", &Scene::contact_detection, any(), "whether contacts are handled"},
        Field{"elasticContactReductionFactor", &Scene::elastic_contact_reduction_factor, above_up_to(0, 1),
              "multiplies every contact stiffness"},
        Field{"maximumContactDamping", &Scene::maximum_contact_damping, positive("s/m"), "limit of contact damping"},
        Field{"mprTolerance", &Scene::mpr_tolerance, positive(), "termination tolerance of the narrow phase"},
        Field{"mprIterMax", &Scene::mpr_iter_max, at_least(10), "iteration limit of the narrow phase"},
        Field{"gap", &Scene::gap, positive("m"), "distance up to which lockables can be attached"},
        Field{"nominalLength", &Scene::nominal_length, positive("m"), "size of what is modelled"},
        Field{"frameLength", &Scene::frame_length, at_least(0, "m"), "of drawn frames; 0: a fifth of nominalLength"},
        Field{"showFrames", &Scene::show_frames, any(), "draw every frame"},
        Field{"showBoundingBoxes", &Scene::show_bounding_boxes, any(), "draw bounding boxes"},
        Field{"showContactPoints", &Scene::show_contact_points, any(), "draw contact points"},
        Field{"showSupportPoints", &Scene::show_support_points, any(), "draw support points"},
        Field{"camera", &Scene::camera, any(), "where a viewer starts"}};
};

template<> struct Describe<SolidMaterial> {
    static constexpr std::string_view name = "SolidMaterial", doc = "a substance; what is left out is unknown";
    static constexpr auto fields = std::tuple{
        Field{"density", &SolidMaterial::density, at_least(0, "kg/m^3"), "density"},
        Field{"YoungsModulus", &SolidMaterial::youngs_modulus, at_least(0, "Pa"), "modulus of elasticity"},
        Field{"PoissonsRatio", &SolidMaterial::poissons_ratio, between(0, 0.5), "lateral contraction"},
        Field{"meltingPoint", &SolidMaterial::melting_point, positive("K"), "melting point"},
        Field{"specificHeatCapacity", &SolidMaterial::specific_heat_capacity, positive("J/(kg K)"), "heat capacity"},
        Field{"thermalConductivity", &SolidMaterial::thermal_conductivity, positive("W/(m K)"), "heat conductivity"},
        Field{"linearThermalExpansionCoefficient", &SolidMaterial::linear_thermal_expansion_coefficient, any("1/K"),
              "relative elongation per kelvin"}};
};
template<> struct EnumNames<ContactResponse> { static constexpr std::array names{"Elastic", "Observer", "None"}; };
template<> struct EnumNames<ContactLaw> { static constexpr std::array names{"flores", "exact"}; };
template<> struct Describe<ContactPair> {
    static constexpr std::string_view name = "ContactPair", doc = "what happens where two substances touch";
    static constexpr auto fields = std::tuple{
        Field{"material1", &ContactPair::material1, required(), "one substance"},
        Field{"material2", &ContactPair::material2, required(), "the other; the order does not matter"},
        Field{"response", &ContactPair::response, any(), "Observer: detect, no force"},
        Field{"law", &ContactPair::law, any(), "how damping follows from restitution"},
        Field{"coefficientOfRestitution", &ContactPair::coefficient_of_restitution, between(0, 1), "restitution"},
        Field{"slidingFrictionCoefficient", &ContactPair::sliding_friction_coefficient, at_least(0), "friction"},
        Field{"rotationalResistanceCoefficient", &ContactPair::rotational_resistance_coefficient, at_least(0),
              "resistance to rolling and drilling, times a length of the contact"},
        Field{"vSmall", &ContactPair::v_small, positive("m/s"), "below it friction is regularised"},
        Field{"wSmall", &ContactPair::w_small, positive("rad/s"), "below it rotational resistance is regularised"},
        Field{"holdTime", &ContactPair::hold_time, at_least(0, "s"),
              "after which friction holds what sticks, without creep; 0: never; left out: 0.01 where edges or faces "
              "touch, 0 at points"},
        Field{"alarm", &ContactPair::alarm, any(), "Observer: say so when the pair touches"}};
};
template<> struct EnumNames<ShadowMask> {
    static constexpr std::array names{"NoShadows", "CastsShadows", "ReceivesShadows", "CastsAndReceivesShadows"};
};
template<> struct Describe<VisualMaterial> {
    static constexpr std::string_view name = "VisualMaterial", doc = "a look";
    static constexpr auto fields =
        std::tuple{Field{"color", &VisualMaterial::color, any(), "a name or [red, green, blue] from 0 to 255"},
                   Field{"transparency", &VisualMaterial::transparency, between(0, 1), "0 opaque .. 1 invisible"},
                   Field{"shininess", &VisualMaterial::shininess, between(0, 1), "0 matte .. 1 shiny"},
                   Field{"wireframe", &VisualMaterial::wireframe, any(), "edges only"},
                   Field{"reflectsLight", &VisualMaterial::reflects_light, any(), "is lit"},
                   Field{"shadowMask", &VisualMaterial::shadow_mask, any(), "shadows it casts and receives"}};
};
template<> struct Describe<MaterialsDef> {
    static constexpr std::string_view name = "Materials", doc = "added to the palettes, or overriding their entries";
    static constexpr auto fields =
        std::tuple{Field{"solid", &MaterialsDef::solid, any(), "by name"},
                   Field{"contactPairs", &MaterialsDef::contact_pairs, any(), "pairs of solid materials"},
                   Field{"visual", &MaterialsDef::visual, any(), "by name"}};
};

}  // namespace tactus::schema
