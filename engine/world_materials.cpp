// World: materials, and warnings about those that meet.
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/engine/world_impl.hpp>

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

namespace tactus {

// Whether the mass follows from the density of the material.
bool World::Impl::mass_follows(const Solid& solid) {
    return !solid.material.empty() && solid.shape && !solid.mass && !solid.mass_properties;
}

void World::Impl::write_mass(Entity e, const MassProperties& mass) {
    registry.get<Object3D>(e).massive = mass.mass > 0;
    if (mass.mass > 0)
        registry.emplace_or_replace<BodyMass>(e, mass);
    else
        registry.remove<BodyMass>(e);
    touch(e);
    definitions_changed();
}

void World::set_material(const std::string& name, const SolidMaterial& material) {
    Impl& w = *impl_;
    std::vector<std::pair<Entity, MassProperties>> masses;  // all of them, before anything is changed
    for (const auto [e, solid] : w.registry.view<const Solid>().each()) {
        if (solid.material != name || !Impl::mass_follows(solid)) continue;
        if (!material.density)  // nobody may be left without a mass
            throw InputError({"", name, "density", "", "is needed for the mass of '" + this->name(e) + "'"});
        masses.emplace_back(e, from_density(*solid.shape, *material.density));
        const MassProperties& mass = masses.back().second;
        const bool finite = std::isfinite(mass.mass) && mass.inertia.allFinite();
        if (!finite && std::isfinite(*material.density))  // else the density itself is refused below
            throw InputError({"", name, "density", schema::text_of(*material.density),
                              "must be smaller: mass and inertia of '" + this->name(e) + "' would not be finite"});
    }
    w.palettes->set(name, material);
    for (const auto& [e, mass] : masses) w.write_mass(e, mass);
    w.definitions_changed();
}

void World::set_material(const std::string& name, const VisualMaterial& material) {
    impl_->palettes->set(name, material);
}

void World::set_contact_pair(const ContactPair& pair) {
    std::vector<Issue> issues;
    for (const auto& [key, name] : {std::pair{"material1", &pair.material1}, std::pair{"material2", &pair.material2}})
        if (!name->empty() && !impl_->palettes->solid(*name))  // an empty one is refused below
            issues.push_back({"", pair.material1 + ", " + pair.material2, key, schema::in_quotes(*name),
                              impl_->unknown_material(*name, false)});
    throw_if_any(issues);
    impl_->palettes->set(pair);
    impl_->definitions_changed();
}

void World::set_contact_law(const std::string& material1, const std::string& material2, UserContactLaw law) {
    std::vector<Issue> issues;
    for (const auto& [key, name] : {std::pair{"material1", &material1}, std::pair{"material2", &material2}})
        if (!impl_->palettes->solid(*name))
            issues.push_back({"", material1 + ", " + material2, key, schema::in_quotes(*name),
                              impl_->unknown_material(*name, false)});
    if (!law.force) issues.push_back({"", material1 + ", " + material2, "force", "", "must be a function"});
    throw_if_any(issues);
    impl_->contact_laws[std::minmax(material1, material2)] = std::move(law);
    impl_->definitions_changed();
}

namespace {

// The contact materials of a World, by name, and which of them can meet. A material that only one super-object carries
// cannot meet those that only this one carries; one that several carry can meet every other, and itself.
class Meetings {
public:
    explicit Meetings(const entt::registry& registry) {
        std::map<std::string, Entity> carriers;  // null: several
        for (const auto [e, solid, member] : registry.view<const Solid, const MemberOf>().each()) {
            if (!solid.collidable) continue;
            const auto [found, is_new] = carriers.emplace(solid.touching_material(), member.root);
            if (!is_new && found->second != member.root) found->second = entt::null;
        }
        for (const auto& [name, carrier] : carriers) {
            names_.push_back(name);
            carriers_.push_back(carrier);
        }
    }

    // The pairs that can meet but have no contact pair that can be computed, in the order of their names; `more` tells
    // that there are others. Time: about linear in the materials, the contact pairs and `most`, not in the pairs of
    // materials, of which there may be millions: those that lack something are known one by one.
    std::vector<std::pair<std::string, std::string>> defects(const Palettes& palettes, std::size_t most,
                                                             bool& more) const {
        std::vector<std::size_t> all(names_.size()), lacking;
        std::iota(all.begin(), all.end(), std::size_t{0});
        std::vector<bool> lacks(names_.size());
        for (const std::size_t i : all)
            if (lacks[i] = !palettes.averages(names_[i]); lacks[i]) lacking.push_back(i);

        std::vector<std::pair<std::string, std::string>> found;
        for (const auto& [first, second] : palettes.pairs()) {
            const auto a = index_of(first), b = index_of(second);
            if (a && b && can_meet(*a, *b) && !palettes.contact_defect(first, second).empty())
                found.emplace_back(first, second);
        }
        // Without a pair of their own: each that lacks something with all others.
        const Skips past_all = skips(all), past_lacking = skips(lacking);
        for (std::size_t a = 0; a < names_.size() && found.size() <= most; ++a) {
            const std::vector<std::size_t>& partners = lacks[a] ? all : lacking;
            const Skips& past = lacks[a] ? past_all : past_lacking;
            auto k = static_cast<std::size_t>(std::lower_bound(partners.begin(), partners.end(), a) - partners.begin());
            while (k < partners.size() && found.size() <= most) {
                const std::size_t b = partners[k];
                const bool meet = can_meet(a, b);
                if (meet && !palettes.has_pair(names_[a], names_[b])) found.emplace_back(names_[a], names_[b]);
                k = meet ? k + 1 : past[k];
            }
        }
        std::sort(found.begin(), found.end());
        more = found.size() > most;
        if (more) found.resize(most);
        return found;
    }

private:
    using Skips = std::vector<std::size_t>;

    bool can_meet(std::size_t a, std::size_t b) const {
        return carriers_[a] == entt::null || carriers_[b] == entt::null || carriers_[a] != carriers_[b];
    }

    std::optional<std::size_t> index_of(const std::string& name) const {
        const auto place = std::lower_bound(names_.begin(), names_.end(), name);
        if (place == names_.end() || *place != name) return {};
        return static_cast<std::size_t>(place - names_.begin());
    }

    // For each place in a list of materials the next one with another carrier.
    Skips skips(const std::vector<std::size_t>& list) const {
        Skips next(list.size());
        for (std::size_t k = list.size(); k-- > 0;)
            next[k] = k + 1 < list.size() && carriers_[list[k + 1]] == carriers_[list[k]] ? next[k + 1] : k + 1;
        return next;
    }

    std::vector<std::string> names_;  // sorted
    std::vector<Entity> carriers_;    // the only root that carries it; null: several do
};

}  // namespace

std::vector<Issue> World::warnings() {
    update_structure();
    const Impl& w = *impl_;
    std::vector<Issue> issues;
    for (const Entity root : systems::super_object_order(w.registry, w.root)) {
        const SuperObject& so = w.registry.get<SuperObject>(root);
        if (root != w.root && so.joint == entt::null && !w.registry.all_of<RootMass>(root) && so.children.empty())
            issues.push_back({"", name(root), "free", "true", "moves freely but has no mass: it cannot be simulated"});
    }
    shorten(issues);
    if (!w.uncertainties.empty() && w.simulation.uncertainty == UncertaintyMethod::None)
        issues.push_back({"", "", "simulation.uncertainty", "\"none\"", "the uncertainties will not be propagated"});
    bool more = false;
    for (const auto& [a, b] : Meetings{w.registry}.defects(*w.palettes, most_issues, more))
        issues.push_back(
            {"", "", "materials", schema::in_quotes(a) + ", " + schema::in_quotes(b),
             w.palettes->contact_defect(a, b) + ": should such objects touch, the simulation ends with an error"});
    if (more) issues.push_back({"", "", "materials", "", "there are more such pairs"});
    return issues;
}

}  // namespace tactus
