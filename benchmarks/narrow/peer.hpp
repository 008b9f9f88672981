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
    // Takes the pairs over in its own types: body 2 i and body 2 i + 1 are pair i.
    void prepare(std::span<const Pair> pairs) {
        clear();
        for (const Pair& pair : pairs) {
            add(*pair.A, pair.X_WA);
            add(*pair.B, pair.X_WB);
        }
    }
    // Signed distance of every pair [m]; NaN where the peer gives none. `penetrating`: what most pairs are.
    virtual void run(std::span<double> distances, bool penetrating) = 0;

private:
    virtual void clear() = 0;
    virtual void add(const Solid& solid, const tactus::Frame& X) = 0;
};

// The peers that were found when this was built.
std::vector<std::unique_ptr<Peer>> peers();

void add_libccd(std::vector<std::unique_ptr<Peer>>& list);
void add_fcl(std::vector<std::unique_ptr<Peer>>& list);
void add_bullet(std::vector<std::unique_ptr<Peer>>& list);

}  // namespace bench::narrow
