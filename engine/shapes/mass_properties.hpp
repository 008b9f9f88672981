// Mass, centre of mass and inertia tensor of one body or of several rigidly connected ones.
#pragma once

#include <tactus/engine/export.hpp>
#include <tactus/engine/math.hpp>
#include <tactus/engine/shapes/shape.hpp>

namespace tactus {

struct MassProperties {
    double mass = 0.0;                   // [kg]
    Vec3 center_of_mass = Vec3::Zero();  // [m] in the axes of the frame B that carries it
    Mat3 inertia = Mat3::Zero();         // [kg m^2] about the centre of mass, in B axes; products with their sign

    bool operator==(const MassProperties&) const = default;
};

// Volume [m^3], centroid [m] and, for unit density, the inertia tensor [m^5] about the centroid; in the shape's axes.
struct VolumeIntegrals {
    double volume = 0.0;
    Vec3 centroid = Vec3::Zero();
    Mat3 inertia = Mat3::Zero();
};

// Closed forms, for meshes exact integrals over the enclosed volume. Precondition: a solid shape with valid sizes;
// a Mesh must have been loaded. A mesh that encloses no volume is an InputError (see triangle_mesh.hpp).
TACTUS_API VolumeIntegrals volume_integrals(const Shape& shape);

// Mass properties of a homogeneous shape of the given density [kg/m^3].
TACTUS_API MassProperties from_density(const Shape& shape, double density);

// Mass properties of a homogeneous shape of the given mass [kg].
TACTUS_API MassProperties from_mass(const Shape& shape, double mass);

// The same body seen from frame A, where X_AB is the pose of the body's frame B: the centre of mass is moved, the
// tensor is rotated (R I R^T), and stays about the centre of mass.
TACTUS_API MassProperties transformed(const MassProperties& m_B, const Pose& X_AB);

// Both bodies as one; both must be given in the same frame. Parallel-axis theorem about the common centre of mass.
TACTUS_API MassProperties combined(const MassProperties& a, const MassProperties& b);

// Why this inertia tensor belongs to no distribution of (positive) mass; empty if it does. Checks symmetry, that it is
// positive semi-definite, and the triangle inequality of the principal moments, with a relative rounding allowance.
TACTUS_API std::string inertia_defect(const Mat3& inertia);

}  // namespace tactus
