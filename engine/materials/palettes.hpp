// Palettes: materials by name, those of the project and those that a user adds on top.
#pragma once

#include <tactus/engine/export.hpp>
#include <tactus/engine/materials/material.hpp>

#include <map>
#include <optional>
#include <string>
#include <utility>
#include <vector>

namespace tactus {

class TACTUS_API Palettes {
public:
    // The palettes of the project (engine/materials/palettes/*.json), which every World starts from.
    static const Palettes& project();

    // A layer on top of another, which must outlive it; or on nothing.
    explicit Palettes(const Palettes* below = nullptr) : below_{below} {}

    // Add an entry or override the one below. An InputError says what is wrong with the numbers.
    void set(const std::string& name, const SolidMaterial& material);
    void set(const std::string& name, const VisualMaterial& material);
    void set(const ContactPair& pair);  // the order of its two names does not matter

    // nullptr if there is none of this name.
    const SolidMaterial* solid(const std::string& name) const;
    const VisualMaterial* visual(const std::string& name) const;

    // What happens where materials a and b touch: the entry for the pair; else, if both pairs (a, a) and (b, b) are
    // elastic, their arithmetic mean; else nothing.
    std::optional<ContactPair> contact(const std::string& a, const std::string& b) const;

    // Why a contact of these two materials cannot be computed; empty if it can.
    std::string contact_defect(const std::string& a, const std::string& b) const;

    // Whether there is an entry for exactly this pair, so that nothing is averaged.
    bool has_pair(const std::string& a, const std::string& b) const;

    // Whether a material has all that a contact needs with any other such one that it has no entry with.
    bool averages(const std::string& name) const;

    // The entries of this layer only.
    const std::map<std::string, SolidMaterial>& own_solids() const { return solids_; }
    const std::map<std::string, VisualMaterial>& own_visuals() const { return visuals_; }
    std::vector<ContactPair> own_pairs() const;

    std::vector<std::pair<std::string, std::string>> pairs() const;  // names of all entries of all layers, sorted
    std::vector<std::string> solid_names() const;                    // of all layers, sorted
    std::vector<std::string> visual_names() const;

private:
    using PairKey = std::pair<std::string, std::string>;
    const ContactPair* pair_entry(const PairKey& key) const;
    std::string elastic_defect(const std::string& name) const;

    const Palettes* below_ = nullptr;
    std::map<std::string, SolidMaterial> solids_;
    std::map<std::string, VisualMaterial> visuals_;
    std::map<PairKey, ContactPair> pairs_;
};

}  // namespace tactus
