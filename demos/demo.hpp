// A demo is a value with a lesson: a scene, where to look from, and what to look for. Nothing here knows raylib.
//
// A demo is one small file that holds a `static const demos::Register`. Demo files are compiled straight into programs:
// of a library the linker would leave them out, as nothing refers to them.
#pragma once

#include "demos/look.hpp"

#include <tactus/engine/world.hpp>

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace demos {

struct View {
    tactus::Vec3 eye{3, -4, 2}, target{0, 0, 0.5};  // [m] z is up
    double angle = 32.0;                            // [degrees] from the lower to the upper edge of the picture
};

enum class Backdrop { studio, night };

struct Parameter {  // a slider; the scene starts anew when it is moved
    std::string name;
    double value = 0.0, least = 0.0, most = 1.0, step = 0.1;
};

struct Signal {  // to be plotted over time
    std::string name, unit;
    std::function<double(tactus::World&)> value;
};

// What a builder gets, and what it may add beside the scene.
struct Set {
    tactus::World& world;
    const std::vector<Parameter>& parameters;
    std::vector<Signal> signals = {};
    std::vector<Dress> looks = {};

    double value(std::string_view name) const;  // of a parameter
    int count(std::string_view name) const { return static_cast<int>(value(name)); }
};

struct Demo {
    std::string name, title;
    std::string lesson;    // one sentence of physics
    std::string look_for;  // what to watch
    int order = 0;         // in the gallery
    View view = {};
    Backdrop backdrop = Backdrop::studio;
    double ground = 0.0;      // [m] height of the studio's floor, which only is seen
    double speed = 1.0;       // of simulated time against the clock
    double picture_at = 1.0;  // [s] when a picture shows most
    std::string rides;        // the eye goes with this object, without turning
    std::vector<std::string>
        follow;  // objects to be named and followed: they are in the picture for the first two seconds
    std::vector<Parameter> parameters = {};
    std::function<void(Set&)> build;
};

const std::vector<const Demo*>& all();  // in the order of the gallery
const Demo* find(std::string_view name);
std::string nearest_name(std::string_view name);  // of all demos

class Register {
public:
    explicit Register(Demo demo);

private:
    Demo demo_;
};

}  // namespace demos
