// What happens where two collidables touch: the numbers of the law, from materials, shapes and the scene.
#pragma once

#include <tactus/components/entity.hpp>
#include <tactus/engine/contact_law.hpp>
#include <tactus/engine/materials/palettes.hpp>
#include <tactus/systems/contact_response/contact_geometry.hpp>
#include <tactus/systems/contact_response/contact_law.hpp>
#include <tactus/systems/narrow_phase/collidable.hpp>

#include <map>
#include <string>
#include <vector>

namespace tactus::systems {

struct ContactRules {
    ContactResponse response = ContactResponse::None;
    ContactConstants constants;           // stiffness for R_geo = 1 m
    bool holds_points = false;            // the hold time was given: it is that of single points, too
    const UserContactLaw* law = nullptr;  // of the host's, instead of the elastic one
    bool alarm = false;                   // of observed pairs
    std::string defect;                   // why the contact cannot be computed; empty if it can
};

// A table for every pair of materials that occur among the collidables.
class ContactPairs {
public:
    ContactPairs() = default;
    ContactPairs(const entt::registry& registry, std::span<const Collidable> collidables, const Palettes& palettes,
                 const ContactLaws& laws, double reduction_factor, double maximum_damping);

    const ContactRules& rules(std::size_t a, std::size_t b) const {  // of two collidables
        return table_[material_[a] * names_.size() + material_[b]];
    }
    ContactConstants constants(std::size_t a, std::size_t b) const;
    double greatest_stiffness(std::size_t i) const;  // [N/m^1.5] of a collidable on a plane of any of the materials

private:
    std::vector<std::string> names_;
    std::vector<std::uint32_t> material_;  // of each collidable
    std::vector<ContactRoundness> roundness_;
    std::vector<ContactRules> table_;
};

}  // namespace tactus::systems
