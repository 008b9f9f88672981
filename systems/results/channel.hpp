// A channel reads several signals at once, because they are computed together.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace tactus::systems {

struct SignalName {
    std::string name;
    std::string_view unit;
    std::size_t size = 1;
};

// Writes the numbers of its signals one after the other.
using ReadSignals = std::function<void(double* to)>;
using AddSignals = std::function<void(const std::vector<SignalName>& signals, ReadSignals read)>;

}  // namespace tactus::systems
