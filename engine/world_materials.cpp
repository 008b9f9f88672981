// World: materials, and warnings about those that meet.
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/engine/world_impl.hpp>

#include <algorithm>
#include <map>

namespace tactus {

void World::set_material(const std::string& name, const SolidMaterial& material) {
    Impl& w = *impl_;
    if (!material.density)  // nobody may be left without a mass
        for (const auto [e, solid] : w.registry.view<const Solid>().each())
            if (solid.material == name && solid.shape && !solid.mass && !solid.mass_properties)
                throw InputError({"", name, "density", "", "is needed for the mass of '" + this->name(e) + "'"});
    w.palettes->set(name, material);
    for (const auto [e, solid] : w.registry.view<const Solid>().each()) {
        if (solid.material != name || !solid.shape || solid.mass || solid.mass_properties) continue;
        const MassProperties mass = from_density(*solid.shape, *material.density);
        w.registry.get<Object3D>(e).massive = mass.mass > 0;
        if (mass.mass > 0)
            w.registry.emplace_or_replace<BodyMass>(e, mass);
        else
            w.registry.remove<BodyMass>(e);
        w.touch(e);
    }
}

void World::set_material(const std::string& name, const VisualMaterial& material) {
    impl_->palettes->set(name, material);
}

void World::set_contact_pair(const ContactPair& pair) { impl_->palettes->set(pair); }

std::vector<Issue> World::warnings() {
    update_structure();
    const Impl& w = *impl_;
    // For each contact material: does it occur on the world's super-object, and one or two moving ones that carry it?
    struct Use {
        bool fixed = false;
        std::vector<Entity> moving;  // roots, two are enough
    };
    std::map<std::string, Use> uses;
    for (const auto [e, solid, member] : w.registry.view<const Solid, const MemberOf>().each()) {
        if (!solid.collidable) continue;
        Use& use = uses[solid.touching_material()];
        if (member.root == w.root)
            use.fixed = true;
        else if (use.moving.size() < 2 &&
                 std::find(use.moving.begin(), use.moving.end(), member.root) == use.moving.end())
            use.moving.push_back(member.root);
    }
    std::vector<Issue> issues;
    for (const Entity root : systems::super_object_order(w.registry, w.root)) {
        const SuperObject& so = w.registry.get<SuperObject>(root);
        if (root != w.root && so.joint == entt::null && !w.registry.all_of<RootMass>(root) && so.children.empty())
            issues.push_back({"", name(root), "free", "true", "moves freely but has no mass: it cannot be simulated"});
    }
    if (!w.uncertainties.empty() && w.simulation.uncertainty == UncertaintyMethod::None)
        issues.push_back({"", "", "simulation.uncertainty", "\"none\"", "the uncertainties will not be propagated"});
    for (auto a = uses.begin(); a != uses.end(); ++a)
        for (auto b = a; b != uses.end(); ++b) {
            const bool same = a == b;
            const bool can_meet = (a->second.fixed && !b->second.moving.empty()) ||
                                  (b->second.fixed && !a->second.moving.empty()) ||
                                  (same ? a->second.moving.size() > 1
                                        : !a->second.moving.empty() && !b->second.moving.empty() &&
                                              (a->second.moving.size() > 1 || b->second.moving.size() > 1 ||
                                               a->second.moving[0] != b->second.moving[0]));
            if (!can_meet) continue;
            if (const std::string defect = w.palettes->contact_defect(a->first, b->first); !defect.empty())
                issues.push_back({"", "", "materials", schema::in_quotes(a->first) + ", " + schema::in_quotes(b->first),
                                  defect + ": should such objects touch, the simulation ends with an error"});
        }
    return issues;
}

}  // namespace tactus
