// Bullet in double precision: btDbvtBroadphase, a dynamic tree of enlarged boxes with a hashed cache of pairs. The cache
// holds pairs whose enlarged boxes overlap, so counting looks at the present boxes of each.
#include "benchmarks/broad/peer.hpp"

#ifdef TACTUS_PEER_BULLET

#include <BulletCollision/BroadphaseCollision/btDbvtBroadphase.h>
#include <BulletCollision/BroadphaseCollision/btDispatcher.h>
#include <LinearMath/btAabbUtil2.h>

namespace bench::broad {

namespace {

btVector3 vector(const tactus::Vec3& v) { return {v.x(), v.y(), v.z()}; }

class Bullet : public Peer {
public:
    std::string name() const override { return "bullet"; }

    void prepare(std::span<const tactus::Aabb> boxes) override {
        tree_ = std::make_unique<btDbvtBroadphase>();
        proxies_.clear();
        for (const tactus::Aabb& box : boxes)
            proxies_.push_back(tree_->createProxy(vector(box.min), vector(box.max), 0, nullptr, 1, 1, nullptr));
        place(boxes);
        tree_->optimize();
    }

    void place(std::span<const tactus::Aabb> boxes) override {
        boxes_.clear();
        for (const tactus::Aabb& box : boxes) boxes_.push_back({vector(box.min), vector(box.max)});
    }

    std::size_t step() override {
        for (std::size_t i = 0; i < boxes_.size(); ++i)
            tree_->setAabb(proxies_[i], boxes_[i].min, boxes_[i].max, nullptr);
        tree_->calculateOverlappingPairs(nullptr);
        std::size_t overlapping = 0;
        const btBroadphasePairArray& pairs = tree_->getOverlappingPairCache()->getOverlappingPairArray();
        for (int i = 0; i < pairs.size(); ++i) {
            const btBroadphaseProxy &a = *pairs[i].m_pProxy0, &b = *pairs[i].m_pProxy1;
            overlapping += TestAabbAgainstAabb2(a.m_aabbMin, a.m_aabbMax, b.m_aabbMin, b.m_aabbMax);
        }
        return overlapping;
    }

private:
    struct Box {
        btVector3 min, max;
    };
    std::unique_ptr<btDbvtBroadphase> tree_;
    std::vector<btBroadphaseProxy*> proxies_;
    std::vector<Box> boxes_;
};

}  // namespace

void add_bullet(std::vector<std::unique_ptr<Peer>>& list) { list.push_back(std::make_unique<Bullet>()); }

}  // namespace bench::broad

#else

void bench::broad::add_bullet(std::vector<std::unique_ptr<Peer>>&) {}

#endif
