// Files of the project that tests read.
#pragma once

#include <algorithm>
#include <filesystem>
#include <vector>

namespace tactus::test {

inline const std::filesystem::path source = TACTUS_SOURCE_DIR;

// The scenes below a folder of the project that are meant to be good.
inline std::vector<std::filesystem::path> scene_files(const std::filesystem::path& folder) {
    std::vector<std::filesystem::path> files;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(source / folder))
        if (entry.path().extension() == ".json" && entry.path().filename() != "final_states.json" &&
            entry.path().parent_path().filename() != "errors")
            files.push_back(entry.path());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace tactus::test
