#include "demos/scenes/mobile.hpp"

#include "demos/scenes/parts.hpp"

#include <cmath>

namespace scenes {

using namespace tactus;

namespace {

class Hanging {
public:
    Hanging(World& world, const Mobile& options) : world_{world}, options_{options} {}

    // Hangs a bar with all that is below it on an object. The frame of a bar is where its thread is fixed.
    void hang(const Ref& from, const std::string& path, int level) {
        const std::string bar = "bar" + path;
        const double length = 0.95 * std::pow(0.56, level), thread = level == 0 ? 0.3 : 0.22;  // [m]
        world_.add({.name = bar, .parent = ParentRef::none()});
        world_.add({.name = bar + ".thread",
                    .parent = bar,
                    .translation = {0, 0, -0.5 * thread},
                    .shape = Cylinder{3, 0.004, thread},
                    .material = "DryWood"});
        // Alternating directions give it depth.
        const bool along_x = level % 2 == 0;
        world_.add({.name = bar + ".rod",
                    .parent = bar,
                    .translation = {0, 0, -thread},
                    .shape = Capsule{along_x ? 1 : 2, 0.016, length},
                    .material = "DryWood"});
        const Vec3 w{0, 0, (level % 2 == 0 ? 1.0 : -2.0) * options_.push};
        const double tilt = 0.12 * (level + 1) * (path.ends_with('l') ? 1 : -1);  // not balanced at the start
        world_.add_joint({.name = "joint" + path,
                          .object1 = from,
                          .object2 = bar,
                          .type = Spherical{.rotation = along_x ? Vec3{0, tilt, 0} : Vec3{tilt, 0, 0},
                                            .angular_velocity = w,
                                            .damping = options_.damping}});
        bars.push_back(world_.at(bar));
        for (const char side : {'l', 'r'}) {
            const double s = side == 'l' ? -0.5 * length : 0.5 * length;
            const Vec3 end{along_x ? s : 0.0, along_x ? 0.0 : s, -thread};
            const std::string below = path + side;
            if (level + 1 < options_.levels) {
                world_.add({.name = bar + "." + side, .parent = bar, .translation = end});
                hang(bar + "." + side, below, level + 1);
            } else {
                add_ornament(bar, below, end);
            }
        }
    }

    std::vector<Entity> bars;

private:
    World& world_;
    const Mobile& options_;
    int ornaments_ = 0;

    // All weigh the same, so that the bars hang level in the end.
    void add_ornament(const std::string& bar, const std::string& path, const Vec3& end) {
        const Shape shapes[] = {Sphere{0.085},         Cone{3, 0.09, 0.11},    Ellipsoid{0.06, 0.06, 0.13},
                                Box{0.07, 0.07, 0.07}, Capsule{3, 0.05, 0.06}, Cylinder{3, 0.09, 0.04}};
        const std::size_t kind = static_cast<std::size_t>(ornaments_++) % 6;
        add_visual(world_, "string" + path, bar, end + Vec3{0, 0, -0.05}, Cylinder{3, 0.003, 0.1});
        const double drop = kind == 1 ? 0.2 : 0.14;  // a cone's origin is its base
        world_.add({.name = "ornament" + path,
                    .parent = bar,
                    .translation = end + Vec3{0, 0, -drop},
                    .shape = shapes[kind],
                    .material = "DryWood",
                    .mass = 0.1});
    }
};

}  // namespace

std::vector<Entity> mobile(World& world, const Mobile& options) {
    world.scene({.gravity = {0, 0, -9.81}});
    world.set_simulation({.stop_time = 20.0, .tolerance = options.tolerance});
    world.add({.name = "ceiling.hook", .parent = "world", .translation = {0, 0, 2}});
    add_visual(world, "ceiling", "world", {0, 0, 2.01}, Cylinder{3, 0.12, 0.02});
    Hanging hanging{world, options};
    hanging.hang("ceiling.hook", "", 0);
    return hanging.bars;
}

}  // namespace scenes
