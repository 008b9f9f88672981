// libccd: its MPR, and its GJK with EPA. It gives penetrations only; its public functions have no distance apart.
#include "benchmarks/narrow/peer.hpp"

#ifdef TACTUS_PEER_LIBCCD

#include "benchmarks/narrow/support.hpp"

#include <ccd/ccd.h>

#include <limits>

namespace bench::narrow {

namespace {

struct Body {
    Support support;
    tactus::Mat3 R;
    tactus::Vec3 p, centre;
};

void support(const void* object, const ccd_vec3_t* direction, ccd_vec3_t* result) {
    const Body& body = *static_cast<const Body*>(object);
    const Eigen::Map<const tactus::Vec3> d{direction->v};
    Eigen::Map<tactus::Vec3>{result->v} = body.p + body.R * body.support(body.R.transpose() * d);
}

void centre(const void* object, ccd_vec3_t* result) {
    Eigen::Map<tactus::Vec3>{result->v} = static_cast<const Body*>(object)->centre;
}

using Function = int (*)(const void*, const void*, const ccd_t*, ccd_real_t*, ccd_vec3_t*, ccd_vec3_t*);

class Libccd : public Peer {
public:
    Libccd(std::string name, Function function) : name_{std::move(name)}, function_{function} {
        CCD_INIT(&settings_);
        settings_.support1 = settings_.support2 = support;
        settings_.center1 = settings_.center2 = centre;
        settings_.max_iterations = 500;
        settings_.mpr_tolerance = peer_tolerance;
        settings_.epa_tolerance = peer_tolerance * 0.01;  // of squared distances [m^2]: 1e-6 m where it is 10 mm deep
        settings_.dist_tolerance = peer_tolerance;
    }
    std::string name() const override { return name_; }
    bool separates() const override { return false; }

    void run(std::span<double> distances, bool) override {
        for (std::size_t i = 0; i < distances.size(); ++i) {
            ccd_real_t depth = 0;
            ccd_vec3_t direction, position;
            const int status =
                function_(&bodies_[2 * i], &bodies_[2 * i + 1], &settings_, &depth, &direction, &position);
            distances[i] = status == 0 ? -depth : std::numeric_limits<double>::quiet_NaN();
        }
    }

private:
    void clear() override { bodies_.clear(); }
    void add(const Solid& solid, const tactus::Frame& X) override {
        bodies_.push_back({Support{solid.shape}, X.R, X.p, X.p + X.R * solid.centre});
    }

    std::string name_;
    Function function_;
    ccd_t settings_;
    std::vector<Body> bodies_;
};

}  // namespace

void add_libccd(std::vector<std::unique_ptr<Peer>>& list) {
    list.push_back(std::make_unique<Libccd>("libccd-mpr", ccdMPRPenetration));
    list.push_back(std::make_unique<Libccd>("libccd-gjk", ccdGJKPenetration));
}

}  // namespace bench::narrow

#else

void bench::narrow::add_libccd(std::vector<std::unique_ptr<Peer>>&) {}

#endif
