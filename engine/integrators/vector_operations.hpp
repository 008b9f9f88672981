// Private to engine/integrators: sums and norms of vectors, which take a third of the time of small systems with SUNDIALS'
// own loops: those are compiled for size, and go through long vectors once for each term.
#pragma once

#include <nvector/nvector_serial.h>

namespace tactus::sundials {

// For a serial vector and all that are cloned from it. Sums run in a fixed order.
void use_own_operations(N_Vector v);

}  // namespace tactus::sundials
