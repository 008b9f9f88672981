#include "benchmarks/broad/peer.hpp"

namespace bench::broad {

std::vector<std::unique_ptr<Peer>> peers() {
    std::vector<std::unique_ptr<Peer>> list;
    add_fcl(list);
    add_bullet(list);
    return list;
}

}  // namespace bench::broad
