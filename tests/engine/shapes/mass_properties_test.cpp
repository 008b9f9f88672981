// Volume, centroid and inertia of the shapes against numerical integration, and the laws of moving and adding bodies
// against clouds of mass points.
#include <tactus/engine/shapes/mass_properties.hpp>

#include <tactus/engine/errors.hpp>

#include "tests/support/compare.hpp"
#include "tests/support/random.hpp"

#include <doctest/doctest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <vector>

using namespace tactus;
using test::difference;

namespace {

using std::numbers::pi;

// ---- integration by points and weights -----------------------------------------------------------------------------

struct Node {
    double x, w;
};

// Gauss-Legendre nodes on [-1, 1]: Newton iteration on the Legendre polynomial P_n by its three-term recurrence.
// Exact for polynomials up to degree 2n - 1.
std::vector<Node> gauss_legendre(int n) {
    std::vector<Node> nodes;
    for (int i = 0; i < n; ++i) {
        double x = std::cos(pi * (i + 0.75) / (n + 0.5)), slope = 0.0;
        for (int iteration = 0; iteration < 100; ++iteration) {
            double p = 1.0, before = 0.0;
            for (int k = 1; k <= n; ++k) {
                const double older = before;
                before = p;
                p = ((2 * k - 1) * x * before - (k - 1) * older) / k;
            }
            slope = n * (x * p - before) / (x * x - 1.0);
            const double step = p / slope;
            x -= step;
            if (std::abs(step) < 1e-16) break;
        }
        nodes.push_back({x, 2.0 / ((1.0 - x * x) * slope * slope)});
    }
    return nodes;
}

std::vector<Node> nodes_on(double from, double to, int n) {
    std::vector<Node> nodes = gauss_legendre(n);
    for (Node& node : nodes) node = {(from + to) / 2 + (to - from) / 2 * node.x, (to - from) / 2 * node.w};
    return nodes;
}

struct MassPoint {
    Vec3 p;
    double m;
};
using Cloud = std::vector<MassPoint>;

// Sums over a cloud: in two passes, so that no parallel-axis term has to be subtracted.
MassProperties sums(const Cloud& cloud) {
    MassProperties s;
    for (const auto& [p, m] : cloud) {
        s.mass += m;
        s.center_of_mass += m * p;
    }
    s.center_of_mass /= s.mass;
    for (const auto& [p, m] : cloud) {
        const Vec3 r = p - s.center_of_mass;
        for (int i = 0; i < 3; ++i)
            for (int j = 0; j < 3; ++j)
                s.inertia(i, j) +=
                    i == j ? m * (r[(i + 1) % 3] * r[(i + 1) % 3] + r[(i + 2) % 3] * r[(i + 2) % 3]) : -m * r[i] * r[j];
    }
    return s;
}

// Points of a shape in its own directions: (along the axis, next direction, next but one).
void add_ring(Cloud& cloud, double z, double dz, double inner, double outer, double from = 0.0, double to = 2 * pi) {
    for (const auto& [rho, w_rho] : nodes_on(inner, outer, 4))   // rho^3 d rho at most
        for (const auto& [phi, w_phi] : nodes_on(from, to, 30))  // cos^2 over one turn: error far below 1e-16
            cloud.push_back({{z, rho * std::cos(phi), rho * std::sin(phi)}, dz * w_rho * w_phi * rho});
}

Cloud points(const Sphere& s) {
    Cloud cloud;
    const double r = s.diameter / 2;
    for (const auto& [z, dz] : nodes_on(-r, r, 6)) add_ring(cloud, z, dz, 0.0, std::sqrt(r * r - z * z));
    return cloud;
}

Cloud points(const Ellipsoid& e) {
    Cloud cloud = points(Sphere{2.0});
    const Vec3 half{e.length_x / 2, e.length_y / 2, e.length_z / 2};
    for (auto& [p, m] : cloud) {
        p = p.cwiseProduct(half);
        m *= half.prod();  // determinant of the map
    }
    return cloud;
}

Cloud points(const Box& b) {
    Cloud cloud;
    for (const auto& [x, dx] : nodes_on(-b.length_x / 2, b.length_x / 2, 3))
        for (const auto& [y, dy] : nodes_on(-b.length_y / 2, b.length_y / 2, 3))
            for (const auto& [z, dz] : nodes_on(-b.length_z / 2, b.length_z / 2, 3))
                cloud.push_back({{x, y, z}, dx * dy * dz});
    return cloud;
}

Cloud points(const Cylinder& c) {
    Cloud cloud;
    for (const auto& [z, dz] : nodes_on(-c.length / 2, c.length / 2, 3))
        add_ring(cloud, z, dz, c.inner_diameter / 2, c.diameter / 2);
    return cloud;
}

Cloud points(const Cone& c) {
    Cloud cloud;
    for (const auto& [z, dz] : nodes_on(0.0, c.length, 6)) {
        const double s = z / c.length;
        add_ring(cloud, z, dz, 0.0, (1 - s) * c.diameter / 2 + s * c.top_diameter / 2);
    }
    return cloud;
}

Cloud points(const Capsule& c) {
    Cloud cloud;
    const double r = c.diameter / 2, h = c.length / 2;
    for (const auto& [z, dz] : nodes_on(-h, h, 3)) add_ring(cloud, z, dz, 0.0, r);
    for (const double end : {-1.0, 1.0})
        for (const auto& [u, du] : nodes_on(0.0, r, 6))
            add_ring(cloud, end * (h + u), du, 0.0, std::sqrt(r * r - u * u));
    return cloud;
}

Cloud points(const Beam& b) {
    Cloud cloud = points(Box{b.length, b.width, b.thickness});
    for (const double end : {-1.0, 1.0})
        for (const auto& [t, dt] : nodes_on(-b.thickness / 2, b.thickness / 2, 3))
            for (const auto& [rho, w_rho] : nodes_on(0.0, b.width / 2, 3))
                for (const auto& [phi, w_phi] : nodes_on(-pi / 2, pi / 2, 24))
                    cloud.push_back({{end * (b.length / 2 + rho * std::cos(phi)), rho * std::sin(phi), t},
                                     dt * w_rho * w_phi * rho});
    return cloud;
}

// From own directions to the shape's axes, written out: axis 1 -> x y z, axis 2 -> y z x, axis 3 -> z x y.
Cloud turned(Cloud cloud, int axis) {
    for (auto& [p, m] : cloud) {
        if (axis == 2) p = Vec3{p[2], p[0], p[1]};
        if (axis == 3) p = Vec3{p[1], p[2], p[0]};
    }
    return cloud;
}

// ---- comparing -----------------------------------------------------------------------------------------------------

double relative(double value, double expected) {
    return expected == 0.0 ? std::abs(value) : std::abs(value - expected) / std::abs(expected);
}

// Largest relative error of all quantities: diagonal elements each to itself, products to the mean of the two diagonal
// elements of their row and column (Iij^2 < Iii Ijj), the centroid to the size of the cloud.
double error_of(const VolumeIntegrals& v, const Cloud& cloud) {
    const MassProperties s = sums(cloud);
    double size = 0.0;
    for (const auto& [p, m] : cloud) size = std::max(size, p.cwiseAbs().maxCoeff());
    double worst = std::max(relative(v.volume, s.mass), (v.centroid - s.center_of_mass).cwiseAbs().maxCoeff() / size);
    for (int i = 0; i < 3; ++i)
        for (int j = 0; j < 3; ++j)
            worst = std::max(worst, i == j ? relative(v.inertia(i, i), s.inertia(i, i))
                                           : std::abs(v.inertia(i, j) - s.inertia(i, j)) /
                                                 std::sqrt(s.inertia(i, i) * s.inertia(j, j)));
    return worst;
}

bool same(const MassProperties& a, const MassProperties& b, double tolerance) {
    return relative(a.mass, b.mass) < tolerance &&
           (a.center_of_mass - b.center_of_mass).norm() <= tolerance * (1.0 + b.center_of_mass.norm()) &&
           (a.inertia - b.inertia).norm() <= tolerance * b.inertia.norm();
}

// About 1e3 points with weights that are accurate to 1e-15, summed by terms of one sign: far below this.
constexpr double quadrature_tolerance = 1e-12;

struct Random : test::Random {
    using test::Random::Random;
    double length() { return std::pow(10.0, uniform(-6.0, 6.0)); }  // needles and plates of 1 : 1e12 included
};

std::string message(const Shape& shape) {
    try {
        volume_integrals(shape);
    } catch (const InputError& e) { return e.what(); }
    return {};
}

}  // namespace

TEST_CASE("closed forms of all round and box-like shapes agree with numerical integration for any size and axis") {
    Random random{1};
    const auto compare = [](const Shape& shape, const Cloud& cloud) {
        CHECK(error_of(volume_integrals(shape), cloud) < quadrature_tolerance);
    };
    for (int trial = 0; trial < 60; ++trial) {
        CAPTURE(trial);
        const double a = random.length(), b = random.length(), c = random.length();
        const double part = trial % 3 == 0 ? 1.0 - std::pow(10.0, random.uniform(-14, 0)) : random.uniform(0, 1);
        CAPTURE(a);
        CAPTURE(b);
        CAPTURE(c);
        CAPTURE(part);
        compare(Sphere{a}, points(Sphere{a}));
        compare(Ellipsoid{a, b, c}, points(Ellipsoid{a, b, c}));
        compare(Box{a, b, c}, points(Box{a, b, c}));
        for (const int axis : {1, 2, 3}) {
            CAPTURE(axis);
            const Cylinder tube{axis, a, b, part * a};
            const Cone cone{axis, a, b, 0.0}, frustum{axis, a, b, part * a}, funnel{axis, part * a, b, a};
            const Capsule capsule{axis, a, b};
            const Beam beam{axis, a, b, c};
            compare(Cylinder{axis, a, b, 0.0}, turned(points(Cylinder{axis, a, b, 0.0}), axis));
            compare(tube, turned(points(tube), axis));
            compare(cone, turned(points(cone), axis));
            compare(frustum, turned(points(frustum), axis));
            compare(funnel, turned(points(funnel), axis));
            compare(capsule, turned(points(capsule), axis));
            compare(beam, turned(points(beam), axis));
        }
    }
}

TEST_CASE("textbook values: unit cube, cone and ball") {
    CHECK(volume_integrals(Box{}).inertia.isApprox(Mat3::Identity() / 6.0, 1e-15));
    const VolumeIntegrals cone = volume_integrals(Cone{1, 2.0, 4.0, 0.0});  // R = 1, L = 4
    CHECK(relative(cone.volume, 4.0 / 3.0 * pi) < 1e-15);
    CHECK((cone.centroid - Vec3{1, 0, 0}).norm() < 1e-15);
    CHECK(relative(cone.inertia(0, 0), 0.3 * cone.volume) < 1e-15);
    CHECK(relative(cone.inertia(1, 1), 3.0 / 80.0 * (4.0 + 16.0) * cone.volume) < 1e-15);
    CHECK(relative(volume_integrals(Sphere{2.0}).inertia(2, 2), 0.4 * 4.0 / 3.0 * pi) < 1e-15);
}

TEST_CASE("a frustum becomes a cylinder as its top grows to its base, and a cone as the top shrinks") {
    const double d = 0.7, L = 1.9;
    for (const int axis : {1, 2, 3}) {
        CAPTURE(axis);
        VolumeIntegrals cylinder = volume_integrals(Cylinder{axis, d, L, 0.0});
        cylinder.centroid[axis - 1] += L / 2;  // the frustum has its origin in the base
        CHECK(difference(volume_integrals(Cone{axis, d, L, d}), cylinder) < 1e-15);
        for (const double gap : {1e-3, 1e-6, 1e-9, 1e-12}) {  // first order in the gap, with no noise on top
            CAPTURE(gap);
            CHECK(difference(volume_integrals(Cone{axis, d, L, d * (1 - gap)}), cylinder) < 4 * gap);
        }
        const VolumeIntegrals cone = volume_integrals(Cone{axis, d, L, 0.0});
        for (const double top : {1e-3, 1e-6, 1e-9})
            CHECK(difference(volume_integrals(Cone{axis, d, L, d * top}), cone) < 4 * top);
    }
}

TEST_CASE("a capsule without length is a ball, a beam without length is a disc, a tube without bore is a cylinder") {
    for (const int axis : {1, 2, 3}) {
        CHECK(difference(volume_integrals(Capsule{axis, 0.8, 0.0}), volume_integrals(Sphere{0.8})) < 1e-15);
        CHECK(difference(volume_integrals(Capsule{axis, 0.8, 1e-9}), volume_integrals(Sphere{0.8})) < 1e-8);
        const int thickness_axis = (axis + 1) % 3 + 1;
        CHECK(difference(volume_integrals(Beam{axis, 0.0, 0.8, 0.3}),
                         volume_integrals(Cylinder{thickness_axis, 0.8, 0.3, 0.0})) < 1e-15);
        CHECK(difference(volume_integrals(Cylinder{axis, 0.8, 0.3, 1e-9}),
                         volume_integrals(Cylinder{axis, 0.8, 0.3, 0.0})) < 1e-15);
    }
    CHECK(difference(volume_integrals(Ellipsoid{0.8, 0.8, 0.8}), volume_integrals(Sphere{0.8})) < 1e-15);
}

TEST_CASE("a tube is the full cylinder without its bore") {
    const Cylinder full{2, 0.9, 0.4, 0.0}, bore{2, 0.5, 0.4, 0.0}, tube{2, 0.9, 0.4, 0.5};
    CHECK(same(combined(from_density(tube, 7.0), from_density(bore, 7.0)), from_density(full, 7.0), 1e-15));
}

TEST_CASE("every solid shape has the inertia of a possible body") {
    Random random{2};
    for (int trial = 0; trial < 300; ++trial) {
        const double a = random.length(), b = random.length(), c = random.length();
        const int axis = 1 + trial % 3;
        for (const Shape& shape :
             {Shape{Sphere{a}}, Shape{Ellipsoid{a, b, c}}, Shape{Box{a, b, c}}, Shape{Cylinder{axis, a, b, 0.9 * a}},
              Shape{Cone{axis, a, b, 0.5 * a}}, Shape{Capsule{axis, a, b}}, Shape{Beam{axis, a, b, c}}})
            CHECK(inertia_defect(volume_integrals(shape).inertia) == "");
    }
}

TEST_CASE("mass and inertia are proportional to density, and to mass at a given shape") {
    const Cone shape{2, 0.5, 1.1, 0.2};
    const VolumeIntegrals v = volume_integrals(shape);
    const MassProperties by_density = from_density(shape, 2700.0);
    CHECK(relative(by_density.mass, 2700.0 * v.volume) < 1e-15);
    CHECK(by_density.inertia.isApprox(2700.0 * v.inertia, 1e-15));
    CHECK(by_density.center_of_mass == v.centroid);
    const MassProperties by_mass = from_mass(shape, by_density.mass);
    CHECK(by_mass.mass == by_density.mass);
    CHECK(same(by_mass, by_density, 1e-15));
}

TEST_CASE("shapes that are only shown have no volume, and the error says so") {
    CHECK(message(CoordinateSystem{}).find("CoordinateSystem: has no volume") != std::string::npos);
    CHECK(message(Grid{}).find("Grid: has no volume") != std::string::npos);
    CHECK(message(Spring{}).find("Spring: has no volume") != std::string::npos);
    CHECK(message(GearWheel{}).find("GearWheel: has no volume") != std::string::npos);
    CHECK(message(Text{}).find("Text: has no volume") != std::string::npos);
    CHECK_THROWS_AS(from_mass(Grid{}, 1.0), InputError);
    CHECK_THROWS_AS(from_density(Text{}, 1.0), InputError);
    CHECK(message(Mesh{}).find("not loaded") != std::string::npos);
}

TEST_CASE("a body seen from another frame has the mass properties of its turned and moved mass points") {
    Random random{3};
    for (int trial = 0; trial < 50; ++trial) {
        CAPTURE(trial);
        Cloud cloud;
        for (int i = 0; i < 20; ++i) cloud.push_back({random.vector(2.0), random.uniform(0.1, 3.0)});
        const Pose X_AB{random.vector(10.0), random.orientation()};
        Cloud moved = cloud;
        for (auto& point : moved) point.p = X_AB * point.p;
        const MassProperties m_A = transformed(sums(cloud), X_AB);
        CHECK(same(m_A, sums(moved), 1e-13));
        CHECK(m_A.inertia == m_A.inertia.transpose());
        CHECK(same(transformed(m_A, X_AB.inverse()), sums(cloud), 1e-13));
    }
}

TEST_CASE("two rigidly connected bodies have the mass properties of all their mass points") {
    Random random{4};
    for (int trial = 0; trial < 50; ++trial) {
        CAPTURE(trial);
        Cloud a, b;
        for (int i = 0; i < 15; ++i) a.push_back({random.vector(1.0), random.uniform(0.1, 3.0)});
        const Vec3 far = random.vector(50.0);
        for (int i = 0; i < 10; ++i) b.push_back({far + random.vector(1.0), random.uniform(0.1, 3.0)});
        Cloud both = a;
        both.insert(both.end(), b.begin(), b.end());
        CHECK(same(combined(sums(a), sums(b)), sums(both), 1e-13));
        CHECK(same(combined(sums(b), sums(a)), sums(both), 1e-13));
    }
}

TEST_CASE("a body far from the origin keeps the digits of its inertia when a part is added") {
    // Halves of a cube at a distance that squares to 2^40 cube sizes: the parallel-axis terms about the origin would
    // lose 12 digits.
    const Vec3 far = Vec3::Constant(1048576.0);
    MassProperties left = from_density(Box{0.5, 1, 1}, 1.0), right = left;
    left.center_of_mass = far + Vec3{-0.25, 0, 0};
    right.center_of_mass = far + Vec3{0.25, 0, 0};
    MassProperties cube = from_density(Box{1, 1, 1}, 1.0);
    cube.center_of_mass = far;
    CHECK(same(combined(left, right), cube, 1e-15));
}

TEST_CASE("a massless part changes nothing, two massless parts stay massless") {
    const MassProperties body = from_mass(Box{1, 2, 3}, 5.0);
    MassProperties nothing;
    nothing.center_of_mass = {4, 5, 6};
    CHECK(combined(body, nothing) == body);
    CHECK(combined(nothing, body) == body);
    CHECK(combined(nothing, nothing) == nothing);
}

TEST_CASE("inertia tensors of possible bodies have no defect") {
    CHECK(inertia_defect(Mat3::Zero()) == "");                              // mass point
    CHECK(inertia_defect(Mat3::Identity()) == "");                          // ball
    CHECK(inertia_defect(Vec3{1, 2, 3}.asDiagonal()) == "");                // planar body: I1 + I2 = I3
    CHECK(inertia_defect(Vec3{0, 2, 2}.asDiagonal()) == "");                // rod
    CHECK(inertia_defect(1e-30 * Mat3{Vec3{1, 2, 3}.asDiagonal()}) == "");  // dust
    CHECK(inertia_defect(1e+30 * Mat3{Vec3{1, 2, 3}.asDiagonal()}) == "");  // planet
    Random random{5};
    for (int trial = 0; trial < 200; ++trial) {  // planar bodies and rods in any direction, with rounding errors
        const Mat3 R = random.orientation().toRotationMatrix();
        CHECK(inertia_defect(R * Vec3{0.1, 0.2, 0.1 + 0.2}.asDiagonal() * R.transpose()) == "");
        CHECK(inertia_defect(R * Vec3{0, 3, 3}.asDiagonal() * R.transpose()) == "");
    }
}

TEST_CASE("inertia tensors of impossible bodies are named with their defect") {
    Random random{6};
    const auto has = [](const std::string& text, const char* part) { return text.find(part) != std::string::npos; };
    CHECK(has(inertia_defect(Vec3{-1, 2, 2}.asDiagonal()), "negative"));
    CHECK(has(inertia_defect(-Mat3::Identity()), "negative"));
    CHECK(has(inertia_defect(Vec3{1, 2, 3.001}.asDiagonal()), "sum of the two others"));
    CHECK(has(inertia_defect(Vec3{0, 0, 1}.asDiagonal()), "sum of the two others"));
    Mat3 skewed = 2.0 * Mat3::Identity();
    skewed(0, 2) = 0.1;
    CHECK(inertia_defect(skewed) == "is not symmetric: xz = 0.1, zx = 0");
    skewed(2, 0) = std::numeric_limits<double>::quiet_NaN();
    CHECK(has(inertia_defect(skewed), "finite"));
    Mat3 products = Mat3::Identity();
    products(0, 1) = products(1, 0) = 1.5;  // principal moments -0.5, 1, 2.5
    CHECK(has(inertia_defect(products), "negative"));
    products(0, 1) = products(1, 0) = 0.6;  // principal moments 0.4, 1, 1.6
    CHECK(has(inertia_defect(products), "sum of the two others"));
    for (int trial = 0; trial < 100; ++trial) {
        const Mat3 R = random.orientation().toRotationMatrix();
        const double scale = random.length();
        CHECK(has(inertia_defect(scale * R * Vec3{0.1, 0.2, 0.3001}.asDiagonal() * R.transpose()), "sum"));
        CHECK(has(inertia_defect(scale * R * Vec3{-0.001, 0.2, 0.2}.asDiagonal() * R.transpose()), "negative"));
    }
}
