#include "benchmarks/narrow/scenes.hpp"

#include <algorithm>
#include <numbers>

namespace bench::narrow {

using tactus::Mat3;
using tactus::Vec3;

namespace {

constexpr int hulls = 8;

// The same numbers with every standard library: distributions of <random> are not.
double unit(std::mt19937_64& random) { return static_cast<double>(random() >> 11) * 0x1p-53; }

Vec3 random_direction(std::mt19937_64& random) {
    for (;;) {
        Vec3 v;
        for (int i = 0; i < 3; ++i) v[i] = 2 * unit(random) - 1;
        if (const double n = v.norm(); n < 1 && n > 1e-3) return v / n;
    }
}

tactus::Mesh random_hull(std::mt19937_64& random) {
    tactus::Mesh mesh;
    for (int i = 0; i < 64; ++i) mesh.vertices.push_back(random_direction(random).cwiseProduct(Vec3{0.1, 0.075, 0.06}));
    return mesh;
}

Solid solid(std::string kind, const tactus::Shape& shape, double width, Vec3 centre = Vec3::Zero()) {
    return {std::move(kind), shape, tactus::collision_shape(shape, 0.0), centre, width};
}

}  // namespace

const std::vector<Solid>& solids() {
    static const std::vector<Solid> all = [] {
        std::vector<Solid> list = {
            solid("sphere", tactus::Sphere{0.2}, 0.2),
            solid("ellipsoid", tactus::Ellipsoid{0.2, 0.15, 0.12}, 0.12),
            solid("box", tactus::Box{0.2, 0.16, 0.12}, 0.12),
            solid("cylinder", tactus::Cylinder{3, 0.2, 0.2}, 0.2),
            solid("cone", tactus::Cone{3, 0.2, 0.2}, 0.16, {0, 0, 0.05}),
            solid("frustum", tactus::Cone{3, 0.2, 0.2, 0.1}, 0.16, {0, 0, 0.08}),
            solid("capsule", tactus::Capsule{3, 0.1, 0.1}, 0.1),
            solid("beam", tactus::Beam{1, 0.12, 0.08, 0.05}, 0.05),
        };
        std::mt19937_64 random{64};
        for (int i = 0; i < hulls; ++i) list.push_back(solid("hull64", random_hull(random), 0.11));
        return list;
    }();
    return all;
}

const std::vector<std::string>& kinds() {
    static const std::vector<std::string> all = {"sphere",  "ellipsoid", "box",  "cylinder", "cone",
                                                 "frustum", "capsule",   "beam", "hull64"};
    return all;
}

std::string name(Regime regime) {
    return regime == Regime::separated ? "separated" : regime == Regime::shallow ? "shallow" : "deep";
}

const std::vector<std::string>& mixes() {
    static const std::vector<std::string> all = {"sphere", "box",   "capsule-cylinder", "ellipsoid", "cone",
                                                 "hull64", "mixed", "beam-frustum"};
    return all;
}

double Generator::uniform(double from, double to) { return from + (to - from) * unit(random_); }

Vec3 Generator::direction() { return random_direction(random_); }

Mat3 Generator::rotation() {
    const double a = 2 * std::numbers::pi * unit(random_), b = 2 * std::numbers::pi * unit(random_), u = unit(random_);
    return tactus::Quat{std::sqrt(u) * std::cos(b), std::sqrt(1 - u) * std::sin(a), std::sqrt(1 - u) * std::cos(a),
                        std::sqrt(u) * std::sin(b)}
        .normalized()
        .toRotationMatrix();
}

const Solid& Generator::pick(const std::string& kind) {
    const std::vector<Solid>& all = solids();
    const auto number = [&](std::size_t count) { return static_cast<std::size_t>(random_() % count); };
    if (kind == "hull64") return all[all.size() - 1 - number(hulls)];
    if (kind == "mixed") {
        static const char* common[] = {"sphere", "ellipsoid", "box", "cylinder", "cone", "capsule", "hull64"};
        return pick(common[number(std::size(common))]);
    }
    return *std::find_if(all.begin(), all.end(), [&](const Solid& s) { return s.kind == kind; });
}

Pair Generator::place(const Solid& A, const Solid& B, double from, double to) {
    Pair pair{&A, &B, {rotation(), Vec3{uniform(-1, 1), uniform(-1, 1), uniform(-1, 1)}}, {rotation(), Vec3::Zero()}};
    const Vec3 away = direction();
    const Vec3 concentric = pair.X_WA.p + pair.X_WA.R * A.centre - pair.X_WB.R * B.centre;
    const auto at = [&](double travel) {
        pair.X_WB.p = concentric + travel * away;
        return distance_(pair);
    };
    // The signed distance is a convex function of the place, so it passes the target once on the way out.
    const double target = std::max(uniform(from, to), 0.95 * at(0));
    double near = 0, far = 1;
    for (int i = 0; i < 46; ++i) {
        const double middle = 0.5 * (near + far);
        (at(middle) < target ? near : far) = middle;
    }
    at(far);
    return pair;
}

Pair Generator::earlier(const Pair& pair) {
    Pair before = pair;
    before.X_WB.p += 1e-3 * direction();
    before.X_WB.R = tactus::rotation_about(direction(), 0.5 * std::numbers::pi / 180).toRotationMatrix() * pair.X_WB.R;
    return before;
}

std::vector<Pair> Generator::pairs(Regime regime, const std::string& mix, int count) {
    std::vector<Pair> result;
    for (int i = 0; i < count; ++i) {
        const auto dash = mix.find('-');
        const Solid* A = &pick(mix.substr(0, dash));
        const Solid* B = &pick(dash == std::string::npos ? mix : mix.substr(dash + 1));
        if (random_() % 2) std::swap(A, B);
        const double width = std::min(A->width, B->width);
        result.push_back(regime == Regime::separated ? place(*A, *B, 0, 0.02)
                         : regime == Regime::shallow ? place(*A, *B, -0.01, 0)
                                                     : place(*A, *B, -0.4 * width, -0.15 * width));
    }
    return result;
}

}  // namespace bench::narrow
