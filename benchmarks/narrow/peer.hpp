// Other libraries that compute what the narrow phase computes, each behind the same small door.
//
// All are asked for an accuracy of 1e-6 m where they have a setting; the adapter says which. Peers get the pairs in
// their own types beforehand, and every one is timed over the same pairs, one after the other, in one thread.
#pragma once

#include "benchmarks/narrow/scenes.hpp"

#include <memory>
#include <span>

namespace bench::narrow {

inline constexpr double peer_tolerance = 1e-6;  // [m]

class Peer {
public:
    virtual ~Peer() = default;
    virtual std::string name() const = 0;
    // Whether it computes distances of separated pairs, and whether it knows a kind of solid.
    virtual bool separates() const { return true; }
    virtual bool knows(const std::string&) const { return true; }
    virtual void prepare(std::span<const Pair> pairs) = 0;
    // Signed distance of every pair [m]; NaN where the peer gives none. `penetrating`: what most pairs are.
    virtual void run(std::span<double> distances, bool penetrating) = 0;
};

// The peers that were found when this was built.
std::vector<std::unique_ptr<Peer>> peers();

void add_libccd(std::vector<std::unique_ptr<Peer>>& list);
void add_fcl(std::vector<std::unique_ptr<Peer>>& list);
void add_bullet(std::vector<std::unique_ptr<Peer>>& list);

}  // namespace bench::narrow
