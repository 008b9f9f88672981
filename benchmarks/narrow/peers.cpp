#include "benchmarks/narrow/peer.hpp"

namespace bench::narrow {

std::vector<std::unique_ptr<Peer>> peers() {
    std::vector<std::unique_ptr<Peer>> list;
    add_libccd(list);
    add_fcl(list);
    add_bullet(list);
    return list;
}

}  // namespace bench::narrow
