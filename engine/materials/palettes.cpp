#include <tactus/engine/materials/palettes.hpp>

#include <tactus/engine/scene/scene_file.hpp>
#include <tactus/engine/schema/definitions.hpp>
#include <tactus/engine/utf8.hpp>

#include <set>

namespace tactus {

namespace {

std::pair<std::string, std::string> sorted(const std::string& a, const std::string& b) {
    return a < b ? std::pair{a, b} : std::pair{b, a};
}

void check_name(const std::string& name) {
    const auto refuse = [&name](const std::string& allowed) {
        throw InputError({"", "", "", schema::in_quotes(name), "the name of a material must " + allowed});
    };
    if (name.empty()) refuse("not be empty");
    if (name.size() > schema::longest_name) refuse("not be longer than " + std::to_string(schema::longest_name));
    if (!is_utf8(name)) refuse("be valid UTF-8");
    if (name.front() == ' ' || name.back() == ' ' || has_unseen_characters(name))
        refuse("have no space at its ends, and no space or character within that looks like another or is not seen");
}

template<class Definition> void check(const std::string& name, const Definition& definition) {
    std::vector<Issue> issues;
    schema::Context context{issues, false};
    context.enter_element(name);
    schema::check_definition(definition, context);
    if (!issues.empty()) throw InputError(std::move(issues));
}

}  // namespace

const Palettes& Palettes::project() {
    static const Palettes* const palettes = [] {
        auto* p = new Palettes;  // lives as long as the program: Worlds stand on it
        const MaterialsDef materials = read_palette_files();
        for (const auto& [name, material] : materials.solid) p->set(name, material);
        for (const auto& [name, material] : materials.visual) p->set(name, material);
        for (const ContactPair& pair : materials.contact_pairs) p->set(pair);
        return p;
    }();
    return *palettes;
}

void Palettes::set(const std::string& name, const SolidMaterial& material) {
    check_name(name);
    check(name, material);
    solids_[name] = material;
}

void Palettes::set(const std::string& name, const VisualMaterial& material) {
    check_name(name);
    check(name, material);
    visuals_[name] = material;
}

void Palettes::set(const ContactPair& pair) {
    check(pair.material1 + ", " + pair.material2, pair);
    pairs_[sorted(pair.material1, pair.material2)] = pair;
}

const SolidMaterial* Palettes::solid(const std::string& name) const {
    if (const auto found = solids_.find(name); found != solids_.end()) return &found->second;
    return below_ ? below_->solid(name) : nullptr;
}

const VisualMaterial* Palettes::visual(const std::string& name) const {
    if (const auto found = visuals_.find(name); found != visuals_.end()) return &found->second;
    return below_ ? below_->visual(name) : nullptr;
}

const ContactPair* Palettes::pair_entry(const PairKey& key) const {
    if (const auto found = pairs_.find(key); found != pairs_.end()) return &found->second;
    return below_ ? below_->pair_entry(key) : nullptr;
}

std::optional<ContactPair> Palettes::contact(const std::string& a, const std::string& b) const {
    if (const ContactPair* entry = pair_entry(sorted(a, b))) return *entry;
    const ContactPair* aa = pair_entry({a, a});
    const ContactPair* bb = pair_entry({b, b});
    if (!aa || !bb || aa->response != ContactResponse::Elastic || bb->response != ContactResponse::Elastic) return {};
    const auto mean = [aa, bb](double ContactPair::*member) { return 0.5 * (aa->*member + bb->*member); };
    ContactPair pair;
    pair.material1 = a;
    pair.material2 = b;
    pair.law = aa->law == bb->law ? aa->law : ContactPair{}.law;
    pair.coefficient_of_restitution = mean(&ContactPair::coefficient_of_restitution);
    pair.sliding_friction_coefficient = mean(&ContactPair::sliding_friction_coefficient);
    pair.rotational_resistance_coefficient = mean(&ContactPair::rotational_resistance_coefficient);
    pair.v_small = mean(&ContactPair::v_small);
    pair.w_small = mean(&ContactPair::w_small);
    if (aa->hold_time && bb->hold_time) pair.hold_time = 0.5 * (*aa->hold_time + *bb->hold_time);
    return pair;
}

bool Palettes::has_pair(const std::string& a, const std::string& b) const { return pair_entry(sorted(a, b)); }

bool Palettes::averages(const std::string& name) const {
    const ContactPair* own = pair_entry({name, name});
    return own && own->response == ContactResponse::Elastic && elastic_defect(name).empty();
}

// What a material lacks for an elastic contact; empty if nothing.
std::string Palettes::elastic_defect(const std::string& name) const {
    const SolidMaterial* material = solid(name);
    if (!material || !material->youngs_modulus || !(*material->youngs_modulus > 0))
        return "the solid material \"" + name + "\" has no YoungsModulus > 0";
    if (!material->poissons_ratio) return "the solid material \"" + name + "\" has no PoissonsRatio";
    return {};
}

std::string Palettes::contact_defect(const std::string& a, const std::string& b) const {
    const auto pair = contact(a, b);
    if (!pair)
        return "there is no contact pair \"" + a + "\", \"" + b + "\", and no pair of each with itself to average";
    if (pair->response != ContactResponse::Elastic) return {};
    const std::string defect = elastic_defect(a);
    return defect.empty() ? elastic_defect(b) : defect;
}

std::vector<ContactPair> Palettes::own_pairs() const {
    std::vector<ContactPair> pairs;
    for (const auto& [key, pair] : pairs_) pairs.push_back(pair);
    return pairs;
}

std::vector<std::pair<std::string, std::string>> Palettes::pairs() const {
    std::set<PairKey> keys;
    for (const Palettes* layer = this; layer; layer = layer->below_)
        for (const auto& [key, pair] : layer->pairs_) keys.insert(key);
    return {keys.begin(), keys.end()};
}

std::vector<std::string> Palettes::solid_names() const {
    std::set<std::string> names;
    for (const Palettes* layer = this; layer; layer = layer->below_)
        for (const auto& [name, material] : layer->solids_) names.insert(name);
    return {names.begin(), names.end()};
}

std::vector<std::string> Palettes::visual_names() const {
    std::set<std::string> names;
    for (const Palettes* layer = this; layer; layer = layer->below_)
        for (const auto& [name, material] : layer->visuals_) names.insert(name);
    return {names.begin(), names.end()};
}

}  // namespace tactus
