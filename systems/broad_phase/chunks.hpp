// Loops over chunks that are the same for any number of workers, so that each chunk can have a place of its own for what
// it finds.
#pragma once

#include <tactus/engine/workers.hpp>

#include <algorithm>
#include <vector>

namespace tactus::systems {

inline std::size_t chunk_count(std::size_t n, std::size_t chunk) { return (n + chunk - 1) / chunk; }

// Calls body(index of the chunk, begin, end). Few chunks are not worth waking others.
template<class Body> void for_each_chunk(Workers& workers, std::size_t n, std::size_t chunk, Body&& body) {
    const std::size_t chunks = chunk_count(n, chunk);
    workers.for_chunks(chunks, chunks < 4 ? 4 : 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t c = first; c < last; ++c) body(c, c * chunk, std::min(n, (c + 1) * chunk));
    });
}

// Each chunk of `list` holds results in its first counts[chunk] places: moves them together, and says how many there are.
template<class T>
std::size_t close_gaps(std::vector<T>& list, std::size_t chunk, const std::vector<std::size_t>& counts) {
    T* to = list.data();
    for (std::size_t c = 0; c < counts.size(); ++c) to = std::copy_n(list.data() + c * chunk, counts[c], to);
    return static_cast<std::size_t>(to - list.data());
}

}  // namespace tactus::systems
