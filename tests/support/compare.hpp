// Comparisons that tests share.
#pragma once

#include <tactus/tactus.hpp>

#include <doctest/doctest.h>

#include <algorithm>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::test {

// Names of entities in the given order, e.g. {"obj1", "obj2"}.
inline std::vector<std::string> names(const World& world, const std::vector<Entity>& entities) {
    std::vector<std::string> result;
    for (const Entity e : entities) result.push_back(world.name(e));
    return result;
}

using Names = std::vector<std::string>;

// The issues of the InputError that `call` throws, as one text; "" if it throws none.
template<class Call> std::string input_error(Call&& call) {
    try {
        call();
    } catch (const InputError& error) { return error.what(); }
    return "";
}

// The SimulationError that a call throws.
template<class Call> SimulationError simulation_error(Call&& call) {
    try {
        call();
    } catch (const SimulationError& error) { return error; }
    FAIL("no SimulationError");
    return {0, "", {}};
}

inline bool contains(std::string_view text, std::string_view part) { return text.find(part) != text.npos; }

// Largest of the relative differences of volume, centroid and inertia.
inline double difference(const VolumeIntegrals& a, const VolumeIntegrals& b) {
    return std::max({std::abs(a.volume - b.volume) / b.volume, (a.centroid - b.centroid).norm() / std::cbrt(b.volume),
                     (a.inertia - b.inertia).norm() / b.inertia.norm()});
}

}  // namespace tactus::test
