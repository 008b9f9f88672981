// The plane between two solids that costs the least energy, if each of them pays k S^2.5 for its soft height S beyond it.
#pragma once

#include <tactus/engine/mpr/soft_height.hpp>

#include <algorithm>
#include <cmath>
#include <optional>

namespace tactus::mpr {

// The energy k S^2.5 of one side, and its derivatives by the motions of the plane.
struct Pressed {
    double energy = 0.0, force = 0.0;  // force: change of the energy with S
    Height height;
    Sym3 curvature;

    Pressed() = default;
    Pressed(const Convex& solid, double stiffness, const CuttingPlane& plane);

    double weight() const { return std::abs(height.slope.z); }
    double x1() const { return -height.slope.x / height.slope.z; }  // [m] centre of pressure, along e1 and e2
    double x2() const { return -height.slope.y / height.slope.z; }
    Eigen::Matrix2d spread() const;  // [m^2] of the pressure about it

    // After a motion of the plane that is small enough for this: energy to second, forces to first order, and the rest as it
    // was. `sphere` is the curvature of the unit normal.
    void follow(const V3<double>& by, double sphere);
};

class LeastPlane {
public:
    LeastPlane(const Convex& a, const Convex& b);

    Pressed pressed_a, pressed_b;
    CuttingPlane plane;

    double energy() const { return pressed_a.energy + pressed_b.energy; }

    // Where planes of this normal cut both. False if one separates them.
    bool start(const V3<double>& n);
    bool cut();

    // Of cores that are apart this is so only where the energy is least of all; there may be other planes from which it grows
    // whichever way they are tilted.
    bool separates_cores() const { return a_.core_depth(plane) + b_.core_depth(plane) <= 0.0; }

    // What both press with there.
    void evaluate(const CuttingPlane& at);
    void evaluate() { evaluate(CuttingPlane{plane}); }

    // A motion of the plane, and what it should gain.
    struct Step {
        V3<double> by;
        double gain = 0.0;
        double tilt_squared() const { return by.x * by.x + by.y * by.y; }  // [rad^2]
    };
    // Newton's step from the present plane; nothing where the energy is not convex.
    std::optional<Step> newton() const { return step(0); }
    CuttingPlane moved(const V3<double>& step) const { return moved(plane, step); }

    // Goes on by a step that gains so little of the energy E that what both press with need not be computed anew: it is wrong by
    // gain / E afterwards, the spread of the pressure by the root of that.
    void follow(const Step& step);

    // Newton's method from the present plane, from wherever that is.
    void descend();

    // What both press with, and where: the same on either side but for rounding, which matters less where more gives way.
    const Pressed& better_known() const {
        return share_b_ * pressed_b.force > share_a_ * pressed_a.force ? pressed_b : pressed_a;
    }

    // How much wider the pressure of one is spread where the other gives way more.
    double wider_a() const { return std::max(1.0, share_b_ / share_a_); }
    double wider_b() const { return std::max(1.0, share_a_ / share_b_); }

    Sym3 hessian() const;       // of the energy, by motions of the plane
    Sym3 hessian_of_b() const;  // what the second one has in that, for motions about the place where the pressure acts

private:
    const Convex &a_, &b_;
    double share_a_ = 0.5, share_b_ = 0.5, stiffness_a_ = 1.0, stiffness_b_ = 1.0;

    std::optional<Step> step(int most_shifts) const;
    static CuttingPlane moved(const CuttingPlane& from, const V3<double>& step);
};

}  // namespace tactus::mpr
