// How round two shapes are where they touch: the coefficient of Hertz' law (the thesis, Tables 7.1 and 7.2).
#pragma once

#include <tactus/engine/shapes/shape.hpp>

namespace tactus::systems {

struct ContactRoundness {
    double radius = 0.0;  // [m] r_c of a sphere that stands for the shape
    bool flat = false;    // box, beam
};

// A radius > 0 that the user gave goes before that of Table 7.1. Precondition: a solid shape; a Mesh must be loaded.
ContactRoundness contact_roundness(const Shape& shape, double given_radius = 0.0);

double geometry_coefficient(const ContactRoundness& a, const ContactRoundness& b);  // [m] R_geo

}  // namespace tactus::systems
