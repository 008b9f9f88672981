// Loops over chunks that are the same for any number of workers, so that each chunk can have a place of its own for what
// it finds.
#pragma once

#include <tactus/engine/workers.hpp>

#include <algorithm>
#include <vector>

namespace tactus::systems {

struct Chunks {
    std::size_t size;  // elements
    std::size_t few;   // so many chunks are done sooner than another worker is awake

    std::size_t count(std::size_t n) const { return (n + size - 1) / size; }
};

// Calls body(index of the chunk, begin, end) for chunks that cover 0 .. n.
template<class Body> void for_each_chunk(Workers& workers, std::size_t n, const Chunks& chunks, Body&& body) {
    const std::size_t count = chunks.count(n);
    workers.for_chunks(count, count <= chunks.few ? count : 1, [&](std::size_t first, std::size_t last) {
        for (std::size_t c = first; c < last; ++c) body(c, c * chunks.size, std::min(n, (c + 1) * chunks.size));
    });
}

// Each chunk of `list` holds results in its first counts[chunk] places: moves them together, and says how many there are.
template<class T>
std::size_t close_gaps(std::vector<T>& list, const Chunks& chunks, const std::vector<std::size_t>& counts) {
    std::size_t end = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) {
        if (end != c * chunks.size) std::copy_n(list.data() + c * chunks.size, counts[c], list.data() + end);
        end += counts[c];
    }
    return end;
}

}  // namespace tactus::systems
