#include "demos/scenes/wing_nut.hpp"

namespace scenes {

using namespace tactus;

// A stem along x with a crossbar along y: moments of inertia grow from y over x to z if the bar is the heavier one.
Entity wing_nut(World& world, const WingNut& options) {
    world.scene({.gravity = NoGravity{}});
    world.set_simulation({.solver = Solver::CvodeAdams, .stop_time = 30.0, .tolerance = options.tolerance});
    const auto part = [&](const char* name, const Vec3& p, const Shape& shape, const Vec3& cardan = Vec3::Zero()) {
        return world.add(
            {.name = name, .parent = "nut", .translation = p, .rotation = cardan, .shape = shape, .material = "Steel"});
    };
    const Entity nut = world.add({.name = "nut",
                                  .parent = "world",
                                  .free = true,
                                  .angular_velocity = {options.spin, options.disturbance, options.disturbance}});
    // The frame's origin is the centre of mass, so that the nut does not drift.
    constexpr double stem = 0.24, stem_diameter = 0.075, bar = 0.5, bar_diameter = 0.06;  // [m]
    const double stem_volume = stem_diameter * stem_diameter * stem, bar_volume = bar_diameter * bar_diameter * bar;
    const double reach = 0.5 * stem;  // [m] from the middle of the stem to the crossbar
    const double shift = -reach * bar_volume / (stem_volume + bar_volume);
    part("nut.stem", {shift, 0, 0}, Cylinder{1, stem_diameter, stem});
    part("nut.bar", {shift + reach, 0, 0}, Cylinder{2, bar_diameter, bar});
    return nut;
}

}  // namespace scenes
