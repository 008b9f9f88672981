// FCL: its dynamic tree of AABBs, in both variants, with pointers and in an array. None of them is faster everywhere.
#include "benchmarks/broad/peer.hpp"

#ifdef TACTUS_PEER_FCL

#include <fcl/broadphase/broadphase_dynamic_AABB_tree.h>
#include <fcl/broadphase/broadphase_dynamic_AABB_tree_array.h>
#include <fcl/geometry/shape/box.h>

namespace bench::broad {

namespace {

template<class Manager> class Fcl : public Peer {
public:
    std::string name() const override { return "fcl"; }

    void prepare(std::span<const tactus::Aabb> boxes) override {
        manager_ = std::make_unique<Manager>();
        objects_.clear();
        pointers_.clear();
        for (const tactus::Aabb& box : boxes) {
            const tactus::Vec3 edges = box.max - box.min;
            auto shape = std::make_shared<fcl::Boxd>(edges.x(), edges.y(), edges.z());
            shape->computeLocalAABB();
            objects_.push_back(std::make_unique<fcl::CollisionObjectd>(shape));
            pointers_.push_back(objects_.back().get());
        }
        place(boxes);
        manager_->registerObjects(pointers_);
        manager_->setup();
    }

    void place(std::span<const tactus::Aabb> boxes) override {
        for (std::size_t i = 0; i < boxes.size(); ++i) {
            objects_[i]->setTranslation(0.5 * (boxes[i].min + boxes[i].max));
            objects_[i]->computeAABB();
        }
    }

    std::size_t step() override {
        std::size_t pairs = 0;
        manager_->update();
        manager_->collide(&pairs, [](fcl::CollisionObjectd*, fcl::CollisionObjectd*, void* count) {
            ++*static_cast<std::size_t*>(count);
            return false;  // go on
        });
        return pairs;
    }

private:
    std::vector<std::unique_ptr<fcl::CollisionObjectd>> objects_;
    std::vector<fcl::CollisionObjectd*> pointers_;
    std::unique_ptr<Manager> manager_;
};

}  // namespace

void add_fcl(std::vector<std::unique_ptr<Peer>>& list) {
    list.push_back(std::make_unique<Fcl<fcl::DynamicAABBTreeCollisionManagerd>>());
    list.push_back(std::make_unique<Fcl<fcl::DynamicAABBTreeCollisionManager_Arrayd>>());
}

}  // namespace bench::broad

#else

void bench::broad::add_fcl(std::vector<std::unique_ptr<Peer>>&) {}

#endif
