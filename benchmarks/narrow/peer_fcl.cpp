// FCL, with its default solver (GST_LIBCCD): distance() of separated solids, collide() with a contact of others.
#include "benchmarks/narrow/peer.hpp"

#ifdef TACTUS_PEER_FCL

#include <fcl/geometry/shape/box.h>
#include <fcl/geometry/shape/capsule.h>
#include <fcl/geometry/shape/cone.h>
#include <fcl/geometry/shape/convex.h>
#include <fcl/geometry/shape/cylinder.h>
#include <fcl/geometry/shape/ellipsoid.h>
#include <fcl/geometry/shape/sphere.h>
#include <fcl/narrowphase/collision.h>
#include <fcl/narrowphase/distance.h>

#include <exception>
#include <limits>
#include <map>

namespace bench::narrow {

namespace {

using Geometry = std::shared_ptr<fcl::CollisionGeometryd>;

struct Make {
    Geometry operator()(const tactus::Sphere& s) const { return std::make_shared<fcl::Sphered>(s.diameter / 2); }
    Geometry operator()(const tactus::Ellipsoid& s) const {
        return std::make_shared<fcl::Ellipsoidd>(s.length_x / 2, s.length_y / 2, s.length_z / 2);
    }
    Geometry operator()(const tactus::Box& s) const {
        return std::make_shared<fcl::Boxd>(s.length_x, s.length_y, s.length_z);
    }
    Geometry operator()(const tactus::Cylinder& s) const {
        return std::make_shared<fcl::Cylinderd>(s.diameter / 2, s.length);
    }
    Geometry operator()(const tactus::Cone& s) const { return std::make_shared<fcl::Coned>(s.diameter / 2, s.length); }
    Geometry operator()(const tactus::Capsule& s) const {
        return std::make_shared<fcl::Capsuled>(s.diameter / 2, s.length);
    }
    Geometry operator()(const tactus::Mesh&) const {
        auto vertices = std::make_shared<std::vector<tactus::Vec3>>();
        auto faces = std::make_shared<std::vector<int>>();
        for (std::uint32_t i = 0; i < hull->count; ++i) vertices->push_back(hull->vertex(i));
        for (const auto& t : hull->triangles)
            faces->insert(faces->end(), {3, static_cast<int>(t[0]), static_cast<int>(t[1]), static_cast<int>(t[2])});
        return std::make_shared<fcl::Convexd>(vertices, static_cast<int>(hull->triangles.size()), faces);
    }
    template<class Other> Geometry operator()(const Other&) const { return nullptr; }

    const tactus::ConvexHull* hull;
};

class Fcl : public Peer {
public:
    std::string name() const override { return "fcl"; }
    bool knows(const std::string& kind) const override { return kind != "frustum" && kind != "beam"; }

    void run(std::span<double> distances, bool penetrating) override {
        for (std::size_t i = 0; i < distances.size(); ++i) {
            const Body &a = bodies_[2 * i], &b = bodies_[2 * i + 1];
            try {
                distances[i] = penetrating ? depth(a, b) : apart(a, b);
            } catch (const std::exception&) {  // "FCL has encountered a bug"
                distances[i] = none;
            }
        }
    }

private:
    static constexpr double none = std::numeric_limits<double>::quiet_NaN();

    struct Body {
        const fcl::CollisionGeometryd* geometry;
        fcl::Transform3d X;
    };

    static double apart(const Body& a, const Body& b) {
        static const fcl::DistanceRequestd request{true, false, 0, 0, peer_tolerance};
        fcl::DistanceResultd result;
        const double distance = fcl::distance(a.geometry, a.X, b.geometry, b.X, request, result);
        return distance >= 0 ? distance : none;
    }

    static double depth(const Body& a, const Body& b) {
        static const fcl::CollisionRequestd request = [] {
            fcl::CollisionRequestd r{1, true};
            r.gjk_tolerance = peer_tolerance;
            return r;
        }();
        fcl::CollisionResultd result;
        fcl::collide(a.geometry, a.X, b.geometry, b.X, request, result);
        return result.numContacts() > 0 ? -result.getContact(0).penetration_depth : none;
    }

    void clear() override { bodies_.clear(); }
    void add(const Solid& solid, const tactus::Frame& X) override {
        Geometry& geometry = geometries_[&solid];
        if (!geometry) {
            geometry = std::visit(Make{solid.collision.hull.get()}, solid.shape);
            geometry->computeLocalAABB();
        }
        fcl::Transform3d T = fcl::Transform3d::Identity();
        T.linear() = X.R;
        T.translation() = X.p;
        if (const auto* cone = std::get_if<tactus::Cone>(&solid.shape))  // its origin is half-way up the axis
            T.translation() += X.R * tactus::Vec3{0, 0, cone->length / 2};
        bodies_.push_back({geometry.get(), T});
    }

    std::map<const Solid*, Geometry> geometries_;
    std::vector<Body> bodies_;
};

}  // namespace

void add_fcl(std::vector<std::unique_ptr<Peer>>& list) { list.push_back(std::make_unique<Fcl>()); }

}  // namespace bench::narrow

#else

void bench::narrow::add_fcl(std::vector<std::unique_ptr<Peer>>&) {}

#endif
