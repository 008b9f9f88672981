// Other libraries that compute what the broad phase computes, each behind the same small door.
//
// A peer gets the boxes in its own types outside of the timed part; timed is its update, and counting every pair of boxes
// that truly overlaps.
#pragma once

#include <tactus/engine/shapes/collision_shape.hpp>

#include <memory>
#include <span>
#include <string>
#include <vector>

namespace bench::broad {

class Peer {
public:
    virtual ~Peer() = default;
    virtual std::string name() const = 0;
    virtual void prepare(std::span<const tactus::Aabb> boxes) = 0;  // a new set of boxes
    virtual void place(std::span<const tactus::Aabb> boxes) = 0;    // where they are now; not timed
    virtual std::size_t step() = 0;                                 // timed; the number of overlapping pairs
};

// The peers that were found when this was built.
std::vector<std::unique_ptr<Peer>> peers();

void add_fcl(std::vector<std::unique_ptr<Peer>>& list);
void add_bullet(std::vector<std::unique_ptr<Peer>>& list);

}  // namespace bench::broad
