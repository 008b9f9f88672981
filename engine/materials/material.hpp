// Materials: numbers that belong to a substance, to a pair of touching substances, or to a look.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <variant>

namespace tactus {

// A field that is not set is unknown; using it is an error that names the material.
struct SolidMaterial {
    std::optional<double> density;                               // [kg/m^3]
    std::optional<double> youngs_modulus;                        // [Pa]
    std::optional<double> poissons_ratio;                        // [1]
    std::optional<double> melting_point;                         // [K]
    std::optional<double> specific_heat_capacity;                // [J/(kg K)]
    std::optional<double> thermal_conductivity;                  // [W/(m K)]
    std::optional<double> linear_thermal_expansion_coefficient;  // [1/K]

    bool operator==(const SolidMaterial&) const = default;
};

enum class ContactResponse { Elastic, Observer, None };  // Observer: detect, no force
enum class ContactLaw { Flores, Exact };

struct ContactPair {
    std::string material1, material2;  // order does not matter
    ContactResponse response = ContactResponse::Elastic;
    ContactLaw law = ContactLaw::Flores;             // how the damping follows from the restitution
    double coefficient_of_restitution = 0.0;         // [1]
    double sliding_friction_coefficient = 0.0;       // [1]
    double rotational_resistance_coefficient = 0.0;  // [1] times a length of the contact geometry
    double v_small = 0.01;                           // [m/s] below it friction and restitution are regularised
    double w_small = 0.01;                           // [rad/s]
    // [s] after which friction holds what sticks; 0: it creeps. Left out: 0.01 where edges or faces touch, 0 at points.
    std::optional<double> hold_time = {};
    bool alarm = false;  // Observer: say so when the pair touches

    bool operator==(const ContactPair&) const = default;
};

// Red, green, blue in 0..255, written as numbers or as a name ("DarkGreen").
struct Color {
    std::array<int, 3> rgb{0, 0, 255};
    std::string name;  // empty if written as numbers

    Color() = default;
    Color(int r, int g, int b) : rgb{r, g, b} {}
    Color(std::string color_name);
    Color(const char* color_name) : Color{std::string{color_name}} {}
    static std::optional<Color> named(const std::string& color_name);
    bool operator==(const Color&) const = default;
};

enum class ShadowMask { NoShadows, CastsShadows, ReceivesShadows, CastsAndReceivesShadows };

struct VisualMaterial {
    Color color;
    double transparency = 0.0;  // 0 opaque .. 1 invisible
    double shininess = 0.7;     // 0 matte .. 1 shiny
    bool wireframe = false;
    bool reflects_light = true;
    ShadowMask shadow_mask = ShadowMask::CastsAndReceivesShadows;

    bool operator==(const VisualMaterial&) const = default;
};

// A name of the palette, or the look itself. An empty name is the default look.
struct VisualMaterialRef : std::variant<std::string, VisualMaterial> {
    using variant::variant;
    VisualMaterialRef() = default;
    VisualMaterialRef(const char* name) : variant{std::string{name}} {}
};

}  // namespace tactus
