// Bullet in double precision: btGjkPairDetector with EPA, as its convex-convex algorithm calls it. Shapes have no margin
// except where the margin is the shape (sphere, capsule). Its tolerances are fixed (1e-12, of squared lengths in GJK).
#include "benchmarks/narrow/peer.hpp"

#ifdef TACTUS_PEER_BULLET

#include "benchmarks/narrow/support.hpp"

#include <BulletCollision/CollisionShapes/btBoxShape.h>
#include <BulletCollision/CollisionShapes/btCapsuleShape.h>
#include <BulletCollision/CollisionShapes/btConeShape.h>
#include <BulletCollision/CollisionShapes/btConvexHullShape.h>
#include <BulletCollision/CollisionShapes/btCylinderShape.h>
#include <BulletCollision/CollisionShapes/btSphereShape.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkEpaPenetrationDepthSolver.h>
#include <BulletCollision/NarrowPhaseCollision/btGjkPairDetector.h>
#include <BulletCollision/NarrowPhaseCollision/btPointCollector.h>
#include <BulletCollision/NarrowPhaseCollision/btVoronoiSimplexSolver.h>

#include <limits>
#include <map>

namespace bench::narrow {

namespace {

// A shape that Bullet has not: ellipsoid, frustum, beam.
class Custom : public btConvexInternalShape {
public:
    explicit Custom(const Support& support) : support_{support} { m_shapeType = CUSTOM_CONVEX_SHAPE_TYPE; }

    btVector3 localGetSupportingVertexWithoutMargin(const btVector3& d) const override {
        const tactus::Vec3 p = support_({d.x(), d.y(), d.z()});
        return {p.x(), p.y(), p.z()};
    }
    void batchedUnitVectorGetSupportingVertexWithoutMargin(const btVector3* d, btVector3* p, int count) const override {
        for (int i = 0; i < count; ++i) p[i] = localGetSupportingVertexWithoutMargin(d[i]);
    }
    void calculateLocalInertia(btScalar, btVector3& inertia) const override { inertia.setZero(); }
    const char* getName() const override { return "custom"; }

private:
    Support support_;
};

std::unique_ptr<btConvexShape> make(const Solid& solid) {
    std::unique_ptr<btConvexShape> shape;
    if (const auto* s = std::get_if<tactus::Sphere>(&solid.shape))
        return std::make_unique<btSphereShape>(s->diameter / 2);
    if (const auto* s = std::get_if<tactus::Capsule>(&solid.shape))
        return std::make_unique<btCapsuleShapeZ>(s->diameter / 2, s->length);
    if (const auto* s = std::get_if<tactus::Box>(&solid.shape))
        shape = std::make_unique<btBoxShape>(btVector3{s->length_x / 2, s->length_y / 2, s->length_z / 2});
    else if (const auto* c = std::get_if<tactus::Cylinder>(&solid.shape))
        shape = std::make_unique<btCylinderShapeZ>(btVector3{c->diameter / 2, c->diameter / 2, c->length / 2});
    else if (solid.kind == "cone") {
        const auto& cone = std::get<tactus::Cone>(solid.shape);
        shape = std::make_unique<btConeShapeZ>(cone.diameter / 2, cone.length);
    } else if (const auto* m = std::get_if<tactus::Mesh>(&solid.shape)) {
        auto hull = std::make_unique<btConvexHullShape>();
        for (const tactus::Vec3& v : m->vertices) hull->addPoint({v.x(), v.y(), v.z()}, false);
        hull->recalcLocalAabb();
        shape = std::move(hull);
    } else
        shape = std::make_unique<Custom>(Support{solid.shape});
    shape->setMargin(0);
    return shape;
}

class Bullet : public Peer {
public:
    std::string name() const override { return "bullet"; }

    void run(std::span<double> distances, bool) override {
        btVoronoiSimplexSolver simplex;
        btGjkEpaPenetrationDepthSolver epa;
        for (std::size_t i = 0; i < distances.size(); ++i) {
            const Body &a = bodies_[2 * i], &b = bodies_[2 * i + 1];
            btGjkPairDetector detector{a.shape, b.shape, &simplex, &epa};
            btGjkPairDetector::ClosestPointInput input;
            input.m_transformA = a.X;
            input.m_transformB = b.X;
            btPointCollector result;
            detector.getClosestPoints(input, result, nullptr);
            distances[i] = result.m_hasResult ? result.m_distance : std::numeric_limits<double>::quiet_NaN();
        }
    }

private:
    struct Body {
        const btConvexShape* shape;
        btTransform X;
    };

    void clear() override { bodies_.clear(); }
    void add(const Solid& solid, const tactus::Frame& X) override {
        auto& shape = shapes_[&solid];
        if (!shape) shape = make(solid);
        tactus::Vec3 p = X.p;
        if (solid.kind == "cone") p += X.R * tactus::Vec3{0, 0, std::get<tactus::Cone>(solid.shape).length / 2};
        const btMatrix3x3 R{X.R(0, 0), X.R(0, 1), X.R(0, 2), X.R(1, 0), X.R(1, 1),
                            X.R(1, 2), X.R(2, 0), X.R(2, 1), X.R(2, 2)};
        bodies_.push_back({shape.get(), btTransform{R, {p.x(), p.y(), p.z()}}});
    }

    std::map<const Solid*, std::unique_ptr<btConvexShape>> shapes_;
    std::vector<Body> bodies_;
};

}  // namespace

void add_bullet(std::vector<std::unique_ptr<Peer>>& list) { list.push_back(std::make_unique<Bullet>()); }

}  // namespace bench::narrow

#else

void bench::narrow::add_bullet(std::vector<std::unique_ptr<Peer>>&) {}

#endif
