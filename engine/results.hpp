// Results: signals over time. A value is missing (NaN) while its object does not exist.
#pragma once

#include <tactus/engine/export.hpp>

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

namespace tactus {

struct Signal {
    std::string name;            // element and quantity, e.g. "ball.position"
    std::string unit;            // e.g. "m"
    std::size_t size = 1;        // numbers in one sample
    std::vector<double> values;  // sample by sample
};

// A part of the state: of a joint, or of a free object relative to its parent.
struct StateValue {
    std::string name;  // e.g. "rev.phi", "ball.translation"
    std::string unit;
    std::vector<double>
        values;  // rotations as Cardan angles x-y-z that do not jump from one communication point to another
};

struct TACTUS_API Results {
    std::vector<double> time;     // [s] communication points, and events: an event has two samples, before and after it
    std::vector<Signal> signals;  // in the order in which they first appeared

    const Signal* find(std::string_view name) const;
    void clear();
};

// Columns: time, then every number of every signal, e.g. "ball.position[1]"; a missing value is an empty field.
TACTUS_API std::string to_csv(const Results& results);

// {"time": [...], "signals": {"ball.position": {"unit": "m", "values": [[x, y, z], ...]}, ...}}; missing values are null.
TACTUS_API std::string to_json(const Results& results);

// By the extension: .csv or .json. An InputError if it is another one or the file cannot be written; the file is either
// complete or not there.
TACTUS_API void write_results(const Results& results, const std::filesystem::path& file);

}  // namespace tactus
