#include <tactus/systems/contact_response/contact_pairs.hpp>

#include <tactus/components/solid.hpp>

#include <algorithm>
#include <cmath>

namespace tactus::systems {

namespace {

constexpr double default_hold_time = 0.01;  // [s] of edges and faces

ContactRules rules_of(const std::string& a, const std::string& b, const Palettes& palettes, const ContactLaws& laws,
                      double reduction_factor, double maximum_damping) {
    ContactRules rules;
    if (const auto law = laws.find(std::minmax(a, b)); law != laws.end()) {
        rules.response = ContactResponse::Elastic;
        rules.law = &law->second;
        return rules;
    }
    rules.defect = palettes.contact_defect(a, b);
    if (!rules.defect.empty()) {
        rules.response = ContactResponse::Elastic;  // an error as soon as they touch
        return rules;
    }
    const ContactPair pair = *palettes.contact(a, b);
    rules.response = pair.response;
    rules.alarm = pair.alarm;
    if (pair.response != ContactResponse::Elastic) return rules;
    const SolidMaterial &A = *palettes.solid(a), &B = *palettes.solid(b);
    rules.holds_points = pair.hold_time.has_value();
    rules.constants = {
        .stiffness = hertz_stiffness(*A.youngs_modulus, *A.poissons_ratio, *B.youngs_modulus, *B.poissons_ratio, 1.0,
                                     reduction_factor),
        .radius = 1.0,
        .restitution = pair.coefficient_of_restitution,
        .friction = pair.sliding_friction_coefficient,
        .resistance = pair.rotational_resistance_coefficient,
        .v_small = pair.v_small,
        .w_small = pair.w_small,
        .hold_time = pair.hold_time.value_or(default_hold_time),
        .maximum_damping = maximum_damping,
        .law = pair.law,
    };
    return rules;
}

}  // namespace

ContactPairs::ContactPairs(const entt::registry& registry, std::span<const Collidable> collidables,
                           const Palettes& palettes, const ContactLaws& laws, double reduction_factor,
                           double maximum_damping) {
    for (const Collidable& c : collidables) {
        const auto& solid = registry.get<Solid>(c.object);
        const std::string& name = solid.touching_material();
        const auto known = std::find(names_.begin(), names_.end(), name);
        material_.push_back(static_cast<std::uint32_t>(known - names_.begin()));
        if (known == names_.end()) names_.push_back(name);
        roundness_.push_back(contact_roundness(*solid.shape, solid.contact_sphere_radius.value_or(0.0)));
    }
    for (const std::string& a : names_)
        for (const std::string& b : names_)
            table_.push_back(rules_of(a, b, palettes, laws, reduction_factor, maximum_damping));
}

ContactConstants ContactPairs::constants(std::size_t a, std::size_t b) const {
    ContactConstants constants = rules(a, b).constants;
    constants.radius = geometry_coefficient(roundness_[a], roundness_[b]);
    constants.stiffness *= std::sqrt(constants.radius);
    return constants;
}

double ContactPairs::greatest_stiffness(std::size_t i) const {
    double greatest = 0.0;
    for (std::size_t other = 0; other < names_.size(); ++other)
        greatest = std::max(greatest, table_[material_[i] * names_.size() + other].constants.stiffness);
    return greatest * std::sqrt(roundness_[i].radius);
}

}  // namespace tactus::systems
