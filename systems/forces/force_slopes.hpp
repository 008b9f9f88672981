// How forces change with small motions: what the Jacobians of stiff integrators need of them.
#pragma once

#include <tactus/systems/dynamics/coupling.hpp>
#include <tactus/systems/forces/forces.hpp>

#include <vector>

namespace tactus::systems {

// Appends one for each spring and bushing, and those along single degrees of freedom: always the same ones, in the same
// order. How arms of forces turn with the links is left out.
void force_slopes(const Forces& forces, const ForceInstant& at, std::vector<Coupling>& couplings,
                  std::vector<SpeedCoupling>& speeds);

// One for each Servo, in their order.
void drive_slopes(const Forces& forces, std::vector<StateCoupling>& drives);

}  // namespace tactus::systems
