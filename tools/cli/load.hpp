// Loading of scene files for the commands.
#pragma once

#include <tactus/tactus.hpp>

#include <iostream>

namespace cli {

inline void print_issues(const std::filesystem::path& scene, const tactus::InputError& error) {
    for (const tactus::Issue& issue : error.issues()) {
        const std::string text = issue.text();
        std::cerr << (text.starts_with(scene.string()) ? "" : scene.string() + ": ") << text << '\n';
    }
}

// Loads a scene file into an empty World; false, with messages on stderr, if something is wrong with it.
inline bool load(const std::filesystem::path& scene, tactus::World& world) {
    try {
        tactus::add_document(world, tactus::read_document_file(scene), scene.parent_path());
        return true;
    } catch (const tactus::InputError& error) {
        print_issues(scene, error);
        return false;
    }
}

}  // namespace cli
