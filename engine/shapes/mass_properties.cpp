// Closed forms of volume, centroid and inertia of the solid shapes, and the laws that move and add them.
//
// All forms are sums of positive terms, or products: none of them cancels in a limit (thin tube, frustum that is nearly
// a cylinder, capsule that is nearly a sphere, needle, plate), so each element keeps its relative accuracy.
#include <tactus/engine/shapes/mass_properties.hpp>

#include <tactus/engine/errors.hpp>
#include <tactus/engine/shapes/triangle_mesh.hpp>

#include <Eigen/Eigenvalues>

#include <cassert>
#include <charconv>
#include <cmath>
#include <numbers>
#include <string>
#include <utility>
#include <variant>

namespace tactus {

namespace {

using std::numbers::pi;

std::string text_of(double x) {
    char digits[32];
    const auto end = std::to_chars(digits, digits + sizeof digits, x).ptr;
    return {digits, end};
}

// From the second moments Sx = integral of x^2 dV about the centroid, ... when all products vanish by symmetry.
Mat3 inertia_of(const Vec3& S) { return Vec3{S.y() + S.z(), S.z() + S.x(), S.x() + S.y()}.asDiagonal(); }

// Values along the shape's own directions (axis, next, next but one) as a vector in the shape's axes.
Vec3 along(int axis, double first, double second, double third) {
    assert(axis >= 1 && axis <= 3);
    Vec3 v;
    v[axis - 1] = first;
    v[axis % 3] = second;
    v[(axis + 1) % 3] = third;
    return v;
}

VolumeIntegrals integrals(const Sphere& s) {
    const double V = pi / 6.0 * s.diameter * s.diameter * s.diameter;
    return {V, Vec3::Zero(), V * s.diameter * s.diameter / 10.0 * Mat3::Identity()};
}

VolumeIntegrals integrals(const Ellipsoid& e) {
    const Vec3 l{e.length_x, e.length_y, e.length_z};
    const double V = pi / 6.0 * l.prod();
    return {V, Vec3::Zero(), inertia_of(V / 20.0 * l.cwiseAbs2())};
}

VolumeIntegrals integrals(const Box& b) {
    const Vec3 l{b.length_x, b.length_y, b.length_z};
    const double V = l.prod();
    return {V, Vec3::Zero(), inertia_of(V / 12.0 * l.cwiseAbs2())};
}

VolumeIntegrals integrals(const Cylinder& c) {
    const double D = c.diameter, d = c.inner_diameter, L = c.length;
    const double V = pi / 4.0 * (D - d) * (D + d) * L;  // a thin wall D - d is then as exact as D and d are
    const double across = V * (D * D + d * d) / 16.0;
    return {V, Vec3::Zero(), inertia_of(along(c.axis, V * L * L / 12.0, across, across))};
}

// Slices of radius R + (r - R) z/L. With the integrals of s^i (1-s)^j every moment is a polynomial in R, r, L:
//   V      = pi L/3 (R^2 + R r + r^2)
//   V z    = pi L^2/12 (R^2 + 2 R r + 3 r^2)
//   across = pi/4 integral of radius^4 dz = pi L/20 (R^4 + R^3 r + R^2 r^2 + R r^3 + r^4)
//   along  = pi L^3/30 (R^2 + 3 R r + 6 r^2) about the base; moved to the centroid the difference can be taken exactly:
//            pi L^3/80 (R^4 + 4 R^3 r + 10 R^2 r^2 + 4 R r^3 + r^4) / (R^2 + R r + r^2).
// (A full cone minus the cut-off cone would lose all digits for r -> R.)
VolumeIntegrals integrals(const Cone& c) {
    const double R = c.diameter / 2.0, r = c.top_diameter / 2.0, L = c.length;
    const double RR = R * R, Rr = R * r, rr = r * r;
    const double Q = RR + Rr + rr;
    const double V = pi / 3.0 * L * Q;
    const double z = L / 4.0 * (RR + 2.0 * Rr + 3.0 * rr) / Q;
    const double across = pi * L / 20.0 * (RR * RR + Rr * (RR + Rr + rr) + rr * rr);
    const double lengthwise = pi * L * L * L / 80.0 * (RR * RR + Rr * (4.0 * RR + 10.0 * Rr + 4.0 * rr) + rr * rr) / Q;
    return {V, along(c.axis, z, 0.0, 0.0), inertia_of(along(c.axis, lengthwise, across, across))};
}

// Cylinder and two half balls. A half ball has the first moment pi r^4/4 about its flat face and is L/2 away:
// integral of (L/2 + u)^2 over both = (ball) L^2/4 + L (2 pi r^4/4) + (ball) r^2/5.
VolumeIntegrals integrals(const Capsule& c) {
    const double r = c.diameter / 2.0, L = c.length;
    const double cylinder = pi * r * r * L, ball = 4.0 / 3.0 * pi * r * r * r;
    const double across = cylinder * r * r / 4.0 + ball * r * r / 5.0;
    const double lengthwise =
        cylinder * L * L / 12.0 + ball * (L * L / 4.0 + r * r / 5.0) + pi / 2.0 * r * r * r * r * L;
    return {cylinder + ball, Vec3::Zero(), inertia_of(along(c.axis, lengthwise, across, across))};
}

// Rectangle and two half discs, times the thickness. A half disc has the first moment 2 r^3/3 about its straight side.
VolumeIntegrals integrals(const Beam& b) {
    const double L = b.length, w = b.width, t = b.thickness, r = w / 2.0;
    const double rectangle = L * w, disc = pi * r * r;
    const double V = (rectangle + disc) * t;
    const double lengthwise =
        t * (rectangle * L * L / 12.0 + disc * (L * L / 4.0 + r * r / 4.0) + 4.0 / 3.0 * r * r * r * L);
    const double widthwise = t * (rectangle * w * w / 12.0 + disc * r * r / 4.0);
    return {V, Vec3::Zero(), inertia_of(along(b.axis, lengthwise, widthwise, V * t * t / 12.0))};
}

VolumeIntegrals integrals(const Mesh& m) {
    if (!m.data) throw InputError(Issue{"", "", "shape.file", m.file, "the mesh is not loaded: call load_mesh first"});
    return volume_integrals(*m.data);
}

[[noreturn]] VolumeIntegrals no_volume(const char* name) {
    throw InputError(Issue{"", "", "shape", name,
                           "has no volume, and so no mass; shapes with a volume are Sphere, Ellipsoid, Box, Cylinder, "
                           "Cone, Capsule, Beam and Mesh"});
}

VolumeIntegrals integrals(const CoordinateSystem&) { no_volume("CoordinateSystem"); }
VolumeIntegrals integrals(const Grid&) { no_volume("Grid"); }
VolumeIntegrals integrals(const Spring&) { no_volume("Spring"); }
VolumeIntegrals integrals(const GearWheel&) { no_volume("GearWheel"); }
VolumeIntegrals integrals(const Text&) { no_volume("Text"); }

Mat3 symmetric_part(const Mat3& m) { return 0.5 * (m + m.transpose()); }

}  // namespace

VolumeIntegrals volume_integrals(const Shape& shape) {
    return std::visit([](const auto& s) { return integrals(s); }, shape);
}

MassProperties from_density(const Shape& shape, double density) {
    const VolumeIntegrals v = volume_integrals(shape);
    return {density * v.volume, v.centroid, density * v.inertia};
}

MassProperties from_mass(const Shape& shape, double mass) {
    const VolumeIntegrals v = volume_integrals(shape);
    return {mass, v.centroid, mass / v.volume * v.inertia};
}

MassProperties transformed(const MassProperties& m_B, const Pose& X_AB) {
    const Mat3 R_AB = X_AB.R();
    // R I R^T is symmetric up to rounding only; later code may rely on exact symmetry.
    return {m_B.mass, X_AB * m_B.center_of_mass, symmetric_part(R_AB * m_B.inertia * R_AB.transpose())};
}

// With d from one centre of mass to the other and the reduced mass mu = ma mb / (ma + mb), the two parallel-axis terms
// add up to mu [d]x [d]x^T, which is free of cancellation however far the bodies are from the origin.
MassProperties combined(const MassProperties& a, const MassProperties& b) {
    const double mass = a.mass + b.mass;
    const double share_b = mass > 0.0 ? b.mass / mass : 0.0;
    const Vec3 d = b.center_of_mass - a.center_of_mass;
    const Mat3 S = skew(d);
    return {mass, a.center_of_mass + share_b * d, a.inertia + b.inertia + a.mass * share_b * (S * S.transpose())};
}

std::string inertia_defect(const Mat3& inertia) {
    if (!inertia.allFinite()) return "has an element that is not a finite number";
    const double scale = inertia.cwiseAbs().maxCoeff();
    if (scale == 0.0) return {};

    // Rotating and summing tensors errs by some 1e-15; 1e-9 also admits numbers that were written with ten digits.
    constexpr double allowance = 1e-9;
    const Mat3 J = inertia / scale;
    for (const auto& [i, j] : {std::pair{0, 1}, std::pair{1, 2}, std::pair{0, 2}})
        if (std::abs(J(i, j) - J(j, i)) > allowance)
            return std::string{"is not symmetric: "} + "xyz"[i] + "xyz"[j] + " = " + text_of(inertia(i, j)) + ", " +
                   "xyz"[j] + "xyz"[i] + " = " + text_of(inertia(j, i));

    const Vec3 principal = Eigen::SelfAdjointEigenSolver<Mat3>{symmetric_part(J), Eigen::EigenvaluesOnly}.eigenvalues();
    if (principal[0] < -allowance)
        return "has a negative principal moment of inertia: " + text_of(scale * principal[0]) + " kg m^2";
    // Any mass distribution has second moments S >= 0 along its principal axes, and moments I1 = S2 + S3, ...
    if (principal[0] + principal[1] < principal[2] - allowance)
        return "has a principal moment of inertia larger than the sum of the two others: " +
               text_of(scale * principal[2]) + " > " + text_of(scale * principal[0]) + " + " +
               text_of(scale * principal[1]) + " kg m^2";
    return {};
}

}  // namespace tactus
