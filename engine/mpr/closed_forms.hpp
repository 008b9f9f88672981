// Pairs of cores whose signed distance is a formula. Double precision; in A's core axes, as Contact says.
#pragma once

#include <tactus/engine/mpr/pair.hpp>

namespace tactus::mpr {

// A contact of cores, or false if there is no formula for the pair.
bool closed_form(const Pair<double>& pair, Contact<double>& contact);

// Two boxes: the fifteen directions that can separate them (three faces each, nine pairs of edges). True if the result
// is final: they penetrate, or the direction of the largest gap is that of a vertex on a face or of two crossing edges.
// Else contact.n is a direction that separates them.
bool box_box(const Pair<double>& pair, Contact<double>& contact);

}  // namespace tactus::mpr
